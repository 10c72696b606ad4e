"""Grading: whose turn an answer is, what is typed so far, and the moment a grade is locked.

A slot is claimed by a conditional update, so two tabs or two experts can't hold the same one; the unique pair (item, expert) keeps
an expert from holding two slots of one answer. A lease that ran out frees the slot, but the draft stays with its expert.
"""

from __future__ import annotations

import secrets
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from accounts import audit
from review.models import Draft, Grade, Item, Round, RoundState, Slot, SlotState, Submission, Ticket, TicketKind
from review.tables import STEP_INDEX
from scoring.services.versions import data_changed

LEASE = timedelta(hours=2)
# A free slot is chosen among so many, so that experts who press "next" together rarely meet.
WINDOW = 24
# A hidden repeat comes after so many further answers of its expert, or when nothing else is left.
REPEAT_AFTER = 10
LONGEST_COMMENT = 4000
MOST_LINE_COMMENTS = 200
MOST_SECONDS = 3600
SKIP_REASONS = ("condition", "test", "field", "other")
# Skips that doubt the task itself open a ticket.
TICKET_OF_SKIP = {"condition": TicketKind.CONDITION, "test": TicketKind.TEST}


class GradingError(RuntimeError):
    """Refused; `code` names why and is put into words by the page."""

    def __init__(self, code: str, axes: tuple[str, ...] = ()) -> None:
        super().__init__(f"{code} {' '.join(axes)}".strip())
        self.code, self.axes = code, axes


@dataclass(frozen=True)
class Sheet:
    """What an expert fills in."""

    grades: Mapping[str, int]
    comments: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)


def read_sheet(data: Any, axes: list[str], lines: int | None = None) -> Sheet:
    """A complete sheet out of untrusted values. Raises GradingError: `missing` (with the axes) or `invalid`."""
    draft = read_draft(data, axes)
    missing = tuple(axis for axis in axes if axis not in draft["grades"])
    if missing:
        raise GradingError("missing", missing)
    if lines is not None and any(int(number) > lines for number in draft["lines"]):
        raise GradingError("invalid")
    return Sheet(draft["grades"], draft["comments"], draft["lines"])


def read_draft(data: Any, axes: list[str]) -> dict[str, Any]:
    """The known parts of what a page sent, checked. Raises GradingError `invalid` for anything that could not be typed."""
    if not isinstance(data, Mapping):
        raise GradingError("invalid")
    grades, comments, lines = (data.get(key) or {} for key in ("grades", "comments", "lines"))
    if not all(isinstance(part, Mapping) for part in (grades, comments, lines)):
        raise GradingError("invalid")
    given = {axis: value for axis, value in grades.items() if value is not None}
    wrong = [axis for axis, value in given.items() if axis not in axes or isinstance(value, bool) or not isinstance(value, int) or value not in STEP_INDEX]
    if wrong or set(comments) - set(axes) or len(lines) > MOST_LINE_COMMENTS:
        raise GradingError("invalid", tuple(str(axis)[:10] for axis in wrong))
    return {"grades": given, "comments": _texts(comments), "lines": _texts(lines, numbers=True)}


def _texts(values: Mapping[Any, Any], numbers: bool = False) -> dict[str, str]:
    found = {}
    for key, text in values.items():
        if not isinstance(text, str) or len(text) > LONGEST_COMMENT:
            raise GradingError("invalid")
        if numbers and not (str(key).isascii() and str(key).isdigit() and 0 < int(key) < 10**6):
            raise GradingError("invalid")
        if text.strip():
            found[str(key)] = text.strip()
    return found


# -- slots -------------------------------------------------------------------------------------------------------------


def check_member(round_: Round, expert: Any) -> None:
    """Raises GradingError unless this expert may grade now."""
    if not round_.is_open:
        raise GradingError("round_not_open")
    if not round_.experts.filter(pk=expert.pk).exists():
        raise GradingError("not_in_round")


