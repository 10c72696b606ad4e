"""Functions over numbers: rounding, elementary functions, least and greatest, bits, random numbers."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import external, integer, is_onec
from scoring.engine.runtime.builtins.enums import ROUND_MODE
from scoring.engine.values import numbers
from scoring.engine.values.enums import EnumValue
from scoring.engine.values.members import ONEC, builtin
from scoring.engine.values.model import MISSING
from scoring.engine.values.numbers import Number


@builtin("Цел", "Int")
def whole_part(rt: Any, value: Any) -> Number:
    return numbers.truncate(rt.number(value))


@builtin("Окр", "Round")
def round_number(rt: Any, value: Any, digits: Any = 0, mode: Any = 1) -> Number:
    if type(value) is Decimal and mode == 1 and type(digits) is int and 0 <= digits <= numbers.NET_SCALE:
        rounded: Number = numbers.round_half_away(value, digits)
        if isinstance(rounded, int):
            return rounded
        return numbers.onec_normal(rounded) if rt.dialect.name == ONEC else numbers.settle_scaled(rounded)
    if is_onec(rt):
        digits, mode = (0 if digits is MISSING else digits), (1 if mode is MISSING else mode)
    half_up = _rounds_half_up(rt, mode)
    places = integer(rt, digits)
    number = rt.number(value)
    if places > numbers.NET_SCALE and not is_onec(rt):
        raise external(
            "System.ArgumentOutOfRangeException",
            "Decimal can only round to between 0 and 28 digits of precision. (Parameter 'decimals')",
        )
    rounding = numbers.round_half_away if half_up else numbers.round_half_down
    return _settle(rt, rounding(number, places))


def _rounds_half_up(rt: Any, mode: Any) -> bool:
    if isinstance(mode, EnumValue) and mode.owner is ROUND_MODE:
        return mode is not ROUND_MODE["Round15as10"]
    return bool(integer(rt, mode) != 0)


def _settle(rt: Any, value: Number) -> Number:
    if is_onec(rt):
        return numbers.onec_normal(value)
    return value if isinstance(value, int) else numbers.net_settle(value)


# ── elementary functions ───────────────────────────────────────────────────────────────────────────────────────────

# 1C shows results of these functions with up to so many decimals.
_ONEC_PLACES = 27
_EXACT = decimal.Context(prec=60, rounding=decimal.ROUND_HALF_UP, traps=[decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow])


def _by_double(function: Callable[..., float], *arguments: Number) -> Number:
    """Through ``double``, as .NET does: NaN, infinity and whatever a decimal can't hold overflow."""
    try:
        result = function(*map(numbers.to_double, arguments))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise numbers.overflow() from None
    return numbers.from_double(result)


def _by_decimal(function: Callable[..., Decimal], *arguments: Number) -> Number:
    """Exactly to 27 decimals, as 1C does; arguments outside the function's domain are wrong arguments."""
    try:
        result = function(*(Decimal(a) for a in arguments))
    except (decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow):
        raise BslRuntimeError("argument_value", number=1) from None
    if not result.is_finite():
        raise BslRuntimeError("argument_value", number=1)
    if result.adjusted() > numbers.ONEC_DIGITS:
        raise numbers.overflow()
    return numbers.onec_normal(numbers.round_half_away(result, _ONEC_PLACES))


@builtin("Sqrt", "Sqrt")
def square_root(rt: Any, value: Any) -> Number:
    number = rt.number(value)
    return _by_decimal(_EXACT.sqrt, number) if is_onec(rt) else _by_double(math.sqrt, number)


@builtin("Log", "Log")
def natural_logarithm(rt: Any, value: Any) -> Number:
    number = rt.number(value)
    return _by_decimal(_EXACT.ln, number) if is_onec(rt) else _by_double(math.log, number)


@builtin("Log10", "Log10")
def decimal_logarithm(rt: Any, value: Any) -> Number:
    number = rt.number(value)
    return _by_decimal(_EXACT.log10, number) if is_onec(rt) else _by_double(math.log10, number)


@builtin("Exp", "Exp")
def exponent(rt: Any, value: Any) -> Number:
    number = rt.number(value)
    return _by_decimal(_EXACT.exp, number) if is_onec(rt) else _by_double(math.exp, number)


@builtin("Pow", "Pow")
def power(rt: Any, base: Any, degree: Any) -> Number:
    index = rt.number(degree)
    number = rt.number(base)
    times = numbers.truncate(index)
    if is_onec(rt):
        if times == index and 0 <= times <= 10_000:
            return _onec_power(rt, number, times)
        return _by_decimal(_EXACT.power, number, index)
    if times == index and times >= 0:
        return _net_power(number, integer(rt, times))
    return _by_double(math.pow, number, index)


def _net_power(base: Number, times: int) -> Number:
    """By squaring in decimals; the intermediate squares may overflow, too."""
    result: Number = 1
    while True:
        if times & 1:
            result = numbers.net_multiply(result, base)
        times >>= 1
        if not times:
            return result
        base = numbers.net_multiply(base, base)


