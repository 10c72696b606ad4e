"""System enumerations: ``НаправлениеСортировки.Возр`` and its like."""

from __future__ import annotations

from typing import Any, ClassVar

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import BOTH, GLOBAL_PROPERTIES, ONESCRIPT, PropertyEntry
from scoring.engine.values.model import BslObject
from scoring.engine.values.type_registry import register_type


class EnumValue(BslObject):
    """One value of a system enumeration; compared by identity. ``name`` and ``english`` are its two names."""

    __slots__ = ("owner", "name", "english", "ordinal")

    def __init__(self, owner: EnumType, name: str, english: str, ordinal: int) -> None:
        self.owner = owner
        self.name = name
        self.english = english
        self.ordinal = ordinal

    @property
    def type_name(self) -> tuple[str, str]:  # type: ignore[override]
        return self.owner.names

    @property
    def clr_class(self) -> str:
        return f"ScriptEngine.Machine.Contexts.ClrEnumValueWrapper`1[{self.owner.clr_enum}]"

    @property
    def order_key(self) -> tuple[str, int]:
        """Orders values in queries: by enumeration, then by place."""
        return self.owner.names[0], self.ordinal

    def presentation(self, rt: Any) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{self.owner.names[1]}.{self.english}"


class EnumType(BslObject):
    """The enumeration itself, a property of the global context."""

    __slots__ = ("names", "values", "by_name", "clr_enum")
    all: ClassVar[dict[str, EnumType]] = {}

    def __init__(self, names: tuple[str, str], values: list[tuple[str, str]], clr_enum: str = "") -> None:
        self.names = names
        self.clr_enum = clr_enum or f"OneScript.StandardLibrary.{names[1]}Enum"
        self.values = [EnumValue(self, name, english, i) for i, (name, english) in enumerate(values)]
        self.by_name = {spelled.lower(): v for v in self.values for spelled in (v.name, v.english)}
        EnumType.all[names[0].lower()] = EnumType.all[names[1].lower()] = self

    @property
    def type_name(self) -> tuple[str, str]:  # type: ignore[override]
        return "Перечисление" + self.names[0], "Enum" + self.names[1]

    @property
    def clr_class(self) -> str:
        return f"ScriptEngine.Machine.Contexts.ClrEnumWrapper`1[{self.clr_enum}]"

    def __getitem__(self, name: str) -> EnumValue:
        """The value of this name, for the engine's own use."""
        return self.by_name[name.lower()]

    def get_property(self, rt: Any, name: str) -> Any:
        found = self.by_name.get(name.lower())
        if found is None:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        return found

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        if name.lower() not in self.by_name:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        raise BslRuntimeError("property_not_writable", name=name, type=self.type_name)

    def iterate(self, rt: Any) -> Any:
        return iter(list(self.values))


def define_enum(
    name: str,
    english: str,
    values: list[tuple[str, str]],
    *,
    dialects: frozenset[str] | tuple[str, ...] = BOTH,
    clr_enum: str = "",
) -> EnumType:
    """Make an enumeration and register it as a property of the global context."""
    enum = EnumType((name, english), values, clr_enum)
    entry = PropertyEntry(name, english, lambda rt: enum, None, frozenset(dialects))
    for spelled in {name.lower(), english.lower()}:
        GLOBAL_PROPERTIES.setdefault(spelled, []).append(entry)
    register_type(enum.names, dialects)
    if ONESCRIPT in dialects:
        register_type(enum.type_name, (ONESCRIPT,))
    return enum
