"""Errors of the object model, worded as the platform words them. Functions give the error to raise."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.model import BslObject


def context_error(method: str, reason: str) -> BslRuntimeError:
    """``Ошибка при вызове метода контекста (method): reason``."""
    return BslRuntimeError("context_method", f"Ошибка при вызове метода контекста ({method}): {reason}")


def wrong_argument(number: int) -> BslRuntimeError:
    """``Несоответствие типов (параметр номер 'N')``; the dialect puts the method's name before it."""
    return BslRuntimeError("argument_type", number=number)


def bad_value(number: int) -> BslRuntimeError:
    return BslRuntimeError("argument_value", number=number)


def no_field(owner: BslObject, name: str) -> BslRuntimeError:
    return BslRuntimeError("no_property", name=name, type=owner.type_name)


def read_only(owner: BslObject, name: str) -> BslRuntimeError:
    return BslRuntimeError("property_not_writable", name=name, type=owner.type_name)


def no_method(owner: BslObject, name: str) -> BslRuntimeError:
    return BslRuntimeError("no_method", name=name, type=owner.type_name)


def presentation_of_type(rt: Any, names: tuple[str, str]) -> str:
    return str(rt.dialect.type_text(names))
