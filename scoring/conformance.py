"""Conformance: recorded snippets run through the engine and compared with what the genuine engine did.

Facts are ``*.jsonl`` files of records (``id``, ``area``, ``form``, ``code``, ``kind`` and what that kind brings); see
:class:`Fact`. A record counts as *equal* where the engine gave the same value (``value``, ``compiles``), the same kind of error
(``runtime_error``, ``compile_error``) or the same counts of executed lines (``codestat``). Of the equal errors the share with the
same message and the share with the same line are reported beside.

    python -m scoring.conformance --facts DIR [--only PART] [--json FILE] [--list]

Facts are trusted texts, as the tests of a bank are, so that they run in this process; budgets still stop an endless loop.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from scoring.engine.errors import BslRuntimeError, CompileFailed, EngineFault, LimitReached, NotSupported
from scoring.engine.session import Limits, Session, Source
from scoring.engine.values.notation import notation

DIALECT = "onescript"
MODULE_NAME = "<module>"
ENTRY = "Тест"
HEADER = f"Функция {ENTRY}() Экспорт\n"
FOOTER = "\nКонецФункции"
# Enough for any recorded snippet, little enough that a broken one does not stall the run.
LIMITS = Limits(operations=5_000_000)
# Kinds of records whose module runs as a start-up script; the others answer through the routine ENTRY.
RUN_AS_SCRIPT = frozenset({"compiles", "codestat"})
# What a recorded run that ended without a value counts as.
ERRORS = frozenset({"runtime_error", "compile_error"})
# Builds of the engine count the ends of blocks differently; lines that hold nothing else are not compared.
BLOCK_ENDS = frozenset(
    {"конецесли", "конеццикла", "конецпопытки", "конецфункции", "конецпроцедуры", "иначе", "исключение"}
    | {"endif", "enddo", "endtry", "endfunction", "endprocedure", "else", "except"}
)


class BadFacts(ValueError):
    """A file of facts that cannot be read; the text names file and line."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One recorded run. ``form`` is ``body`` (``code`` is the body of one function) or ``module``.

    ``counts``: routine (``$entry`` = module body) → line → executions. ``line`` counts from the first line of ``code``;
    None where the genuine engine gave none.
    """

    id: str
    area: str
    form: str
    code: str
    kind: str
    result: str = ""
    message: str = ""
    line: int | None = None
    counts: dict[str, dict[str, int]] | None = None
    output: str = ""

    @property
    def text(self) -> str:
        """The module that was run."""
        return HEADER + self.code + FOOTER if self.form == "body" else self.code

    @property
    def shift(self) -> int:
        """Lines of the module before the first line of ``code``."""
        return 1 if self.form == "body" else 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the engine did with a fact's module; ``kind`` as in :class:`Fact`, or ``not_supported``, ``limit``, ``fault``."""

    kind: str
    result: str = ""
    message: str = ""
    line: int | None = None
    counts: dict[str, dict[str, int]] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fact beside its outcome."""

    fact: Fact
    outcome: Outcome
    equal: bool
    same_message: bool
    same_line: bool

    @property
    def is_equal_error(self) -> bool:
        return self.equal and self.fact.kind in ERRORS

    @property
    def agrees(self) -> bool:
        return self.equal and self.same_message and self.same_line


@dataclass(slots=True)
class Totals:
    """Counts over the facts of one file; ``errors`` are the equal ones among the recorded errors."""

    facts: int = 0
    equal: int = 0
    errors: int = 0
    same_message: int = 0
    same_line: int = 0

    def add(self, verdict: Verdict) -> None:
        self.facts += 1
        self.equal += verdict.equal
        if verdict.is_equal_error:
            self.errors += 1
            self.same_message += verdict.same_message
            self.same_line += verdict.same_line

    def include(self, other: Totals) -> None:
        self.facts += other.facts
        self.equal += other.equal
        self.errors += other.errors
        self.same_message += other.same_message
        self.same_line += other.same_line

    def shares(self) -> dict[str, float | int | None]:
        """The counts and their shares; a share of nothing is None."""
        return {
            **asdict(self),
            "equal_share": _share(self.equal, self.facts),
            "message_share": _share(self.same_message, self.errors),
            "line_share": _share(self.same_line, self.errors),
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


@dataclass(slots=True)
class Report:
    """Totals per file, and every fact where the engines disagree, in order."""

    files: dict[str, Totals] = field(default_factory=dict)
    disagreements: list[tuple[str, Verdict]] = field(default_factory=list)

    @property
    def total(self) -> Totals:
        total = Totals()
        for one in self.files.values():
            total.include(one)
        return total

    def as_dict(self) -> dict[str, Any]:
        """For JSON; disagreements carry ids, kinds and what our engine gave, never the recorded texts."""
        return {
            "files": {name: totals.shares() for name, totals in self.files.items()},
            "total": self.total.shares(),
            "disagreements": [_brief(name, verdict) for name, verdict in self.disagreements],
        }


def _brief(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "file": name,
        "id": verdict.fact.id,
        "area": verdict.fact.area,
        "recorded": verdict.fact.kind,
        "given": verdict.outcome.kind,
        "equal": verdict.equal,
        "same_message": verdict.same_message,
        "same_line": verdict.same_line,
    }


# ── facts ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_facts(path: Path) -> Iterator[Fact]:
    """The records of one file; raises :class:`BadFacts`."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _fact(path, number, line)


