"""Drawing a sample in which every step of the machine is seen, with each answer's inclusion probability known.

Strata are the cells of the step vector (S, M, O, P together; an axis without a value is a letter of its own). Within a stratum
answers are drawn without replacement, each with the same probability n_h / N_h; weights 1/p re-weight to the population
(D. G. Horvitz, D. J. Thompson, JASA 47 (1952) 663–685). The same candidates, size and seed give the same sample.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Cell = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that may be drawn; `steps` in the order of the round's axes, None where an axis has no value."""

    answer: int
    task: int
    steps: Cell


@dataclass(frozen=True, slots=True)
class Drawn:
    """An answer of the sample with its stratum's name and its inclusion probability."""

    answer: int
    task: int
    stratum: str
    probability: float


class SampleTooSmall(ValueError):
    """Fewer places than strata: some step vector would have no chance of being seen."""

    def __init__(self, size: int, strata: int) -> None:
        super().__init__(f"{size} answers can't show {strata} strata")
        self.size, self.strata = size, strata


def stratum_name(cell: Cell) -> str:
    """`10-8-x`: steps by axis, x for none."""
    return "-".join("x" if step is None else str(step) for step in cell)


def strata(candidates: Iterable[Candidate]) -> dict[Cell, list[Candidate]]:
    """Candidates by step vector, both in a fixed order."""
    cells: dict[Cell, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda entry: entry.answer):
        cells.setdefault(candidate.steps, []).append(candidate)
    return dict(sorted(cells.items(), key=lambda entry: stratum_name(entry[0])))


def allocate(sizes: Mapping[Cell, int], size: int, proportional: float) -> dict[Cell, int]:
    """How many answers each stratum gives. Raises SampleTooSmall.

    One each; then a share `proportional` of the places as the population has them; the rest one by one to the stratum that
    best fills the steps that are still rarer in the sample than an even spread over each axis's steps.
    """
    total = sum(sizes.values())
    if size >= total:
        return dict(sizes)
    if size < len(sizes):
        raise SampleTooSmall(size, len(sizes))
    given = {cell: min(count, max(1, int(proportional * size * count / total))) for cell, count in sizes.items()}
    seen = _seen(given)
    targets = _targets(sizes, size)
    while sum(given.values()) < size:
        open_cells = [cell for cell in sizes if given[cell] < sizes[cell]]
        best = max(open_cells, key=lambda cell: (_need(cell, seen, targets), (sizes[cell] - given[cell]) / sizes[cell], sizes[cell]))
        given[best] += 1
        for axis, step in enumerate(best):
            seen[(axis, step)] += 1
    return given


def _seen(given: Mapping[Cell, int]) -> Counter[tuple[int, int | None]]:
    seen: Counter[tuple[int, int | None]] = Counter()
    for cell, count in given.items():
        for axis, step in enumerate(cell):
            seen[(axis, step)] += count
    return seen


def _targets(sizes: Mapping[Cell, int], size: int) -> dict[int, float]:
    """Axis → places per step under an even spread; an axis without a value wants none."""
    width = len(next(iter(sizes)))
    steps = [{cell[axis] for cell in sizes} - {None} for axis in range(width)]
    return {axis: size / max(1, len(found)) for axis, found in enumerate(steps)}


def _need(cell: Cell, seen: Mapping[tuple[int, int | None], int], targets: Mapping[int, float]) -> float:
    return sum(
        max(0.0, 1 - seen[(axis, step)] / targets[axis]) ** 2 for axis, step in enumerate(cell) if step is not None
    )


def draw(candidates: Iterable[Candidate], size: int, seed: int, proportional: float) -> list[Drawn]:
    """The sample, shuffled. Raises SampleTooSmall, and ValueError for no candidates."""
    cells = strata(candidates)
    if not cells or size < 1:
        raise ValueError("nothing to draw from")
    places = allocate({cell: len(found) for cell, found in cells.items()}, size, proportional)
    chance = random.Random(seed)
    drawn = [
        Drawn(candidate.answer, candidate.task, stratum_name(cell), places[cell] / len(found))
        for cell, found in cells.items()
        for candidate in chance.sample(found, places[cell])
    ]
    chance.shuffle(drawn)
    return drawn


def draw_plainly(candidates: Iterable[Candidate], size: int, seed: int) -> list[Drawn]:
    """Every answer with the same probability, for a trial that is smaller than the strata are many."""
    known = sorted(candidates, key=lambda entry: entry.answer)
    chosen = random.Random(seed).sample(known, min(size, len(known)))
    return [Drawn(entry.answer, entry.task, stratum_name(entry.steps), len(chosen) / len(known)) for entry in chosen]


def overlapping(count: int, share: float, seed: int) -> frozenset[int]:
    """Which places of a sample get more than one grader (or a hidden repeat): a share of them, at random."""
    return frozenset(random.Random(seed).sample(range(count), round(share * count)))


def step_counts(drawn: Sequence[Drawn], axes: Sequence[str]) -> dict[str, dict[str, int]]:
    """Axis → step → how many answers of the sample have it, in the order of the scale."""
    found = {}
    for place, axis in enumerate(axes):
        counted = Counter(entry.stratum.split("-")[place] for entry in drawn)
        found[axis] = dict(sorted(counted.items(), key=lambda entry: (entry[0] == "x", len(entry[0]), entry[0])))
    return found
