"""Cross-tables of two gradings over the six steps: the form in which agreement is computed and resampled.

A pair is (expert's grade, machine's step) of one answer; it counts with a weight: 1/k where k experts graded the answer, times
the reciprocal of the answer's inclusion probability where a figure speaks of the population.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

STEPS = (0, 2, 4, 6, 8, 10)
STEP_INDEX = {step: index for index, step in enumerate(STEPS)}
COUNT = len(STEPS)

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """One expert's grade beside the machine's step of the same answer. ``probability`` is the answer's inclusion one."""

    answer: int
    task: int
    expert: int
    grade: int
    machine: int
    weight: float = 1.0
    probability: float = 1.0

    def __post_init__(self) -> None:
        for value in (self.grade, self.machine):
            if value not in STEP_INDEX:
                raise ValueError(f"{value!r} is none of the steps {STEPS}")
        if not 0 < self.probability <= 1:
            raise ValueError(f"an inclusion probability lies in (0, 1], this one is {self.probability!r}")

    @property
    def population_weight(self) -> float:
        return self.weight / self.probability


def cross_table(pairs: Iterable[Pair], *, population: bool = False) -> Array:
    """6 × 6 table of weights; rows: the expert's grade, columns: the machine's step."""
    table = np.zeros((COUNT, COUNT))
    for pair in pairs:
        weight = pair.population_weight if population else pair.weight
        table[STEP_INDEX[pair.grade], STEP_INDEX[pair.machine]] += weight
    return table


def cluster_tables(pairs: Sequence[Pair], *, population: bool = False) -> Array:
    """One cross-table per task, shape (tasks, 6, 6); tasks in ascending order of their ids."""
    tasks = {task: place for place, task in enumerate(sorted({pair.task for pair in pairs}))}
    tables = np.zeros((len(tasks), COUNT, COUNT))
    for pair in pairs:
        weight = pair.population_weight if population else pair.weight
        tables[tasks[pair.task], STEP_INDEX[pair.grade], STEP_INDEX[pair.machine]] += weight
    return tables


@dataclass(frozen=True, slots=True)
class Grading:
    """A grade of one expert, without the machine: for agreement among experts."""

    answer: int
    task: int
    expert: int
    grade: int


def expert_pairs(gradings: Iterable[Grading]) -> list[Pair]:
    """Every two experts of one answer as a pair, both ways round, so that neither is the reference.

    An answer graded by k experts yields k(k-1) pairs of weight 1/(k-1): each of its grades counts once.
    """
    by_answer: dict[int, list[Grading]] = {}
    for grading in gradings:
        by_answer.setdefault(grading.answer, []).append(grading)
    pairs = []
    for group in by_answer.values():
        for one in group:
            for other in group:
                if one.expert != other.expert:
                    weight = 1 / (len(group) - 1)
                    pairs.append(Pair(one.answer, one.task, one.expert, one.grade, other.grade, weight))
    return pairs
