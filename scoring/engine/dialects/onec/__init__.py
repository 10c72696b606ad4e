"""1C:Enterprise 8.3.27, Russian: what it was seen to do, else what its documentation says."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from scoring.engine.dialects.base import Dialect, Number
from scoring.engine.dialects.onec.messages import CONSTRUCTOR_CONTEXT, CONTEXTUAL, METHOD_CONTEXT, RUNTIME
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values import dates, numbers
from scoring.engine.values.collation import collation_key
from scoring.engine.values.collation import compare as compare_texts
from scoring.engine.values.model import BslObject
from scoring.engine.values.text import parse_onec_number

NBSP = "\xa0"
_TRUE_TEXTS = frozenset({"истина", "true", "да", "yes"})
_FALSE_TEXTS = frozenset({"ложь", "false", "нет", "no"})
_ORDERED = (bool, str, datetime)
_CAMEL = re.compile(r"(?<=[а-яёa-z])(?=[А-ЯЁA-Z])|(?<=[а-яё]И)(?=[А-ЯЁ])")


class OneC(Dialect):
    """The rules of 1C; stateless."""

    name: ClassVar[str] = "onec"
    messages: ClassVar[dict[str, str]] = RUNTIME

    # ── conversions ────────────────────────────────────────────────────────────────────────────────────────────────

    def to_text(self, rt: Any, value: Any) -> str:
        kind = type(value)
        if kind is str:
            return value
        if kind is int or kind is Decimal:
            return number_text(value)
        if kind is bool:
            return "Да" if value else "Нет"
        if kind is datetime:
            return date_text(value)
        if isinstance(value, BslObject):
            return value.presentation(rt)
        return ""

    def to_number(self, rt: Any, value: Any) -> Number:
        kind = type(value)
        if kind is int or kind is Decimal:
            return value
        if kind is bool:
            return int(value)
        if kind is str:
            found = parse_onec_number(value)
            if found is not None:
                sign, whole, decimals = found
                size = numbers.join(int((whole + decimals) or "0"), len(decimals))
                return numbers.onec_normal(numbers.negate(size) if sign == "-" else size)
        raise BslRuntimeError("to_number")

    def to_boolean(self, rt: Any, value: Any) -> bool:
        kind = type(value)
        if kind is bool:
            return value
        if kind is int or kind is Decimal:
            return value != 0
        if kind is str:
            lowered = value.strip().lower()
            if lowered in _TRUE_TEXTS:
                return True
            if lowered in _FALSE_TEXTS:
                return False
        raise BslRuntimeError("to_boolean")

    def to_date(self, rt: Any, value: Any) -> datetime:
        if type(value) is datetime:
            return value
        if type(value) is str:
            moment = dates.parse_compact(value)
            if moment is not None:
                return moment
        raise BslRuntimeError("to_date")

    # ── operators ──────────────────────────────────────────────────────────────────────────────────────────────────

    def add(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) is str:
            added = self.to_text(rt, right)
            if len(left) + len(added) > 1_000_000:
                rt.reserve(2 * (len(left) + len(added)))
            return left + added
        if type(left) is datetime:
            return dates.onec_add_seconds(left, self.to_number(rt, right))
        number = self.to_number(rt, left)
        return numbers.onec_add(number, self.to_number(rt, right))

    def subtract(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) is datetime:
            if type(right) is datetime:
                return dates.seconds_between(left, right)
            return dates.onec_add_seconds(left, numbers.negate(self.to_number(rt, right)))
        number = self.to_number(rt, left)
        return numbers.onec_subtract(number, self.to_number(rt, right))

    def multiply(self, rt: Any, left: Any, right: Any) -> Any:
        number, other = self.to_number(rt, left), self.to_number(rt, right)
        if type(number) is int and type(other) is int:
            rt.reserve((number.bit_length() + other.bit_length()) // 8)
        return numbers.onec_multiply(number, other)

    def divide(self, rt: Any, left: Any, right: Any) -> Any:
        number = self.to_number(rt, left)
        return numbers.onec_divide(number, self._divisor(rt, right))

    def modulo(self, rt: Any, left: Any, right: Any) -> Any:
        number = self.to_number(rt, left)
        return numbers.onec_remainder(number, self._divisor(rt, right))

    def _divisor(self, rt: Any, value: Any) -> Number:
        divisor = self.to_number(rt, value)
        if divisor == 0:
            raise BslRuntimeError("divide_by_zero")
        return divisor

    def negate(self, rt: Any, value: Any) -> Any:
        return numbers.negate(self.to_number(rt, value))

    def plus(self, rt: Any, value: Any) -> Any:
        return self.to_number(rt, value)

    def equal(self, rt: Any, left: Any, right: Any) -> bool:
        kind = type(left)
        if kind is type(right):
            return left.same_value(right) if isinstance(left, BslObject) else left == right
        if kind is int or kind is Decimal:
            other = type(right)
            return (other is int or other is Decimal) and left == right
        return isinstance(left, BslObject) and isinstance(right, BslObject) and left.same_value(right)

    def less(self, rt: Any, left: Any, right: Any) -> bool:
        return self.compare(rt, left, right) < 0

    def less_or_equal(self, rt: Any, left: Any, right: Any) -> bool:
        return self.compare(rt, left, right) <= 0

    def compare(self, rt: Any, left: Any, right: Any) -> int:
        """Negative, zero or positive; raises ``comparison`` unless both are of one ordered primitive type."""
        kind, other = type(left), type(right)
        if (kind is int or kind is Decimal) and (other is int or other is Decimal):
            return (left > right) - (left < right)
        if kind is not other or kind not in _ORDERED:
            raise BslRuntimeError("comparison")
        if kind is not str:
            return (left > right) - (left < right)
        return compare_texts(left, right)

    # ── texts ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def object_text(self, names: tuple[str, str]) -> str:
        return names[0]

    def type_text(self, names: tuple[str, str]) -> str:
        """«ТаблицаЗначений» shows as «Таблица значений»; names with a dot have presentations of their own."""
        name = names[0]
        kind, dot, owner = name.partition(".")
        if dot:
            return owner if kind.endswith("Ссылка") else name  # a type of references is shown as its object
        first, *others = _CAMEL.split(name)
        return " ".join([first, *(word if word.isupper() and len(word) > 1 else word.lower() for word in others)])

    def render(self, error: BslRuntimeError) -> str:
        reason = error.text if error.text is not None else _fill(error)
        if error.kind in CONTEXTUAL:
            if "constructor" in error.params:
                return CONSTRUCTOR_CONTEXT.format(name=error.params["constructor"], reason=reason)
            if "method" in error.params:
                return METHOD_CONTEXT.format(name=error.params["method"], reason=reason)
        return reason

    def map_key(self, value: Any) -> Any:
        kind = type(value)
        if kind is str or kind is int or kind is Decimal or value is None:
            return value
        if kind is bool:
            return bool, value
        return value.map_key() if isinstance(value, BslObject) else value

    def sort_key_text(self, text: str) -> Any:
        return collation_key(text)


def number_text(value: Number) -> str:
    """``1 234 567,5``: groups of three parted by a no-break space, a decimal comma, no trailing zeros."""
    text = numbers.plain_text(numbers.onec_normal(value))
    sign = "-" if text.startswith("-") else ""
    whole, _, decimals = text.lstrip("-").partition(".")
    grouped = f"{int(whole):,}".replace(",", NBSP)
    return sign + grouped + ("," + decimals if decimals else "")


def date_text(moment: datetime) -> str:
    """``dd.MM.yyyy H:mm:ss``."""
    return (
        f"{moment.day:02}.{moment.month:02}.{moment.year:04} {moment.hour}:{moment.minute:02}:{moment.second:02}"
    )


def _fill(error: BslRuntimeError) -> str:
    kind = error.kind
    if "number" in error.params:  # where the argument is known, 1C names it
        kind = {"argument_type_any": "argument_type", "argument_invalid": "argument_value"}.get(kind, kind)
    template = RUNTIME.get(kind)
    if template is None:
        return error.kind
    try:
        return template.format_map(error.params)
    except (KeyError, IndexError):
        return template
