"""The token cursor of the parser and the way it reports errors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NoReturn

from scoring.engine.errors import CompileFailed, Diagnostic
from scoring.engine.source import Source
from scoring.engine.syntax.keywords import COMPOUND, CORE_FUNCTIONS
from scoring.engine.syntax.lexer import tokenize
from scoring.engine.syntax.parser.messages import TOKEN_NAMES, WORDING
from scoring.engine.syntax.tokens import Kind, Token

# Nesting of blocks, parentheses and calls. CPython's own compiler gives up not far above it.
MAX_NESTING = 200

_NOT_BLANK = re.compile(r"\s*")
_NOT_BLANK_NOR_COMMENT = re.compile(r"(?:\s|//[^\n]*)*")


class TokenStream:
    """The current token in ``token`` (its code in ``code``), and what to do when it is not the wanted one."""

    def __init__(self, source: Source, dialect: str) -> None:
        self.source = source
        self.dialect = dialect
        self.tokens = tokenize(source, dialect)
        self.at = 0
        self.depth = 0
        # The token (its number) from which OneScript looks on for further text, past blanks, before it parses a body.
        self.moved_on_from = -1
        self.token: Token = self.tokens[0]
        self.code: str = ""
        self._load()

    def _load(self) -> None:
        token = self.tokens[self.at]
        self.token = token
        self.code = token.code
        if token.kind is Kind.ERROR:
            kind, params = token.value
            self._report(kind, *self._place(token.start), **params)

    def advance(self) -> Token:
        """Go to the next token; gives the one just left."""
        left = self.token
        if self.at + 1 < len(self.tokens):
            self.at += 1
            self._load()
        return left

    def peek(self) -> Token:
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def accept(self, code: str) -> bool:
        if self.code != code:
            return False
        self.advance()
        return True

    def expect(self, *codes: str) -> Token:
        if self.code not in codes:
            self.fail_expected(codes)
        return self.advance()

    @property
    def is_name(self) -> bool:
        """Is the current token a name that programs may give to their own things?"""
        return self.token.kind is Kind.WORD and not self.token.code and not self.is_core_call

    @property
    def is_core_call(self) -> bool:
        """Is it a function that OneScript takes for a word of the language, about to be called?"""
        return self.dialect == "onescript" and self.peek().code == "(" and self.token.text.lower() in CORE_FUNCTIONS

    # -- errors ---------------------------------------------------------------------------------------------------

    def fail(self, kind: str, **params: object) -> NoReturn:
        """Report an error behind the current token, where a compiler that has just read it stands."""
        line, column = self._behind(self.token)
        self._report(kind, line, column, **params)

    def fail_expected(self, codes: Iterable[str]) -> NoReturn:
        names = "/".join(TOKEN_NAMES.get(code, code) for code in codes)
        self.fail("token_expected", expected=names)

    def fail_at(self, kind: str, token: Token, **params: object) -> NoReturn:
        self._report(kind, token.line, token.column, **params)

    def _report(self, kind: str, line: int, column: int, **params: object) -> NoReturn:
        text = WORDING[self.dialect].get(kind, kind).format(**params)
        raise CompileFailed([Diagnostic(kind, text, line, column, self.token.text)])

    def _behind(self, token: Token) -> tuple[int, int]:
        """Where a reader stands that has read ``token`` and nothing more (1C names the token itself)."""
        if self.dialect == "onec":
            return token.line, token.column
        if token.kind is Kind.END:
            return self._place(len(self._text))
        return self._place(self._read_up_to(token))

    def _read_up_to(self, token: Token) -> int:
        """Offset that OneScript's lexer has got to with ``token``: behind some it looks on for what follows."""
        if token.kind is Kind.STRING:
            pattern = _NOT_BLANK_NOR_COMMENT
        elif self.at == self.moved_on_from or token.text.lower() in CORE_FUNCTIONS:
            pattern = _NOT_BLANK
        else:
            return token.end
        found = pattern.match(self._text, token.end)
        assert found
        return found.end()

    @cached_property
    def _text(self) -> str:
        """The text as files hold it, every line ended by LF; offsets of tokens count in it."""
        text = self.source.text.replace("\r\n", "\n").replace("\r", "\n")
        return text if text.endswith("\n") else text + "\n"

    def _place(self, offset: int) -> tuple[int, int]:
        """Line and column of ``offset``. A reader that stands on a line's end is on the next line, in column 0."""
        text = self._text
        offset = min(offset, len(text))
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        on_line_end = offset < len(text) and text[offset] == "\n" and "\r\n" not in self.source.text
        return (line + 1, 0) if on_line_end else (line, column)

    def skip_to(self, *stops: str) -> None:
        """Pass over what is left of a broken header: to one of ``stops``, the next compound statement or the end."""
        while self.code != "end" and self.code not in COMPOUND:
            self.advance()
            if self.code in stops:
                return
