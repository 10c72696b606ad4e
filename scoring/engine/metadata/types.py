"""Descriptions of types: what a field may hold, and how a value is fitted to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from scoring.engine.metadata.kinds import Names
from scoring.engine.values.model import EMPTY_DATE
from scoring.engine.values.types import BOOLEAN, DATE, NUMBER, STRING, UNDEFINED

PRIMITIVE_DEFAULTS: dict[str, Any] = {NUMBER[0]: 0, STRING[0]: "", BOOLEAN[0]: False, DATE[0]: EMPTY_DATE}
PRIMITIVES: dict[str, Names] = {spelled.lower(): names for names in (NUMBER, STRING, BOOLEAN, DATE) for spelled in names}
DATE_PARTS: dict[str, str] = {
    "датавремя": "DateTime",
    "datetime": "DateTime",
    "дата": "Date",
    "date": "Date",
    "время": "Time",
    "time": "Time",
}


@dataclass(frozen=True, slots=True)
class TypeDescription:
    """Types a value may have, with their qualifiers.

    ``names``: (Russian, English) names of types, in the order declared. ``digits``/``fraction``: length and precision of
    numbers (0 digits = unlimited); ``length``: of strings (0 = unlimited); ``date_parts``: ``DateTime``, ``Date`` or
    ``Time``.
    """

    names: tuple[Names, ...] = ()
    digits: int = 0
    fraction: int = 0
    nonnegative: bool = False
    length: int = 0
    fixed_length: bool = False
    date_parts: str = "DateTime"

    @property
    def is_composite(self) -> bool:
        return len(self.names) > 1

    @property
    def single(self) -> Names | None:
        return self.names[0] if len(self.names) == 1 else None

    def allows(self, names: Names) -> bool:
        """Whether values of the type ``names`` conform."""
        return names in self.names

    @property
    def unlimited_string(self) -> bool:
        return STRING in self.names and self.length == 0

    def united(self, other: TypeDescription) -> TypeDescription:
        """The description that takes in both (columns of a union, of ``ВЫБОР``)."""
        names = self.names + tuple(names for names in other.names if names not in self.names)
        whole = max(self.digits - self.fraction, other.digits - other.fraction)
        fraction = max(self.fraction, other.fraction)
        limited = self.digits and other.digits
        length = 0 if self.unlimited_string or other.unlimited_string else max(self.length, other.length)
        return replace(
            self,
            names=names,
            digits=whole + fraction if limited else max(self.digits, other.digits),
            fraction=fraction,
            length=length,
            date_parts=self.date_parts if self.date_parts == other.date_parts else "DateTime",
        )


def number_type(digits: int = 0, fraction: int = 0) -> TypeDescription:
    return TypeDescription((NUMBER,), digits=digits, fraction=fraction)


def string_type(length: int = 0) -> TypeDescription:
    return TypeDescription((STRING,), length=length)


BOOLEAN_TYPE = TypeDescription((BOOLEAN,))
DATE_TYPE = TypeDescription((DATE,))
UNDEFINED_TYPE = TypeDescription((UNDEFINED,))


def fit_number(value: int | Decimal, description: TypeDescription) -> int | Decimal:
    """Round half away from zero to the precision and clip to the digits, as assignment to a typed field does."""
    if description.digits == 0:
        return value
    result: int | Decimal = value
    if isinstance(value, Decimal):
        step = Decimal(1).scaleb(-description.fraction)
        try:
            rounded = value.quantize(step, ROUND_HALF_UP)
        except InvalidOperation:
            rounded = value
        result = int(rounded) if rounded == rounded.to_integral_value() else rounded.normalize()
    if description.nonnegative and result < 0:
        return 0
    limit = 10 ** (description.digits - description.fraction)
    if -limit < result < limit:
        return result
    largest = Decimal(10**description.digits - 1).scaleb(-description.fraction)
    fitted = largest if result > 0 else -largest
    return fitted if description.fraction else int(fitted)


def fit_string(value: str, description: TypeDescription) -> str:
    length = description.length
    if length == 0:
        return value
    cut = value[:length]
    return cut.ljust(length) if description.fixed_length else cut.rstrip(" ") if len(value) > length else cut


def fit_date(value: datetime, description: TypeDescription) -> datetime:
    if description.date_parts == "Date":
        return value.replace(hour=0, minute=0, second=0, microsecond=0)
    if description.date_parts == "Time":
        return value.replace(year=1, month=1, day=1, microsecond=0)
    return value.replace(microsecond=0) if value.microsecond else value


def parse_number(text: str) -> int | Decimal | None:
    """The number written in ``text`` (spaces as group separators, comma or point), or None."""
    cleaned = text.replace("\u00a0", "").replace(" ", "").replace(",", ".")
    try:
        value = Decimal(cleaned)
    except InvalidOperation:
        return None
    if not value.is_finite():
        return None
    return int(value) if value == value.to_integral_value() else value


def parse_date(text: str) -> datetime | None:
    """The date written as ``ГГГГММДД[ЧЧММСС]``, or None."""
    digits = "".join(ch for ch in text if ch.isdigit())
    for form, size in (("%Y%m%d%H%M%S", 14), ("%Y%m%d", 8)):
        if len(digits) == size:
            try:
                return datetime.strptime(digits, form)
            except ValueError:
                return None
    return None
