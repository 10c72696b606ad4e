"""Validations: asked for, claimed by a worker, told of while they run, cancelled, taken up again when their worker dies.

Every row ends in a final state: done, failed with a reason, or cancelled. Whoever waits for one may call `release_lost`.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from scoring import bundles, queue
from scoring.bundles.loader import content_hash
from scoring.bundles.standards import load_standards
from scoring.instruments.builtin import engine_version
from scoring.models import OPEN_STATES, JobState, Task, TaskBundle, TaskStatus, Validation, ValidationReason
from scoring.services import stacks, work
from scoring.services.versions import data_changed
from scoring.validation.bench import Bench, Stopped
from scoring.validation.report import Report, to_data
from scoring.validation.whole import Progress, validate

MOST_ATTEMPTS = 3
# How often a running validation writes down where it stands, and looks whether it is to stop.
TELL_SECONDS = 0.3
# A worker leaves the rest to another call after so long: scoring gets its turn, and no time limit of the queue ends a validation.
DRAIN_SECONDS = 60.0
REVALIDATE_EVERY = timedelta(days=1)
# How a task's quarantine by a failed re-validation begins to explain itself.
REVALIDATION_FAILED = "revalidation failed: "


def request(
    files: Mapping[str, str], reason: ValidationReason = ValidationReason.REQUEST, bundle: TaskBundle | None = None
) -> Validation:
    """Queues a validation of these files; the worker is called at commit."""
    digest = content_hash({name: text.encode() for name, text in files.items()})
    row = Validation.objects.create(files=dict(files), digest=digest, reason=reason, bundle=bundle)
    transaction.on_commit(wake)
    return row


def wake() -> None:
    """Calls a worker for whatever is queued."""
    queue.queue(queue.DEFAULT).enqueue("scoring.jobs.validate", result_ttl=0, failure_ttl=work.FAILURES_KEPT_SECONDS)


def cancel(row: Validation) -> bool:
    """Takes a queued validation back at once, tells a running one to stop. False where it had ended."""
    # The wish is written first, in whatever open state: between two looks a worker may claim the row or give it back.
    asked = Validation.objects.filter(pk=row.pk, state__in=OPEN_STATES).update(cancel_requested=True)
    ended = {"state": JobState.CANCELLED, "finished_at": timezone.now()}
    Validation.objects.filter(pk=row.pk, state=JobState.QUEUED, cancel_requested=True).update(**ended)
    return asked == 1


def drain(seconds: float = DRAIN_SECONDS) -> int:
    """Runs queued validations, at least one, until none is left, time is up or the worker is to stop; returns how many."""
    until = time.monotonic() + seconds
    done = 0
    release_lost()
    while not queue.is_stopping() and (not done or time.monotonic() < until):
        row = claim_next(work.new_token())
        if row is None:
            return done
        run(row)
        done += 1
    if Validation.objects.filter(state=JobState.QUEUED).exists():
        wake()
    return done


def claim_next(token: str) -> Validation | None:
    """Claims the oldest queued validation, those that people wait for first."""
    waiting = Validation.objects.filter(state=JobState.QUEUED)
    for pk in [*waiting.exclude(reason=ValidationReason.NIGHTLY).order_by("pk").values_list("pk", flat=True)[:20],
               *waiting.filter(reason=ValidationReason.NIGHTLY).order_by("pk").values_list("pk", flat=True)[:20]]:  # fmt: skip
        claimed = Validation.objects.filter(pk=pk, state=JobState.QUEUED).update(
            state=JobState.CLAIMED, token=token, lease_until=_lease_end(), attempts=F("attempts") + 1
        )
        if claimed:
            return Validation.objects.select_related("bundle__task").get(pk=pk)
    return None


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.PRISM_LEASE_SECONDS)


def run(row: Validation) -> None:
    """Validates a claimed row and closes it, whatever happens."""
    teller = _Teller(row)
    try:
        report = measured(row.files, teller)
    except Stopped:
        _close(row, JobState.CANCELLED)
        return
    except Exception:
        _close(row, JobState.FAILED, error=traceback.format_exc(limit=-6)[-4000:])
        return
    finish(row, report)


def measured(files: Mapping[str, str], teller: _Teller | None = None) -> Report:
    """The report on these files, by engines of its own."""
    loaded = bundles.load_files({name: text.encode() for name, text in files.items()})
    stop = teller.is_to_stop if teller else (lambda: False)
    with Bench(stacks.protocol(), settings.PRISM_WORKERS, stop) as bench:
        bench.warm()
        return validate(loaded, bench, load_standards(settings.PRISM_METRICS_DIR), teller or (lambda progress: None))


def finish(row: Validation, report: Report) -> bool:
    """Stores the report under its row's lease; False where the lease was lost."""
    strength = report.strength
    closed = _close(
        row,
        JobState.DONE,
        report=to_data(report),
        publishable=report.publishable,
        strength=strength.value if strength else None,
        band=strength.band if strength else "",
        engine=engine_name(),
        share=1.0,
    )
    if closed:
        _quarantine_if_broken(row, report)
        data_changed()
    return closed


