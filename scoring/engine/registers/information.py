"""Virtual tables of periodic information registers: СрезПоследних, СрезПервых."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from scoring.engine.registers.computed import CONDITION, PERIOD, ComputedTable, Grouper
from scoring.engine.storage.database import field_infos
from scoring.engine.storage.references import Row
from scoring.engine.storage.relations import FieldInfo


class Slice(ComputedTable):
    """The last (first) record of every combination of dimensions; a condition is asked before slicing."""

    operation = "slice"
    parameters = (PERIOD, CONDITION)
    from_end = True

    def own_fields(self) -> list[FieldInfo]:
        return field_infos(self.meta.fields)

    def condition_fields(self, parameter: int) -> Sequence[FieldInfo]:
        return self.fields

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterable[Row]:
        bound = self.bound(arguments, 0, inclusive=True)
        rows = self.table.between(None, bound) if self.from_end else self.table.between(bound, None)
        condition = self.condition(arguments, 1)
        if condition is not None:
            rows = [row for row in rows if condition(row)]
        return self.slice(rows)

    def slice(self, rows: Iterable[Row]) -> Iterator[Row]:
        grouper = Grouper(self.table.dimension_places, self.meta.dimensions)
        best: dict[Row, tuple[Any, Row]] = {}
        order, key_of, last = self.order_of(), grouper.key, self.from_end
        for row in rows:
            key, place = key_of(row), order(row)
            known = best.get(key)
            if known is None or (place >= known[0] if last else place < known[0]):
                best[key] = (place, row)
        return (row for _, row in best.values())

    def order_of(self) -> Callable[[Row], Any]:
        """The place of a record in time: its period, then its document and line where there are any."""
        period, recorder, line = self.places.period, self.places.recorder, self.places.line
        if recorder < 0:
            return lambda row: row[period]
        return lambda row: (row[period], row[recorder].order_key, row[line])


class LastSlice(Slice):
    """СрезПоследних(Период, Условие)."""

    suffix = "СрезПоследних"


class FirstSlice(Slice):
    """СрезПервых(Период, Условие)."""

    suffix = "СрезПервых"
    from_end = False
