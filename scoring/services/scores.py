"""From a measured result (or its absence) to a row, and back."""

from __future__ import annotations

from scoring.evidence import Evidence, InstrumentFailed, Observed, TestFacts, from_data, to_data
from scoring.funnel import Fall
from scoring.models import AXES, Answer, AnswerStatus, AxisState, Score, Stack, TaskBundle
from scoring.pipeline import judge
from scoring.plain import plain_data
from scoring.protocol import Protocol
from scoring.scorecard import (
    AxisResult,
    NotApplicable,
    NotMeasured,
    Scorecard,
    Scored,
    card_from_data,
    card_to_data,
)

SOLVED_STAGE = "solved"
UNMEASURED = Fall("unknown", "not_measured")
# Reasons of `metrics/smop.yaml` for cells that hold no answer to measure.
REASON_OF_STATUS = {AnswerStatus.TRUNCATED: "answer_truncated"}
OTHERWISE = "answer_failed"


def build_score(
    answer: Answer,
    stack: Stack,
    bundle: TaskBundle,
    card: Scorecard,
    fall: Fall,
    evidence: Evidence | None = None,
    elapsed_ms: float = 0.0,
) -> Score:
    """An unsaved row of the scorecard, with its evidence."""
    score = Score(answer=answer, stack=stack, bundle=bundle, card=plain_data(card_to_data(card)), elapsed_ms=elapsed_ms)
    for axis in AXES:
        _put_axis(score, axis, card.axes.get(axis, NotApplicable()))
    score.q_value = None if card.quality is None else float(card.quality)
    score.stage, score.cause = fall.stage, fall.cause
    score.solved = fall.stage == SOLVED_STAGE
    if evidence is not None:
        score.evidence = plain_data(to_data(evidence))
        score.passed, score.total = counts_of(evidence)
    return score


def _put_axis(score: Score, axis: str, result: AxisResult) -> None:
    low = axis.lower()
    value, step, state, reason = axis_columns(result)
    setattr(score, f"{low}_value", value)
    setattr(score, f"{low}_step", step)
    setattr(score, f"{low}_state", state)
    setattr(score, f"{low}_reason", reason)


def axis_columns(result: AxisResult) -> tuple[float | None, int | None, str, str]:
    """(value, step, state, reason) as the row keeps them."""
    if isinstance(result, Scored):
        return float(result.value), result.step, AxisState.SCORED, ""
    if isinstance(result, NotMeasured):
        return None, None, AxisState.NOT_MEASURED, result.reason
    return None, None, AxisState.NOT_APPLICABLE, result.reason


def counts_of(evidence: Evidence) -> tuple[int | None, int | None]:
    """(passed, total) of the hidden tests, None where they did not run."""
    tests = evidence.tests
    if isinstance(tests, Observed) and isinstance(tests.facts, TestFacts):
        return tests.facts.passed, tests.facts.total
    return None, None


def unmeasured_score(
    answer: Answer, stack: Stack, bundle: TaskBundle, protocol: Protocol, reason: str, detail: str = ""
) -> Score:
    """A row of N/A: `reason` (a key of `absent.not_measured`) on every axis that applies."""
    failed = InstrumentFailed(reason, detail)
    card = judge(Evidence(failed, failed), protocol, answer.task.category)
    return build_score(answer, stack, bundle, card, UNMEASURED, Evidence(failed, failed))


def reason_without_answer(status: str) -> str:
    """Why a cell in this state has no score."""
    return REASON_OF_STATUS.get(AnswerStatus(status), OTHERWISE)


def read_card(score: Score) -> Scorecard:
    """The stored scorecard, exact decimals. Raises ValueError for one of an unknown shape."""
    return card_from_data(score.card)


def read_evidence(score: Score) -> Evidence | None:
    """The stored evidence, None for recorded and unmeasured scores. Raises ValueError for one of an unknown shape."""
    return None if score.evidence is None else from_data(score.evidence)