def _quarantine_if_broken(row: Validation, report: Report) -> None:
    """A published task whose own validation no longer holds leaves the board, and says why."""
    if row.bundle is None or row.reason != ValidationReason.NIGHTLY or report.publishable:
        return
    first = next((remark for remark in report.remarks if remark.severity == "error"), None)
    place = f"{first.file}: {first.code} {first.detail}" if first else "not measured"
    reason = f"{REVALIDATION_FAILED}{place}"[:1000]
    broken = Task.objects.filter(pk=row.bundle.task_id, bundle=row.bundle, status=TaskStatus.PUBLISHED)
    broken.update(status=TaskStatus.QUARANTINED, status_reason=reason, updated_at=timezone.now())


@transaction.atomic
def revalidate(everything: bool = False) -> int:
    """Queues published tasks whose present version this engine and protocol have not validated yet (or all); how many."""
    tasks = Task.objects.filter(status__in=(TaskStatus.PUBLISHED, TaskStatus.QUARANTINED), bundle__isnull=False)
    engine = engine_name()
    known = Validation.objects.filter(engine=engine, state=JobState.DONE).values("digest")
    waiting = Validation.objects.filter(state__in=OPEN_STATES).values("digest")
    due = tasks.exclude(bundle__digest__in=waiting)
    if not everything:
        due = due.exclude(bundle__digest__in=known)
    rows = [
        Validation(files=task.bundle.files, digest=task.bundle.digest, bundle=task.bundle, reason=ValidationReason.NIGHTLY)
        for task in due.select_related("bundle")
        if task.bundle
    ]
    Validation.objects.bulk_create(rows)
    if rows:
        transaction.on_commit(wake)
    return len(rows)


def revalidate_when_due() -> int:
    """Queues what this engine and protocol have not validated yet at once, everything a day after the last time. Scoring comes
    first: nothing is queued while answers wait."""
    if work.is_waiting():
        return 0
    nightly = Validation.objects.filter(reason=ValidationReason.NIGHTLY)
    last = nightly.values_list("created_at", flat=True).first()
    if last is not None and last > timezone.now() - REVALIDATE_EVERY:
        return 0 if nightly.filter(state__in=OPEN_STATES).exists() else revalidate()
    return revalidate(everything=last is not None)


def engine_name() -> str:
    """Engine and protocol as validations name them."""
    rules = stacks.protocol()
    return f"builtin {engine_version()} · L1 {rules.version} {rules.hash[:8]}"


def _close(row: Validation, state: JobState, **values: object) -> bool:
    held = Validation.objects.filter(pk=row.pk, state=JobState.CLAIMED, token=row.token)
    return held.update(state=state, token="", lease_until=None, finished_at=timezone.now(), **values) == 1


class _Teller:
    """Writes down where a validation stands, seldom enough not to matter, and hears of cancelling."""

    def __init__(self, row: Validation) -> None:
        self.row = row
        self.told_at = 0.0
        self.remarks = -1
        self.stopped = False

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.told_at < TELL_SECONDS and len(progress.remarks) == self.remarks:
            return
        self.told_at, self.remarks = now, len(progress.remarks)
        held = Validation.objects.filter(pk=self.row.pk, state=JobState.CLAIMED, token=self.row.token)
        found = [asdict(remark) for remark in progress.remarks]
        kept = held.filter(cancel_requested=False).update(
            stage=progress.stage, share=round(progress.share, 4), found=found, lease_until=_lease_end()
        )
        self.stopped = not kept
        if self.stopped:
            raise Stopped

    def is_to_stop(self) -> bool:
        return self.stopped


def release_lost() -> int:
    """Puts back validations whose worker is gone or whose lease ran out; one that took several workers with it fails."""
    claimed = Validation.objects.filter(state=JobState.CLAIMED)
    lost = [
        row
        for row in claimed.only("pk", "token", "lease_until", "attempts", "cancel_requested")
        if (row.lease_until and row.lease_until < timezone.now()) or work.holder_is_dead(row.token)
    ]
    return sum(_release(row) for row in lost)


def _release(row: Validation) -> int:
    if row.cancel_requested:
        return _close(row, JobState.CANCELLED)
    if row.attempts >= MOST_ATTEMPTS:
        return _close(row, JobState.FAILED, error=f"the worker died {row.attempts} times while validating")
    held = Validation.objects.filter(pk=row.pk, state=JobState.CLAIMED, token=row.token)
    given_back = held.filter(cancel_requested=False).update(state=JobState.QUEUED, token="", lease_until=None)
    # Nothing given back: cancelled since the row was read, or no longer held.
    return given_back or _close(row, JobState.CANCELLED)


def housekeeping() -> None:
    """What workers do every so often: lost work goes back, and somebody is called for what waits."""
    revalidate_when_due()
    if release_lost() or Validation.objects.filter(state=JobState.QUEUED).exists():
        wake()


def is_working() -> bool:
    return Validation.objects.filter(state__in=OPEN_STATES).exists()


def latest(bundle: TaskBundle) -> Validation | None:
    """The newest finished validation of a stored version, by whatever name its files were validated."""
    return Validation.objects.filter(digest=bundle.digest, state=JobState.DONE).first()


def digest_of(files: Mapping[str, str]) -> str:
    return content_hash({name: text.encode() for name, text in files.items()})


def canary(key: str) -> str:
    """The string by which a private task would be known wherever it turned up."""
    secret = f"{settings.SECRET_KEY}:canary:{key}".encode()
    return "PRISM-CANARY-" + hashlib.sha256(secret).hexdigest()[:24]
