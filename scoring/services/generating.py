"""Carrying a run of generation out.

One process holds a run at a time, by a conditional update that writes its token and a lease; two runs that want the same cells
don't run at once. An answer is stored, with all that was said for it, the moment it is there: a killed run has lost only what
was in flight, and asks only for what is missing. What has come in is handed on to scoring as it comes.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from redis.exceptions import RedisError

from scoring import queue
from scoring.extract import code_of
from scoring.findings import FaultyData, Finding
from scoring.generation.budget import Budget, cost_of
from scoring.generation.catalogue import Catalogue
from scoring.generation.channels import ChannelUnavailable, Line, open_channel
from scoring.generation.dialogue import Attempt, Cell
from scoring.generation.runner import Runner, Stop
from scoring.models import Answer, AnswerStatus, CostBasis, Edition, Exchange, GenerationRun, RunState, Task
from scoring.services import measuring, work
from scoring.services.answers import digest_of
from scoring.services.generation import OPEN, brief_of, card_of, catalogue, cells_of, left_of
from scoring.services.versions import data_changed

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
# How often the holder looks whether it still holds the run and whether a stop was asked for.
LOOK_SECONDS = 2.0
# Answers are handed on to scoring, and cached pages thrown away, at most so often.
HAND_ON_SECONDS = 5.0
# Or as soon as so many have come in: more at once would only hold memory.
HAND_ON_ANSWERS = 100
# A worker leaves a run after so long, so that scoring gets its turn; the run goes on with the next call.
SLICE_SECONDS = 60.0
FAILURES_KEPT_SECONDS = 24 * 3600
JOB = "scoring.jobs.generate"

_STATUS = {
    "answered": AnswerStatus.ANSWERED,
    "empty": AnswerStatus.EMPTY,
    "truncated": AnswerStatus.TRUNCATED,
    "refused": AnswerStatus.REFUSED,
    "tool_loop": AnswerStatus.TOOL_LOOP,
    "failed": AnswerStatus.FAILED,
    "cancelled": AnswerStatus.CANCELLED,
}
Told = Callable[[Attempt, float | None], None]


class RunIsHeldError(RuntimeError):
    """Another process carries the run out, or a run that wants the same cells."""


class RunIsOverError(RuntimeError):
    """The run was cancelled or ended since the queue called for it."""


# -- holding a run -----------------------------------------------------------------------------------------------------


def is_held(run: GenerationRun) -> bool:
    """Whether a living process carries the run out; a dead one of this machine is seen at once, others by their lease."""
    lasts = run.lease_until is not None and run.lease_until > timezone.now()
    return bool(run.token) and lasts and not work.holder_is_dead(run.token)


@transaction.atomic
def claim(run: GenerationRun, of_queue: bool = False) -> str:
    """Take the run for this process. Raises RunIsHeldError while it, or another run over the same cells, is held.

    `of_queue`: only if it still waits for a worker, else RunIsOverError.
    """
    # Claims of an edition go one after another, or two runs could pay for one cell.
    Edition.objects.select_for_update().get(pk=run.edition_id)
    for other in GenerationRun.objects.filter(edition=run.edition_id).exclude(token=""):
        if is_held(other) and (other.pk == run.pk or _overlap(run, other)):
            raise RunIsHeldError(f"run {other.pk} is being carried out by another process")
    token, now = work.new_token(), timezone.now()
    # What the row is at the update decides, not what was read before: somebody may cancel or start the run in between.
    went_on = Q(state=RunState.RUNNING, by_queue=True)
    wanted = GenerationRun.objects.filter(went_on if of_queue else Q(), pk=run.pk)
    taken = wanted.update(
        token=token, lease_until=now + LEASE, state=RunState.RUNNING, finished_at=None, note="",
        # A run that only changed hands keeps its pace, and a stop that was asked for meanwhile.
        started_at=Case(When(went_on, then=F("started_at")), default=Value(now)),
        stop_asked=Case(When(went_on, then=F("stop_asked")), default=Value(False)),
    )  # fmt: skip
    if not taken:
        raise RunIsOverError(f"run {run.pk} waits for no worker any more")
    run.refresh_from_db()
    return token


def _overlap(one: GenerationRun, other: GenerationRun) -> bool:
    return bool(set(one.networks) & set(other.networks) and set(one.tasks) & set(other.tasks))


class _Holder:
    """Keeps the lease of a run alive, hears a stop that was asked for elsewhere, writes the end."""

    def __init__(self, run: GenerationRun, token: str, stop: Stop, seconds: float | None) -> None:
        self.run = run
        self.token = token
        self.stop = stop
        self.looked = time.monotonic()
        self.until = None if seconds is None else self.looked + seconds
        self.is_sliced = False
        self.is_cancelled = False
        if run.stop_asked:  # before it changed hands: nothing more is asked
            self.is_cancelled = True
            stop.ask()

    def _mine(self) -> Any:
        return GenerationRun.objects.filter(pk=self.run.pk, token=self.token)

    def tick(self) -> None:
        now = time.monotonic()
        if self.until is not None and (now > self.until or queue.is_stopping()) and not self.stop.asked:
            self.is_sliced = True
            self.stop.ask()
        if now - self.looked < LOOK_SECONDS:
            return
        self.looked = now
        held = self._mine().update(lease_until=timezone.now() + LEASE)
        if not held or self._mine().filter(stop_asked=True).exists():
            self.is_cancelled = bool(held)
            self.stop.ask()

    def finish(self, note: str) -> None:
        """Done when nothing is left; what another worker shall go on with stays running."""
        # Since the last look a stop may have been asked for.
        self.is_cancelled = self.is_cancelled or self._mine().filter(stop_asked=True).exists()
        if not to_ask(self.run).exists():
            state = RunState.DONE
        elif self.is_sliced and not self.is_cancelled and not note:
            state = RunState.RUNNING
        else:
            state = RunState.STOPPED
        if self.is_cancelled:
            cancel_left(self.run)
        self.end(state, note)

    def end(self, state: str, note: str) -> None:
        ended = None if state == RunState.RUNNING else timezone.now()
        self._mine().update(state=state, note=note[:2000], token="", lease_until=None, finished_at=ended)
        self.run.refresh_from_db()


def to_ask(run: GenerationRun) -> Any:
    """What is left, without what failed since the run was started: a resumed run asks for that again, this one does not."""
    return left_of(run).exclude(status=AnswerStatus.FAILED, answered_at__gte=run.started_at)


def ask_to_stop(run: GenerationRun) -> None:
    """Cancel: the holder hears it within seconds and stores what is in flight; without one the run ends here."""
    GenerationRun.objects.filter(pk=run.pk).update(stop_asked=True)
    run.refresh_from_db()
    if not is_held(run) and run.state in (RunState.PLANNED, RunState.RUNNING):
        cancel_left(run)
        GenerationRun.objects.filter(pk=run.pk).update(
            state=RunState.STOPPED, note="cancelled", token="", lease_until=None, finished_at=timezone.now()
        )
        run.refresh_from_db()


def cancel_left(run: GenerationRun) -> None:
    """Cells that were never asked for say so from now on; a resumed run asks for them."""
    cells_of(run).filter(status=AnswerStatus.PLANNED).update(status=AnswerStatus.CANCELLED)
    data_changed()


# -- the queue ---------------------------------------------------------------------------------------------------------


def start_in_queue(run: GenerationRun) -> None:
    """Have a worker carry the run out (or go on with it). Raises RunIsHeldError for one that goes on already."""
    if is_held(run):
        raise RunIsHeldError(f"run {run.pk} is being carried out already")
    GenerationRun.objects.filter(pk=run.pk).update(
        by_queue=True, state=RunState.RUNNING, stop_asked=False, note="", started_at=timezone.now(), finished_at=None
    )
    run.refresh_from_db()
    # Without a queue now the workers' housekeeping calls later.
    transaction.on_commit(wake, robust=True)


def wake() -> int:
    """Calls workers for every run that waits for one: new ones, and those whose worker died. Returns how many calls went out."""
    waiting = [run for run in GenerationRun.objects.filter(by_queue=True, state=RunState.RUNNING) if not is_held(run)]
    if not waiting:
        return 0
    calls = queue.queue(queue.GENERATION)
    known = {tuple(job.args) for job in calls.get_jobs() if job.func_name == JOB}
    fresh = [run for run in waiting if (run.pk,) not in known]
    for run in fresh:
        # Without a limit of the queue's own: the slice ends by itself, and a killed job would lose what is in flight.
        calls.enqueue(JOB, run.pk, result_ttl=0, failure_ttl=FAILURES_KEPT_SECONDS, job_timeout=-1)
    return len(fresh)


def carry_out_slice(run_id: int) -> str:
    """What a worker does for a run: a slice of it, then the next call. Returns the run's state."""
    run = GenerationRun.objects.filter(pk=run_id, state=RunState.RUNNING, by_queue=True).first()
    if run is None:
        return "nothing to do"
    try:
        carry_out(run, Stop(), seconds=SLICE_SECONDS)
    except (RunIsHeldError, RunIsOverError, ChannelUnavailable) as error:
        return str(error)
    if run.state == RunState.RUNNING and not queue.is_stopping():
        wake()
    return str(run.state)


