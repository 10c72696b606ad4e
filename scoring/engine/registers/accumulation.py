"""Virtual tables of accumulation registers: Остатки, Обороты, ОстаткиИОбороты."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.engine.registers.computed import (
    CONDITION,
    END,
    FILL,
    FREQUENCY,
    PERIOD,
    START,
    ComputedTable,
    dimension_infos,
    resource_infos,
    spread,
)
from scoring.engine.registers.periods import NO_GRAIN, Grain, grain_of, opposite
from scoring.engine.registers.summing import Summing, Sums
from scoring.engine.storage.moments import Bound
from scoring.engine.storage.references import Row
from scoring.engine.storage.relations import FieldInfo, RowPredicate

BALANCE = (("Остаток", "Balance"),)
TURNOVER = (("Оборот", "Turnover"),)
RECEIPT_EXPENSE = (("Приход", "Receipt"), ("Расход", "Expense"))
BALANCE_AND_TURNOVER = (
    ("НачальныйОстаток", "OpeningBalance"),
    ("Приход", "Receipt"),
    ("Расход", "Expense"),
    ("Оборот", "Turnover"),
    ("КонечныйОстаток", "ClosingBalance"),
)


class AccumulationTable(ComputedTable):
    """What the three tables share."""

    def summing(self, dimensions: Sequence[int], resources: Sequence[int], condition: RowPredicate | None) -> Summing:
        return Summing(self.table, dimensions, resources, condition, {})


class Balances(AccumulationTable):
    """Остатки(Период, Условие): sums of all records before the period. Resources out of use come out as 0."""

    suffix = "Остатки"
    operation = "balances"
    parameters = (PERIOD, CONDITION)

    def own_fields(self) -> list[FieldInfo]:
        return [*dimension_infos(self.meta.dimensions), *resource_infos(self.meta.resources, BALANCE)]

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        rows = self.table.between(None, self.bound(arguments, 0, inclusive=False))
        dimensions = self.used_places(used)
        resources = self.used_resources(used, ("Остаток",))
        width = len(self.meta.dimensions)
        summing = self.summing(dimensions, resources, self.condition(arguments, 1))
        for (key, _), total in summing.of(rows, NO_GRAIN).items():
            balances = net(total)
            if any(balances):
                shown = [0] * len(self.meta.resources)
                for number, value in zip(resources, balances, strict=True):
                    shown[number] = value
                yield (*spread(width, dimensions, key), *shown)


class Turnovers(AccumulationTable):
    """Обороты(НачалоПериода, КонецПериода, Периодичность, Условие). Resources out of use come out as 0."""

    suffix = "Обороты"
    operation = "turnovers"
    parameters = (START, END, FREQUENCY, CONDITION)

    def suffixes(self) -> tuple[tuple[str, str], ...]:
        return TURNOVER + RECEIPT_EXPENSE if self.meta.is_balance else TURNOVER

    def own_fields(self) -> list[FieldInfo]:
        return [*dimension_infos(self.meta.dimensions), *resource_infos(self.meta.resources, self.suffixes())]

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        rows = self.table.between(self.bound(arguments, 0, inclusive=True), self.bound(arguments, 1, inclusive=True))
        grain = grain_of(self.periodicity, used, self.places)
        dimensions = self.used_places(used)
        resources = self.used_resources(used, [suffix for suffix, _ in self.suffixes()])
        width = len(self.meta.dimensions)
        summing = self.summing(dimensions, resources, self.condition(arguments, 3))
        count = len(self.suffixes())
        for (key, cell), total in summing.of(rows, grain).items():
            yield (*grain.cells(cell), *spread(width, dimensions, key), *self.measures(count, resources, total))

    def measures(self, count: int, resources: Sequence[int], total: list[Any]) -> list[Any]:
        result: list[Any] = [0] * (count * len(self.meta.resources))
        for number, place in enumerate(resources):
            receipt, expense = total[2 * number], total[2 * number + 1]
            figures = (receipt - expense, receipt, expense)
            result[count * place : count * (place + 1)] = figures if count == 3 else (receipt,)
        return result


class BalancesAndTurnovers(AccumulationTable):
    """ОстаткиИОбороты(НачалоПериода, КонецПериода, Периодичность, МетодДополнения, Условие)."""

    suffix = "ОстаткиИОбороты"
    operation = "balances_and_turnovers"
    parameters = (START, END, FREQUENCY, FILL, CONDITION)

    def own_fields(self) -> list[FieldInfo]:
        return [
            *dimension_infos(self.meta.dimensions),
            *resource_infos(self.meta.resources, BALANCE_AND_TURNOVER),
        ]

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        lower = self.bound(arguments, 0, inclusive=True)
        upper = self.bound(arguments, 1, inclusive=True)
        condition = self.condition(arguments, 4)
        dimensions = self.used_places(used)
        grain = grain_of(self.periodicity, used, self.places)
        before = [] if lower is None else self.table.between(None, opposite(lower))
        summing = self.summing(dimensions, range(len(self.meta.resources)), condition)
        opening = {key: net(total) for (key, _), total in summing.of(before, NO_GRAIN).items()}
        moved = summing.of(self.table.between(lower, upper), grain)
        width = len(self.meta.dimensions)
        for key, cells in by_dimension(opening, moved).items():
            shown = spread(width, dimensions, key)
            start = opening.get(key, [0] * len(self.meta.resources))
            for cell, measures in self.run(start, cells, grain, lower, upper):
                yield (*grain.cells(cell), *shown, *measures)

    def run(
        self,
        balance: list[Any],
        cells: dict[Any, list[Any]],
        grain: Grain,
        lower: Bound | None,
        upper: Bound | None,
    ) -> Iterator[tuple[Any, list[Any]]]:
        """The cells of one key in time, with balances before and after; cells in which all is zero are left out."""
        self.add_boundaries(balance, cells, grain, lower, upper)
        nothing = [0] * (2 * len(balance))
        if not cells and not grain.cuts:
            cells = {None: nothing}
        for cell in sorted(cells, key=grain.order):
            total = cells[cell]
            result: list[Any] = []
            closing = list(balance)
            for place, opening in enumerate(balance):
                receipt, expense = total[2 * place], total[2 * place + 1]
                closing[place] = opening + receipt - expense
                result += (opening, receipt, expense, receipt - expense, closing[place])
            balance = closing
            if any(result):
                yield cell, result

    def add_boundaries(
        self,
        balance: list[Any],
        cells: dict[Any, list[Any]],
        grain: Grain,
        lower: Bound | None,
        upper: Bound | None,
    ) -> None:
        if not grain.cuts or not self.boundaries:
            return
        for bound in (lower, upper):
            if bound is not None:
                cells.setdefault(grain.boundary(bound.date), [0] * (2 * len(balance)))


def net(total: list[Any]) -> list[Any]:
    return [total[place] - total[place + 1] for place in range(0, len(total), 2)]


def by_dimension(opening: dict[Row, list[Any]], moved: Sums) -> dict[Row, dict[Any, list[Any]]]:
    """Key → its cells; keys that have only an opening balance have none."""
    result: dict[Row, dict[Any, list[Any]]] = {key: {} for key in opening}
    for (key, cell), total in moved.items():
        result.setdefault(key, {})[cell] = total
    return result
