"""What the axes share: bands, projections, and what failed evidence means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from scoring.evidence import InstrumentFailed
from scoring.protocol import Band, MeaningRules, PlatformRules, Protocol, ShareStep
from scoring.scorecard import NotMeasured, Scored, rounded


def in_band(value: Fraction | Decimal | int, bands: Sequence[Band]) -> int:
    """The score of the first band whose bound ``value`` does not exceed."""
    return next(band.score for band in bands if band.up_to is None or value <= Fraction(band.up_to))


def project(share: Fraction, steps: Sequence[ShareStep]) -> int:
    """A share of 0–1 on the expert's six steps."""
    for step in steps:
        bound = Fraction(step.bound)
        if share > bound or (share == bound and not step.strict):
            return step.step
    return steps[-1].step


def share_score(
    count: int, total: int, rules: MeaningRules | PlatformRules, protocol: Protocol, grounds: Mapping[str, object]
) -> Scored:
    """``count / total`` × the scale's maximum; a total of 0 is a share of 0: nothing was confirmed."""
    share = Fraction(count, total) if total else Fraction(0)
    value = rounded(share * protocol.constitution.maximum, rules.decimals)
    return Scored(value, project(share, rules.steps), dict(grounds))


def not_measured(failure: InstrumentFailed, protocol: Protocol) -> NotMeasured:
    """The instrument's reason, if the constitution knows it; the detail stays with it."""
    known = failure.reason in protocol.constitution.not_measured
    return NotMeasured(failure.reason if known else "instrument", failure.detail)
