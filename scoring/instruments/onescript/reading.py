"""What comes back from OneScript: result lines, messages with their places, statement counts, versions. In all their oddities."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from scoring import wire
from scoring.evidence import ErrorFact, Place
from scoring.instruments.processes import decoded
from scoring.wire import Wire

# `{Модуль <path> / Error in line: 13 / message}`; a compile error has `line 7,21` and no colon.
_MESSAGE = re.compile(
    r"\{(?:Модуль|Module)\s+(?P<module>[^\n]*?)\s*/\s*(?:Error in line|Ошибка в строке)\s*:?\s*(?P<line>\d+)"
    r"(?:\s*,\s*(?P<column>\d+))?\s*/\s*(?P<text>.*)",
    re.DOTALL,
)
# How the candidate's module is called in a run's folder.
CANDIDATE_FILE = "candidate.os"
_VERSION = re.compile(r"\b(\d+\.\d+\.\d+(?:[.+-][\w.+-]*)?)")
_BODY = "$entry"
# OneScript's numbers have 29 digits and a scale of 28; whatever is far beyond them did not come from it.
_MOST_DIGITS = 100
# Kinds that travel for the author's checks only; to the comparer they are objects like any other.
_SHOWN_AS = {
    "fa": "ФиксированныйМассив", "fs": "ФиксированнаяСтруктура", "fm": "ФиксированноеСоответствие",
    "l": "СписокЗначений", "dt": "ДеревоЗначений",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Message:
    """An error as the engine words it; ``line`` 0 where it names none."""

    text: str
    module: str = ""
    line: int = 0
    column: int = 0


def read_message(said: str) -> Message:
    """The error in what was said. Text without the engine's frame is a message as it stands; a cut frame counts as whole."""
    said = said.strip().lstrip("\ufeff")
    match = _MESSAGE.search(said)
    if match is None:
        return Message(said)
    text = match.group("text")
    end = text.rfind("}")
    text = (text if end < 0 else text[:end]).strip()
    return Message(text, match.group("module"), int(match.group("line")), int(match.group("column") or 0))


def error_fact(said: str, code: str) -> ErrorFact:
    """An error of the candidate's module, with the source line it names."""
    message = read_message(said)
    if not message.line or not _named(message.module, CANDIDATE_FILE):
        # Raised by the call itself, in a script of ours: the candidate has no line to show.
        return ErrorFact("exception", message.text)
    lines = code.split("\n")
    source = lines[message.line - 1] if message.line <= len(lines) else ""
    return ErrorFact("exception", message.text, Place(message.line, message.column, "<module>", source))


