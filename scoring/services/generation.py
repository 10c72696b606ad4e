"""Runs of generation: order, estimate, carry out, resume. The cells are `Answer` rows; a run only says which.

One process holds a run at a time, by a conditional update that writes its token and a lease. An answer is stored, with all that
was said for it, the moment it is there: a killed run has lost only what was in flight, and asks only for what is missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Avg, Count, Q, Sum
from django.utils import timezone

from scoring.extract import code_of
from scoring.findings import FaultyData, Finding, near_miss
from scoring.generation.budget import Budget, Estimate, Measured, cost_of, estimate
from scoring.generation.catalogue import Catalogue, EditionCard, NetworkCard, load_catalogue
from scoring.generation.channels import ChannelUnavailable, Line, open_channel
from scoring.generation.dialogue import Attempt, Brief, Cell
from scoring.generation.runner import Runner, Stop
from scoring.models import Answer, AnswerStatus, Edition, Exchange, GenerationRun, Network, RunState, Task, TaskStatus
from scoring.services import work
from scoring.services.answers import digest_of, get_network
from scoring.services.versions import data_changed
from scoring.strict_yaml import parse

LEASE = timedelta(seconds=60)
RENEW = timedelta(seconds=15)
# What a resumed run asks for again: cells never answered, and those that a provider's fault or a stop left behind.
OPEN = (AnswerStatus.PLANNED, AnswerStatus.FAILED, AnswerStatus.CANCELLED)
# Tokens of an answer where nothing was measured yet; an estimate that rests on them says so.
ASSUMED = Measured(Decimal(900), Decimal(1200), 0)
CONFIGURATION = "config_spec.yaml"
_STATUS = {
    "answered": AnswerStatus.ANSWERED,
    "empty": AnswerStatus.EMPTY,
    "truncated": AnswerStatus.TRUNCATED,
    "refused": AnswerStatus.REFUSED,
    "tool_loop": AnswerStatus.TOOL_LOOP,
    "failed": AnswerStatus.FAILED,
}


class RunIsHeldError(RuntimeError):
    """Another process carries the run out."""


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The catalogue of this process; raises FaultyData with every fault of its files."""
    return load_catalogue()


