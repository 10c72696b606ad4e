"""Verified: granted when a round is published, taken away by itself when what was verified changes; every step an event."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from review.certificate import axis_certificate, task_certificate
from review.models import Item, Purpose, Round, VerdictKind, VerifiedEvent
from review.services import agreement, disputes
from review.services.rounds import machine_step
from review.verified import Basis, TaskEvidence, changes
from scoring.models import Category, Score, Stack, Task
from scoring.services import stacks
from scoring.services.reviewing import Marks
from scoring.services.versions import data_changed, data_version

STANDING = (VerdictKind.VERIFIED, VerdictKind.PROVISIONAL)
CACHE_SECONDS = 24 * 3600


def axis_subject(category: str, axis: str) -> str:
    return f"{category}:{axis}"


def task_subject(key: str) -> str:
    return f"task:{key}"


# -- the log -----------------------------------------------------------------------------------------------------------


@transaction.atomic
def append(kind: str, subject: str, round_: Round | None, certificate: Mapping[str, Any], reason: str = "", diff: Mapping[str, Any] | None = None) -> VerifiedEvent:
    """Adds an event that carries the hash of the one before it."""
    last = VerifiedEvent.objects.select_for_update().order_by("-pk").first()
    previous = last.digest if last else ""
    at = timezone.now()
    content = [previous, at.isoformat(), kind, subject, certificate.get("digest", ""), reason, dict(diff or {})]
    return VerifiedEvent.objects.create(
        at=at, kind=kind, subject=subject, round=round_, certificate=dict(certificate), reason=reason, diff=dict(diff or {}),
        previous=previous, digest=_hash(content),
    )  # fmt: skip


def _hash(content: list[Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def broken_events() -> list[int]:
    """Ids of events that were changed, or whose predecessor is missing; empty for a sound log."""
    found, previous = [], ""
    for event in VerifiedEvent.objects.order_by("pk"):
        content = [event.previous, event.at.isoformat(), event.kind, event.subject, event.certificate.get("digest", ""), event.reason, event.diff]
        if event.previous != previous or event.digest != _hash(content):
            found.append(event.pk)
        previous = event.digest
    return found


def newest_by_engines() -> dict[tuple[str, str], VerifiedEvent]:
    """(subject, engines) → newest event: what was granted to the scores of one set of engines says nothing of another's."""
    events = VerifiedEvent.objects.order_by("pk").select_related("round__stack").defer("certificate")
    return {(event.subject, _engines_of(event)): event for event in events}


def newest_shown() -> dict[str, VerifiedEvent]:
    """Subject → newest event of the engines that the board of its category shows."""
    shown = {category: stacks.shown_stack(category) for category in Category.values}
    return {
        subject: event
        for (subject, own), event in newest_by_engines().items()
        if (stack := shown.get(_category_of(event))) is None or engines_key(stack) == own
    }


def newest_like(event: VerifiedEvent) -> VerifiedEvent:
    """The newest event of the same subject and engines."""
    return newest_by_engines().get((event.subject, _engines_of(event)), event)


def engines_key(stack: Stack | None) -> str:
    """The engines by question, without their versions; a recorded stack is known by itself alone."""
    if stack is None or not stack.instruments:
        return stack.key if stack else ""
    return json.dumps({question: name.split(" ", 1)[0] for question, name in stack.instruments.items()}, sort_keys=True)


def _engines_of(event: VerifiedEvent) -> str:
    return engines_key(event.round.stack if event.round else None)


def _category_of(event: VerifiedEvent) -> str:
    return event.round.category if event.round else "A"


# -- granting ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def decide_round(round_: Round) -> list[VerifiedEvent]:
    """Decides every axis and task of a published validation round. A trial or a calibration never counts."""
    if round_.purpose != Purpose.VALIDATION:
        return []
    found = agreement.grades(round_)
    basis = basis_of(round_)
    events = [_decide_axis(round_, axis, found, basis) for axis in round_.axes]
    events += [event for task in _tasks(round_) if (event := _decide_task(round_, task, found, basis))]
    data_changed()
    return events


def _decide_axis(round_: Round, axis: str, found: agreement.RoundGrades, basis: Mapping[str, Any]) -> VerifiedEvent:
    rules = stacks.protocol()
    subject = axis_subject(round_.category, axis)
    letters = f":{axis}"
    facts = {
        "subject": subject,
        "round": agreement.round_facts(round_),
        "basis": {**basis, "steps": {key: step for key, step in basis["steps"].items() if key.endswith(letters)}},
        "tasks": {str(pk): key for pk, key in found.tasks.items()},
    }
    reachable = agreement.reachable_steps(rules, axis)
    certificate = axis_certificate(facts, found.rows[axis], rules.verified, reachable, round_.seed)
    return append(certificate["result"]["status"], subject, round_, certificate)


def _tasks(round_: Round) -> list[Task]:
    return list(Task.objects.filter(answers__review_items__round=round_).distinct().order_by("key"))


