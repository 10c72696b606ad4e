"""The host's side: warmed parents, a fresh child per answer, and what its death means.

    with Sandbox(limits) as sandbox:
        with sandbox.answer(key, data) as child:  # data of a task, built once in the parent, inherited by every child
            reply = child.ask({"op": "tests", …})

A child that dies, hangs or talks too much raises :class:`ChildLost`; the next answer gets another child and never notices.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from scoring.protocol import RunLimits
from scoring.sandbox.limits import Walls
from scoring.sandbox.messages import (
    MAX_REQUEST,
    ChannelClosed,
    ChannelTimeout,
    Message,
    MessageTooLarge,
    receive_reply,
    send,
)

# Starting a parent imports and warms the engine; forking a child and building a task's data are quick beside it.
START_SECONDS = 60
PREPARE_SECONDS = 60
FORK_SECONDS = 20
# A parent is replaced after so many answers: whatever leaked in it, leaks no further.
ANSWERS_PER_PARENT = 5_000
# So is the child that checks texts: it runs no program, and one may serve many texts.
TEXTS_PER_CHECKER = 2_000
# Tasks whose data a parent keeps ready.
PREPARED_TASKS = 64

_ROOT = Path(__file__).resolve().parents[2]


class SandboxBroken(Exception):
    """The parent can't be started or used: the instrument's fault."""


class ChildLost(Exception):
    """The child gave no reply. ``reason``: ``clock`` (safety limit), ``died`` or ``too_much`` (reply over its bound)."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}")


class Child:
    """One answer's process. Ask as often as needed; after :class:`ChildLost` it is gone."""

    def __init__(self, channel: socket.socket, limits: RunLimits) -> None:
        self._channel = channel
        self._limits = limits

    def ask(self, request: Message) -> Message:
        """Send a request and wait for its reply."""
        descriptor = self._channel.fileno()
        try:
            send(descriptor, request)
            return receive_reply(descriptor, limit=self._limits.reply_bytes, timeout=self._limits.wall_seconds)
        except ChannelTimeout:
            raise ChildLost("clock", f"no reply within {self._limits.wall_seconds} s") from None
        except MessageTooLarge as error:
            raise ChildLost("too_much", str(error)) from None
        except ChannelClosed as error:
            raise ChildLost("died", str(error)) from None
        except (ValueError, RecursionError) as error:
            raise ChildLost("died", f"a reply that is no message: {error}") from None


@dataclass(slots=True)
class Checker:
    """The child that checks texts, and how many it has read."""

    channel: socket.socket
    pid: int
    texts: int = 0


class Sandbox:
    """One warmed parent. Not for several threads at once: give each its own."""

    def __init__(self, limits: RunLimits) -> None:
        self.limits = limits
        self.walls: Walls | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._control: socket.socket | None = None
        self._prepared: dict[str, None] = {}
        self._answers = 0
        self._checker: Checker | None = None

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the parent, and with it any child."""
        if self._checker is not None:
            self._checker.channel.close()
            self._checker = None
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None
        self._prepared.clear()

    def start(self) -> None:
        """Start the parent unless it runs (or has served its time); raises :class:`SandboxBroken`."""
        if self._control is not None and self._answers < ANSWERS_PER_PARENT:
            return
        self.close()
        self._answers = 0
        self._control = self._launch()
        self._greet()

    def _greet(self) -> None:
        """Hear from a fresh parent which walls it has. Raises :class:`SandboxBroken`."""
        self.walls = Walls(**self._command({"op": "hello"}, START_SECONDS)["walls"])

    def _launch(self) -> socket.socket:
        """Start the parent; our end of its control channel."""
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-E", "-m", "scoring.sandbox.worker", str(theirs.fileno())]
        environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
        self._complaints = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], cwd=_ROOT, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._complaints,
        )  # fmt: skip
        theirs.close()
        return ours

    def _command(self, request: Message, seconds: float, descriptor: int | None = None) -> Message:
        """One request to the parent; any fault of it ends it and raises :class:`SandboxBroken`."""
        if self._control is None:
            raise SandboxBroken("the parent does not run")
        try:
            send(self._control.fileno(), request)
            if descriptor is not None:
                socket.send_fds(self._control, [b"+"], [descriptor])
            reply = receive_reply(self._control.fileno(), limit=MAX_REQUEST, timeout=seconds)
        except (ChannelClosed, ChannelTimeout, MessageTooLarge, OSError) as error:
            said = self._last_words()
            self.close()
            raise SandboxBroken(f"the worker's parent failed: {said or error or type(error).__name__}") from None
        if "fault" in reply:
            raise SandboxBroken(str(reply["fault"]))
        return reply

    def _last_words(self) -> str:
        """The last line that the parent wrote to its standard error (of a traceback: the exception)."""
        if self._complaints is None:
            return ""
        self._complaints.seek(0)
        lines = self._complaints.read(1 << 16).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def _prepare(self, key: str, data: Callable[[], Message]) -> None:
        """Have the parent build a task's data, unless it holds them. Raises :class:`SandboxBroken` with its reason."""
        self.start()
        if key in self._prepared:
            return
        self._command({"op": "prepare", "key": key, "data": data(), "keep": PREPARED_TASKS}, PREPARE_SECONDS)
        self._prepared[key] = None
        while len(self._prepared) > PREPARED_TASKS:
            del self._prepared[next(iter(self._prepared))]

    @contextlib.contextmanager
    def answer(self, key: str, data: Callable[[], Message]) -> Iterator[Child]:
        """A fresh child that sees the data of a task; its whole group is killed at the end. ``data`` is asked for only where the
        parent holds nothing under ``key`` yet."""
        self._prepare(key, data)
        self._answers += 1
        channel, pid = self._fork(key)
        with channel:
            try:
                yield Child(channel, self.limits)
            finally:
                self._end(pid)

    def check(self, request: Message) -> Message:
        """Have a text read, not run, by the checker: a child of the same kind that outlives an answer. A text that breaks it
        raises :class:`ChildLost`, and the next text gets another one."""
        self.start()
        if self._checker is None or self._checker.texts >= TEXTS_PER_CHECKER:
            self._end_checker()
            self._checker = Checker(*self._fork(""))
        self._checker.texts += 1
        try:
            return Child(self._checker.channel, self.limits).ask(request)
        except ChildLost:
            self._end_checker()
            raise

    def _fork(self, key: str) -> tuple[socket.socket, int]:
        """A new child's channel and process id."""
        ours, theirs = socket.socketpair()
        limits = {"memory": self.limits.process_memory_bytes, "seconds": self.limits.wall_seconds}
        try:
            return ours, self._command({"op": "fork", "key": key, **limits}, FORK_SECONDS, theirs.fileno())["pid"]
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()

    def _end_checker(self) -> None:
        if self._checker is not None:
            self._checker.channel.close()
            self._end(self._checker.pid)
            self._checker = None

    def _end(self, pid: int) -> None:
        if self._control is not None:
            with contextlib.suppress(SandboxBroken):
                self._command({"op": "end", "pid": pid}, FORK_SECONDS)
