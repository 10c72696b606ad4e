"""Frames on the private channel: four bytes of length, then JSON. Both sides use blocking descriptors."""

from __future__ import annotations

import json
import os
import select
import time
from typing import Any

_HEADER = 4
# Most replies fit into one read of this size.
_AT_ONCE = 1 << 16
# Requests carry a task's tests and fixtures; replies are bounded by the protocol's ``reply_bytes``.
MAX_REQUEST = 64 * 1024 * 1024

Message = dict[str, Any]


class ChannelClosed(Exception):
    """The other side is gone."""


class ChannelTimeout(Exception):
    """Nothing came in time."""


class MessageTooLarge(Exception):
    """The other side announced more than it may send."""


def encode(message: Message) -> bytes:
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return len(body).to_bytes(_HEADER, "big") + body


def send(descriptor: int, message: Message) -> None:
    """Write a whole frame. Raises :class:`ChannelClosed`."""
    data = memoryview(encode(message))
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError as error:
        raise ChannelClosed(str(error)) from None


def receive(descriptor: int, *, limit: int = MAX_REQUEST, timeout: float | None = None) -> Message:
    """Read a whole frame within ``timeout`` seconds (None = for ever), and nothing behind it."""
    deadline = None if timeout is None else time.monotonic() + timeout
    size = _size(_read(descriptor, _HEADER, deadline), limit)
    return _decoded(_read(descriptor, size, deadline))


def receive_reply(descriptor: int, *, limit: int, timeout: float) -> Message:
    """As :func:`receive`, where the other side sends one frame and then waits for ours: read as much as there is."""
    deadline = time.monotonic() + timeout
    _wait(descriptor, deadline)
    start = _part(descriptor, _AT_ONCE)
    if len(start) < _HEADER:
        start += _read(descriptor, _HEADER - len(start), deadline)
    size = _size(start[:_HEADER], limit)
    body = start[_HEADER:]
    if len(body) < size:
        body += _read(descriptor, size - len(body), deadline)
    if len(body) > size:
        raise ChannelClosed("more than a frame")
    return _decoded(body)


def _size(header: bytes, limit: int) -> int:
    size = int.from_bytes(header, "big")
    if size > limit:
        raise MessageTooLarge(f"{size} bytes announced, {limit} allowed")
    return size


def _decoded(body: bytes) -> Message:
    message = json.loads(body.decode("utf-8", "surrogatepass"))
    if not isinstance(message, dict):
        raise ChannelClosed("a frame that is no message")
    return message


def _read(descriptor: int, size: int, deadline: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        _wait(descriptor, deadline)
        parts += _part(descriptor, min(size - len(parts), 1 << 20))
    return bytes(parts)


def _part(descriptor: int, size: int) -> bytes:
    try:
        part = os.read(descriptor, size)
    except OSError as error:
        raise ChannelClosed(str(error)) from None
    if not part:
        raise ChannelClosed("end of channel")
    return part


def _wait(descriptor: int, deadline: float | None) -> None:
    if deadline is None:
        return
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise ChannelTimeout
