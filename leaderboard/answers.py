"""An answer's page: its code with errors at their lines, every test, the growth of its work, and why an axis has no value."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from leaderboard import labels
from leaderboard.metadata import Node, tree
from scoring import highlight
from scoring.evidence import (
    CandidateFailed,
    Evidence,
    GrowthFacts,
    InstrumentFailed,
    Observed,
    Place,
    StaticFacts,
    SyntaxFacts,
    TestFacts,
    TestOutcome,
)
from scoring.findings import FaultyData
from scoring.models import Answer, Score, Stack, TaskBundle
from scoring.scorecard import NotApplicable, NotMeasured, Scorecard, Scored
from scoring.services import bank, reviewing, scores, stacks
from scoring.services.reviewing import Marks

_POSITION = re.compile(r"\{\((\d+), (\d+)\)\}: ?([^\n]*)\n(.*<<\?>>.*)")
MARKER = "<<?>>"
HERE = highlight.Piece("here", MARKER)


@dataclass(frozen=True, slots=True)
class AxisView:
    """`state`: scored, not_measured or not_applicable; `why` and `detail` for what has no value; `facts`: (what, figure)."""

    label: labels.AxisLabel
    value: float | None
    step: int | None
    state: str
    why: str
    detail: str
    grounds: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something at a line: `kind` is syntax, run or static; `times`: in how many tests."""

    kind: str
    message: str
    column: int = 0
    times: int = 1


@dataclass(frozen=True, slots=True)
class CodeLine:
    number: int
    pieces: list[highlight.Piece]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class QueryFault:
    """A query of the answer that did not run: its text, the place, and what was said. `start`: its line in the module."""

    message: str
    line: int
    column: int
    start: int
    lines: list[CodeLine]
    times: int


@dataclass(frozen=True, slots=True)
class Growth:
    """Work by size of the load ladder; `unit` is operations or accesses."""

    unit: str
    optimum: str
    exponent: str | None
    excess: str | None
    points: tuple[tuple[int, int | None], ...]
    stopped: str


@dataclass(frozen=True, slots=True)
class LookUp:
    """One call of a schema tool while the network was answering."""

    round: int
    name: str
    arguments: str
    result: str
    ok: bool


@dataclass(frozen=True)
class AnswerPage:
    """`details`: whether code and tests may be shown at all; `evidence_fault`: stored evidence that can't be read."""

    answer: Answer
    score: Score | None
    stack: Stack | None
    stacks: list[Stack]
    details: bool
    axes: list[AxisView]
    code: list[CodeLine]
    loose: list[Mark]
    outcomes: tuple[TestOutcome, ...]
    tests_note: str
    growth: Growth | None
    antipatterns: list[tuple[str, str, int]]
    invented: list[tuple[str, str]]
    queries: list[QueryFault]
    metadata: tuple[Node, ...]
    printed: str
    trace: list[LookUp]
    withheld: bool
    marks: Marks
    former_bundle: bool
    evidence_fault: bool

    @property
    def verified_axes(self) -> list[str]:
        """The axes on which this very score carries the mark."""
        task = self.answer.task
        return [axis.label.key for axis in self.axes if axis.value is not None and self.marks.covers(task.category, axis.label.key, task.pk)]

    @property
    def doubted(self) -> bool:
        """Whether somebody has questioned the task or its tests, and nobody has settled it."""
        return self.answer.task_id in self.marks.doubted

    @property
    def solved(self) -> bool:
        return bool(self.score and self.score.solved)


def make_page(answer: Answer, score: Score | None, known: list[Stack]) -> AnswerPage:
    """Everything the page shows. Of a private task only figures leave this function, of a withheld answer nothing."""
    withheld = reviewing.is_withheld(answer.pk)
    if withheld:
        score, known = None, []
    details = not withheld and details_are_public(answer)
    card, evidence, fault = _stored(score)
    shown = evidence if details else None
    marks = _marks(shown) if shown else []
    dialect = stacks.protocol().constitution.categories[answer.task.category].dialect
    code = _code(answer.code, dialect, marks) if details and answer.code.strip() else []
    tests = _facts(shown.tests) if shown else None
    return AnswerPage(
        answer=answer,
        score=score,
        stack=score.stack if score else None,
        stacks=known,
        details=details,
        axes=_axes(answer, card, details),
        code=code,
        loose=[mark for line, mark in marks if not 0 < line <= len(code)],
        outcomes=tests.outcomes if isinstance(tests, TestFacts) else (),
        tests_note=_tests_note(shown),
        growth=_growth(shown, card),
        antipatterns=_antipatterns(shown),
        invented=[(labels.invented_kind(entry.kind), entry.name) for entry in shown.invented] if shown else [],
        queries=_queries(answer.code, dialect, tests) if isinstance(tests, TestFacts) else [],
        metadata=_metadata(answer.task.bundle) if details else (),
        printed=tests.printed if isinstance(tests, TestFacts) else "",
        trace=_trace(answer) if details else [],
        withheld=withheld,
        marks=reviewing.marks(),
        former_bundle=bool(score and score.bundle_id != answer.task.bundle_id),
        evidence_fault=fault,
    )