def take_next(round_: Round, expert: Any) -> Slot | None:
    """The slot this expert works on now: the one held already, a hidden repeat that is due, or a fresh one. None: all done."""
    check_member(round_, expert)
    mine = Slot.objects.filter(item__round=round_, expert=expert)
    held = mine.filter(state=SlotState.HELD).order_by("place").first()
    if held:
        _renew(held, expert)
        return held
    release_expired(round_)
    done = mine.filter(state=SlotState.SUBMITTED).count()
    return _take_repeat(mine, done) or _take_fresh(round_, expert) or _take_repeat(mine, None)


def _renew(slot: Slot, expert: Any) -> bool:
    held = Slot.objects.filter(pk=slot.pk, state=SlotState.HELD, expert=expert)
    return held.update(lease_until=timezone.now() + LEASE) == 1


def release_expired(round_: Round) -> int:
    """Frees what nobody has touched for the length of a lease; a repeat waits for its own expert again."""
    late = Slot.objects.filter(item__round=round_, state=SlotState.HELD, lease_until__lt=timezone.now())
    keys = list(late.values_list("pk", "is_repeat"))
    freed = 0
    for pk, repeat in keys:
        still = Slot.objects.filter(pk=pk, state=SlotState.HELD, lease_until__lt=timezone.now())
        values: dict[str, Any] = {"state": SlotState.RESERVED} if repeat else {"state": SlotState.FREE, "expert": None}
        freed += still.update(lease_until=None, **values)
    return freed


def _take_repeat(mine: Any, done: int | None) -> Slot | None:
    waiting = mine.filter(state=SlotState.RESERVED)
    due = waiting if done is None else waiting.filter(after__lte=done)
    slot: Slot | None = due.order_by("after", "pk").first()
    if slot is None:
        return None
    now = timezone.now()
    taken = Slot.objects.filter(pk=slot.pk, state=SlotState.RESERVED)
    if taken.update(state=SlotState.HELD, lease_until=now + LEASE, opened_at=now) != 1:
        return None
    slot.refresh_from_db()
    return slot


def _take_fresh(round_: Round, expert: Any) -> Slot | None:
    while True:
        known = Slot.objects.filter(item__round=round_, expert=expert).values("item_id")
        free = Slot.objects.filter(item__round=round_, state=SlotState.FREE).exclude(item_id__in=known)
        window = list(free.order_by("place").values_list("pk", flat=True)[:WINDOW])
        if not window:
            return None
        slot = _claim(window[secrets.randbelow(len(window))], expert)
        if slot:
            return slot
        # Another tab of the same expert may have been faster: then its slot is the answer.
        held = Slot.objects.filter(item__round=round_, expert=expert, state=SlotState.HELD).first()
        if held:
            return held


def _claim(pk: int, expert: Any) -> Slot | None:
    """Claims one free slot; None when somebody was faster, or when the expert has this answer already."""
    now = timezone.now()
    try:
        with transaction.atomic():
            free = Slot.objects.filter(pk=pk, state=SlotState.FREE)
            if free.update(state=SlotState.HELD, expert=expert, lease_until=now + LEASE, opened_at=now) != 1:
                return None
    except IntegrityError:
        return None
    return Slot.objects.get(pk=pk)


# -- drafts ------------------------------------------------------------------------------------------------------------


def draft_of(slot: Slot, expert: Any) -> Draft | None:
    return Draft.objects.filter(item=slot.item_id, expert=expert, is_repeat=slot.is_repeat).first()


def may_work_on(slot: Slot, expert: Any) -> bool:
    """Whether this is the expert's slot, or was until its lease ran out (then there is a draft)."""
    return slot.expert_id == expert.pk or (slot.state != SlotState.RESERVED and draft_of(slot, expert) is not None)


def save_draft(slot: Slot, expert: Any, data: Any, version: int) -> Draft:
    """Stores what is typed if `version` is the one last read (0: none yet), and renews the lease.

    Raises GradingError `conflict` when another tab saved in between, and then stores nothing.
    """
    if slot.state == SlotState.SUBMITTED and slot.expert_id == expert.pk:
        raise GradingError("locked")
    values = read_draft(data, slot.item.round.axes)
    _renew(slot, expert)
    place = {"item": slot.item, "expert": expert, "is_repeat": slot.is_repeat}
    if version == 0:
        draft, made = Draft.objects.get_or_create(**place, defaults={"data": values})
        if made:
            return draft
        raise GradingError("conflict")
    same = Draft.objects.filter(**place, version=version)
    if same.update(data=values, version=version + 1, updated_at=timezone.now()) != 1:
        raise GradingError("conflict")
    return Draft.objects.get(**place)


