"""Scoring answers: what is asked for, by which stack, and the measurement itself."""

from __future__ import annotations

import atexit
import os
import time
import traceback
from collections.abc import Iterable

from django.conf import settings
from django.db import transaction

from scoring import queue
from scoring.bundles import TaskBundle
from scoring.evidence import Evidence, InstrumentFailed, SyntaxEvidence
from scoring.extract import Module
from scoring.instruments.choice import Engines
from scoring.models import OPEN_STATES, Answer, AnswerStatus, Category, JobState, Score, ScoreJob, Stack
from scoring.pipeline import Pipeline, unanswered, unanswered_evidence
from scoring.pipeline import Stack as ToolStack
from scoring.plain import plain_text
from scoring.services import bank, scores, stacks, work
from scoring.services.versions import data_changed

# A worker leaves the queue to others after so long, and calls again when work is left.
DRAIN_SECONDS = 60.0
# Texts of the queue that an engine with a dear start is shown at once.
TEXTS_AHEAD = 400
# Cached pages are thrown away once per so many new scores, not at each.
SCORES_PER_REFRESH = 25

# Reasons of `metrics/smop.yaml` that another try, on a healthier machine, may well remove.
OWN_FAULTS = frozenset({"instrument", "clock"})


class InstrumentMissing(RuntimeError):
    """No engine can measure on this machine; the message says why."""


class Workshop:
    """This process's engines, and a pipeline per category over those that the settings choose."""

    def __init__(self) -> None:
        self.engines = Engines(stacks.protocol(), settings.PRISM_ENGINES)
        self.pipelines: dict[str, Pipeline] = {}

    def pipeline(self, category: str) -> Pipeline:
        if category not in self.pipelines:
            self.pipelines[category] = Pipeline(ToolStack.chosen(self.engines, category), self.engines.protocol)
        return self.pipelines[category]


_workshops: dict[int, Workshop] = {}


def workshop() -> Workshop:
    """This process's own; sandboxes start with the first answer."""
    own = os.getpid()
    if own not in _workshops:
        # A forked child must not talk to its parent's sandbox.
        _workshops.clear()
        _workshops[own] = Workshop()
        atexit.register(close_pipeline)
    return _workshops[own]


def pipeline(category: str = Category.ALGORITHMS) -> Pipeline:
    """This process's pipeline for a category."""
    return workshop().pipeline(category)


def close_pipeline() -> None:
    """Ends this process's sandboxes, if it has any."""
    own = _workshops.pop(os.getpid(), None)
    if own:
        own.engines.close()


def current_stack(category: str = Category.ALGORITHMS) -> Stack:
    """The stack that this installation scores a category by now."""
    present = pipeline(category)
    return stacks.measured_stack(present.stack.describe(), present.protocol)


def current_stacks() -> list[Stack]:
    """The stacks of all categories, each once: one, unless the settings choose another engine for one of them."""
    return list({stack.pk: stack for stack in map(current_stack, Category.values)}.values())


@transaction.atomic
def request_scores(answers: Iterable[Answer], again: bool = False, workers: int = 0) -> list[int]:
    """Has every answer scored by its category's current stack; returns the ids of the jobs that are to do, queued at commit.

    Cells without an answer to measure get their row of N/A at once. Give answers with `task` selected.
    """
    given = list(answers)
    jobs: list[int] = []
    for category in Category.values:
        stack = current_stack(category)
        ours = [answer for answer in given if answer.task.category == category]
        _mark_unanswered([answer for answer in ours if answer.status != AnswerStatus.ANSWERED], stack)
        jobs += work.plan_scoring([answer for answer in ours if answer.status == AnswerStatus.ANSWERED], stack, again)
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
    present = current_stacks()
    until = time.monotonic() + seconds
    done = 0
    try:
        while time.monotonic() < until and not queue.is_stopping():
            job = next(filter(None, (work.claim_next(token, stack) for stack in present)), None)
            if job is None:
                break
            look_ahead(job)
            score_claimed(job, token)
            done += 1
            if done % SCORES_PER_REFRESH == 0:
                data_changed()
    finally:
        if done:
            data_changed()
            for stack in present:
                show_when_complete(stack)
    if any(map(work.is_waiting, present)):
        work.wake_workers()
    return done


def score_claimed(job: ScoreJob, token: str) -> None:
    """Scores a claimed job; what can't be stored goes back into the queue at once, and the error is raised."""
    try:
        score_job(job, token, job.stack)
    except BaseException as error:
        work.hand_back(job, token, error)
        raise


def look_ahead(job: ScoreJob) -> None:
    """Tells the engines which texts stand in the queue behind this one, so that a dear start serves many."""
    present = pipeline(job.answer.task.category)
    if not any(part.batches for part in present.stack.instruments):
        return
    waiting = ScoreJob.objects.filter(stack=job.stack, state=JobState.QUEUED).order_by("pk")
    texts = waiting.values_list("answer__response", flat=True)[:TEXTS_AHEAD]
    present.prepare([job.answer.response, *texts])


def score_job(job: ScoreJob, token: str, stack: Stack) -> None:
    """Measures one claimed answer and stores the result; our own faults become "not measured", never a lost cell."""
    try:
        result = pipeline(job.answer.task.category).score(job.answer.response, bank.read_bundle(job.bundle))
    except Exception:
        work.give_up(job, token, traceback.format_exc(limit=-6))
        return
    elapsed_ms = round(result.elapsed * 1000, 3)
    score = scores.build_score(job.answer, stack, job.bundle, result.card, result.fall, result.evidence, elapsed_ms)
    work.finish(job, token, score, instrument_fault(result.evidence))


def syntax_of(code: str, category: str) -> SyntaxEvidence:
    """What the category's checker says of a text that belongs to no answer."""
    bundle = TaskBundle(id="", name="", category=category, difficulty="easy", prompt="", hash="")
    with pipeline(category).stack.syntax.examine(Module(code, code, None), bundle) as examination:
        return examination.check()


def instrument_fault(evidence: Evidence) -> str:
    """What our own side failed at while measuring, "" where it did not; what is merely not supported is no such fault."""
    parts = (evidence.syntax, evidence.tests, evidence.growth)
    failed = [part for part in parts if isinstance(part, InstrumentFailed) and part.reason in OWN_FAULTS]
    return plain_text(f"{failed[0].reason}: {failed[0].detail}") if failed else ""


def refuse_without_instrument() -> None:
    """Raises InstrumentMissing when this machine can't measure at all: better no score than a board of N/A."""
    instruments = [part for category in Category.values for part in pipeline(category).stack.instruments]
    for instrument in {id(part): part for part in instruments}.values():
        found = instrument.availability()
        if not found.ready:
            raise InstrumentMissing(f"{instrument.name} can't measure here: {found.reason} (see `manage.py doctor`)")


def show_when_complete(stack: Stack) -> None:
    """Puts the stack on the board of every category that is scored by it now and in which nothing is left to do for it."""
    for category in Category.values:
        if current_stack(category).pk != stack.pk:
            # A category that the settings gave another engine since keeps that one's board, though the old work is complete.
            continue
        jobs = ScoreJob.objects.filter(stack=stack, answer__task__category=category)
        if jobs.filter(state=JobState.DONE).exists() and not jobs.filter(state__in=OPEN_STATES).exists():
            stacks.show_stack(category, stack)
