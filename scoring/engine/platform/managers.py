"""Managers of objects with references: ``Справочники.X``, ``Документы.X``, ``Перечисления.X`` …"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from scoring.engine.collections import new_array
from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform import known_members
from scoring.engine.platform.faults import no_field, no_method, read_only, wrong_argument
from scoring.engine.platform.known_members import refuse_known
from scoring.engine.platform.lookup import (
    filtered,
    given,
    optional_reference,
    order_key,
    ordered,
    structure_filter,
)
from scoring.engine.platform.objects import create_object
from scoring.engine.platform.selections import (
    HierarchicalSelection,
    ObjectSelection,
    hierarchical_rows,
)
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Reference, Row, folded
from scoring.engine.values.members import member
from scoring.engine.values.model import EMPTY_DATE, MISSING, BslObject
from scoring.engine.values.uuid import Uuid


class Manager(BslObject):
    """A manager of one metadata object. ``lacking`` names methods that this very object does not have, ``unimplemented`` those
    that the platform's has and this engine's does not."""

    unimplemented: ClassVar[frozenset[str]] = known_members.names(known_members.REFERENCE_MANAGER)

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        self.database = database
        self.meta = meta

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.meta.kind.type_names("Manager", self.meta.name)

    def is_filled(self, rt: Any) -> bool:
        return True

    def lacking(self) -> frozenset[str]:
        return frozenset()

    def find_method(self, rt: Any, name: str) -> Any:
        key = name.lower()
        if key in self.lacking():
            raise no_method(self, name)
        if key not in self.bsl_methods:
            refuse_known(self.unimplemented, name, self.type_name[0])
        return super().find_method(rt, name)

    def get_index(self, rt: Any, index: Any) -> Any:
        if isinstance(index, str):
            return self.get_property(rt, index)
        return super().get_index(rt, index)


class ReferenceManager(Manager):
    """What managers of all kinds with references share; predefined items are properties."""

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        super().__init__(database, meta)
        self.table = database.references[meta.path]

    def get_property(self, rt: Any, name: str) -> Any:
        found = self.table.predefined.get(name.lower())
        if found is None:
            raise no_field(self, name)
        return found

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        self.get_property(rt, name)
        raise read_only(self, name)

    @member("ПустаяСсылка", "EmptyRef")
    def empty_ref(self, rt: Any) -> Reference:
        return self.table.empty


class ObjectManager(ReferenceManager):
    """Managers of kinds whose elements are written by programs."""

    @member("ПолучитьСсылку", "GetRef")
    def get_ref(self, rt: Any, identifier: Any = MISSING) -> Reference:
        if not given(identifier):
            return self.table.new_reference()
        if not isinstance(identifier, Uuid):
            raise wrong_argument(1)
        return self.table.by_uuid(uuid.UUID(identifier.text))

    @member("НайтиПоРеквизиту", "FindByAttribute")
    def find_by_attribute(self, rt: Any, name: Any, value: Any, parent: Any = MISSING, owner: Any = MISSING) -> Reference:
        place = self.meta.positions.get(rt.text(name).lower())
        if place is None:
            raise BslRuntimeError("argument_value", number=1)
        return self.found(self.table.index(place).get(folded(value), ()), parent, owner, 3)

    def found(self, candidates: Any, parent: Any, owner: Any, number: int) -> Reference:
        """The first candidate that fits; the empty reference if none does. One access."""
        self.database.count_access("find", self.meta.path)
        wanted_parent = optional_reference(parent, self.table, number)
        for ref in candidates:
            if wanted_parent is not None and self.table.parent(ref) is not wanted_parent:
                continue
            if given(owner) and ref.value(self.meta.positions.get("владелец", 0)) is not owner:
                continue
            return ref
        return self.table.empty

    def selection(self, rt: Any, rows: list[Row], order: Any, number: int) -> ObjectSelection:
        return ObjectSelection(self.database, self.meta, ordered(rt, self.meta, rows, order, number))


class CatalogManager(ObjectManager):
    """Catalogues and charts of characteristic types."""

    def lacking(self) -> frozenset[str]:
        return frozenset() if self.meta.folders else frozenset({"создатьгруппу", "createfolder"})

    @member("СоздатьЭлемент", "CreateItem")
    def create_item(self, rt: Any) -> Any:
        return create_object(rt, self.table)

    @member("СоздатьГруппу", "CreateFolder")
    def create_folder(self, rt: Any) -> Any:
        return create_object(rt, self.table, folder=True)

    @member("НайтиПоКоду", "FindByCode")
    def find_by_code(self, rt: Any, code: Any, full: Any = MISSING, parent: Any = MISSING, owner: Any = MISSING) -> Reference:
        place = self.meta.positions["код"]
        wanted = self.database.fit(self.meta.fields[place].types, code, rt)
        return self.found(self.table.index(place).get(folded(wanted), ()), parent, owner, 3)

    @member("НайтиПоНаименованию", "FindByDescription")
    def find_by_description(
        self, rt: Any, description: Any, exact: Any = MISSING, parent: Any = MISSING, owner: Any = MISSING
    ) -> Reference:
        place = self.meta.positions["наименование"]
        wanted = folded(rt.text(description))
        index = self.table.index(place)
        if given(exact) and rt.boolean(exact):
            candidates = list(index.get(wanted, ()))
        else:
            keys = sorted(key for key in index if key.startswith(wanted))
            candidates = [ref for key in keys for ref in index[key]]
        return self.found(candidates, parent, owner, 3)

    @member("Выбрать", "Select")
    def select(
        self, rt: Any, parent: Any = MISSING, owner: Any = MISSING, filter: Any = MISSING, order: Any = MISSING
    ) -> ObjectSelection:
        tests = structure_filter(self.meta, filter, 3)
        wanted = optional_reference(parent, self.table, 1)
        rows = filtered(self.table.rows(), tests + self.owner_test(owner))
        if wanted is not None:
            rows = [row for row in rows if self.table.parent(row[0]) is wanted]
        return self.selection(rt, rows, order, 4)

    @member("ВыбратьИерархически", "SelectHierarchically")
    def select_hierarchically(
        self, rt: Any, parent: Any = MISSING, owner: Any = MISSING, filter: Any = MISSING, order: Any = MISSING
    ) -> ObjectSelection:
        root = optional_reference(parent, self.table, 1) or self.table.empty
        tests = structure_filter(self.meta, filter, 3) + self.owner_test(owner)
        rows = ordered(rt, self.meta, filtered(self.table.rows(), tests), order, 4)
        if not self.meta.hierarchical:
            return HierarchicalSelection(self.database, self.meta, rows, [0] * len(rows))
        places = {row[0]: place for place, row in enumerate(ordered(rt, self.meta, list(self.table.rows()), order, 4))}
        wanted = {row[0] for row in rows} if tests else None
        return HierarchicalSelection(self.database, self.meta, *hierarchical_rows(root, wanted, places))

    def owner_test(self, owner: Any) -> list[tuple[int, Any]]:
        if not given(owner):
            return []
        place = self.meta.positions.get("владелец")
        if place is None or not isinstance(owner, Reference):
            raise wrong_argument(2)
        return [(place, owner)]

    @member("ПолучитьИменаПредопределенных", "GetPredefinedNames")
    def predefined_names(self, rt: Any) -> Any:
        return new_array([item.name for item in self.meta.predefined])


class AccountsManager(CatalogManager):
    """Charts of accounts."""

    def lacking(self) -> frozenset[str]:
        return frozenset({"создатьэлемент", "createitem", "создатьгруппу", "createfolder"})

    @member("СоздатьСчет", "CreateAccount")
    def create_account(self, rt: Any) -> Any:
        return create_object(rt, self.table)


class DocumentManager(ObjectManager):
    @member("СоздатьДокумент", "CreateDocument")
    def create_document(self, rt: Any) -> Any:
        return create_object(rt, self.table)

    @member("НайтиПоНомеру", "FindByNumber")
    def find_by_number(self, rt: Any, number: Any, interval: Any = MISSING) -> Reference:
        place = self.meta.positions["номер"]
        wanted = self.database.fit(self.meta.fields[place].types, number, rt)
        date_argument(interval, 2)
        return self.found(self.table.index(place).get(folded(wanted), ()), MISSING, MISSING, 3)

    @member("Выбрать", "Select")
    def select(
        self, rt: Any, start: Any = MISSING, end: Any = MISSING, filter: Any = MISSING, order: Any = MISSING
    ) -> ObjectSelection:
        place = self.meta.positions["дата"]
        first, last = date_argument(start, 1), date_argument(end, 2)
        rows = filtered(self.table.rows(), structure_filter(self.meta, filter, 3))
        if first is not None:
            rows = [row for row in rows if row[place] >= first]
        if last is not None:
            rows = [row for row in rows if row[place] <= last]
        rows.sort(key=order_key(rt, place))
        return self.selection(rt, rows, order, 4)


def date_argument(value: Any, number: int) -> datetime | None:
    """An optional date; the empty one is as good as none."""
    if not given(value) or value == EMPTY_DATE:
        return None
    if type(value) is not datetime:
        raise wrong_argument(number)
    return value


class EnumManager(ReferenceManager):
    """An enumeration: its values are properties, and can be walked and counted."""

    def values(self) -> list[Reference]:
        return list(self.table.predefined.values())

    def get_index(self, rt: Any, index: Any) -> Any:
        if type(index) is int:
            if not 0 <= index < len(self.values()):
                raise BslRuntimeError("index")
            return self.values()[index]
        return super().get_index(rt, index)

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter(self.values())

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.values())

    @member("Получить", "Get")
    def get(self, rt: Any, index: Any) -> Reference:
        return self.get_index(rt, index)

    @member("Индекс", "IndexOf")
    def index_of(self, rt: Any, value: Any) -> int:
        values = self.values()
        return values.index(value) if value in values else -1


REFERENCE_MANAGERS: dict[str, type[ReferenceManager]] = {
    "catalog": CatalogManager,
    "characteristics": CatalogManager,
    "accounts": AccountsManager,
    "document": DocumentManager,
    "enum": EnumManager,
}
