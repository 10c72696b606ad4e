"""Recorded verdicts against ours, cell by cell: shares per axis, rank correlation, and every disagreement with both sides.

What is written holds ids, kinds and figures; the texts of errors only where ``details`` asks for them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from statistics import median
from typing import Any

from scoring.evidence import CandidateFailed, InstrumentFailed
from scoring.funnel import cause_of
from scoring.pipeline import Result
from scoring.protocol import Funnel
from scoring.results import ScoredRun

AXES = ("S", "M", "O", "P")
CellKey = tuple[str, str, int]  # task, model_id, run
_RAISED = ("ИСКЛЮЧЕНИЕ", "PRISM_ERR")
_ENTRY = re.compile(r"тест\d+ (FAIL|ИСКЛЮЧЕНИЕ)[: ]*(.*?)(?=; тест\d+ (?:FAIL|ИСКЛЮЧЕНИЕ)|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a cell first broke: funnel keys and, for people, the text."""

    stage: str
    cause: str
    text: str = ""

    @property
    def kind(self) -> str:
        return f"{self.stage}/{self.cause}"


@dataclass(frozen=True, slots=True)
class Side:
    """One side's verdict. ``passed`` is None where nothing was measured. ``lines``: of the errors behind S, if known."""

    scores: Mapping[str, Decimal | None]
    passed: int | None
    first_failure: Failure
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    task: str
    model_id: str
    model_name: str
    run: int
    ours: Side
    theirs: Side
    left_out: frozenset[str]
    elapsed: float


# -- their side --------------------------------------------------------------------------------------------------------


def recorded(run: ScoredRun, funnel: Funnel) -> Side:
    """A recorded run of either category."""
    meaning = run.detail.get("M", {})
    scores = {axis: run.scores.get(axis) for axis in AXES}
    passed = None if scores["M"] is None else int(meaning.get("passed", 0))
    note = str(run.detail.get("O", {}).get("note") or "")
    return Side(scores, passed, _recorded_failure(meaning, passed, funnel), note)


def _recorded_failure(meaning: Mapping[str, Any], passed: int | None, funnel: Funnel) -> Failure:
    if passed is None:
        return Failure("unknown", "not_measured")
    texts = [str(meaning.get("log") or ""), str(meaning.get("infra_detail") or ""), *map(str, meaning.get("errors") or ())]
    whole = " ".join(texts)
    if "не найдено ни одной функции" in whole:
        return Failure("compile", "no_entry_point", whole)
    if meaning.get("status") == "candidate_error" or "compile_error" in whole:
        return Failure("compile", cause_of(funnel, "compile", "", whole), whole)
    if "таймаут" in whole:
        return Failure("run", "time_out", whole)
    if meaning.get("total") and passed == meaning["total"]:
        return Failure("solved", "none")
    return _first_entry(meaning, funnel)


def _first_entry(meaning: Mapping[str, Any], funnel: Funnel) -> Failure:
    match = _ENTRY.search(str(meaning.get("log") or ""))
    kind, text = (match.group(1), match.group(2)) if match else ("", "")
    errors = meaning.get("errors") or ()
    if not match and errors:
        kind, _, text = str(errors[0]).partition(" ")
    if kind in _RAISED:
        return Failure("run", cause_of(funnel, "run", "", text), text)
    return Failure("result", "wrong_value", text)


# -- our side ----------------------------------------------------------------------------------------------------------


def measured(result: Result, funnel: Funnel) -> Side:
    """Our result in the same form."""
    scores = {axis: result.card.value(axis) for axis in AXES}
    tests = result.evidence.tests
    if isinstance(tests, InstrumentFailed):
        return Side(scores, None, Failure("unknown", "not_measured", f"{tests.reason}: {tests.detail}"))
    if isinstance(tests, CandidateFailed):
        return Side(scores, 0, _as_texts_tell(result, tests, funnel), _growth_note(result))
    if tests.facts.stopped:
        return Side(scores, 0, Failure(result.fall.stage, result.fall.cause, result.fall.message), _growth_note(result))
    failed = next((outcome for outcome in tests.facts.outcomes if outcome.verdict != "passed"), None)
    if failed is None:
        first = Failure("solved", "none")
    elif failed.error is not None and not failed.wants_error:
        first = Failure("run", cause_of(funnel, "run", failed.error.kind, failed.error.message), failed.error.message)
    else:
        text = f"test {failed.index + 1}: {failed.actual} / {failed.expected}"
        first = Failure("result", "wrong_value", text if failed.error is None else failed.error.message)
    return Side(scores, tests.facts.passed, first, _growth_note(result))


def _as_texts_tell(result: Result, failure: CandidateFailed, funnel: Funnel) -> Failure:
    """Our funnel knows more than a recorded text can say (empty, cut off): come down to what it can."""
    if failure.kind == "empty":
        return Failure("compile", "no_entry_point", failure.kind)
    if failure.kind == "does_not_compile":
        return Failure("compile", cause_of(funnel, "compile", failure.error_kind, failure.message), failure.message)
    return Failure(result.fall.stage, result.fall.cause, result.fall.message)


def _growth_note(result: Result) -> str:
    card = result.card.axes["O"]
    grounds = getattr(card, "grounds", None)
    return str(dict(grounds)) if grounds else f"{getattr(card, 'reason', '')} {getattr(card, 'detail', '')}".strip()


