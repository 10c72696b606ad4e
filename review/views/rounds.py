"""Maintainers' pages: rounds, live agreement, disagreements, adjudication, tickets, what-if."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import Role
from accounts.people import has_role, require_role
from review import charts, words
from review.forms import RoundForm
from review.models import Item, Round, Ticket
from review.services import agreement, disputes, grading, publishing, rounds
from review.services.disputes import DisputeError
from review.services.rounds import RoundError
from review.tables import STEPS
from review.views.grading import shown_lines
from scoring.findings import FaultyData
from scoring.models import Category
from scoring.plain import whole_number
from scoring.services import stacks, whatif

maintainer_only = require_role(Role.MAINTAINER)
MOST_DISAGREEMENTS = 100


def _seeing(request: HttpRequest, slug: str) -> Round:
    """The round for someone who may see its figures: not while grading in it, or blindness would be gone."""
    round_ = get_object_or_404(Round, slug=slug)
    if round_.is_open and round_.experts.filter(pk=request.user.pk).exists():
        raise PermissionDenied(_("Вы оцениваете в этом раунде: до его закрытия цифры закрыты."))
    return round_


@maintainer_only
def listing(request: HttpRequest) -> HttpResponse:
    return render(request, "review/rounds.html", {"rounds": Round.objects.select_related("report").prefetch_related("experts")})


@maintainer_only
def create(request: HttpRequest) -> HttpResponse:
    """A new round; `plan` shows what it could say without storing anything."""
    given = request.POST.copy()
    if "plan" in given and not given.get("seed"):
        # The page keeps the seed of the plan that it shows: the round made from it draws the same answers.
        given["seed"] = str(rounds.new_seed())
    form = RoundForm(given or None)
    plan = None
    if request.method == "POST" and form.is_valid():
        data = dict(form.cleaned_data)
        experts = data.pop("experts")
        if "plan" not in request.POST:
            made = rounds.create(request.user, data, experts)
            return redirect("review:round", slug=made.slug)
        plan = rounds.plan(Round(**data))
    status = 400 if request.method == "POST" and form.errors else 200
    return render(request, "review/round_new.html", {"form": form, "plan": plan}, status=status)


@maintainer_only
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """The round's state; its plan while it is prepared."""
    round_ = get_object_or_404(Round, slug=slug)
    grades_here = round_.is_open and round_.experts.filter(pk=request.user.pk).exists()
    values: dict[str, Any] = {
        "round": round_,
        "plan": rounds.plan(round_) if round_.state == "draft" else None,
        "counts": grading.counts(round_),
        "grades_here": grades_here,
        "progress": [(expert, grading.progress(round_, expert)) for expert in round_.experts.all()],
        "category": words.category_name(round_.category),
    }
    return render(request, "review/round.html", values)


ACTIONS = {"open": rounds.open_round, "close": rounds.close_round, "publish": publishing.publish, "discard": rounds.discard}


@maintainer_only
@require_POST
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Opens, closes, publishes or discards."""
    round_ = get_object_or_404(Round, slug=slug)
    action = request.POST.get("action", "")
    if action not in ACTIONS:
        return redirect("review:round", slug=slug)
    try:
        ACTIONS[action](request.user, round_)
    except RoundError as error:
        messages.error(request, str(error))
        return redirect("review:round", slug=slug)
    if action == "discard":
        return redirect("review:rounds")
    if action == "publish":
        return redirect("review:report", key=Round.objects.get(slug=slug).report.key)
    return redirect("review:round", slug=slug)


@maintainer_only
def live(request: HttpRequest, slug: str) -> HttpResponse:
    round_ = _seeing(request, slug)
    report = agreement.live_report(round_)
    return render(request, "review/agreement.html", {"round": round_, **report_context(report)})


def report_context(report: dict[str, Any]) -> dict[str, Any]:
    """What both the live and the frozen page draw."""
    rule = stacks.protocol().verified["agreement"]
    drawn = [
        (axis, words.axis_name(axis["axis"]), charts.confusion(axis), charts.marginals(axis), _missing_words(axis))
        for axis in report["axes"]
        if axis["grades"]
    ]
    bounds = [float(rule["kappa_quadratic"]), float(rule["kappa_quadratic_lower"])]
    return {
        "report": report, "drawn": drawn, "steps": STEPS, "category": words.category_name(report["round"]["category"]),
        "intervals": charts.intervals(report["axes"], bounds) if drawn else None,
        "empty": [axis["axis"] for axis in report["axes"] if not axis["grades"]],
    }  # fmt: skip


def _missing_words(axis: dict[str, Any]) -> list[tuple[str, int]]:
    return [(words.absence(reason), count) for reason, count in axis["missing"].items()]


@maintainer_only
def disagreements(request: HttpRequest, slug: str) -> HttpResponse:
    """Largest first, the machine's evidence beside the experts' comments."""
    round_ = _seeing(request, slug)
    axis = request.GET.get("axis", "")
    rows = agreement.disagreements(round_, axis if axis in round_.axes else "")
    shown = [(row, _ground(row.item, row.axis)) for row in rows[:MOST_DISAGREEMENTS]]
    values = {"round": round_, "rows": shown, "total": len(rows), "axis": axis, "most": MOST_DISAGREEMENTS}
    return render(request, "review/disagreements.html", values)


def _ground(item: Item, axis: str) -> dict[str, Any]:
    """What the machine's value came from: the stored grounds of the axis."""
    card = item.score.card.get("axes", {}).get(axis, {}) if item.score else {}
    return dict(card.get("grounds") or {})


