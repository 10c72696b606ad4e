"""Record sets of registers: filled in memory, written in the place of the records that their filter selects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from scoring.engine.collections import new_structure
from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import Field, MetadataObject
from scoring.engine.metadata.system_enums import CREDIT, DEBIT, EXPENSE, RECEIPT
from scoring.engine.platform.extdimensions import AccountingRow, ext_in_order
from scoring.engine.platform.faults import context_error
from scoring.engine.platform.filters import Filter
from scoring.engine.platform.objects import DataExchange
from scoring.engine.platform.rows import LINE_NUMBER, TypedRow, TypedRows
from scoring.engine.registers.periods import TRUNCATE
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Reference, Row, folded
from scoring.engine.storage.registertables import IndependentTable, RecordedTable, RegisterTable
from scoring.engine.values.members import member, prop
from scoring.engine.values.model import EMPTY_DATE, MISSING

DUPLICATE = "Запись с такими ключевыми полями существует!"


def record_fields(meta: MetadataObject) -> tuple[Field, ...]:
    """The fields of a record in the language, without its number."""
    return tuple(item for item in meta.fields if item.name.lower() not in LINE_NUMBER)


def filter_fields(meta: MetadataObject) -> list[Field]:
    """What a record set can be selected by: the recorder, or period and dimensions."""
    if meta.subordinate:
        return [item for item in meta.fields if item.name == "Регистратор"]
    return [item for item in meta.fields if item.name == "Период"] + list(meta.dimensions)


def cut_period(meta: MetadataObject, period: datetime) -> datetime:
    """A period as an information register of this periodicity keeps it."""
    cut = TRUNCATE.get(meta.periodicity)
    return cut(period) if cut else period


class RecordSet(TypedRows):
    """What sets of all registers share. ``write_flag`` is the property ``Записывать`` of a document's sets."""

    def __init__(self, rt: Any, database: Database, table: RegisterTable) -> None:
        meta = table.meta
        self.table = table
        self.meta = meta
        self.modified = False
        self.write_flag = False
        super().__init__(rt, database, record_fields(meta), meta.kind.type_names("Record", meta.name))
        self.filter = Filter(database, filter_fields(meta))
        self.extra = new_structure()
        self.exchange = DataExchange()
        active = self.slots.get("активность")
        if active is not None:
            self.defaults[active] = True

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.meta.kind.type_names("RecordSet", self.meta.name)

    def changed(self) -> None:
        self.modified = True

    def _set_write_flag(self, rt: Any, value: Any) -> None:
        self.write_flag = rt.boolean(value)

    @prop("Отбор", "Filter")
    def get_filter(self, rt: Any) -> Filter:
        return self.filter

    @prop("Записывать", "Write", writable=_set_write_flag)
    def get_write_flag(self, rt: Any) -> bool:
        return self.write_flag

    @prop("ДополнительныеСвойства", "AdditionalProperties")
    def get_extra(self, rt: Any) -> Any:
        return self.extra

    @prop("ОбменДанными", "DataExchange")
    def get_exchange(self, rt: Any) -> Any:
        return self.exchange

    @prop("БлокироватьДляИзменения", "LockForUpdate", writable=lambda self, rt, value: None)
    def get_lock(self, rt: Any) -> bool:
        return False

    @member("Модифицированность", "Modified")
    def check_modified(self, rt: Any) -> bool:
        return self.modified

    @member("Выбран", "Selected")
    def check_selected(self, rt: Any) -> bool:
        return bool(self.items)

    @member("ПроверитьЗаполнение", "CheckFilling")
    def check_filling(self, rt: Any) -> bool:
        return True

    @member("Метаданные", "Metadata")
    def metadata(self, rt: Any) -> Any:
        from scoring.engine.platform.metadatatree import metadata_of

        return metadata_of(self.database, self.meta)

    # -- between rows of the set and rows of storage -------------------------------------------------------------------------

    def take(self, rows: Iterable[Row]) -> None:
        """Fill the set with stored rows."""
        places = [place for place, item in enumerate(self.meta.fields) if item.name.lower() not in LINE_NUMBER]
        self.load_rows([[row[place] for place in places] for row in rows])
        self.modified = False

    def stored(self, row: TypedRow, number: int) -> list[Any]:
        """A row as storage keeps it."""
        cells = iter(row.cells)
        return [number if item.name.lower() in LINE_NUMBER else next(cells) for item in self.meta.fields]


