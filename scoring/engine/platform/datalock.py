"""``БлокировкаДанных``: one session runs alone, so that locking always succeeds; what is locked must exist all the same."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.metadata.system_enums import SYSTEM_ENUM
from scoring.engine.platform.collections import database_of
from scoring.engine.platform.faults import bad_value
from scoring.engine.values.members import ONEC, constructor, member, prop
from scoring.engine.values.model import MISSING, BslObject

LOCK_MODE = SYSTEM_ENUM["режимблокировкиданных"]
RECORD_SETS = frozenset({"наборзаписей", "recordset"})


def locked_object(rt: Any, space: str) -> MetadataObject | None:
    """What a name of a space of locks stands for: ``РегистрНакопления.X``, ``РегистрНакопления.X.НаборЗаписей``."""
    path, dot, last = space.rpartition(".")
    return database_of(rt, "БлокировкаДанных").configuration.find_path(path if dot and last.lower() in RECORD_SETS else space)


class DataLock(BslObject):
    type_name = ("БлокировкаДанных", "DataLock")

    def __init__(self) -> None:
        self.items: list[DataLockItem] = []

    @member("Добавить", "Add")
    def add(self, rt: Any, space: Any = MISSING) -> DataLockItem:
        item = DataLockItem()
        if space is not MISSING:
            item.assign_space(rt, space)
        self.items.append(item)
        return item

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.items)

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Any) -> None:
        self.items.clear()

    @member("Заблокировать", "Lock", procedure=True)
    def lock(self, rt: Any) -> None:
        return None

    def is_filled(self, rt: Any) -> bool:
        return True


class DataLockItem(BslObject):
    type_name = ("ЭлементБлокировкиДанных", "DataLockItem")

    def __init__(self) -> None:
        self.space = ""
        self.meta: MetadataObject | None = None
        self.mode: Any = LOCK_MODE["Исключительный"]
        self.source: Any = None

    def assign_space(self, rt: Any, value: Any) -> None:
        self.space = rt.text(value)
        self.meta = locked_object(rt, self.space)
        if self.meta is None:
            raise bad_value(1)

    def _set_mode(self, rt: Any, value: Any) -> None:
        if value not in LOCK_MODE.values:
            raise BslRuntimeError("property_value", name="Режим")
        self.mode = value

    def _set_source(self, rt: Any, value: Any) -> None:
        self.source = value

    @prop("Режим", "Mode", writable=_set_mode)
    def get_mode(self, rt: Any) -> Any:
        return self.mode

    @prop("Область", "Region", writable=assign_space)
    def get_space(self, rt: Any) -> str:
        return self.space

    @prop("ИсточникДанных", "DataSource", writable=_set_source)
    def get_source(self, rt: Any) -> Any:
        return self.source

    def _check_field(self, rt: Any, name: Any) -> None:
        if self.meta is not None and rt.text(name).lower() not in self.meta.positions:
            raise bad_value(1)

    @member("УстановитьЗначение", "SetValue", procedure=True)
    def set_value(self, rt: Any, name: Any, value: Any) -> None:
        self._check_field(rt, name)

    @member("ИспользоватьИзИсточникаДанных", "UseFromDataSource", procedure=True)
    def use_from_source(self, rt: Any, name: Any, column: Any = MISSING) -> None:
        self._check_field(rt, name)


@constructor("БлокировкаДанных", "DataLock", dialects=(ONEC,))
def new_data_lock(rt: Any) -> DataLock:
    return DataLock()
