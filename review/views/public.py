"""What anybody may see: the state of review, guidelines, frozen reports, marks, certificates."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.html import escape
from django.views.decorators.http import require_safe

from accounts.models import Role
from accounts.people import has_role
from review import words
from review.models import Report, Round, RoundState, VerdictKind, VerifiedEvent
from review.services import agreement, grading, marks
from review.views.rounds import report_context
from scoring.models import AXES, Category
from scoring.services import stacks

BADGE_COLOURS = {"verified": "#1d7444", "provisional": "#8a5a00", "revoked": "#b3261e", "refused": "#586473"}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The state of review; for an expert, also the own rounds."""
    mine: list[Any] = []
    if has_role(request.user, Role.EXPERT, Role.MAINTAINER):
        own = Round.objects.filter(experts=request.user).exclude(state=RoundState.DRAFT)
        mine = [(round_, grading.progress(round_, request.user)) for round_ in own[:20]]
    done = grading.submitted_by(request.user)[:30] if request.user.is_authenticated else []
    values = {
        "mine": mine,
        "done": done,
        "open": Round.objects.filter(state=RoundState.OPEN).count(),
        "reports": Report.objects.select_related("round").order_by("-frozen_at")[:10],
        "table": mark_table(),
        "tasks": len(marks.current().tasks),
    }
    return render(request, "review/home.html", values)


def mark_table() -> list[tuple[str, str, list[tuple[str, str, VerifiedEvent | None]]]]:
    """(category, its name, [(axis, name, newest event of the engines that the board shows)])."""
    newest = marks.newest_shown()
    constitution = stacks.protocol().constitution
    return [
        (category, words.category_name(category), [
            (axis, words.axis_name(axis), newest.get(marks.axis_subject(category, axis)))
            for axis in AXES if axis in constitution.categories[category].axes
        ])
        for category in Category.values
    ]  # fmt: skip


@require_safe
def guidelines(request: HttpRequest) -> HttpResponse:
    return render(request, "review/guidelines.html", {"axes": words.axis_sheets(list(AXES)), "version": stacks.protocol().rubric.version})


@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    found = Report.objects.select_related("round").order_by("-frozen_at")
    return render(request, "review/reports.html", {"reports": found})


@require_safe
def report(request: HttpRequest, key: str) -> HttpResponse:
    found = get_object_or_404(Report.objects.select_related("round"), key=key)
    certificates = VerifiedEvent.objects.filter(round=found.round).defer("certificate").order_by("pk")
    return render(request, "review/report.html", {"frozen": found, "certificates": certificates, **report_context(found.data)})


@require_safe
def report_file(request: HttpRequest, key: str, form: str) -> HttpResponse:
    """`grades.csv`, or `grades.json` with the whole report."""
    found = get_object_or_404(Report, key=key)
    if form not in ("csv", "json"):
        raise Http404
    if form == "json":
        columns = list(agreement.COLUMNS)
        return JsonResponse({"report": found.data, "columns": columns, "grades": found.grades}, json_dumps_params={"ensure_ascii": False})
    response = HttpResponse(agreement.csv_of(found.grades), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="prism-grades-{found.key}.csv"'
    return response


@require_safe
def verified(request: HttpRequest) -> HttpResponse:
    """The marks, the rule and the whole history."""
    present = marks.current()
    events = VerifiedEvent.objects.defer("certificate").select_related("round__stack").order_by("-pk")[:200]
    values = {
        "table": mark_table(), "events": events, "rule": stacks.protocol().verified, "tasks": present.tasks, "broken": marks.broken_events(),
    }  # fmt: skip
    return render(request, "review/verified.html", values)


def _event(key: str) -> VerifiedEvent:
    return get_object_or_404(VerifiedEvent.objects.select_related("round"), key=key)


@require_safe
def certificate(request: HttpRequest, key: str) -> HttpResponse:
    event = _event(key)
    newest = marks.newest_like(event)
    replaced = newest if newest.pk != event.pk else None
    values = {"event": event, "certificate": event.certificate, "result": event.certificate.get("result"), "replaced": replaced}
    return render(request, "review/certificate.html", values)


@require_safe
def certificate_json(request: HttpRequest, key: str) -> HttpResponse:
    event = _event(key)
    if not event.certificate:
        raise Http404
    response = JsonResponse(event.certificate, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response.headers["Content-Disposition"] = f'inline; filename="prism-certificate-{event.key}.json"'
    return response


@require_safe
def badge(request: HttpRequest, key: str) -> HttpResponse:
    """An SVG that always shows the subject's present state, so that a revoked mark can't be worn on."""
    event = _event(key)
    newest = marks.newest_like(event)
    text = f"{event.subject.removeprefix('task:')} · {VerdictKind(newest.kind).label}"
    response = HttpResponse(badge_svg("PRISM Verified", text, BADGE_COLOURS[newest.kind]), content_type="image/svg+xml")
    response.headers["Cache-Control"] = "no-cache"
    return response


def badge_svg(left: str, right: str, colour: str) -> str:
    """Two fields side by side; widths by a plain estimate of seven pixels a letter."""
    first, second = 7 * len(left) + 14, 7 * len(right) + 14
    title = escape(f"{left}: {right}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first + second}" height="22" role="img" aria-label="{title}"><title>{title}</title>'
        f'<rect width="{first + second}" height="22" rx="4" fill="#1c2530"/><path d="M{first} 0h{second - 4}a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H{first}z" fill="{colour}"/>'
        f'<g fill="#fff" font-family="DejaVu Sans,Verdana,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{first / 2}" y="15">{escape(left)}</text><text x="{first + second / 2}" y="15">{escape(right)}</text></g></svg>'
    )
