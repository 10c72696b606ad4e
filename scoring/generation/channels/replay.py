"""A recording instead of a network: rehearsals need no network and no key.

The recording is an ``experiment_*.json`` of the field's format. A cell that it lacks is a provider's error, as in life. A run
of it may hold ``turns``, the look-ups before the answer (``[[{"name": …, "arguments": "…"}, …], …]``): they are asked anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.generation.channels.base import ChannelFault, ChannelUnavailable, Reply, Request, plain_text
from scoring.generation.tools import ToolCall

Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Recording:
    """Who answered what, and how often: enough to order the same run again."""

    networks: tuple[str, ...]
    tasks: tuple[str, ...]
    answers_per_task: int


class ReplayLine:
    """Answers by (task, network, run): the recorded text, with its tokens, its time and its finish reason."""

    def __init__(self, recording: Path | None) -> None:
        if recording is None:
            raise ChannelUnavailable("channel replay: name the recording (--replay experiment.json)")
        self._runs = {key: (model, run) for key, model, run in _runs(recording)}

    def ask(self, request: Request) -> Reply:
        task, network, number = request.cell
        found = self._runs.get(request.cell)
        if found is None:
            raise ChannelFault("request", f"the recording has no answer of {network} to {task}, run {number}")
        model, run = found
        turns = run.get("turns") or []
        if request.may_call and request.turn < len(turns):
            return Reply("", "tool_calls", tuple(_calls(turns[request.turn], request.turn)), model_id=model)
        return _reply(model, run)

    def close(self) -> None:
        return None


def describe_recording(path: Path) -> Recording:
    """Raises ChannelUnavailable for a file that is no recording."""
    keys = [key for key, _model, _run in _runs(path)]
    networks = dict.fromkeys(network for _task, network, _number in keys)
    tasks = dict.fromkeys(task for task, _network, _number in keys)
    return Recording(tuple(networks), tuple(tasks), max((number for *_cell, number in keys), default=0) + 1)


def _reply(model: str, run: Mapping[str, Any]) -> Reply:
    reason = run.get("finish_reason") or ("stop" if run.get("success", True) else "error")
    cost = run.get("cost_total")
    return Reply(
        plain_text(run.get("response")), str(reason), (), int(run.get("tokens_input") or 0), int(run.get("tokens_output") or 0),
        model, cost=None if cost is None else float(cost), seconds=float(run.get("elapsed_time") or 0.0),
    )  # fmt: skip


def _calls(turn: Iterable[Mapping[str, Any]], number: int) -> Iterable[ToolCall]:
    for place, call in enumerate(turn):
        yield ToolCall(f"call_{number}_{place}", str(call["name"]), str(call.get("arguments") or ""))


def _runs(path: Path) -> list[tuple[Key, str, Mapping[str, Any]]]:
    try:
        data = json.loads(path.read_text("utf-8-sig"))
        return [
            ((str(cell["task_id"]), str(cell["model_name"]), int(run.get("run_index", place))), str(cell.get("model_id") or ""), run)
            for cell in data["task_results"]
            for place, run in enumerate(cell["runs"])
        ]
    except OSError as error:
        raise ChannelUnavailable(f"channel replay: {path.name} cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ChannelUnavailable(f"channel replay: {path.name} is no recording of answers ({type(error).__name__}: {error})") from None
