"""Fitting values to typed fields: what assignment to an attribute, a typed column or a record's field does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.system_enums import SYSTEM_ENUM
from scoring.engine.metadata.types import (
    PRIMITIVE_DEFAULTS,
    TypeDescription,
    fit_date,
    fit_number,
    fit_string,
    parse_date,
    parse_number,
)
from scoring.engine.values.model import EMPTY_DATE
from scoring.engine.values.types import BOOLEAN, DATE, NUMBER, STRING, type_names

if TYPE_CHECKING:
    from scoring.engine.storage.references import Reference

Converter = Callable[[Any, TypeDescription, Any], Any]


def plain_text(value: Any) -> str:
    """A text of a primitive value for conversions that happen outside a run."""
    if value is True or value is False:
        return "Да" if value else "Нет"
    if type(value) is datetime:
        return f"{value:%d.%m.%Y} {value.hour}:{value:%M:%S}"
    return "" if value is None else str(value)


def to_number(value: Any, types: TypeDescription, rt: Any) -> Any:
    if type(value) is bool:
        return int(value)
    number = parse_number(value) if type(value) is str else None
    return 0 if number is None else fit_number(number, types)


def to_string(value: Any, types: TypeDescription, rt: Any) -> str:
    text = rt.text(value) if rt is not None else plain_text(value)
    return fit_string(text, types)


def to_date(value: Any, types: TypeDescription, rt: Any) -> datetime:
    found = parse_date(value) if type(value) is str else None
    return EMPTY_DATE if found is None else fit_date(found, types)


def to_boolean(value: Any, types: TypeDescription, rt: Any) -> bool:
    if isinstance(value, int | Decimal):
        return value != 0
    return isinstance(value, str) and value.strip().lower() in ("да", "истина", "true", "yes")


CONVERTERS: dict[Names, Converter] = {
    NUMBER: to_number,
    STRING: to_string,
    DATE: to_date,
    BOOLEAN: to_boolean,
}


class Fitter:
    """Fits values to descriptions of types; knows the empty references of one database."""

    def __init__(self, empty_reference: Callable[[Names], Reference | None]) -> None:
        self.empty_reference = empty_reference
        self._defaults: dict[TypeDescription, Any] = {}

    def default(self, types: TypeDescription) -> Any:
        """The value a field of this description has before anything is assigned."""
        if types not in self._defaults:
            self._defaults[types] = self._default(types)
        return self._defaults[types]

    def _default(self, types: TypeDescription) -> Any:
        names = types.single
        if names is None:
            return None
        if names[0] in PRIMITIVE_DEFAULTS:
            value = PRIMITIVE_DEFAULTS[names[0]]
            return fit_string(value, types) if names == STRING else value
        enum = SYSTEM_ENUM.get(names[0].lower())
        return enum.values[0] if enum is not None else self.empty_reference(names)

    def fit(self, types: TypeDescription, value: Any, rt: Any = None) -> Any:
        """``value`` as a field of this description keeps it: qualified, converted, or the default."""
        names = type_names(value)
        if names in types.names:
            kind = type(value)
            if kind is str:
                return fit_string(value, types)
            if kind is int or kind is Decimal:
                return fit_number(value, types)
            return fit_date(value, types) if kind is datetime else value
        single = types.single
        if single is None or value is None:
            return self.default(types)
        converter = CONVERTERS.get(single)
        if converter is None or names[0] not in PRIMITIVE_DEFAULTS:
            if single == STRING and names[0] not in ("Неопределено", "Null"):
                return to_string(value, types, rt)
            return self.default(types)
        return converter(value, types, rt)