@maintainer_only
@require_POST
def oracle_ticket(request: HttpRequest, slug: str) -> HttpResponse:
    round_ = _seeing(request, slug)
    item = get_object_or_404(Item, round=round_, pk=whole_number(request.POST.get("item")))
    axis = request.POST.get("axis", "")
    if axis in round_.axes:
        disputes.open_oracle_ticket(request.user, item, axis, request.POST.get("text", ""))
        messages.success(request, _("Обращение создано."))
    return redirect("review:disagreements", slug=slug)


# -- adjudication ------------------------------------------------------------------------------------------------------


@require_role(Role.MAINTAINER, Role.EXPERT)
def adjudication(request: HttpRequest, slug: str) -> HttpResponse:
    """Disputes that this person may decide: both grades without names, the condition and the code, not the machine's side."""
    round_ = get_object_or_404(Round, slug=slug)
    if not has_role(request.user, Role.MAINTAINER) and not round_.experts.filter(pk=request.user.pk).exists():
        raise PermissionDenied
    found = [entry for entry in disputes.disputes(round_) if disputes.may_adjudicate(request.user, entry.item)]
    waiting = [entry for entry in found if entry.verdict is None]
    first = waiting[0] if waiting else None
    values = {
        "round": round_, "waiting": waiting, "decided": [entry for entry in found if entry.verdict], "first": first,
        "lines": shown_lines(first.item.answer, round_.category) if first else [],
        "sheet": words.axis_sheets([first.axis])[0] if first else None,
    }  # fmt: skip
    return render(request, "review/adjudication.html", values)


@require_role(Role.MAINTAINER, Role.EXPERT)
@require_POST
def adjudicate(request: HttpRequest, slug: str) -> HttpResponse:
    item = get_object_or_404(Item.objects.select_related("round"), round__slug=slug, pk=whole_number(request.POST.get("item")))
    step = whole_number(request.POST.get("value"))
    try:
        disputes.adjudicate(request.user, item, request.POST.get("axis", ""), step, request.POST.get("comment", ""))
        messages.success(request, _("Решение записано."))
    except DisputeError as error:
        messages.error(request, str(error))
    return redirect("review:adjudication", slug=slug)


# -- tickets and what-if -----------------------------------------------------------------------------------------------


@require_role(Role.MAINTAINER, Role.AUTHOR)
def tickets(request: HttpRequest) -> HttpResponse:
    """Doubts about tasks. Who opened them is not shown: an expert's name would hint at who grades what."""
    found = Ticket.objects.select_related("task").order_by("closed_at", "-opened_at")
    return render(request, "review/tickets.html", {"tickets": found[:300]})


@require_role(Role.MAINTAINER, Role.AUTHOR)
@require_POST
def close_ticket(request: HttpRequest, pk: int) -> HttpResponse:
    ticket = get_object_or_404(Ticket, pk=pk)
    try:
        disputes.close_ticket(request.user, ticket, request.POST.get("resolution", ""))
    except DisputeError as error:
        messages.error(request, str(error))
    return redirect("review:tickets")


@maintainer_only
def what_if(request: HttpRequest) -> HttpResponse:
    """The board under a corrected protocol, before it is published."""
    text = request.POST.get("text") or whatif.present_text()
    category = request.POST.get("category") if request.POST.get("category") in Category.values else "A"
    values: dict[str, Any] = {"text": text, "category": category, "categories": Category.choices}
    if request.method == "POST":
        try:
            values["found"] = whatif.what_if(str(category), text)
        except FaultyData as error:
            values["findings"] = [str(finding) for finding in error.findings]
    return render(request, "review/what_if.html", values, status=400 if "findings" in values else 200)