def _fact(path: Path, number: int, line: str) -> Fact:
    place = f"{path.name}, line {number}"
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadFacts(f"{place}: not JSON ({error.msg})") from None
    if not isinstance(record, dict):
        raise BadFacts(f"{place}: not an object")
    missing = [name for name in ("id", "area", "form", "code", "kind") if not isinstance(record.get(name), str)]
    if missing:
        raise BadFacts(f"{place}: no text under {', '.join(missing)}")
    known = Fact.__dataclass_fields__
    return Fact(**{name: value for name, value in record.items() if name in known})


# ── judging ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def judge(fact: Fact, outcome: Outcome) -> Verdict:
    """Compare; messages and lines count for errors only."""
    if fact.kind == "codestat":
        return Verdict(fact, outcome, outcome.kind == "codestat" and _same_counts(fact, outcome), True, True)
    same_kind = fact.kind == outcome.kind
    if fact.kind not in ERRORS:
        return Verdict(fact, outcome, same_kind and fact.result == outcome.result, True, True)
    same_line = fact.line is None or fact.line == outcome.line
    return Verdict(fact, outcome, same_kind, same_kind and fact.message == outcome.message, same_kind and same_line)


def _same_counts(fact: Fact, outcome: Outcome) -> bool:
    lines = fact.code.split("\n")
    return _comparable(fact.counts or {}, lines) == _comparable(outcome.counts or {}, lines)


def _comparable(counts: dict[str, dict[str, int]], lines: list[str]) -> dict[int, int]:
    """Executions by line, without the lines that only end a block and those never reached."""
    by_line: dict[int, int] = {}
    for routine in counts.values():
        for line, times in routine.items():
            if times and not _only_ends_block(lines[int(line) - 1]):
                by_line[int(line)] = by_line.get(int(line), 0) + times
    return by_line


def _only_ends_block(line: str) -> bool:
    code = line.split("//")[0].strip().rstrip(";").strip()
    return code.lower() in BLOCK_ENDS


def conformance(
    facts: Path,
    observe: Callable[[Fact], Outcome] | None = None,
    *,
    only: str = "",
    progress: Callable[[str, Totals], None] | None = None,
) -> Report:
    """Run every fact of a folder (files whose name contains ``only``) and judge it.

    ``observe`` runs one fact; the built-in engine unless another is given. ``progress`` hears of each finished file. Raises
    :class:`BadFacts`.
    """
    paths = sorted(path for path in facts.glob("*.jsonl") if only in path.stem)
    if not paths:
        raise BadFacts(f"{facts}: no *.jsonl files")
    run = observe or run_fact
    report = Report()
    for path in paths:
        totals = report.files[path.stem] = Totals()
        for fact in read_facts(path):
            verdict = judge(fact, run(fact))
            totals.add(verdict)
            if not verdict.agrees:
                report.disagreements.append((path.stem, verdict))
        if progress is not None:
            progress(path.stem, totals)
    return report


# ── the built-in engine ────────────────────────────────────────────────────────────────────────────────────────────────


