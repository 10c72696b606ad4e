"""Public pages: parse the address, ask for one object, respond."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leaderboard import charts, exports, labels
from leaderboard import trust as trusting
from leaderboard.answers import make_page
from leaderboard.bank import TaskFigures, task_answers, task_figures
from leaderboard.boards import Board, SummaryRow, left_by, make_board
from leaderboard.boards import summary as make_summary
from leaderboard.cache import cached_page
from leaderboard.comparison import Comparison
from leaderboard.comparison import compare as make_comparison
from leaderboard.economy import Expense, expenses
from leaderboard.filters import Filters, choices
from leaderboard.openapi import operations
from leaderboard.profiles import Profile, make_profile
from leaderboard.queries import BoardData, NetworkRow, TaskRow, stored_answer
from leaderboard.queries import board as board_data
from leaderboard.ranking import ordered
from leaderboard.rules import board_rules
from scoring.models import Category, TaskStatus
from scoring.models import Task as StoredTask
from scoring.services import bank, stacks

SUMMARY_SORT = "A"


def canonical(request: HttpRequest, query: str) -> HttpResponse | None:
    """A redirect to the canonical form of this address, or None when it is that already."""
    language = request.GET.get("lang")
    wanted = "&".join(part for part in (query, f"lang={language}" if language in ("ru", "en") else "") if part)
    if request.META.get("QUERY_STRING", "") == wanted:
        return None
    return HttpResponseRedirect(request.path + (f"?{wanted}" if wanted else ""))


def known_category(category: str) -> str:
    """Raises Http404 for a letter that is no category."""
    if category not in Category.values:
        raise Http404(_("Такой категории нет"))
    return category


def version_of(request: HttpRequest) -> int | None:
    return getattr(request, "data_version", None)


# -- boards ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading: where a click on it leads and how it is sorted now."""

    column: str
    short: str
    title: str
    query: str
    sorted: str

    @property
    def hint(self) -> str:
        return {"ascending": "▲", "descending": "▼"}.get(self.sorted, "")


def headings(filters: Filters, columns: tuple[str, ...], usual: str = "") -> list[Heading]:
    return [
        Heading(
            column,
            labels.column_short(column),
            labels.column_title(column),
            filters.sorted_by(column).query(usual),
            ("descending" if filters.descending else "ascending") if column == filters.sort else "none",
        )
        for column in columns
    ]


@require_safe
@cached_page
def home(request: HttpRequest) -> HttpResponse:
    """The summary: both categories side by side."""
    filters = Filters.read(request.GET, SUMMARY_SORT)
    if filters.sort not in (*Category.values, "name"):
        filters = Filters.read({**request.GET.dict(), "sort": ""}, SUMMARY_SORT)
    redirect = canonical(request, filters.query(SUMMARY_SORT))
    if redirect:
        return redirect
    boards, rows = summary_of(request, filters)
    categories = [(category, labels.category_name(category)) for category in boards]
    context = {
        "filters": filters,
        "choices": choices(*(board.data for board in boards.values())),
        "boards": boards,
        "rows": rows,
        "headings": headings(filters, ("name", *boards), SUMMARY_SORT),
        "categories": categories,
        "axes": labels.axis_labels().values(),
        "query": filters.query(SUMMARY_SORT),
        "left": left_by(filters, rows, [board.data for board in boards.values()]),
        "agreements": trusting.agreements(),
    }
    return render(request, "leaderboard/home.html", context)


def summary_of(request: HttpRequest, filters: Filters) -> tuple[dict[str, Board], list[SummaryRow]]:
    boards = {
        category: make_board(board_data(category, filters.edition, version_of(request)), filters_for(filters))
        for category in Category.values
    }
    return boards, make_summary(boards, filters)


def filters_for(filters: Filters) -> Filters:
    """The same filters on a category's own board, whose places go by what is solved."""
    return replace(filters, sort="solved", descending=True)


@require_safe
@cached_page
def summary_export(request: HttpRequest, form: str) -> HttpResponse:
    """The summary as a file."""
    filters = Filters.read(request.GET, SUMMARY_SORT)
    boards, rows = summary_of(request, filters)
    return download(f"prism-summary.{form}", form, exports.summary_value(rows, boards), exports.summary_csv(rows, boards))