class RecorderSet(RecordSet):
    """A set written by a document."""

    def new_row(self) -> TypedRow:
        row = super().new_row()
        recorder = self.slots.get("регистратор")
        if recorder is not None and self.recorder() is not None:
            row.cells[recorder] = self.recorder()
        return row

    def recorder(self) -> Any:
        item = self.filter.items[0]
        return item.value if item.use else None

    @member("Прочитать", "Read", procedure=True)
    def read(self, rt: Any) -> None:
        table: RecordedTable = self.table  # type: ignore[assignment]
        recorder = self.recorder()
        self.database.count_access("record_set", self.table.path)
        self.take(table.of_recorder(recorder) if recorder is not None else self.table.rows())

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any, replace: Any = MISSING) -> None:
        recorder = self.recorder()
        if not isinstance(recorder, Reference) or recorder.is_empty():
            raise context_error("Записать", 'Не задано значение отбора "Регистратор"')
        self.write_for(recorder, replace is MISSING or rt.boolean(replace))

    def write_for(self, recorder: Reference, replace: bool = True) -> None:
        """Make the set the recorder's records (or add it to them)."""
        self.database.check_transaction()
        table: RecordedTable = self.table  # type: ignore[assignment]
        before = () if replace else table.of_recorder(recorder)
        rows = tuple(tuple(self.completed(row, number, recorder)) for number, row in enumerate(self.items, len(before) + 1))
        self.check_unique(rows, recorder)
        table.replace(recorder, (*before, *rows))
        self.database.count_access("write", table.path)
        self.modified = False

    def completed(self, row: TypedRow, number: int, recorder: Reference) -> list[Any]:
        values = self.stored(row, number)
        table = self.table
        values[table.recorder] = recorder
        if table.period >= 0:
            if values[table.period] == EMPTY_DATE:
                raise context_error("Записать", 'Не заполнено поле "Период"')
            values[table.period] = cut_period(self.meta, values[table.period])
        return values

    def check_unique(self, rows: Sequence[Row], recorder: Reference) -> None:
        """Records of an information register are unique by period and dimensions, whoever wrote them."""
        if self.meta.kind.key != "information" or self.meta.periodicity == "RecorderPosition":
            return
        places = [place for place in (self.table.period, *self.table.dimension_places) if place >= 0]
        seen = {
            tuple([folded(row[place]) for place in places])
            for row in self.table.rows()
            if row[self.table.recorder] is not recorder
        }
        refuse_duplicates(self.database, rows, places, seen)

    @member("УстановитьАктивность", "SetActive", procedure=True)
    def set_active(self, rt: Any, active: Any) -> None:
        flag, slot = rt.boolean(active), self.slots["активность"]
        for row in self.items:
            row.cells[slot] = flag
        self.changed()


def refuse_duplicates(database: Database, rows: Iterable[Row], places: Sequence[int], seen: set[tuple[Any, ...]]) -> None:
    for row in rows:
        key = tuple([folded(row[place]) for place in places])
        if key in seen:
            database.transactions.fail()
            raise context_error("Записать", DUPLICATE)
        seen.add(key)


class AccumulationSet(RecorderSet):
    """Records of an accumulation register with balances."""

    def _new_of(self, kind: Any) -> TypedRow:
        row = self.new_row()
        row.cells[self.slots["виддвижения"]] = kind
        return row

    @member("ДобавитьПриход", "AddReceipt")
    def add_receipt(self, rt: Any) -> TypedRow:
        return self._new_of(RECEIPT)

    @member("ДобавитьРасход", "AddExpense")
    def add_expense(self, rt: Any) -> TypedRow:
        return self._new_of(EXPENSE)


class AccountingSet(RecorderSet):
    """Records of an accounting register; rows carry their ext. dimensions beside the fields."""

    def make_row(self, cells: list[Any]) -> TypedRow:
        return AccountingRow(self, cells)

    def take(self, rows: Iterable[Row]) -> None:
        rows = list(rows)
        super().take(rows)
        count = len(self.meta.fields)
        self.items[:] = [AccountingRow(self, plain.cells, row[count:]) for plain, row in zip(self.items, rows, strict=True)]

    def completed(self, row: TypedRow, number: int, recorder: Reference) -> list[Any]:
        values = super().completed(row, number, recorder)
        assert isinstance(row, AccountingRow)
        accounts = ("счетдт", "счеткт") if self.meta.correspondence else ("счет",)
        for name, ext in zip(accounts, row.ext, strict=True):
            values.append(ext_in_order(row.cells[self.slots[name]], ext.values))
        return values


class SingleEntrySet(AccountingSet):
    """Records of an accounting register without correspondence."""

    def _new_of(self, kind: Any) -> TypedRow:
        row = self.new_row()
        row.cells[self.slots["виддвижения"]] = kind
        return row

    @member("ДобавитьДебет", "AddDebit")
    def add_debit(self, rt: Any) -> TypedRow:
        return self._new_of(DEBIT)

    @member("ДобавитьКредит", "AddCredit")
    def add_credit(self, rt: Any) -> TypedRow:
        return self._new_of(CREDIT)


class IndependentSet(RecordSet):
    """Records of an independent information register."""

    numbered = False

    @member("Прочитать", "Read", procedure=True)
    def read(self, rt: Any) -> None:
        self.database.count_access("record_set", self.table.path)
        self.take([row for row in self.table.rows() if self.selects(row)])

    def selects(self, row: Sequence[Any]) -> bool:
        positions = self.meta.positions
        return all(folded(row[positions[item.field.name.lower()]]) == folded(self.wanted(item)) for item in self.filter.used())

    def wanted(self, item: Any) -> Any:
        return cut_period(self.meta, item.value) if item.field.name == "Период" else item.value

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any, replace: Any = MISSING) -> None:
        self.database.check_transaction()
        table: IndependentTable = self.table  # type: ignore[assignment]
        rows = [tuple(self.completed(row)) for row in self.items]
        for row in rows:
            if not self.selects(row):
                raise context_error("Записать", "Значение поля записи не соответствует отбору набора записей")
        replacing = replace is MISSING or rt.boolean(replace)
        kept = [row for row in table.rows() if not (replacing and self.selects(row))]
        refuse_duplicates(self.database, rows, table.key_places, {table.key(row) for row in kept})
        table.replace_all(kept, rows)
        self.database.count_access("write", table.path)
        self.modified = False

    def completed(self, row: TypedRow) -> list[Any]:
        values = self.stored(row, 0)
        period = self.table.period
        if period >= 0:
            values[period] = cut_period(self.meta, values[period])
        return values


def record_set(rt: Any, database: Database, meta: MetadataObject) -> RecordSet:
    """An empty record set of a register."""
    table = database.registers[meta.path]
    if isinstance(table, IndependentTable):
        return IndependentSet(rt, database, table)
    if meta.kind.key == "accounting":
        return (AccountingSet if meta.correspondence else SingleEntrySet)(rt, database, table)
    if meta.kind.key == "accumulation" and meta.is_balance:
        return AccumulationSet(rt, database, table)
    return RecorderSet(rt, database, table)
