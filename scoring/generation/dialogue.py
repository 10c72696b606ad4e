"""One answer: what is said to the network, its look-ups in the schema, its last word, and the record of all of it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.generation.catalogue import EditionCard, NetworkCard, ToolLimits
from scoring.generation.channels.base import Message, Reply, Request
from scoring.generation.schema import SchemaBook
from scoring.generation.tools import DEFINITIONS, Served, ToolDesk

Ask = Callable[[Request], Reply]

_FINISHED = {"length": "truncated", "content_filter": "refused", "refusal": "refused", "error": "failed"}
_NOW_CODE = "Изучение схемы закончено. Теперь верни код."


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
        return f"{self.prompt.strip()}\n\nСигнатура: {self.signature}" if self.signature else self.prompt.strip()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the plan and what makes its conversation reproducible."""

    brief: Brief
    network: NetworkCard
    edition: EditionCard
    run: int
    seed: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """The honest record of one answer. ``status``: answered, empty, truncated, refused, tool_loop, failed, cancelled."""

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

    @property
    def digest(self) -> str:
        """Hash of everything that was sent and received."""
        record = json.dumps([list(map(dict, self.messages)), self.text, dict(self.parameters)], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(record.encode("utf-8", "surrogatepass")).hexdigest()


class Dialogue:
    """The conversation over one cell. Give it ``ask`` (with retries inside) and run it once."""

    def __init__(self, cell: Cell, system_prompt: str, limits: ToolLimits, ask: Ask) -> None:
        self.cell = cell
        self.limits = limits
        self.ask = ask
        self.messages: list[Message] = [
            {"role": "system", "content": system_prompt},
            {"role": "user", "content": cell.brief.condition()},
        ]
        self.tokens_input = self.tokens_output = 0
        self.cost: float | None = None
        self.turn = 0
        self.desk = self._desk()

    def _desk(self) -> ToolDesk | None:
        wanted = self.cell.edition.schema_tools and self.cell.network.tools and bool(self.cell.brief.configuration)
        if not wanted:
            return None
        book = SchemaBook.of(self.cell.brief.configuration, distractors=self.limits.distractors, seed=self.cell.seed)
        return ToolDesk(book, self.limits)

    def run(self) -> Attempt:
        """Talk until the last word. Raises what ``ask`` raises."""
        started = time.monotonic()
        reply = self._say()
        while reply.tool_calls and self.desk is not None and not self.desk.loop:
            if not self._serve(reply, self.desk):
                break
            reply = self._say()
        return self._record(reply, time.monotonic() - started)

    def _say(self) -> Reply:
        open_desk = self.desk is not None and not self.desk.finished
        brief, cell = self.cell.brief, self.cell
        reply = self.ask(
            Request(
                cell.network.id, tuple(self.messages), cell.edition.parameters, DEFINITIONS if open_desk else (),
                (brief.task, cell.network.name, cell.run), self.turn,
            )
        )  # fmt: skip
        self.turn += 1
        self.tokens_input += reply.tokens_input
        self.tokens_output += reply.tokens_output
        if reply.cost is not None:
            self.cost = (self.cost or 0.0) + reply.cost
        return reply

    def _serve(self, reply: Reply, desk: ToolDesk) -> bool:
        """Answer a reply's calls; False when the research must end and the network would not stop."""
        in_time = desk.begin_round()
        if not in_time and desk.finished:
            return False
        self.messages.append(_assistant(reply))
        for call in reply.tool_calls:
            content = desk.serve(call) if in_time else json.dumps({"error": _NOW_CODE}, ensure_ascii=False)
            self.messages.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": content})
        if not in_time:
            desk.finished = True
        if desk.finished:
            self.messages.append({"role": "user", "content": _NOW_CODE})
        return True

    def _record(self, reply: Reply, seconds: float) -> Attempt:
        trace: Sequence[Served] = self.desk.trace if self.desk else ()
        self.messages.append(_assistant(reply))
        return Attempt(
            self._status(reply), reply.text, reply.finish_reason, "", reply.model_id, self.tokens_input, self.tokens_output,
            self.cost, seconds, tuple(self.messages), tuple(trace), dict(self.cell.edition.parameters),
        )  # fmt: skip

    def _status(self, reply: Reply) -> str:
        if (self.desk is not None and self.desk.loop) or reply.tool_calls:
            return "tool_loop"
        named = _FINISHED.get(reply.finish_reason)
        if named:
            return named
        return "answered" if reply.text.strip() else "empty"


def _assistant(reply: Reply) -> Message:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool_calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.tool_calls
        ]
    return message