@require_safe
@cached_page
def board(request: HttpRequest, category: str) -> HttpResponse:
    """The board of a category."""
    known_category(category)
    filters = Filters.read(request.GET)
    redirect = canonical(request, filters.query())
    if redirect:
        return redirect
    shown = make_board(board_data(category, filters.edition, version_of(request)), filters)
    context = {
        "board": shown,
        "filters": filters,
        "choices": shown.data.keep("choices", lambda: choices(shown.data)),
        "category": category,
        "headings": headings(filters, ("name", *shown.columns, "tasks")),
        "query": filters.query(),
        "chart": board_chart(shown),
        "chart_label": _("Средние с интервалами: %(column)s") % {"column": labels.column_title(shown.rank_column)},
        "sort_value": "" if Filters.read({"sort": sort_name(filters)}).query() == "" else sort_name(filters),
        "level": round(100 * board_rules().level),
        "coverage": round(100 * board_rules().coverage),
        "rules": board_rules(),
        "marks": [(column, shown.data.marks.axes.get((category, column), "")) for column in shown.columns],
        "has_marks": any(where == category for where, _axis in shown.data.marks.axes),
        "axes": [axis for key, axis in labels.axis_labels().items() if key in shown.columns],
        "left": left_by(filters, shown.rows, [shown.data]),
    }
    return render(request, "leaderboard/board.html", context)


def sort_name(filters: Filters) -> str:
    return ("-" if filters.descending else "") + filters.sort


def board_chart(shown: Board) -> charts.Chart:
    """Means and intervals of the column by which places are given."""
    column = shown.rank_column
    top = 1.0 if column == "solved" else float(stacks.protocol().constitution.maximum)
    rows = [(row.network.title, row.figure(column), "@muted" if row.network.is_control else "@accent") for row in shown.rows]
    return charts.forest(rows, labels.column_title(column), top)


@require_safe
@cached_page
def board_export(request: HttpRequest, category: str, form: str) -> HttpResponse:
    """What the board shows, as a file."""
    known_category(category)
    filters = Filters.read(request.GET)
    shown = make_board(board_data(category, filters.edition, version_of(request)), filters)
    return download(f"prism-{category}.{form}", form, exports.board_value(shown), exports.board_csv(shown))


def download(name: str, form: str, value: Mapping[str, Any], text: str) -> HttpResponse:
    """`csv` or `json`; Http404 for anything else."""
    if form == "json":
        response: HttpResponse = JsonResponse(value, json_dumps_params={"ensure_ascii": False, "indent": 1})
    elif form == "csv":
        response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    else:
        raise Http404
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


# -- networks, answers, tasks ------------------------------------------------------------------------------------------


@require_safe
@cached_page
def network(request: HttpRequest, slug: str) -> HttpResponse:
    """A network, or a kind of control answers."""
    edition = Filters.read(request.GET).edition
    row, profiles = profiles_of(request, slug, edition)
    context = {
        "network": row,
        "edition": edition,
        "profiles": [profile_context(profile) for profile in profiles],
    }
    return render(request, "leaderboard/network.html", context)


def profiles_of(request: HttpRequest, slug: str, edition: str) -> tuple[NetworkRow, list[Profile]]:
    """The network with its part of every board. Raises Http404."""
    boards = [board_data(category, edition, version_of(request)) for category in Category.values]
    found = [(row, data) for data in boards for row in data.networks if row.slug == slug]
    if not found:
        raise Http404(_("Такой сети нет"))
    return found[0][0], [profile for row, data in found if (profile := make_profile(data, row))]


def profile_context(profile: Profile) -> dict[str, Any]:
    vector = ", ".join(f"{tile.column} {'N/A' if tile.figure.value is None else round(tile.figure.value, 1)}" for tile in profile.tiles)
    return {
        "profile": profile,
        "attempts": max(1, sum(stage.attempts for stage in profile.funnel)),
        "radar_label": _("Вектор: %(vector)s") % {"vector": vector},
        "tags_label": _("Средняя M по навыкам; те же числа — в таблице рядом"),
        **profile_charts(profile),
    }


def profile_charts(profile: Profile) -> dict[str, charts.Chart]:
    constitution = stacks.protocol().constitution
    top = float(constitution.maximum)
    axes = [tile for tile in profile.tiles if tile.column != "Q"]
    names = [tile.column for tile in axes]
    tags = [(labels.tag_label(row.tag), row.figures["M"].value) for row in profile.tags]
    return {
        "radar": charts.radar([(profile.network.title, "@accent", [tile.figure.value for tile in axes])], names, top),
        "tags": charts.bars(tags, "@accent", top),
    }