# -- submitting --------------------------------------------------------------------------------------------------------


def submit(slot: Slot, expert: Any, sheet: Sheet) -> Submission:
    """Locks the grading; a second press gives the first one's submission. Raises GradingError."""
    done = _submitted(slot, expert)
    if done:
        return done
    check_member(slot.item.round, expert)
    try:
        with transaction.atomic():
            taken = _take_for_submission(slot, expert)
            made = _store(taken, sheet, 1, "", True)
            Draft.objects.filter(item=slot.item_id, expert=expert, is_repeat=slot.is_repeat).delete()
            if taken.item.has_repeat and not taken.is_repeat and not taken.item.gold:
                _reserve_repeat(taken, expert)
            audit.record(expert, "grade.submitted", taken.key)
    except (IntegrityError, GradingError):
        # The other tab of the same expert may have been faster; then its submission is the answer.
        done = _submitted(slot, expert)
        if done is None:
            raise GradingError("taken") from None
        return done
    return made


def _submitted(slot: Slot, expert: Any) -> Submission | None:
    own = Submission.objects.filter(slot__item=slot.item_id, slot__expert=expert, slot__is_repeat=slot.is_repeat)
    return own.order_by("-revision").first()


def _take_for_submission(slot: Slot, expert: Any) -> Slot:
    """Closes the slot, or, when its lease was lost, any free one of the same answer. Raises GradingError `taken`."""
    values = {"state": SlotState.SUBMITTED, "lease_until": None, "submitted_at": timezone.now()}
    if Slot.objects.filter(pk=slot.pk, state__in=(SlotState.HELD, SlotState.RESERVED), expert=expert).update(**values) == 1:
        return Slot.objects.select_related("item").get(pk=slot.pk)
    free = Slot.objects.filter(item=slot.item_id, state=SlotState.FREE)
    for pk in free.values_list("pk", flat=True):
        if Slot.objects.filter(pk=pk, state=SlotState.FREE).update(**values, expert=expert, opened_at=slot.opened_at) == 1:
            return Slot.objects.select_related("item").get(pk=pk)
    raise GradingError("taken")


def _reserve_repeat(slot: Slot, expert: Any) -> None:
    done = Slot.objects.filter(item__round=slot.item.round_id, expert=expert, state=SlotState.SUBMITTED).count()
    Item.objects.filter(pk=slot.item_id).update(has_repeat=False)
    Slot.objects.create(
        item=slot.item, expert=expert, is_repeat=True, state=SlotState.RESERVED, place=slot.place, after=done + REPEAT_AFTER
    )


def _store(slot: Slot, sheet: Sheet, revision: int, reason: str, blind: bool) -> Submission:
    made = Submission.objects.create(
        slot=slot, revision=revision, reason=reason, is_blind=blind, line_comments=dict(sheet.lines), seconds=_seconds(slot)
    )
    Grade.objects.bulk_create(
        [Grade(submission=made, axis=axis, value=value, comment=sheet.comments.get(axis, "")) for axis, value in sheet.grades.items()]
    )
    return made


def _seconds(slot: Slot) -> int:
    start: datetime | None = slot.opened_at
    return min(MOST_SECONDS, int((timezone.now() - start).total_seconds())) if start else 0


@transaction.atomic
def revise(slot: Slot, expert: Any, sheet: Sheet, reason: str) -> Submission:
    """A correction beside the locked grading. Raises GradingError `no_reason`, `not_submitted` or `frozen`."""
    if not reason.strip():
        raise GradingError("no_reason")
    if slot.state != SlotState.SUBMITTED or slot.expert_id != expert.pk:
        raise GradingError("not_submitted")
    if slot.item.round.state == RoundState.PUBLISHED:
        raise GradingError("frozen")
    last = slot.submissions.aggregate(last=Max("revision"))["last"] or 0
    made = _store(slot, sheet, last + 1, reason.strip()[:LONGEST_COMMENT], slot.revealed_at is None)
    audit.record(expert, "grade.revised", slot.key, revision=made.revision)
    return made


