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
        except json.JSONDecodeError:
            continue
        if isinstance(record, dict):
            records[tag] = record
    return records


def read_value(value: Any) -> Wire:
    """A travelled value as wire: numbers in their only form. Raises ``ValueError`` for what is none."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise ValueError(f"no value: {value!r:.60}")
    kind = value[0]
    if kind == "n":
        try:
            return wire.number(Decimal(value[1]))
        except (InvalidOperation, TypeError):
            raise ValueError(f"no number: {value!r:.60}") from None
    if kind in ("a", "fa"):
        return [kind, [read_value(entry) for entry in value[1]]]
    if kind in ("s", "m", "fs", "fm"):
        return [kind, [[read_value(key), read_value(entry)] for key, entry in value[1]]]
    if kind == "t":
        return ["t", list(value[1]), [[read_value(cell) for cell in row] for row in value[2]]]
    if kind == "l":
        return ["l", [[read_value(entry), text, checked] for entry, text, checked in value[1]]]
    if kind == "dt":
        return ["dt", list(value[1]), _branches(value[2])]
    if kind == "d":
        return ["d", datetime.fromisoformat(str(value[1])).isoformat()]
    if kind in ("o", "r", "null"):
        return value
    raise ValueError(f"no value: {value!r:.60}")


def _branches(branches: Any) -> list[Any]:
    return [[[read_value(cell) for cell in cells], _branches(below)] for cells, below in branches]


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


def read_counts(data: bytes, file: str, last_line: int) -> int:
    """Statements executed in the routines of the module ``file`` up to ``last_line``; its body is not counted.

    The file maps path → routine → line → {count, time}. Raises :class:`CountsBroken`.
    """
    text = decoded(data).strip().strip("\x00")
    if not text:
        raise CountsBroken("the file of statement counts is empty")
    try:
        report = json.loads(text)
        modules = [routines for path, routines in report.items() if _named(path, file)]
        if not modules:
            return 0
        return sum(
            int(entry["count"] if isinstance(entry, Mapping) else entry)
            for routine, lines in modules[0].items()
            if isinstance(lines, Mapping) and routine != _BODY
            for line, entry in lines.items()
            if int(line) <= last_line
        )
    except json.JSONDecodeError as error:
        raise CountsBroken(f"the file of statement counts is cut or no JSON: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CountsBroken(f"the file of statement counts has another form: {type(error).__name__} {error}") from None


def _named(path: str, file: str) -> bool:
    return path.replace("\\", "/").rsplit("/", 1)[-1] == file


def read_version(said: str) -> str:
    """The version in the engine's banner or in the answer to ``-version``; "" where there is none."""
    match = _VERSION.search(said)
    return match.group(1) if match else ""