# -- the report --------------------------------------------------------------------------------------------------------


@dataclass
class AxisTally:
    n: int = 0
    equal: int = 0
    differences: list[Fraction] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        mean = _mean(self.differences) if self.differences else None
        return {
            "n": self.n,
            "equal": self.equal,
            "share": round(self.equal / self.n, 6) if self.n else None,
            "mean_abs_diff": None if mean is None else round(float(mean), 4),
        }


def compare(cells: Sequence[Cell], *, wall: float, details: bool = False) -> dict[str, Any]:
    """The whole report as JSON values (see ``docs/fidelity.md``)."""
    axes = {axis: AxisTally() for axis in AXES if any(_has(cell, axis) for cell in cells)}
    first = AxisTally()
    disagreements: list[dict[str, Any]] = []
    left_out = 0
    for cell in cells:
        left_out += len(cell.left_out)
        for axis, tally in axes.items():
            if axis not in cell.left_out:
                _tally(cell, axis, tally, disagreements, details)
        if "M" not in cell.left_out and cell.theirs.passed is not None:
            _tally_failure(cell, first, disagreements, details)
    report: dict[str, Any] = {axis: tally.data() for axis, tally in axes.items()}
    report["first_failure"] = {key: value for key, value in first.data().items() if key != "mean_abs_diff"}
    report |= {
        "answers": len(cells),
        "left_out": left_out,
        "kendall_q": kendall_q(cells),
        "wall_s": round(wall, 2),
        "median_ms": round(median(cell.elapsed for cell in cells) * 1000, 2) if cells else None,
        "disagreements": disagreements,
    }
    return report


def _has(cell: Cell, axis: str) -> bool:
    return axis != "P" or cell.theirs.scores["P"] is not None or cell.ours.scores["P"] is not None


def _tally(cell: Cell, axis: str, tally: AxisTally, disagreements: list[dict[str, Any]], details: bool) -> None:
    ours, theirs = _verdict(cell.ours, axis), _verdict(cell.theirs, axis)
    tally.n += 1
    if ours == theirs:
        tally.equal += 1
    else:
        disagreements.append(_entry(cell, axis, ours, theirs, details))
    scores = cell.ours.scores[axis], cell.theirs.scores[axis]
    if scores[0] is not None and scores[1] is not None:
        tally.differences.append(abs(Fraction(scores[0]) - Fraction(scores[1])))


def _verdict(side: Side, axis: str) -> Decimal | int | None:
    """M compares by tests passed, the other axes by value."""
    return side.passed if axis == "M" else side.scores[axis]


def _tally_failure(cell: Cell, tally: AxisTally, disagreements: list[dict[str, Any]], details: bool) -> None:
    ours, theirs = cell.ours.first_failure, cell.theirs.first_failure
    tally.n += 1
    if ours.kind == theirs.kind:
        tally.equal += 1
    else:
        disagreements.append(_entry(cell, "first_failure", ours.kind, theirs.kind, details))


def _entry(cell: Cell, axis: str, ours: Any, theirs: Any, details: bool) -> dict[str, Any]:
    entry = {
        "task": cell.task,
        "model": cell.model_id,
        "axis": axis,
        "ours": _plain(ours),
        "theirs": _plain(theirs),
        "our_kind": cell.ours.first_failure.kind,
        "their_kind": cell.theirs.first_failure.kind,
    }
    if cell.run:
        entry["run"] = cell.run
    if details:
        entry |= {"our_text": cell.ours.first_failure.text, "their_text": cell.theirs.first_failure.text}
        entry |= {"our_note": cell.ours.note, "their_note": cell.theirs.note}
    return entry


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


# -- rank correlation --------------------------------------------------------------------------------------------------


def kendall_q(cells: Iterable[Cell]) -> float | None:
    """τ-b of the networks' mean Q, ours against theirs. A network is its name; Q is computed from the axes on both
    sides, without the axes that were left out."""
    ours: dict[str, list[Fraction]] = defaultdict(list)
    theirs: dict[str, list[Fraction]] = defaultdict(list)
    for cell in cells:
        for table, side in ((ours, cell.ours), (theirs, cell.theirs)):
            values = [Fraction(v) for axis, v in side.scores.items() if v is not None and axis not in cell.left_out]
            if values:
                table[cell.model_name].append(_mean(values))
    names = sorted(ours.keys() & theirs.keys())
    value = tau_b([(_mean(ours[name]), _mean(theirs[name])) for name in names])
    return None if value is None else round(value, 4)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def tau_b(pairs: Sequence[tuple[Fraction, Fraction]]) -> float | None:
    """Kendall's τ-b; None where one side is constant or there are fewer than two pairs."""
    concordant = ties_x = ties_y = total = 0
    for i, (x1, y1) in enumerate(pairs):
        for x2, y2 in pairs[i + 1 :]:
            total += 1
            ties_x += x1 == x2
            ties_y += y1 == y2
            product = (x1 - x2) * (y1 - y2)
            concordant += (product > 0) - (product < 0)
    scale = (total - ties_x) * (total - ties_y)
    return None if scale == 0 else float(concordant / scale**0.5)
