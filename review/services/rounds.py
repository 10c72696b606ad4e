"""Rounds: who may be drawn, drawing, opening, closing."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from review import planner, sampling
from review.models import Adjudication, Item, Purpose, Round, RoundState, Slot
from review.sampling import Candidate, Drawn
from review.tables import STEP_INDEX
from scoring.models import AnswerStatus, AxisState, Score, Stack, Task, TaskStatus, TaskUse
from scoring.services import stacks
from scoring.services.versions import data_changed

# Independent random choices of one round come from different seeds.
OVERLAP, REPEATS, ORDER, GOLD = 1, 2, 3, 4
GOLD_STRATUM = "gold"
# Tasks that a purpose may not touch, and what it makes of free ones.
BARRED = {Purpose.VALIDATION: TaskUse.CALIBRATION, Purpose.CALIBRATION: TaskUse.VALIDATION}
BECOMES = {Purpose.VALIDATION: TaskUse.VALIDATION, Purpose.CALIBRATION: TaskUse.CALIBRATION}


class RoundError(RuntimeError):
    """The round can't do that now; the message is for its maintainer, in the language of the request."""


def machine_step(score: Score, axis: str) -> tuple[int | None, str]:
    """(step, "") of the machine, or (None, why)."""
    value, step, state, reason = score.axis(axis)
    if state != AxisState.SCORED:
        return None, reason or state
    if step is None and value is not None and value == int(value) and int(value) in STEP_INDEX:
        return int(value), ""
    return (step, "") if step in STEP_INDEX else (None, "no_step")


@dataclass(frozen=True)
class Pool:
    """What a round may draw from."""

    stack: Stack | None
    scores: Mapping[int, Score]
    candidates: tuple[Candidate, ...]


def pool(round_: Round) -> Pool:
    """Scored current answers of the round's category, editions and tasks, without those that its purpose may not touch."""
    stack = round_.stack or stacks.shown_stack(round_.category)
    if stack is None:
        return Pool(None, {}, ())
    found = Score.objects.filter(stack=stack, bundle=F("answer__task__bundle"), answer__is_current=True)
    found = found.filter(answer__status=AnswerStatus.ANSWERED, answer__task__category=round_.category)
    found = found.filter(answer__network__is_control=round_.is_trial, answer__task__status=TaskStatus.PUBLISHED)
    if round_.purpose in BARRED:
        found = found.exclude(answer__task__use=BARRED[Purpose(round_.purpose)])
    if round_.editions and not round_.is_trial:
        found = found.filter(answer__edition__slug__in=round_.editions)
    if round_.tasks:
        found = found.filter(answer__task__key__in=round_.tasks)
    found = found.exclude(answer__in=Item.objects.filter(round__state=RoundState.OPEN).values("answer"))
    scores = {score.answer_id: score for score in found.select_related("answer", "bundle").defer("evidence", "card")}
    candidates = tuple(
        Candidate(pk, score.answer.task_id, tuple(machine_step(score, axis)[0] for axis in round_.axes))
        for pk, score in sorted(scores.items())
    )
    return Pool(stack, scores, tuple(entry for entry in candidates if set(entry.steps) != {None}))


def design() -> float:
    return float(stacks.protocol().verified["design"]["proportional"])


def sample(round_: Round, found: Pool) -> list[Drawn]:
    """The sample by the round's seed; a small trial does without strata. Raises RoundError."""
    if round_.is_trial and 0 < round_.size < len({candidate.steps for candidate in found.candidates}):
        return sampling.draw_plainly(found.candidates, round_.size, round_.seed)
    try:
        return sampling.draw(found.candidates, min(round_.size, len(found.candidates)), round_.seed, design())
    except sampling.SampleTooSmall as error:
        counts = {"size": error.size, "strata": error.strata}
        raise RoundError(_("ответов %(size)s, а страт %(strata)s: каждой нужен хотя бы один") % counts) from None
    except ValueError:
        raise RoundError(_("подходящих ответов нет")) from None


@dataclass(frozen=True)
class Plan:
    """What the planner says; `problem` in place of the rest where nothing can be drawn."""

    population: int
    strata: int
    answers: int
    tasks: int
    gradings: int
    steps: Mapping[str, Mapping[str, int]]
    expected: tuple[planner.Expectation, ...]
    problem: str = ""


def plan(round_: Round) -> Plan:
    """What a round of this size would see and how narrow κ's interval could be."""
    found = pool(round_)
    cells = sampling.strata(found.candidates)
    try:
        drawn = sample(round_, found)
    except RoundError as error:
        return Plan(len(found.candidates), len(cells), 0, 0, 0, {}, (), str(error))
    counts = sampling.step_counts(drawn, round_.axes)
    tasks = len({entry.task for entry in drawn})
    supposed = planner.Supposed.of(stacks.protocol().verified)
    expected = tuple(
        planner.expectation(
            axis, {int(step): n for step, n in counts[axis].items() if step != "x"}, tasks, supposed, round_.seed % 2**32
        )
        for axis in round_.axes
    )
    twice = len(sampling.overlapping(len(drawn), round_.overlap, round_.seed + OVERLAP))
    gradings = len(drawn) + twice * (round_.graders - 1)
    return Plan(len(found.candidates), len(cells), len(drawn), tasks, gradings, counts, expected)


def new_seed() -> int:
    """A seed of nobody's choice."""
    return secrets.randbelow(2**31)


