"""Virtual tables of accounting registers that show entries: ОборотыДтКт, ДвиженияССубконто, and the table Субконто."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoring.engine.metadata.standard import ACCOUNTING_RECORD_TYPE
from scoring.engine.metadata.system_enums import CREDIT, DEBIT
from scoring.engine.metadata.types import DATE_TYPE, TypeDescription
from scoring.engine.registers.accounting import Memo, listed
from scoring.engine.registers.computed import (
    CONDITION,
    END,
    FREQUENCY,
    START,
    ComputedTable,
    fold_key,
    needs_folding,
    total_type,
)
from scoring.engine.registers.layout import (
    SIDES,
    Layout,
    account_types,
    by_kinds,
    by_position,
    ext_infos,
    ext_types,
    kind_types,
)
from scoring.engine.registers.periods import LINE_TYPE, grain_of
from scoring.engine.storage.database import Database, StoredRelation, field_infos
from scoring.engine.storage.references import Row
from scoring.engine.storage.registertables import RegisterTable
from scoring.engine.storage.relations import FieldInfo, VirtualParameter
from scoring.engine.values.model import NULL

DEBIT_ACCOUNT = VirtualParameter("УсловиеСчетаДт", "debit_account_condition")
DEBIT_EXT = VirtualParameter("СубконтоДт", "debit_ext_dimensions")
CREDIT_ACCOUNT = VirtualParameter("УсловиеСчетаКт", "credit_account_condition")
CREDIT_EXT = VirtualParameter("СубконтоКт", "credit_ext_dimensions")
ORDER = VirtualParameter("Порядок", "order")
TOP = VirtualParameter("Первые", "top")


class DebitCreditTurnovers(ComputedTable):
    """ОборотыДтКт(НачалоПериода, КонецПериода, Периодичность, УсловиеСчетаДт, СубконтоДт, УсловиеСчетаКт, СубконтоКт,
    Условие)."""

    suffix = "ОборотыДтКт"
    operation = "turnovers"
    parameters: Sequence[VirtualParameter] = (
        START, END, FREQUENCY, DEBIT_ACCOUNT, DEBIT_EXT, CREDIT_ACCOUNT, CREDIT_EXT, CONDITION,
    )  # fmt: skip

    def __init__(self, table: RegisterTable, periodicity: str = "", boundaries: bool = True) -> None:
        self.layout = Layout(table.meta)
        self.width = table.meta.max_ext_dimensions
        self.parameters = [item for item in type(self).parameters if self.width or "ext_dimensions" not in item.kind]
        super().__init__(table, periodicity, boundaries)
        self.folding = any(needs_folding(info.types) for info in self.view)

    def own_fields(self) -> list[FieldInfo]:
        accounts = account_types(self.database, self.meta)
        self.view: list[FieldInfo] = []
        for russian, english in SIDES:
            self.view.append(FieldInfo(f"Счет{russian}", f"Account{english}", accounts, is_dimension=True))
            self.view += ext_infos(self.database, self.meta, (f"Субконто{russian}", f"ExtDimension{english}"))
        self.dimension_fields = [item for item in self.meta.fields if item.role == "dimension"]
        self.view += field_infos(self.dimension_fields)
        self.resource_fields = [item for item in self.meta.fields if item.role == "resource"]
        return [*self.view, *[self.measure(item) for item in self.resource_fields]]

    def measure(self, item: Any) -> FieldInfo:
        """``СуммаОборот``; of a resource by sides ``ВалютнаяСуммаОборотДт``, ``…ОборотКт``."""
        if item.balance:
            return FieldInfo(f"{item.name}Оборот", f"{item.english}Turnover", total_type(item.types))
        stem, english, side = item.name[:-2], item.english[:-2], item.name[-2:]
        return FieldInfo(f"{stem}Оборот{side}", f"{english}Turnover{item.english[-2:]}", total_type(item.types))

    def condition_fields(self, parameter: int) -> Sequence[FieldInfo]:
        kind = self.parameters[parameter].kind
        accounts = account_types(self.database, self.meta)
        if kind == "debit_account_condition":
            return [FieldInfo("СчетДт", "AccountDr", accounts, is_dimension=True)]
        if kind == "credit_account_condition":
            return [FieldInfo("СчетКт", "AccountCr", accounts, is_dimension=True)]
        return self.view

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterator[Row]:
        rows = self.table.between(self.bound(arguments, 0, inclusive=True), self.bound(arguments, 1, inclusive=True))
        grain = grain_of(self.periodicity, used, self.places)
        places = [place for place, info in enumerate(self.view) if info.name.lower() in used]
        resources = [self.meta.positions[item.name.lower()] for item in self.resource_fields]
        condition = self.condition(arguments, self.parameter("condition"))
        found: dict[tuple[Row, Any], list[Any]] = {}
        shown: dict[Row, Row] = {}
        for row, values in self.viewed(rows, arguments):
            if condition is not None and not condition(values):
                continue
            picked = tuple([values[place] for place in places])
            if self.folding:
                picked = shown.setdefault(fold_key(picked), picked)
            total = found.setdefault((picked, grain.key(row)), [0] * len(resources))
            for number, place in enumerate(resources):
                total[number] += row[place] or 0
        for (key, cell), total in found.items():
            view: list[Any] = [None] * len(self.view)
            for place, value in zip(places, key, strict=True):
                view[place] = value
            yield (*grain.cells(cell), *view, *total)

    def viewed(self, rows: Iterable[Row], arguments: Sequence[Any]) -> Iterator[tuple[Row, Row]]:
        checks = [Memo(self.condition(arguments, self.parameter(f"{side}_account_condition"))) for side in ("debit", "credit")]
        kinds = [self.kinds(arguments, f"{side}_ext_dimensions") for side in ("debit", "credit")]
        sides = self.layout.sides
        dimensions = [self.meta.positions[item.name.lower()] for item in self.dimension_fields]
        for row in rows:
            view: list[Any] = []
            for side, check, wanted in zip(sides, checks, kinds, strict=True):
                if not check(row[side.account]):
                    break
                ext = row[side.ext]
                values = by_position(ext, self.width) if wanted is None else by_kinds(ext, wanted, self.width)
                if values is None:
                    break
                view += (row[side.account], *values)
            else:
                yield row, (*view, *[row[place] for place in dimensions])

    def kinds(self, arguments: Sequence[Any], kind: str) -> Sequence[Any] | None:
        number = self.parameter(kind)
        value = self.argument(arguments, number)
        return None if value is None else list(listed(value, number)) or None


class RecordsWithExtDimensions(ComputedTable):
    """ДвиженияССубконто(НачалоПериода, КонецПериода, Условие, Порядок, Первые): the records with their ext. dimensions.

    ``Порядок`` arrives as a function of a row that gives a sort key (or None), ``Первые`` as a number.
    """

    suffix = "ДвиженияССубконто"
    operation = "records_with_ext_dimensions"
    parameters = (START, END, CONDITION, ORDER, TOP)

    def __init__(self, table: RegisterTable, periodicity: str = "", boundaries: bool = True) -> None:
        self.layout = Layout(table.meta)
        self.width = table.meta.max_ext_dimensions
        super().__init__(table, periodicity, boundaries)

    def own_fields(self) -> list[FieldInfo]:
        fields = field_infos(self.meta.fields)
        fields = [FieldInfo(info.name, info.english, info.types) for info in fields]
        sides = SIDES if self.meta.correspondence else (("", ""),)
        types, kinds = ext_types(self.database, self.meta), kind_types(self.database, self.meta)
        for russian, english in sides:
            for number in range(1, self.width + 1):
                fields.append(FieldInfo(f"Субконто{russian}{number}", f"ExtDimension{english}{number}", types))
                fields.append(FieldInfo(f"ВидСубконто{russian}{number}", f"ExtDimensionType{english}{number}", kinds))
        return fields

    def condition_fields(self, parameter: int) -> Sequence[FieldInfo]:
        return self.fields

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterable[Row]:
        source = self.table.between(
            self.bound(arguments, 0, inclusive=True), self.bound(arguments, 1, inclusive=True), active_only=False
        )
        condition = self.condition(arguments, 2)
        rows = [self.widened(row) for row in source]
        if condition is not None:
            rows = [row for row in rows if condition(row)]
        order, top = self.argument(arguments, 3), self.argument(arguments, 4)
        if callable(order):
            rows.sort(key=order)
        return rows[: int(top)] if top is not None else rows

    def widened(self, row: Row) -> Row:
        plain = len(self.meta.fields)
        extra: list[Any] = []
        for ext in row[plain:]:
            for number in range(self.width):
                kind, value = ext[number] if number < len(ext) else (NULL, NULL)
                extra += (value, kind)
        return (*row[:plain], *extra)


def ext_dimension_relation(database: Database, table: RegisterTable) -> StoredRelation:
    """``РегистрБухгалтерии.X.Субконто``: one row for every ext. dimension of every record."""
    meta = table.meta
    fields = [
        FieldInfo("Период", "Period", DATE_TYPE),
        FieldInfo("Регистратор", "Recorder", TypeDescription(meta.recorders)),
        FieldInfo("НомерСтроки", "LineNumber", LINE_TYPE),
        FieldInfo("ВидДвижения", "RecordType", TypeDescription((ACCOUNTING_RECORD_TYPE,))),
        FieldInfo("Вид", "Kind", kind_types(database, meta)),
        FieldInfo("Значение", "Value", ext_types(database, meta)),
    ]
    layout = Layout(meta)

    def rows() -> Iterator[Row]:
        for row in table.rows():
            for side, ext in enumerate(row[len(meta.fields) :]):
                kind = (CREDIT if side else DEBIT) if layout.kind < 0 else row[layout.kind]
                for ext_kind, value in ext:
                    yield (row[table.period], row[table.recorder], row[table.line], kind, ext_kind, value)

    return StoredRelation(f"{table.path}.Субконто", fields, table, rows)
