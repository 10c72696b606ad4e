"""A network's page: vector, skills, failures and every task, category by category."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leaderboard.boards import Coverage, coverages, row_figures, task_figures
from leaderboard.insight import Gap, Repeats, gap, repeats
from leaderboard.queries import BoardData, Cell, NetworkRow, TaskRow
from leaderboard.ranking import Figure, Standing
from leaderboard.rules import board_rules
from scoring.services import stacks

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AxisTile:
    column: str
    figure: Figure
    standing: Standing | None


@dataclass(frozen=True, slots=True)
class TagRow:
    """A skill's figures over the tasks that carry its tag."""

    tag: str
    tasks: int
    figures: dict[str, Figure]


@dataclass(frozen=True, slots=True)
class StageRow:
    """How many attempts fell at a stage of the funnel, and how many were still on their way there."""

    key: str
    attempts: int
    reached: int
    causes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class TaskResult:
    task: TaskRow
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """One category of a network's page. `ranked`: how many networks have a place on this board.

    `gap`: M on private tasks against open ones; `fresh`: on tasks written after the network came out against older ones.
    """

    data: BoardData
    network: NetworkRow
    tiles: tuple[AxisTile, ...]
    solved: AxisTile
    tags: tuple[TagRow, ...]
    funnel: tuple[StageRow, ...]
    not_measured: int
    results: tuple[TaskResult, ...]
    coverage: Coverage
    ranked: int
    gap: Gap | None
    fresh: Gap | None
    repeats: Repeats | None

    @property
    def category(self) -> str:
        return self.data.category


def make_profile(data: BoardData, network: NetworkRow) -> Profile | None:
    """The network's part of a board, None where it has no cell on it."""
    cells = data.by_network.get(network.pk)
    if not cells:
        return None
    columns = (*data.columns, "solved")
    every = np.ones(len(data.tasks), dtype=bool)
    found = task_figures(data, every)[network.pk]
    tiles = {column: AxisTile(column, found[column], data.standing(column).get(network.pk)) for column in columns}
    solved = tiles.pop("solved")
    funnel, unknown = stages(data.measured_cells[network.pk])
    return Profile(
        data=data,
        network=network,
        tiles=tuple(tiles.values()),
        solved=solved,
        tags=tuple(tag_rows(data, network, columns)),
        funnel=funnel,
        not_measured=unknown,
        results=tuple(results(data, cells)),
        coverage=coverages(data, every)[network.pk],
        ranked=len(data.standing(data.columns[1])),
        gap=private_gap(data, network),
        fresh=fresh_gap(data, network),
        repeats=repeated(data, network),
    )


def tag_rows(data: BoardData, network: NetworkRow, columns: tuple[str, ...]) -> list[TagRow]:
    """By skill, the most frequent first."""
    counts = Counter(tag for task in data.tasks for tag in task.skills)
    rows = []
    for tag, tasks in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0].casefold())):
        taken = np.array([tag in task.skills for task in data.tasks], dtype=bool)
        rows.append(TagRow(tag, tasks, row_figures(data, [network], taken, columns)[network.pk]))
    return rows


def stages(cells: tuple[Cell, ...]) -> tuple[tuple[StageRow, ...], int]:
    """The funnel over scored attempts, and how many attempts were not measured at all."""
    known = [cell for cell in cells if cell.scored and cell.stage and cell.stage != UNKNOWN]
    left = len(known)
    rows = []
    for key in stacks.protocol().funnel.stages:
        if key == UNKNOWN:
            continue
        here = [cell for cell in known if cell.stage == key]
        causes = Counter(cell.cause for cell in here)
        rows.append(StageRow(key, len(here), left, tuple(causes.most_common())))
        left -= len(here)
    return tuple(rows), len(cells) - len(known)


def private_gap(data: BoardData, network: NetworkRow) -> Gap | None:
    """How M on private tasks differs from M on open ones; None where there are not both."""
    return _gap(data, network, [task.is_private for task in data.tasks])


def fresh_gap(data: BoardData, network: NetworkRow) -> Gap | None:
    """How M on tasks that the network can't have seen differs from M on older ones; only tasks with a date count."""
    if network.released_on is None:
        return None
    later = [None if task.written_on is None else task.written_on > network.released_on for task in data.tasks]
    return _gap(data, network, later)


def _gap(data: BoardData, network: NetworkRow, second: Sequence[bool | None]) -> Gap | None:
    rules = board_rules()
    row = data.row("M", network.pk)
    sides = [[value for value, side in zip(row, second, strict=True) if side is wanted] for wanted in (False, True)]
    return gap(*sides, rules.draws, rules.seed, rules.level, rules.least_tasks)


def repeated(data: BoardData, network: NetworkRow) -> Repeats | None:
    """pass@k and the spread between runs, where tasks were answered several times."""
    rules = board_rules()
    runs: dict[int, list[tuple[bool, float]]] = defaultdict(list)
    for cell in data.measured_cells[network.pk]:
        meaning = cell.values.get("M")
        if meaning is not None and not network.is_control:
            runs[cell.task].append((cell.solved, meaning))
    return repeats(runs, rules.draws, rules.seed, rules.level, rules.least_tasks)


def results(data: BoardData, cells: tuple[Cell, ...]) -> list[TaskResult]:
    """Every task that the network was asked, in the bank's order."""
    found: dict[int, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.task, []).append(cell)
    order = sorted(found, key=lambda task: data.task_index[task])
    return [TaskResult(data.tasks[data.task_index[task]], tuple(found[task])) for task in order]