def details_are_public(answer: Answer) -> bool:
    """Code, tests and errors of a private task stay private: they would tell its condition."""
    return not answer.task.is_private


def _stored(score: Score | None) -> tuple[Scorecard | None, Evidence | None, bool]:
    if score is None:
        return None, None, False
    try:
        return scores.read_card(score), scores.read_evidence(score), False
    except (ValueError, TypeError, KeyError):
        # Written by another version: the figures of the row still stand.
        return None, None, True


def _facts(evidence: Any) -> Any:
    return evidence.facts if isinstance(evidence, Observed) else None


def _axes(answer: Answer, card: Scorecard | None, details: bool) -> list[AxisView]:
    names = labels.axis_labels()
    if card is None:
        why = labels.reason(scores.reason_without_answer(answer.status)) if answer.status != "answered" else ""
        wanted = stacks.protocol().constitution.categories[answer.task.category].axes
        return [AxisView(names[axis], None, None, "not_measured", why, "", {}) for axis in wanted]
    return [_axis(names[axis], result, details) for axis, result in card.axes.items()]


def _axis(label: labels.AxisLabel, result: Any, details: bool) -> AxisView:
    if isinstance(result, Scored):
        grounds = dict(result.grounds) if details else {}
        return AxisView(label, float(result.value), result.step, "scored", "", "", grounds)
    if isinstance(result, NotMeasured):
        detail = labels.failure_words(result.detail) if details else ""
        return AxisView(label, None, None, "not_measured", labels.reason(result.reason), detail, {})
    assert isinstance(result, NotApplicable)
    return AxisView(label, None, None, "not_applicable", labels.reason(result.reason, "not_applicable"), "", {})


# -- code and its marks ------------------------------------------------------------------------------------------------


def _marks(evidence: Evidence) -> list[tuple[int, Mark]]:
    """(line, mark), equal messages at one line counted together."""
    counted: dict[tuple[int, str, str, int], int] = defaultdict(int)
    for kind, message, at in _errors(evidence):
        counted[(at.line if at else 0, kind, message, at.column if at else 0)] += 1
    return [(line, Mark(kind, message, column, times)) for (line, kind, message, column), times in sorted(counted.items())]


def _errors(evidence: Evidence) -> Iterator[tuple[str, str, Place | None]]:
    for part in (evidence.syntax, evidence.tests, evidence.growth):
        if isinstance(part, CandidateFailed):
            yield ("syntax" if part.kind == "does_not_compile" else "run"), _stop_words(part), part.at
    syntax = _facts(evidence.syntax)
    if isinstance(syntax, SyntaxFacts):
        yield from (("syntax", finding.message, finding.at) for finding in (*syntax.errors, *syntax.blockers))
    tests = _facts(evidence.tests)
    if isinstance(tests, TestFacts):
        yield from (("run", entry.error.message, entry.error.at) for entry in tests.outcomes if entry.error and entry.verdict == "raised")
        if tests.stopped:
            yield "run", _stop_words(tests.stopped), tests.stopped.at
    growth = _facts(evidence.growth)
    if isinstance(growth, GrowthFacts) and growth.stopped:
        yield "run", _stop_words(growth.stopped), growth.stopped.at
    if isinstance(growth, StaticFacts):
        rules = stacks.protocol()
        yield from (("static", labels.static_label(entry.code, rules), entry.at) for entry in growth.findings)


def _stop_words(failure: CandidateFailed) -> str:
    """What ended the code: a spent limit in the reader's words, since its message is the engine's own; else the message."""
    return labels.failure_words(failure.kind) if failure.kind.startswith("limit_") else failure.message or failure.kind


def _code(code: str, dialect: str, marks: Iterable[tuple[int, Mark]]) -> list[CodeLine]:
    by_line: dict[int, list[Mark]] = defaultdict(list)
    for line, mark in marks:
        by_line[line].append(mark)
    return [
        CodeLine(number, pieces, tuple(by_line.get(number, ())))
        for number, pieces in enumerate(highlight.lines(code, dialect), start=1)
    ]


# -- tests, growth, database -------------------------------------------------------------------------------------------