def _decide_task(round_: Round, task: Task, found: agreement.RoundGrades, basis: Mapping[str, Any]) -> VerifiedEvent | None:
    """None for a task too few of whose answers were graded to say anything, unless it stood before."""
    rows = [row for rows in found.rows.values() for row in rows if row.task == task.pk and not row.is_repeat and row.gold is None]
    pairs = [(row.grade, row.machine) for row in rows if row.machine is not None]
    answers = len({row.answer for row in rows})
    evidence = TaskEvidence(answers, pairs, disputes.disputed_items(task, round_))
    subject = task_subject(task.key)
    own = {key: step for key, step in basis["steps"].items() if basis["task_of"].get(key.partition(":")[0]) == task.key}
    facts = {
        "subject": subject,
        "round": agreement.round_facts(round_),
        "basis": {**basis, "steps": own, "bundles": {task.key: basis["bundles"].get(task.key, "")}},
    }
    certificate = task_certificate(facts, evidence, stacks.protocol().verified)
    last = newest_by_engines().get((subject, engines_key(round_.stack)))
    if certificate["result"]["status"] == VerdictKind.REFUSED and (last is None or last.kind not in STANDING):
        return None
    return append(certificate["result"]["status"], subject, round_, certificate)


def basis_of(round_: Round) -> dict[str, Any]:
    """What the round's marks stand on, as plain values; `steps`: "answer:axis" → step."""
    items = list(Item.objects.filter(round=round_, gold={}).select_related("answer__task"))
    return {
        "protocol_hash": stacks.protocol().hash,
        "protocol_version": stacks.protocol().version,
        "stack": round_.stack.key if round_.stack else "",
        "stack_name": round_.stack.name if round_.stack else "",
        "bundles": {item.answer.task.key: item.bundle_digest for item in items},
        "steps": {f"{item.answer_id}:{axis}": item.steps.get(axis) for item in items for axis in round_.axes},
        "task_of": {str(item.answer_id): item.answer.task.key for item in items},
    }


# -- revoking ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def revoke_outdated() -> list[VerifiedEvent]:
    """Takes away every mark whose basis no longer holds, with the difference. Cheap when nothing stands."""
    events = []
    for (subject, _engines), event in newest_by_engines().items():
        if event.kind in STANDING:
            difference = _difference(event)
            if difference:
                events.append(append(VerdictKind.REVOKED, subject, event.round, {}, "+".join(sorted(difference)), difference))
    if events:
        data_changed()
    return events


def _difference(event: VerifiedEvent) -> dict[str, Any]:
    category = _category_of(event)
    told = VerifiedEvent.objects.get(pk=event.pk).certificate["basis"]
    old = Basis(told["protocol_hash"], told["stack"], told["bundles"], told["steps"])
    return changes(old, _present(category, old, _engines_of(event)))


def _present(category: str, old: Basis, engines: str) -> Basis:
    """The same answers and tasks as they are now."""
    shown = stacks.shown_stack(category)
    if shown and engines_key(shown) != engines:
        # The board shows other engines now. That says nothing about the marks of these.
        shown = None
    bundles = dict(Task.objects.filter(key__in=old.bundles, bundle__isnull=False).values_list("key", "bundle__digest"))
    key = shown.key if shown else old.stack
    steps: dict[str, int | None] = {}
    if shown and key != old.stack:
        wanted: dict[int, list[str]] = defaultdict(list)
        for name in old.steps:
            answer, _, axis = name.partition(":")
            wanted[int(answer)].append(axis)
        for score in Score.objects.filter(stack=shown, answer__in=list(wanted)).order_by("bundle__number").defer("evidence", "card"):
            steps.update({f"{score.answer_id}:{axis}": machine_step(score, axis)[0] for axis in wanted[score.answer_id]})
    return Basis(stacks.protocol().hash, key, bundles, steps)


# -- reading -----------------------------------------------------------------------------------------------------------


def current() -> Marks:
    """The marks in force; whatever became outdated since the last look is revoked first. Cached by data version and protocol."""
    key = f"review-marks:{data_version()}:{stacks.protocol().hash}:{stacks.protocol().verified['version']}"
    found: Marks | None = cache.get(key)
    if found is None:
        revoke_outdated()
        found = _read()
        cache.set(key, found, CACHE_SECONDS)
    return found


def _read() -> Marks:
    """Marks of the engines that the boards show: those of others stand where they were granted, and come back with them."""
    axes, keys = {}, []
    for subject, event in newest_shown().items():
        if event.kind not in STANDING:
            continue
        if subject.startswith("task:"):
            keys.append(subject.removeprefix("task:"))
        else:
            category, _, axis = subject.partition(":")
            axes[category, axis] = str(event.kind)
    tasks = frozenset(Task.objects.filter(key__in=keys).values_list("pk", flat=True))
    return Marks(axes, tasks, disputes.doubted_tasks())
