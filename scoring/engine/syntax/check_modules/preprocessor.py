"""Conditional compilation for the checker: drops what is not compiled on the server."""

from __future__ import annotations

import re
from collections.abc import Callable

from scoring.engine.syntax.check_modules.lexer import CheckToken
from scoring.engine.syntax.preprocessor import _NAMES, DEFINED, _Condition

_IF_MISSED = "Пропущен оператор препроцессора Если (If)"
_END_MISSED = "Пропущен оператор препроцессора КонецЕсли (EndIf)"
_REGION_MISSED = "Пропущен оператор препроцессора Область (Region)"
_NO_THEN = "Ожидается ключевое слово 'Тогда' ('Then')"
_NO_NAME = "Ожидается идентификатор"
_GARBAGE = "Неопознанный оператор препроцессора"
_WORDS = re.compile(r"[^\W\d]\w*|[^\w\s]")
_REGION_NAME = re.compile(r"[^\W\d]\w*")


def drop_inactive(tokens: list[CheckToken], report: Callable[[str, int], None]) -> list[CheckToken]:
    """The tokens that the server compiles; findings about the directives go to ``report`` (message, line)."""
    return _Directives(report).kept(tokens)


class _Directives:
    """The open blocks while the directives of a text are gone through."""

    def __init__(self, report: Callable[[str, int], None]) -> None:
        self.report = report
        self.active: list[tuple[bool, bool]] = []  # for every open #Если: is this branch compiled, was one taken
        self.regions = 0

    def kept(self, tokens: list[CheckToken]) -> list[CheckToken]:
        kept: list[CheckToken] = []
        for token in tokens:
            if token.kind == "preprocessor":
                self._handle(token)
            if token.kind == "end" or (token.kind != "preprocessor" and self._compiled()):
                kept.append(token)
        if self.active:
            self.report(_END_MISSED, tokens[-1].line)
        return kept

    def _compiled(self) -> bool:
        return all(now for now, _ in self.active)

    def _handle(self, token: CheckToken) -> None:
        rest = token.text[1:].split("//")[0].strip()
        words = _WORDS.findall(rest)
        name = _NAMES.get(words[0].lower(), "")
        if name in ("if", "elseif", "else", "endif"):
            self._branch(token, name, words[1:])
        elif name == "region" and self._compiled():
            self.regions += 1
            if not _REGION_NAME.fullmatch(rest[len(words[0]) :].strip()):
                self.report(_NO_NAME, token.line)
        elif name == "endregion" and self._compiled():
            self.regions -= 1
            if self.regions < 0:
                self.regions = 0
                self.report(_REGION_MISSED, token.line)
        elif name not in ("region", "endregion"):  # no directive of a module: an offending token like any other
            token.kind = token.code = "bad"

    def _branch(self, token: CheckToken, name: str, words: list[str]) -> None:
        active = self.active
        if name == "if":
            value = self._condition(words, token.line) if self._compiled() else False
            active.append((value, value))
        elif not active:
            self.report(_IF_MISSED, token.line)
        elif name == "endif":
            active.pop()
        elif name == "else":
            active[-1] = (not active[-1][1], True)
        else:
            value = not active[-1][1] and self._condition(words, token.line)
            active[-1] = (value, active[-1][1] or value)

    def _condition(self, words: list[str], line: int) -> bool:
        lowered = [word.lower() for word in words]
        then = next((at for at, word in enumerate(lowered) if word in ("тогда", "then")), None)
        if then is None:
            self.report(_NO_THEN, line)
        elif not then:
            self.report(_NO_NAME, line)
        elif lowered[then + 1 :]:
            self.report(_GARBAGE, line)
        return _Condition(lowered[:then], DEFINED["onec"]).value()
