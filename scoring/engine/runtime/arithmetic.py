"""Arithmetic that generated code calls when its operands are not both whole: fractions first, the dialect's rules for the rest.

Each function looks at its operands' types once, so that a fraction costs one call of the decimal library and little beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from scoring.engine.dialects.base import Dialect
from scoring.engine.runtime.context import Runtime
from scoring.engine.values import numbers
from scoring.engine.values.members import ONESCRIPT
from scoring.engine.values.numbers import LONG_TEXT, NET_MAX, NET_SCALE, SURELY_FITS, ready_made

Operator = Callable[[Any, Any], Any]

NUMERIC = frozenset({int, Decimal})
# Divisors whose quotients end within 12 decimals, so that small whole numbers divide exactly by them.
TERMINATING = frozenset(2**twos * 5**fives for twos in range(13) for fives in range(13))
SURELY_EXACT = 10**12
# Whoever has met a number too long for the quick road meets more of them: so many operations then take the long road at once.
# Both give the same; only their speed differs.
AFTER_LONG = 64


def operators(rt: Runtime, dialect: Dialect, join: Callable[[str, str], str]) -> dict[str, Operator]:
    """``+ - * / %`` of a run; ``join`` concatenates strings. A name followed by ``.`` takes numbers only, not both of them
    whole: it asks for no types."""
    make = _net_operators if dialect.name == ONESCRIPT else _onec_operators
    return make(rt, dialect, join)


def _net_operator(
    rt: Runtime,
    quick: Callable[[Any, Any], Decimal],
    wide: Callable[[Any, Any], Decimal],
    exact: Callable[[Any, Any], Any],
    others: Callable[[Runtime, Any, Any], Any],
) -> tuple[Operator, Operator]:
    """One operation on fractions by the shortest of three roads, for any operands (``others`` is asked for those that are no
    fractions) and for numbers."""
    greatest, least = numbers.GREATEST, numbers.LEAST
    nine, zero, trapped = Decimal(9), Decimal(0), numbers.TRAPPED
    long = 0

    def operator(left: Any, right: Any) -> Any:
        nonlocal long
        kind, other = type(left), type(right)
        if other is Decimal or other is int if kind is Decimal else other is Decimal and kind is int:
            if not long:
                try:
                    result = quick(left, right)
                except trapped:
                    long = AFTER_LONG
                    return exact(left, right)
                if result > nine or result < zero:
                    return result
                whole = result.to_integral_value()
                return int(whole) if whole == result else result
            long -= 1
            result = wide(left, right)
            place = result.adjusted()
            if 0 <= place < NET_SCALE and least[place] <= result <= greatest[place]:
                return result if place else ready_made(result)
            return exact(left, right)
        return others(rt, left, right)

    def fraction(left: Any, right: Any) -> Any:
        nonlocal long
        if not long:
            try:
                result = quick(left, right)
            except trapped:
                long = AFTER_LONG
                return exact(left, right)
            if result > nine or result < zero:
                return result
            whole = result.to_integral_value()
            return int(whole) if whole == result else result
        long -= 1
        result = wide(left, right)
        place = result.adjusted()
        if 0 <= place < NET_SCALE and least[place] <= result <= greatest[place]:
            return result if place else ready_made(result)
        return exact(left, right)

    return operator, fraction


def _net_operators(rt: Runtime, dialect: Dialect, join: Callable[[str, str], str]) -> dict[str, Operator]:
    to_text, add_values = dialect.to_text, dialect.add
    divide_values, modulo_values = dialect.divide, dialect.modulo
    quick_divide, net_divide, net_remainder = numbers.FAST.divide, numbers.net_divide, numbers.net_remainder
    wide_divide, settle_quotient = numbers.LONG.divide, numbers.settle_quotient
    numeric = NUMERIC

    def add_others(rt: Runtime, left: Any, right: Any) -> Any:
        if type(left) is str:
            return join(left, right if type(right) is str else to_text(rt, right))
        return add_values(rt, left, right)

    fast, wide = numbers.FAST, numbers.LONG
    add, add_fraction = _net_operator(rt, fast.add, wide.add, numbers.long_add, add_others)
    subtract, subtract_fraction = _net_operator(rt, fast.subtract, wide.subtract, numbers.long_subtract, dialect.subtract)
    multiply, multiply_fraction = _net_operator(rt, fast.multiply, wide.multiply, numbers.long_multiply, dialect.multiply)

    def divide(left: Any, right: Any) -> Any:
        kind, other = type(left), type(right)
        if kind is int and other is int and right:
            if left % right:
                if right in TERMINATING and -SURELY_EXACT < left < SURELY_EXACT:
                    return quick_divide(left, right)
            else:
                quotient = left // right
                return quotient if -NET_MAX <= quotient <= NET_MAX else net_divide(left, right)
        try:
            quotient = wide_divide(left, right)
        except TypeError:  # no numbers
            pass
        else:
            text = str(quotient)
            if len(text) >= LONG_TEXT and text[-1] != "0" and text[0] in SURELY_FITS and "E" not in text:
                return quotient
            if right and kind in numeric and other in numeric:
                return settle_quotient(quotient, text, left, right)
        return divide_values(rt, left, right)

    def modulo(left: Any, right: Any) -> Any:
        if type(left) in numeric and type(right) in numeric and right:
            return net_remainder(left, right)
        return modulo_values(rt, left, right)

    simple: dict[str, Operator] = {"+": add, "-": subtract, "*": multiply, "/": divide, "%": modulo}
    return simple | {"+.": add_fraction, "-.": subtract_fraction, "*.": multiply_fraction, "%.": net_remainder}


def _onec_operators(rt: Runtime, dialect: Dialect, join: Callable[[str, str], str]) -> dict[str, Operator]:
    to_text, numeric = dialect.to_text, NUMERIC
    add_values, subtract_values, multiply_values = dialect.add, dialect.subtract, dialect.multiply
    divide_values, modulo_values = dialect.divide, dialect.modulo
    onec_add, onec_subtract, onec_multiply = numbers.onec_add, numbers.onec_subtract, numbers.onec_multiply
    onec_divide, onec_remainder = numbers.onec_divide, numbers.onec_remainder

    def add(left: Any, right: Any) -> Any:
        kind = type(left)
        if kind is str:
            return join(left, right if type(right) is str else to_text(rt, right))
        if kind in numeric and type(right) in numeric:
            return onec_add(left, right)
        return add_values(rt, left, right)

    def subtract(left: Any, right: Any) -> Any:
        if type(left) in numeric and type(right) in numeric:
            return onec_subtract(left, right)
        return subtract_values(rt, left, right)

    def multiply(left: Any, right: Any) -> Any:
        kind, other = type(left), type(right)
        if other in numeric if kind is Decimal else other is Decimal and kind is int:
            return onec_multiply(left, right)
        return multiply_values(rt, left, right)

    def divide(left: Any, right: Any) -> Any:
        if type(left) in numeric and type(right) in numeric and right:
            return onec_divide(left, right)
        return divide_values(rt, left, right)

    def modulo(left: Any, right: Any) -> Any:
        if type(left) in numeric and type(right) in numeric and right:
            return onec_remainder(left, right)
        return modulo_values(rt, left, right)

    simple: dict[str, Operator] = {"+": add, "-": subtract, "*": multiply, "/": divide, "%": modulo}
    return simple | {"+.": onec_add, "-.": onec_subtract, "*.": onec_multiply, "%.": onec_remainder}
