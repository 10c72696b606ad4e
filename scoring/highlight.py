"""BSL text → coloured pieces for display, cut by the engine's own lexer. Any text will do: what no lexer takes is marked as such.

Nothing is run or compiled here; besides the sandbox's worker this is the one reader of the engine's lexers, and of nothing
else of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.engine.query.words import FUNCTIONS, KEYWORDS
from scoring.engine.source import Source
from scoring.engine.syntax.lexer import Lexer
from scoring.engine.syntax.lexical import LexicalError
from scoring.engine.syntax.tokens import Kind, Token

# Texts longer than this are shown plain: nobody reads them, and no reader should wait for them.
LONGEST = 300_000
# After so many unreadable places the rest is shown plain.
MOST_ERRORS = 2_000

_CLASSES = {
    Kind.NUMBER: "number", Kind.STRING: "string", Kind.DATE: "date", Kind.OPERATOR: "operator",
    Kind.ANNOTATION: "directive", Kind.LABEL: "label",
}  # fmt: skip
_QUERY_START = re.compile(r'\s*"?\s*\|?\s*(?://[^\n]*\n\s*\|?\s*)*(?:ВЫБРАТЬ|SELECT)\b', re.IGNORECASE)
_QUERY_PART = re.compile(r"(?P<comment>//[^\n]*)|(?P<text>\"\"(?:[^\"\n]|\"\"\"\")*?\"\")|(?P<parameter>&\w+)|(?P<word>[^\W\d]\w*)|(?P<number>\b\d+\b)")
_COMMENT = re.compile(r"//[^\n]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one line; `kind` is a class name, empty for plain text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class QueryText:
    """A string literal that holds a query: `line` of the module where its text begins, `text` without bars and quotes."""

    line: int
    text: str


def lines(text: str, dialect: str) -> list[list[Piece]]:
    """The text line by line. `dialect`: `onescript` or `onec`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LONGEST:
        return [[Piece("", line)] for line in text.split("\n")]
    return _by_line(_pieces(text, dialect))


def query_lines(text: str) -> list[list[Piece]]:
    """A query's text line by line."""
    return _by_line(_query_pieces(text))


def queries(text: str, dialect: str) -> list[QueryText]:
    """The literals of a module that are queries, in order."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LONGEST:
        return []
    return [
        QueryText(text.count("\n", 0, token.start) + 1, str(token.value))
        for token in _Reader(text, dialect).readable()
        if token.kind is Kind.STRING and _QUERY_START.match(token.text)
    ]


class _Reader(Lexer):
    """The engine's lexer, going on behind what it can't read; a directive is one token whatever it says."""

    def __init__(self, text: str, dialect: str) -> None:
        super().__init__(Source(text), dialect)
        self.errors = 0

    def readable(self) -> list[Token]:
        """Every token; unreadable places are ERROR tokens."""
        while self.errors < MOST_ERRORS:
            try:
                while self._next():
                    pass
                break
            except LexicalError as error:
                self._pass_over(error)
        return self.tokens

    def _pass_over(self, error: LexicalError) -> None:
        self.errors += 1
        start = self.position
        line_end = self.text.find("\n", start)
        line_end = len(self.text) if line_end < 0 else line_end
        whole_string = error.kind == "unterminated_string"
        end = min(error.offset, len(self.text)) if whole_string else min(error.offset, line_end)
        end = max(start + len(self.text[start:end].rstrip()), start + 1)
        self._append(Kind.ERROR, "error", self.text[start:end], end)

    def _directive(self) -> None:
        end = self.text.find("\n", self.position)
        end = len(self.text) if end < 0 else end
        self._append(Kind.ANNOTATION, "", self.text[self.position : end], end)


def _pieces(text: str, dialect: str) -> Iterator[Piece]:
    position = 0
    for token in _Reader(text, dialect).readable():
        yield from _gap(text[position : token.start])
        position = max(position, token.end)
        shown = text[token.start : token.end]
        if token.kind is Kind.STRING and _QUERY_START.match(shown):
            yield from _query_pieces(shown, "string")
        else:
            yield Piece(_class(token), shown)
    yield from _gap(text[position:])


def _class(token: Token) -> str:
    if token.kind is Kind.WORD:
        return "keyword" if token.code else ""
    return "bad" if token.kind is Kind.ERROR else _CLASSES.get(token.kind, "")


def _gap(text: str) -> Iterator[Piece]:
    """Blanks and comments between two tokens."""
    position = 0
    for comment in _COMMENT.finditer(text):
        yield Piece("", text[position : comment.start()])
        yield Piece("comment", comment.group())
        position = comment.end()
    yield Piece("", text[position:])


def _query_pieces(text: str, plain: str = "") -> Iterator[Piece]:
    position = 0
    for found in _QUERY_PART.finditer(text):
        yield Piece(plain, text[position : found.start()])
        yield Piece(_query_class(found, plain), found.group())
        position = found.end()
    yield Piece(plain, text[position:])


def _query_class(found: re.Match[str], plain: str) -> str:
    if found.lastgroup != "word":
        return {"comment": "comment", "parameter": "parameter", "number": "number", "text": "string"}[str(found.lastgroup)]
    word = found.group().upper()
    return "query" if word in KEYWORDS or word in FUNCTIONS else plain


def _by_line(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces cut at line ends; neighbours of one kind are joined."""
    found: list[list[Piece]] = [[]]
    for piece in pieces:
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                found.append([])
            _add(found[-1], piece.kind, part)
    return found


def _add(line: list[Piece], kind: str, text: str) -> None:
    if not text:
        return
    if line and line[-1].kind == kind:
        line[-1] = Piece(kind, line[-1].text + text)
    else:
        line.append(Piece(kind, text))
