"""Conversions, types, filled values, and copying of properties."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import is_onec
from scoring.engine.values.members import builtin
from scoring.engine.values.model import EMPTY_DATE, MISSING, BslObject
from scoring.engine.values.text import is_blank
from scoring.engine.values.type_registry import require_type
from scoring.engine.values.types import TypeValue, type_of


@builtin("Число", "Number")
def number(rt: Any, value: Any) -> Any:
    return rt.number(value)


@builtin("Строка", "String")
def string(rt: Any, value: Any) -> str:
    return rt.text(value)


@builtin("Булево", "Boolean")
def boolean(rt: Any, value: Any) -> bool:
    return rt.boolean(value)


@builtin("Тип", "Type")
def type_by_name(rt: Any, name: Any) -> TypeValue:
    if isinstance(name, TypeValue):
        return name
    return require_type(rt, rt.text(name))


@builtin("ТипЗнч", "TypeOf")
def type_of_value(rt: Any, value: Any) -> TypeValue:
    return type_of(value)


@builtin("ЗначениеЗаполнено", "ValueIsFilled")
def value_is_filled(rt: Any, value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return not is_blank(value)
    if kind is bool:
        return True
    if kind is int or kind is Decimal:
        return value != 0
    if kind is datetime:
        return value != EMPTY_DATE
    if not isinstance(value, BslObject):
        return False
    empty = getattr(value, "is_empty", None)
    if empty is None:
        return value.is_filled(rt)
    return not (empty() if callable(empty) else empty)


@builtin("ЗаполнитьЗначенияСвойств", "FillPropertyValues", procedure=True)
def fill_properties(rt: Any, target: Any, source: Any, names: Any = MISSING, excluded: Any = MISSING) -> None:
    """Copy properties of the same name. Named ones must exist on both sides; others are copied where both have them."""
    if not isinstance(target, BslObject) or not isinstance(source, BslObject):
        raise BslRuntimeError("not_object", name="ЗаполнитьЗначенияСвойств")
    skipped = {name.lower() for name in _names(rt, excluded, 4, "ignoredProperties") or ()}
    wanted = _names(rt, names, 3, "filledProperties")
    if wanted is not None:
        for name in wanted:
            if not is_onec(rt) or name.lower() not in skipped:
                target.set_property(rt, name, source.get_property(rt, name))
        return
    for name in source.property_names(rt):
        if name.lower() not in skipped:
            _copy_if_possible(rt, target, source, name)


def _names(rt: Any, value: Any, number: int, parameter: str) -> list[str] | None:
    if value is MISSING or value is None:
        return None
    if type(value) is not str:
        raise BslRuntimeError(
            "argument_type_name", number=number, name=parameter, method="ЗаполнитьЗначенияСвойств"
        )
    if is_onec(rt) and not value.strip():
        return None
    return [name.strip() for name in value.split(",") if name.strip()]


def _copy_if_possible(rt: Any, target: BslObject, source: BslObject, name: str) -> None:
    try:
        value = source.get_property(rt, name)
        target.set_property(rt, name, value)
    except BslRuntimeError as error:
        if error.kind not in _ACCESS_ERRORS:
            raise


# A fixed structure answers a write with an exception of .NET.
_ACCESS_ERRORS = frozenset({"no_property", "property_not_writable", "property_not_readable", "external"})
