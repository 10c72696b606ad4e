"""Scoring answers: what is asked for, by which stack, and the measurement itself."""

from __future__ import annotations

import atexit
import os
import time
import traceback
from collections.abc import Iterable

from django.db import transaction

from scoring import queue
from scoring.evidence import Evidence, InstrumentFailed
from scoring.models import OPEN_STATES, Answer, AnswerStatus, Category, JobState, Score, ScoreJob, Stack
from scoring.pipeline import Pipeline, unanswered, unanswered_evidence
from scoring.services import bank, scores, stacks, work
from scoring.services.versions import data_changed

# A worker leaves the queue to others after so long, and calls again when work is left.
DRAIN_SECONDS = 60.0
# Cached pages are thrown away once per so many new scores, not at each.
SCORES_PER_REFRESH = 25

# Reasons of `metrics/smop.yaml` that another try, on a healthier machine, may well remove.
OWN_FAULTS = frozenset({"instrument", "clock"})


class InstrumentMissing(RuntimeError):
    """No engine can measure on this machine; the message says why."""


_pipelines: dict[int, Pipeline] = {}


def pipeline() -> Pipeline:
    """This process's pipeline over the built-in engine; its sandbox starts with the first answer."""
    own = os.getpid()
    if own not in _pipelines:
        # A forked child must not talk to its parent's sandbox.
        _pipelines.clear()
        _pipelines[own] = Pipeline.builtin(stacks.protocol())
        atexit.register(close_pipeline)
    return _pipelines[own]


def close_pipeline() -> None:
    """Ends this process's sandbox, if it has one."""
    own = _pipelines.pop(os.getpid(), None)
    if own:
        own.close()


def current_stack() -> Stack:
    """The stack that this installation scores by now."""
    present = pipeline()
    return stacks.measured_stack(present.stack.describe(), present.protocol)


@transaction.atomic
def request_scores(answers: Iterable[Answer], again: bool = False, workers: int = 0) -> list[int]:
    """Has every answer scored by the current stack; returns the ids of the jobs that are to do, queued at commit.

    Cells without an answer to measure get their row of N/A at once. Give answers with `task` selected.
    """
    stack = current_stack()
    given = list(answers)
    _mark_unanswered([answer for answer in given if answer.status != AnswerStatus.ANSWERED], stack)
    jobs = work.plan_scoring([answer for answer in given if answer.status == AnswerStatus.ANSWERED], stack, again)
    if jobs:
        transaction.on_commit(lambda: work.wake_workers(workers))
    return jobs


def _mark_unanswered(answers: list[Answer], stack: Stack) -> None:
    """Rows of N/A with the reason, for cells that are settled (not planned any more) and have none."""
    settled = [answer for answer in answers if answer.status != AnswerStatus.PLANNED and answer.task.bundle_id]
    have = {
        pair
        for keys in work.in_chunks([answer.pk for answer in settled])
        for pair in Score.objects.filter(stack=stack, answer_id__in=keys).values_list("answer_id", "bundle_id")
    }
    missing = [answer for answer in settled if (answer.pk, answer.task.bundle_id) not in have]
    rules = stacks.protocol()
    rows = []
    for answer in missing:
        assert answer.task.bundle is not None
        reason = scores.reason_without_answer(answer.status)
        card = unanswered(reason, rules, answer.task.category)
        evidence = unanswered_evidence(reason)
        rows.append(scores.build_score(answer, stack, answer.task.bundle, card, scores.UNMEASURED, evidence))
    if rows:
        Score.objects.bulk_create(rows)
        data_changed()


def drain(seconds: float = DRAIN_SECONDS) -> int:
    """Claims and scores queued answers until none is left, time is up or the worker is to stop; returns how many.

    Raises InstrumentMissing, and then leaves everything queued.
    """
    refuse_without_instrument()
    token = work.new_token()
    stack = current_stack()
    until = time.monotonic() + seconds
    done = 0
    try:
        while time.monotonic() < until and not queue.is_stopping():
            job = work.claim_next(token, stack)
            if job is None:
                break
            score_job(job, token, stack)
            done += 1
            if done % SCORES_PER_REFRESH == 0:
                data_changed()
    finally:
        if done:
            data_changed()
            show_when_complete(stack)
    if work.is_waiting(stack):
        work.wake_workers()
    return done


def score_job(job: ScoreJob, token: str, stack: Stack) -> None:
    """Measures one claimed answer and stores the result; our own faults become "not measured", never a lost cell."""
    try:
        result = pipeline().score(job.answer.response, bank.read_bundle(job.bundle))
    except Exception:
        work.give_up(job, token, traceback.format_exc(limit=-6))
        return
    elapsed_ms = round(result.elapsed * 1000, 3)
    score = scores.build_score(job.answer, stack, job.bundle, result.card, result.fall, result.evidence, elapsed_ms)
    work.finish(job, token, score, instrument_fault(result.evidence))


def instrument_fault(evidence: Evidence) -> str:
    """What our own side failed at while measuring, "" where it did not; what is merely not supported is no such fault."""
    parts = (evidence.syntax, evidence.tests, evidence.growth)
    failed = [part for part in parts if isinstance(part, InstrumentFailed) and part.reason in OWN_FAULTS]
    return f"{failed[0].reason}: {failed[0].detail}" if failed else ""


def refuse_without_instrument() -> None:
    """Raises InstrumentMissing when this machine can't measure at all: better no score than a board of N/A."""
    stack = pipeline().stack
    for instrument in {id(part): part for part in (stack.syntax, stack.tests, stack.work)}.values():
        found = instrument.availability()
        if not found.ready:
            raise InstrumentMissing(f"{instrument.name} can't measure here: {found.reason} (see `manage.py doctor`)")


def show_when_complete(stack: Stack) -> None:
    """Puts the stack on the board of every category in which nothing is left to do for it."""
    for category in Category.values:
        jobs = ScoreJob.objects.filter(stack=stack, answer__task__category=category)
        if jobs.filter(state=JobState.DONE).exists() and not jobs.filter(state__in=OPEN_STATES).exists():
            stacks.show_stack(category, stack)
