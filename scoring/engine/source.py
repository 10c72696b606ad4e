"""Source texts of the 1C language and positions inside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a source text: ``line`` and ``column``, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Source:
    """A module's text together with the name that messages use for it.

    ``name`` is the module's presentation, as the genuine engine would print it (``<module>`` for a lone
    OneScript module, ``ОбщийМодуль.КодКандидата.Модуль`` for a 1C common module).
    """

    text: str
    name: str = "<module>"

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The text's lines without their ends; CRLF, CR and LF all end a line."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    def line(self, number: int) -> str:
        """Line ``number`` (from 1), or an empty string outside the text."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""
