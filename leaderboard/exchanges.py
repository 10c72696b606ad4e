"""How an answer came about: what the network asked, what it read, what it then made up, and everything that was said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ObjectDoesNotExist

from scoring.models import Answer, CostBasis, Exchange
from scoring.services import generation

FINISH = "finish_research"


@dataclass(frozen=True, slots=True)
class Research:
    """`read`: the task's own objects that were read in full; `astray`: objects that only distract; `unread`: own ones left out."""

    calls: int
    refused: int
    read: tuple[str, ...]
    astray: tuple[str, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the conversation; `calls`: what the network asked its tools for."""

    role: str
    text: str
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Former:
    """An attempt that was asked for again."""

    status: str
    error: str
    at: datetime | None
    tokens: int


@dataclass(frozen=True, slots=True)
class ExchangePage:
    """`cost` is None where nobody knows it; `research` is None for a network that was offered no tools."""

    exchange: Exchange
    cost: float | None
    currency: str
    basis: str
    parameters: tuple[tuple[str, str], ...]
    research: Research | None
    said: tuple[Said, ...]
    former: tuple[Former, ...]


def make_exchange(answer: Answer) -> ExchangePage | None:
    """None for answers that were imported: nothing of their making is known. Call only where details may be shown."""
    try:
        exchange = answer.exchange
    except ObjectDoesNotExist:
        return None
    return ExchangePage(
        exchange=exchange,
        cost=None if exchange.cost_basis == CostBasis.UNKNOWN else answer.cost,
        currency=exchange.run.currency if exchange.run else "",
        basis=str(CostBasis(exchange.cost_basis).label),
        parameters=tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in sorted(exchange.parameters.items())),
        research=_research(answer, exchange),
        said=tuple(_said(message) for message in exchange.messages if isinstance(message, dict)),
        former=tuple(_former(answer)),
    )


def _research(answer: Answer, exchange: Exchange) -> Research | None:
    own = generation.own_objects(answer.task)
    trace = [entry for entry in exchange.trace if isinstance(entry, dict)]
    offered = bool(own) and (bool(trace) or bool(answer.edition.conditions.get("schema_tools")))
    if not offered:
        return None
    read = dict.fromkeys(str(entry["object"]) for entry in trace if entry.get("ok") and entry.get("object"))
    return Research(
        calls=sum(entry.get("name") != FINISH for entry in trace),
        refused=sum(not entry.get("ok") for entry in trace),
        read=tuple(name for name in read if name in own),
        astray=tuple(name for name in read if name not in own),
        unread=tuple(name for name in own if name not in read),
    )


def _said(message: Mapping[str, Any]) -> Said:
    calls = message.get("tool_calls") or ()
    asked = (f"{call['function']['name']}({call['function']['arguments']})" for call in calls if isinstance(call, dict))
    return Said(str(message.get("role", "")), str(message.get("content") or ""), tuple(asked))


def _former(answer: Answer) -> Iterable[Former]:
    cell = {"edition": answer.edition_id, "task": answer.task_id, "network": answer.network_id, "run_index": answer.run_index}
    rows = Answer.objects.filter(**cell, revision__lt=answer.revision).order_by("revision")
    for status, error, at, given, taken in rows.values_list("status", "error", "answered_at", "tokens_input", "tokens_output"):
        yield Former(status, error, at, given + taken)
