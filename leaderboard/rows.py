"""The rows of a board as HTML. A board has hundreds of cells, and a filter that nobody asked for before must still be quick:

cells are plain f-strings over numbers and texts escaped once; names are the only free text in them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import escape
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from leaderboard.boards import Board, BoardRow, Coverage, SummaryRow
from leaderboard.queries import NetworkRow
from leaderboard.ranking import Figure, Interval, Standing
from scoring.services.answers import DEFAULT_EDITION

PERCENT = "\u00a0%"
CONTROL = ' class="control"'


@dataclass(frozen=True, slots=True)
class Words:
    """Texts of the cells in the reader's language, escaped."""

    not_measured: str
    tasks_measured: str
    interval: str
    groups: str
    no_place: str
    open: str
    closed: str
    measured: str
    unmeasured: str
    truncated: str
    pending: str


def words() -> Words:
    found = (
        _("не измерено"), _("измерено задач"), _("интервал мест"), _("группы неразличимых"), _("без места"), _("открытые веса"),
        _("закрытые веса"), _("измерено"), _("не измерено"), _("оборвано"), _("ожидается"),
    )  # fmt: skip
    return Words(*(str(escape(text)) for text in found))


def board_rows(board: Board) -> SafeString:
    """The body of a category's table."""
    said = words()
    link = network_link(board.filters.edition)
    current = board.filters.sort
    return mark_safe("\n".join(_board_row(row, board.columns, current, said, link) for row in board.rows))


def _board_row(row: BoardRow, columns: tuple[str, ...], current: str, said: Words, link: Callable[[str], str]) -> str:
    groups = f' data-groups="{row.standing.groups}"' if row.standing else ""
    figures = "".join(figure_cell(row.figure(column), column, said, " current" if column == current else "") for column in columns)
    return (
        f"<tr{CONTROL if row.network.is_control else ''}{groups}>{place_cell(row.standing, said)}"
        f"{name_cell(row.network, said, link)}{figures}{coverage_cell(row.coverage, said)}</tr>"
    )


def summary_rows(rows: list[SummaryRow], boards: dict[str, Board], edition: str) -> SafeString:
    """The body of the summary: each category's block of columns side by side."""
    said = words()
    link = network_link(edition)
    return mark_safe("\n".join(_summary_row(row, boards, said, link) for row in rows))


def _summary_row(row: SummaryRow, boards: dict[str, Board], said: Words, link: Callable[[str], str]) -> str:
    blocks = "".join(_block(row.rows.get(category), board, said) for category, board in boards.items())
    return f"<tr{CONTROL if row.network.is_control else ''}>{name_cell(row.network, said, link)}{blocks}</tr>"


def block_columns(board: Board) -> list[str]:
    """The axes that a category shows in the summary."""
    return [column for column in board.data.columns if column != "Q"]


def _block(row: BoardRow | None, board: Board, said: Words) -> str:
    axes = block_columns(board)
    if row is None:
        nothing = escape(_("ответов нет"))
        return f'<td class="na split" colspan="{len(axes) + 2}">{nothing}</td>'
    figures = "".join(figure_cell(row.figure(axis), axis, said, " axis") for axis in axes)
    return figure_cell(row.figure("solved"), "solved", said, " split") + place_cell(row.standing, said) + figures


def network_link(edition: str) -> Callable[[str], str]:
    """Slug → address of the network's page under the same edition."""
    start, _slash, end = reverse("leaderboard:network", args=["SLUG"]).partition("SLUG")
    query = f"?{urlencode({'edition': edition})}" if edition and edition != DEFAULT_EDITION else ""
    return lambda slug: f"{start}{slug}{end}{escape(query)}"


def name_cell(network: NetworkRow, said: Words, link: Callable[[str], str]) -> str:
    """Name and, for a network, who made it."""
    weights = {True: said.open, False: said.closed, None: ""}[network.open_weights]
    about = " · ".join(part for part in (escape(network.vendor), weights) if part) if not network.is_control else ""
    below = f'<span class="small muted">{about}</span>' if about else ""
    return f'<th class="who" scope="row"><a href="{link(escape(network.slug))}">{escape(network.title)}</a>{below}</th>'


def place_cell(standing: Standing | None, said: Words) -> str:
    """The rank, what the paired bootstrap allows, and the groups."""
    if standing is None:
        return f'<td class="rank"><span class="norank" title="{said.no_place}">—</span></td>'
    between = f"{standing.best}–{standing.worst}" if standing.best != standing.worst else f"{standing.best}"
    return (
        f'<td class="rank"><span class="place">{standing.rank}</span> <span class="ci" title="{said.interval}">{between}</span>'
        f' <span class="grp" title="{said.groups}">{standing.groups}</span></td>'
    )


def figure_cell(figure: Figure, column: str, said: Words, kind: str) -> str:
    """A mean with its interval and a bar; `kind`: more class names (` axis` rounds and leaves the interval out)."""
    names = f"fig{kind}{' q' if column == 'Q' else ''}"
    if figure.value is None:
        return f'<td class="{names} na"><abbr title="{said.not_measured}">N/A</abbr></td>'
    short = kind == " axis"
    share = 100 * figure.value if column == "solved" else 10 * figure.value
    shown = f"{share:.0f}{PERCENT}" if column == "solved" else f"{figure.value:.{1 if short else 2}f}"
    interval = f'<span class="ci">{span(figure.interval, column)}</span>' if figure.interval and not short else ""
    count = f'<span class="n" title="{said.tasks_measured}">n={figure.tasks}</span>' if column == "O" else ""
    few = "" if figure.interval else " few"
    return f'<td class="{names}{few}"><span class="v">{shown}</span>{interval}{count}<i class="bar" style="--v:{share:.1f}%"></i></td>'


def span(interval: Interval, column: str) -> str:
    """`7.8–8.9`, shares in per cent."""
    if column == "solved":
        return f"{100 * interval.low:.0f}–{100 * interval.high:.0f}"
    return f"{interval.low:.1f}–{interval.high:.1f}"


def coverage_cell(found: Coverage, said: Words) -> str:
    """Measured of asked tasks; cells by state as a bar and in words."""
    parts = [
        ("measured", found.measured, said.measured),
        ("unmeasured", found.unmeasured, said.unmeasured),
        ("truncated", found.truncated, said.truncated),
        ("pending", found.pending, said.pending),
    ]
    told = " · ".join(f"{name} {count}" for _kind, count, name in parts if count)
    whole = max(1, found.cells)
    bars = "".join(f'<i class="{kind}" style="width:{100 * count / whole:.1f}%"></i>' for kind, count, _name in parts if count)
    return (
        f'<td class="num" title="{told}">{found.measured_tasks}/{found.tasks}<span class="sr"> {told}</span>'
        f'<span class="cover" aria-hidden="true">{bars}</span></td>'
    )