def _tests_note(evidence: Evidence | None) -> str:
    """Why no test ran, in words; empty where tests did."""
    if evidence is None:
        return ""
    tests = evidence.tests
    if isinstance(tests, CandidateFailed):
        return labels.cause_label(_cause(tests)) + (f": {tests.message}" if tests.message else "")
    if isinstance(tests, InstrumentFailed):
        return labels.reason(tests.reason)
    if tests.facts.stopped:
        return labels.cause_label(_cause(tests.facts.stopped))
    return ""


def _cause(failure: CandidateFailed) -> str:
    for cause in stacks.protocol().funnel.causes:
        if failure.kind in cause.kinds or failure.error_kind in cause.kinds:
            return cause.key
    return "syntax" if failure.kind == "does_not_compile" else failure.kind


def _growth(evidence: Evidence | None, card: Scorecard | None) -> Growth | None:
    facts = _facts(evidence.growth) if evidence else None
    if not isinstance(facts, GrowthFacts):
        return None
    result = card.axes.get("O") if card else None
    grounds = result.grounds if isinstance(result, Scored) else {}
    counts = [*facts.counts, *[None] * (len(facts.sizes) - len(facts.counts))]
    stopped = labels.cause_label(_cause(facts.stopped)) if facts.stopped else ""
    points = tuple(zip(facts.sizes, counts, strict=True))
    return Growth(facts.unit, facts.optimum, grounds.get("exponent"), grounds.get("excess"), points, stopped)


def _antipatterns(evidence: Evidence | None) -> list[tuple[str, str, int]]:
    """(code, words, line) of each."""
    facts = _facts(evidence.growth) if evidence else None
    if not isinstance(facts, StaticFacts):
        return []
    rules = stacks.protocol()
    return [(entry.code, labels.static_label(entry.code, rules), entry.at.line) for entry in facts.findings]


def _queries(code: str, dialect: str, facts: TestFacts) -> list[QueryFault]:
    """Queries that failed with a place, each once."""
    counted: dict[tuple[int, int, str, str], int] = defaultdict(int)
    for outcome in facts.outcomes:
        found = _POSITION.search(outcome.error.message) if outcome.error else None
        if found:
            counted[(int(found[1]), int(found[2]), found[3], found[4].replace(MARKER, ""))] += 1
    if not counted:
        return []
    texts = highlight.queries(code, dialect)
    return [_fault(line, column, message, excerpt, times, texts) for (line, column, message, excerpt), times in counted.items()]


def _fault(line: int, column: int, message: str, excerpt: str, times: int, texts: list[highlight.QueryText]) -> QueryFault:
    """The literal that has the excerpt at that line; a query put together at run time has none, then the excerpt alone is shown."""
    mark = Mark("run", message, column)
    for text in texts:
        rows = text.text.split("\n")
        if line <= len(rows) and rows[line - 1].strip() == excerpt.strip():
            shown = highlight.query_lines(text.text)
            shown[line - 1] = _pointed(shown[line - 1], column)
            lines = [CodeLine(n, pieces, (mark,) if n == line else ()) for n, pieces in enumerate(shown, start=1)]
            return QueryFault(message, line, column, text.line, lines, times)
    pieces = _pointed(highlight.query_lines(excerpt)[0], column)
    return QueryFault(message, line, column, 0, [CodeLine(line, pieces, (mark,))], times)


def _pointed(pieces: list[highlight.Piece], column: int) -> list[highlight.Piece]:
    """The line with the platform's mark before its `column` (from 1)."""
    found: list[highlight.Piece] = []
    left = column - 1
    for piece in pieces:
        if 0 <= left < len(piece.text):
            before, after = piece.text[:left], piece.text[left:]
            found += [part for part in (highlight.Piece(piece.kind, before), HERE, highlight.Piece(piece.kind, after)) if part.text]
        else:
            found.append(piece)
        left -= len(piece.text)
    return found if HERE in found else [*found, HERE]


def _trace(answer: Answer) -> list[LookUp]:
    """What the network asked about the schema, in order; nothing where the answer came in from a file."""
    exchange = getattr(answer, "exchange", None)
    return [_look_up(entry) for entry in exchange.trace if isinstance(entry, dict)] if exchange else []


def _look_up(entry: dict[str, Any]) -> LookUp:
    asked, told = (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in (entry.get("arguments", ""), entry.get("result", ""))
    )
    return LookUp(int(entry.get("round") or 0), str(entry.get("name", "")), asked, told, bool(entry.get("ok")))


def _metadata(stored: TaskBundle | None) -> tuple[Node, ...]:
    if stored is None or "config_spec.yaml" not in stored.files:
        return ()
    try:
        return tree(bank.read_bundle(stored).configuration)
    except FaultyData:
        return ()
