"""Figures beside the board, pure: repeated runs, the gap between two sets of tasks, the frontier of quality and cost,

and how much of the order hangs on a single task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean, pstdev

import numpy as np

from leaderboard.ranking import EQUAL, Array, Figure, Interval, bounds, competition_ranks, figures, means, task_weights


def pass_at(k: int, runs: int, solved: int) -> float | None:
    """The chance that at least one of `k` answers out of `runs` solves the task, without bias (Chen et al. 2021); None for k > runs."""
    if not 0 < k <= runs:
        return None
    return 1.0 - comb(runs - solved, k) / comb(runs, k)


@dataclass(frozen=True, slots=True)
class Repeats:
    """`at`: k → pass@k over tasks with at least k scored runs; `spread`: mean deviation of M between runs of one task."""

    at: tuple[tuple[int, Figure], ...]
    spread: float
    tasks: int


def repeats(runs: Mapping[int, Sequence[tuple[bool, float]]], draws: int, seed: int, level: float, least: int) -> Repeats | None:
    """Task → (solved, M) of each scored run; None where nothing was repeated."""
    several = {task: found for task, found in runs.items() if len(found) > 1}
    if not several:
        return None
    most = max(len(found) for found in several.values())
    at = tuple((k, _pass_figure(k, list(runs.values()), draws, seed, level, least)) for k in range(1, most + 1))
    return Repeats(at, fmean(pstdev([value for _, value in found]) for found in several.values()), len(several))


def _pass_figure(k: int, runs: Sequence[Sequence[tuple[bool, float]]], draws: int, seed: int, level: float, least: int) -> Figure:
    found = [pass_at(k, len(given), sum(solved for solved, _ in given)) for given in runs]
    known = np.array([[value for value in found if value is not None]], dtype=float)
    return figures(known, task_weights(known.shape[1], draws, seed), level, least, 1.0)[0]


@dataclass(frozen=True, slots=True)
class Gap:
    """Mean of the second set of tasks minus that of the first; both drawn anew, each by itself."""

    first: float
    second: float
    difference: float
    interval: Interval | None
    tasks: tuple[int, int]

    @property
    def decided(self) -> bool:
        return self.interval is not None and (self.interval.low > 0 or self.interval.high < 0)


def gap(first: Sequence[float | None], second: Sequence[float | None], draws: int, seed: int, level: float, least: int) -> Gap | None:
    """None where one of the sets has no value."""
    left, right = (np.array([value for value in given if value is not None]) for given in (first, second))
    if not len(left) or not len(right):
        return None
    interval = None
    if min(len(left), len(right)) >= least:
        drawn = task_weights(len(right), draws, seed) @ right / len(right) - task_weights(len(left), draws, seed + 1) @ left / len(left)
        low, high = (float(value) for value in np.quantile(drawn, bounds(level)))
        interval = Interval(low, high)
    one, two = float(left.mean()), float(right.mean())
    return Gap(one, two, two - one, interval, (len(left), len(right)))


@dataclass(frozen=True, slots=True)
class Sway:
    """What leaving a task out does to the order: `moved` networks change places, by `most` places at most."""

    moved: int
    most: int


def sway(values: Array) -> list[Sway]:
    """Per task; `values` is (networks, tasks)."""
    before = _ranks(means(values))
    found = []
    for task in range(values.shape[1]):
        after = _ranks(means(np.delete(values, task, axis=1)))
        shifts = [abs(after[row] - rank) for row, rank in before.items() if row in after]
        found.append(Sway(sum(shift > 0 for shift in shifts), max(shifts, default=0)))
    return found


def _ranks(mean: Sequence[float | None]) -> dict[int, int]:
    known = [(row, value) for row, value in enumerate(mean) if value is not None]
    return {row: rank for (row, _), rank in zip(known, competition_ranks([value for _, value in known]), strict=True)}


def dominated_by(points: Sequence[tuple[float, float]]) -> list[int | None]:
    """Per (cost, quality): the best one that costs no more and is no worse, one of the two strictly; None on the frontier."""
    found: list[int | None] = []
    for cost, quality in points:
        better = [
            place
            for place, (other_cost, other_quality) in enumerate(points)
            if other_cost <= cost + EQUAL
            and other_quality >= quality - EQUAL
            and (other_cost < cost - EQUAL or other_quality > quality + EQUAL)
        ]
        found.append(max(better, key=lambda place: (points[place][1], -points[place][0])) if better else None)
    return found
