"""Logs of the platform: what the compiler found, what a run left, which accesses the journal tells. In all their oddities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.evidence import ErrorFact, Place, SyntaxFinding
from scoring.instruments.processes import decoded

CANDIDATE = "КодКандидата"
_FINDING = re.compile(
    r"\{ОбщийМодуль\.(?P<module>[^.}\s]+)\.Модуль\((?P<line>\d+)(?:\s*,\s*(?P<column>\d+))?\)\}:\s*(?P<text>[^\r\n]*)"
)
_PLACE = re.compile(r"\{ОбщийМодуль\.(?P<module>[^.}\s]+)\.Модуль\((?P<line>\d+)(?:\s*,\s*(?P<column>\d+))?\)\}:\s*")
_CHECKED = re.compile(r"\s*\(Проверка: [^)]*\)\s*$")
# A journal's event begins with minutes:seconds.fraction-duration,NAME,level.
_EVENT = re.compile(r"^\d{2}:\d{2}\.\d+-\d+,(?P<name>\w+),", re.MULTILINE)
_CONTEXT = re.compile(r",Context=(?:'(?P<quoted>(?:[^']|'')*)'?|(?P<plain>[^\r\n]*))", re.DOTALL)
_REGISTERS = re.compile(r"\b_?(?:AccumRg|InfoRg|AccRg)\w*", re.IGNORECASE)
COUNTED = frozenset({"SDBL", "DBV8DBEng"})


class LogBroken(Exception):
    """A log that is not there or says nothing that can be read: the instrument's fault."""


def read_findings(data: bytes) -> dict[str, tuple[SyntaxFinding, ...]]:
    """Errors of ``/CheckModules`` by module. A log without any is an empty mapping. Repeated findings count once."""
    found: dict[str, dict[tuple[int, int, str], SyntaxFinding]] = {}
    for match in _FINDING.finditer(decoded(data)):
        text = _CHECKED.sub("", match.group("text")).strip()
        line, column = int(match.group("line")), int(match.group("column") or 0)
        finding = SyntaxFinding("compile_error", text, Place(line, column))
        found.setdefault(match.group("module"), {}).setdefault((line, column, text), finding)
    return {module: tuple(findings.values()) for module, findings in found.items()}


def error_fact(said: str, code: str) -> ErrorFact:
    """A runtime error as ``ОписаниеОшибки()`` gives it: its text without the place in front, and the place in the candidate's module."""
    match = _PLACE.match(said.strip())
    if match is None:
        return ErrorFact("exception", said.strip())
    text = said.strip()[match.end() :]
    line = int(match.group("line"))
    lines = code.split("\n")
    own = match.group("module") == CANDIDATE
    source = lines[line - 1] if own and 0 < line <= len(lines) else ""
    module = f"ОбщийМодуль.{match.group('module')}.Модуль"
    return ErrorFact("exception", text.strip(), Place(line, int(match.group("column") or 0), module, source))


@dataclass(frozen=True, slots=True)
class Accesses:
    """Accesses that the candidate's module made: all, and those of register tables."""

    sdbl: int = 0
    register: int = 0

    def __add__(self, other: Accesses) -> Accesses:
        return Accesses(self.sdbl + other.sdbl, self.register + other.register)


def read_journal(data: bytes) -> Accesses:
    """Counts one journal file. Events without a context, or with one that does not name the candidate's module, are others'."""
    total = Accesses()
    for name, body in _events(decoded(data)):
        if name not in COUNTED:
            continue
        match = _CONTEXT.search(body)
        context = (match.group("quoted") or match.group("plain") or "") if match else ""
        if f"ОбщийМодуль.{CANDIDATE}" in context:
            # The context's own words don't tell which tables were read.
            rest = body[: match.start()] if match else body
            total += Accesses(1, 1 if _REGISTERS.search(rest) else 0)
    return total


def _events(text: str) -> Iterator[tuple[str, str]]:
    starts = list(_EVENT.finditer(text))
    for number, match in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        yield match.group("name"), text[match.start() : end]
