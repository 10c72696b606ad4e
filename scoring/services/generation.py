"""Runs of generation: order, estimate, progress. The cells are `Answer` rows; a run only says which.

`services.generating` carries a run out; the two are apart so that pages need no channel.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Avg, Count, Sum
from django.utils import timezone

from scoring.findings import FaultyData, Finding, near_miss
from scoring.generation.budget import Estimate, Measured, estimate
from scoring.generation.catalogue import DATA, Catalogue, EditionCard, NetworkCard, load_catalogue
from scoring.generation.channels import ChannelUnavailable, Recording, describe_recording
from scoring.generation.dialogue import Brief
from scoring.generation.schema import objects_of
from scoring.models import Answer, AnswerStatus, Edition, GenerationRun, Network, RunState, Task, TaskStatus
from scoring.services.answers import DEFAULT_EDITION, get_network
from scoring.services.versions import data_changed
from scoring.strict_yaml import parse

# What a resumed run asks for again: cells never answered, and those that a provider's fault or a stop left behind.
OPEN = (AnswerStatus.PLANNED, AnswerStatus.FAILED, AnswerStatus.CANCELLED)
CONFIGURATION = "config_spec.yaml"
REHEARSAL = "rehearsal"
REPLAY = "replay"
MOST_ANSWERS_PER_TASK = 100


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The catalogue of this process, PRISM_CATALOGUE naming another folder than ours; raises FaultyData with every fault."""
    return load_catalogue(Path(os.environ.get("PRISM_CATALOGUE") or DATA))


