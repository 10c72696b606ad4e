"""M: the share of hidden tests passed. Not compiled, not run, no routine found, budget spent: 0."""

from __future__ import annotations

from scoring.axes.steps import not_measured, share_score
from scoring.evidence import CandidateFailed, InstrumentFailed, TestEvidence
from scoring.protocol import Protocol
from scoring.scorecard import AxisResult


def score_meaning(evidence: TestEvidence, protocol: Protocol) -> AxisResult:
    """M of an answer."""
    rules = protocol.meaning
    if isinstance(evidence, InstrumentFailed):
        return not_measured(evidence, protocol)
    if isinstance(evidence, CandidateFailed):
        return share_score(0, 0, rules, protocol, {"passed": 0, "total": 0, "failure": evidence.kind})
    facts = evidence.facts
    grounds: dict[str, object] = {"passed": facts.passed, "total": facts.total, "operations": facts.operations}
    if facts.stopped:
        grounds["failure"] = facts.stopped.kind
    return share_score(facts.passed, facts.total, rules, protocol, grounds)
