"""The inner loops of virtual tables of accumulation registers: filtering by dimensions and summing by key.

They run once per record, so that each of them is written out for the case it serves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from scoring.engine.metadata.system_enums import RECEIPT
from scoring.engine.registers.computed import Grouper
from scoring.engine.registers.periods import Grain
from scoring.engine.storage.references import Row
from scoring.engine.storage.registertables import RegisterTable
from scoring.engine.storage.relations import RowPredicate

# (values of the dimensions, time cell) → [receipt, expense] of one resource after the other
Sums = dict[tuple[Row, Any], list[Any]]


class Verdicts(dict[Any, bool]):
    """A condition's answers by key: it is asked once for each."""

    def __init__(self, condition: RowPredicate) -> None:
        super().__init__()
        self.condition = condition

    def __missing__(self, key: Any) -> bool:
        verdict = self[key] = bool(self.condition(key))
        return verdict


@dataclass(slots=True)
class Summing:
    """What to sum: ``dimensions`` and ``resources`` by number, ``condition`` over all dimensions. Calls that share ``spelling``
    give keys that can be compared."""

    table: RegisterTable
    dimensions: Sequence[int]
    resources: Sequence[int]
    condition: RowPredicate | None
    spelling: dict[str, str]

    def of(self, rows: list[Row], grain: Grain) -> Sums:
        """Sums of ``rows``; one pass to filter, one to sum."""
        if self.condition is not None:
            every = self.grouper(range(len(self.table.meta.dimensions)))
            verdicts, key = Verdicts(self.condition), every.key
            rows = [row for row in rows if verdicts[key(row)]]
        grouper = self.grouper(self.dimensions)
        if grain.cuts:
            key_of, cell_of = grouper.key, grain.key
            return self.accumulate(rows, lambda row: (key_of(row), cell_of(row)))
        if len(self.dimensions) == 1 and not grouper.folding:
            place = self.table.dimension_places[self.dimensions[0]]
            return {((key,), None): total for key, total in self.accumulate(rows, itemgetter(place)).items()}
        return {(key, None): total for key, total in self.accumulate(rows, grouper.key).items()}

    def grouper(self, dimensions: Sequence[int]) -> Grouper:
        places = [self.table.dimension_places[number] for number in dimensions]
        return Grouper(places, [self.table.meta.dimensions[number] for number in dimensions], self.spelling)

    def accumulate(self, rows: list[Row], key_of: Callable[[Row], Any]) -> dict[Any, list[Any]]:
        kind = self.table.meta.positions.get("виддвижения", -1)
        places = [self.table.resource_places[number] for number in self.resources]
        if len(places) == 1 and kind >= 0:
            return sum_one(rows, key_of, kind, places[0])
        return sum_all(rows, key_of, kind, places)


def sum_one(rows: list[Row], key_of: Callable[[Row], Any], kind: int, place: int) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = {}
    known, receipt = groups.get, RECEIPT
    for row in rows:
        key = key_of(row)
        total = known(key)
        if total is None:
            total = groups[key] = [0, 0]
        if row[kind] is receipt:
            total[0] += row[place]
        else:
            total[1] += row[place]
    return groups


def sum_all(rows: list[Row], key_of: Callable[[Row], Any], kind: int, places: Sequence[int]) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = {}
    pairs = [(2 * number, place) for number, place in enumerate(places)]
    nothing = [0] * (2 * len(places))
    known, receipt = groups.get, RECEIPT
    for row in rows:
        key = key_of(row)
        total = known(key)
        if total is None:
            total = groups[key] = nothing[:]
        if kind < 0 or row[kind] is receipt:
            for number, place in pairs:
                total[number] += row[place]
        else:
            for number, place in pairs:
                total[number + 1] += row[place]
    return groups