@require_safe
@cached_page
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """One answer with everything that was measured of it."""
    page = answer_page(request, pk)
    growth = page.growth
    chart = None
    if growth and any(count for _size, count in growth.points):
        sizes, counts = zip(*growth.points, strict=True)
        unit = _("обращений к данным") if growth.unit == "accesses" else _("операций")
        chart = charts.growth(sizes, counts, float(growth.optimum), (_("измерено"), _("оптимальный рост")), (_("размер входа"), unit))
    label = _("Рост работы с размером входа; те же числа — в таблице рядом")
    return render(request, "leaderboard/answer.html", {"page": page, "growth_chart": chart, "growth_label": label})


def answer_page(request: HttpRequest, pk: int) -> Any:
    """Raises Http404 for answers that the public does not see: unknown, outdated, or of a task off the board."""
    wanted = request.GET.get("stack", "")
    found = stored_answer(pk, int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 12 else None)
    if found is None or found[0].task.status != TaskStatus.PUBLISHED:
        raise Http404(_("Такого ответа нет"))
    return make_page(*found)


@require_safe
@cached_page
def tasks(request: HttpRequest) -> HttpResponse:
    """The bank, by category."""
    sort = request.GET.get("sort", "key")
    filters = Filters.read(request.GET)
    boards = [board_data(category, "", version_of(request)) for category in Category.values]
    sections = [(data, sorted_tasks([row for row in task_figures(data) if filters.takes_task(row.task)], sort)) for data in boards]
    context = {
        "sections": sections,
        "sort": sort,
        "filters": filters,
        "choices": choices(*boards),
        "sorts": [("key", _("по номеру")), ("-solve_rate", _("сначала лёгкие")), ("solve_rate", _("сначала трудные")), ("-discrimination", _("по различающей силе")), ("strength", _("сначала слабые тесты")), ("-moved", _("по влиянию на места"))],
    }
    return render(request, "leaderboard/tasks.html", context)


def sorted_tasks(rows: list[TaskFigures], sort: str) -> list[TaskFigures]:
    name = sort.removeprefix("-")
    values: dict[str, Callable[[TaskFigures], float | None]] = {
        "solve_rate": lambda row: row.solve_rate,
        "discrimination": lambda row: row.discrimination,
        "strength": lambda row: row.task.strength,
        "moved": lambda row: float(row.sway.moved),
    }
    if name not in values:
        return rows
    return ordered(rows, values[name], lambda row: row.task.key, descending=sort.startswith("-"))


@require_safe
@cached_page
def task(request: HttpRequest, key: str) -> HttpResponse:
    """A task: condition, difficulty, and who solved it."""
    data, row = task_of(request, key)
    figures = next(entry for entry in task_figures(data) if entry.task.pk == row.pk)
    networks, controls = task_answers(data, row)
    stored = StoredTask.objects.select_related("bundle").get(pk=row.pk)
    context = {
        "task": row,
        "stored": stored,
        "figures": figures,
        "networks": networks,
        "controls": controls,
        "is_verified": row.pk in data.marks.tasks,
        "is_doubted": row.pk in data.marks.doubted,
        "data": data,
        "bundle": None if row.is_private or not stored.bundle else bank.read_bundle(stored.bundle),
        "least": board_rules().least_networks,
    }
    return render(request, "leaderboard/task.html", context)


def task_of(request: HttpRequest, key: str) -> tuple[BoardData, TaskRow]:
    """Raises Http404."""
    for category in Category.values:
        data = board_data(category, "", version_of(request))
        for row in data.tasks:
            if row.key == key:
                return data, row
    raise Http404(_("Такой задачи нет"))


# -- comparison --------------------------------------------------------------------------------------------------------


@require_safe
@cached_page
def compare(request: HttpRequest) -> HttpResponse:
    """Two networks task by task, category by category."""
    edition = Filters.read(request.GET).edition
    boards = [board_data(category, edition, version_of(request)) for category in Category.values]
    networks = {row.slug: row for data in boards for row in data.networks}
    first, second = networks.get(request.GET.get("a", "")), networks.get(request.GET.get("b", ""))
    found = comparisons(boards, first, second) if first and second and first != second else []
    context = {
        "networks": sorted(networks.values(), key=lambda row: (row.is_control, row.title.casefold())),
        "first": first,
        "second": second,
        "comparisons": [(entry, comparison_charts(entry)) for entry in found],
        "same": bool(first and first == second),
        "rules": board_rules(),
    }
    return render(request, "leaderboard/compare.html", context)


def comparisons(boards: list[BoardData], first: NetworkRow, second: NetworkRow) -> list[Comparison]:
    """One per category in which both have answers."""
    return [
        make_comparison(data, first, second)
        for data in boards
        if first.pk in data.by_network and second.pk in data.by_network
    ]