def run_fact(fact: Fact) -> Outcome:
    """What the built-in engine does with a fact's module, in a session of its own."""
    session = Session(DIALECT, limits=LIMITS)
    try:
        module = session.load(Source(fact.text, MODULE_NAME), profile=fact.kind == "codestat")
        if fact.kind in RUN_AS_SCRIPT:
            return _script_outcome(fact, session)
        value = session.call(module, ENTRY, [])
        return Outcome("value", notation(value, session.runtime))
    except CompileFailed as failure:
        first = failure.diagnostics[0]
        return Outcome("compile_error", message=first.message, line=first.line - fact.shift if first.line else None)
    except BslRuntimeError as error:
        if fact.kind == "codestat":  # an uncaught error ends the run, the counts stand
            return _script_outcome(fact, session)
        report = session.report(error)
        return Outcome("runtime_error", message=report.message, line=report.line - fact.shift if report.line else None)
    except LimitReached as reached:
        return Outcome("limit", message=str(reached))
    except NotSupported as lacking:
        return Outcome("not_supported", message=str(lacking))
    except EngineFault as fault:
        return Outcome("fault", message=fault.detail.strip().rsplit("\n", 1)[-1])
    except Exception as crash:  # a defect of the engine must not end the audit that is to find it
        return Outcome("fault", message=f"{type(crash).__name__}: {crash}")


def _script_outcome(fact: Fact, session: Session) -> Outcome:
    """A module run as a start-up script: what it printed, or which lines it executed."""
    if fact.kind == "codestat":
        counts = {
            routine: {str(line): times for line, times in lines.items()} for routine, lines in session.line_counts().items()
        }
        return Outcome("codestat", counts=counts)
    return Outcome("compiles", "".join(text + "\n" for text in session.runtime.output))


# ── the table ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def table(report: Report) -> list[str]:
    """The totals as lines of text."""
    rows = [("file", "facts", "equal", "share", "errors", "message", "line")]
    named = [*report.files.items(), ("total", report.total)]
    for name, totals in named:
        shares = totals.shares()
        rows.append(
            (
                name,
                str(totals.facts),
                str(totals.equal),
                _percent(shares["equal_share"]),
                str(totals.errors),
                _percent(shares["message_share"]),
                _percent(shares["line_share"]),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]


def _percent(share: float | int | None) -> str:
    return "–" if share is None else f"{share:.2%}"


def disagreement_lines(report: Report) -> Iterable[str]:
    """Every disagreement with both sides, for a person who mends them."""
    for name, verdict in report.disagreements:
        fact, outcome = verdict.fact, verdict.outcome
        yield f"── {name} · {fact.area} · {fact.id}"
        yield fact.code
        yield f"   genuine: {_side(fact.kind, fact.result, fact.message, fact.line, fact.counts)}"
        yield f"   ours:    {_side(outcome.kind, outcome.result, outcome.message, outcome.line, outcome.counts)}"


def _side(kind: str, result: str, message: str, line: int | None, counts: Any) -> str:
    if kind == "codestat":
        return f"codestat {counts}"
    return f"{kind} {result}" if kind in ("value", "compiles") else f"{kind} «{message}» line {line}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that the module and the management command share."""
    parser.add_argument("--facts", type=Path, required=True, metavar="DIR", help="folder of recorded snippets (*.jsonl)")
    parser.add_argument("--only", default="", metavar="PART", help="only files whose name contains PART")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write totals and disagreements as JSON")
    parser.add_argument("--list", action="store_true", help="print every disagreement with both sides")


def execute(
    facts: Path, *, only: str = "", json_file: Path | None = None, listed: bool = False, write: Callable[[str], Any] = print
) -> Report:
    """Run, print the table (and the list), write the JSON file. Raises :class:`BadFacts`."""
    report = conformance(facts, only=only)
    if listed:
        for line in disagreement_lines(report):
            write(line)
    for line in table(report):
        write(line)
    if json_file is not None:
        json_file.write_text(json.dumps(report.as_dict(), ensure_ascii=False, indent=1), encoding="utf-8")
    return report


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="conformance", description="Compare the engine with recorded genuine runs.")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    try:
        execute(options.facts, only=options.only, json_file=options.json, listed=options.list)
    except BadFacts as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
