"""What an expert sees. Nothing here touches a score, a network or another's grade before the expert has submitted."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Role
from accounts.people import require_role
from review import words
from review.metadata import tree_of
from review.models import Draft, Round, Slot, SlotState, TicketKind
from review.services import grading
from review.services.grading import GradingError, Sheet
from review.tables import STEPS
from scoring import highlight
from scoring.models import Answer
from scoring.services import scores, stacks

expert_only = require_role(Role.EXPERT, Role.MAINTAINER)


def _slot(request: HttpRequest, key: str) -> Slot:
    """The expert's own slot. Somebody else's key looks like one that does not exist."""
    found = Slot.objects.select_related("item__round", "item__answer__task__bundle").filter(key=key).first()
    if found is None or not grading.may_work_on(found, request.user):
        raise Http404
    return found


@expert_only
@require_POST
def take_next(request: HttpRequest, slug: str) -> HttpResponse:
    round_ = get_object_or_404(Round, slug=slug)
    try:
        slot = grading.take_next(round_, request.user)
    except GradingError as error:
        if error.code == "not_in_round":
            raise PermissionDenied from None
        messages.error(request, words.refusal(error.code))
        return redirect("review:home")
    if slot is None:
        messages.success(request, _("В этом раунде для вас больше нет ответов. Спасибо!"))
        return redirect("review:home")
    return redirect("review:work", key=slot.key)


@expert_only
@never_cache
@require_GET
def work(request: HttpRequest, key: str) -> HttpResponse:
    """The grading screen, or the locked grading once it is submitted."""
    slot = _slot(request, key)
    if slot.state == SlotState.SUBMITTED and slot.expert_id == request.user.pk:
        return _locked(request, slot)
    if not slot.item.round.is_open:
        messages.error(request, words.refusal("round_not_open"))
        return redirect("review:home")
    draft = grading.draft_of(slot, request.user)
    return render(request, "review/work.html", _screen(request, slot, draft.data if draft else {}, draft))


def _screen(request: HttpRequest, slot: Slot, typed: dict[str, Any], draft: Draft | None) -> dict[str, Any]:
    """What the screen shows: the condition, the code and the rubric; of the answer nothing but its text."""
    round_, answer = slot.item.round, slot.item.answer
    return {
        "slot": slot,
        "round": round_,
        "task": answer.task,
        "metadata": tree_of(answer.task),
        "lines": shown_lines(answer, round_.category),
        "axes": words.axis_sheets(round_.axes),
        "state": {"version": draft.version if draft else 0, "data": typed, "axes": list(round_.axes), "steps": list(STEPS)},
        "progress": grading.progress(round_, request.user),
        "skip_reasons": grading.SKIP_REASONS,
        "kinds": [(kind.value, kind.label) for kind in TicketKind],
        "typed": typed,
    }


def shown_lines(answer: Answer, category: str) -> list[tuple[int, list[highlight.Piece]]]:
    """(number, coloured pieces) of the code as graders see it.

    A control answer of the bank opens with remarks on what is wrong with it: those lines are left blank.
    """
    rows = answer.code.rstrip().split("\n")
    if answer.control_verdict:
        first = next((place for place, row in enumerate(rows) if row.strip() and not row.lstrip().startswith("//")), 0)
        rows[:first] = [""] * first
    dialect = stacks.protocol().constitution.categories[category].dialect
    return list(enumerate(highlight.lines("\n".join(rows), dialect), start=1))


def _locked(request: HttpRequest, slot: Slot, error: str = "", status: int = 200) -> HttpResponse:
    revisions = list(slot.submissions.prefetch_related("grades"))
    values = {
        "slot": slot, "round": slot.item.round, "task": slot.item.answer.task, "revisions": revisions,
        "axes": words.axis_sheets(slot.item.round.axes), "error": error, "progress": grading.progress(slot.item.round, request.user),
        "latest": {grade.axis: grade for grade in revisions[-1].grades.all()},
    }  # fmt: skip
    return render(request, "review/locked.html", values, status=status)


@expert_only
@require_POST
def save_draft(request: HttpRequest, key: str) -> HttpResponse:
    slot = _slot(request, key)
    try:
        body = json.loads(request.body)
        version = int(body["version"])
        draft = grading.save_draft(slot, request.user, body["data"], version)
    except (ValueError, KeyError, TypeError):
        return JsonResponse({"error": "invalid"}, status=400)
    except GradingError as error:
        return _refused(slot, request.user, error)
    return JsonResponse({"version": draft.version})


def _refused(slot: Slot, user: Any, error: GradingError) -> JsonResponse:
    status = {"conflict": 409, "locked": 409}.get(error.code, 400)
    known = grading.draft_of(slot, user) if error.code == "conflict" else None
    body = {"error": error.code, "message": words.refusal(error.code, error.axes)}
    if known:
        body.update(version=known.version, data=known.data)
    return JsonResponse(body, status=status)


def _typed(request: HttpRequest, axes: list[str]) -> dict[str, Any]:
    """What the form holds; a grade that is no whole number is left for the service to refuse."""
    grades: dict[str, Any] = {}
    for axis in axes:
        text = request.POST.get(f"grade_{axis}", "")
        if text:
            grades[axis] = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text
    comments = {axis: request.POST.get(f"comment_{axis}", "") for axis in axes}
    lines = {name.removeprefix("line_"): text for name, text in request.POST.items() if name.startswith("line_")}
    return {"grades": grades, "comments": comments, "lines": lines}


@expert_only
@require_POST
def submit(request: HttpRequest, key: str) -> HttpResponse:
    """Locks the grading and goes on to the next answer."""
    slot = _slot(request, key)
    axes = list(slot.item.round.axes)
    typed = _typed(request, axes)
    try:
        grading.submit(slot, request.user, _sheet(typed, slot))
    except GradingError as error:
        if error.code in ("missing", "invalid"):
            values = _screen(request, slot, typed, grading.draft_of(slot, request.user))
            values.update(error=words.refusal(error.code, error.axes), wrong=list(error.axes))
            return render(request, "review/work.html", values, status=400)
        messages.error(request, words.refusal(error.code, error.axes))
        return redirect("review:home")
    if request.POST.get("then") == "stay":
        return redirect("review:work", key=key)
    return take_next(request, slot.item.round.slug)


def _sheet(typed: dict[str, Any], slot: Slot) -> Sheet:
    lines = slot.item.answer.code.count("\n") + 1
    return grading.read_sheet(typed, list(slot.item.round.axes), lines)


@expert_only
@require_POST
def skip(request: HttpRequest, key: str) -> HttpResponse:
    slot = _slot(request, key)
    try:
        grading.skip(slot, request.user, request.POST.get("reason", ""), request.POST.get("comment", ""))
    except GradingError as error:
        messages.error(request, words.refusal(error.code))
        return redirect("review:work", key=key)
    return take_next(request, slot.item.round.slug)


@expert_only
@require_POST
def flag(request: HttpRequest, key: str) -> HttpResponse:
    slot = _slot(request, key)
    try:
        grading.flag(slot, request.user, request.POST.get("kind", ""), request.POST.get("text", ""))
    except GradingError as error:
        messages.error(request, words.refusal(error.code))
    else:
        messages.success(request, _("Обращение создано, автор задачи его увидит."))
    return redirect("review:work", key=key)


@expert_only
@require_POST
def revise(request: HttpRequest, key: str) -> HttpResponse:
    slot = _slot(request, key)
    typed = _typed(request, list(slot.item.round.axes))
    try:
        grading.revise(slot, request.user, _sheet(typed, slot), request.POST.get("reason", ""))
    except GradingError as error:
        return _locked(request, slot, words.refusal(error.code, error.axes), 400)
    messages.success(request, _("Исправление записано рядом с прежней оценкой."))
    return redirect("review:work", key=key)


@expert_only
@never_cache
def reveal(request: HttpRequest, key: str) -> HttpResponse:
    """The machine's side and the others', once the expert has submitted and asked for it (POST notes the moment)."""
    slot = _slot(request, key)
    if slot.state != SlotState.SUBMITTED or slot.expert_id != request.user.pk:
        raise Http404
    if request.method == "POST":
        try:
            grading.reveal(slot, request.user)
        except GradingError as error:
            messages.error(request, words.refusal(error.code))
            return redirect("review:work", key=key)
        return redirect("review:reveal", key=key)
    if slot.revealed_at is None:
        return redirect("review:work", key=key)
    return render(request, "review/revealed.html", _revealed(request, slot))


def _revealed(request: HttpRequest, slot: Slot) -> dict[str, Any]:
    item = slot.item
    own = {grade.axis: grade.value for grade in slot.submissions.order_by("-revision")[0].grades.all()}
    others = Slot.objects.filter(item=item, state=SlotState.SUBMITTED, is_repeat=False).exclude(expert=request.user).order_by("key")
    given = [{grade.axis: grade for grade in other.submissions.order_by("-revision")[0].grades.all()} for other in others]
    evidence = scores.read_evidence(item.score) if item.score else None
    return {
        "slot": slot, "round": item.round, "task": item.answer.task, "network": item.answer.network.title, "own": own, "others": given,
        "axes": words.axis_sheets(item.round.axes), "steps": item.steps, "score": item.score,
        "missing": {axis: words.absence(why) for axis, why in item.missing.items()},
        "outcomes": outcomes_of(evidence),
    }  # fmt: skip


def outcomes_of(evidence: Any) -> list[Any]:
    """The hidden tests' outcomes, where they ran."""
    facts = getattr(getattr(evidence, "tests", None), "facts", None)
    return list(getattr(facts, "outcomes", ()))
