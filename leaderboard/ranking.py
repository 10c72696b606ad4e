"""Rows → order, ties, rank intervals and groups. Pure: numbers in, numbers out.

Values come as arrays of shape (networks, tasks); NaN stands for "no value" inside this module only, and nothing that leaves
it is NaN. Uncertainty is the choice of tasks: the bootstrap draws tasks with replacement, the same for every network, so
that differences of two networks are paired (Efron & Tibshirani 1993, ch. 8 and 13: percentile interval).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
T = TypeVar("T")
# A difference between two draws below this is a difference of rounding.
EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over `tasks` measured tasks; `value` is None where there is none, `interval` where tasks are too few."""

    value: float | None
    interval: Interval | None
    tasks: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A place: `rank` by the mean (equal means share it), `best`–`worst` what the paired bootstrap allows.

    `groups`: letters; two that share one can't be told apart.
    """

    rank: int
    best: int
    worst: int
    groups: str


@lru_cache(maxsize=64)
def task_weights(tasks: int, draws: int, seed: int) -> Array:
    """How often each task is drawn: (draws, tasks), each row sums to `tasks`."""
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = generator.integers(0, tasks, size=(draws, tasks)) if tasks else np.zeros((draws, 0), dtype=int)
    weights = np.zeros((draws, tasks))
    np.add.at(weights, (np.arange(draws)[:, None], drawn), 1.0)
    weights.setflags(write=False)
    return weights


def means(values: Array) -> list[float | None]:
    """The mean of each row's values, None for a row without any."""
    mask = ~np.isnan(values)
    counts = mask.sum(axis=1)
    sums = np.where(mask, values, 0.0).sum(axis=1)
    return [float(total / count) if count else None for total, count in zip(sums, counts, strict=True)]


def drawn_means(values: Array, weights: Array) -> Array:
    """(draws, networks): each network's mean in each draw, NaN where a draw has none of its measured tasks."""
    mask = ~np.isnan(values)
    sums = weights @ np.where(mask, values, 0.0).T
    if mask.all():
        return sums / max(1, values.shape[1])
    counts = weights @ mask.T.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 0, sums / counts, np.nan)


def bounds(level: float) -> tuple[float, float]:
    """The two quantiles of a central interval."""
    return (1 - level) / 2, (1 + level) / 2


def figures(values: Array, weights: Array, level: float, least_tasks: int, top: float) -> list[Figure]:
    """Mean and percentile interval of every row, inside 0–`top`."""
    drawn = drawn_means(values, weights)
    counts = (~np.isnan(values)).sum(axis=1)
    low, high = _quantiles(drawn, bounds(level))
    found = []
    for row, mean in enumerate(means(values)):
        interval = None
        if mean is not None and counts[row] >= least_tasks:
            interval = Interval(max(0.0, min(float(low[row]), mean)), min(top, max(float(high[row]), mean)))
        found.append(Figure(mean, interval, int(counts[row])))
    return found


def _quantiles(drawn: Array, levels: tuple[float, float]) -> Array:
    """(2, networks) by linear interpolation over the draws that have a value; 0 where none has."""
    ordered = np.sort(drawn, axis=0)  # NaN goes last
    count = (~np.isnan(ordered)).sum(axis=0)
    found = np.zeros((2, drawn.shape[1]))
    columns = np.arange(drawn.shape[1])
    for index, level in enumerate(levels):
        place = np.maximum(count - 1, 0) * level
        below = np.floor(place).astype(int)
        above = np.minimum(below + 1, np.maximum(count - 1, 0))
        if drawn.shape[0]:
            left, right = ordered[below, columns], ordered[above, columns]
            found[index] = np.where(count > 0, left + (right - left) * (place - below), 0.0)
    return found


def beats(drawn: Array, level: float) -> NDArray[np.bool_]:
    """(networks, networks): row is better than column in all but (1 - `level`)/2 of the draws that both have."""
    networks = drawn.shape[1]
    least = bounds(level)[1]
    found = np.zeros((networks, networks), dtype=bool)
    known = ~np.isnan(drawn)
    for row in range(networks):
        with np.errstate(invalid="ignore"):
            ahead = (drawn[:, row : row + 1] - drawn > EQUAL).sum(axis=0)
        both = (known[:, row : row + 1] & known).sum(axis=0)
        found[row] = (both > 0) & (ahead >= least * both)
    return found


