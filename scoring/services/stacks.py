"""Stacks: which instruments in which versions, under which protocol, gave a score; and which one a board shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from django.conf import settings

from scoring.models import Score, ShownStack, Stack, StackKind
from scoring.protocol import Protocol, load_protocol
from scoring.services.versions import data_changed


def protocol() -> Protocol:
    """The protocol in force: the files of `metrics/`. Raises FaultyData."""
    return load_protocol(settings.PRISM_METRICS_DIR)


def measured_stack(instruments: Mapping[str, str], rules: Protocol) -> Stack:
    """The stack of these instruments (what → name and version) under `rules`, stored once."""
    name = " + ".join(dict.fromkeys(instruments.values())) + f" · L1 {rules.version}"
    return _stored(StackKind.MEASURED, name, instruments, rules.version, rules.hash, {})


def recorded_stack(facts: Mapping[str, str]) -> Stack:
    """The stack of a file of recorded scores, told apart by what its header says."""
    shown = [facts[key] for key in ("evaluator_id", "runner", "syntax_analyzer") if facts.get(key)]
    version = facts.get("protocol_version", "")
    name = ("recorded: " + " · ".join([*shown, f"L1 {version}"]))[:160]
    told = {key: value for key, value in facts.items() if key != "experiment_id"}
    return _stored(StackKind.RECORDED, name, {}, version, "", told)


def _stored(
    kind: StackKind, name: str, instruments: Mapping[str, str], version: str, digest: str, facts: Mapping[str, str]
) -> Stack:
    identity = [kind.value, dict(instruments), version, digest, dict(facts)]
    key = hashlib.sha256(json.dumps(identity, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    values = {
        "kind": kind,
        "name": name[:160],
        "instruments": dict(instruments),
        "protocol_version": version,
        "protocol_hash": digest,
        "facts": dict(facts),
    }
    stack, _ = Stack.objects.get_or_create(key=key, defaults=values)
    return stack


def show_stack(category: str, stack: Stack) -> None:
    """Puts a stack on the category's board."""
    shown = ShownStack.objects.filter(category=category).first()
    if shown and shown.stack_id == stack.pk:
        return
    ShownStack.objects.update_or_create(category=category, defaults={"stack": stack})
    data_changed()


def shown_stack(category: str) -> Stack | None:
    """The stack of the category's board; without a choice the newest with scores there (our own first), or None."""
    chosen = ShownStack.objects.select_related("stack").filter(category=category).first()
    if chosen:
        return chosen.stack
    used = Stack.objects.filter(pk__in=Score.objects.filter(answer__task__category=category).values("stack"))
    ours = used.filter(kind=StackKind.MEASURED)
    return (ours.order_by("-created_at").first()) or used.order_by("-created_at").first()
