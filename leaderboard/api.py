"""JSON for machines: the same objects that the pages show. Described by `openapi.py`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from leaderboard import exports, trust, views
from leaderboard.answers import AnswerPage
from leaderboard.bank import TaskFigures, task_figures
from leaderboard.boards import make_board
from leaderboard.cache import cached_page
from leaderboard.economy import Expense, expenses
from leaderboard.filters import Filters
from leaderboard.insight import Gap, Repeats
from leaderboard.openapi import document
from leaderboard.profiles import Profile
from leaderboard.queries import board as board_data
from leaderboard.ranking import Paired
from scoring.models import Category

View = Callable[..., HttpResponse]


def json_view(view: Callable[..., Any]) -> View:
    """A cached JSON answer that any site may read; what is not there is told in JSON, too."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            response = JsonResponse(view(request, **kwargs), json_dumps_params={"ensure_ascii": False})
        except Http404 as error:
            response = JsonResponse({"error": "not_found", "detail": str(error)}, status=404, json_dumps_params={"ensure_ascii": False})
        return response

    kept = require_safe(cached_page(wrapped))

    @wraps(kept)
    def open_to_all(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response = kept(request, **kwargs)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    return open_to_all


@json_view
def description(request: HttpRequest) -> Any:
    return document()


@json_view
def summary(request: HttpRequest) -> Any:
    filters = Filters.read(request.GET, views.SUMMARY_SORT)
    boards, rows = views.summary_of(request, filters)
    return exports.summary_value(rows, boards)


@json_view
def board(request: HttpRequest, category: str) -> Any:
    views.known_category(category)
    filters = Filters.read(request.GET)
    return exports.board_value(make_board(board_data(category, filters.edition, views.version_of(request)), filters))


@json_view
def network(request: HttpRequest, slug: str) -> Any:
    row, profiles = views.profiles_of(request, slug, Filters.read(request.GET).edition)
    return {"network": exports.network_value(row), "categories": {entry.category: _profile(entry) for entry in profiles}}


def _profile(profile: Profile) -> Any:
    tiles = (*profile.tiles, profile.solved)
    return {
        "stack": exports.stack_value(profile.data.stack),
        "figures": {tile.column: exports.figure_value(tile.figure) for tile in tiles},
        "standings": {tile.column: exports.standing_value(tile.standing) for tile in tiles},
        "coverage": exports.coverage_value(profile.coverage),
        "gap": _gap(profile.gap),
        "repeats": _repeats(profile.repeats),
        "skills": [
            {"tag": row.tag, "tasks": row.tasks, "figures": {key: exports.figure_value(found) for key, found in row.figures.items()}}
            for row in profile.tags
        ],
        "funnel": [
            {"stage": row.key, "attempts": row.attempts, "reached": row.reached, "causes": dict(row.causes)} for row in profile.funnel
        ],
        "not_measured": profile.not_measured,
        "answers": [exports.cell_value(cell, profile.data) for result in profile.results for cell in result.cells],
    }


def _gap(found: Gap | None) -> Any:
    if found is None:
        return None
    interval = found.interval
    return {
        "public": round(found.first, 4),
        "private": round(found.second, 4),
        "difference": round(found.difference, 4),
        "low": round(interval.low, 4) if interval else None,
        "high": round(interval.high, 4) if interval else None,
    }


def _repeats(found: Repeats | None) -> Any:
    if found is None:
        return None
    return {"pass_at": {str(k): exports.figure_value(figure) for k, figure in found.at}, "spread": round(found.spread, 4), "tasks": found.tasks}


@json_view
def tasks(request: HttpRequest) -> Any:
    boards = [board_data(category, "", views.version_of(request)) for category in Category.values]
    return {"tasks": [_task(row) for data in boards for row in task_figures(data)]}


def _task(row: TaskFigures) -> Any:
    figures = {
        "solve_rate": row.solve_rate,
        "mean_m": row.meaning,
        "networks": row.networks,
        "discrimination": row.discrimination,
        "places_moved": row.sway.moved,
    }
    return {**exports.task_value(row.task), **figures}


@json_view
def task(request: HttpRequest, key: str) -> Any:
    data, row = views.task_of(request, key)
    figures = next(entry for entry in task_figures(data) if entry.task.pk == row.pk)
    prompt = None if row.is_private else views.StoredTask.objects.values_list("prompt", flat=True).get(pk=row.pk)
    return {**_task(figures), "prompt": prompt, "answers": [exports.cell_value(cell, data) for cell in data.by_task.get(row.pk, ())]}


@json_view
def answer(request: HttpRequest, pk: int) -> Any:
    page: AnswerPage = views.answer_page(request, pk)
    given = page.answer
    return {
        "id": given.pk,
        "task": given.task.key,
        "network": given.network.slug,
        "edition": given.edition.slug,
        "run": given.run_index,
        "revision": given.revision,
        "is_current": given.is_current,
        "status": given.status,
        "stack": page.stack.name if page.stack else None,
        "axes": [_axis(axis) for axis in page.axes],
        "quality": page.score.q_value if page.score else None,
        "solved": page.solved,
        "details_public": page.details,
        "withheld": page.withheld,
        "verified_axes": page.verified_axes,
        "code": given.code if page.details else None,
        "tests": [_test(outcome) for outcome in page.outcomes],
        "growth": _growth(page),
        "invented": [{"kind": kind, "name": name} for kind, name in page.invented],
    }


def _axis(axis: Any) -> Any:
    return {"axis": axis.label.key, "value": axis.value, "step": axis.step, "state": axis.state, "reason": axis.why or None}


def _test(outcome: Any) -> Any:
    error = outcome.error
    told = {"kind": error.kind, "message": error.message, "line": error.at.line if error.at else None} if error else None
    return {"index": outcome.index, "name": outcome.name, "verdict": outcome.verdict, "operations": outcome.operations, "error": told}


def _growth(page: AnswerPage) -> Any:
    if page.growth is None:
        return None
    found = page.growth
    points = [{"size": size, "count": count} for size, count in found.points]
    return {"unit": found.unit, "optimum": found.optimum, "exponent": found.exponent, "points": points, "stopped": found.stopped or None}


@json_view
def compare(request: HttpRequest) -> Any:
    boards = [board_data(category, "", views.version_of(request)) for category in Category.values]
    networks = {row.slug: row for data in boards for row in data.networks}
    first, second = networks.get(request.GET.get("a", "")), networks.get(request.GET.get("b", ""))
    if first is None or second is None:
        raise Http404("a and b: slugs of two networks")
    found = views.comparisons(boards, first, second)
    return {
        "a": exports.network_value(first),
        "b": exports.network_value(second),
        "categories": {entry.data.category: {column: _paired(value) for column, value in entry.axes.items()} for entry in found},
    }


def _paired(found: Paired) -> Any:
    interval = found.interval
    return {
        "difference": None if found.difference is None else round(found.difference, 4),
        "low": round(interval.low, 4) if interval else None,
        "high": round(interval.high, 4) if interval else None,
        "tasks": found.tasks,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
    }


@json_view
def costs(request: HttpRequest) -> Any:
    edition = Filters.read(request.GET).edition
    boards = [board_data(category, edition, views.version_of(request)) for category in Category.values]
    return {"categories": {data.category: [_expense(row) for row in expenses(data)] for data in boards}}


def _expense(row: Expense) -> Any:
    return {
        "network": row.network.slug,
        "answers": row.answers,
        "cost": row.cost,
        "tokens_input": row.tokens_input,
        "tokens_output": row.tokens_output,
        "seconds": row.seconds,
        "lookups": row.lookups,
        "invented": row.invented,
        "mean_m": row.meaning,
        "solved": row.solved,
        "on_frontier": row.on_frontier,
        "dominated_by": row.dominated_by.slug if row.dominated_by else None,
    }


@json_view
def fidelity(request: HttpRequest) -> Any:
    return {
        "agreements": [
            {
                "category": entry.category,
                "axes": {axis.axis: {"share": axis.share, "equal": axis.equal, "n": axis.n} for axis in entry.axes},
                "kendall_q": entry.kendall,
                "answers": entry.answers,
                "measured_at": entry.created_at.isoformat() if entry.created_at else None,
                "stack": entry.stack or None,
                "engine": entry.engine or None,
                "disagreements": len(entry.disagreements),
            }
            for entry in trust.agreements()
        ],
        "cross_checks": [
            {"category": live.category, "made_at": live.made_at.isoformat(), **live.figures}
            for live in trust.live_checks().values()
            if live
        ],
        "conformance": [
            {"file": row.name, "equal": row.equal, "message": row.message, "line": row.line} for row in trust.conformance()
        ],
    }