def read_records(data: bytes, words: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Records of a result file by tag; ``words``: secret word → tag. The first record of a tag counts. Lines without a known
    word and a line cut in its middle are no records."""
    records: dict[str, dict[str, Any]] = {}
    for line in decoded(data).split("\n"):
        word, _, text = line.strip().lstrip("\ufeff").partition(" ")
        tag = words.get(word)
        if tag is None or tag in records:
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            records[tag] = record
    return records


def read_value(value: Any) -> Wire:
    """A travelled value as wire: numbers in their only form. Raises ``ValueError`` for what is none."""
    try:
        return _read(value)
    except (LookupError, TypeError, RecursionError) as odd:
        raise ValueError(f"no value ({type(odd).__name__}): {value!r:.60}" if not isinstance(odd, RecursionError) else "too deep a value") from None


def _read(value: Any) -> Wire:
    if value is None or isinstance(value, (bool, str)):
        return value
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise ValueError(f"no value: {value!r:.60}")
    kind = value[0]
    if kind == "n":
        return _number(value)
    if kind in ("a", "fa"):
        return [kind, [_read(entry) for entry in value[1]]]
    if kind in ("s", "m", "fs", "fm"):
        return [kind, [[_read(key), _read(entry)] for key, entry in value[1]]]
    if kind == "t":
        return ["t", _names(value[1]), [[_read(cell) for cell in row] for row in value[2]]]
    if kind == "l":
        return ["l", [[_read(entry), str(text), bool(checked)] for entry, text, checked in value[1]]]
    if kind == "dt":
        return ["dt", _names(value[1]), _branches(value[2])]
    if kind == "d":
        return ["d", datetime.fromisoformat(str(value[1])).isoformat()]
    if kind in ("o", "r", "null"):
        return [kind, *map(str, value[1:])]
    raise ValueError(f"no value: {value!r:.60}")


def _number(value: list[Any]) -> Wire:
    try:
        number = Decimal(value[1])
    except (InvalidOperation, TypeError):
        raise ValueError(f"no number: {value!r:.60}") from None
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
        raise ValueError(f"no number of OneScript: {value!r:.60}")
    return wire.number(number)


def _names(names: Any) -> list[str]:
    return [str(name) for name in names]


def _branches(branches: Any) -> list[Any]:
    return [[[_read(cell) for cell in cells], _branches(below)] for cells, below in branches]


def comparable(value: Wire) -> Wire:
    """The value as the host compares it: kinds of which wire knows only the name become objects of that name."""
    if not isinstance(value, list):
        return value
    kind = value[0]
    if kind in _SHOWN_AS:
        return ["o", _SHOWN_AS[kind], ""]
    if kind == "a":
        return ["a", [comparable(entry) for entry in value[1]]]
    if kind in ("s", "m"):
        return [kind, [[comparable(key), comparable(entry)] for key, entry in value[1]]]
    if kind == "t":
        return ["t", value[1], [[comparable(cell) for cell in row] for row in value[2]]]
    return value


class CountsBroken(Exception):
    """No statement counts, or none that can be read."""


def read_counts(data: bytes, candidate: str, ours: str, last_line: int) -> int:
    """Statements that the answer executed: in the routines of the module ``candidate`` up to ``last_line`` (its body is not counted)
    and in whatever modules it loaded by itself. ``ours`` is the script that called it; both are paths as the engine was told them.

    The report maps path → routine → line → {count, time}. Raises :class:`CountsBroken`.
    """
    text = decoded(data).strip().strip("\x00")
    if not text:
        raise CountsBroken("the file of statement counts is empty")
    try:
        report = json.loads(text)
        own, left_out = _module(report, candidate), _module(report, ours)
        return sum(
            _executed(routines, last_line if path == own else None) for path, routines in report.items() if path != left_out
        )
    except json.JSONDecodeError as error:
        raise CountsBroken(f"the file of statement counts is cut or no JSON: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CountsBroken(f"the file of statement counts has another form: {type(error).__name__} {error}") from None


def _module(report: Mapping[str, Any], path: str) -> str:
    """The report's name for the module at ``path``: the same, or the only one whose file is called so."""
    if path in report:
        return path
    named = [name for name in report if _named(name, _file(path))]
    if len(named) > 1:
        raise CountsBroken(f"several modules are called {_file(path)}")
    return named[0] if named else ""


def _executed(routines: Mapping[str, Any], last_line: int | None) -> int:
    """``last_line``: of the candidate's module; None for another one, which counts as a whole."""
    return sum(
        whole_number(entry["count"] if isinstance(entry, Mapping) else entry)
        for routine, lines in routines.items()
        if isinstance(lines, Mapping) and (last_line is None or routine != _BODY)
        for line, entry in lines.items()
        if last_line is None or int(line) <= last_line
    )


def whole_number(value: Any) -> int:
    """A count. Raises :class:`CountsBroken` for what is none."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise CountsBroken(f"no count: {value!r:.40}")
    return value


def _named(path: str, file: str) -> bool:
    return _file(path) == file


def _file(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def read_version(said: str) -> str:
    """The version in the engine's banner or in the answer to ``-version``; "" where there is none."""
    match = _VERSION.search(said)
    return match.group(1) if match else ""
