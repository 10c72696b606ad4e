"""Runs one snippet in either dialect and says what came of it: for the data files of this folder.

A record: ``code`` (statements, the body of a function), ``dialect`` (``onescript``, ``onec`` or ``both``), optionally ``setup``
(statements before it) and exactly one of ``result`` (the returned value in the notation of ``engine/values/notation``; or
``onec_result`` beside it where the dialects differ), ``error`` (kind of the runtime error), ``compile_error`` (kind),
``limit`` (name of the limit). With an error, ``message`` and ``line`` (from the first line of ``code``) are compared where
given.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from scoring.engine.errors import BslRuntimeError, CompileFailed, LimitReached
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.engine.values.notation import notation

FOLDER = Path(__file__).parent
DIALECTS = {"onescript": ("onescript",), "onec": ("onec",), "both": ("onescript", "onec")}
EXPECTATIONS = ("result", "error", "compile_error", "limit")
LIMITS = Limits(operations=2_000_000)


@dataclass(frozen=True)
class Snippet:
    """One record for one dialect."""

    name: str
    dialect: str
    setup: str
    code: str
    expected: tuple[str, str]  # which expectation, its value
    message: str | None
    line: int | None

    @property
    def module(self) -> str:
        return f"Функция Тест() Экспорт\n{self.setup}{self.code}\nКонецФункции\n"

    @property
    def lines_before(self) -> int:
        return 1 + self.setup.count("\n")


@dataclass(frozen=True)
class Observed:
    outcome: tuple[str, str]
    message: str | None = None
    line: int | None = None


def snippets(pattern: str = "*.yaml") -> list[Snippet]:
    """Every record of this folder's data files."""
    return [
        snippet
        for path in sorted(FOLDER.glob(pattern))
        for number, record in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")), 1)
        for snippet in _snippets_of(f"{path.stem}-{number}", record)
    ]


def _snippets_of(name: str, record: dict[str, Any]) -> list[Snippet]:
    unknown = set(record) - {"code", "dialect", "setup", "onec_result", "message", "line", *EXPECTATIONS}
    given = [key for key in EXPECTATIONS if key in record]
    if unknown or len(given) != 1:
        raise ValueError(f"{name}: unknown {sorted(unknown)}, expectations {given}")
    result = []
    for dialect in DIALECTS[record["dialect"]]:
        key = given[0]
        value = record["onec_result"] if dialect == "onec" and "onec_result" in record else record[key]
        setup = record.get("setup", "")
        result.append(
            Snippet(f"{name}-{dialect}", dialect, setup, record["code"], (key, str(value)), record.get("message"), record.get("line"))
        )
    return result


def observe(snippet: Snippet) -> Observed:
    """Run the snippet in a session of its own."""
    session = Session(snippet.dialect, limits=LIMITS)
    try:
        module = session.load(Source(snippet.module, "<module>"))
        value = session.call(module, "Тест", [])
    except CompileFailed as failure:
        first = failure.diagnostics[0]
        return Observed(("compile_error", first.kind), first.message, first.line - snippet.lines_before)
    except BslRuntimeError as error:
        report = session.report(error)
        return Observed(("error", error.kind), report.message, report.line - snippet.lines_before)
    except LimitReached as reached:
        return Observed(("limit", reached.limit))
    return Observed(("result", notation(value, session.runtime)))
