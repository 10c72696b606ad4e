"""How far two gradings agree: point values, intervals, and what keeps them from being better.

Point values of κ come from scikit-learn on the *full* list of steps; the bootstrap runs on tables (``coefficients``), and the
tests hold both to be equal. Nothing here is ever NaN to a reader: a figure that does not exist says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from sklearn.metrics import cohen_kappa_score

from review import coefficients
from review.tables import STEPS, Array, Grading, Pair, cluster_tables, cross_table

NO_VARIATION = "no_variation"
NO_DATA = "no_data"
FEW_CLUSTERS = "few_clusters"

KAPPAS = {"plain": None, "linear": "linear", "quadratic": "quadratic"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A coefficient with its interval, or the reason why there is none. ``draws`` = bootstrap draws that were defined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    draws: int = 0

    @classmethod
    def undefined(cls, reason: str) -> Figure:
        return cls(None, reason=reason)


@dataclass(frozen=True, slots=True)
class StepDifference:
    """The mean signed difference (machine - expert) at one step of the machine; ``grades`` counts grades, the mean is weighted."""

    step: int
    grades: int
    difference: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are made: percentile bootstrap over tasks. ``seed`` makes a report reproducible."""

    draws: int = 2000
    level: float = 0.95
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything that is said of two gradings of one axis."""

    grades: int
    answers: int
    tasks: int
    table: tuple[tuple[float, ...], ...]
    kappa: dict[str, Figure]
    ac2: Figure
    exact: Figure
    within_one: Figure
    difference: Figure
    population: dict[str, Figure]
    by_step: tuple[StepDifference, ...]
    ceiling: dict[str, Figure]
    distinct_grades: int
    distinct_steps: int


def agreement(pairs: Sequence[Pair], reachable: Sequence[int], bootstrap: Bootstrap) -> Agreement:
    """Agreement of experts with the machine on one axis. ``reachable``: the steps that the machine can give there."""
    table = cross_table(pairs)
    tables = cluster_tables(pairs)
    weighted = cluster_tables(pairs, population=True)
    draw = partial(interval_figure, bootstrap=bootstrap)
    return Agreement(
        grades=len(pairs),
        answers=len({pair.answer for pair in pairs}),
        tasks=len({pair.task for pair in pairs}),
        table=tuple(map(tuple, table.tolist())),
        kappa={kind: kappa_figure(pairs, kind, bootstrap) for kind in KAPPAS},
        ac2=draw(tables, coefficients.gwet_ac2),
        exact=draw(tables, partial(coefficients.shares_within, steps=0)),
        within_one=draw(tables, partial(coefficients.shares_within, steps=1)),
        difference=draw(tables, coefficients.mean_signed_difference),
        population={
            **{f"kappa_{kind}": draw(weighted, partial(coefficients.kappa, kind=kind)) for kind in KAPPAS},
            "ac2": draw(weighted, coefficients.gwet_ac2),
            "difference": draw(weighted, coefficients.mean_signed_difference),
        },
        by_step=differences_by_step(pairs),
        ceiling=ceilings(pairs, reachable),
        distinct_grades=len({pair.grade for pair in pairs}),
        distinct_steps=len({pair.machine for pair in pairs}),
    )


# -- point values ------------------------------------------------------------------------------------------------------


def kappa_point(pairs: Sequence[Pair], kind: str) -> float | None:
    """Cohen's κ by scikit-learn over all six steps as integers; None where there is no variation or no pair."""
    if not pairs:
        return None
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        warnings.simplefilter("ignore")
        value = cohen_kappa_score(
            [pair.grade for pair in pairs],
            [pair.machine for pair in pairs],
            labels=list(STEPS),
            weights=KAPPAS[kind],
            sample_weight=[pair.weight for pair in pairs],
        )
    return None if np.isnan(value) else float(value)


def kappa_figure(pairs: Sequence[Pair], kind: str, bootstrap: Bootstrap) -> Figure:
    value = kappa_point(pairs, kind)
    if value is None:
        return Figure.undefined(NO_VARIATION if pairs else NO_DATA)
    drawn = interval_figure(cluster_tables(pairs), partial(coefficients.kappa, kind=kind), bootstrap=bootstrap)
    return Figure(value, drawn.low, drawn.high, drawn.reason, drawn.draws)


