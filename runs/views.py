"""Maintainers' pages: order a run, see what it will cost, start it, watch answers come in, cancel, resume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import audit, people
from accounts.models import Role
from runs.forms import OrderForm, label
from scoring.findings import FaultyData
from scoring.generation.budget import Estimate
from scoring.generation.catalogue import Catalogue, Channel, NetworkCard, Price
from scoring.models import Answer, GenerationRun, RunState
from scoring.services import generating, generation

RUNS_PER_PAGE = 30
LATEST_ANSWERS = 25
maintainers = people.require_role(Role.MAINTAINER)


# -- the list ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run of the list; counted for the rows of a page only."""

    run: GenerationRun
    progress: generation.Progress
    is_held: bool


@maintainers
@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """All runs, the newest first."""
    found = GenerationRun.objects.select_related("edition", "ordered_by")
    page = Paginator(found, RUNS_PER_PAGE).get_page(request.GET.get("page"))
    rows = [RunRow(run, generation.progress_of(run), generating.is_held(run)) for run in page]
    return render(request, "runs/home.html", {"page": page, "rows": rows})


# -- a new run ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NetworkChoice:
    """`missing`: why its channel can't be used by this process, "" where it can."""

    card: NetworkCard
    price: Price | None
    missing: str
    is_chosen: bool


@maintainers
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """The order: nothing is asked before "start"."""
    try:
        cards = generation.catalogue()
    except FaultyData as faulty:
        return render(request, "runs/faulty.html", {"findings": faulty.findings}, status=503)
    form = OrderForm(cards, request.POST or None)
    if request.method == "POST" and form.is_valid() and request.POST.get("do") == "start":
        started = start(request, form.order())
        if started is not None:
            return redirect("runs:run", started.pk)
    return render(request, "runs/new.html", {**choices(form, cards), **estimated(form, cards)})


def start(request: HttpRequest, order: generation.Order) -> GenerationRun | None:
    """Places the order and hands it to the workers; None with a message where that is refused."""
    try:
        placed = generation.place_order(order, request.user)
        generating.start_in_queue(placed)
    except (FaultyData, generating.RunIsHeldError) as error:
        messages.error(request, str(error))
        return None
    what = {"edition": placed.edition.slug, "networks": len(placed.networks), "tasks": len(placed.tasks), "cap": str(placed.cap or "")}
    audit.record(request.user, "run.started", placed.pk, **what)
    return placed


@maintainers
@require_POST
def estimate(request: HttpRequest) -> HttpResponse:
    """The estimate alone, for the form as it stands."""
    try:
        cards = generation.catalogue()
    except FaultyData:
        return HttpResponse(status=503)
    return render(request, "runs/_estimate.html", estimated(OrderForm(cards, request.POST), cards))


def missing(channel: Channel) -> str:
    """What keeps the channel from being used, in the reader's language; empty when nothing does."""
    return _("переменная окружения %(name)s не задана") % {"name": channel.key_env} if channel.missing() else ""


def choices(form: OrderForm, cards: Catalogue) -> dict[str, Any]:
    """Everything that can be chosen, with what is worth knowing of it."""
    chosen = set(form["networks"].value() or ())
    wanted = set(form["tasks"].value() or ()) if form.is_bound else {task.key for task in form.bank}
    today = date.today()
    networks = [
        NetworkChoice(card, cards.price(name, today), missing(cards.channels[card.channel]), name in chosen)
        for name, card in cards.networks.items()
    ]
    editions = [
        (card, label(card.names), card.id == (form["edition"].value() or form.fields["edition"].initial))
        for card in cards.editions.values()
        if card.id != generation.REHEARSAL
    ]
    banks = [
        (category, [(task, task.key in wanted) for task in form.bank if task.category == category])
        for category in sorted({task.category for task in form.bank})
    ]
    return {"form": form, "networks": networks, "editions": editions, "banks": banks, "currency": cards.currency}


def estimated(form: OrderForm, cards: Catalogue) -> dict[str, Any]:
    """The estimate of a valid form; of any other nothing."""
    if not form.is_bound or not form.is_valid():
        return {"form": form}
    try:
        plan = generation.plan_order(form.order())
    except FaultyData as faulty:
        return {"form": form, "findings": faulty.findings}
    closed = {card.channel: missing(cards.channels[card.channel]) for card in plan.networks}
    return {
        "form": form,
        "plan": plan,
        "estimate": generation.estimate_plan(plan),
        "blind": [card.name for card in plan.blind if any(task.category == "B" for task in plan.tasks)],
        "closed": {channel: why for channel, why in closed.items() if why},
        "cap": form.cleaned_data["cap"],
    }


# -- one run -----------------------------------------------------------------------------------------------------------


@maintainers
@require_safe
@never_cache
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """A run with everything that is known of it; the live part renews itself."""
    found = run_of(pk)
    return render(request, "runs/run.html", {**live_facts(found), "estimate": left_to_pay(found)})


@maintainers
@require_safe
@never_cache
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the page that changes."""
    return render(request, "runs/_live.html", live_facts(run_of(pk)))


def run_of(pk: int) -> GenerationRun:
    found: GenerationRun = get_object_or_404(GenerationRun.objects.select_related("edition", "ordered_by"), pk=pk)
    return found


def live_facts(found: GenerationRun) -> dict[str, Any]:
    progress = generation.progress_of(found)
    latest = Answer.objects.filter(exchange__run=found).select_related("task", "network", "exchange").order_by("-answered_at", "-pk")
    return {
        "run": found,
        "progress": progress,
        "is_held": generating.is_held(found),
        "is_open": found.state in (RunState.PLANNED, RunState.RUNNING),
        "networks": by_network(found),
        "latest": latest.only(
            "status", "error", "tokens_input", "tokens_output", "cost", "elapsed_seconds", "answered_at", "run_index", "is_current",
            "task__key", "task__name", "network__name", "exchange__cost_basis", "exchange__lookups", "exchange__answer_id",
        )[:LATEST_ANSWERS],
    }  # fmt: skip


def by_network(found: GenerationRun) -> list[Mapping[str, Any]]:
    """Cells of each network by what became of them, the failing ones told apart."""
    cells = generation.cells_of(found).order_by().values("network__name")
    settled = ~Q(status__in=generation.OPEN)
    return list(
        cells.annotate(
            total=Count("pk"), done=Count("pk", filter=settled), answered=Count("pk", filter=Q(status="answered")),
            failed=Count("pk", filter=Q(status="failed")), odd=Count("pk", filter=settled & ~Q(status="answered")),
        ).order_by("network__name")
    )  # fmt: skip


def left_to_pay(found: GenerationRun) -> Estimate | None:
    """What resuming would cost; None where nothing is left, or the catalogue can't tell."""
    if found.state == RunState.RUNNING:
        return None
    try:
        told = generation.estimate_of(found)
    except FaultyData:
        return None
    return told if told.answers else None


@maintainers
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    found = run_of(pk)
    generating.ask_to_stop(found)
    audit.record(request.user, "run.cancelled", pk)
    if generating.is_held(found):
        messages.info(request, _("Новых запросов не будет; ответы, которые уже в пути, ещё придут."))
    return redirect("runs:run", pk)


@maintainers
@require_POST
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    found = run_of(pk)
    try:
        generating.start_in_queue(found)
    except generating.RunIsHeldError as error:
        messages.error(request, str(error))
        return redirect("runs:run", pk)
    audit.record(request.user, "run.resumed", pk)
    return redirect("runs:run", pk)
