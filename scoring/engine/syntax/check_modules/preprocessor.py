"""Conditional compilation for the checker: drops what is not compiled on the server."""

from __future__ import annotations

import re
from collections.abc import Callable

from scoring.engine.syntax.check_modules.lexer import CheckToken
from scoring.engine.syntax.preprocessor import _NAMES, DEFINED, _Condition

_IF_MISSED = "Пропущен оператор препроцессора Если (If)"
_WORDS = re.compile(r"[^\W\d]\w*|[^\w\s]")


def drop_inactive(tokens: list[CheckToken], report: Callable[[str, int], None]) -> list[CheckToken]:
    """The tokens that the server compiles; findings about the directives go to ``report`` (message, line)."""
    kept: list[CheckToken] = []
    active: list[tuple[bool, bool]] = []  # for every open #Если: is this branch compiled, was one taken
    for token in tokens:
        if token.kind != "preprocessor":
            if all(now for now, _ in active):
                kept.append(token)
            continue
        _handle(token, active, report)
    return kept


def _handle(token: CheckToken, active: list[tuple[bool, bool]], report: Callable[[str, int], None]) -> None:
    words = _WORDS.findall(token.text[1:].split("//")[0])
    name = _NAMES.get(words[0].lower(), "") if words else ""
    if name == "if":
        value = _value(words[1:])
        active.append((value, value))
    elif name in ("elseif", "else", "endif") and not active:
        report(_IF_MISSED, token.line)
    elif name == "endif":
        active.pop()
    elif name == "else":
        active[-1] = (not active[-1][1], True)
    elif name == "elseif":
        value = not active[-1][1] and _value(words[1:])
        active[-1] = (value, active[-1][1] or value)


def _value(words: list[str]) -> bool:
    lowered = [word.lower() for word in words if word.lower() not in ("тогда", "then")]
    return _Condition(lowered, DEFINED["onec"]).value() if lowered else False