# -- carrying out ------------------------------------------------------------------------------------------------------


def carry_out(
    run: GenerationRun, stop: Stop, *, told: Told = lambda attempt, cost: None, seconds: float | None = None, workers: int = 0
) -> GenerationRun:
    """Ask for everything that is left; returns the run in its final state. `told` hears of every stored attempt.

    `seconds`: a slice for the queue: leave the run after so long (it stays running, for another worker). `workers`: wake so many
    for scoring. Raises RunIsHeldError, RunIsOverError (a slice of what was cancelled), FaultyData (catalogue),
    ChannelUnavailable (nothing can be asked at all).
    """
    token = claim(run, of_queue=seconds is not None)
    holder = _Holder(run, token, stop, seconds)
    try:
        cards = catalogue()
        cells = list(_cells(run, cards))
        lines, closed = _lines(cards, run, sorted({cell.network.channel for cell in cells}))
        desk = _Desk(run, cards, told, workers)
        budget = Budget(run.cap, run.spent)

        def tick() -> None:
            holder.tick()
            desk.hand_on()

        runner = Runner(cards, lines, desk.store, desk.price, budget, stop, tick)
        runner.closed.update(closed)
        try:
            runner.run(cells)
        finally:
            for line in lines.values():
                line.close()
            desk.hand_on(at_once=True)
        holder.finish(_note(runner, budget))
    except BaseException as error:
        holder.end(RunState.FAILED, f"{type(error).__name__}: {error}")
        raise
    return run