def standings(values: Array, weights: Array, level: float) -> list[Standing | None]:
    """The place of every row; None for rows without a value."""
    mean = means(values)
    present = [row for row, value in enumerate(mean) if value is not None]
    if not present:
        return [None] * len(mean)
    better = beats(drawn_means(values[present], weights), level)
    shown = [mean[row] for row in present]
    ranks = competition_ranks([value for value in shown if value is not None])
    order = sorted(range(len(present)), key=lambda place: ranks[place])
    letters = groups(order, better)
    found: list[Standing | None] = [None] * len(mean)
    for place, row in enumerate(present):
        best = 1 + int(better[:, place].sum())
        worst = len(present) - int(better[place].sum())
        rank = ranks[place]
        found[row] = Standing(rank, min(best, rank), max(worst, rank), letters[place])
    return found


def competition_ranks(values: Sequence[float]) -> list[int]:
    """1 for the highest; equal values share a rank and the next one skips ("1 2 2 4")."""
    return [1 + sum(other - value > EQUAL for other in values) for value in values]


def groups(order: Sequence[int], better: NDArray[np.bool_]) -> list[str]:
    """Letters per row: every longest run of neighbours in `order` of which no two can be told apart is one group."""
    letters = [""] * len(order)
    last_end = -1
    number = 0
    for start in range(len(order)):
        end = start
        while end + 1 < len(order) and _alike(order[start : end + 2], better):
            end += 1
        if end > last_end:
            for place in order[start : end + 1]:
                letters[place] += (" " if letters[place] else "") + letter(number)
            number += 1
            last_end = end
    return letters


def _alike(run: Sequence[int], better: NDArray[np.bool_]) -> bool:
    newest = run[-1]
    return not any(better[other, newest] or better[newest, other] for other in run[:-1])


def letter(number: int) -> str:
    """a … z, aa, ab …"""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def ordered(rows: Iterable[T], value: Callable[[T], float | None], name: Callable[[T], str], *, descending: bool) -> list[T]:
    """Sorted by value, rows without one last in both directions, equal ones by name."""
    sign = -1.0 if descending else 1.0

    def key(row: T) -> tuple[bool, float, str]:
        known = value(row)
        return (known is None, 0.0 if known is None else sign * known, name(row).casefold())

    return sorted(rows, key=key)


@dataclass(frozen=True, slots=True)
class Paired:
    """Two networks on the tasks that both have a value for: mean difference (first - second), its interval, and counts."""

    difference: float | None
    interval: Interval | None
    tasks: int
    wins: int
    ties: int
    losses: int

    @property
    def decided(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval is not None and (self.interval.low > 0 or self.interval.high < 0)


def paired(first: Sequence[float | None], second: Sequence[float | None], draws: int, seed: int, level: float, least: int) -> Paired:
    """Compare two rows task by task."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    apart = np.array([a - b for a, b in pairs], dtype=float)
    wins, losses = int((apart > EQUAL).sum()), int((apart < -EQUAL).sum())
    if not pairs:
        return Paired(None, None, 0, 0, 0, 0)
    interval = None
    if len(pairs) >= least:
        drawn = task_weights(len(pairs), draws, seed) @ apart / len(pairs)
        low, high = (float(value) for value in np.quantile(drawn, bounds(level)))
        interval = Interval(low, high)
    return Paired(float(apart.mean()), interval, len(pairs), wins, len(pairs) - wins - losses, losses)


def discrimination(task: Sequence[float | None], rest: Sequence[float | None], least: int) -> float | None:
    """Point-biserial correlation of solving the task with the mean on the other tasks; None where it is undefined."""
    pairs = [(a, b) for a, b in zip(task, rest, strict=True) if a is not None and b is not None]
    if len(pairs) < least:
        return None
    left, right = np.array(pairs, dtype=float).T
    spread = float(left.std() * right.std())
    if spread < EQUAL:
        return None
    found = float(((left - left.mean()) * (right - right.mean())).mean()) / spread
    return max(-1.0, min(1.0, found))


def optional(value: float) -> float | None:
    """The value, None for NaN: how numbers leave the arrays."""
    return None if math.isnan(value) else float(value)
