"""The token cursor that both halves of the parser share."""

from __future__ import annotations

from scoring.engine.errors import NotSupported
from scoring.engine.query.failures import QueryError, syntax_error
from scoring.engine.query.lexer import END, OPERATOR, UNKNOWN, WORD, Token, tokenize
from scoring.engine.query.words import RESERVED

# Nesting of parentheses, cases and subqueries that the parser follows: each level costs about ten Python frames here and
# again in the resolver. Real queries stay below 20.
MAX_NESTING = 60


class TokenStream:
    """A cursor over tokens with the checks that the grammar is made of; every refusal is a :class:`QueryError`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.position = 0
        self.depth = 0
        self.parameter_names: dict[str, str] = {}

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def peek(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.tokens[self.position]
        if token.kind != END:
            self.position += 1
        return token

    def at_keyword(self, *words: str) -> bool:
        return self.token.keyword in words and self.token.keyword != ""

    def at_operator(self, text: str) -> bool:
        return self.token.kind == OPERATOR and self.token.text == text

    def take_keyword(self, *words: str) -> Token | None:
        return self.advance() if self.at_keyword(*words) else None

    def take_operator(self, text: str) -> Token | None:
        return self.advance() if self.at_operator(text) else None

    def need_keyword(self, word: str) -> Token:
        return self.take_keyword(word) or self.fail()

    def need_operator(self, text: str) -> Token:
        return self.take_operator(text) or self.fail()

    def at_name(self) -> bool:
        """A word that may name something here: any but the reserved ones."""
        return self.token.kind == WORD and self.token.text.upper() not in RESERVED

    def need_name(self) -> Token:
        return self.advance() if self.at_name() else self.fail()

    def fail(self) -> Token:
        """``Синтаксическая ошибка "<token>"``; the token takes in a dotted path and what is glued to a foreign character."""
        raise self.error_here()

    def error_here(self) -> QueryError:
        token = self.token
        return syntax_error(self._whole_token(), token.at)

    def _whole_token(self) -> str:
        token = self.token
        if token.kind not in (WORD, UNKNOWN):
            return token.text
        index, end = self.position, token.end
        while index + 2 < len(self.tokens):
            dot, following = self.tokens[index + 1], self.tokens[index + 2]
            if dot.text != "." or dot.at != end or following.kind != WORD or following.at != dot.end:
                break
            index, end = index + 2, following.end
        return self.text[token.at : end]

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise NotSupported(f"queries nested deeper than {MAX_NESTING} levels")

    def leave(self) -> None:
        self.depth -= 1
