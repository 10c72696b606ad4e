"""Numbers on their way through Newtonsoft's reader and writer, which OneScript uses."""

from __future__ import annotations

from decimal import Decimal

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import external
from scoring.engine.values import numbers
from scoring.engine.values.numbers import Number

_LONGS = range(-(2**63), 2**63)


def read(value: Number) -> Number:
    """An Int64 as it is, a fraction by way of a double. Beyond Int64 stands a BigInteger, which .NET does not convert."""
    if isinstance(value, Decimal):
        return numbers.from_double(float(value))
    if value not in _LONGS:
        raise external(
            "System.InvalidCastException",
            "Unable to cast object of type 'System.Numerics.BigInteger' to type 'System.IConvertible'.",
        )
    return value


def written(value: Number) -> Number:
    """A whole number is written as an Int64, another one as it is."""
    whole = numbers.truncate(value)
    if whole != value:
        return value
    if whole not in _LONGS:
        raise BslRuntimeError("overflow_long")
    return whole
