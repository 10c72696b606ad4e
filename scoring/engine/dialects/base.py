"""What a dialect of the 1C language must define. ``onescript`` and ``onec`` are subclasses with data and small overrides.

Everything where the two genuine engines differ and that more than one place needs goes through here: conversions,
arithmetic outside the fast path, comparison, texts of values, wording of errors.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, NoReturn

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values import dates, numbers
from scoring.engine.values.collation import collation_key
from scoring.engine.values.model import BslObject

Number = int | Decimal

# Texts beyond this length ask for leave before they are built; Python may hold two bytes a character or more.
LONG_TEXT = 1_000_000
# Joining texts beyond this length is work beside the statement.
COPIED_TEXT = 16_384
# Comparing texts longer than this one is, too: so many steps a character.
SHORT_TEXT = 128
COMPARE_STEPS = 32
BYTES_PER_CHARACTER = 2


class Dialect:
    """The rules of one genuine engine. Stateless; one instance per dialect."""

    name: ClassVar[str]
    messages: ClassVar[dict[str, str]]  # error kind → format string over the error's params
    true_texts: ClassVar[frozenset[str]]  # lower-case texts that convert to Истина, and to Ложь
    false_texts: ClassVar[frozenset[str]]

    # conversions; each raises BslRuntimeError as the genuine engine does
    def to_text(self, rt: Any, value: Any) -> str:
        raise NotImplementedError

    def to_number(self, rt: Any, value: Any) -> Number:
        raise NotImplementedError

    def to_boolean(self, rt: Any, value: Any) -> bool:
        kind = type(value)
        if kind is bool:
            return bool(value)
        if kind is int or kind is Decimal:
            return bool(value != 0)
        if kind is str:
            lowered = self.boolean_word(value)
            if lowered in self.true_texts:
                return True
            if lowered in self.false_texts:
                return False
        raise BslRuntimeError("to_boolean")

    def boolean_word(self, text: str) -> str:
        """What of a text is looked up among the words for Истина and Ложь."""
        return text.lower()

    def to_date(self, rt: Any, value: Any) -> datetime:
        if type(value) is datetime:
            return value
        if type(value) is str:
            moment = dates.parse_compact(value)
            if moment is not None:
                return moment
        raise BslRuntimeError("to_date")

    def joined(self, rt: Any, left: str, right: Any) -> str:
        """``left + right`` of a text: the right one's presentation is put behind."""
        added = self.to_text(rt, right)
        if len(left) + len(added) > LONG_TEXT:
            rt.reserve(BYTES_PER_CHARACTER * (len(left) + len(added)))
        if len(left) + len(added) > COPIED_TEXT:
            rt.work(len(left) + len(added) >> 3)
        return left + added

    def divisor(self, rt: Any, value: Any) -> Number:
        number = self.to_number(rt, value)
        if number == 0:
            raise BslRuntimeError("divide_by_zero")
        return number

    # operators, complete (the compiler inlines int and str fast paths and calls these for the rest)
    def add(self, rt: Any, left: Any, right: Any) -> Any:
        raise NotImplementedError

    def subtract(self, rt: Any, left: Any, right: Any) -> Any:
        raise NotImplementedError

    def multiply(self, rt: Any, left: Any, right: Any) -> Any:
        raise NotImplementedError

    def divide(self, rt: Any, left: Any, right: Any) -> Any:
        raise NotImplementedError

    def modulo(self, rt: Any, left: Any, right: Any) -> Any:
        raise NotImplementedError

    def negate(self, rt: Any, value: Any) -> Any:
        return numbers.negate(self.to_number(rt, value))

    def plus(self, rt: Any, value: Any) -> Any:
        """Unary plus."""
        return self.to_number(rt, value)

    def equal(self, rt: Any, left: Any, right: Any) -> bool:
        raise NotImplementedError

    def compare(self, rt: Any, left: Any, right: Any) -> int:
        """Negative, zero or positive; raises where the genuine engine refuses to order the two."""
        raise NotImplementedError

    def less(self, rt: Any, left: Any, right: Any) -> bool:
        return self.compare(rt, left, right) < 0

    def less_or_equal(self, rt: Any, left: Any, right: Any) -> bool:
        return self.compare(rt, left, right) <= 0

    def greater(self, rt: Any, left: Any, right: Any) -> bool:
        """``left > right``; not ``less(right, left)``, since the error names the operands in their order."""
        return not self.less_or_equal(rt, left, right)

    def greater_or_equal(self, rt: Any, left: Any, right: Any) -> bool:
        return not self.less(rt, left, right)

    # texts
    def object_text(self, names: tuple[str, str]) -> str:
        """What ``Строка(object)`` gives for an object without a text of its own."""
        return names[0]

    def type_text(self, names: tuple[str, str]) -> str:
        """A type's name as this engine shows it."""
        raise NotImplementedError

    def render(self, error: BslRuntimeError) -> str:
        """The error's description as the genuine engine words it."""
        raise NotImplementedError

    def render_russian(self, error: BslRuntimeError) -> str:
        """The description for Russian readers; the same as :meth:`render` where the engine speaks Russian itself."""
        return self.render(error)

    def map_key(self, value: Any) -> Any:
        """A hashable key under which equal 1C values meet (True and 1 apart, 1 and 1.0 together)."""
        kind = type(value)
        if kind is str or kind is int or kind is Decimal or value is None:
            return value
        if kind is bool:
            return bool, value
        return value.map_key() if isinstance(value, BslObject) else value

    def sort_key_text(self, text: str) -> Any:
        """A key that orders strings as the engine's collation does."""
        return collation_key(text)

    def unsupported(self, what: str) -> NoReturn:
        from scoring.engine.errors import NotSupported

        raise NotSupported(what)


def filled(catalogue: dict[str, str], kind: str, error: BslRuntimeError) -> str:
    """The catalogue's wording of ``kind`` with the error's params; the bare kind where there is none."""
    template = catalogue.get(kind)
    if template is None:
        return error.kind
    try:
        return template.format_map(error.params)
    except (KeyError, IndexError):
        return template
