"""Query text → tokens. Comments and the braces of query builders are dropped here."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.engine.query.failures import syntax_error
from scoring.engine.query.words import KEYWORDS

WORD, NUMBER, STRING, PARAMETER, OPERATOR, UNKNOWN, END = "word", "number", "string", "parameter", "operator", "unknown", "end"

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
    |(?P<word>[^\W\d]\w*)
    |(?P<number>\d+(?:\.\d+)?(?!\w))
    |(?P<string>"(?:[^"]|"")*")
    |(?P<parameter>&[^\W\d]\w*)
    |(?P<operator><=|>=|<>|[-+*/=<>(),.;])
    |(?P<brace>[{}])
    |(?P<unknown>[^\s(),.;=<>+*/"&{}-]+|.)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """``keyword`` is the canonical Russian word where the token spells one, else an empty string."""

    kind: str
    text: str
    at: int
    keyword: str = ""

    @property
    def end(self) -> int:
        return self.at + len(self.text)


def tokenize(text: str) -> list[Token]:
    """All tokens with a closing END; raises :class:`QueryError` for an unbalanced brace."""
    tokens: list[Token] = []
    position, length, last = 0, len(text), 0
    while position < length:
        match = _TOKEN.match(text, position)
        assert match is not None
        kind = match.lastgroup or UNKNOWN
        position = match.end()
        if kind == "skip":
            continue
        if kind == "brace":
            position = _after_braces(text, match.start())
            continue
        value = match.group()
        tokens.append(Token(kind, value, match.start(), KEYWORDS.get(value.upper(), "") if kind == WORD else ""))
        last = position
    tokens.append(Token(END, "", last))
    return tokens


def _after_braces(text: str, start: int) -> int:
    """The offset behind the closing brace: a plain query ignores what only builders and data composition use."""
    depth = 0
    for offset in range(start, len(text)):
        if text[offset] == "{":
            depth += 1
        elif text[offset] == "}":
            depth -= 1
            if depth <= 0:
                if depth < 0:
                    break
                return offset + 1
    raise syntax_error(text[start], start)