def catalogue_digest(cards: Catalogue) -> str:
    """A hash of all that shapes an answer: networks, prompts, editions, limits, distractors."""
    shaping = (cards.networks, cards.editions, cards.tools, cards.distractors)
    parts = [*map(repr, shaping), json.dumps(dict(cards.prompts), ensure_ascii=False)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


# -- ordering ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Order:
    """What a maintainer asks for. Empty `networks` or `tasks` mean all of the catalogue, all published ones; with a
    `recording` those that it holds. `edition` "" is the usual one, for a recording the rehearsals'."""

    edition: str = ""
    networks: Sequence[str] = ()
    tasks: Sequence[str] = ()
    answers_per_task: int = 1
    cap: Decimal | None = None
    seed: int = 0
    recording: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """An order with its names looked up: nothing of it is stored yet."""

    order: Order
    edition: EditionCard
    networks: Sequence[NetworkCard]
    tasks: Sequence[Task]
    answers_per_task: int
    missing: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def cells(self) -> int:
        return len(self.networks) * len(self.tasks) * self.answers_per_task

    @property
    def left(self) -> int:
        """Answers that the run would ask for."""
        return sum(self.missing.values())

    @property
    def blind(self) -> list[NetworkCard]:
        """Networks that will see no schema although the edition offers one."""
        return [card for card in self.networks if self.edition.schema_tools and not card.tools]


def plan_order(order: Order) -> Plan:
    """Looks up what an order names and counts what is missing. Raises FaultyData with every unknown name."""
    cards = catalogue()
    recorded = _recording(order.recording)
    findings: list[Finding] = []
    edition = _known(order.edition or (REHEARSAL if recorded else DEFAULT_EDITION), cards.editions, "edition", findings)
    networks = _networks(order, cards, recorded, findings)
    tasks = _tasks(order.tasks, recorded, findings)
    answers = order.answers_per_task if order.answers_per_task != 1 or not recorded else recorded.answers_per_task
    findings += _number_faults(order)
    if findings:
        raise FaultyData(findings)
    assert edition is not None
    return Plan(order, edition, networks, tasks, answers, _missing(edition, networks, tasks, answers))


def _number_faults(order: Order) -> Iterable[Finding]:
    if not 1 <= order.answers_per_task <= MOST_ANSWERS_PER_TASK:
        yield Finding("order", f"1 to {MOST_ANSWERS_PER_TASK} answers per task", key="answers")
    if order.cap is not None and not 0 <= order.cap < Decimal(10) ** 8:
        yield Finding("order", "the cap is a sum of money, 0 or more", key="cap")
    if not 0 <= order.seed < 2**31:
        yield Finding("order", "the seed is a whole number from 0", key="seed")


@transaction.atomic
def place_order(order: Order, user: Any = None) -> GenerationRun:
    """Stores the run and a planned `Answer` for every cell that has none. Raises FaultyData for unknown names."""
    plan = plan_order(order)
    cards = catalogue()
    edition = _edition(plan.edition)
    _plan_cells(edition, [_network(card) for card in plan.networks], plan.tasks, plan.answers_per_task)
    data_changed()
    return GenerationRun.objects.create(
        edition=edition, networks=[card.name for card in plan.networks], tasks=[task.key for task in plan.tasks],
        answers_per_task=plan.answers_per_task, seed=order.seed, cap=order.cap, currency=cards.currency,
        recording=order.recording, catalogue_digest=catalogue_digest(cards), ordered_by=user,
    )  # fmt: skip


def conditions(card: EditionCard) -> dict[str, Any]:
    """What the board shows of an edition."""
    return {"names": dict(card.names), "schema_tools": card.schema_tools, "parameters": dict(card.parameters)}


def card_of(name: str, run: GenerationRun, cards: Catalogue) -> NetworkCard:
    """The catalogue's card of a network; a recording's networks need none. Raises FaultyData for one that is gone."""
    if run.recording:
        return _recorded_card(name, cards)
    card = cards.networks.get(name)
    if card is None:
        raise FaultyData([Finding("networks.yaml", f"run {run.pk} asks {name!r}, which is not in the catalogue any more")])
    return card


def _recorded_card(name: str, cards: Catalogue) -> NetworkCard:
    # The tools stand open to a recording: whether it looks something up is what it holds.
    known = cards.networks.get(name)
    return replace(known, channel=REPLAY, tools=True) if known else NetworkCard(name, name, "", REPLAY, tools=True)


def _edition(card: EditionCard) -> Edition:
    """The board's row, with the conditions as the catalogue states them now."""
    values = {"name": card.names["ru"], "conditions": conditions(card)}
    edition, _ = Edition.objects.update_or_create(slug=card.id, defaults=values)
    return edition


def _recording(path: str) -> Recording | None:
    if not path:
        return None
    try:
        return describe_recording(Path(path))
    except ChannelUnavailable as error:
        raise FaultyData([Finding(Path(path).name, str(error))]) from None


def _known(name: str, cards: Mapping[str, Any], what: str, findings: list[Finding]) -> Any:
    if name not in cards:
        findings.append(Finding("catalogue", f"no {what} is called {name!r}", cure=near_miss(name, cards)))
    return cards.get(name)


def _networks(order: Order, cards: Catalogue, recorded: Recording | None, findings: list[Finding]) -> list[NetworkCard]:
    if recorded is None:
        found = [_known(name, cards.networks, "network", findings) for name in dict.fromkeys(order.networks)]
        return [card for card in found if card] or list(cards.networks.values())
    for name in order.networks:
        if name not in recorded.networks:
            findings.append(Finding("order", f"the recording holds no network {name!r}", cure=near_miss(name, recorded.networks)))
    return [_recorded_card(name, cards) for name in dict.fromkeys(order.networks or recorded.networks)]


def _tasks(keys: Sequence[str], recorded: Recording | None, findings: list[Finding]) -> list[Task]:
    published = Task.objects.filter(status=TaskStatus.PUBLISHED, bundle__isnull=False).order_by("category", "key")
    if not keys and recorded is None:
        return list(published)
    wanted = list(dict.fromkeys(keys or (recorded.tasks if recorded else ())))
    found = {task.key: task for task in published.filter(key__in=wanted)}
    known = list(published.values_list("key", flat=True))
    findings += [Finding("order", f"no published task {key!r}", cure=near_miss(key, known)) for key in wanted if key not in found]
    return [found[key] for key in wanted if key in found]


def _network(card: NetworkCard) -> Network:
    """The board's row of a network, brought up to what the catalogue says; what it leaves open stays as it is."""
    network = get_network(card.name, vendor=card.vendor)
    said = {"vendor": card.vendor or None, "open_weights": card.open_weights, "released_on": card.released_on}
    facts = {key: value for key, value in said.items() if value is not None and getattr(network, key) != value}
    if facts:
        Network.objects.filter(pk=network.pk).update(**facts)
    return network


def _plan_cells(edition: Edition, networks: Iterable[Network], tasks: Sequence[Task], runs: int) -> None:
    """A cell whose answers were all replaced has a later revision to count on from."""
    stored = set(Answer.objects.filter(edition=edition, is_current=True).values_list("task_id", "network_id", "run_index"))
    Answer.objects.bulk_create(
        Answer(edition=edition, task=task, network=network, run_index=index)
        for network in networks
        for task in tasks
        for index in range(runs)
        if (task.pk, network.pk, index) not in stored
    )


def _missing(
    edition: EditionCard, networks: Sequence[NetworkCard], tasks: Sequence[Task], runs: int
) -> dict[tuple[str, str], int]:
    """(network, category) → answers that nobody has given yet."""
    settled = Answer.objects.filter(edition__slug=edition.id, is_current=True, run_index__lt=runs).exclude(status__in=OPEN)
    given = settled.filter(network__name__in=[card.name for card in networks], task__in=[task.pk for task in tasks])
    have = {(name, category): count for name, category, count in _counted(given)}
    wanted: dict[tuple[str, str], int] = {}
    for card in networks:
        for task in tasks:
            wanted[card.name, task.category] = wanted.get((card.name, task.category), 0) + runs
    left = {part: count - have.get(part, 0) for part, count in wanted.items()}
    return {part: count for part, count in left.items() if count > 0}


def _counted(answers: Any) -> Iterable[tuple[str, str, int]]:
    rows: Iterable[tuple[str, str, int]] = answers.order_by().values_list("network__name", "task__category").annotate(Count("pk"))
    return rows


# -- what a network may learn of a task --------------------------------------------------------------------------------


def brief_of(task: Task) -> Brief:
    """What a network may learn of a task. Of the bundle only the metadata is read: no test, reference or fixture."""
    configuration: Mapping[str, Any] = {}
    if task.bundle is not None and CONFIGURATION in task.bundle.files:
        configuration = parse(task.bundle.files[CONFIGURATION], CONFIGURATION).root or {}
    return Brief(task.key, task.category, task.prompt, task.signature, configuration)


def own_objects(task: Task) -> list[str]:
    """Full names of the metadata objects that a task has itself, without what only distracts; none where they can't be read."""
    try:
        return [item.path for item in objects_of(brief_of(task).configuration)]
    except FaultyData:
        return []


# -- what is left, what it costs ---------------------------------------------------------------------------------------


def cells_of(run: GenerationRun) -> Any:
    """Every current answer that belongs to the run, answered or not."""
    return Answer.objects.filter(
        edition=run.edition, is_current=True, network__name__in=run.networks, task__key__in=run.tasks,
        run_index__lt=run.answers_per_task,
    )  # fmt: skip


def left_of(run: GenerationRun) -> Any:
    """The answers still to get, easiest to compare first: by run, then task, then network."""
    return cells_of(run).filter(status__in=OPEN).order_by("run_index", "task", "network")


def estimate_plan(plan: Plan) -> Estimate:
    """Cost of an order before it is placed, from prices and from tokens measured so far; every line says what it rests on."""
    return estimate(catalogue(), plan.missing, measured_tokens(), timezone.localdate())


def estimate_of(run: GenerationRun) -> Estimate:
    """The same of what is left of a run."""
    plan = {(name, category): count for name, category, count in _counted(cells_of(run).filter(status__in=OPEN))}
    return estimate(catalogue(), plan, measured_tokens(), timezone.localdate())


def measured_tokens() -> dict[tuple[str, str], Measured]:
    """(network, category) → mean tokens of its stored answers; cut ones count, for they were paid for as well."""
    rows = (
        Answer.objects.filter(tokens_output__gt=0, network__is_control=False)
        .order_by()
        .values_list("network__name", "task__category")
        .annotate(Avg("tokens_input"), Avg("tokens_output"), Count("pk"))
    )
    return {
        (name, category): Measured(Decimal(str(given)), Decimal(str(taken)), count)
        for name, category, given, taken, count in rows
    }


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `states`: status → cells; `eta_seconds` is None while there is nothing to reckon with."""

    total: int
    states: Mapping[str, int]
    scored: int
    cost: Decimal
    eta_seconds: float | None

    @property
    def left(self) -> int:
        return sum(self.states.get(status, 0) for status in OPEN)

    @property
    def done(self) -> int:
        return self.total - self.left

    @property
    def failed(self) -> int:
        return self.states.get(AnswerStatus.FAILED, 0)


def progress_of(run: GenerationRun) -> Progress:
    """Counted from the cells; the time left from the pace since the run was last started."""
    cells = cells_of(run)
    states = dict(cells.order_by().values_list("status").annotate(Count("pk")))
    scored = cells.filter(scores__isnull=False).distinct().count()
    left = sum(states.get(status, 0) for status in OPEN)
    return Progress(sum(states.values()), states, scored, run.spent, _eta(run, left))


def _eta(run: GenerationRun, left: int) -> float | None:
    if run.state != RunState.RUNNING or run.started_at is None:
        return None
    done = Answer.objects.filter(exchange__run=run, answered_at__gte=run.started_at).count()
    return (timezone.now() - run.started_at).total_seconds() / done * left if done else None


def cost_of_answers(run: GenerationRun) -> Decimal:
    """What the run's present answers cost; `run.spent` also holds what failed attempts cost."""
    total = Answer.objects.filter(exchange__run=run).aggregate(total=Sum("cost"))["total"]
    return Decimal(str(round(total or 0.0, 6)))
