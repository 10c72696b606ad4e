"""O: how fast work grows with the input, against the task's optimum.

p = ln(count_last / count_first) / ln(size_last / size_first); d = p - p_opt decides the band. Without a load profile (B)
the weights of the static anti-patterns do. Gates: code that did not run, or whose M is below ``min_meaning``, has no O.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from scoring.axes.steps import in_band, not_measured
from scoring.evidence import CandidateFailed, GrowthEvidence, GrowthFacts, InstrumentFailed, StaticFacts
from scoring.protocol import Protocol
from scoring.scorecard import AxisResult, NotMeasured, Scored, rounded

# Digits that p is rounded to before it meets a band, so that no platform's last bit of a logarithm decides.
_EXPONENT_DIGITS = 9


def gate(meaning: AxisResult, protocol: Protocol) -> NotMeasured | None:
    """Why O is not even started, or None."""
    if not isinstance(meaning, Scored):
        return NotMeasured("not_executed")
    if meaning.grounds.get("failure"):
        return NotMeasured("not_executed", str(meaning.grounds["failure"]))
    if meaning.value < protocol.optimization.min_meaning:
        return NotMeasured("gated_by_meaning")
    return None


def exponent(facts: GrowthFacts) -> Decimal:
    """The growth exponent p over all measured sizes; needs two sizes and a first count above 0."""
    last = len(facts.counts) - 1
    work = math.log(facts.counts[last] / facts.counts[0])
    size = math.log(facts.sizes[last] / facts.sizes[0])
    return Decimal(repr(round(work / size, _EXPONENT_DIGITS)))


def score_optimization(evidence: GrowthEvidence | None, meaning: AxisResult, protocol: Protocol, category: str) -> AxisResult:
    """O of an answer; ``evidence`` is None where the gate was shut."""
    shut = gate(meaning, protocol)
    if shut:
        return shut
    if evidence is None:
        return NotMeasured("no_profile")
    if isinstance(evidence, InstrumentFailed):
        return not_measured(evidence, protocol)
    if isinstance(evidence, CandidateFailed):
        return NotMeasured("load_run_failed", evidence.message)
    if isinstance(evidence.facts, StaticFacts):
        return _static(evidence.facts, protocol)
    return _growth(evidence.facts, protocol, category)


def _static(facts: StaticFacts, protocol: Protocol) -> Scored:
    rules = protocol.optimization
    codes = sorted({finding.code for finding in facts.findings} & rules.static_weights.keys())
    weight = sum((rules.static_weights[code] for code in codes), Decimal(0))
    step = in_band(weight, rules.static_bands)
    return Scored(Decimal(step), step, {"weight": str(weight), "codes": codes, "leg": "static"})


def _growth(facts: GrowthFacts, protocol: Protocol, category: str) -> AxisResult:
    if facts.stopped:
        return _stopped(facts, facts.stopped, protocol, category)
    if len(facts.counts) < 2:
        return NotMeasured("instrument", "fewer than two sizes were measured")
    if facts.counts[0] <= 0:
        return NotMeasured("zero_count")
    p = exponent(facts) if facts.counts[-1] > 0 else Decimal(0)
    excess = p - Decimal(facts.optimum)
    step = in_band(excess, protocol.optimization.bands)
    return Scored(Decimal(step), step, _grounds(facts, protocol, p, excess))


def _stopped(facts: GrowthFacts, stop: CandidateFailed, protocol: Protocol, category: str) -> AxisResult:
    if stop.kind != "limit_operations":
        return NotMeasured("load_run_failed", stop.message)
    score = protocol.optimization.time_out.get(category)
    if score is None:
        return NotMeasured("time_out")
    if not facts.counts:
        return NotMeasured("time_out_at_smallest")
    return Scored(Decimal(score), score, _grounds(facts, protocol, None, None))


def _grounds(facts: GrowthFacts, protocol: Protocol, p: Decimal | None, excess: Decimal | None) -> dict[str, object]:
    decimals = protocol.optimization.decimals
    return {
        "leg": "growth",
        "unit": facts.unit,
        "sizes": list(facts.sizes),
        "counts": list(facts.counts),
        "optimum": facts.optimum,
        "exponent": None if p is None else str(rounded(Fraction(p), decimals)),
        "excess": None if excess is None else str(rounded(Fraction(excess), decimals)),
        "time_out": p is None,
    }
