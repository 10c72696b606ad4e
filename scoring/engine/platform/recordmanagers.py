"""Record managers of independent information registers: one record, found by its key."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform.extdimensions import SIDES, SINGLE, ExtDimensions
from scoring.engine.platform.faults import context_error
from scoring.engine.platform.named import NamedFields
from scoring.engine.platform.recordsets import DUPLICATE, cut_period
from scoring.engine.platform.selections import Selection
from scoring.engine.storage.database import Database
from scoring.engine.storage.registertables import IndependentTable
from scoring.engine.values.members import member
from scoring.engine.values.model import MISSING, BslObject


class RecordManager(NamedFields):
    """``МенеджерЗаписи``; ``source`` is the key under which the record was read, None for a new one."""

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        self.database = database
        self.meta = meta
        self.table: IndependentTable = database.registers[meta.path]  # type: ignore[assignment]
        self.values: list[Any] = database.blank(meta)
        self.source: tuple[Any, ...] | None = None

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.meta.kind.type_names("RecordManager", self.meta.name)

    def get_property(self, rt: Any, name: str) -> Any:
        place = self.meta.positions.get(name.lower())
        return super().get_property(rt, name) if place is None else self.values[place]

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        place = self.meta.positions.get(name.lower())
        if place is None:
            super().set_property(rt, name, value)
            return
        self.values[place] = self.database.fit(self.meta.fields[place].types, value, rt)

    def property_names(self, rt: Any) -> list[str]:
        return [item.name for item in self.meta.fields]

    def row(self) -> tuple[Any, ...]:
        values = list(self.values)
        if self.table.period >= 0:
            values[self.table.period] = cut_period(self.meta, values[self.table.period])
        return tuple(values)

    @member("Прочитать", "Read", procedure=True)
    def read(self, rt: Any) -> None:
        key = self.table.key(self.row())
        found = self.table.by_key.get(key)
        self.database.count_access("record_set", self.table.path)
        self.source = None if found is None else key
        if found is not None:
            self.values = list(found)

    @member("Выбран", "Selected")
    def selected(self, rt: Any) -> bool:
        return self.source is not None

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any, replace: Any = MISSING) -> None:
        self.database.check_transaction()
        row = self.row()
        key = self.table.key(row)
        replacing = replace is MISSING or rt.boolean(replace)
        if not replacing and key in self.table.by_key and key != self.source:
            self.database.transactions.fail()
            raise context_error("Записать", DUPLICATE)
        if self.source is not None and self.source != key:
            self._remove(self.source)
        self.table.put(row)
        self.database.count_access("write", self.table.path)
        self.source = key

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Any) -> None:
        self.database.check_transaction()
        self._remove(self.source or self.table.key(self.row()))
        self.source = None

    def _remove(self, key: tuple[Any, ...]) -> None:
        table = self.table
        table.replace_all([row for known, row in table.by_key.items() if known != key], ())

    @member("Скопировать", "Copy")
    def copy(self, rt: Any) -> RecordManager:
        result = RecordManager(self.database, self.meta)
        result.values = list(self.values)
        return result

    @member("ПроверитьЗаполнение", "CheckFilling")
    def check_filling(self, rt: Any) -> bool:
        return True

    @member("Метаданные", "Metadata")
    def metadata(self, rt: Any) -> Any:
        from scoring.engine.platform.metadatatree import metadata_of

        return metadata_of(self.database, self.meta)


class RecordSelection(Selection):
    """A selection of records of an information register."""

    @member("ПолучитьМенеджерЗаписи", "GetRecordManager")
    def get_record_manager(self, rt: Any) -> Any:
        row = self.current
        if row is None or self.meta.subordinate:
            return None
        manager = RecordManager(self.database, self.meta)
        manager.values = list(row)
        manager.source = manager.table.key(row)
        return manager


class AccountingSelection(Selection):
    """A selection of records of an accounting register: fields and, by kind, the ext. dimensions of each side."""

    def get_property(self, rt: Any, name: str) -> Any:
        side = (SIDES if self.meta.correspondence else SINGLE).get(name.lower())
        if side is None or self.current is None:
            return super().get_property(rt, name)
        return ExtDimensions(self, dict(self.current[len(self.meta.fields) + side]))

    def changed(self) -> None:
        raise BslRuntimeError("index_read_only")


class RecordKey(BslObject):
    """``КлючЗаписи``: the key fields of one record, read-only, compared by content."""

    def __init__(self, meta: MetadataObject, values: dict[str, Any]) -> None:
        self.meta = meta
        self.values = values

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.meta.kind.type_names("RecordKey", self.meta.name)

    def get_property(self, rt: Any, name: str) -> Any:
        key = name.lower()
        return self.values[key] if key in self.values else super().get_property(rt, name)

    def same_value(self, other: Any) -> bool:
        return isinstance(other, RecordKey) and other.meta is self.meta and other.values == self.values

    def map_key(self) -> Any:
        return RecordKey, self.meta.path, tuple(self.values.items())

    @member("Пустой", "IsEmpty")
    def check_empty(self, rt: Any) -> bool:
        return not any(rt.boolean(value) if isinstance(value, bool) else bool(value) for value in self.values.values())
