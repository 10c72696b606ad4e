"""A board as it is shown: figures over the tasks that the filters leave, places over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboard.filters import Filters
from leaderboard.queries import BoardData, NetworkRow
from leaderboard.ranking import Figure, Standing, figures, ordered, task_weights
from leaderboard.rules import board_rules
from scoring.services import stacks


@dataclass(frozen=True, slots=True)
class Coverage:
    """Cells of a row by state; `tasks`: how many tasks they belong to, `measured_tasks`: on how many of them M is known."""

    measured: int = 0
    truncated: int = 0
    unmeasured: int = 0
    pending: int = 0
    tasks: int = 0
    measured_tasks: int = 0

    @property
    def cells(self) -> int:
        return self.measured + self.truncated + self.unmeasured + self.pending


@dataclass(frozen=True, slots=True)
class BoardRow:
    """`standing`: the place by the sorted column (None for controls and for networks with too little measured)."""

    network: NetworkRow
    standing: Standing | None
    figures: dict[str, Figure]
    coverage: Coverage

    def figure(self, column: str) -> Figure:
        return self.figures.get(column, NO_FIGURE)


NO_FIGURE = Figure(None, None, 0)


@dataclass(frozen=True, slots=True)
class Board:
    """`rank_column`: by which the places are given; `tasks`: how many the figures are over; `networks`: how many have a place."""

    data: BoardData
    filters: Filters
    columns: tuple[str, ...]
    rank_column: str
    rows: tuple[BoardRow, ...]
    tasks: int
    networks: int

    @property
    def leaders(self) -> list[BoardRow]:
        """The networks that share the first group of the rank column."""
        return [row for row in self.rows if row.standing and row.standing.best == 1]


def make_board(data: BoardData, filters: Filters) -> Board:
    """The rows that the filters leave, in the asked order."""
    rank_column = filters.sort if filters.sort in (*data.columns, "solved") else board_rules().sort
    standing = data.standing(rank_column)
    taken = np.array([filters.takes_task(task, data.marks) for task in data.tasks], dtype=bool)
    found = task_figures(data, taken)
    covered = coverages(data, taken)
    rows = [
        BoardRow(network, standing.get(network.pk), found[network.pk], covered[network.pk])
        for network in data.networks
        if filters.takes_network(network)
    ]
    columns = (*data.columns, "solved")
    return Board(data, filters, columns, rank_column, tuple(sorted_rows(rows, filters)), int(taken.sum()), len(standing))


def task_figures(data: BoardData, taken: NDArray[np.bool_]) -> dict[int, dict[str, Figure]]:
    """Every network's figures over a set of tasks, kept with the board: filters of rows and orders ask for them again."""
    columns = (*data.columns, "solved")
    found: dict[int, dict[str, Figure]] = data.keep(
        ("figures", taken.tobytes()), lambda: row_figures(data, data.networks, taken, columns)
    )
    return found


def row_figures(
    data: BoardData, shown: Iterable[NetworkRow], taken: NDArray[np.bool_], columns: Iterable[str]
) -> dict[int, dict[str, Figure]]:
    """Network id → column → figure over the taken tasks."""
    rules = board_rules()
    rows = [data.network_index[network.pk] for network in shown]
    pks = [data.networks[row].pk for row in rows]
    top = float(stacks.protocol().constitution.maximum)
    weights = task_weights(int(taken.sum()), rules.draws, rules.seed)
    found: dict[int, dict[str, Figure]] = {pk: {} for pk in pks}
    for column in columns:
        values = data.matrices[column][np.ix_(rows, taken)]
        highest = 1.0 if column == "solved" else top
        for pk, figure in zip(pks, figures(values, weights, rules.level, rules.least_tasks, highest), strict=True):
            found[pk][column] = figure
    return found


def coverages(data: BoardData, taken: NDArray[np.bool_]) -> dict[int, Coverage]:
    """Network id → how its cells on the taken tasks ended."""
    found: dict[int, Coverage] = data.keep(("coverage", taken.tobytes()), lambda: _coverages(data, taken))
    return found


def _coverages(data: BoardData, taken: NDArray[np.bool_]) -> dict[int, Coverage]:
    cells = {state: matrix[:, taken] for state, matrix in data.states.items()}
    counts = {state: matrix.sum(axis=1).astype(int) for state, matrix in cells.items()}
    asked = (sum(cells.values()) > 0).sum(axis=1)
    known = (cells["measured"] > 0).sum(axis=1)
    return {
        network.pk: Coverage(
            **{state: int(count[row]) for state, count in counts.items()},
            tasks=int(asked[row]),
            measured_tasks=int(known[row]),
        )
        for row, network in enumerate(data.networks)
    }


def sorted_rows(rows: list[BoardRow], filters: Filters) -> list[BoardRow]:
    """By the asked column; N/A and unknown vendors last in both directions."""
    if filters.sort == "name":
        return sorted(rows, key=lambda row: str(row.network.title).casefold(), reverse=filters.descending)
    if filters.sort == "vendor":
        named = [row for row in rows if row.network.vendor]
        named.sort(key=lambda row: row.network.vendor.casefold(), reverse=filters.descending)
        return named + [row for row in rows if not row.network.vendor]

    def value(row: BoardRow) -> float | None:
        if filters.sort == "tasks":
            return float(row.coverage.measured_tasks)
        return row.figure(filters.sort).value

    return ordered(rows, value, lambda row: str(row.network.title), descending=filters.descending)


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A network on both boards, side by side and never averaged; a category that it has no cell in is missing."""

    network: NetworkRow
    rows: dict[str, BoardRow]

    def solved(self, category: str) -> float | None:
        row = self.rows.get(category)
        return row.figure("solved").value if row else None


def summary(boards: dict[str, Board], filters: Filters) -> list[SummaryRow]:
    """One row per network of any board; sorted by the solved share of the category that `filters.sort` names."""
    by_network: dict[int, dict[str, BoardRow]] = {}
    networks: dict[int, NetworkRow] = {}
    for category, board in boards.items():
        for row in board.rows:
            networks[row.network.pk] = row.network
            by_network.setdefault(row.network.pk, {})[category] = row
    rows = [SummaryRow(networks[pk], found) for pk, found in by_network.items()]
    if filters.sort == "name":
        return sorted(rows, key=lambda row: str(row.network.title).casefold(), reverse=filters.descending)
    return ordered(
        rows, lambda row: row.solved(filters.sort), lambda row: str(row.network.title), descending=filters.descending
    )


def left_by(filters: Filters, rows: Sequence[BoardRow | SummaryRow], boards: Sequence[BoardData]) -> str:
    """What to say of a board without networks: `controls` where it has none, `hidden` where the filters leave none out of some."""
    if not rows or not all(row.network.is_control for row in rows):
        return ""
    has_networks = any(not network.is_control for data in boards for network in data.networks)
    return "hidden" if has_networks and filters.narrows else "controls"
