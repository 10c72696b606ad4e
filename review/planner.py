"""What a round can show before it is graded, and how many more answers would settle an axis afterwards. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from review.coefficients import kappa
from review.tables import COUNT, STEP_INDEX, STEPS, Array


@dataclass(frozen=True, slots=True)
class Expectation:
    """The 95 % interval of κ that a round of this size may expect, if experts are as supposed."""

    axis: str
    answers: int
    steps: int
    low: float | None
    high: float | None

    @property
    def width(self) -> float | None:
        return None if self.low is None or self.high is None else self.high - self.low


def expected_table(steps: Mapping[int, int], exact: float) -> Array:
    """Shares of (expert, machine): the expert is exact or one step off, towards the inside at the ends of the scale."""
    table = np.zeros((COUNT, COUNT))
    for step, count in steps.items():
        sides = [side for side in (step - 2, step + 2) if side in STEP_INDEX]
        table[STEP_INDEX[step], STEP_INDEX[step]] += count * exact
        for side in sides:
            table[STEP_INDEX[side], STEP_INDEX[step]] += count * (1 - exact) / len(sides)
    return table / max(table.sum(), 1e-12)


@dataclass(frozen=True, slots=True)
class Supposed:
    """What is supposed before there are grades: the share of exact agreement, the correlation of the answers of one task."""

    exact: float
    correlation: float
    draws: int
    level: float

    @classmethod
    def of(cls, verified: Mapping[str, Any]) -> Supposed:
        """From the rules of `metrics/verified.yaml`."""
        rule = verified["planner"]
        return cls(float(rule["exact"]), float(rule["correlation"]), int(rule["draws"]), float(verified["interval"]["level"]))


def expectation(axis: str, steps: Mapping[int, int], tasks: int, supposed: Supposed, seed: int) -> Expectation:
    """By drawing tables of the effective size from the supposed shares. `steps`: machine step → answers of the sample."""
    known = {step: count for step, count in steps.items() if step in STEPS}
    answers = sum(known.values())
    if not answers or len(known) < 2:
        return Expectation(axis, answers, len(known), None, None)
    effective = max(2, round(answers / design_effect(answers, tasks, supposed.correlation)))
    shares = expected_table(known, supposed.exact)
    drawn = np.random.default_rng(seed).multinomial(effective, shares.reshape(-1), size=supposed.draws)
    tables = drawn.reshape(supposed.draws, COUNT, COUNT)
    values = kappa(tables.astype(float), "quadratic")
    low, high = np.nanquantile(values, [(1 - supposed.level) / 2, (1 + supposed.level) / 2])
    return Expectation(axis, answers, len(known), float(low), float(high))


def design_effect(answers: int, tasks: int, correlation: float) -> float:
    """L. Kish, Survey Sampling (1965), ch. 5: 1 + (m - 1) ρ, ρ = the correlation of the answers of one task."""
    return 1 + max(0.0, answers / max(1, tasks) - 1) * correlation


def answers_to_settle(value: float | None, low: float | None, high: float | None, answers: int, bounds: tuple[float, ...]) -> int | None:
    """How many further answers would bring the interval clear of the nearest bound; 0 where it is, None where nobody knows.

    Widths shrink with the square root of the number of answers.
    """
    if value is None or low is None or high is None or not answers:
        return None
    inside = [bound for bound in bounds if low < bound < high]
    if not inside:
        return 0
    gap = min(abs(value - bound) for bound in inside)
    if gap < 1e-3:
        return None
    half = max(value - low, high - value)
    return max(0, math.ceil(answers * (half / gap) ** 2) - answers)
