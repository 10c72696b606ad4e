"""The failure funnel: every attempt falls once, where it first broke. Kinds of cause are data (``failure_causes.yaml``)."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.axes.syntax import unbalanced
from scoring.evidence import CandidateFailed, ErrorFact, Evidence, InstrumentFailed, Observed, Place, SyntaxFacts, TestFacts
from scoring.protocol import Cause, Funnel

# Failures of the run as a whole that happen before any statement of the answer is executed.
_BEFORE_RUN = frozenset({"does_not_compile", "no_entry_point", "empty"})


@dataclass(frozen=True, slots=True)
class Fall:
    """Where an attempt fell: keys of a stage and a cause, the text of the error behind it, and its place."""

    stage: str
    cause: str
    message: str = ""
    at: Place | None = None


def classify(evidence: Evidence, funnel: Funnel) -> Fall:
    """The first place where the attempt broke."""
    tests = evidence.tests
    if isinstance(tests, InstrumentFailed):
        return _fall(funnel, "unknown", tests.reason, tests.detail)
    if isinstance(tests, CandidateFailed):
        return _candidate(evidence, tests, funnel)
    return _outcomes(tests.facts, funnel)


def _candidate(evidence: Evidence, failure: CandidateFailed, funnel: Funnel) -> Fall:
    if failure.kind not in _BEFORE_RUN:
        return _fall(funnel, "run", failure.kind, failure.message, failure.at)
    syntax = evidence.syntax
    if failure.kind == "does_not_compile" and isinstance(syntax, Observed) and _cut_off(syntax.facts):
        return _fall(funnel, "compile", "unbalanced", failure.message, failure.at)
    kind = failure.error_kind or failure.kind
    return _fall(funnel, "compile", kind, failure.message, failure.at)


def _cut_off(facts: SyntaxFacts) -> bool:
    """A text that lacks closing keywords was cut off; surplus ones are an ordinary mistake."""
    return any(pair.opened > pair.closed for pair in unbalanced(facts))


def _outcomes(facts: TestFacts, funnel: Funnel) -> Fall:
    if facts.stopped:
        return _fall(funnel, "run", facts.stopped.kind, facts.stopped.message, facts.stopped.at)
    failed = [outcome for outcome in facts.outcomes if outcome.verdict != "passed"]
    if not failed:
        return _fall(funnel, "solved", "none")
    raised = next((outcome.error for outcome in failed if outcome.verdict == "raised" and outcome.error), None)
    if raised:
        return _error(funnel, raised)
    return _fall(funnel, "result", "wrong_value", failed[0].actual)


def _error(funnel: Funnel, error: ErrorFact) -> Fall:
    return _fall(funnel, "run", error.kind, error.message, error.at)


def cause_of(funnel: Funnel, stage: str, kind: str, message: str) -> str:
    """The key of the cause that an error of this kind and text has in ``stage``."""
    return _cause(funnel, stage, kind, message).key


def _fall(funnel: Funnel, stage: str, kind: str, message: str = "", at: Place | None = None) -> Fall:
    return Fall(stage, _cause(funnel, stage, kind, message).key, message, at)


def _cause(funnel: Funnel, stage: str, kind: str, message: str) -> Cause:
    causes = [cause for cause in funnel.causes if cause.stage == stage]
    by_kind = next((cause for cause in causes if kind in cause.kinds), None)
    by_mark = next((cause for cause in causes if any(mark in message for mark in cause.marks)), None)
    # A text tells more than a coarse kind does: an engine may name every failed query alike.
    return by_mark or by_kind or next(cause for cause in causes if cause.otherwise)
