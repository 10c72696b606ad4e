"""Task pages: how hard a task is and how well it tells networks apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leaderboard.insight import Sway, sway
from leaderboard.queries import BoardData, Cell, NetworkRow, TaskRow
from leaderboard.ranking import discrimination, optional
from leaderboard.rules import board_rules


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """`solve_rate`: share of the networks with a verdict that solve it; `discrimination` is None where it is undefined.

    `sway`: what leaving the task out does to the places by M.
    """

    task: TaskRow
    solve_rate: float | None
    meaning: float | None
    networks: int
    discrimination: float | None
    sway: Sway


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    network: NetworkRow
    cell: Cell


def task_figures(data: BoardData) -> list[TaskFigures]:
    """Every task of a board, in the bank's order. Controls count nowhere."""
    rows = [place for place, network in enumerate(data.networks) if not network.is_control]
    solved, meaning = data.matrices["solved"][rows], data.matrices["M"][rows]
    moves = sway(meaning)
    least = board_rules().least_networks
    return [
        TaskFigures(
            task=task,
            solve_rate=_mean(solved[:, place]),
            meaning=_mean(meaning[:, place]),
            networks=int((~np.isnan(solved[:, place])).sum()),
            discrimination=discrimination(*_task_and_rest(solved, place), least),
            sway=moves[place],
        )
        for place, task in enumerate(data.tasks)
    ]


def _mean(values: np.ndarray) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _task_and_rest(solved: np.ndarray, place: int) -> tuple[list[float | None], list[float | None]]:
    """Per network: solved this task, share solved of the others."""
    others = np.delete(solved, place, axis=1)
    rest = [_mean(row) for row in others]
    return [None if math.isnan(value) else optional(float(value)) for value in solved[:, place]], rest


def task_answers(data: BoardData, task: TaskRow) -> tuple[list[TaskAnswer], list[TaskAnswer]]:
    """(answers of networks, control answers) to a task, the best M first."""
    found = [TaskAnswer(data.networks[data.network_index[cell.network]], cell) for cell in data.by_task.get(task.pk, ())]
    found.sort(key=lambda row: (-_known(row.cell.values.get("M")), -_known(row.cell.values.get("Q")), row.network.title.casefold()))
    return [row for row in found if not row.network.is_control], [row for row in found if row.network.is_control]


def _known(value: float | None) -> float:
    return -1.0 if value is None else value
