"""The nightly cross-check: planned once a night by whichever worker looks first, measured in slices, taken up again when its worker
dies.

`CrossCheck` rows are the truth. A unique key of (category, night) lets one worker plan it, a unique key of open rows keeps one check
of a category at a time, a conditional update under a token and a lease lets one worker carry it out.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from scoring import queue
from scoring.fidelity.cross import Subject, asked, cross_check, joined, same_sides
from scoring.findings import FaultyData
from scoring.models import OPEN_STATES, Category, CrossCheck, CrossCheckReason, JobState
from scoring.pipeline import Pipeline
from scoring.plain import plain_data, plain_text
from scoring.services import crosscheck, work
from scoring.services.versions import data_changed

logger = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Somebody else has the row: nothing of it is ours to write any more."""


# -- when --------------------------------------------------------------------------------------------------------------


def night_of(moment: datetime) -> date | None:
    """The night whose check may begin at this moment, or None: the local date of its first hour."""
    hour = settings.PRISM_CROSS_CHECK_HOUR
    if hour is None:
        return None
    # Hours of the clock on the wall: a night in which it is put back is no second night.
    since = moment.astimezone(settings.PRISM_TIME_ZONE).replace(tzinfo=None) - timedelta(hours=hour)
    return since.date() if since.hour < crosscheck.rules().hours else None


def next_night(moment: datetime, category: str) -> datetime | None:
    """When the next nightly check may begin (UTC); None where it is switched off."""
    hour, zone = settings.PRISM_CROSS_CHECK_HOUR, settings.PRISM_TIME_ZONE
    if hour is None:
        return None
    present = night_of(moment)
    if present and not CrossCheck.objects.filter(category=category, night=present).exists():
        return moment
    local = moment.astimezone(zone)
    start = datetime(local.year, local.month, local.day, hour, tzinfo=zone)
    if start <= local:
        following = local.date() + timedelta(days=1)
        start = datetime(following.year, following.month, following.day, hour, tzinfo=zone)
    return start.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a category's cross-checks stand. `missing`: why this process has no engine for them, "" where it has one."""

    category: str
    missing: str
    next_at: datetime | None
    present: CrossCheck | None
    ended: CrossCheck | None
    finished: CrossCheck | None
    nightly: CrossCheck | None


def standing(category: str) -> Standing:
    """The open check, the last one that ended in any way, the last that came to its end, the last nightly one, and the next."""
    rows = CrossCheck.objects.filter(category=category)
    return Standing(
        category,
        crosscheck.missing_engines(category),
        next_night(timezone.now(), category),
        rows.filter(state__in=OPEN_STATES).first(),
        rows.exclude(state__in=OPEN_STATES).first(),
        crosscheck.finished(category).first(),
        rows.filter(reason=CrossCheckReason.NIGHTLY).first(),
    )


def housekeeping() -> None:
    """What workers do every so often: lost work goes back, the night's checks are planned, somebody is called for what waits."""
    try:
        _keep_house()
    except (FaultyData, OSError):
        # Faulty rules or a program that can't be asked its version must not end a worker that scores.
        logger.exception("the nightly cross-check can't be planned")


def _keep_house() -> None:
    release_lost()
    plan_when_due(timezone.now())
    waiting = CrossCheck.objects.filter(state=JobState.QUEUED).values_list("category", flat=True)
    if any(not crosscheck.missing_engines(category) for category in waiting):
        wake()


def plan_when_due(moment: datetime) -> int:
    """Queues the night's check of every category that this worker has a genuine engine for; returns how many it planned."""
    night = night_of(moment)
    if night is None:
        return 0
    planned = set(CrossCheck.objects.filter(night=night).values_list("category", flat=True))
    due = [category for category in Category.values if category not in planned]
    return sum(_stored(category, CrossCheckReason.NIGHTLY, night) is not None for category in due if _can_check(category))


def _can_check(category: str) -> bool:
    """Whether there is an engine to compare with, and anything to compare."""
    return not crosscheck.missing_engines(category) and bool(crosscheck.draw(category, 1))


def request(category: str) -> tuple[CrossCheck, bool]:
    """The category's open check and whether this call queued it: one at a time."""
    row = _stored(category, CrossCheckReason.REQUEST)
    if row is not None:
        return row, True
    open_one = CrossCheck.objects.filter(category=category, state__in=OPEN_STATES).first()
    # It may have ended between the two looks.
    return (open_one, False) if open_one else request(category)


def _stored(category: str, reason: CrossCheckReason, night: date | None = None) -> CrossCheck | None:
    """A new row, or None where the category has an open one or the night has its own."""
    try:
        with transaction.atomic():
            row = CrossCheck.objects.create(category=category, reason=reason, night=night)
    except IntegrityError:
        return None
    transaction.on_commit(wake)
    return row


def wake() -> None:
    """Calls a worker, unless a call waits already."""
    calls = queue.queue(queue.LOW)
    if not calls.count:
        calls.enqueue("scoring.jobs.cross_check", result_ttl=0, failure_ttl=work.FAILURES_KEPT_SECONDS)


# -- who ---------------------------------------------------------------------------------------------------------------


def claim_next(token: str) -> CrossCheck | None:
    """Claims the oldest check that this process has an engine for."""
    for row in CrossCheck.objects.filter(state=JobState.QUEUED).order_by("pk"):
        missing = crosscheck.missing_engines(row.category)
        if missing:
            _lose_patience(row, missing)
        elif CrossCheck.objects.filter(pk=row.pk, state=JobState.QUEUED).update(
            state=JobState.CLAIMED, token=token, lease_until=_lease_end(), attempts=F("attempts") + 1
        ):
            return CrossCheck.objects.get(pk=row.pk)
    return None


