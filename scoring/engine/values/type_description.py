"""ОписаниеТипов: a set of types with qualifiers, and the conversion of values to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import constructor, member, prop
from scoring.engine.values.model import EMPTY_DATE, MISSING, NULL, BslObject
from scoring.engine.values.qualifiers import (
    BinaryDataQualifiers,
    DateQualifiers,
    NumberQualifiers,
    Qualifier,
    StringQualifiers,
)
from scoring.engine.values.type_registry import require_type
from scoring.engine.values.types import (
    BOOLEAN,
    DATE,
    NULL_TYPE,
    NUMBER,
    STRING,
    UNDEFINED,
    TypeValue,
    type_of,
)

NUMBER_TYPE = TypeValue.of(NUMBER)
STRING_TYPE = TypeValue.of(STRING)
DATE_TYPE = TypeValue.of(DATE)
BOOLEAN_TYPE = TypeValue.of(BOOLEAN)
_ORDER = {BOOLEAN_TYPE: 0, STRING_TYPE: 1, DATE_TYPE: 2, NUMBER_TYPE: 3}
_NAMES = ("ОписаниеТипов", "TypeDescription")


@dataclass(frozen=True, slots=True)
class Qualifiers:
    """The four kinds of qualifiers of one description."""

    number: NumberQualifiers
    string: StringQualifiers
    date: DateQualifiers
    binary: BinaryDataQualifiers


def default_qualifiers() -> Qualifiers:
    return Qualifiers(NumberQualifiers(), StringQualifiers(), DateQualifiers(), BinaryDataQualifiers())


def qualifiers_from(given: Iterable[Qualifier], base: Qualifiers | None = None) -> Qualifiers:
    """Qualifiers in any order; those not given come from ``base`` or are without limits."""
    known = base or default_qualifiers()
    parts: dict[str, Any] = {n: getattr(known, n) for n in ("number", "string", "date", "binary")}
    for one in given:
        parts[_FIELD[type(one)]] = one
    return Qualifiers(**parts)


_FIELD: dict[type, str] = {
    NumberQualifiers: "number",
    StringQualifiers: "string",
    DateQualifiers: "date",
    BinaryDataQualifiers: "binary",
}


class TypeDescription(BslObject):
    """``types`` without repetition; empty = any value. Primitive types stand first in a fixed order."""

    __slots__ = ("types", "qualifiers")
    type_name = _NAMES

    def __init__(self, types: Iterable[TypeValue] = (), qualifiers: Qualifiers | None = None) -> None:
        unique = dict.fromkeys(types)
        self.types: tuple[TypeValue, ...] = tuple(sorted(unique, key=lambda t: _ORDER.get(t, 9)))
        self.qualifiers = qualifiers or default_qualifiers()

    # -- for the engine ------------------------------------------------------------------------------------------------

    def adjust(self, rt: Any, value: Any = MISSING) -> Any:
        """The value converted to the description, its default value where that is impossible."""
        if not self.types:
            return None if value is MISSING else value
        if value is not MISSING and type_of(value) in self.types:
            return self._qualify(rt, value)
        if value is None and len(self.types) > 1:
            return None
        if rt.dialect.name == "onec" and len(self.types) > 1:
            return None
        return self._convert(rt, self.types[0], value)

    def default(self, rt: Any) -> Any:
        """The value of a fresh attribute of this description."""
        if len(self.types) != 1:
            return None
        return self._convert(rt, self.types[0], MISSING)

    def contains(self, wanted: TypeValue) -> bool:
        return wanted in self.types

    def _qualify(self, rt: Any, value: Any) -> Any:
        kind = type_of(value)
        if kind is NUMBER_TYPE:
            return self.qualifiers.number.adjust(value)
        if kind is STRING_TYPE:
            return self.qualifiers.string.adjust(rt, value)
        return self.qualifiers.date.adjust(value) if kind is DATE_TYPE else value

    def _convert(self, rt: Any, wanted: TypeValue, value: Any) -> Any:
        if wanted not in _ORDER:
            return _empty_of(rt, wanted)
        try:
            converted = _converters(rt)[wanted](value) if value is not MISSING and value is not NULL else None
        except BslRuntimeError:
            converted = None
        if converted is None:
            converted = _DEFAULTS[wanted]
        return self._qualify(rt, converted)

    # -- members -------------------------------------------------------------------------------------------------------

    @member("Типы", "Types")
    def get_types(self, rt: Any) -> Any:
        from scoring.engine.collections import new_array

        return new_array(list(self.types))

    @member("СодержитТип", "ContainsType")
    def contains_type(self, rt: Any, wanted: Any) -> bool:
        if not isinstance(wanted, TypeValue):
            raise BslRuntimeError("argument_type", number=1, method="СодержитТип")
        return wanted in self.types

    @member("ПривестиЗначение", "AdjustValue")
    def adjust_value(self, rt: Any, value: Any = MISSING) -> Any:
        return self.adjust(rt, value)

    @prop("КвалификаторыЧисла", "NumberQualifiers")
    def get_number(self, rt: Any) -> Any:
        return self.qualifiers.number

    @prop("КвалификаторыСтроки", "StringQualifiers")
    def get_string(self, rt: Any) -> Any:
        return self.qualifiers.string

    @prop("КвалификаторыДаты", "DateQualifiers")
    def get_date(self, rt: Any) -> Any:
        return self.qualifiers.date

    @prop("КвалификаторыДвоичныхДанных", "BinaryDataQualifiers")
    def get_binary(self, rt: Any) -> Any:
        return self.qualifiers.binary

    def presentation(self, rt: Any) -> str:
        if rt.dialect.name == "onec":
            return ", ".join(rt.dialect.type_text(t.names) for t in self.types)
        return self.type_name[0]


_DEFAULTS: dict[TypeValue, Any] = {BOOLEAN_TYPE: False, STRING_TYPE: "", DATE_TYPE: EMPTY_DATE, NUMBER_TYPE: 0}


def _converters(rt: Any) -> dict[TypeValue, Any]:
    return {BOOLEAN_TYPE: rt.boolean, STRING_TYPE: rt.text, DATE_TYPE: rt.date, NUMBER_TYPE: rt.number}


def _empty_of(rt: Any, wanted: TypeValue) -> Any:
    """The empty value of a type that is not primitive: an empty reference where the database knows one."""
    if wanted.names == NULL_TYPE:
        return NULL
    if wanted.names == UNDEFINED:
        return None
    maker = getattr(rt.database, "empty_value", None)
    return maker(wanted) if maker is not None else None


def types_from(rt: Any, source: Any, number: int = 1) -> list[TypeValue]:
    """Types out of a list of names in a string, or an array of types (or of names)."""
    if source is MISSING or source is None:
        return []
    if isinstance(source, str):
        return [require_type(rt, name.strip()) for name in source.split(",") if name.strip()]
    if isinstance(source, TypeDescription):
        return list(source.types)
    if isinstance(source, BslObject) and source.type_name[0] in ("Массив", "ФиксированныйМассив"):
        return [_one_type(rt, item, number) for item in source.iterate(rt)]
    kind = "argument_invalid" if rt.dialect.name == "onescript" else "argument_type"
    raise BslRuntimeError(kind, number=number, constructor=_NAMES[0])


def _one_type(rt: Any, item: Any, number: int) -> TypeValue:
    if isinstance(item, TypeValue):
        return item
    if isinstance(item, str):
        return require_type(rt, item)
    raise BslRuntimeError("argument_type", number=number, constructor=_NAMES[0])


@constructor("ОписаниеТипов", "TypeDescription")
def new_type_description(
    rt: Any,
    source: Any = MISSING,
    second: Any = MISSING,
    third: Any = MISSING,
    fourth: Any = MISSING,
    fifth: Any = MISSING,
    sixth: Any = MISSING,
    seventh: Any = MISSING,
) -> TypeDescription:
    """``(Types, qualifiers…)`` or ``(Description, AddedTypes, RemovedTypes, qualifiers…)``."""
    if isinstance(source, TypeDescription):
        types = list(source.types)
        types += types_from(rt, second, 2)
        removed = set(types_from(rt, third, 3))
        kept = [t for t in types if t not in removed]
        given = _qualifier_arguments((fourth, fifth, sixth, seventh), first_number=4)
        return TypeDescription(kept, qualifiers_from(given, source.qualifiers))
    given = _qualifier_arguments((second, third, fourth, fifth, sixth, seventh), first_number=2)
    return TypeDescription(types_from(rt, source), qualifiers_from(given))


def _qualifier_arguments(arguments: tuple[Any, ...], first_number: int) -> list[Qualifier]:
    found: list[Qualifier] = []
    for number, argument in enumerate(arguments, first_number):
        if argument is MISSING or argument is None:
            continue
        if type(argument) not in _FIELD:
            raise BslRuntimeError("argument_type", number=number, constructor=_NAMES[0])
        found.append(argument)
    return found