@transaction.atomic
def create(actor: Any, values: Mapping[str, Any], experts: Iterable[Any]) -> Round:
    """A round in preparation; a seed is made up when none is given."""
    data = dict(values)
    seed = data.pop("seed", None)
    made = Round.objects.create(
        **data, seed=new_seed() if seed is None else seed, slug=secrets.token_hex(5), created_by=actor
    )
    made.experts.set(experts)
    audit.record(actor, "round.created", made.slug, title=made.title, purpose=made.purpose)
    return made


@transaction.atomic
def open_round(actor: Any, round_: Round) -> Round:
    """Draws the sample, freezes the machine's steps, makes the slots, and withholds the answers. Raises RoundError."""
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if round_.state != RoundState.DRAFT:
        raise RoundError(_("Раунд уже открывали."))
    if round_.experts.count() < round_.graders:
        raise RoundError(_("Экспертов в раунде нужно не меньше %(n)s.") % {"n": round_.graders})
    found = pool(round_)
    drawn = sample(round_, found)
    rules = stacks.protocol()
    assert found.stack is not None
    round_.stack, round_.population = found.stack, len(found.candidates)
    round_.protocol_version, round_.protocol_hash = rules.version, rules.hash
    round_.rubric_version = rules.rubric.version
    round_.state, round_.opened_at = RoundState.OPEN, timezone.now()
    round_.save()
    items = [*_items(round_, drawn, found.scores), *_gold_items(round_, {entry.answer for entry in drawn})]
    Item.objects.bulk_create(items)
    _make_slots(round_, items)
    _settle_tasks(round_, {entry.task for entry in drawn})
    audit.record(actor, "round.opened", round_.slug, answers=len(drawn), seed=round_.seed)
    data_changed()
    return round_


def _items(round_: Round, drawn: list[Drawn], scores: Mapping[int, Score]) -> list[Item]:
    twice = sampling.overlapping(len(drawn), round_.overlap, round_.seed + OVERLAP)
    again = sampling.overlapping(len(drawn), round_.repeats, round_.seed + REPEATS)
    return [
        _item(round_, scores[entry.answer], entry.stratum, entry.probability, round_.graders if place in twice else 1, place in again)
        for place, entry in enumerate(drawn)
    ]


def _item(round_: Round, score: Score, stratum: str, probability: float, graders: int, repeat: bool) -> Item:
    steps = {axis: machine_step(score, axis) for axis in round_.axes}
    return Item(
        round=round_, answer=score.answer, score=score, bundle_digest=score.bundle.digest, stratum=stratum,
        probability=probability, graders=graders, has_repeat=repeat,
        steps={axis: step for axis, (step, _) in steps.items() if step is not None},
        missing={axis: why for axis, (step, why) in steps.items() if step is None},
    )  # fmt: skip


def _gold_items(round_: Round, taken: set[int]) -> list[Item]:
    """Adjudicated answers of earlier rounds, each for every expert, to check the graders themselves."""
    if not round_.gold:
        return []
    verdicts: dict[int, dict[str, int]] = {}
    earlier = Adjudication.objects.filter(item__round__category=round_.category, axis__in=round_.axes).exclude(item__answer__in=taken)
    for verdict in earlier.select_related("item").order_by("pk"):
        verdicts.setdefault(verdict.item.answer_id, {})[verdict.axis] = verdict.value
    chosen = random.Random(round_.seed + GOLD).sample(sorted(verdicts), min(round_.gold, len(verdicts)))
    known = {item.answer_id: item for item in Item.objects.filter(answer__in=chosen).order_by("pk")}
    experts = round_.experts.count()
    return [
        Item(
            round=round_, answer_id=pk, score_id=known[pk].score_id, bundle_digest=known[pk].bundle_digest,
            stratum=GOLD_STRATUM, probability=1.0, graders=experts, steps=known[pk].steps, gold=verdicts[pk],
        )
        for pk in chosen
    ]  # fmt: skip


def _make_slots(round_: Round, items: list[Item]) -> None:
    slots = [Slot(item=item, place=0) for item in items for _ in range(item.graders)]
    random.Random(round_.seed + ORDER).shuffle(slots)
    for place, slot in enumerate(slots):
        slot.place = place
    Slot.objects.bulk_create(slots)


def _settle_tasks(round_: Round, tasks: set[int]) -> None:
    """What a round used for one purpose is never used for the other."""
    if round_.purpose in BECOMES:
        free = Task.objects.filter(pk__in=tasks, use=TaskUse.FREE)
        free.update(use=BECOMES[Purpose(round_.purpose)])


@transaction.atomic
def close_round(actor: Any, round_: Round) -> None:
    """Ends the grading; the answers are public again. Raises RoundError."""
    closed = Round.objects.filter(pk=round_.pk, state=RoundState.OPEN)
    if closed.update(state=RoundState.CLOSED, closed_at=timezone.now()) != 1:
        raise RoundError(_("Раунд сейчас не идёт."))
    audit.record(actor, "round.closed", round_.slug)
    data_changed()


@transaction.atomic
def discard(actor: Any, round_: Round) -> None:
    """Removes a round that was never opened. Raises RoundError."""
    if round_.state != RoundState.DRAFT:
        raise RoundError(_("Удалить можно только раунд, который ещё готовится."))
    audit.record(actor, "round.discarded", round_.slug, title=round_.title)
    round_.delete()


def withheld() -> frozenset[int]:
    """Answers of open rounds. One query."""
    return frozenset(Item.objects.filter(round__state=RoundState.OPEN).values_list("answer_id", flat=True))