def differences_by_step(pairs: Sequence[Pair]) -> tuple[StepDifference, ...]:
    """Mean signed difference at every step that the machine gave, ascending."""
    found = []
    for step in STEPS:
        here = [pair for pair in pairs if pair.machine == step]
        total = sum(pair.weight for pair in here)
        if total:
            mean = sum(pair.weight * (pair.machine - pair.grade) for pair in here) / total
            found.append(StepDifference(step, len(here), mean))
    return tuple(found)


def ceilings(pairs: Sequence[Pair], reachable: Sequence[int]) -> dict[str, Figure]:
    """The best κ that a machine confined to ``reachable`` could have: each grade met by its nearest reachable step.

    Of two equally near steps the one that leaves the higher κ is not searched for; the lower one is taken.
    """
    ideal = [
        Pair(pair.answer, pair.task, pair.expert, pair.grade, _nearest(pair.grade, reachable), pair.weight)
        for pair in pairs
    ]
    result = {}
    for kind in KAPPAS:
        value = kappa_point(ideal, kind)
        result[kind] = Figure.undefined(NO_VARIATION if pairs else NO_DATA) if value is None else Figure(value)
    return result


def _nearest(grade: int, reachable: Sequence[int]) -> int:
    return min(reachable, key=lambda step: (abs(step - grade), step))


# -- intervals ---------------------------------------------------------------------------------------------------------


def interval_figure(tables: Array, coefficient: Callable[[Array], Array], *, bootstrap: Bootstrap) -> Figure:
    """Point value over all clusters, percentile interval over resampled clusters."""
    if not len(tables) or not tables.sum():
        return Figure.undefined(NO_DATA)
    value = float(coefficient(tables.sum(axis=0)))
    if np.isnan(value):
        return Figure.undefined(NO_VARIATION)
    if len(tables) < 2:
        return Figure(value, reason=FEW_CLUSTERS)
    drawn = coefficient(resampled(tables, bootstrap))
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return Figure(value, reason=NO_VARIATION)
    tail = (1 - bootstrap.level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Figure(value, float(low), float(high), draws=len(drawn))


def resampled(tables: Array, bootstrap: Bootstrap) -> Array:
    """Sums of clusters drawn with replacement, shape (draws, q, q)."""
    count = len(tables)
    flat = _times(count, bootstrap) @ tables.reshape(count, -1)
    return flat.reshape(bootstrap.draws, *tables.shape[1:])


@lru_cache(maxsize=8)
def _times(count: int, bootstrap: Bootstrap) -> Array:
    """How often each cluster is drawn: the same for every figure of a report, so that intervals belong together."""
    random = np.random.default_rng(bootstrap.seed)
    return random.multinomial(count, np.full(count, 1 / count), size=bootstrap.draws).astype(float)


# -- experts among themselves ------------------------------------------------------------------------------------------


def alpha_figure(gradings: Sequence[Grading], bootstrap: Bootstrap) -> Figure:
    """Krippendorff's ordinal α over answers with at least two grades."""
    _, matrices = coefficients.coincidences(gradings)
    if not len(matrices) or not matrices.sum():
        return Figure.undefined(NO_DATA)
    return interval_figure(matrices, coefficients.alpha, bootstrap=bootstrap)


def leniency(gradings: Sequence[Grading]) -> dict[int, float]:
    """Expert → mean of own grade minus the mean of the *other* experts' grades on the same answers, in points."""
    by_answer: dict[int, list[Grading]] = {}
    for grading in gradings:
        by_answer.setdefault(grading.answer, []).append(grading)
    gaps: dict[int, list[float]] = {}
    for group in by_answer.values():
        total = sum(grading.grade for grading in group)
        for grading in group:
            if len(group) > 1:
                others = (total - grading.grade) / (len(group) - 1)
                gaps.setdefault(grading.expert, []).append(grading.grade - others)
    return {expert: sum(values) / len(values) for expert, values in sorted(gaps.items())}


