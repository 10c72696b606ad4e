"""What a dialect of the 1C language must define. ``onescript`` and ``onec`` are subclasses with data and small overrides.

Everything where the two genuine engines differ and that more than one place needs goes through here: conversions,
arithmetic outside the fast path, comparison, texts of values, wording of errors.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar, NoReturn

from scoring.engine.errors import BslRuntimeError

Number = int | Decimal


class Dialect:
    """The rules of one genuine engine. Stateless; one instance per dialect."""

    name: ClassVar[str]
    messages: ClassVar[dict[str, str]]  # error kind → format string over the error's params

    # conversions; each raises BslRuntimeError as the genuine engine does
    def to_text(self, rt: Any, value: Any) -> str:
        raise NotImplementedError

    def to_number(self, rt: Any, value: Any) -> Number:
        raise NotImplementedError

    def to_boolean(self, rt: Any, value: Any) -> bool:
        raise NotImplementedError

    def to_date(self, rt: Any, value: Any) -> Any:
        raise NotImplementedError

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
        raise NotImplementedError

    def plus(self, rt: Any, value: Any) -> Any:
        """Unary plus."""
        raise NotImplementedError

    def equal(self, rt: Any, left: Any, right: Any) -> bool:
        raise NotImplementedError

    def less(self, rt: Any, left: Any, right: Any) -> bool:
        """``left < right``; raises where the genuine engine refuses to order the two."""
        raise NotImplementedError

    def less_or_equal(self, rt: Any, left: Any, right: Any) -> bool:
        raise NotImplementedError

    def greater(self, rt: Any, left: Any, right: Any) -> bool:
        """``left > right``; not ``less(right, left)``, since the error names the operands in their order."""
        return not self.less_or_equal(rt, left, right)

    def greater_or_equal(self, rt: Any, left: Any, right: Any) -> bool:
        return not self.less(rt, left, right)

    # texts
    def object_text(self, names: tuple[str, str]) -> str:
        """What ``Строка(object)`` gives for an object without a text of its own."""
        raise NotImplementedError

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
        raise NotImplementedError

    def sort_key_text(self, text: str) -> Any:
        """A key that orders strings as the engine's collation does."""
        raise NotImplementedError

    def unsupported(self, what: str) -> NoReturn:
        from scoring.engine.errors import NotSupported

        raise NotSupported(what)
