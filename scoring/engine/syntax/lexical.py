"""The error of the lexer and the preprocessor."""

from __future__ import annotations


class LexicalError(Exception):
    """``kind`` of the message, its ``params``, and the offset it is reported at."""

    def __init__(self, kind: str, offset: int, **params: str) -> None:
        self.kind = kind
        self.offset = offset
        self.params = params
        super().__init__(kind)
