"""``Константы``: managers of single constants, and sets of several."""

from __future__ import annotations

from typing import Any

from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform.faults import no_field
from scoring.engine.platform.managers import Manager
from scoring.engine.platform.named import NamedFields
from scoring.engine.storage.database import Database
from scoring.engine.values.members import member, prop
from scoring.engine.values.model import MISSING, BslObject


class ConstantManager(Manager):
    """``Константы.X``."""

    @member("Получить", "Get")
    def get(self, rt: Any) -> Any:
        self.database.count_access("constant", self.meta.path)
        return self.database.constants[self.meta.name]

    @member("Установить", "Set", procedure=True)
    def set(self, rt: Any, value: Any) -> None:
        write_constant(rt, self.database, self.meta, value)

    @member("СоздатьМенеджерЗначения", "CreateValueManager")
    def create_value_manager(self, rt: Any) -> Any:
        return ConstantValueManager(self.database, self.meta)


def write_constant(rt: Any, database: Database, meta: MetadataObject, value: Any) -> None:
    database.check_transaction()
    assert meta.value_type is not None
    database.count_access("write", meta.path)
    database.set_constant(meta.name, database.fit(meta.value_type, value, rt))


class ConstantValueManager(BslObject):
    """``КонстантаМенеджерЗначения``: one constant as an object."""

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        self.database = database
        self.meta = meta
        assert meta.value_type is not None
        self.value: Any = database.default(meta.value_type)

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.meta.kind.type_names("ValueManager", self.meta.name)

    def _assign(self, rt: Any, value: Any) -> None:
        assert self.meta.value_type is not None
        self.value = self.database.fit(self.meta.value_type, value, rt)

    @prop("Значение", "Value", writable=_assign)
    def get_value(self, rt: Any) -> Any:
        return self.value

    @member("Прочитать", "Read", procedure=True)
    def read(self, rt: Any) -> None:
        self.database.count_access("constant", self.meta.path)
        self.value = self.database.constants[self.meta.name]

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any) -> None:
        write_constant(rt, self.database, self.meta, self.value)


class ConstantsSet(NamedFields):
    """``КонстантыНабор``: several constants read and written together."""

    type_name = ("КонстантыНабор", "ConstantsSet")

    def __init__(self, database: Database, metas: list[MetadataObject]) -> None:
        self.database = database
        self.metas = {meta.name.lower(): meta for meta in metas}
        self.values = {key: database.default(meta.value_type) for key, meta in self.metas.items() if meta.value_type}

    def get_property(self, rt: Any, name: str) -> Any:
        if name.lower() not in self.values:
            raise no_field(self, name)
        return self.values[name.lower()]

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        meta = self.metas.get(name.lower())
        if meta is None or meta.value_type is None:
            raise no_field(self, name)
        self.values[name.lower()] = self.database.fit(meta.value_type, value, rt)

    @member("Прочитать", "Read", procedure=True)
    def read(self, rt: Any) -> None:
        self.database.count_access("constant")
        for key, meta in self.metas.items():
            self.values[key] = self.database.constants[meta.name]

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any) -> None:
        for key, meta in self.metas.items():
            write_constant(rt, self.database, meta, self.values[key])


def constants_set(rt: Any, database: Database, names: Any) -> ConstantsSet:
    """``Константы.СоздатьНабор(names)``: those named, or all."""
    if names is MISSING:
        return ConstantsSet(database, database.configuration.of_kind("constant"))
    metas = []
    for name in rt.text(names).split(","):
        meta = database.configuration.find("constant", name.strip())
        if meta is None:
            raise no_field(ConstantsSet(database, []), name.strip())
        metas.append(meta)
    return ConstantsSet(database, metas)
