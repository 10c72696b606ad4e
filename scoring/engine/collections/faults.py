"""Errors that collections share, worded by the dialect's catalogue.

OneScript lets exceptions of .NET collections through to the program; 1C words the same situations by itself. Each function
gives the error to raise, so that call sites read ``raise list_index(rt)``.
"""

from __future__ import annotations

from typing import Any

from scoring.engine.dialects.onescript.clr import class_name
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import ONESCRIPT
from scoring.engine.values.model import BslObject
from scoring.engine.values.types import TypeValue

INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1


def is_onescript(rt: Any) -> bool:
    return rt.dialect.name == ONESCRIPT


def external(exception: str, message: str) -> BslRuntimeError:
    """A .NET exception that reached the program; ``exception`` is its class name without ``System.``."""
    return BslRuntimeError("external", exception=f"System.{exception}", message=message)


def _net_or_index(rt: Any, exception: str, message: str) -> BslRuntimeError:
    return external(exception, message) if is_onescript(rt) else BslRuntimeError("index")


def list_index(rt: Any) -> BslRuntimeError:
    """Reading or removing outside a list that does not check by itself."""
    return _net_or_index(
        rt,
        "ArgumentOutOfRangeException",
        "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')",
    )


def list_insert(rt: Any) -> BslRuntimeError:
    """Inserting outside a list that does not check by itself."""
    return _net_or_index(
        rt, "ArgumentOutOfRangeException", "Index must be within the bounds of the List. (Parameter 'index')"
    )


def null_reference(rt: Any, otherwise: BslRuntimeError) -> BslRuntimeError:
    """OneScript stumbles over a null here; ``otherwise`` is what 1C says."""
    if not is_onescript(rt):
        return otherwise
    return external("NullReferenceException", "Object reference not set to an instance of an object.")


def checked_index(rt: Any) -> BslRuntimeError:
    """An index outside a collection that checks it: OneScript calls it an invalid argument, 1C a bad index."""
    return BslRuntimeError("argument_invalid") if is_onescript(rt) else BslRuntimeError("index")


def wrong_type() -> BslRuntimeError:
    return BslRuntimeError("argument_type_any")


def not_found(rt: Any, name: str) -> BslRuntimeError:
    """A column or key that an argument names and the collection lacks: 1C blames the argument, never a field."""
    return BslRuntimeError("no_property" if is_onescript(rt) else "column_name", name=name)


def not_of_class(rt: Any, value: Any, wanted: str, number: int) -> BslRuntimeError:
    """An argument of another class than the method declares: ``wanted`` is the .NET class, ``number`` the argument's place."""
    if not is_onescript(rt):
        return BslRuntimeError("argument_type", number=number)
    if not isinstance(value, BslObject) or isinstance(value, TypeValue):
        return BslRuntimeError("not_object")
    return external(
        "InvalidCastException", f"Unable to cast object of type '{class_name(value)}' to type 'OneScript.StandardLibrary.{wanted}'."
    )


def as_int(rt: Any, value: Any) -> int:
    """An argument declared as a 32-bit whole number: converted to a number, its fraction dropped."""
    number = value if type(value) is int else int(rt.number(value))
    if not INT32_MIN <= number <= INT32_MAX:
        raise BslRuntimeError("overflow_int")
    return number


def place_of(rt: Any, items: list[Any], wanted: Any, member_class: type, foreign: str) -> int:
    """Where a member, given by itself or by its number, is; raises ``foreign_row`` with the text ``foreign``, or ``index``."""
    if isinstance(wanted, member_class):
        for position, known in enumerate(items):
            if known is wanted:
                return position
        raise BslRuntimeError("foreign_row", foreign)
    try:
        position = as_int(rt, wanted)
    except BslRuntimeError as error:
        if error.kind != "to_number":
            raise
        raise wrong_type() from None
    if not 0 <= position < len(items):
        raise BslRuntimeError("index")
    return position
