"""Metadata objects as plain data: what a specification declared, completed by the kind's standard attributes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scoring.engine.metadata.kinds import Kind, Names
from scoring.engine.metadata.types import TypeDescription

STANDARD, DIMENSION, RESOURCE, ATTRIBUTE = "standard", "dimension", "resource", "attribute"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a table. ``role``: ``standard``, ``dimension``, ``resource`` or ``attribute``. ``balance``: for
    dimensions and resources of an accounting register with correspondence, whether it is shared by both sides."""

    name: str
    english: str
    types: TypeDescription
    role: str = ATTRIBUTE
    balance: bool = True


@dataclass(frozen=True, slots=True)
class Section:
    """A tabular section: its own attributes, and all fields of its table (``Ссылка``, ``НомерСтроки`` first)."""

    name: str
    english: str
    attributes: tuple[Field, ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Predefined:
    """A predefined item: its name in code, the description and code it gets, and the parent's name, if any."""

    name: str
    description: str
    code: str | int | None = None
    parent: str | None = None
    is_folder: bool = False
    values: tuple[tuple[str, Any], ...] = ()


@dataclass(slots=True)
class MetadataObject:
    """One object of the configuration; parts that its kind lacks stay empty."""

    kind: Kind
    name: str
    synonym: str = ""
    fields: tuple[Field, ...] = ()  # of the main table, in storage order
    attributes: tuple[Field, ...] = ()
    dimensions: tuple[Field, ...] = ()
    resources: tuple[Field, ...] = ()
    sections: tuple[Section, ...] = ()
    hierarchical: bool = False
    folders: bool = False
    owners: tuple[Names, ...] = ()
    predefined: tuple[Predefined, ...] = ()
    values: tuple[str, ...] = ()  # of an enumeration
    value_type: TypeDescription | None = None  # of a constant, of characteristics
    is_balance: bool = False  # accumulation registers
    periodicity: str = ""  # information registers: "" = not periodic, else Second, Day … or RecorderPosition
    subordinate: bool = False
    recorders: tuple[Names, ...] = ()  # types of the documents that write the register
    registers: tuple[MetadataObject, ...] = ()  # that the document writes
    chart: str = ""  # chart of accounts of an accounting register
    correspondence: bool = False
    ext_dimension_types: str = ""  # chart of characteristic types behind a chart of accounts
    max_ext_dimensions: int = 0
    code_length: int = 9
    code_is_number: bool = False
    description_length: int = 150
    positions: dict[str, int] = field(default_factory=dict)  # both names in lower case → place in ``fields``

    @property
    def path(self) -> str:
        """Full name: «Справочник.Номенклатура»."""
        return f"{self.kind.names[0]}.{self.name}"

    @property
    def english_path(self) -> str:
        return f"{self.kind.names[1]}.{self.name}"

    @property
    def ref_names(self) -> Names:
        return self.kind.type_names("Ref", self.name)

    def index_fields(self) -> None:
        self.positions = index_of(self.fields)

    def section(self, name: str) -> Section | None:
        wanted = name.lower()
        for section in self.sections:
            if wanted in (section.name.lower(), section.english.lower()):
                return section
        return None

    def field(self, name: str) -> Field | None:
        place = self.positions.get(name.lower())
        return None if place is None else self.fields[place]


def index_of(fields: tuple[Field, ...]) -> dict[str, int]:
    """Both names of every field, in lower case → its place."""
    return {spelled.lower(): place for place, item in enumerate(fields) for spelled in (item.name, item.english)}