def _note(runner: Runner, budget: Budget) -> str:
    notes = [why if why.startswith("channel ") else f"channel {channel}: {why}" for channel, why in runner.closed.items()]
    if not budget.allows():
        notes.append("the budget is spent")
    return "; ".join(notes)


def _cells(run: GenerationRun, cards: Catalogue) -> Iterable[Cell]:
    """One small object per answer; a task is read once, however many answers it gets."""
    left = list(to_ask(run).values_list("pk", "task_id", "network__name", "run_index"))
    tasks = Task.objects.select_related("bundle").filter(pk__in={task for _pk, task, _network, _index in left})
    briefs = {task.pk: brief_of(task) for task in tasks}
    networks = {name: card_of(name, run, cards) for name in {name for _pk, _task, name, _index in left}}
    edition = cards.editions.get(run.edition.slug)
    if edition is None:
        raise FaultyData([Finding("editions.yaml", f"no edition is called {run.edition.slug!r} any more")])
    for pk, task, name, index in left:
        yield Cell(briefs[task], networks[name], edition, index, run.seed + index, pk)


def _lines(cards: Catalogue, run: GenerationRun, channels: Sequence[str]) -> tuple[dict[str, Line], dict[str, str]]:
    """(open lines, channel → why it can't be used). Raises ChannelUnavailable where none can."""
    recording = Path(run.recording) if run.recording else None
    lines: dict[str, Line] = {}
    closed: dict[str, str] = {}
    for channel in channels:
        try:
            lines[channel] = open_channel(cards.channels[channel], timeout=cards.retries.timeout, recording=recording)
        except ChannelUnavailable as error:
            closed[channel] = str(error)
    if closed and not lines:
        raise ChannelUnavailable("; ".join(closed.values()))
    return lines, closed


# -- storing -----------------------------------------------------------------------------------------------------------