def catalogue_digest(cards: Catalogue) -> str:
    """A hash of all that shapes an answer: networks, prompts, editions, limits."""
    parts = [repr(cards.networks), repr(cards.editions), repr(cards.tools), json.dumps(dict(cards.prompts), ensure_ascii=False)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


# -- ordering ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Order:
    """What a maintainer asks for. Empty `networks` or `tasks` mean all of the catalogue, all published ones."""

    edition: str
    networks: Sequence[str] = ()
    tasks: Sequence[str] = ()
    answers_per_task: int = 1
    cap: Decimal | None = None
    seed: int = 0
    recording: str = ""


@transaction.atomic
def place_order(order: Order, user: Any = None) -> GenerationRun:
    """Stores the run and a planned `Answer` for every cell that has none. Raises FaultyData for unknown names."""
    cards = catalogue()
    card = _known(order.edition, cards.editions, "edition")
    names = [_known(name, cards.networks, "network").name for name in order.networks] or list(cards.networks)
    tasks = _tasks(order.tasks)
    if order.answers_per_task < 1:
        raise FaultyData([Finding("order", "at least one answer per task", key="answers_per_task")])
    edition, _ = Edition.objects.get_or_create(
        slug=card.id, defaults={"name": card.names["ru"], "conditions": conditions(card)}
    )
    _plan_cells(edition, [_network(cards.networks[name]) for name in names], tasks, order.answers_per_task)
    data_changed()
    return GenerationRun.objects.create(
        edition=edition, networks=names, tasks=[task.key for task in tasks], answers_per_task=order.answers_per_task,
        seed=order.seed, cap=order.cap, currency=cards.currency, recording=order.recording,
        catalogue_digest=catalogue_digest(cards), ordered_by=user,
    )  # fmt: skip


def conditions(card: EditionCard) -> dict[str, Any]:
    """What the board shows of an edition."""
    return {"names": dict(card.names), "schema_tools": card.schema_tools, "parameters": dict(card.parameters)}


def _known(name: str, cards: Mapping[str, Any], what: str) -> Any:
    if name not in cards:
        raise FaultyData([Finding("catalogue", f"no {what} is called {name!r}", cure=near_miss(name, cards))])
    return cards[name]


def _tasks(keys: Sequence[str]) -> list[Task]:
    published = Task.objects.filter(status=TaskStatus.PUBLISHED, bundle__isnull=False)
    if not keys:
        return list(published)
    found = {task.key: task for task in published.filter(key__in=keys)}
    known = published.values_list("key", flat=True)
    missing = [Finding("order", f"no published task {key!r}", cure=near_miss(key, known)) for key in keys if key not in found]
    if missing:
        raise FaultyData(missing)
    return [found[key] for key in keys]


def _network(card: NetworkCard) -> Network:
    """The board's row of a network, brought up to what the catalogue says."""
    network = get_network(card.name, vendor=card.vendor)
    facts = {"vendor": card.vendor, "open_weights": card.open_weights, "released_on": card.released_on}
    if any(getattr(network, key) != value for key, value in facts.items()):
        Network.objects.filter(pk=network.pk).update(**facts)
    return network


def _plan_cells(edition: Edition, networks: Iterable[Network], tasks: Sequence[Task], runs: int) -> None:
    stored = set(Answer.objects.filter(edition=edition, is_current=True).values_list("task_id", "network_id", "run_index"))
    Answer.objects.bulk_create(
        Answer(edition=edition, task=task, network=network, run_index=index)
        for network in networks
        for task in tasks
        for index in range(runs)
        if (task.pk, network.pk, index) not in stored
    )


# -- what is left, what it costs ---------------------------------------------------------------------------------------


def cells_of(run: GenerationRun) -> Any:
    """Every current answer that belongs to the run, answered or not."""
    return Answer.objects.filter(
        edition=run.edition, is_current=True, network__name__in=run.networks, task__key__in=run.tasks,
        run_index__lt=run.answers_per_task,
    )  # fmt: skip


def left_of(run: GenerationRun) -> Any:
    """The answers still to get, easiest to compare first: by run, then task, then network."""
    return cells_of(run).filter(status__in=OPEN).select_related("task__bundle", "network").order_by("run_index", "task", "network")


def estimate_of(run: GenerationRun) -> Estimate:
    """Cost of what is left, from prices and from tokens measured so far; every line says what it rests on."""
    plan = dict(left_of(run).order_by().values_list("network__name").annotate(Count("pk")))
    return estimate(catalogue(), plan, measured_tokens(), ASSUMED, timezone.localdate())


def measured_tokens() -> dict[str, Measured]:
    """Network → mean tokens of its stored answers."""
    rows = (
        Answer.objects.filter(status=AnswerStatus.ANSWERED, tokens_output__gt=0, network__is_control=False)
        .values_list("network__name")
        .annotate(Avg("tokens_input"), Avg("tokens_output"), Count("pk"))
    )
    return {name: Measured(Decimal(str(given)), Decimal(str(taken)), count) for name, given, taken, count in rows}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `states`: status → cells; `eta_seconds` is None before the first answer."""

    total: int
    states: Mapping[str, int]
    scored: int
    cost: float
    eta_seconds: float | None

    @property
    def left(self) -> int:
        return sum(self.states.get(status, 0) for status in OPEN)

    @property
    def done(self) -> int:
        return self.total - self.left


def progress_of(run: GenerationRun) -> Progress:
    cells = cells_of(run)
    states = dict(cells.order_by().values_list("status").annotate(Count("pk")))
    own = Answer.objects.filter(exchange__run=run)
    done_here = own.count()
    total = sum(states.values())
    left = sum(states.get(status, 0) for status in OPEN)
    eta = None
    if done_here and run.started_at and run.state == RunState.RUNNING:
        eta = (timezone.now() - run.started_at).total_seconds() / done_here * left
    cost = own.aggregate(total=Sum("cost"))["total"] or 0.0
    scored = cells.filter(scores__isnull=False).distinct().count()
    return Progress(total, states, scored, cost, eta)


# -- carrying out ------------------------------------------------------------------------------------------------------


def claim(run: GenerationRun) -> str:
    """Take the run for this process. Raises RunIsHeldError while another one's lease lasts."""
    token, now = work.new_token()[:64], timezone.now()
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    taken = GenerationRun.objects.filter(free, pk=run.pk).update(
        token=token, lease_until=now + LEASE, state=RunState.RUNNING, stop_asked=False, started_at=now, finished_at=None, note=""
    )
    if not taken:
        raise RunIsHeldError(f"run {run.pk} is being carried out by another process")
    run.refresh_from_db()
    return token


def carry_out(
    run: GenerationRun, stop: Stop, *, told: Callable[[Answer, Attempt], None] = lambda answer, attempt: None
) -> GenerationRun:
    """Ask for everything that is left; returns the run in its final state. `told` hears of every stored answer.

    Raises RunIsHeldError, FaultyData (catalogue), ChannelUnavailable (nothing can be asked at all).
    """
    cards = catalogue()
    token = claim(run)
    holder = _Holder(run, token, stop)
    try:
        answers = {answer.pk: answer for answer in left_of(run)}
        cells = {_cell(answer, run, cards): answer.pk for answer in answers.values()}
        lines = _lines(cards, run, {cell.network.channel for cell in cells})
        budget = Budget(run.cap, run.spent)

        def save(cell: Cell, attempt: Attempt) -> None:
            answer = answers[cells[cell]]
            store(answer, run, attempt, cost_in(cards, cell, attempt))
            told(answer, attempt)

        def price(cell: Cell, attempt: Attempt) -> float | None:
            return cost_in(cards, cell, attempt)

        runner = Runner(cards, lines, save, price, budget, stop, holder.tick)
        try:
            runner.run(cells)
        finally:
            for line in lines.values():
                line.close()
        return holder.finish(_note(runner, budget, stop))
    except BaseException as error:
        holder.give_up(f"{type(error).__name__}: {error}"[:500])
        raise


def _note(runner: Runner, budget: Budget, stop: Stop) -> str:
    notes = [f"channel {channel}: {why}" for channel, why in runner.closed.items()]
    if not budget.allows():
        notes.append("the budget is spent")
    if stop.asked:
        notes.append("stopped")
    return "; ".join(notes)


class _Holder:
    """Keeps the lease of a run alive, hears a stop that was asked for elsewhere, writes the end."""

    def __init__(self, run: GenerationRun, token: str, stop: Stop) -> None:
        self.run = run
        self.token = token
        self.stop = stop
        self.renewed = timezone.now()

    def _mine(self) -> Any:
        return GenerationRun.objects.filter(pk=self.run.pk, token=self.token)

    def tick(self) -> None:
        now = timezone.now()
        if now - self.renewed < RENEW / 5:
            return
        self.renewed = now
        held = self._mine().update(lease_until=now + LEASE)
        if not held or self._mine().filter(stop_asked=True).exists():
            self.stop.ask()

    def finish(self, note: str) -> GenerationRun:
        left = left_of(self.run).exists()
        state = RunState.DONE if not left else RunState.STOPPED
        self._end(state, note)
        return self.run

    def give_up(self, note: str) -> None:
        self._end(RunState.FAILED, note)

    def _end(self, state: str, note: str) -> None:
        now = timezone.now()
        self._mine().update(state=state, note=note, token="", lease_until=None, finished_at=now)
        self.run.refresh_from_db()


def ask_to_stop(run: GenerationRun) -> None:
    """The process that holds the run hears it within seconds and stores what is in flight."""
    GenerationRun.objects.filter(pk=run.pk).update(stop_asked=True)


def _cell(answer: Answer, run: GenerationRun, cards: Catalogue) -> Cell:
    return Cell(
        brief_of(answer.task), cards.networks[answer.network.name], cards.editions[run.edition.slug], answer.run_index,
        run.seed + answer.run_index,
    )  # fmt: skip


def brief_of(task: Task) -> Brief:
    """What a network may learn of a task. Of the bundle only the metadata is read: no test, reference or fixture."""
    configuration: Mapping[str, Any] = {}
    if task.bundle is not None and CONFIGURATION in task.bundle.files:
        configuration = parse(task.bundle.files[CONFIGURATION], CONFIGURATION).root or {}
    return Brief(task.key, task.category, task.prompt, task.signature, configuration)


def _lines(cards: Catalogue, run: GenerationRun, channels: Iterable[str]) -> dict[str, Line]:
    recording = Path(run.recording) if run.recording else None
    lines: dict[str, Line] = {}
    try:
        for channel in channels:
            lines[channel] = open_channel(cards.channels[channel], timeout=cards.retries.timeout, recording=recording)
    except ChannelUnavailable:
        for line in lines.values():
            line.close()
        raise
    return lines


def cost_in(cards: Catalogue, cell: Cell, attempt: Attempt) -> float | None:
    """What the provider charged, else tokens × price; None where neither is known."""
    if attempt.cost is not None:
        return attempt.cost
    priced = cost_of(cards, cell.network.name, attempt.tokens_input, attempt.tokens_output, timezone.localdate())
    return None if priced is None else float(priced)


@transaction.atomic
def store(answer: Answer, run: GenerationRun, attempt: Attempt, cost: float | None) -> None:
    """Write an answer with all that was said for it, and queue its scoring. A cell that was filled meanwhile stays."""
    status = _STATUS[attempt.status]
    written = Answer.objects.filter(pk=answer.pk, status__in=OPEN).update(
        status=status, response=attempt.text, code=code_of(attempt.text), digest=digest_of(attempt.text),
        model_id=attempt.model_id, finish_reason=attempt.finish_reason[:40], error=attempt.error,
        tokens_input=attempt.tokens_input, tokens_output=attempt.tokens_output, elapsed_seconds=attempt.seconds,
        cost=cost or 0.0, source=f"run {run.pk}", answered_at=timezone.now(),
    )  # fmt: skip
    if not written:
        return
    Exchange.objects.update_or_create(
        answer=answer,
        defaults={
            "run": run,
            "messages": [dict(message) for message in attempt.messages],
            "trace": [_traced(served) for served in attempt.trace],
            "parameters": dict(attempt.parameters),
            "digest": attempt.digest,
            "lookups": sum(served.ok for served in attempt.trace),
        },
    )
    GenerationRun.objects.filter(pk=run.pk).update(spent=_spent(run))
    data_changed()


def _spent(run: GenerationRun) -> Decimal:
    total = Answer.objects.filter(exchange__run=run).aggregate(total=Sum("cost"))["total"]
    return Decimal(str(round(total or 0.0, 6)))


def _traced(served: Any) -> dict[str, Any]:
    return {key: getattr(served, key) for key in ("round", "name", "arguments", "result", "ok", "object")}
