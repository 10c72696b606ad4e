"""A recording instead of a network: rehearsals need no network and no key.

The recording is an ``experiment_*.json`` of the field's format. A cell that it lacks is a provider's error, as in life.
"""

from __future__ import annotations

import json
from pathlib import Path

from scoring.generation.channels.base import ChannelFault, ChannelUnavailable, Reply, Request


class ReplayLine:
    """Answers by (task, network, run): the recorded text, with its tokens and its finish reason."""

    def __init__(self, recording: Path | None) -> None:
        if recording is None:
            raise ChannelUnavailable("channel replay: name the recording (--replay experiment.json)")
        self._replies = _read(recording)

    def ask(self, request: Request) -> Reply:
        task, network, run = request.cell
        reply = self._replies.get((task, network, run))
        if reply is None:
            raise ChannelFault("request", f"the recording has no answer of {network} to {task}, run {run}")
        return reply

    def close(self) -> None:
        return None


def _read(path: Path) -> dict[tuple[str, str, int], Reply]:
    try:
        data = json.loads(path.read_text("utf-8-sig"))
        return {
            (cell["task_id"], cell["model_name"], int(run.get("run_index", 0))): Reply(
                text=run.get("response") or "",
                finish_reason=run.get("finish_reason") or ("stop" if run.get("success", True) else "error"),
                tokens_input=int(run.get("tokens_input") or 0),
                tokens_output=int(run.get("tokens_output") or 0),
                model_id=cell.get("model_id") or "",
                cost=run.get("cost_total"),
            )
            for cell in data["task_results"]
            for run in cell["runs"]
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ChannelUnavailable(f"channel replay: {path.name} is no recording of answers ({error!r})") from None
