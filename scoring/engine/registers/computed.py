"""What all virtual tables share: parameters, arguments, grouping of records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.registers.periods import PERIODICITY, SUPPLEMENT, Places, keyword, period_fields
from scoring.engine.storage.moments import Bound, bound_of
from scoring.engine.storage.references import Row, folded
from scoring.engine.storage.registertables import RegisterTable
from scoring.engine.storage.relations import ArgumentError, FieldInfo, RowPredicate, VirtualParameter
from scoring.engine.values.types import BOOLEAN, NUMBER, STRING

PERIOD = VirtualParameter("Период", "period")
START = VirtualParameter("НачалоПериода", "period")
END = VirtualParameter("КонецПериода", "period")
FREQUENCY = VirtualParameter("Периодичность", "periodicity")
FILL = VirtualParameter("МетодДополнения", "supplement")
CONDITION = VirtualParameter("Условие", "condition")


class ComputedTable:
    """Base of virtual tables. ``operation`` is what one read counts as (``access.OPERATION_COST``).

    Subclasses set ``suffix`` (canonical Russian name), ``operation``, ``parameters`` and define ``own_fields``,
    ``compute``. ``periodicity`` and ``supplement`` are fixed by :meth:`bind`.
    """

    suffix: str
    operation: str
    parameters: Sequence[VirtualParameter] = ()

    def __init__(self, table: RegisterTable, periodicity: str = "", boundaries: bool = True) -> None:
        self.table = table
        self.meta = table.meta
        self.database = table.database
        self.register_path = table.path
        self.path = f"{table.path}.{self.suffix}"
        self.periodicity = periodicity
        self.boundaries = boundaries
        self.places = Places(table.period, table.recorder, table.line)
        self.period_fields = period_fields(periodicity, self.recorder_types())
        self.fields: Sequence[FieldInfo] = [*self.period_fields, *self.own_fields()]
        self._bound: dict[tuple[Any, ...], ComputedTable] = {}

    def recorder_types(self) -> TypeDescription:
        return TypeDescription(self.meta.recorders)

    def own_fields(self) -> list[FieldInfo]:
        raise NotImplementedError

    def parameter(self, kind: str) -> int:
        """The place of the first parameter of this kind; -1 if there is none."""
        for place, parameter in enumerate(self.parameters):
            if parameter.kind == kind:
                return place
        return -1

    def bind(self, arguments: Sequence[Any]) -> ComputedTable:
        """See :class:`VirtualTable`."""
        frequency, fill = self.parameter("periodicity"), self.parameter("supplement")
        periodicity = keyword(arguments, frequency, PERIODICITY, "") if frequency >= 0 else ""
        boundaries = keyword(arguments, fill, SUPPLEMENT, True) if fill >= 0 else True
        key = (periodicity, boundaries)
        if key not in self._bound:
            self._bound[key] = type(self)(self.table, periodicity, boundaries)
        return self._bound[key]

    def condition_fields(self, parameter: int) -> Sequence[FieldInfo]:
        return dimension_infos(self.meta.dimensions)

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterable[Row]:
        raise NotImplementedError

    # -- arguments -------------------------------------------------------------------------------------------------------

    def argument(self, arguments: Sequence[Any], number: int) -> Any:
        return arguments[number] if 0 <= number < len(arguments) else None

    def bound(self, arguments: Sequence[Any], number: int, inclusive: bool) -> Bound | None:
        try:
            return bound_of(self.argument(arguments, number), inclusive)
        except TypeError:
            raise ArgumentError(number) from None

    def condition(self, arguments: Sequence[Any], number: int) -> RowPredicate | None:
        found = self.argument(arguments, number)
        if found is None or found is True:
            return None
        return found if callable(found) else lambda row: False

    # -- fields in use -----------------------------------------------------------------------------------------------------

    def used_places(self, used: frozenset[str]) -> list[int]:
        """Indexes (among the dimensions) of the dimensions that the query uses."""
        return [place for place, item in enumerate(self.meta.dimensions) if item.name.lower() in used]

    def used_resources(self, used: frozenset[str], suffixes: Sequence[str]) -> list[int]:
        """Indexes of the resources that the query uses with any of ``suffixes``; all of them if it uses none."""
        found = [
            place
            for place, item in enumerate(self.meta.resources)
            if any(f"{item.name}{suffix}".lower() in used for suffix in suffixes)
        ]
        return found or list(range(len(self.meta.resources)))


def dimension_infos(fields: Iterable[Any]) -> list[FieldInfo]:
    return [FieldInfo(item.name, item.english, item.types, is_dimension=True) for item in fields]


def resource_infos(resources: Iterable[Any], suffixes: Sequence[tuple[str, str]]) -> list[FieldInfo]:
    """Fields of every resource with every (Russian, English) suffix."""
    return [
        FieldInfo(f"{item.name}{russian}", f"{item.english}{english}", total_type(item.types))
        for item in resources
        for russian, english in suffixes
    ]


def total_type(types: TypeDescription) -> TypeDescription:
    """A total has more whole digits than the resource it sums."""
    if not types.digits:
        return types
    return TypeDescription((NUMBER,), digits=min(38, types.digits + 10), fraction=types.fraction)


def tuple_getter(places: Sequence[int]) -> Callable[[Row], Row]:
    """A function that picks ``places`` out of a row, always as a tuple."""
    if not places:
        return lambda row: ()
    if len(places) == 1:
        place = places[0]
        return lambda row: (row[place],)
    return itemgetter(*places)


def needs_folding(types: TypeDescription) -> bool:
    """Whether equal values of these types can differ to Python (case of strings, 1 and True)."""
    return STRING in types.names or (BOOLEAN in types.names and NUMBER in types.names)


def fold_key(key: Row) -> Row:
    return tuple([(value, "b") if type(value) is bool else folded(value) for value in key])


class Grouper:
    """Gives the group key of a row over ``places``. Strings that the database holds equal come out in one spelling, the first
    one met; groupers that share ``spelling`` agree on it."""

    def __init__(self, places: Sequence[int], fields: Sequence[Any], spelling: dict[str, str] | None = None) -> None:
        self.pick = tuple_getter(places)
        self.folding = any(STRING in item.types.names for item in fields)
        self.spelling = {} if spelling is None else spelling
        self.key: Callable[[Row], Row] = self._spelled if self.folding else self.pick

    def _spelled(self, row: Row) -> Row:
        spelling = self.spelling
        return tuple([spelling.setdefault(folded(value), value) if type(value) is str else value for value in self.pick(row)])


def spread(width: int, places: Sequence[int], values: Sequence[Any]) -> list[Any]:
    """A row of ``width`` with ``values`` at ``places`` and None elsewhere."""
    row: list[Any] = [None] * width
    for place, value in zip(places, values, strict=True):
        row[place] = value
    return row
