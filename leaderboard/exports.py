"""What a board shows, as plain JSON values and as CSV; the API and the download links give the same."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from leaderboard.boards import Board, BoardRow, Coverage, SummaryRow
from leaderboard.queries import BoardData, Cell, NetworkRow, StackRow, TaskRow
from leaderboard.ranking import Figure, Standing
from scoring.plain import spreadsheet_cell


def stack_value(stack: StackRow | None) -> dict[str, Any] | None:
    if stack is None:
        return None
    return {
        "id": stack.pk,
        "name": stack.name,
        "kind": stack.kind,
        "instruments": dict(stack.instruments),
        "protocol_version": stack.protocol_version,
        "protocol_hash": stack.protocol_hash,
    }


def network_value(network: NetworkRow) -> dict[str, Any]:
    return {
        "name": network.name,
        "slug": network.slug,
        "vendor": network.vendor or None,
        "open_weights": network.open_weights,
        "released_on": network.released_on.isoformat() if network.released_on else None,
        "is_control": network.is_control,
    }


def figure_value(figure: Figure) -> dict[str, Any]:
    return {
        "value": _rounded(figure.value),
        "low": _rounded(figure.interval.low) if figure.interval else None,
        "high": _rounded(figure.interval.high) if figure.interval else None,
        "tasks": figure.tasks,
    }


def standing_value(standing: Standing | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    return {"rank": standing.rank, "best": standing.best, "worst": standing.worst, "groups": standing.groups.split()}


def coverage_value(found: Coverage) -> dict[str, int]:
    return {
        "tasks": found.tasks,
        "measured_tasks": found.measured_tasks,
        "measured": found.measured,
        "unmeasured": found.unmeasured,
        "truncated": found.truncated,
        "pending": found.pending,
    }


def task_value(task: TaskRow) -> dict[str, Any]:
    return {
        "key": task.key,
        "name": task.name,
        "category": task.category,
        "difficulty": task.difficulty,
        "skills": list(task.skills),
        "platform": list(task.platform_tags),
        "is_private": task.is_private,
        "strength": task.strength,
        "band": task.band or None,
        "written_on": task.written_on.isoformat() if task.written_on else None,
    }


def cell_value(cell: Cell, data: BoardData) -> dict[str, Any]:
    """One answer's figures; `reasons` for the axes without a value."""
    return {
        "answer": cell.answer,
        "task": data.tasks[data.task_index[cell.task]].key,
        "network": data.networks[data.network_index[cell.network]].slug,
        "run": cell.run,
        "status": cell.status,
        "state": cell.state,
        "scores": {axis: cell.values.get(axis) for axis in ("S", "M", "O", "P", "Q")},
        "reasons": {axis: why for axis, why in cell.reasons.items() if why},
        "passed": cell.passed,
        "total": cell.total,
        "solved": cell.solved,
        "stage": cell.stage,
        "cause": cell.cause,
    }


def board_value(board: Board) -> dict[str, Any]:
    """The board as shown, in its order."""
    filters = board.filters
    return {
        "category": board.data.category,
        "edition": board.data.edition,
        "data_version": board.data.version,
        "stack": stack_value(board.data.stack),
        "sort": ("-" if filters.descending else "") + filters.sort,
        "ranked_by": board.rank_column,
        "tasks": board.tasks,
        "filters": {
            "vendor": filters.vendor or None,
            "open": filters.open_weights or None,
            "tag": filters.tag or None,
            "difficulty": filters.difficulty or None,
            "controls": filters.controls,
            "verified": filters.verified,
            "strength": filters.strength or None,
        },
        "columns": list(board.columns),
        "rows": [row_value(row, board.columns) for row in board.rows],
    }


def row_value(row: BoardRow, columns: Iterable[str]) -> dict[str, Any]:
    return {
        "network": network_value(row.network),
        "standing": standing_value(row.standing),
        "figures": {column: figure_value(row.figure(column)) for column in columns},
        "coverage": coverage_value(row.coverage),
    }


def summary_value(rows: Iterable[SummaryRow], boards: dict[str, Board]) -> dict[str, Any]:
    """Both categories side by side; there is no figure that mixes them."""
    return {
        "stacks": {category: stack_value(board.data.stack) for category, board in boards.items()},
        "rows": [
            {
                "network": network_value(row.network),
                "categories": {category: row_value(found, boards[category].columns) for category, found in row.rows.items()},
            }
            for row in rows
        ],
    }


def board_csv(board: Board) -> str:
    """One line per row of the board; figures of a column are its mean, interval and number of tasks."""
    head = ["rank", "rank_best", "rank_worst", "groups", "network", "vendor", "open_weights", "control"]
    for column in board.columns:
        head += [column, f"{column}_low", f"{column}_high", f"{column}_tasks"]
    head += ["tasks", "measured_tasks", "measured", "unmeasured", "truncated", "pending", "stack"]
    stack = board.data.stack.name if board.data.stack else ""
    return csv_text([head, *(_csv_row(row, board.columns, stack) for row in board.rows)])


def _csv_row(row: BoardRow, columns: Iterable[str], stack: str) -> list[Any]:
    place = row.standing
    cells: list[Any] = [place.rank, place.best, place.worst, place.groups] if place else ["", "", "", ""]
    network = row.network
    weights = "" if network.open_weights is None else str(network.open_weights).lower()
    cells += [network.name, network.vendor, weights, str(network.is_control).lower()]
    for column in columns:
        cells += figure_value(row.figure(column)).values()
    return [*cells, *coverage_value(row.coverage).values(), stack]


def summary_csv(rows: Iterable[SummaryRow], boards: dict[str, Board]) -> str:
    """One line per network and category."""
    head = ["network", "vendor", "control", "category", "solved", "solved_low", "solved_high", "tasks"]
    lines: list[list[Any]] = [head]
    for row in rows:
        for category, found in row.rows.items():
            network = row.network
            start = [network.name, network.vendor, str(network.is_control).lower(), category]
            lines.append([*start, *figure_value(found.figure("solved")).values()])
    return csv_text(lines)


def csv_text(lines: Iterable[Sequence[Any]]) -> str:
    """UTF-8 with a mark, so that spreadsheets read Cyrillic; nothing in it is taken for a formula."""
    target = io.StringIO()
    writer = csv.writer(target)
    for line in lines:
        writer.writerow([spreadsheet_cell(value) for value in line])
    return "\ufeff" + target.getvalue()


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
