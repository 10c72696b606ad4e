"""Static types of expressions: what may meet in a comparison, and how values become keys.

A *shape* is the coarse class of a :class:`TypeDescription` that decides which code compares two values: ``n`` numbers, ``s``
strings, ``d`` dates, ``b`` booleans, ``t`` types, ``r`` everything else of one class (references, enumerations), ``u``
nothing but Неопределено/NULL, ``m`` a mixture.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.query.collate import fold, sort_text
from scoring.engine.values.model import NULL
from scoring.engine.values.types import BOOLEAN, DATE, NULL_TYPE, NUMBER, STRING, TYPE, UNDEFINED, type_names

_SHAPES = {NUMBER[0]: "n", STRING[0]: "s", DATE[0]: "d", BOOLEAN[0]: "b", TYPE[0]: "t", UNDEFINED[0]: "u", NULL_TYPE[0]: "u"}
ANY = TypeDescription(())  # untyped: a column of a value table without a type


def shape_of(types: TypeDescription) -> str:
    shapes = {_SHAPES.get(names[0], "r") for names in types.names}
    if not shapes:
        return "m"
    if len(shapes) > 1:
        shapes.discard("u")
        # A composite of references and Неопределено still compares by identity of references.
        if shapes != {"r"}:
            return "m"
    return shapes.pop()


def type_of_value(value: Any) -> TypeDescription:
    return TypeDescription((type_names(value),))


def may_be_undefined(types: TypeDescription) -> bool:
    return not types.names or UNDEFINED in types.names or len(types.names) > 1


# -- keys: equal values of queries have equal keys ---------------------------------------------------------------------


class _BooleanKey:
    """Stands for a boolean among mixed values, since ``True == 1`` to Python."""

    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"BooleanKey({self.value})"


_TRUE, _FALSE = _BooleanKey(True), _BooleanKey(False)


def mixed_key(value: Any) -> Any:
    """The key of a value of any type."""
    kind = type(value)
    if kind is str:
        return fold(value)
    if kind is bool:
        return _TRUE if value else _FALSE
    return value


def string_key(value: Any) -> Any:
    """The key of a string or NULL."""
    return fold(value) if type(value) is str else value


def key_for(shape: str, value: Any) -> Any:
    """The key under which ``value`` (of any type) is looked up among keys of ``shape``."""
    if shape == "b":
        return value if type(value) is bool else _Never(value)
    return mixed_key(value)


class _Never:
    """A key that equals nothing: a value whose type can't occur on the other side."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


# -- order -------------------------------------------------------------------------------------------------------------


def order_key(value: Any) -> tuple[int, Any]:
    """A key that orders values of any type as queries do: NULL, Неопределено, booleans, numbers, dates, strings, the rest."""
    if value is NULL:
        return (0, 0)
    if value is None:
        return (1, 0)
    kind = type(value)
    if kind is bool:
        return (2, value)
    if kind is int or kind is Decimal:
        return (3, value)
    if kind is datetime:
        return (4, value)
    if kind is str:
        return (5, sort_text(value))
    return (6, object_order(value))


def object_order(value: Any) -> tuple[Any, ...]:
    """References by type and internal id, points in time by date, enumerations by their place, the rest by type."""
    key = getattr(value, "order_key", None)
    if key is not None:
        return (0, *key) if type(key[0]) is int else (1, type(key[0]).__name__, *key)
    return (2, getattr(value, "type_name", ("",))[0], getattr(value, "order", 0))


def less(left: Any, right: Any) -> bool | None:
    """``left < right`` of a query: None (unknown) where either is NULL or the types differ."""
    if left is NULL or right is NULL:
        return None
    a, b = order_key(left), order_key(right)
    return a[1] < b[1] if a[0] == b[0] else None


def less_or_equal(left: Any, right: Any) -> bool | None:
    if left is NULL or right is NULL:
        return None
    a, b = order_key(left), order_key(right)
    return a[1] <= b[1] if a[0] == b[0] else None


def equal(left: Any, right: Any) -> bool:
    """``left = right`` is true."""
    return left is not NULL and mixed_key(left) == mixed_key(right)


def unequal(left: Any, right: Any) -> bool:
    """``left <> right`` is true."""
    return left is not NULL and right is not NULL and mixed_key(left) != mixed_key(right)