def _onec_power(rt: Any, base: Number, times: int) -> Number:
    mantissa, scale = numbers.parts(base)
    rt.reserve(mantissa.bit_length() * times // 8)
    if mantissa.bit_length() * times > 40_000:
        raise numbers.overflow()
    return numbers.onec_normal(numbers.join(mantissa**times, scale * times))


def _trigonometric(function: Callable[[float], float]) -> Callable[[Any, Any], Number]:
    def calculate(rt: Any, value: Any) -> Number:
        return _by_double(function, rt.number(value))

    return calculate


for _name, _function in (
    ("Sin", math.sin),
    ("Cos", math.cos),
    ("Tan", math.tan),
    ("ASin", math.asin),
    ("ACos", math.acos),
    ("ATan", math.atan),
):
    builtin(_name, _name)(_trigonometric(_function))


# ── least and greatest ─────────────────────────────────────────────────────────────────────────────────────────────


@builtin("Мин", "Min")
def least(rt: Any, first: Any, *others: Any) -> Any:
    return _extreme(rt, first, others, wanted=-1)


@builtin("Макс", "Max")
def greatest(rt: Any, first: Any, *others: Any) -> Any:
    return _extreme(rt, first, others, wanted=1)


def _extreme(rt: Any, first: Any, others: tuple[Any, ...], wanted: int) -> Any:
    """The arguments are taken from the last to the first, so that of equal ones the last wins."""
    *rest, best = (first, *others)
    for value in reversed(rest):
        if _order(rt, value, best) == wanted:
            best = value
    return best


def _order(rt: Any, left: Any, right: Any) -> int:
    if rt.dialect.less(rt, left, right):
        return -1
    return 0 if rt.dialect.less_or_equal(rt, left, right) else 1


# ── bits ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_WORD = 2**32


def _word(rt: Any, value: Any) -> int:
    """A whole number of 32 bits without sign."""
    number = rt.number(value)
    whole = numbers.truncate(number)
    if whole != number or not 0 <= whole < _WORD:
        raise BslRuntimeError("argument_invalid")
    return whole


@builtin("ПобитовоеИ", "BitwiseAnd")
def bitwise_and(rt: Any, first: Any, second: Any) -> int:
    return _word(rt, first) & _word(rt, second)


@builtin("ПобитовоеИли", "BitwiseOr")
def bitwise_or(rt: Any, first: Any, second: Any) -> int:
    return _word(rt, first) | _word(rt, second)


@builtin("ПобитовоеИсключительноеИли", "BitwiseXor")
def bitwise_xor(rt: Any, first: Any, second: Any) -> int:
    return _word(rt, first) ^ _word(rt, second)


@builtin("ПобитовоеИНе", "BitwiseAndNot")
def bitwise_and_not(rt: Any, first: Any, second: Any) -> int:
    return _word(rt, first) & ~_word(rt, second)


@builtin("ПобитовоеНе", "BitwiseNot")
def bitwise_not(rt: Any, value: Any) -> int:
    return _word(rt, value) ^ (_WORD - 1)


@builtin("ПроверитьБит", "CheckBit")
def check_bit(rt: Any, value: Any, bit: Any) -> bool:
    return bool(_word(rt, value) >> (integer(rt, bit) & 31) & 1)


@builtin("ПроверитьПоБитовойМаске", "CheckByBitMask")
def check_mask(rt: Any, value: Any, mask: Any) -> bool:
    bits = _word(rt, mask)
    return _word(rt, value) & bits == bits


@builtin("УстановитьБит", "SetBit")
def set_bit(rt: Any, value: Any, bit: Any, on: Any) -> int:
    place = 1 << (integer(rt, bit) & 31)
    word = _word(rt, value)
    return word | place if rt.boolean(on) else word & ~place


def _shift(rt: Any, value: Any) -> int:
    count = integer(rt, value)
    if not 0 <= count <= 31:
        raise BslRuntimeError("argument_value_text", value=count)
    return count


@builtin("ПобитовыйСдвигВлево", "BitwiseShiftLeft")
def shift_left(rt: Any, value: Any, count: Any) -> int:
    return _word(rt, value) << _shift(rt, count) & (_WORD - 1)


@builtin("ПобитовыйСдвигВправо", "BitwiseShiftRight")
def shift_right(rt: Any, value: Any, count: Any) -> int:
    return _word(rt, value) >> _shift(rt, count)


# ── numbers from texts ─────────────────────────────────────────────────────────────────────────────────────────────


@builtin("ЧислоИзШестнадцатеричнойСтроки", "NumberFromHexString", dialects=(ONEC,))
def number_from_hex(rt: Any, text: Any) -> int:
    return _from_digits(rt.text(text), 16, ("0x", ""))


@builtin("ЧислоИзДвоичнойСтроки", "NumberFromBinaryString", dialects=(ONEC,))
def number_from_binary(rt: Any, text: Any) -> int:
    return _from_digits(rt.text(text), 2, ("0b", ""))


def _from_digits(text: str, base: int, prefixes: tuple[str, ...]) -> int:
    digits = text.strip().lower()
    for prefix in prefixes:
        if prefix and digits.startswith(prefix):
            digits = digits[len(prefix) :]
    allowed = "0123456789abcdef"[:base]
    if not digits or len(digits) > 1000 or any(d not in allowed for d in digits):
        raise BslRuntimeError("argument_value", number=1)
    return int(digits, base)


