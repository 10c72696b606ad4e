"""The maintainers' pages of engines: the doctor's word, cross-checks over time, where two engines differed and in which words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import audit, people
from accounts.models import Role
from leaderboard import labels
from scoring.fidelity.cross import QUESTIONS, SHOWN
from scoring.models import Category, CrossCheck
from scoring.services import crosscheck, health, nightly

CHECKS_PER_PAGE = 20
DIFFERENCES_PER_PAGE = 40
COLOURS = dict(zip(QUESTIONS, ("@accent", "@good", "@warn", "@bad"), strict=True))
maintainers = people.require_role(Role.MAINTAINER)


@dataclass(frozen=True, slots=True)
class Panel:
    """One category: where it stands, its last finished check in figures, and those before."""

    standing: nightly.Standing
    figures: Mapping[str, Any] | None
    past: Page[crosscheck.Past]
    chart: Mapping[str, Any] | None

    @property
    def failed(self) -> CrossCheck | None:
        ended = self.standing.ended
        return ended if ended and ended.error else None


@require_safe
@maintainers
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Without self-tests: they take seconds to minutes, and the command has them."""
    panels = [_panel(category, request.GET.get(f"page_{category}")) for category in Category.values]
    return render(request, "maintenance/engines.html", {"checks": list(health.check_all()), "panels": panels, **_live()})


def _panel(category: str, number: str | None) -> Panel:
    standing = nightly.standing(category)
    report = standing.finished.report if standing.finished else None
    past = Paginator(_Stock(category), CHECKS_PER_PAGE).get_page(number)
    figures = crosscheck.public_figures(report) if report else None
    return Panel(standing, figures, past, trend([entry.row for entry in past.object_list]))


class _Stock(Sequence[crosscheck.Past]):
    """The kept checks of a category, read a page at a time."""

    def __init__(self, category: str) -> None:
        self.category = category
        self.number = crosscheck.finished(category).count()

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, wanted: Any) -> Any:
        return crosscheck.history(self.category, wanted.start, wanted.stop - wanted.start)


def trend(rows: Iterable[CrossCheck]) -> dict[str, Any] | None:
    """Share of equal answers per question over time; None where one check alone is there."""
    found = sorted(rows, key=lambda row: row.pk)
    if len(found) < 2:
        return None
    traces = [_line(question, found) for question in QUESTIONS if any(question in (row.report or {})["questions"] for row in found)]
    layout = {
        "showlegend": len(traces) > 1,
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "height": 260,
        "margin": {"l": 60, "r": 20, "t": 50, "b": 40},
        "yaxis": {"ticksuffix": "\u00a0%", "rangemode": "normal"},
        "xaxis": {"type": "date", "tickformat": f"{_day()}<br>%H:%M", "nticks": 4, "tickangle": 0},
    }
    return {"data": traces, "layout": layout}


def _line(question: str, rows: Iterable[CrossCheck]) -> dict[str, Any]:
    figures = [(row.finished_at, (row.report or {})["questions"].get(question)) for row in rows]
    known = [(when.isoformat(), row) for when, row in figures if when and row and row["share"] is not None]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": labels.question_title(question),
        "x": [when for when, _row in known],
        "y": [round(100 * row["share"], 2) for _when, row in known],
        "text": [f"{row['equal']} / {row['n']}" for _when, row in known],
        "line": {"color": COLOURS[question], "width": 2},
        "marker": {"color": COLOURS[question], "size": 7},
        "hovertemplate": f"%{{x|{_day()} %H:%M}}: %{{y}} (%{{text}})<extra>%{{fullData.name}}</extra>",
    }


def _day() -> str:
    """How a chart writes a date. The charts' library knows months by English names only."""
    return "%d.%m.%Y" if (get_language() or "ru").startswith("ru") else "%-d %b %Y"


def _live() -> dict[str, Any]:
    present = [nightly.standing(category).present for category in Category.values]
    running = [row for row in present if row]
    return {"running": running, "is_open": bool(running)}


@require_safe
@maintainers
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Where running checks stand, asked for again and again by the page."""
    return render(request, "maintenance/_live.html", _live())


@require_POST
@maintainers
def run(request: HttpRequest) -> HttpResponse:
    """Queues a check of a category; one that is open already stays the only one."""
    category = request.POST.get("category", "")
    if category not in Category.values:
        raise Http404
    row, is_new = nightly.request(category)
    if is_new:
        audit.record(request.user, "cross_check.requested", row.pk, category=category)
        messages.success(request, _("Сверка поставлена в очередь: её проведёт свободный работник."))
    else:
        messages.info(request, _("Сверка этой категории уже идёт или ждёт очереди."))
    return redirect("engines")


# -- one report --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement with both sides' words, where they are still kept; `answer` is None for a text that is not stored."""

    task: str
    model: str
    question: str
    kind: str
    ours: str
    theirs: str
    answer: int | None


@require_safe
@maintainers
@never_cache
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """A finished check: figures, and its disagreements by question, kind and task."""
    row = CrossCheck.objects.filter(pk=pk, report__isnull=False).first()
    if row is None or row.report is None:
        raise Http404
    entries = row.report["disagreements"]
    wanted = {name: request.GET.get(name, "") for name in ("question", "kind", "task")}
    chosen = [entry for entry in entries if all(not value or entry[name] == value for name, value in wanted.items())]
    shown = Paginator(chosen, DIFFERENCES_PER_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "row": row,
        "figures": crosscheck.public_figures(row.report),
        "drawn": row.report.get("drawn", row.done),
        "page": shown,
        "differences": [_difference(entry) for entry in shown],
        "choices": {name: _counted(entries, name, wanted) for name in wanted},
        "wanted": wanted,
        "is_narrowed": any(wanted.values()),
        "query": query.urlencode(),
        "has_words": any(crosscheck.WORDS & entry.keys() for entry in entries),
    }
    return render(request, "maintenance/report.html", context)


def _counted(entries: Sequence[Mapping[str, Any]], name: str, wanted: Mapping[str, str]) -> list[tuple[str, int]]:
    """The values that a field may be narrowed to, the others being as they are, with how many each leaves."""
    others = {key: value for key, value in wanted.items() if key != name and value}
    found = Counter(entry[name] for entry in entries if all(entry[key] == value for key, value in others.items()))
    if wanted[name] and wanted[name] not in found:
        found[wanted[name]] = 0
    return sorted(found.items())


def _difference(entry: Mapping[str, Any]) -> Difference:
    ours, theirs = (_cut(str(entry.get(side, ""))) for side in ("ours", "theirs"))
    return Difference(entry["task"], entry["model"], entry["question"], entry["kind"], ours, theirs, entry.get("answer"))


def _cut(text: str) -> str:
    """What was cut when it was kept says so."""
    return f"{text}…" if len(text) >= SHOWN else text