@transaction.atomic
def reveal(slot: Slot, expert: Any) -> None:
    """Notes that the expert saw the machine's side: later revisions are no longer blind, and a waiting repeat is dropped."""
    if slot.state != SlotState.SUBMITTED or slot.expert_id != expert.pk:
        raise GradingError("not_submitted")
    if Slot.objects.filter(item=slot.item_id, expert=expert, state=SlotState.HELD).exists():
        raise GradingError("repeat_open")
    first = Slot.objects.filter(item=slot.item_id, expert=expert, revealed_at=None)
    if first.update(revealed_at=timezone.now()):
        Slot.objects.filter(item=slot.item_id, expert=expert, state=SlotState.RESERVED).delete()
        audit.record(expert, "grade.revealed", slot.key)
    slot.refresh_from_db()


@transaction.atomic
def skip(slot: Slot, expert: Any, reason: str, comment: str = "") -> None:
    """Leaves the answer to others and never offers it to this expert again; doubts about the task open a ticket."""
    if reason not in SKIP_REASONS:
        raise GradingError("invalid")
    held = Slot.objects.filter(pk=slot.pk, state=SlotState.HELD, expert=expert)
    values = {"state": SlotState.SKIPPED, "lease_until": None, "skip_reason": reason, "skip_comment": comment[:LONGEST_COMMENT]}
    if held.update(**values) != 1:
        raise GradingError("taken")
    if not slot.is_repeat:
        last = Slot.objects.filter(item__round=slot.item.round_id).aggregate(last=Max("place"))["last"] or 0
        Slot.objects.create(item=slot.item, place=last + 1)
    if reason in TICKET_OF_SKIP:
        open_ticket(slot, expert, TICKET_OF_SKIP[reason], comment)
    audit.record(expert, "grade.skipped", slot.key, reason=reason)


def flag(slot: Slot, expert: Any, kind: str, text: str) -> Ticket:
    """A doubt about the task, told while grading goes on. Raises GradingError `invalid`."""
    if kind not in TicketKind.values or not may_work_on(slot, expert):
        raise GradingError("invalid")
    return open_ticket(slot, expert, TicketKind(kind), text)


def open_ticket(slot: Slot, expert: Any, kind: TicketKind, text: str) -> Ticket:
    ticket = Ticket.objects.create(task=slot.item.answer.task, item=slot.item, kind=kind, text=text[:LONGEST_COMMENT], opened_by=expert)
    audit.record(expert, "ticket.opened", ticket.pk, kind=kind)
    data_changed()
    return ticket


# -- progress ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """Of one expert in a round. `minutes_left` by the median of the own gradings; None before there are any."""

    done: int
    skipped: int
    left: int
    minutes_left: int | None

    @property
    def share(self) -> float:
        return self.done / (self.done + self.left) if self.done + self.left else 1.0


def progress(round_: Round, expert: Any) -> Progress:
    mine = Slot.objects.filter(item__round=round_, expert=expert)
    states = list(mine.values_list("state", flat=True))
    done, skipped = states.count(SlotState.SUBMITTED), states.count(SlotState.SKIPPED)
    own = states.count(SlotState.HELD) + states.count(SlotState.RESERVED)
    free = Slot.objects.filter(item__round=round_, state=SlotState.FREE).exclude(item_id__in=mine.values("item_id"))
    left = free.values("item_id").distinct().count() + own
    spent = list(Submission.objects.filter(slot__in=mine, revision=1).order_by("-pk").values_list("seconds", flat=True)[:50])
    return Progress(done, skipped, left, round(left * statistics.median(spent) / 60) if spent else None)


def counts(round_: Round) -> dict[str, int]:
    """Slots of a round by state."""
    rows = Slot.objects.filter(item__round=round_).values_list("state", flat=True)
    found = dict.fromkeys(SlotState.values, 0)
    for state in rows:
        found[state] += 1
    return found


def submitted_by(expert: Any) -> Any:
    """The expert's locked gradings, newest first."""
    mine = Slot.objects.filter(Q(state=SlotState.SUBMITTED), expert=expert)
    return mine.select_related("item__round").order_by("-submitted_at")
