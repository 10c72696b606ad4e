"""Conversions of arguments that several built-ins share."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.enums import EnumType, EnumValue
from scoring.engine.values.model import MISSING
from scoring.engine.values.numbers import truncate

INT_MAX = 2**31 - 1
# Texts longer than this cost operations beside the statement: one per so many characters. The genuine engines count
# statements only, so that ordinary texts stay free; but a budget of operations must bound work on huge ones, too.
FREE_TEXT = 16_384
TEXT_PER_OPERATION = 1024
# Shorter texts are no work beside the call itself.
SHORT_TEXT = 128
# Steps of work a character that reading JSON and XML takes.
PARSE_STEPS = 150


def worked(rt: Any, size: int, steps: int = 1) -> None:
    """Charge the walk over ``size`` characters, so many steps of work each."""
    if size > SHORT_TEXT:
        rt.work(size * steps)
    if size > FREE_TEXT:
        rt.charge(size // TEXT_PER_OPERATION)


def integer(rt: Any, value: Any) -> int:
    """``(int)`` of .NET: the number cut towards zero; raises ``overflow_int`` beyond 32 bits."""
    if type(value) is int:
        whole = value
    else:
        whole = truncate(rt.number(value))
    if not -INT_MAX - 1 <= whole <= INT_MAX:
        raise BslRuntimeError("overflow_int")
    return whole


def optional_integer(rt: Any, value: Any, default: int) -> int:
    return default if value is MISSING else integer(rt, value)


def optional_text(rt: Any, value: Any, default: str = "") -> str:
    return default if value is MISSING else rt.text(value)


def optional_boolean(rt: Any, value: Any, default: bool) -> bool:
    return default if value is MISSING or value is None else rt.boolean(value)


def enum_value(value: Any, enum: EnumType, number: int) -> EnumValue | None:
    """A value of ``enum``; None where it was left out (or is Неопределено); raises ``argument_type`` for others."""
    if value is MISSING or value is None:
        return None
    if isinstance(value, EnumValue) and value.owner is enum:
        return value
    raise BslRuntimeError("argument_type_any", number=number)


def is_number(value: Any) -> bool:
    kind = type(value)
    return kind is int or kind is Decimal


def external(exception: str, message: str) -> BslRuntimeError:
    """A .NET exception that OneScript lets through to the program."""
    return BslRuntimeError("external", exception=exception, message=message)


def is_onec(rt: Any) -> bool:
    return bool(rt.dialect.name == "onec")


def refuse_missing(rt: Any, value: Any, number: int, method: str) -> None:
    if value is MISSING:
        raise BslRuntimeError("argument_value", number=number, method=method)
