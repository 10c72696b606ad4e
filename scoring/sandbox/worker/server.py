"""The warmed parent: imports the engine once, keeps tasks' data, forks a confined child per answer."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import traceback
from typing import Any

from scoring.sandbox import limits, sources
from scoring.sandbox.messages import ChannelClosed, Message, receive, send
from scoring.sandbox.worker import jobs
from scoring.sandbox.worker.prepared import prepare

# Young objects of a short-lived child are rarely garbage: look for cycles seldom.
_GC_THRESHOLDS = (50_000, 20, 100)


class Server:
    """State of the parent: the control socket, prepared tasks, living children."""

    def __init__(self, descriptor: int) -> None:
        self.control = socket.socket(fileno=descriptor)
        self.prepared: dict[str, Any] = {}
        self.children: set[int] = set()
        self.program = limits.filter_program()
        if not limits.filter_works(self.program):
            self.program = None
        self.walls = {
            "network": limits.leave_network(),
            "privileges": os.geteuid() == 0,
            "calls": self.program is not None,
            "stack": limits.stack_is_deep(),
        }
        limits.hide_memory()
        self.base_memory = 0

    def run(self) -> None:
        """Serve until the host hangs up; children die with this process."""
        with contextlib.suppress(Exception):  # a sample that fails costs warmth, not the service
            jobs.warm_up()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GC_THRESHOLDS)
        self.base_memory = limits.memory_now()
        with contextlib.suppress(ChannelClosed):
            while True:
                request = receive(self.control.fileno())
                send(self.control.fileno(), self._handle(request))
        for pid in self.children:
            self._kill(pid)

    def _handle(self, request: Message) -> Message:
        try:
            return getattr(self, f"_on_{request['op']}")(request)
        except Exception as error:  # whatever goes wrong here is the instrument's fault, and the host must hear of it
            return {"fault": f"{type(error).__name__}: {error}", "trace": traceback.format_exc(limit=-5)}

    def _on_hello(self, request: Message) -> Message:
        return {"walls": self.walls}

    def _on_identity(self, request: Message) -> Message:
        """What a host elsewhere must know before it believes this parent."""
        return {"sources": sources.digest(sources.WORKER_PARTS), "seen": limits.seen()}

    def _on_prepare(self, request: Message) -> Message:
        self.prepared.pop(request["key"], None)
        self.prepared[request["key"]] = prepare(request["data"])
        while len(self.prepared) > request["keep"]:
            del self.prepared[next(iter(self.prepared))]
        gc.freeze()
        self.base_memory = limits.memory_now()
        return {"ok": True}

    def _on_fork(self, request: Message) -> Message:
        _, descriptors, _, _ = socket.recv_fds(self.control, 1, 1)
        channel = descriptors[0]
        prepared = self.prepared[request["key"]] if request["key"] else None
        pid = os.fork()
        if pid == 0:
            self._child(channel, prepared, request)
        os.close(channel)
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)
        self.children.add(pid)
        return {"pid": pid}

    def _on_end(self, request: Message) -> Message:
        pid = request["pid"]
        if pid in self.children:
            self._kill(pid)
            self.children.discard(pid)
        return {"ok": True}

    def _kill(self, pid: int) -> None:
        """Kill the whole group and take the child's status; the number is ours until it is waited for."""
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)

    def _child(self, channel: int, prepared: Any, request: Message) -> None:
        """Never returns: confine this process, answer requests, exit without Python's clean-up."""
        status = 1
        try:
            with contextlib.suppress(OSError):
                os.setpgid(0, 0)
            os.dup2(channel, 3)
            os.closerange(4, 256)
            limits.confine(self.base_memory + request["memory"], request["seconds"], self.program)
            jobs.serve(3, prepared)
            status = 0
        except BaseException:
            status = 2
        finally:
            os._exit(status)


def serve(descriptor: int) -> None:
    Server(descriptor).run()
