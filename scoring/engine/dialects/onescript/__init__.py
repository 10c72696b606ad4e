"""OneScript 2.0.1 as recorded: .NET decimals, invariant culture, strict conversions."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from scoring.engine.dialects.base import COMPARE_STEPS, SHORT_TEXT, Dialect, Number, filled
from scoring.engine.dialects.onescript.clr import class_name
from scoring.engine.dialects.onescript.messages import RUNTIME, RUSSIAN
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values import dates, numbers
from scoring.engine.values.collation import compare as compare_texts
from scoring.engine.values.model import MISSING, NULL, BslObject
from scoring.engine.values.text import parse_net_number
from scoring.engine.values.types import TypeValue, type_names

_TRUE_TEXTS = frozenset({"истина", "true", "да"})
_FALSE_TEXTS = frozenset({"ложь", "false", "нет"})
_NUMERIC = frozenset({int, Decimal})
_UNKNOWN_TYPE = "$UnknownType$"


class OneScript(Dialect):
    """The rules of OneScript; stateless."""

    name: ClassVar[str] = "onescript"
    messages: ClassVar[dict[str, str]] = RUNTIME
    true_texts: ClassVar[frozenset[str]] = _TRUE_TEXTS
    false_texts: ClassVar[frozenset[str]] = _FALSE_TEXTS

    # ── conversions ────────────────────────────────────────────────────────────────────────────────────────────────

    def to_text(self, rt: Any, value: Any) -> str:
        kind = type(value)
        if kind is str:
            return value
        if kind is int:
            return str(value)
        if value is None:
            return ""
        if kind is Decimal:
            return numbers.plain_text(value)
        if kind is bool:
            return "True" if value else "False"
        if kind is datetime:
            return _date_text(value)
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
            number = parse_net_number(value)
            if number is None:
                raise BslRuntimeError("to_number", source="(null)")
            return number
        raise BslRuntimeError("to_number", source=f"{class_name(value)}: {self.to_text(rt, value)}")

    # ── operators ──────────────────────────────────────────────────────────────────────────────────────────────────

    def add(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) in _NUMERIC and type(right) in _NUMERIC:
            return numbers.net_add(left, right)
        if type(left) is str:
            return self.joined(rt, left, right)
        if type(left) is datetime:
            return dates.net_add_seconds(left, self.to_number(rt, right))
        number = self.to_number(rt, left)
        return numbers.net_add(number, self.to_number(rt, right))

    def subtract(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) in _NUMERIC and type(right) in _NUMERIC:
            return numbers.net_subtract(left, right)
        if type(left) is datetime:
            if type(right) is datetime:
                return dates.seconds_between(left, right)
            return dates.net_add_seconds(left, numbers.negate(self.to_number(rt, right)))
        number = self.to_number(rt, left)
        return numbers.net_subtract(number, self.to_number(rt, right))

    def multiply(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) in _NUMERIC and type(right) in _NUMERIC:
            return numbers.net_multiply(left, right)
        number = self.to_number(rt, left)
        return numbers.net_multiply(number, self.to_number(rt, right))

    def divide(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) in _NUMERIC and type(right) in _NUMERIC and right:
            return numbers.net_divide(left, right)
        divisor = self.divisor(rt, right)
        return numbers.net_divide(self.to_number(rt, left), divisor)

    def modulo(self, rt: Any, left: Any, right: Any) -> Any:
        if type(left) in _NUMERIC and type(right) in _NUMERIC and right:
            return numbers.net_remainder(left, right)
        divisor = self.divisor(rt, right)
        return numbers.net_remainder(self.to_number(rt, left), divisor)

    def equal(self, rt: Any, left: Any, right: Any) -> bool:
        kind = type(left)
        if kind is type(right):
            return left.same_value(right) if isinstance(left, BslObject) else left == right
        if kind is int or kind is Decimal:
            # A boolean on the right counts as 1 or 0; on the left it does not.
            other = type(right)
            return (other is int or other is Decimal or other is bool) and left == right
        return isinstance(left, BslObject) and isinstance(right, BslObject) and left.same_value(right)

    def compare(self, rt: Any, left: Any, right: Any) -> int:
        """Negative, zero or positive; raises ``comparison`` for what has no order."""
        kind, other = type(left), type(right)
        if kind is int or kind is Decimal or kind is bool:
            if other is int or other is Decimal or other is bool:
                return (left > right) - (left < right)
        elif kind is other and kind is str:
            if len(left) > SHORT_TEXT < len(right):
                rt.work(min(len(left), len(right)) * COMPARE_STEPS)
            return compare_texts(left, right)
        elif kind is other and kind is datetime:
            return (left > right) - (left < right)
        elif isinstance(left, BslObject) and kind is not TypeValue:
            if kind is other and hasattr(left, "sort_key"):
                a, b = left.sort_key(), right.sort_key()
                return (a > b) - (a < b)
            raise BslRuntimeError("comparison")
        raise BslRuntimeError("comparison_types", left=_type_word(left), right=_type_word(right))

    # ── texts ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def type_text(self, names: tuple[str, str]) -> str:
        return names[1]

    def render(self, error: BslRuntimeError) -> str:
        return error.text if error.text is not None else filled(RUNTIME, error.kind, error)

    def render_russian(self, error: BslRuntimeError) -> str:
        if error.text is not None:
            return error.text
        return filled(RUSSIAN if error.kind in RUSSIAN else RUNTIME, error.kind, error)


def _date_text(moment: datetime) -> str:
    return (
        f"{moment.month:02}/{moment.day:02}/{moment.year:04} "
        f"{moment.hour:02}:{moment.minute:02}:{moment.second:02}"
    )


def _type_word(value: Any) -> str:
    """The type's name inside messages about comparison: always the Russian one."""
    if value is MISSING:
        return _UNKNOWN_TYPE
    return "Null" if value is NULL else type_names(value)[0]