def comparison_charts(found: Comparison) -> dict[str, Any]:
    top = float(stacks.protocol().constitution.maximum)
    axes = [column for column in found.data.columns if column != "Q"]
    vectors = [
        (row.title, colour, [found.data.mean(column, row.pk) for column in axes])
        for row, colour in ((found.first, "@accent"), (found.second, "@second"))
    ]
    rows = [(entry.task.key, entry.difference) for entry in found.tasks]
    return {
        "radar": charts.radar(vectors, axes, top),
        "radar_label": _("Векторы двух сетей; разницы — в таблице рядом"),
        "differences": charts.differences(rows, "ΔM", top),
        "differences_label": _("Разница M по задачам; те же числа — в таблице ниже"),
    }


@require_safe
@cached_page
def costs(request: HttpRequest) -> HttpResponse:
    """What answers cost, beside what they are worth."""
    edition = Filters.read(request.GET).edition
    boards = [board_data(category, edition, version_of(request)) for category in Category.values]
    sections = [(data, rows, cost_chart(rows)) for data in boards if (rows := expenses(data))]
    label = _("Цена ответа и средняя M; те же числа — в таблице ниже")
    return render(request, "leaderboard/costs.html", {"sections": sections, "edition": edition, "chart_label": label})


def cost_chart(rows: list[Expense]) -> charts.Chart | None:
    """None where no cost is known; free answers have no place on a logarithmic axis."""
    points = [(row.network.title, row.cost, row.meaning, row.on_frontier) for row in rows if row.cost and row.meaning is not None]
    top = float(stacks.protocol().constitution.maximum)
    return charts.frontier(points, (_("цена ответа"), _("средняя M")), top) if points else None


# -- texts -------------------------------------------------------------------------------------------------------------


HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>')


def long_text(request: HttpRequest, name: str) -> HttpResponse:
    """A long text in the reader's language, with its contents beside it."""
    language = "en" if (get_language() or "ru").startswith("en") else "ru"
    text = render_to_string(f"leaderboard/{name}_{language}.html", method_numbers(), request)
    contents = [(place, strip_tags(title)) for place, title in HEADING.findall(text)]
    # Our own template, rendered with escaping.
    return render(request, f"leaderboard/{name}.html", {"text": mark_safe(text), "contents": contents})


@require_safe
@cached_page
def method(request: HttpRequest) -> HttpResponse:
    """How PRISM measures; every number comes from `metrics/`."""
    return long_text(request, "method")


@require_safe
@cached_page
def limits(request: HttpRequest) -> HttpResponse:
    """What the figures may be taken for, and what not."""
    return long_text(request, "limits")


def method_numbers() -> dict[str, Any]:
    rules = stacks.protocol()
    return {
        "rules": rules,
        "constitution": rules.constitution,
        "axes": labels.axis_labels(),
        "board_rules": board_rules(),
        "syntax_bands": syntax_bands(),
        "static_weights": sorted(rules.optimization.static_weights.items(), key=lambda pair: (-pair[1], pair[0])),
        "stages": [(labels.in_language(label), causes_of(key)) for key, label in rules.funnel.stages.items()],
        "verified": rules.verified,
    }


def syntax_bands() -> list[tuple[str, int]]:
    """(root causes, score): `0`, `1`, `2–3`, … `> 6`."""
    found, least = [], 0
    for band in stacks.protocol().syntax.bands:
        if band.up_to is None:
            found.append((f"> {least - 1}", band.score))
        else:
            last = int(band.up_to)
            found.append((str(last) if last == least else f"{least}–{last}", band.score))
            least = last + 1
    return found


def causes_of(stage: str) -> list[str]:
    """The kinds of cause of a funnel's stage, in words."""
    return [labels.in_language(cause.label) for cause in stacks.protocol().funnel.causes if cause.stage == stage]


@require_safe
@cached_page
def trust(request: HttpRequest) -> HttpResponse:
    """Agreement with genuine engines."""
    shown = {category: stacks.shown_stack(category) for category in Category.values}
    found = {"agreements": trusting.agreements(), "live_checks": trusting.live_checks(), "conformance": trusting.conformance()}
    return render(request, "leaderboard/trust.html", {**found, "stacks": shown})


@require_safe
@cached_page
def api_page(request: HttpRequest) -> HttpResponse:
    """The API for people: the same description that machines get."""
    return render(request, "leaderboard/api.html", {"operations": operations(), "address": request.build_absolute_uri(reverse("leaderboard:openapi"))})