def _lose_patience(row: CrossCheck, missing: str) -> None:
    """Another machine may have the engine; a check that none takes ends some time."""
    if row.created_at < timezone.now() - timedelta(minutes=crosscheck.rules().patience_minutes):
        waiting = CrossCheck.objects.filter(pk=row.pk, state=JobState.QUEUED)
        waiting.update(state=JobState.FAILED, finished_at=timezone.now(), error=f"no genuine engine is here: {missing}"[:4000])


def release_lost() -> int:
    """Puts back checks whose worker is gone or whose lease ran out; one that took several workers with it fails."""
    claimed = CrossCheck.objects.filter(state=JobState.CLAIMED).only("pk", "token", "lease_until", "attempts", "category")
    lost = [row for row in claimed if (row.lease_until and row.lease_until < timezone.now()) or work.holder_is_dead(row.token)]
    for row in lost:
        _put_back(row, f"the worker died {row.attempts} times while comparing")
    return len(lost)


def _put_back(row: CrossCheck, reason: str) -> None:
    """To the queue again; with `reason` to its end where it has been tried often enough."""
    if row.attempts >= crosscheck.rules().attempts:
        _close(row, JobState.FAILED, reason)
    else:
        _held(row).update(state=JobState.QUEUED, token="", lease_until=None)


def _held(row: CrossCheck) -> Any:
    return CrossCheck.objects.filter(pk=row.pk, state=JobState.CLAIMED, token=row.token)


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.PRISM_LEASE_SECONDS)


# -- the work ----------------------------------------------------------------------------------------------------------


def drain() -> int:
    """Carries out a slice of the oldest check that waits; 1 where there was one."""
    release_lost()
    row = claim_next(work.new_token())
    if row is None:
        return 0
    try:
        _Slice(row).run()
    except LeaseLost:
        return 1
    except Exception:
        _close(row, JobState.FAILED, traceback.format_exc(limit=-6))
    if CrossCheck.objects.filter(state=JobState.QUEUED).exists():
        wake()
    return 1


def _close(row: CrossCheck, state: JobState, error: str = "") -> None:
    values = {"state": state, "token": "", "lease_until": None, "finished_at": timezone.now()}
    with transaction.atomic():
        if _held(row).update(**values, error=plain_text(error[-4000:])):
            crosscheck.forget_old(row.category)
            data_changed()


@dataclass
class _Slice:
    """A worker's turn at a check: until it ends, other work waits, or the turn is over."""

    row: CrossCheck

    def __post_init__(self) -> None:
        self.rules = crosscheck.rules()
        self.started = self.saved = time.monotonic()
        # When the first answer was through: engines with a dear start have had it by then.
        self.first = 0.0

    def run(self) -> None:
        row = self.row
        if not row.subjects:
            self._tell(subjects=crosscheck.draw(row.category, self.rules.sample))
        engines, ours, theirs = crosscheck.present_engines(row.category)
        try:
            if not asked(ours.stack, theirs.stack):
                _close(row, JobState.FAILED, "no genuine engine is here any more")
                return
            self._compare(ours, theirs)
        finally:
            engines.close()

    def _compare(self, ours: Pipeline, theirs: Pipeline) -> None:
        subjects = crosscheck.subjects_of(self.row.subjects[self.row.done :])
        while subjects and not self._is_spent():
            part = cross_check(
                subjects, ours, theirs, category=self.row.category, details=True, progress=self._hold, stop=self._is_pause
            )
            if self.row.report and not same_sides(self.row.report, part):
                self._start_anew()
                return
            self._save(joined(self.row.report, part) if self.row.report else part, subjects[: part["answers"]])
            subjects = subjects[part["answers"] :]
            if subjects and self._is_over():
                # Not a try that failed: the row waits for its next turn.
                _held(self.row).update(state=JobState.QUEUED, token="", lease_until=None, attempts=F("attempts") - 1)
                return
        self._end(ours, theirs)

    def _end(self, ours: Pipeline, theirs: Pipeline) -> None:
        report = self.row.report or cross_check([], ours, theirs, category=self.row.category)
        made = {"made_at": timezone.now().isoformat(timespec="seconds"), "drawn": len(self.row.subjects)}
        self._tell(report=plain_data({**made, **report}))
        _close(self.row, JobState.DONE)

    def _start_anew(self) -> None:
        """An engine or the protocol changed since the last slice: figures of two stacks are not one report."""
        self._tell(report=None, done=0, seconds=0.0, subjects=[])
        _put_back(self.row, "the engines or the protocol changed again and again while comparing")

    def _save(self, report: Mapping[str, Any], compared: list[Subject]) -> None:
        now = time.monotonic()
        seconds, self.saved = self.row.seconds + now - self.saved, now
        done = self.row.subjects.index(compared[-1].key) + 1
        self._tell(report=plain_data(dict(report)), done=done, seconds=round(seconds, 3))

    def _tell(self, **values: Any) -> None:
        if not _held(self.row).update(**values, lease_until=_lease_end()):
            raise LeaseLost
        for name, value in values.items():
            setattr(self.row, name, value)

    def _hold(self, done: int, total: int) -> None:
        self._tell()

    def _is_spent(self) -> bool:
        return self.row.seconds >= 60 * self.rules.minutes

    def _is_pause(self) -> bool:
        """Time to write down what there is, or to give way."""
        return time.monotonic() - self.saved >= self.rules.save_seconds or self._is_over()

    def _is_over(self) -> bool:
        now = time.monotonic()
        self.first = self.first or now
        if now - self.started >= self.rules.slice_seconds or queue.is_stopping():
            return True
        return now - self.first >= self.rules.least_seconds and self._others_wait()

    def _others_wait(self) -> bool:
        return work.is_waiting() or queue.others_wait()
