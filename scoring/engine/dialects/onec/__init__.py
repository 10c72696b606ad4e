"""1C:Enterprise 8.3.27, Russian: what it was seen to do, else what its documentation says."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from scoring.engine.dialects.base import Dialect, Number, filled
from scoring.engine.dialects.onec.messages import CONSTRUCTOR_CONTEXT, CONTEXTUAL, METHOD_CONTEXT, RUNTIME
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values import dates, numbers
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
    true_texts: ClassVar[frozenset[str]] = _TRUE_TEXTS
    false_texts: ClassVar[frozenset[str]] = _FALSE_TEXTS

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

    def boolean_word(self, text: str) -> str:
        return text.strip().lower()

    # ── operators ──────────────────────────────────────────────────────────────────────────────────────────────────

    def add(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) is str:
            return self.joined(rt, left, right)
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
        return numbers.onec_divide(number, self.divisor(rt, right))

    def modulo(self, rt: Any, left: Any, right: Any) -> Any:
        number = self.to_number(rt, left)
        return numbers.onec_remainder(number, self.divisor(rt, right))

    def equal(self, rt: Any, left: Any, right: Any) -> bool:
        kind = type(left)
        if kind is type(right):
            return left.same_value(right) if isinstance(left, BslObject) else left == right
        if kind is int or kind is Decimal:
            other = type(right)
            return (other is int or other is Decimal) and left == right
        return isinstance(left, BslObject) and isinstance(right, BslObject) and left.same_value(right)

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
    return filled(RUNTIME, kind, error)
