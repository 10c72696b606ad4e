"""S: how many root causes of errors stand in the way of a build.

Root causes = clusters of errors (lines at most ``cluster_gap`` apart) + compile blockers. Where paired keywords don't pair
(A only), the score is ``balance.score`` at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from scoring.axes.steps import in_band, not_measured
from scoring.evidence import CandidateFailed, InstrumentFailed, PairCount, SyntaxEvidence, SyntaxFacts
from scoring.protocol import Protocol
from scoring.scorecard import AxisResult, Scored


def clusters(lines: Iterable[int], gap: int) -> tuple[tuple[int, ...], ...]:
    """The sorted distinct lines, a new cluster wherever a line is more than ``gap`` below the one before."""
    found: list[list[int]] = []
    for line in sorted(set(lines)):
        if found and line - found[-1][-1] <= gap:
            found[-1].append(line)
        else:
            found.append([line])
    return tuple(map(tuple, found))


def unbalanced(facts: SyntaxFacts) -> tuple[PairCount, ...]:
    return tuple(pair for pair in facts.balance if pair.opened != pair.closed)


def score_syntax(evidence: SyntaxEvidence, protocol: Protocol, category: str) -> AxisResult:
    """S of an answer to a task of ``category``."""
    rules = protocol.syntax
    if isinstance(evidence, InstrumentFailed):
        return not_measured(evidence, protocol)
    if isinstance(evidence, CandidateFailed):
        # The checker itself was broken by the text (a limit of nesting): as many root causes as the worst band has.
        lowest = rules.bands[-1].score
        return Scored(Decimal(lowest), lowest, {"failure": evidence.kind})
    facts = evidence.facts
    found = clusters((finding.at.line for finding in facts.errors), rules.cluster_gap)
    causes = len(found) + len(facts.blockers)
    grounds = {"root_causes": causes, "clusters": [list(lines) for lines in found], "blockers": len(facts.blockers)}
    odd = unbalanced(facts) if category in rules.balance_categories else ()
    if odd:
        grounds["unbalanced"] = {pair.key: [pair.opened, pair.closed] for pair in odd}
        return Scored(Decimal(rules.balance_score), rules.balance_score, grounds)
    step = in_band(causes, rules.bands)
    return Scored(Decimal(step), step, grounds)
