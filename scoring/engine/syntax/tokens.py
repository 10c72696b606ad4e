"""Tokens of the language."""

from __future__ import annotations

from enum import IntEnum
from typing import Any


class Kind(IntEnum):
    """What a token is. ``WORD`` covers names and reserved words; ``code`` tells them apart."""

    WORD = 1
    NUMBER = 2
    STRING = 3
    DATE = 4
    OPERATOR = 5
    ANNOTATION = 6
    LABEL = 7
    ERROR = 8
    END = 9


class Token:
    """``code``: for a reserved word its code, for an operator its text, ``""`` for a plain name or a literal.

    ``start``/``end`` are offsets into the text; ``line``/``column`` count from 1. ``value`` is a literal's value, or of an
    ``ERROR`` token the pair (kind, parameters) of the lexical error.
    """

    __slots__ = ("code", "column", "end", "kind", "line", "start", "text", "value")

    def __init__(self, kind: Kind, code: str, text: str, start: int, end: int, line: int, column: int, value: Any = None) -> None:
        self.kind = kind
        self.code = code
        self.text = text
        self.start = start
        self.end = end
        self.line = line
        self.column = column
        self.value = value

    def __repr__(self) -> str:
        return f"<{self.kind.name} {self.code or self.text!r} {self.line}:{self.column}>"
