"""P: the share of hidden tests that ran without a platform error: the same run as M's, another question.

A platform error is an exception from touching metadata or running a query; its text is how genuine engines tell, so its
marks are data of the protocol. A wrong value is none.
"""

from __future__ import annotations

from scoring.axes.steps import not_measured, share_score
from scoring.evidence import CandidateFailed, InstrumentFailed, Invented, TestEvidence, TestOutcome
from scoring.protocol import Protocol
from scoring.scorecard import AxisResult, NotApplicable


def is_platform_error(outcome: TestOutcome, protocol: Protocol) -> bool:
    """Did this test fail by an exception that names the platform?"""
    if outcome.verdict == "passed" or outcome.error is None or outcome.wants_error:
        return False
    return any(mark in outcome.error.message for mark in protocol.platform.error_marks)


def invented(evidence: TestEvidence, protocol: Protocol) -> tuple[Invented, ...]:
    """What the answer made up, as far as its errors name it: each thing once, in order of appearance."""
    if isinstance(evidence, CandidateFailed):
        texts = [evidence.message]
    elif isinstance(evidence, InstrumentFailed):
        texts = []
    else:
        texts = [outcome.error.message for outcome in evidence.facts.outcomes if outcome.error]
    found = [
        Invented(rule.kind, match.group(1))
        for text in texts
        for rule in protocol.platform.inventions
        for match in rule.pattern.finditer(text)
    ]
    return tuple(dict.fromkeys(found))


def score_platform(evidence: TestEvidence, protocol: Protocol, category: str) -> AxisResult:
    """P of an answer to a task of ``category``."""
    rules = protocol.platform
    if not protocol.constitution.applies("P", category):
        return NotApplicable()
    if isinstance(evidence, InstrumentFailed):
        return not_measured(evidence, protocol)
    if isinstance(evidence, CandidateFailed):
        return share_score(0, 0, rules, protocol, {"clean": 0, "total": 0, "failure": evidence.kind})
    facts = evidence.facts
    # A test that a spent budget cut off confirmed nothing.
    ran = [outcome for outcome in facts.outcomes if outcome.verdict != "not_run"]
    clean = sum(not is_platform_error(outcome, protocol) for outcome in ran)
    return share_score(clean, facts.total, rules, protocol, {"clean": clean, "total": facts.total})
