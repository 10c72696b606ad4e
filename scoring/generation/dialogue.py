"""One answer: what is said to the network, its look-ups in the schema, its last word, and the record of all of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.generation.catalogue import EditionCard, NetworkCard, ToolLimits
from scoring.generation.channels.base import Message, Reply, Request
from scoring.generation.schema import SchemaBook, SchemaObject
from scoring.generation.tools import DEFINITIONS, Served, ToolDesk

Ask = Callable[[Request], Reply]

# How providers call the end of a generation that is no answer; whatever else they say is a regular end.
_FINISHED = {
    "length": "truncated",
    "max_tokens": "truncated",
    "content_filter": "refused",
    "refusal": "refused",
    "blacklist": "refused",
    "error": "failed",
    "cancelled": "failed",
    # A recording's own word for a research that went in circles.
    "tool_loop": "tool_loop",
}
STATUSES = ("answered", "empty", "truncated", "refused", "tool_loop", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a network may learn of a task; nothing else of the bundle is reachable from here."""

    task: str
    category: str
    prompt: str
    signature: str
    configuration: Mapping[str, Any] = field(default_factory=dict)

    def condition(self) -> str:
        """The user's message."""
        return f"{self.prompt.strip()}\n\nСигнатура: {self.signature.strip()}" if self.signature.strip() else self.prompt.strip()


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A cell of the plan and what makes its conversation reproducible. ``key`` is the caller's own mark of it."""

    brief: Brief
    network: NetworkCard
    edition: EditionCard
    run: int
    seed: int
    key: int = 0

    @property
    def parameters(self) -> dict[str, Any]:
        """The edition's parameters with the network's own over them; a null takes one away."""
        merged = {**self.edition.parameters, **self.network.parameters}
        return {key: value for key, value in merged.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Attempt:
    """The honest record of one answer. ``status`` is one of :data:`STATUSES`; ``requests`` counts turns, ``seconds`` the
    provider's time without our waits between attempts."""

    status: str
    text: str = ""
    finish_reason: str = ""
    error: str = ""
    model_id: str = ""
    tokens_input: int = 0
    tokens_output: int = 0
    cost: float | None = None
    seconds: float = 0.0
    messages: tuple[Message, ...] = ()
    trace: tuple[Served, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    requests: int = 0

    @property
    def digest(self) -> str:
        """Hash of everything that was sent and received."""
        return record_digest(self.messages, self.text, self.parameters)


def record_digest(messages: Sequence[Message], text: str, parameters: Mapping[str, Any]) -> str:
    """SHA-256 of ``[messages, text, parameters]`` as JSON with sorted keys: anyone can recompute it from what is stored."""
    record = json.dumps([list(map(dict, messages)), text, dict(parameters)], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(record.encode("utf-8", "surrogatepass")).hexdigest()


class Dialogue:
    """The conversation over one cell. Give it ``ask`` (with retries inside) and run it once."""

    def __init__(
        self, cell: Cell, system_prompt: str, limits: ToolLimits, ask: Ask, store: Sequence[SchemaObject] = ()
    ) -> None:
        self.cell = cell
        self.limits = limits
        self.ask = ask
        self.messages: list[Message] = [
            {"role": "system", "content": system_prompt},
            {"role": "user", "content": cell.brief.condition()},
        ]
        self.parameters = cell.parameters
        self.tokens_input = self.tokens_output = self.turn = 0
        self.seconds = 0.0
        self.cost: float | None = None
        self.model_id = ""
        self.desk = self._desk(store)

    def _desk(self, store: Sequence[SchemaObject]) -> ToolDesk | None:
        """Without tool support, or in an edition without tools, a network sees no schema: that is by design."""
        brief = self.cell.brief
        if not (self.cell.edition.schema_tools and self.cell.network.tools and brief.configuration):
            return None
        seed = f"{self.cell.seed}:{brief.task}"
        return ToolDesk(SchemaBook.of(brief.configuration, store, self.limits.distractors, seed), self.limits)

    def run(self) -> Attempt:
        """Talk until the last word. Raises what ``ask`` raises; :meth:`broken` then tells what there was until then."""
        reply = self._say()
        while self.desk is not None and reply.tool_calls and reply.finish_reason not in _FINISHED:
            self._serve(reply, self.desk)
            if self.desk.loop:
                return self._record("tool_loop", reply)
            reply = self._say()
        self.messages.append(_assistant(reply))
        return self._record(_status(reply), reply)

    def broken(self, status: str, error: str) -> Attempt:
        """The record of a conversation that a fault ended."""
        return self._record(status, Reply("", ""), error)

    def _say(self) -> Reply:
        cell = self.cell
        reply = self.ask(
            Request(
                cell.network.id, tuple(self.messages), self.parameters, DEFINITIONS if self.desk else (),
                (cell.brief.task, cell.network.name, cell.run), self.turn,
                may_call=self.desk is not None and not self.desk.finished,
            )
        )  # fmt: skip
        self.turn += 1
        self.tokens_input += reply.tokens_input
        self.tokens_output += reply.tokens_output
        self.seconds += reply.seconds
        self.model_id = reply.model_id or self.model_id
        if reply.cost is not None:
            self.cost = (self.cost or 0.0) + reply.cost
        return reply

    def _serve(self, reply: Reply, desk: ToolDesk) -> None:
        desk.begin_round()
        self.messages.append(_assistant(reply))
        for call in reply.tool_calls:
            self.messages.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": desk.serve(call)})

    def _record(self, status: str, reply: Reply, error: str = "") -> Attempt:
        trace: Sequence[Served] = self.desk.trace if self.desk else ()
        return Attempt(
            status, reply.text, reply.finish_reason, error, self.model_id, self.tokens_input, self.tokens_output, self.cost,
            self.seconds, tuple(self.messages), tuple(trace), self.parameters, self.turn,
        )  # fmt: skip


def _status(reply: Reply) -> str:
    return _FINISHED.get(reply.finish_reason) or ("answered" if reply.text.strip() else "empty")


def _assistant(reply: Reply) -> Message:
    if not reply.tool_calls:
        return {"role": "assistant", "content": reply.text}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}
