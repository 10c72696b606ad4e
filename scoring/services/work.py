"""What is to be scored, who holds it, and how it comes back when a worker dies.

`ScoreJob` rows are the truth; the queue only wakes workers. A row is claimed by one conditional update that writes the
claimer's token and a lease. Only the holder of the token may finish it, in the transaction that stores the score: a
worker that is killed at any moment leaves either a claimed row (given back) or a finished one, never half of either.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Count, F
from django.utils import timezone

from scoring import queue
from scoring.models import OPEN_STATES, Answer, JobState, Score, ScoreJob, Stack
from scoring.services import scores, stacks

# An answer that took so many workers with it is given up: "not measured", with that reason.
MOST_ATTEMPTS = 3
# A call that failed is kept so long for a look at it.
FAILURES_KEPT_SECONDS = 24 * 3600
KEYS_PER_QUERY = 5_000
# The reason of `metrics/smop.yaml` for a fault of ours.
INSTRUMENT = "instrument"
# Claimers look at this many rows at once and take one of them, so that two seldom want the same.
CLAIM_WINDOW = 16


def new_token() -> str:
    """Names a claimer: host, process and a random part, so that a dead local one can be told at once."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(8)}"


@transaction.atomic
def plan_scoring(answers: Iterable[Answer], stack: Stack, again: bool = False) -> list[int]:
    """Queues every answer that the stack has not scored against the task's bundle; returns the jobs' ids.

    `again` scores anew what is scored already (the old row is replaced in the end, by the same stack's new one).
    """
    wanted = [answer for answer in answers if answer.task.bundle]
    known = {
        (job.answer_id, job.bundle_id): job
        for keys in in_chunks([answer.pk for answer in wanted])
        for job in ScoreJob.objects.filter(stack=stack, answer_id__in=keys)
    }
    _cancel_outdated(wanted, stack)
    fresh, ids = [], []
    for answer in wanted:
        assert answer.task.bundle is not None
        job = known.get((answer.pk, answer.task.bundle.pk))
        if job is None:
            fresh.append(ScoreJob(answer=answer, stack=stack, bundle=answer.task.bundle))
        elif job.state in OPEN_STATES:
            ids.append(job.pk)
        elif again or job.state != JobState.DONE:
            # Unless somebody asked for the same since it was read: a claim of it must not be taken away.
            ScoreJob.objects.filter(pk=job.pk).exclude(state__in=OPEN_STATES).update(
                state=JobState.QUEUED, token="", attempts=0, error="", finished_at=None, lease_until=None
            )
            ids.append(job.pk)
    return ids + _queued(fresh, stack)


def _queued(fresh: list[ScoreJob], stack: Stack) -> list[int]:
    """Stores new jobs and returns their ids; a row that somebody else asked for in the same moment serves both."""
    ScoreJob.objects.bulk_create(fresh, ignore_conflicts=True)
    wanted = {(job.answer_id, job.bundle_id) for job in fresh}
    stored = (
        row
        for keys in in_chunks([job.answer_id for job in fresh])
        for row in ScoreJob.objects.filter(stack=stack, answer_id__in=keys).values_list("pk", "answer_id", "bundle_id")
    )
    return sorted(pk for pk, *cell in stored if tuple(cell) in wanted)


def _cancel_outdated(answers: list[Answer], stack: Stack) -> None:
    """What waits for a former stack is not worth its time any more."""
    for keys in in_chunks([answer.pk for answer in answers]):
        waiting = ScoreJob.objects.filter(state=JobState.QUEUED, answer_id__in=keys).exclude(stack=stack)
        waiting.update(state=JobState.CANCELLED, finished_at=timezone.now(), error=f"outdated: {stack}")


def claim_next(token: str, stack: Stack) -> ScoreJob | None:
    """Claims a queued job of the stack for `token`, or None when nothing is queued for it."""
    waiting = ScoreJob.objects.filter(state=JobState.QUEUED, stack=stack).order_by("pk")
    while True:
        window = list(waiting.values_list("pk", flat=True)[:CLAIM_WINDOW])
        if not window:
            return None
        choice = window[secrets.randbelow(len(window))]
        if claim(choice, token):
            return ScoreJob.objects.select_related("answer__task", "stack", "bundle__task").get(pk=choice)


def claim(job_id: int, token: str) -> bool:
    """Takes a queued job; False when somebody else was faster."""
    taken = ScoreJob.objects.filter(pk=job_id, state=JobState.QUEUED).update(
        state=JobState.CLAIMED, token=token, lease_until=_lease_end(), attempts=F("attempts") + 1
    )
    return taken == 1


def finish(job: ScoreJob, token: str, score: Score, fault: str = "") -> bool:
    """Stores the score and closes the job, both or neither; False (nothing stored) when the lease was lost.

    `fault`: the instrument's own failure behind a score that is "not measured"; such a job is tried again on demand.
    """
    with transaction.atomic():
        if not _close(job.pk, token, JobState.FAILED if fault else JobState.DONE, fault):
            return False
        # Scored again by the same stack: the new row takes the place of the old one.
        Score.objects.filter(answer=score.answer, stack=score.stack, bundle=score.bundle).delete()
        score.save(force_insert=True)
    return True


