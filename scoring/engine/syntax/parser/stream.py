"""The token cursor of the parser and the way it reports errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from scoring.engine.errors import CompileFailed, Diagnostic
from scoring.engine.source import Source
from scoring.engine.syntax.lexer import tokenize
from scoring.engine.syntax.parser.messages import TOKEN_NAMES, WORDING
from scoring.engine.syntax.tokens import Kind, Token

# Nesting of blocks, parentheses and calls. CPython's own compiler gives up not far above it.
MAX_NESTING = 200


class TokenStream:
    """The current token in ``token`` (its code in ``code``), and what to do when it is not the wanted one."""

    def __init__(self, source: Source, dialect: str) -> None:
        self.source = source
        self.dialect = dialect
        self.tokens = tokenize(source, dialect)
        self.at = 0
        self.depth = 0
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
        return self.token.kind is Kind.WORD and not self.token.code

    # -- errors ---------------------------------------------------------------------------------------------------

    def fail(self, kind: str, **params: object) -> NoReturn:
        """Report an error behind the current token, where a compiler that has just read it stands."""
        self._report(kind, *self._behind(self.token), **params)

    def fail_expected(self, codes: Iterable[str]) -> NoReturn:
        names = "/".join(TOKEN_NAMES.get(code, code) for code in codes)
        self.fail("token_expected", expected=names)

    def fail_at(self, kind: str, token: Token, **params: object) -> NoReturn:
        self._report(kind, token.line, token.column, **params)

    def _report(self, kind: str, line: int, column: int, **params: object) -> NoReturn:
        text = WORDING[self.dialect].get(kind, kind).format(**params)
        raise CompileFailed([Diagnostic(kind, text, line, column, self.token.text)])

    def _behind(self, token: Token) -> tuple[int, int]:
        text = self.source.text
        if token.kind is Kind.END:
            return self.source.text.count("\n") + (not text.endswith("\n")) + 1, 1
        line, column = self._place(token.end)
        if token.end >= len(text) or text[token.end] in "\r\n":
            return line + 1, 0
        return line, column

    def _place(self, offset: int) -> tuple[int, int]:
        text = self.source.text.replace("\r\n", "\n").replace("\r", "\n")
        if offset >= len(text) and not text.endswith("\n"):
            text += "\n"
            offset = len(text)
        return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1
