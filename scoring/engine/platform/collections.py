"""Properties of the global context that lead to managers: ``Справочники``, ``РегистрыНакопления``, ``Константы`` …"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scoring.engine.errors import NotSupported
from scoring.engine.metadata.kinds import EMPTY_COLLECTIONS, KINDS, Kind, Names
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform.constants import ConstantManager, constants_set
from scoring.engine.platform.faults import no_field, read_only
from scoring.engine.platform.managers import REFERENCE_MANAGERS, Manager
from scoring.engine.platform.registermanagers import REGISTER_MANAGERS
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Reference
from scoring.engine.values.members import ONEC, global_property, member
from scoring.engine.values.model import MISSING, BslObject

MANAGERS: dict[str, type[Manager]] = {
    **REFERENCE_MANAGERS,
    **REGISTER_MANAGERS,
    "constant": ConstantManager,
}


def manager_of(database: Database, meta: MetadataObject) -> Manager:
    """The manager of a metadata object; the same one every time."""
    managers = database.managers
    if meta.path not in managers:
        managers[meta.path] = MANAGERS[meta.kind.key](database, meta)
    return managers[meta.path]  # type: ignore[no-any-return]


class ManagerCollection(BslObject):
    """All managers of one kind: by property, by name in brackets, in a walk."""

    def __init__(self, database: Database, kind: Kind) -> None:
        self.database = database
        self.kind = kind

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return f"{self.kind.collection[0]}Менеджер", f"{self.kind.collection[1]}Manager"

    def is_filled(self, rt: Any) -> bool:
        return True

    def get_property(self, rt: Any, name: str) -> Any:
        meta = self.database.configuration.find(self.kind.key, name)
        if meta is None:
            raise no_field(self, name)
        return manager_of(self.database, meta)

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        self.get_property(rt, name)
        raise read_only(self, name)

    def get_index(self, rt: Any, index: Any) -> Any:
        if isinstance(index, str):
            return self.get_property(rt, index)
        return super().get_index(rt, index)

    def iterate(self, rt: Any) -> Iterator[Any]:
        metas = self.database.configuration.of_kind(self.kind.key)
        return iter([manager_of(self.database, meta) for meta in metas])


class ReferenceCollection(ManagerCollection):
    """``ТипВсеСсылки`` beside the managers."""

    @member("ТипВсеСсылки", "AllRefsType")
    def all_refs_type(self, rt: Any) -> Any:
        from scoring.engine.metadata.types import TypeDescription
        from scoring.engine.platform.typevalues import description_value

        metas = self.database.configuration.of_kind(self.kind.key)
        return description_value(TypeDescription(tuple(meta.ref_names for meta in metas)))


class ConstantCollection(ManagerCollection):
    @member("СоздатьНабор", "CreateSet")
    def create_set(self, rt: Any, names: Any = MISSING) -> Any:
        return constants_set(rt, self.database, names)


# No specification declares any, so that naming one finds no field.
SESSION_PARAMETERS: Names = ("ПараметрыСеанса", "SessionParameters")


class EmptyCollection(BslObject):
    """Managers of a kind that no specification declares: nothing is found."""

    def __init__(self, names: Names) -> None:
        self.names = names

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return f"{self.names[0]}Менеджер", f"{self.names[1]}Manager"

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter(())

    def get_index(self, rt: Any, index: Any) -> Any:
        if isinstance(index, str):
            raise no_field(self, index)
        return super().get_index(rt, index)


def database_of(rt: Any, name: str) -> Database:
    """The run's database; raises NotSupported in a run of the bare language."""
    if rt.database is None:
        raise NotSupported(f"{name} без базы данных")
    return rt.database  # type: ignore[no-any-return]


def _collection_class(kind: Kind) -> type[ManagerCollection]:
    if kind.key == "constant":
        return ConstantCollection
    return ReferenceCollection if kind.has_references else ManagerCollection


def _kind_getter(kind: Kind) -> Callable[[Any], Any]:
    cls = _collection_class(kind)

    def get(rt: Any) -> Any:
        database = database_of(rt, kind.collection[0])
        key = kind.collection[0]
        if key not in database.managers:
            database.managers[key] = cls(database, kind)
        return database.managers[key]

    return get


def _register() -> None:
    for kind in KINDS:
        global_property(*kind.collection, dialects=(ONEC,))(_kind_getter(kind))
    for names in (*EMPTY_COLLECTIONS, SESSION_PARAMETERS):
        empty = EmptyCollection(names)
        global_property(*names, dialects=(ONEC,))(lambda rt, empty=empty: empty)


_register()


def manager_by_reference(ref: Reference) -> Manager:
    """The manager of a reference's kind."""
    return manager_of(ref.table.database, ref.table.meta)
