"""Two networks task by task."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.queries import BoardData, Cell, NetworkRow, TaskRow
from leaderboard.ranking import Paired, paired
from leaderboard.rules import board_rules


@dataclass(frozen=True, slots=True)
class ComparedTask:
    """`difference`: first minus second in M, None where one of them has no M."""

    task: TaskRow
    first: dict[str, float | None]
    second: dict[str, float | None]
    difference: float | None
    first_cell: Cell | None
    second_cell: Cell | None


@dataclass(frozen=True, slots=True)
class Comparison:
    data: BoardData
    first: NetworkRow
    second: NetworkRow
    axes: dict[str, Paired]
    tasks: tuple[ComparedTask, ...]


def compare(data: BoardData, first: NetworkRow, second: NetworkRow) -> Comparison:
    """Paired differences per column over the tasks that both were measured on."""
    rules = board_rules()
    columns = (*data.columns, "solved")
    left = {column: data.row(column, first.pk) for column in columns}
    right = {column: data.row(column, second.pk) for column in columns}
    axes = {
        column: paired(left[column], right[column], rules.draws, rules.seed, rules.level, rules.least_tasks)
        for column in columns
    }
    tasks = tuple(_compared(data, place, task, (first, left), (second, right)) for place, task in enumerate(data.tasks))
    return Comparison(data, first, second, axes, tasks)


Side = tuple[NetworkRow, dict[str, list[float | None]]]


def _compared(data: BoardData, place: int, task: TaskRow, one: Side, two: Side) -> ComparedTask:
    values = [_values(data, side, place, task) for side in (one, two)]
    a, b = values[0]["M"], values[1]["M"]
    cells = [next((cell for cell in data.by_network.get(side[0].pk, ()) if cell.task == task.pk), None) for side in (one, two)]
    return ComparedTask(task, values[0], values[1], None if a is None or b is None else a - b, cells[0], cells[1])


def _values(data: BoardData, side: Side, place: int, task: TaskRow) -> dict[str, float | None]:
    """A network's values on a task; nothing while experts grade its answer."""
    network, columns = side
    hidden = (network.pk, task.pk) in data.withheld_places
    return {column: None if hidden else found[place] for column, found in columns.items()}
