"""Query texts inside string literals: from an offset of the query's text to one of the module's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.engine.syntax.tokens import Kind, Token

_QUERY = re.compile(r"\s*(?:ВЫБРАТЬ|SELECT|УНИЧТОЖИТЬ|DROP)\b", re.IGNORECASE)
_PART = re.compile(r'"(?P<close>")?|\n(?:[ \t\f\v\r\ufeff\xa0]|//[^\n]*|\n)*\||[^"\n]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class QueryLiteral:
    """``text`` is the query; ``offsets[i]`` is where its i-th character stands in the module (one more for its end)."""

    text: str
    offsets: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The module's span of ``text[start:end]``."""
        return self.offsets[start], (self.offsets[end - 1] + self._width(end - 1) if end > start else self.offsets[start])

    def _width(self, index: int) -> int:
        return 2 if self.text[index] == '"' else 1

    def written(self, replacement: str, at: int) -> str:
        """``replacement`` as it must be written inside the literal."""
        return replacement.replace('"', '""').replace("\n", "\n|")


def query_literals(tokens: list[Token]) -> list[QueryLiteral]:
    """Every literal that holds the text of a query, as far as its first word tells."""
    found = []
    for token in tokens:
        if token.kind is Kind.STRING and isinstance(token.value, str) and _QUERY.match(token.value):
            literal = _mapped(token)
            if literal is not None:
                found.append(literal)
    return found


def _mapped(token: Token) -> QueryLiteral | None:
    """The literal with its offsets; None for one written as several in a row, which nobody does to a query."""
    text, offsets, inner = token.text, [], token.text[1:-1]
    at = 1
    while at <= len(inner):
        found = _PART.match(text, at, len(text) - 1)
        if found is None or (found.group() == '"'):
            return None
        offsets.append(token.start + found.start())
        at = found.end()
    offsets.append(token.end - 1)
    return QueryLiteral(token.value, tuple(offsets)) if len(offsets) == len(token.value) + 1 else None
