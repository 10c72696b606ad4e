"""Where experts differ among themselves, and where they doubt a task."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit, people
from accounts.models import Role
from review.models import Adjudication, Item, Round, RoundState, SlotState, Submission, Ticket, TicketKind
from review.services.agreement import blind_submissions
from review.tables import STEP_INDEX
from scoring.models import Task
from scoring.services import stacks
from scoring.services.versions import data_changed


class DisputeError(RuntimeError):
    """Refused; the message says why."""


@dataclass(frozen=True)
class Dispute:
    """An answer and axis on which experts differ too far; `grades`: (value, comment) without names, in order of value."""

    item: Item
    axis: str
    grades: tuple[tuple[int, str], ...]
    verdict: Adjudication | None

    @property
    def gap(self) -> int:
        return self.grades[-1][0] - self.grades[0][0]


def steps_apart() -> int:
    return int(stacks.protocol().verified["adjudication"]["steps_apart"])


def disputes(round_: Round) -> list[Dispute]:
    """Open ones first, the widest first."""
    given: dict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
    items: dict[int, Item] = {}
    for submission in blind_submissions(round_):
        item = submission.slot.item
        if submission.slot.is_repeat or item.gold:
            continue
        items[item.pk] = item
        for grade in submission.grades.all():
            given[item.pk, grade.axis].append((grade.value, grade.comment))
    verdicts = {(verdict.item_id, verdict.axis): verdict for verdict in Adjudication.objects.filter(item__round=round_)}
    found = [
        Dispute(items[pk], axis, tuple(sorted(grades)), verdicts.get((pk, axis)))
        for (pk, axis), grades in given.items()
        if STEP_INDEX[max(grades)[0]] - STEP_INDEX[min(grades)[0]] > steps_apart()
    ]
    return sorted(found, key=lambda entry: (entry.verdict is not None, -entry.gap, entry.item.pk, entry.axis))


def may_adjudicate(user: Any, item: Item) -> bool:
    """A maintainer, or an expert of the round; never one who graded this answer."""
    graded = Submission.objects.filter(slot__item=item, slot__expert=user, slot__state=SlotState.SUBMITTED).exists()
    if graded:
        return False
    return people.has_role(user, Role.MAINTAINER) or item.round.experts.filter(pk=user.pk).exists()


@transaction.atomic
def adjudicate(user: Any, item: Item, axis: str, value: int | None, comment: str) -> Adjudication:
    """Decides one dispute, once. Raises DisputeError."""
    if value is None or value not in STEP_INDEX or axis not in item.round.axes:
        raise DisputeError("no step of the scale")
    if item.round.state == RoundState.PUBLISHED:
        raise DisputeError("the report is frozen")
    if not may_adjudicate(user, item):
        raise DisputeError("who graded an answer does not decide about it")
    if not any((entry.item.pk, entry.axis) == (item.pk, axis) for entry in disputes(item.round)):
        # Or somebody could decide before the graders have, and then be one of them.
        raise DisputeError("nobody disputes about it")
    try:
        with transaction.atomic():
            made = Adjudication.objects.create(item=item, axis=axis, value=value, comment=comment, by=user)
    except IntegrityError:
        raise DisputeError("decided already") from None
    audit.record(user, "adjudicated", item.pk, axis=axis, value=value)
    return made


# -- tickets -----------------------------------------------------------------------------------------------------------


@transaction.atomic
def open_oracle_ticket(user: Any, item: Item, axis: str, text: str) -> Ticket:
    """"The machine measures wrongly", out of the list of disagreements."""
    made = Ticket.objects.create(
        task=item.answer.task, item=item, axis=axis, kind=TicketKind.ORACLE, text=text[:4000], opened_by=user
    )
    audit.record(user, "ticket.opened", made.pk, kind=made.kind, axis=axis)
    data_changed()
    return made


@transaction.atomic
def close_ticket(user: Any, ticket: Ticket, resolution: str) -> None:
    """Raises DisputeError without a resolution."""
    if not resolution.strip():
        raise DisputeError("say what was found")
    still = Ticket.objects.filter(pk=ticket.pk, closed_at=None)
    if still.update(closed_at=timezone.now(), closed_by=user, resolution=resolution.strip()[:4000]):
        audit.record(user, "ticket.closed", ticket.pk)
        data_changed()


def doubted_tasks() -> frozenset[int]:
    """Tasks with an open ticket. One query."""
    return frozenset(Ticket.objects.filter(closed_at=None).values_list("task_id", flat=True))


def disputed_items(task: Task, round_: Round) -> int:
    """Undecided disputes and open tickets of a task in a round."""
    waiting = sum(1 for entry in disputes(round_) if entry.verdict is None and entry.item.answer.task_id == task.pk)
    return waiting + Ticket.objects.filter(task=task, closed_at=None).count()
