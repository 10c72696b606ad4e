"""The worker's parent in a container (``PRISM_SANDBOX=docker``): the process's walls, and the daemon's around them.

The control channel is a socket in a folder that both sides see until the worker has called; descriptors travel over it as they do
between two processes. The container has no network and no writable root; its children are confined as anywhere else. A worker whose
host is gone hears its socket close and ends, and its container with it; the next start of any PRISM here removes what is left.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.protocol import RunLimits
from scoring.sandbox import sources
from scoring.sandbox.containers import Bounds, Containers, DockerMissing, Mount
from scoring.sandbox.host import START_SECONDS, Sandbox, SandboxBroken
from scoring.sandbox.messages import Message

# Where the image keeps the package (docker/sandbox.Dockerfile) and sees the channel.
PACKAGE, INSIDE = "/opt/prism", "/run/prism"
NOBODY = 65534
# The parent, one answer's child and the checker.
PROCESSES = 64
# How often a container that has not called yet is looked at.
LOOK_SECONDS = 0.5
CURE = "build it with docker/sandbox.Dockerfile (see docs/engines.md), or name another in PRISM_SANDBOX_IMAGE"


class DockerSandbox(Sandbox):
    """A sandbox whose parent runs in a container of ``image``."""

    def __init__(self, limits: RunLimits, image: str, containers: Containers | None = None) -> None:
        super().__init__(limits)
        self.image = image
        self.containers = containers or Containers()
        self._container: contextlib.ExitStack | None = None
        self._running: Any = None

    def _greet(self) -> None:
        """Believe no image: it may hold another PRISM than this one, and its container fewer walls than were asked for."""
        super()._greet()
        try:
            told = self._command({"op": "identity"}, START_SECONDS)
        except SandboxBroken:
            if self._control is None:
                raise
            told = {}  # a worker from before there was this question
        if told.get("sources") != sources.digest(sources.WORKER_PARTS):
            self.close()
            raise SandboxBroken(f"the image {self.image!r} holds another version of PRISM than this one: {CURE}")
        if self.walls is not None:
            network, privileges = _outer_walls(told["seen"])
            self.walls = replace(self.walls, network=network, privileges=privileges)

    def _launch(self) -> socket.socket:
        try:
            there = self.containers.image_id(self.image)
        except DockerMissing as missing:
            raise SandboxBroken(str(missing)) from None
        if not there:
            raise SandboxBroken(f"the daemon has no image {self.image!r}: {CURE}")
        stack = contextlib.ExitStack()
        try:
            with _listening() as (folder, listener):
                self._running = stack.enter_context(self._container_at(folder))
                ours = self._called(listener)
        except (OSError, DockerMissing) as error:
            said = self._last_words() or str(error)
            self._running = None
            stack.close()
            raise SandboxBroken(f"the container of the image {self.image!r} failed: {said} (if the image is to blame, {CURE})") from None
        except BaseException:
            stack.close()
            raise
        self._container = stack
        return ours

    def _container_at(self, folder: Path) -> contextlib.AbstractContextManager[Any]:
        """The container, with the folder of the control channel in it (read-only: to call a socket writes nothing)."""
        bounds = Bounds(float("inf"), 3 * self.limits.process_memory_bytes, 1.0, PROCESSES)
        command = ["python3", "-B", "-m", "scoring.sandbox.worker", f"{INSIDE}/control"]
        return self.containers.started(
            self.image, command, bounds, mounts=[Mount(folder, INSIDE)], user=f"{NOBODY}:{NOBODY}", folder=PACKAGE,
            environment={"LANG": "C.UTF-8", "PYTHONHASHSEED": "0"},
        )  # fmt: skip

    def _called(self, listener: socket.socket) -> socket.socket:
        """The worker's call; raises OSError when its container ended first, or nobody called in time."""
        for _ in range(int(START_SECONDS / LOOK_SECONDS)):
            with contextlib.suppress(TimeoutError):
                ours, _ = listener.accept()
                ours.settimeout(None)
                return ours
            try:
                self._running.reload()
            except Exception as error:  # the SDK raises whatever its transport does
                raise OSError(f"the daemon is gone: {error}") from None
            if self._running.status not in ("created", "running"):
                raise OSError("it ended before it called")
        raise OSError(f"it did not call within {START_SECONDS} s")

    def _last_words(self) -> str:
        """The last line that the container wrote, or what the kernel ended it for."""
        try:
            self._running.reload()
            if self._running.attrs["State"].get("OOMKilled"):
                return "it spent its memory"
            lines = bytes(self._running.logs()).decode("utf-8", "replace").strip().splitlines()
        except Exception:  # there may be no container to ask
            return ""
        return lines[-1] if lines else ""

    def close(self) -> None:
        super().close()
        self._running = None
        if self._container is not None:
            self._container.close()
            self._container = None


@contextlib.contextmanager
def _listening() -> Iterator[tuple[Path, socket.socket]]:
    """A folder with a socket in it that waits for one call; gone with its folder once that has come."""
    with tempfile.TemporaryDirectory(prefix="prism-box-") as place, socket.socket(socket.AF_UNIX) as listener:
        folder = Path(place)
        os.chmod(folder, 0o755)
        listener.bind(str(folder / "control"))
        os.chmod(folder / "control", 0o777)
        listener.listen(1)
        listener.settimeout(LOOK_SECONDS)
        yield folder, listener


def _outer_walls(seen: Message) -> tuple[bool, bool]:
    """Network and privileges as seen from inside: a network other than ours that leads nowhere; a user who is neither root nor
    we, with no capability and no way to gain any."""
    network = seen["network"] != os.readlink("/proc/self/ns/net") and seen["routes"] == 0
    privileges = seen["user"] not in (0, os.geteuid()) and seen["capabilities"] == 0 and seen["no_new_privileges"]
    return network, privileges
