"""The configuration: all metadata objects, found by name or by full path in either language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.engine.metadata.kinds import (
    KIND_BY_NAME,
    KINDS,
    REFERENCE_KINDS,
    ROLES,
    Kind,
    Names,
)
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.metadata.system_enums import SYSTEM_ENUM
from scoring.engine.metadata.types import PRIMITIVES, TypeDescription

OTHER_TYPES: dict[str, Names] = {
    spelled.lower(): names
    for names in (
        ("ХранилищеЗначения", "ValueStorage"),
        ("УникальныйИдентификатор", "UUID"),
        ("ОписаниеТипов", "TypeDescription"),
        ("МоментВремени", "PointInTime"),
        ("Граница", "Boundary"),
    )
    for spelled in names
}


class SpecificationError(ValueError):
    """A specification or its data is wrong; ``problems`` lists every finding as ``path: what``."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


class Configuration:
    """Metadata objects by kind and name (any case)."""

    def __init__(self) -> None:
        self.name = "Конфигурация"
        self.objects: dict[str, dict[str, MetadataObject]] = {kind.key: {} for kind in KINDS}
        self.defined_types: dict[str, TypeDescription] = {}
        self._types: dict[str, Names | None] = {}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> Configuration:
        """Build from a parsed ``config_spec.yaml``; raises :class:`SpecificationError` with every finding at once."""
        from scoring.engine.metadata.specification import read_specification

        return read_specification(spec)

    def add(self, obj: MetadataObject) -> None:
        self.objects[obj.kind.key][obj.name.lower()] = obj

    def find(self, kind: str, name: str) -> MetadataObject | None:
        """The object of ``kind`` (``catalog``, ``document`` …) called ``name``."""
        return self.objects[kind].get(name.lower())

    def of_kind(self, kind: str) -> list[MetadataObject]:
        return list(self.objects[kind].values())

    def all(self) -> Iterator[MetadataObject]:
        for objects in self.objects.values():
            yield from objects.values()

    def find_path(self, path: str) -> MetadataObject | None:
        """The object with the full name ``Справочник.Номенклатура`` / ``Catalog.Номенклатура``."""
        kind_name, _, name = path.partition(".")
        kind = KIND_BY_NAME.get(kind_name.lower())
        return self.find(kind.key, name) if kind else None

    def type_names(self, text: str) -> Names | None:
        """Canonical names of the type written ``СправочникСсылка.Номенклатура``, ``CatalogRef.Номенклатура``,
        ``Число``, ``ДокументОбъект.X`` …; None for a type that this configuration does not have."""
        key = text.strip().lower()
        if key not in self._types:
            self._types[key] = self._find_type(text.strip())
        return self._types[key]

    def _find_type(self, text: str) -> Names | None:
        key = text.lower()
        if key in PRIMITIVES:
            return PRIMITIVES[key]
        if key in OTHER_TYPES:
            return OTHER_TYPES[key]
        if key in SYSTEM_ENUM:
            return SYSTEM_ENUM[key].names
        prefix, dot, name = text.partition(".")
        found = _KIND_AND_ROLE.get(prefix.lower()) if dot else None
        if found is None:
            return None
        kind, role = found
        obj = self.find(kind.key, name.partition(".")[0])
        if obj is None:
            return None
        section = name.partition(".")[2]
        return kind.type_names(role, f"{obj.name}.{section}" if section else obj.name)

    def expand_type(self, text: str) -> TypeDescription | None:
        """The description behind one written type: a set of references or a defined type may stand for several."""
        key = text.strip().lower()
        prefix, dot, name = key.partition(".")
        if prefix in ("определяемыйтип", "definedtype") and dot:
            return self.defined_types.get(name)
        if prefix in ("характеристика", "characteristic") and dot:
            chart = self.find("characteristics", name)
            return chart.value_type if chart else None
        kinds = _REFERENCE_SETS.get(key)
        if kinds is not None:
            return TypeDescription(tuple(obj.ref_names for kind in kinds for obj in self.of_kind(kind.key)))
        names = self.type_names(text)
        return TypeDescription((names,)) if names else None

    def of_reference_type(self, names: Names) -> MetadataObject | None:
        """The object whose references have the type ``names``."""
        prefix, _, name = names[0].partition(".")
        found = _KIND_AND_ROLE.get(prefix.lower())
        return self.find(found[0].key, name) if found and found[1] == "Ref" else None


_KIND_AND_ROLE: dict[str, tuple[Kind, str]] = {
    f"{kind_name}{role_name}".lower(): (kind, role)
    for kind in KINDS
    for role, role_names in ROLES.items()
    for kind_name, role_name in zip(kind.names, role_names, strict=True)
}

_REFERENCE_SETS: dict[str, tuple[Kind, ...]] = {
    f"{kind.names[side]}{ROLES['Ref'][side]}".lower(): (kind,) for kind in REFERENCE_KINDS for side in (0, 1)
} | {"любаяссылка": REFERENCE_KINDS, "anyref": REFERENCE_KINDS}
