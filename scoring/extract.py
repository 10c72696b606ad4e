"""From an answer's text to the module that is measured.

The code is the first *closed* fenced block, without one the whole text. Nothing here judges; the text may be anything, so
declarations are found by a look at lines, not by a parser that broken code would stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.balance import stripped

_FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_DECLARATION = re.compile(r"^\s*(?:(?:Асинх|Async)\s+)?(Функция|Function|Процедура|Procedure)\s+([^\W\d]\w*)\s*\(", re.IGNORECASE)
_END = re.compile(r"^\s*(?:КонецФункции|КонецПроцедуры|EndFunction|EndProcedure)\b", re.IGNORECASE)
_EXPORT = re.compile(r"\s*(?:Экспорт|Export)\b", re.IGNORECASE)
_FUNCTIONS = frozenset({"функция", "function"})
# A signature is looked for on the declaration's line and at most on so many after it.
_SIGNATURE_LINES = 50


@dataclass(frozen=True, slots=True)
class Routine:
    """A declaration: ``line`` from 1."""

    name: str
    is_function: bool
    line: int


def code_of(answer: str) -> str:
    """The code of an answer: LF line ends, no BOM."""
    text = answer.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    match = _FENCE.search(text)
    return match.group(1) if match else text


def routines(code: str) -> tuple[Routine, ...]:
    """Every declaration in order of appearance."""
    found = []
    for number, line in enumerate(stripped(code).split("\n"), start=1):
        match = _DECLARATION.match(line)
        if match:
            found.append(Routine(match.group(2), match.group(1).lower() in _FUNCTIONS, number))
    return tuple(found)


def entry_point(code: str, patterns: Iterable[str], *, procedures: bool) -> Routine | None:
    """The routine that tests call: the first declared one matching the first pattern that matches any, else the first one.

    ``procedures``: they count, too (category B).
    """
    candidates = [routine for routine in routines(code) if procedures or routine.is_function]
    for pattern in patterns:
        compiled = re.compile(pattern, re.IGNORECASE)
        for routine in candidates:
            if compiled.fullmatch(routine.name):
                return routine
    return candidates[0] if candidates else None


def without_tail(code: str) -> str:
    """``code`` up to the line of the last end of a routine: what follows is a usage example."""
    lines = code.split("\n")
    for index in range(len(lines) - 1, -1, -1):
        if _END.match(lines[index]):
            return "\n".join(lines[: index + 1])
    return code


def exported(code: str, routine: Routine) -> str:
    """``code`` with ``Экспорт`` added to the routine's signature if it lacks it; no line moves."""
    lines = code.split("\n")
    first = routine.line - 1
    text = "\n".join(lines[first : first + _SIGNATURE_LINES])
    end = _signature_end(text)
    if end is None or _EXPORT.match(text, end):
        return code
    before = "\n".join(lines[:first])
    return (before + "\n" if first else "") + text[:end] + " Экспорт" + text[end:] + "".join(
        "\n" + line for line in lines[first + _SIGNATURE_LINES :]
    )


def _signature_end(text: str) -> int | None:
    """The offset after the parenthesis that closes the parameters; None where there is none."""
    depth, at = 0, 0
    while at < len(text):
        char = text[at]
        if char == '"':
            at = text.find('"', at + 1)
            if at < 0:
                return None
        elif text.startswith("//", at):
            at = text.find("\n", at)
            if at < 0:
                return None
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None


@dataclass(frozen=True, slots=True)
class Module:
    """An answer as instruments get it. ``whole`` is what S and O see, ``tested`` what M runs; lines agree between them."""

    whole: str
    tested: str
    entry: Routine | None


def module_of(answer: str, patterns: Iterable[str], *, procedures: bool) -> Module:
    """Read an answer for a task with these entry point patterns."""
    code = code_of(answer)
    entry = entry_point(code, patterns, procedures=procedures)
    callable_code = exported(code, entry) if entry else code
    return Module(code, without_tail(callable_code), entry)
