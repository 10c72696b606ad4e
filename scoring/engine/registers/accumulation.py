"""Virtual tables of accumulation registers: Остатки, Обороты, ОстаткиИОбороты."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from scoring.engine.metadata.system_enums import RECEIPT
from scoring.engine.registers.computed import (
    CONDITION,
    END,
    FILL,
    FREQUENCY,
    PERIOD,
    START,
    ComputedTable,
    Grouper,
    dimension_infos,
    resource_infos,
    spread,
)
from scoring.engine.registers.periods import NO_GRAIN, Grain, grain_of, opposite
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
    """What the three tables share: sums of records by the dimensions in use."""

    def record_kind(self) -> int:
        return self.meta.positions.get("виддвижения", -1)

    def sums(
        self,
        rows: Iterable[Row],
        dimensions: Sequence[int],
        condition: RowPredicate | None,
        grain: Grain,
        spelling: dict[str, str] | None = None,
    ) -> dict[tuple[Row, Any], list[Any]]:
        """(values of ``dimensions``, time cell) → [receipt, expense, …] for every resource; one pass over ``rows``.

        A condition is asked once per combination of all dimensions, not once per record. Calls that share ``spelling`` give
        keys that can be compared.
        """
        wanted = dimensions if condition is None else range(len(self.meta.dimensions))
        grouper = Grouper(
            [self.table.dimension_places[place] for place in wanted],
            [self.meta.dimensions[place] for place in wanted],
            spelling,
        )
        if condition is not None:
            rows = passing(rows, grouper.key, condition)
        groups: dict[tuple[Row, Any], list[Any]]
        if grain.cuts:
            cell_of, key_of = grain.key, grouper.key
            groups = self._accumulate(rows, lambda row: (key_of(row), cell_of(row)))
        else:
            groups = {(key, None): total for key, total in self._accumulate(rows, grouper.key).items()}
        narrowing = condition is not None and len(dimensions) < len(self.meta.dimensions)
        return narrowed(groups, dimensions) if narrowing else groups

    def _accumulate(self, rows: Iterable[Row], key_of: Callable[[Row], Any]) -> dict[Any, list[Any]]:
        groups: dict[Any, list[Any]] = {}
        kind, resources = self.record_kind(), self.table.resource_places
        pairs = [(2 * number, place) for number, place in enumerate(resources)]
        width = 2 * len(resources)
        for row in rows:
            key = key_of(row)
            total = groups.get(key)
            if total is None:
                total = groups[key] = [0] * width
            if kind < 0 or row[kind] is RECEIPT:
                for number, place in pairs:
                    total[number] += row[place]
            else:
                for number, place in pairs:
                    total[number + 1] += row[place]
        return groups


def passing(rows: Iterable[Row], key_of: Callable[[Row], Row], condition: RowPredicate) -> Iterator[Row]:
    """Rows whose key meets the condition, which is asked once per key."""
    verdicts: dict[Row, Any] = {}
    for row in rows:
        key = key_of(row)
        verdict = verdicts.get(key)
        if verdict is None:
            verdict = verdicts[key] = bool(condition(key))
        if verdict:
            yield row


def narrowed(groups: dict[tuple[Row, Any], list[Any]], dimensions: Sequence[int]) -> dict[tuple[Row, Any], list[Any]]:
    """Groups over all dimensions, put together over ``dimensions``."""
    result: dict[tuple[Row, Any], list[Any]] = {}
    for (key, cell), total in groups.items():
        narrow = (tuple([key[place] for place in dimensions]), cell)
        known = result.get(narrow)
        if known is None:
            result[narrow] = list(total)
        else:
            for number, value in enumerate(total):
                known[number] += value
    return result


class Balances(AccumulationTable):
    """Остатки(Период, Условие): sums of all records before the period."""

    suffix = "Остатки"
    operation = "balances"
    parameters = (PERIOD, CONDITION)

    def own_fields(self) -> list[FieldInfo]:
        return [*dimension_infos(self.meta.dimensions), *resource_infos(self.meta.resources, BALANCE)]

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        rows = self.table.between(None, self.bound(arguments, 0, inclusive=False))
        dimensions = self.used_places(used)
        tested = self.used_resources(used, ("Остаток",))
        width = len(self.meta.dimensions)
        for (key, _), total in self.sums(rows, dimensions, self.condition(arguments, 1), NO_GRAIN).items():
            balances = [total[place] - total[place + 1] for place in range(0, len(total), 2)]
            if any(balances[place] for place in tested):
                yield (*spread(width, dimensions, key), *balances)


class Turnovers(AccumulationTable):
    """Обороты(НачалоПериода, КонецПериода, Периодичность, Условие)."""

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
        width = len(self.meta.dimensions)
        groups = self.sums(rows, dimensions, self.condition(arguments, 3), grain)
        for (key, cell), total in groups.items():
            yield (*grain.cells(cell), *spread(width, dimensions, key), *self.measures(total))

    def measures(self, total: list[Any]) -> list[Any]:
        result: list[Any] = []
        for place in range(0, len(total), 2):
            receipt, expense = total[place], total[place + 1]
            result += (receipt - expense, receipt, expense) if self.meta.is_balance else (receipt,)
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
        spelling: dict[str, str] = {}
        earlier = self.sums(before, dimensions, condition, NO_GRAIN, spelling)
        opening = {key: net(total) for (key, _), total in earlier.items()}
        moved = self.sums(self.table.between(lower, upper), dimensions, condition, grain, spelling)
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


def by_dimension(opening: dict[Row, list[Any]], moved: dict[tuple[Row, Any], list[Any]]) -> dict[Row, dict[Any, list[Any]]]:
    """Key → its cells; keys that have only an opening balance have none."""
    result: dict[Row, dict[Any, list[Any]]] = {key: {} for key in opening}
    for (key, cell), total in moved.items():
        result.setdefault(key, {})[cell] = total
    return result
