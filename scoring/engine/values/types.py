"""Types as values: what ``Тип("Число")`` and ``ТипЗнч(x)`` give."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.model import MISSING, NULL, BslObject

NUMBER = ("Число", "Number")
STRING = ("Строка", "String")
DATE = ("Дата", "Date")
BOOLEAN = ("Булево", "Boolean")
UNDEFINED = ("Неопределено", "Undefined")
NULL_TYPE = ("Null", "Null")
TYPE = ("Тип", "Type")


class TypeValue(BslObject):
    """A type, interned by its Russian name: equal types are the same object."""

    __slots__ = ("names",)
    type_name = TYPE
    _known: ClassVar[dict[str, TypeValue]] = {}

    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names

    @classmethod
    def of(cls, names: tuple[str, str]) -> TypeValue:
        found = cls._known.get(names[0])
        if found is None:
            found = cls._known[names[0]] = cls(names)
        return found

    def presentation(self, rt: Any) -> str:
        return rt.dialect.type_text(self.names)

    # A type is a primitive value: it has no members at all.

    def get_property(self, rt: Any, name: str) -> Any:
        raise BslRuntimeError("not_object", name=name)

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        raise BslRuntimeError("not_object", name=name)

    def find_method(self, rt: Any, name: str) -> Any:
        raise BslRuntimeError("not_object", name=name)

    def __repr__(self) -> str:
        return f"Type({self.names[1]})"


def type_names(value: Any) -> tuple[str, str]:
    """The (Russian, English) names of a value's type."""
    if value is None or value is MISSING:
        return UNDEFINED
    if value is NULL:
        return NULL_TYPE
    kind = type(value)
    if kind is bool:
        return BOOLEAN
    if kind is int or kind is Decimal:
        return NUMBER
    if kind is str:
        return STRING
    if kind is datetime:
        return DATE
    return value.type_name


def type_of(value: Any) -> TypeValue:
    """``ТипЗнч(value)``."""
    return TypeValue.of(type_names(value))
