"""References as programs see them: attributes read the object (once), methods by kind."""

from __future__ import annotations

from typing import Any

from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform.faults import no_field, read_only, wrong_argument
from scoring.engine.platform.named import NamedFields
from scoring.engine.platform.sections import section_of
from scoring.engine.storage.moments import PointInTime
from scoring.engine.storage.presentations import presentation_of
from scoring.engine.storage.references import Reference
from scoring.engine.values.members import member
from scoring.engine.values.model import NULL
from scoring.engine.values.uuid import Uuid


class PlatformReference(NamedFields, Reference):
    """Members that references of all kinds have. ``readable`` is False for kinds without attributes in the language."""

    __slots__ = ()
    readable = True

    def get_property(self, rt: Any, name: str) -> Any:
        table = self.table
        place = table.meta.positions.get(name.lower()) if self.readable else None
        if place is None:
            return self._other_property(rt, name)
        if place == 0:
            return self
        if self.id:
            table.database.touch(self)
            if self.row is not None:
                value = self.row[place]
                if value is not NULL:
                    return value
        return table.database.default(table.meta.fields[place].types)

    def _other_property(self, rt: Any, name: str) -> Any:
        section = self.table.meta.section(name) if self.readable else None
        if section is None:
            raise no_field(self, name)
        if self.id:
            self.table.database.touch(self)
        return section_of(rt, self, self.table.meta.sections.index(section))

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        meta = self.table.meta
        if self.readable and (name.lower() in meta.positions or meta.section(name)):
            raise read_only(self, name)
        raise no_field(self, name)

    def property_names(self, rt: Any) -> list[str]:
        meta = self.table.meta
        return [item.name for item in meta.fields] + [item.name for item in meta.sections] if self.readable else []

    def presentation(self, rt: Any) -> str:
        if self.readable:
            self.table.database.touch(self)
        return presentation_of(self)

    def is_filled(self, rt: Any) -> bool:
        return self.id != 0

    def xml_string(self, rt: Any) -> str:
        """``XMLСтрока``: the identifier."""
        return str(self.uuid)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    @member("Пустая", "IsEmpty")
    def check_empty(self, rt: Any) -> bool:
        return self.id == 0

    @member("Метаданные", "Metadata")
    def metadata(self, rt: Any) -> Any:
        from scoring.engine.platform.metadatatree import metadata_of

        return metadata_of(self.table.database, self.table.meta)


class ObjectReference(PlatformReference):
    """A reference to something that can be read as an object and written."""

    __slots__ = ()

    @member("ПолучитьОбъект", "GetObject")
    def get_object(self, rt: Any) -> Any:
        from scoring.engine.platform.objects import open_object

        if self.row is None:
            return None
        self.table.database.counters.count("object")
        return open_object(rt, self)

    @member("Скопировать", "Copy")
    def copy(self, rt: Any) -> Any:
        """A new object filled like this one; it gets a reference when it is written."""
        found = self.get_object(rt)
        return None if found is None else found.copy(rt)

    @member("УникальныйИдентификатор", "UUID")
    def identifier(self, rt: Any) -> Uuid:
        return Uuid(str(self.uuid))


class HierarchicalReference(ObjectReference):
    """A reference to an element of a catalogue, a chart of characteristic types or a chart of accounts."""

    __slots__ = ()

    def _chain(self) -> list[Reference]:
        """The element and its parents, the element first."""
        chain: list[Reference] = []
        current: Reference = self
        while current.id and current not in chain:
            chain.append(current)
            current = self.table.parent(current)
        return chain

    @member("Уровень", "Level")
    def level(self, rt: Any) -> int:
        return max(0, len(self._chain()) - 1)

    @member("ПолноеНаименование", "FullDescr")
    def full_description(self, rt: Any) -> str:
        return "/".join(str(item.value(self._place("наименование"))) for item in reversed(self._chain()))

    @member("ПолныйКод", "FullCode")
    def full_code(self, rt: Any) -> str:
        return "/".join(rt.text(item.value(self._place("код"))).strip() for item in reversed(self._chain()))

    @member("ПринадлежитЭлементу", "BelongsToItem")
    def belongs(self, rt: Any, other: Any) -> bool:
        if not isinstance(other, Reference) or other.table is not self.table:
            raise wrong_argument(1)
        return other in self._chain()[1:]

    def _place(self, name: str) -> int:
        return self.table.meta.positions[name]


class DocumentReference(ObjectReference):
    __slots__ = ()

    @member("МоментВремени", "PointInTime")
    def point_in_time(self, rt: Any) -> PointInTime:
        return PointInTime(self.get_property(rt, "Дата"), self)


class EnumReference(PlatformReference):
    __slots__ = ()
    readable = False

    def xml_string(self, rt: Any) -> str:
        return self.table.meta.values[self.id - 1] if self.id else ""


REFERENCE_CLASSES: dict[str, type[PlatformReference]] = {
    "catalog": HierarchicalReference,
    "characteristics": HierarchicalReference,
    "accounts": HierarchicalReference,
    "document": DocumentReference,
    "enum": EnumReference,
}


def reference_class(meta: MetadataObject) -> type[PlatformReference]:
    """The class of references of a metadata object (``Database(reference_factory=…)``)."""
    return REFERENCE_CLASSES[meta.kind.key]
