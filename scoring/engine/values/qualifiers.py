"""Qualifiers of types: КвалификаторыЧисла, КвалификаторыСтроки, КвалификаторыДаты, КвалификаторыДвоичныхДанных."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values import dates, numbers
from scoring.engine.values.enums import EnumType, EnumValue, define_enum
from scoring.engine.values.members import constructor, prop
from scoring.engine.values.model import EMPTY_DATE, MISSING, BslObject
from scoring.engine.values.numbers import Number

_CLR = "OneScript.StandardLibrary.TypeDescriptions."
ALLOWED_SIGN = define_enum(
    "ДопустимыйЗнак",
    "AllowedSign",
    [("Любой", "Any"), ("Неотрицательный", "Nonnegative")],
    clr_enum=_CLR + "AllowedSignEnum",
)
ALLOWED_LENGTH = define_enum(
    "ДопустимаяДлина",
    "AllowedLength",
    [("Переменная", "Variable"), ("Фиксированная", "Fixed")],
    clr_enum=_CLR + "AllowedLengthEnum",
)
DATE_FRACTIONS = define_enum(
    "ЧастиДаты",
    "DateFractions",
    [("Дата", "Date"), ("ДатаВремя", "DateTime"), ("Время", "Time")],
    clr_enum=_CLR + "DateFractionsEnum",
)


def size_argument(rt: Any, value: Any, number: int, owner: str) -> int:
    """A size given to a constructor: whole, of 32 bits, not negative; left out = 0."""
    if value is MISSING or value is None:
        return 0
    size = numbers.truncate(rt.number(value))
    if abs(size) >= 2**31:
        raise BslRuntimeError("overflow_int")
    if size < 0:
        raise BslRuntimeError("argument_value", number=number, constructor=owner)
    return size


def enum_argument(value: Any, enum: EnumType, default: str, number: int, owner: str) -> EnumValue:
    """A value of ``enum`` given to a constructor; left out = ``default``."""
    if value is MISSING or value is None:
        return enum[default]
    if isinstance(value, EnumValue) and value.owner is enum:
        return value
    raise BslRuntimeError("argument_type", number=number, constructor=owner)


class NumberQualifiers(BslObject):
    """``digits`` in all (0 = no limit), of them ``fraction`` behind the point."""

    __slots__ = ("digits", "fraction", "sign")
    type_name = ("КвалификаторыЧисла", "NumberQualifiers")

    def __init__(self, digits: int = 0, fraction: int = 0, sign: EnumValue | None = None) -> None:
        self.digits = digits
        self.fraction = fraction
        self.sign = sign or ALLOWED_SIGN["Any"]

    @prop("Разрядность", "Digits")
    def get_digits(self, rt: Any) -> int:
        return self.digits

    @prop("РазрядностьДробнойЧасти", "FractionDigits")
    def get_fraction(self, rt: Any) -> int:
        return self.fraction

    @prop("ДопустимыйЗнак", "AllowedSign")
    def get_sign(self, rt: Any) -> EnumValue:
        return self.sign

    def adjust(self, value: Number) -> Number:
        """Round to the fraction; beyond the digits the greatest number that fits; negative ones to 0 where refused."""
        if value < 0 and self.sign is ALLOWED_SIGN["Nonnegative"]:
            return 0
        if not self.digits:
            return value
        fraction = min(self.fraction, numbers.NET_SCALE)
        rounded = numbers.round_half_away(value, fraction)
        if self.digits > numbers.NET_SCALE + fraction:
            return rounded  # (no number has more digits)
        limit = numbers.join(10**self.digits - 1, fraction)
        if rounded > limit:
            return limit
        lowest = numbers.negate(limit)
        return lowest if rounded < lowest else rounded


class LengthQualifiers(BslObject):
    """``length`` 0 = no limit."""

    __slots__ = ("length", "allowed")

    def __init__(self, length: int = 0, allowed: EnumValue | None = None) -> None:
        self.length = length
        self.allowed = allowed or ALLOWED_LENGTH["Variable"]

    @prop("Длина", "Length")
    def get_length(self, rt: Any) -> int:
        return self.length

    @prop("ДопустимаяДлина", "AllowedLength")
    def get_allowed(self, rt: Any) -> EnumValue:
        return self.allowed


class StringQualifiers(LengthQualifiers):
    __slots__ = ()
    type_name = ("КвалификаторыСтроки", "StringQualifiers")

    def adjust(self, rt: Any, value: str) -> str:
        if not self.length:
            return value
        cut = value[: self.length]
        if self.allowed is not ALLOWED_LENGTH["Fixed"]:
            return cut
        rt.reserve(2 * self.length)
        return cut.ljust(self.length)


class DateQualifiers(BslObject):
    __slots__ = ("fractions",)
    type_name = ("КвалификаторыДаты", "DateQualifiers")

    def __init__(self, fractions: EnumValue | None = None) -> None:
        self.fractions = fractions or DATE_FRACTIONS["DateTime"]

    @prop("ЧастиДаты", "DateFractions")
    def get_fractions(self, rt: Any) -> EnumValue:
        return self.fractions

    def adjust(self, value: datetime) -> datetime:
        if self.fractions is DATE_FRACTIONS["Date"]:
            return dates.begin_of_day(value)
        if self.fractions is DATE_FRACTIONS["Time"]:
            return EMPTY_DATE.replace(hour=value.hour, minute=value.minute, second=value.second)
        return value


class BinaryDataQualifiers(LengthQualifiers):
    __slots__ = ()
    type_name = ("КвалификаторыДвоичныхДанных", "BinaryDataQualifiers")


@constructor("КвалификаторыЧисла", "NumberQualifiers")
def new_number_qualifiers(rt: Any, digits: Any = MISSING, fraction: Any = MISSING, sign: Any = MISSING) -> Any:
    owner = NumberQualifiers.type_name[0]
    return NumberQualifiers(
        size_argument(rt, digits, 1, owner),
        size_argument(rt, fraction, 2, owner),
        enum_argument(sign, ALLOWED_SIGN, "Any", 3, owner),
    )


@constructor("КвалификаторыСтроки", "StringQualifiers")
def new_string_qualifiers(rt: Any, length: Any = MISSING, allowed: Any = MISSING) -> Any:
    owner = StringQualifiers.type_name[0]
    return StringQualifiers(
        size_argument(rt, length, 1, owner), enum_argument(allowed, ALLOWED_LENGTH, "Variable", 2, owner)
    )


@constructor("КвалификаторыДаты", "DateQualifiers")
def new_date_qualifiers(rt: Any, fractions: Any = MISSING) -> Any:
    return DateQualifiers(enum_argument(fractions, DATE_FRACTIONS, "DateTime", 1, DateQualifiers.type_name[0]))


@constructor("КвалификаторыДвоичныхДанных", "BinaryDataQualifiers")
def new_binary_qualifiers(rt: Any, length: Any = MISSING, allowed: Any = MISSING) -> Any:
    owner = BinaryDataQualifiers.type_name[0]
    return BinaryDataQualifiers(
        size_argument(rt, length, 1, owner), enum_argument(allowed, ALLOWED_LENGTH, "Variable", 2, owner)
    )


Qualifier = NumberQualifiers | StringQualifiers | DateQualifiers | BinaryDataQualifiers
_NUMERIC = (int, Decimal)


def is_number(value: Any) -> bool:
    return type(value) in _NUMERIC
