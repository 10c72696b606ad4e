"""Decimal arithmetic of both engines.

``net_*`` follow ``System.Decimal`` of .NET: a mantissa below 2**96 and a scale of 0–28, results rounded half to even where
they do not fit, the scale kept as .NET keeps it (it shows in the text of a number). ``onec_*`` follow 1C: sums and products
exact, quotients to 27 decimals.

A number is an ``int`` where its scale is 0, else a ``Decimal`` whose exponent is minus the scale.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal

from scoring.engine.errors import BslRuntimeError

Number = int | Decimal

NET_MAX = 2**96 - 1
NET_SCALE = 28

# Any result of ≤ 28 digits and ≤ 28 decimals is exact in .NET, too; whatever is not traps and takes the exact road.
FAST = decimal.Context(
    prec=28,
    Emin=-1,
    Emax=999,
    traps=[decimal.Inexact, decimal.Rounded, decimal.InvalidOperation, decimal.Overflow],
)
_add, _subtract, _multiply, _remainder = FAST.add, FAST.subtract, FAST.multiply, FAST.remainder
# Quotients: to 28 decimals at most (Emin), with 29 digits where the mantissa stays below 2**96, else with 28.
LONG = decimal.Context(prec=29, Emin=0, Emax=999, rounding=decimal.ROUND_HALF_EVEN, traps=[])
_SHORTER = decimal.Context(prec=28, Emin=-1, Emax=999, rounding=decimal.ROUND_HALF_EVEN, traps=[])
_GREATEST = Decimal(NET_MAX)
_WIDE = decimal.Context(prec=decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[])
# The greatest mantissa of 29 digits as a number with so many digits before the point, less one; and its negative.
GREATEST = [_GREATEST.scaleb(place - NET_SCALE, _WIDE) for place in range(NET_SCALE + 1)]
LEAST = [bound.copy_negate() for bound in GREATEST]
_ROUND = decimal.Context(prec=100, Emax=999, Emin=-999, rounding=decimal.ROUND_HALF_UP, traps=[])
_quantize = _ROUND.quantize
_UNIT = Decimal(1)
_ZERO = Decimal(0)
_QUANTA = [Decimal(1).scaleb(-places) for places in range(NET_SCALE + 1)]
TRAPPED = (decimal.Inexact, decimal.Rounded, decimal.InvalidOperation, decimal.Overflow)


def overflow() -> BslRuntimeError:
    """The error of a number beyond ``System.Decimal``."""
    return BslRuntimeError("overflow")


def parts(value: Number) -> tuple[int, int]:
    """(mantissa, scale) of a number."""
    if isinstance(value, int):
        return value, 0
    text = str(value)
    if "E" in text or "n" in text:
        return _parts_by_tuple(value)
    whole, _, decimals = text.partition(".")
    return int(whole + decimals), len(decimals)


def _parts_by_tuple(value: Decimal) -> tuple[int, int]:
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int):
        raise overflow()
    mantissa = int(value.scaleb(-exponent, _WIDE))
    return (mantissa, -exponent) if exponent <= 0 else (mantissa * 10**exponent, 0)


def join(mantissa: int, scale: int) -> Number:
    """The number with this mantissa and scale."""
    return mantissa if scale == 0 else Decimal(mantissa).scaleb(-scale, _WIDE)


def _round_half_even(mantissa: int, drop: int) -> int:
    if drop == 0:
        return mantissa
    unit = 10**drop
    quotient, rest = divmod(mantissa, unit)
    twice = rest * 2
    return quotient + (twice > unit or (twice == unit and quotient & 1))


def net_fit(mantissa: int, scale: int) -> Number:
    """Round to what ``System.Decimal`` can hold; raises ``overflow``."""
    size = abs(mantissa)
    drop = max(0, scale - NET_SCALE)
    if size > NET_MAX:
        drop = max(drop, len(str(size)) - 29)
        while drop <= scale and size // 10**drop > NET_MAX:
            drop += 1
    if drop > scale:
        raise overflow()
    rounded = _round_half_even(size, drop)
    if rounded > NET_MAX:
        drop += 1
        if drop > scale:
            raise overflow()
        rounded = _round_half_even(size, drop)
    return join(-rounded if mantissa < 0 else rounded, scale - drop)


def ready_made(value: Decimal) -> Number:
    """1…9 out of a number with one digit before its point. Looking it up would cost a hash, several times as much."""
    whole = value.to_integral_value()
    return int(whole) if whole == value and value > _ZERO else value


def net_settle(value: Decimal) -> Number:
    """The engine keeps ready-made objects for 0…9, so that these lose their scale; scale 0 travels as ``int``."""
    if value.same_quantum(_UNIT):
        return int(value)
    place = value.adjusted()
    if place == 0:
        return ready_made(value)
    return value if place > 0 or value else 0


def settle_scaled(value: Decimal) -> Number:
    """As :func:`net_settle`, for what has a scale for certain: sums and products of which an operand has one."""
    place = value.adjusted()
    if place == 0:
        whole = value.to_integral_value()
        return int(whole) if whole == value and value > _ZERO else value
    return value if place > 0 or value else 0


def _settled(number: Number) -> Number:
    return number if isinstance(number, int) else net_settle(number)


def _align(left: Number, right: Number) -> tuple[int, int, int]:
    a, a_scale = parts(left)
    b, b_scale = parts(right)
    scale = max(a_scale, b_scale)
    return a * 10 ** (scale - a_scale), b * 10 ** (scale - b_scale), scale


def net_add(left: Number, right: Number) -> Number:
    if type(left) is int and type(right) is int:
        return _whole(left + right)
    try:
        return settle_scaled(_add(left, right))
    except TRAPPED:
        return long_add(left, right)


def net_subtract(left: Number, right: Number) -> Number:
    if type(left) is int and type(right) is int:
        return _whole(left - right)
    try:
        return settle_scaled(_subtract(left, right))
    except TRAPPED:
        return long_subtract(left, right)


def net_multiply(left: Number, right: Number) -> Number:
    if type(left) is int and type(right) is int:
        return _whole(left * right)
    try:
        return settle_scaled(_multiply(left, right))
    except TRAPPED:
        return long_multiply(left, right)


_wide_add, _wide_subtract, _wide_multiply = LONG.add, LONG.subtract, LONG.multiply
_narrow_add, _narrow_subtract, _narrow_multiply = _SHORTER.add, _SHORTER.subtract, _SHORTER.multiply
_wide_divide = LONG.divide

# ``long_*`` take operands of any length, an operand having a scale: 29 digits where their mantissa stays below 2**96, else 28;
# each rounded once from the exact result. Slower than ``net_*`` for short operands, much faster where these run into a trap.


def long_add(left: Number, right: Number) -> Number:
    result = _wide_add(left, right)
    place = result.adjusted()
    if place < 0:
        return result or 0
    if place > NET_SCALE or result.copy_abs() > GREATEST[place]:
        return _narrowed(_narrow_add, place, left, right)
    return result if 0 < place < NET_SCALE else net_settle(result)


def long_subtract(left: Number, right: Number) -> Number:
    result = _wide_subtract(left, right)
    place = result.adjusted()
    if place < 0:
        return result or 0
    if place > NET_SCALE or result.copy_abs() > GREATEST[place]:
        return _narrowed(_narrow_subtract, place, left, right)
    return result if 0 < place < NET_SCALE else net_settle(result)


def long_multiply(left: Number, right: Number) -> Number:
    result = _wide_multiply(left, right)
    place = result.adjusted()
    if place < 0:
        return result or 0
    if place > NET_SCALE or result.copy_abs() > GREATEST[place]:
        return _narrowed(_narrow_multiply, place, left, right)
    return result if 0 < place < NET_SCALE else net_settle(result)


def _narrowed(narrow: Callable[[Number, Number], Decimal], place: int, left: Number, right: Number) -> Number:
    if place >= NET_SCALE:
        raise overflow()
    return net_settle(narrow(left, right))


def _whole(result: int) -> int:
    if -NET_MAX <= result <= NET_MAX:
        return result
    raise overflow()


def net_divide(left: Number, right: Number) -> Number:
    """``left / right``; the caller has refused zero.

    An exact quotient keeps the scale ``scale(left) - scale(right)`` where that suffices; else .NET takes as many decimals
    as fit and drops trailing zeros.
    """
    quotient = _wide_divide(left, right)
    return settle_quotient(quotient, str(quotient), left, right)


def settle_quotient(quotient: Decimal, text: str, left: Number, right: Number) -> Number:
    """What .NET makes of ``left / right``, given the quotient by :data:`LONG` and its text."""
    if "E" not in text:
        if len(text) < LONG_TEXT:
            # Shorter than the context allows, hence exact.
            if quotient.adjusted() < NET_SCALE:
                return settle_scaled(quotient) if "." in text else int(text)
        elif text[0] in SURELY_FITS or _fits(quotient):
            if text[-1] != "0":
                return quotient
            if _WIDE.multiply(quotient, right) == left:
                return settle_scaled(quotient)
            shorter = text.rstrip("0")
            if shorter[-1] != ".":
                return Decimal(shorter)
    return _long_divide(left, right)


# With all the digits that fit a text without an exponent has this length, besides a sign.
LONG_TEXT = NET_SCALE + 2
# The greatest mantissa begins with 7.
SURELY_FITS = frozenset("0123456")


def _fits(value: Decimal) -> bool:
    place = value.adjusted()
    return place < 0 or (place < NET_SCALE and LEAST[place] <= value <= GREATEST[place])


def _long_divide(left: Number, right: Number) -> Number:
    """As :func:`net_divide`, by the flags of the context."""
    context = LONG
    context.clear_flags()
    quotient = context.divide(left, right)
    place = quotient.adjusted()
    if place >= 0 and (place > NET_SCALE or quotient.copy_abs() > GREATEST[place]):
        context = _SHORTER
        context.clear_flags()
        quotient = context.divide(left, right)
    if context.flags[decimal.Inexact]:
        quotient = quotient.normalize(context)
        if not quotient:
            return 0
    if place > NET_SCALE or quotient.copy_abs() > _GREATEST:
        raise overflow()
    return net_settle(quotient if place < 0 else LONG.add(quotient, _ZERO))


def net_remainder(left: Number, right: Number) -> Number:
    """``left % right`` with the sign of the dividend; the caller has refused zero."""
    if type(left) is int and type(right) is int:
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    try:
        remainder = _remainder(left, right)
    except TRAPPED:
        return _long_remainder(left, right)
    # A dividend below the divisor is given back as it stands, with its own scale.
    return _settled(left) if remainder == left else settle_scaled(remainder)


def _long_remainder(left: Number, right: Number) -> Number:
    a, b, scale = _align(left, right)
    if abs(a) < abs(b):
        return _settled(left)
    rest = abs(a) % abs(b)
    return _settled(join(-rest if a < 0 else rest, scale))


def negate(value: Number) -> Number:
    return -value if isinstance(value, int) else value.copy_negate()


def net_literal(text: str) -> Number:
    """A number from its digits (``12``, ``1.50``, ``.5``), kept with its scale, rounded to what fits."""
    whole, _, fraction = text.partition(".")
    sign = -1 if whole.startswith("-") else 1
    digits = whole.lstrip("+-") + fraction
    return net_fit(sign * int(digits or "0"), len(fraction))


def plain_text(value: Number) -> str:
    """Digits with all kept decimals and a point, never an exponent, no negative zero."""
    if type(value) is int:
        return str(value)
    text = format(value, "f")
    return text[1:] if text[0] == "-" and not value else text


def round_half_away(value: Number, digits: int) -> Number:
    """Round to ``digits`` decimals (negative: tens, hundreds …), halves away from zero."""
    if isinstance(value, int):
        return value if digits >= 0 else _rounded(value, 0, digits, half_up=True)
    if 0 <= digits <= NET_SCALE:
        rounded = _quantize(value, _QUANTA[digits])
        if rounded != value or (rounded.compare_total_mag(value) > 0):
            return rounded if digits else int(rounded)
        return value
    mantissa, scale = parts(value)
    return _rounded(mantissa, scale, digits, half_up=True)


def round_half_down(value: Number, digits: int) -> Number:
    """Round to ``digits`` decimals, halves towards zero (``РежимОкругления.Окр15как10``)."""
    mantissa, scale = parts(value)
    return _rounded(mantissa, scale, digits, half_up=False)


def _rounded(mantissa: int, scale: int, digits: int, *, half_up: bool) -> Number:
    drop = scale - digits
    if drop <= 0:
        return join(mantissa, scale)
    unit = 10**drop
    quotient, rest = divmod(abs(mantissa), unit)
    twice = rest * 2
    if twice > unit or (half_up and twice == unit):
        quotient += 1
    if mantissa < 0:
        quotient = -quotient
    return join(quotient, digits) if digits > 0 else quotient * 10**-digits


def truncate(value: Number) -> int:
    """The whole part, towards zero."""
    return value if type(value) is int else int(value)


# ── double ↔ decimal ───────────────────────────────────────────────────────────────────────────────────────────────

_POWERS = [float(10**n) for n in range(81)]


def to_double(value: Number) -> float:
    """``(double)decimal`` of .NET: low and high half summed as doubles, then divided by the power of ten."""
    mantissa, scale = parts(value)
    size = abs(mantissa)
    high, low = divmod(size, 2**64)
    result = (float(low) + float(high) * 18446744073709551616.0) / _POWERS[min(scale, 80)]
    return -result if mantissa < 0 else result


def from_double(value: float) -> Number:
    """``(decimal)double`` of .NET: 15 significant digits (VarDecFromR8); raises ``overflow`` (NaN, infinity too)."""
    if value == 0:
        return 0
    if math.isnan(value) or math.isinf(value):
        raise overflow()
    exponent = math.frexp(value)[1]
    if exponent < -94:
        return 0
    if exponent > 96:
        raise overflow()
    mantissa, power = _fifteen_digits(abs(value), 14 - ((exponent * 19728) >> 16))
    if mantissa == 0:
        return 0
    if power < 0:
        return _settled(net_fit((mantissa if value > 0 else -mantissa) * 10**-power, 0))
    limit = min(power, 14)
    while limit > 0 and mantissa % 10 == 0:
        mantissa //= 10
        power -= 1
        limit -= 1
    return _settled(join(mantissa if value > 0 else -mantissa, power))


def _fifteen_digits(size: float, power: int) -> tuple[int, int]:
    if power >= 0:
        power = min(power, NET_SCALE)
        size *= _POWERS[power]
    elif power != -1 or size >= 1e15:
        size /= _POWERS[-power]
    else:
        power = 0
    if size < 1e14 and power < NET_SCALE:
        size *= 10
        power += 1
    return round(size), power


# ── 1C ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

# 1C shows 1/3 with 27 decimals.
ONEC_QUOTIENT_SCALE = 27
# Numbers beyond this many digits are not a program's ordinary business; the engine stops there instead of eating memory.
ONEC_DIGITS = 4000
_ONEC_BITS = ONEC_DIGITS * 3
_ONEC = decimal.Context(prec=ONEC_DIGITS, Emin=-ONEC_DIGITS, Emax=ONEC_DIGITS, rounding=decimal.ROUND_HALF_UP, traps=[])


def onec_normal(value: Number) -> Number:
    """1C keeps no scale: whole numbers become ``int``, trailing zeros go."""
    if isinstance(value, int):
        return value
    text = str(value)
    if text[-1] in "123456789" and "E" not in text and len(text) < ONEC_DIGITS:
        return value if "." in text else int(text)
    if not value.is_finite() or value.adjusted() > ONEC_DIGITS:
        raise overflow()
    whole = int(value)
    return whole if whole == value else value.normalize(_ONEC)


def onec_add(left: Number, right: Number) -> Number:
    if type(left) is int and type(right) is int:
        return left + right
    return onec_normal(_ONEC.add(left, right))


def onec_subtract(left: Number, right: Number) -> Number:
    if type(left) is int and type(right) is int:
        return left - right
    return onec_normal(_ONEC.subtract(left, right))


def onec_multiply(left: Number, right: Number) -> Number:
    if type(left) is int and type(right) is int:
        product = left * right
        if product.bit_length() > _ONEC_BITS:
            raise overflow()
        return product
    return onec_normal(_ONEC.multiply(left, right))


# Quotients of ordinary numbers: digits enough for 27 decimals, the last one telling which side of a half the rest lies.
_ONEC_QUOTIENT = decimal.Context(prec=60, Emin=-999, Emax=999, rounding=decimal.ROUND_05UP, traps=[])
_ONEC_QUANTUM = Decimal(1).scaleb(-ONEC_QUOTIENT_SCALE)
_ORDINARY = Decimal(10**30)


def onec_divide(left: Number, right: Number) -> Number:
    """Quotient to 27 decimals, halves away from zero; the caller has refused zero."""
    if type(left) is int and type(right) is int and left % right == 0:
        return left // right
    quotient = _ONEC_QUOTIENT.divide(left, right)
    if -_ORDINARY < quotient < _ORDINARY:
        return onec_normal(quotient.quantize(_ONEC_QUANTUM, decimal.ROUND_HALF_UP, _ROUND))
    a, b, _ = _align(left, right)
    if a % b == 0:
        return a // b
    negative = (a < 0) != (b < 0)
    shifted, b = abs(a) * 10**ONEC_QUOTIENT_SCALE, abs(b)
    rounded = (2 * shifted + b) // (2 * b)
    return onec_normal(join(-rounded if negative else rounded, ONEC_QUOTIENT_SCALE))


def onec_remainder(left: Number, right: Number) -> Number:
    """Remainder with the sign of the dividend; the caller has refused zero."""
    if type(left) is int and type(right) is int:
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    remainder = _ONEC.remainder(left, right)
    if remainder.is_finite():
        return onec_normal(remainder)
    a, b, scale = _align(left, right)
    rest = abs(a) % abs(b)
    return onec_normal(join(-rest if a < 0 else rest, scale))
