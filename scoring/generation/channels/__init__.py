"""Ways to reach a network. A new provider with an OpenAI-compatible endpoint is an entry of ``data/channels.yaml``; one with a
protocol of its own is one small module here and a kind in :func:`open_channel`."""

from __future__ import annotations

from pathlib import Path

from scoring.generation.catalogue import Channel
from scoring.generation.channels.base import ChannelFault, ChannelUnavailable, Line, Reply, Request
from scoring.generation.channels.replay import Recording, ReplayLine, describe_recording

__all__ = [
    "ChannelFault", "ChannelUnavailable", "Line", "Recording", "Reply", "Request", "describe_recording", "open_channel",
]  # fmt: skip


def open_channel(channel: Channel, *, timeout: float, recording: Path | None = None) -> Line:
    """A line over ``channel``; with a recording every channel is a replay of it, and no key is looked at.

    Raises :class:`ChannelUnavailable` with what to do where it can't be used here.
    """
    if recording is not None or channel.kind == "replay":
        return ReplayLine(recording)
    missing = channel.missing()
    if missing:
        raise ChannelUnavailable(f"channel {channel.id}: {missing}")
    if channel.kind == "gigachat":
        from scoring.generation.channels.gigachat import GigaChatLine

        return GigaChatLine(channel, timeout)
    from scoring.generation.channels.openai_compatible import OpenAILine

    return OpenAILine(channel, timeout)