@dataclass
class _Desk:
    """Stores what comes in and hands it on to scoring, a few seconds' worth at a time."""

    run: GenerationRun
    cards: Catalogue
    told: Told
    workers: int

    def __post_init__(self) -> None:
        self.waiting: list[int] = []
        self.handed = time.monotonic()

    def price(self, cell: Cell, attempt: Attempt) -> float | None:
        return priced(self.cards, cell, attempt)[0]

    def store(self, arrived: list[tuple[Cell, Attempt]]) -> None:
        costs = [priced(self.cards, cell, attempt) for cell, attempt in arrived]
        with transaction.atomic():
            pay(self.run, (cost for cost, _basis in costs))
            stored = [
                store(cell.key, self.run, attempt, *cost) for (cell, attempt), cost in zip(arrived, costs, strict=True)
            ]
        self.waiting += [pk for pk in stored if pk is not None]
        for (_cell, attempt), (cost, _basis) in zip(arrived, costs, strict=True):
            self.told(attempt, cost)

    def hand_on(self, at_once: bool = False) -> None:
        is_due = at_once or len(self.waiting) >= HAND_ON_ANSWERS or time.monotonic() - self.handed >= HAND_ON_SECONDS
        if not self.waiting or not is_due:
            return
        self.handed = time.monotonic()
        waiting, self.waiting = self.waiting, []
        answers = Answer.objects.filter(pk__in=waiting).select_related("task__bundle")
        try:
            measuring.request_scores(answers, workers=self.workers)
        except (RedisError, OSError) as error:
            # The work stands in the database; whoever reaches the queue again calls for it.
            log.warning("run %s: the queue can't be reached (%s)", self.run.pk, type(error).__name__)
        data_changed()


def priced(cards: Catalogue, cell: Cell, attempt: Attempt) -> tuple[float | None, CostBasis]:
    """What the provider charged, else tokens × price; None where neither is known."""
    if attempt.cost is not None:
        return attempt.cost, CostBasis.PROVIDER
    cost = cost_of(cards, cell.network.name, attempt.tokens_input, attempt.tokens_output, timezone.localdate())
    return (None, CostBasis.UNKNOWN) if cost is None else (float(cost), CostBasis.PRICE)


def pay(run: GenerationRun, costs: Iterable[float | None]) -> None:
    """What was paid counts, whatever becomes of the answer."""
    total = sum((Decimal(str(round(cost or 0.0, 6))) for cost in costs), Decimal(0))
    GenerationRun.objects.filter(pk=run.pk).update(spent=F("spent") + total)


@transaction.atomic(savepoint=False)
def store(pk: int, run: GenerationRun, attempt: Attempt, cost: float | None, basis: CostBasis) -> int | None:
    """Write an attempt with all that was said for it; returns the answer's id, None when the cell was filled meanwhile.

    A cell never asked for is filled in; a failed or broken-off attempt stays readable, and the new one is its next revision.
    Either is one conditional update, so that of two writers only one gets the cell.
    """
    fields = _fields(run, attempt, cost)
    current = Answer.objects.filter(pk=pk, is_current=True, status__in=OPEN)
    if current.filter(answered_at=None).update(**fields):
        written = pk
    elif current.update(is_current=False):
        former = Answer.objects.get(pk=pk)
        cell = {name: getattr(former, name) for name in ("edition_id", "task_id", "network_id", "run_index")}
        written = Answer.objects.create(**cell, revision=former.revision + 1, **fields).pk
    else:
        return None
    Exchange.objects.create(
        answer_id=written,
        run=run,
        messages=[dict(message) for message in attempt.messages],
        trace=[_traced(served) for served in attempt.trace],
        parameters=dict(attempt.parameters),
        digest=attempt.digest,
        lookups=sum(served.ok and served.name != "finish_research" for served in attempt.trace),
        requests=attempt.requests,
        cost_basis=basis,
    )
    return written


def _fields(run: GenerationRun, attempt: Attempt, cost: float | None) -> dict[str, Any]:
    return {
        "status": _STATUS[attempt.status],
        "response": attempt.text,
        "code": code_of(attempt.text),
        "digest": digest_of(attempt.text),
        "model_id": attempt.model_id,
        "finish_reason": attempt.finish_reason[:40],
        "error": attempt.error,
        "tokens_input": attempt.tokens_input,
        "tokens_output": attempt.tokens_output,
        "elapsed_seconds": round(attempt.seconds, 3),
        "cost": cost or 0.0,
        "source": f"run {run.pk}" + (f", replay of {Path(run.recording).name}"[:90] if run.recording else ""),
        "answered_at": timezone.now(),
    }


def _traced(served: Any) -> dict[str, Any]:
    return {key: getattr(served, key) for key in ("round", "name", "arguments", "result", "ok", "object")}