def give_up(job: ScoreJob, token: str, reason: str) -> bool:
    """Closes a job that our own side failed: the cell says "not measured: instrument". False when the lease was lost."""
    with transaction.atomic():
        if not _close(job.pk, token, JobState.FAILED, reason):
            return False
        _store_unmeasured(job, reason)
    return True


def _close(job_id: int, token: str, state: JobState, reason: str) -> bool:
    held = ScoreJob.objects.filter(pk=job_id, state=JobState.CLAIMED, token=token)
    values = {"state": state, "token": "", "lease_until": None, "finished_at": timezone.now()}
    return held.update(**values, error=reason[:4000]) == 1


def _store_unmeasured(job: ScoreJob, reason: str) -> None:
    have = Score.objects.filter(answer_id=job.answer_id, stack_id=job.stack_id, bundle_id=job.bundle_id)
    if not have.exists():
        rules = stacks.protocol()
        scores.unmeasured_score(job.answer, job.stack, job.bundle, rules, INSTRUMENT, reason[-500:]).save()


def release_lost() -> int:
    """Puts back what dead workers held: leases that ran out, and claims of processes of this host that are gone."""
    claimed = ScoreJob.objects.filter(state=JobState.CLAIMED)
    lost = [
        (pk, token)
        for pk, token, until in claimed.values_list("pk", "token", "lease_until")
        if (until and until < timezone.now()) or holder_is_dead(token)
    ]
    return sum(_release(pk, token) for pk, token in lost)


def _release(job_id: int, token: str, fault: str = "the worker died") -> int:
    held = ScoreJob.objects.filter(pk=job_id, state=JobState.CLAIMED, token=token)
    job = held.select_related("answer__task", "stack", "bundle").first()
    if job and job.attempts >= MOST_ATTEMPTS:
        return give_up(job, token, f"{fault} {job.attempts} times while measuring this answer")
    return held.update(state=JobState.QUEUED, token="", lease_until=None)


def hand_back(job: ScoreJob, token: str, error: BaseException) -> None:
    """Puts back what its living holder could not finish; nobody would miss it before the end of its lease."""
    with contextlib.suppress(DatabaseError):  # then that lease is waited for
        _release(job.pk, token, f"storing failed ({type(error).__name__}: {str(error)[:200]}),")


def holder_is_dead(token: str) -> bool:
    """True for a token of a process of this host that no longer runs; other hosts are left to their leases."""
    host, _, rest = token.partition(":")
    pid, _, _ = rest.partition(":")
    if host != socket.gethostname()[:60] or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _is_zombie(int(pid))


def _is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False


def cancel(job_ids: Iterable[int]) -> int:
    """Takes queued jobs back; running ones finish."""
    values = {"state": JobState.CANCELLED, "finished_at": timezone.now()}
    queued = ScoreJob.objects.filter(state=JobState.QUEUED)
    return sum(queued.filter(pk__in=keys).update(**values) for keys in in_chunks(list(job_ids)))


def progress(job_ids: Sequence[int] | None = None) -> Counter[str]:
    """How many jobs are in which state (of all, or of the given ids)."""
    jobs = ScoreJob.objects.all()
    if job_ids is None or _is_range(job_ids):
        # The usual case, planned in one go: counted by the database however many there are.
        if job_ids:
            jobs = jobs.filter(pk__gte=min(job_ids), pk__lte=max(job_ids))
        return Counter(dict(jobs.order_by().values_list("state").annotate(Count("pk"))))
    return Counter(
        state for keys in in_chunks(job_ids) for state in jobs.filter(pk__in=keys).values_list("state", flat=True)
    )


def _is_range(numbers: Sequence[int]) -> bool:
    return bool(numbers) and max(numbers) - min(numbers) + 1 == len(set(numbers))


def in_chunks(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """Keys in portions that every database takes as parameters of one query."""
    for start in range(0, len(keys), KEYS_PER_QUERY):
        yield keys[start : start + KEYS_PER_QUERY]


def is_waiting(stack: Stack | None = None) -> bool:
    """Whether anything is queued (for this stack)."""
    jobs = ScoreJob.objects.filter(state=JobState.QUEUED)
    return (jobs.filter(stack=stack) if stack else jobs).exists()


def wake_workers(at_least: int = 0) -> int:
    """Gives back lost work and sees to it that enough wake-up calls wait; returns how many were sent.

    A call makes its worker claim jobs until none is queued (see `scoring.jobs.drain`), so one per worker is enough.
    """
    release_lost()
    if not is_waiting():
        return 0
    calls = queue.queue(queue.SCORING)
    wanted = max(0, max(at_least, settings.PRISM_WORKERS) - calls.count)
    for _ in range(wanted):
        calls.enqueue("scoring.jobs.drain", result_ttl=0, failure_ttl=FAILURES_KEPT_SECONDS)
    return wanted


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.PRISM_LEASE_SECONDS)
