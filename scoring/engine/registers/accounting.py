"""Virtual tables of accounting registers with balances and turnovers by account."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoring.engine.metadata.system_enums import ACTIVE, ACTIVE_PASSIVE, PASSIVE
from scoring.engine.registers.computed import (
    CONDITION,
    END,
    FILL,
    FREQUENCY,
    PERIOD,
    START,
    ComputedTable,
    dimension_infos,
    fold_key,
    needs_folding,
    resource_infos,
)
from scoring.engine.registers.layout import (
    Layout,
    account_types,
    by_kinds,
    by_position,
    ext_infos,
)
from scoring.engine.registers.periods import Grain, grain_of, opposite
from scoring.engine.storage.references import Reference, Row
from scoring.engine.storage.registertables import RegisterTable
from scoring.engine.storage.relations import ArgumentError, FieldInfo, RowPredicate, VirtualParameter

ACCOUNT = VirtualParameter("УсловиеСчета", "account_condition")
EXT = VirtualParameter("Субконто", "ext_dimensions")
COR_ACCOUNT = VirtualParameter("УсловиеКорСчета", "cor_account_condition")
COR_EXT = VirtualParameter("КорСубконто", "cor_ext_dimensions")
BALANCE = (
    ("Остаток", "Balance"),
    ("ОстатокДт", "BalanceDr"),
    ("ОстатокКт", "BalanceCr"),
    ("РазвернутыйОстатокДт", "SplittedBalanceDr"),
    ("РазвернутыйОстатокКт", "SplittedBalanceCr"),
)
TURNOVER = (("Оборот", "Turnover"), ("ОборотДт", "TurnoverDr"), ("ОборотКт", "TurnoverCr"))
COR_TURNOVER = (
    ("КорОборот", "BalancedTurnover"),
    ("КорОборотДт", "BalancedTurnoverDr"),
    ("КорОборотКт", "BalancedTurnoverCr"),
)
OPENING = (
    ("НачальныйОстаток", "OpeningBalance"),
    ("НачальныйОстатокДт", "OpeningBalanceDr"),
    ("НачальныйОстатокКт", "OpeningBalanceCr"),
    ("НачальныйРазвернутыйОстатокДт", "OpeningSplittedBalanceDr"),
    ("НачальныйРазвернутыйОстатокКт", "OpeningSplittedBalanceCr"),
)
CLOSING = tuple((russian.replace("Начальный", "Конечный"), english.replace("Opening", "Closing")) for russian, english in OPENING)

# (key over the view's fields, time cell) → [debit, credit] per resource
Groups = dict[tuple[Row, Any], list[Any]]


class AccountTable(ComputedTable):
    """What the tables by account share. Their view of an entry's side: Счет, Субконто…, dimensions, and, where
    ``with_other``, КорСчет, КорСубконто…, dimensions of the other side."""

    with_other = False

    def __init__(self, table: RegisterTable, periodicity: str = "", boundaries: bool = True) -> None:
        self.layout = Layout(table.meta)
        self.width = table.meta.max_ext_dimensions
        self.parameters = [
            parameter for parameter in type(self).parameters if self.width or "ext_dimensions" not in parameter.kind
        ]
        if not table.meta.correspondence:
            self.with_other = False
            self.parameters = [item for item in self.parameters if not item.kind.startswith("cor_")]
        super().__init__(table, periodicity, boundaries)
        self.folding = any(needs_folding(info.types) for info in self.view)

    def own_fields(self) -> list[FieldInfo]:
        self.view = self.side_fields(("", ""))
        if self.with_other:
            self.view += self.side_fields(("Кор", "Balanced"))
        return [*self.view, *self.measure_fields()]

    def side_fields(self, prefix: tuple[str, str]) -> list[FieldInfo]:
        russian, english = prefix
        account = FieldInfo(f"{russian}Счет", f"{english}Account", account_types(self.database, self.meta), is_dimension=True)
        ext = ext_infos(self.database, self.meta, (f"{russian}Субконто", f"{english}ExtDimension"))
        dimensions = dimension_infos(item for item in self.meta.dimensions if not russian or not item.balance)
        if russian:
            dimensions = [
                FieldInfo(f"{russian}{item.name}", f"{english}{item.english}", item.types, is_dimension=True)
                for item in dimensions
            ]
        return [account, *ext, *dimensions]

    def measure_fields(self) -> list[FieldInfo]:
        raise NotImplementedError

    def condition_fields(self, parameter: int) -> Sequence[FieldInfo]:
        kind = self.parameters[parameter].kind
        if kind in ("account_condition", "cor_account_condition"):
            account = account_types(self.database, self.meta)
            fields = [FieldInfo("Счет", "Account", account, is_dimension=True)]
            if kind == "cor_account_condition":  # Счет is let pass beside it: nobody saw it refused
                fields.append(FieldInfo("КорСчет", "BalancedAccount", account, is_dimension=True))
            return fields
        return self.view

    # -- entries → groups --------------------------------------------------------------------------------------------------

    def entries(self, rows: Iterable[Row], grain: Grain | None) -> Groups:
        """(raw side of an entry, time cell) → sums; one pass over ``rows`` for each side."""
        groups: Groups = {}
        layout = self.layout
        sides = (0, 1)
        rows = list(rows) if not isinstance(rows, list) else rows
        cell_of = grain.key if grain else None
        for side in sides:
            pick = layout.entry_getter(side, self.with_other)
            resources = layout.sides[side].resources
            others = layout.sides[1 - side].resources
            count = len(resources)
            for row in rows:
                if layout.kind >= 0 and layout.side_of(row) != side:
                    continue
                key = (pick(row), cell_of(row) if cell_of else None)
                total = groups.get(key)
                if total is None:
                    total = groups[key] = [0] * (4 * count)
                for number in range(count):
                    total[4 * number + side] += row[resources[number]] or 0
                    total[4 * number + 2 + side] += row[others[number]] or 0
        return groups

    def viewed(self, groups: Groups, arguments: Sequence[Any]) -> Iterator[tuple[Row, Any, list[Any]]]:
        """Groups that pass the conditions, as (values of the view, cell, sums)."""
        account_ok = Memo(self.condition_of(arguments, "account_condition"))
        cor_ok = Memo(self.condition_of(arguments, "cor_account_condition"))
        kinds = self.kinds(arguments, "ext_dimensions")
        cor_kinds = self.kinds(arguments, "cor_ext_dimensions")
        condition = self.condition_of(arguments, "condition")
        own = 2 + len(self.meta.dimensions)
        for (raw, cell), total in groups.items():
            if not account_ok(raw[0]) or (self.with_other and not cor_ok(raw[own])):
                continue
            view = self.side_view(raw, kinds)
            if view is not None and self.with_other:
                other = self.side_view(raw[own:], cor_kinds, other=True)
                view = None if other is None else view + other
            if view is None:
                continue
            values = tuple(view)
            if condition is None or condition(values):
                yield values, cell, total

    def side_view(self, raw: Sequence[Any], kinds: Sequence[Any] | None, other: bool = False) -> list[Any] | None:
        ext = by_position(raw[1], self.width) if kinds is None else by_kinds(raw[1], kinds, self.width)
        if ext is None:
            return None
        dimensions = [raw[2 + place] for place, item in enumerate(self.meta.dimensions) if not other or not item.balance]
        return [raw[0], *ext, *dimensions]

    def condition_of(self, arguments: Sequence[Any], kind: str) -> RowPredicate | None:
        return self.condition(arguments, self.parameter(kind))

    def kinds(self, arguments: Sequence[Any], kind: str) -> Sequence[Any] | None:
        """The kinds of ext. dimensions asked for: one reference or a collection of them."""
        number = self.parameter(kind)
        value = self.argument(arguments, number)
        if value is None:
            return None
        items = list(listed(value, number))
        return items or None

    # -- groups → rows -----------------------------------------------------------------------------------------------------

    def view_used(self, used: frozenset[str]) -> list[int]:
        return [place for place, info in enumerate(self.view) if info.name.lower() in used]

    def narrowed(self, values: Row, places: Sequence[int], shown: dict[Row, Row]) -> Row:
        """The key of ``values`` at the used ``places``; ``shown`` remembers the first spelling of folded keys."""
        picked = tuple([values[place] for place in places])
        return shown.setdefault(fold_key(picked), picked) if self.folding else picked

    def spread_view(self, places: Sequence[int], key: Row) -> list[Any]:
        row: list[Any] = [None] * len(self.view)
        for place, value in zip(places, key, strict=True):
            row[place] = value
        return row


class Memo:
    """Asks a condition on an account once per account."""

    def __init__(self, condition: RowPredicate | None) -> None:
        self.condition = condition
        self.known: dict[Any, bool] = {}

    def __call__(self, account: Any) -> bool:
        if self.condition is None:
            return True
        verdict = self.known.get(account)
        if verdict is None:
            verdict = self.known[account] = bool(self.condition((account, account)))
        return verdict


def listed(value: Any, parameter: int) -> Iterable[Any]:
    """The references of a list-like argument (array, list of values, Python sequence) or the one reference itself."""
    if isinstance(value, Reference):
        return [value]
    items = value if isinstance(value, list | tuple) else getattr(value, "items", None)
    if not isinstance(items, list | tuple):
        raise ArgumentError(parameter)
    return [item if isinstance(item, Reference) else getattr(item, "value", item) for item in items]


class Balance:
    """Sums of one output key: debit and credit per resource, the split balances, and the kinds of its accounts."""

    __slots__ = ("credit", "debit", "kinds", "split")

    def __init__(self, count: int) -> None:
        self.debit: list[Any] = [0] * count
        self.credit: list[Any] = [0] * count
        self.split: dict[Any, list[Any]] = {}
        self.kinds: set[Any] = set()

    def add(self, detail: Any, account: Any, total: list[Any]) -> None:
        self.kinds.add(account_kind(account))
        parts = self.split.get(detail)
        if parts is None:
            parts = self.split[detail] = [0] * len(self.debit)
        for number in range(len(self.debit)):
            debit, credit = total[4 * number], total[4 * number + 1]
            self.debit[number] += debit
            self.credit[number] += credit
            parts[number] += debit - credit

    def measures(self, number: int) -> tuple[Any, ...]:
        """Остаток, ОстатокДт, ОстатокКт, РазвернутыйОстатокДт, РазвернутыйОстатокКт of one resource."""
        whole = self.debit[number] - self.credit[number]
        kind = next(iter(self.kinds)) if len(self.kinds) == 1 else ACTIVE_PASSIVE
        debit, credit = by_account_kind(whole, kind)
        parts = [part[number] for part in self.split.values()]
        return (
            whole,
            debit,
            credit,
            sum(part for part in parts if part > 0),
            -sum(part for part in parts if part < 0),
        )


def account_kind(account: Any) -> Any:
    if account is None or account.row is None:
        return ACTIVE_PASSIVE
    return account.row[account.table.meta.positions["вид"]]


def by_account_kind(balance: Any, kind: Any) -> tuple[Any, Any]:
    """(debit, credit) balance: an active account's is debit whatever its sign, a passive one's credit."""
    if kind is ACTIVE:
        return balance, 0
    if kind is PASSIVE:
        return 0, -balance
    return (balance, 0) if balance > 0 else (0, -balance)


class AccountBalances(AccountTable):
    """Остатки(Период, УсловиеСчета, Субконто, Условие)."""

    suffix = "Остатки"
    operation = "balances"
    parameters = (PERIOD, ACCOUNT, EXT, CONDITION)

    def measure_fields(self) -> list[FieldInfo]:
        return resource_infos(self.meta.resources, BALANCE)

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        rows = self.table.between(None, self.bound(arguments, 0, inclusive=False))
        places = self.view_used(used)
        shown: dict[Row, Row] = {}
        found: dict[Row, Balance] = {}
        count = len(self.meta.resources)
        for values, _, total in self.viewed(self.entries(rows, None), arguments):
            key = self.narrowed(values, places, shown)
            if key not in found:
                found[key] = Balance(count)
            found[key].add(values, values[0], total)
        tested = self.used_resources(used, [suffix for suffix, _ in BALANCE])
        split = any("развернутыйостаток" in name for name in used)
        for key, balance in found.items():
            measures = [balance.measures(number) for number in range(count)]
            if any(any(measures[number][: 5 if split else 3]) for number in tested):
                yield (*self.spread_view(places, key), *[value for part in measures for value in part])


class AccountTurnovers(AccountTable):
    """Обороты(НачалоПериода, КонецПериода, Периодичность, УсловиеСчета, Субконто, Условие, УсловиеКорСчета,
    КорСубконто)."""

    suffix = "Обороты"
    operation = "turnovers"
    parameters = (START, END, FREQUENCY, ACCOUNT, EXT, CONDITION, COR_ACCOUNT, COR_EXT)
    with_other = True

    def measure_fields(self) -> list[FieldInfo]:
        result = []
        for item in self.meta.resources:
            result += resource_infos([item], TURNOVER)
            if item in self.layout.signed:
                result += resource_infos([item], COR_TURNOVER)
        return result

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        rows = self.table.between(self.bound(arguments, 0, inclusive=True), self.bound(arguments, 1, inclusive=True))
        grain = grain_of(self.periodicity, used, self.places)
        places = self.view_used(used)
        shown: dict[Row, Row] = {}
        found: Groups = {}
        for values, cell, total in self.viewed(self.entries(rows, grain), arguments):
            key = (self.narrowed(values, places, shown), cell)
            known = found.get(key)
            if known is None:
                found[key] = list(total)
            else:
                for number, value in enumerate(total):
                    known[number] += value
        for (key, cell), total in found.items():
            yield (*grain.cells(cell), *self.spread_view(places, key), *self.measures(total))

    def measures(self, total: list[Any]) -> list[Any]:
        result: list[Any] = []
        for number, item in enumerate(self.meta.resources):
            debit, credit, other_debit, other_credit = total[4 * number : 4 * number + 4]
            result += (debit - credit, debit, credit)
            if item in self.layout.signed:
                result += (other_debit - other_credit, other_debit, other_credit)
        return result


class AccountBalancesAndTurnovers(AccountTable):
    """ОстаткиИОбороты(НачалоПериода, КонецПериода, Периодичность, МетодДополнения, УсловиеСчета, Субконто, Условие)."""

    suffix = "ОстаткиИОбороты"
    operation = "balances_and_turnovers"
    parameters = (START, END, FREQUENCY, FILL, ACCOUNT, EXT, CONDITION)

    def measure_fields(self) -> list[FieldInfo]:
        return resource_infos(self.meta.resources, (*OPENING, *TURNOVER, *CLOSING))

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        lower = self.bound(arguments, 0, inclusive=True)
        upper = self.bound(arguments, 1, inclusive=True)
        grain = grain_of(self.periodicity, used, self.places)
        before = [] if lower is None else self.table.between(None, opposite(lower))
        places = self.view_used(used)
        shown: dict[Row, Row] = {}
        runs: dict[Row, Run] = {}
        for values, _, total in self.viewed(self.entries(before, None), arguments):
            self.run_of(runs, values, places, shown).opening.append((values, total))
        for values, cell, total in self.viewed(self.entries(self.table.between(lower, upper), grain), arguments):
            self.run_of(runs, values, places, shown).cells.setdefault(cell, []).append((values, total))
        ends = [bound.date for bound in (lower, upper) if bound is not None]
        for key, run in runs.items():
            if grain.cuts and self.boundaries:
                for end in ends:
                    run.cells.setdefault(grain.boundary(end), [])
            shown_key = self.spread_view(places, key)
            for cell, measures in run.rows(len(self.meta.resources), grain):
                yield (*grain.cells(cell), *shown_key, *measures)

    def run_of(self, runs: dict[Row, Run], values: Row, places: Sequence[int], shown: dict[Row, Row]) -> Run:
        key = self.narrowed(values, places, shown)
        if key not in runs:
            runs[key] = Run()
        return runs[key]


class Run:
    """One output key in time: opening entries and the entries of each cell."""

    def __init__(self) -> None:
        self.opening: list[tuple[Row, list[Any]]] = []
        self.cells: dict[Any, list[tuple[Row, list[Any]]]] = {}

    def rows(self, count: int, grain: Grain) -> Iterator[tuple[Any, list[Any]]]:
        balance = Balance(count)
        for values, total in self.opening:
            balance.add(values, values[0], total)
        if not self.cells and not grain.cuts:
            self.cells = {None: []}
        for cell in sorted(self.cells, key=grain.order):
            opening = [balance.measures(number) for number in range(count)]
            turnover = [0] * (2 * count)
            for values, total in self.cells[cell]:
                balance.add(values, values[0], total)
                for number in range(count):
                    turnover[2 * number] += total[4 * number]
                    turnover[2 * number + 1] += total[4 * number + 1]
            result: list[Any] = []
            for number in range(count):
                debit, credit = turnover[2 * number], turnover[2 * number + 1]
                result += (*opening[number], debit - credit, debit, credit, *balance.measures(number))
            if any(result):
                yield cell, result
