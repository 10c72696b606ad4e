"""What every channel offers: one request, one reply, and faults that say whether trying again makes sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from scoring.generation.tools import ToolCall

Message = Mapping[str, Any]

# kind of fault → is it worth trying again?
RETRYABLE = {
    "rate": True,
    "server": True,
    "timeout": True,
    "network": True,
    "auth": False,
    "payment": False,
    "request": False,
    "refused": False,
}
# Faults that every further request over the channel would meet as well.
CLOSING = frozenset({"auth", "payment"})


class ChannelUnavailable(RuntimeError):
    """The channel can't be used here at all; the message says what to do."""


class ChannelFault(RuntimeError):
    """A request failed. ``kind`` is a key of :data:`RETRYABLE`; ``retry_after`` in seconds where the provider said so."""

    def __init__(self, kind: str, message: str, retry_after: float | None = None) -> None:
        self.kind = kind
        self.retry_after = retry_after
        super().__init__(message)

    @property
    def retryable(self) -> bool:
        return RETRYABLE[self.kind]


@dataclass(frozen=True, slots=True)
class Request:
    """One request for one completion. ``cell`` names the cell of the plan (for recordings); ``turn`` counts from 0.

    ``tools`` stand in every request of a conversation that has used them, for some providers refuse it otherwise; with
    ``may_call`` False none may be called any more.
    """

    model: str
    messages: Sequence[Message]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    tools: Sequence[Mapping[str, Any]] = ()
    cell: tuple[str, str, int] = ("", "", 0)
    turn: int = 0
    may_call: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """``finish_reason`` in OpenAI's words; tokens as the provider counted them; ``cost`` where it says one; ``seconds`` of
    the request that succeeded."""

    text: str
    finish_reason: str
    tool_calls: tuple[ToolCall, ...] = ()
    tokens_input: int = 0
    tokens_output: int = 0
    model_id: str = ""
    provider_id: str = ""
    cost: float | None = None
    seconds: float = 0.0


def plain_text(value: Any) -> str:
    """A provider's text as every database takes it: no NUL, no half of a surrogate pair."""
    return "" if value is None else str(value).replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Line(Protocol):
    """An open channel; used by several threads at once."""

    def ask(self, request: Request) -> Reply:
        """Raises :class:`ChannelFault`."""
        ...

    def close(self) -> None: ...
