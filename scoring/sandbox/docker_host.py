"""The worker's parent in a container (``PRISM_SANDBOX=docker``): the process's walls, and the daemon's around them.

The control channel is a socket in a folder that both sides see; descriptors travel over it as they do between two processes. The
container has no network and no writable root; its children are confined as anywhere else.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.protocol import RunLimits
from scoring.sandbox.containers import Bounds, Containers, DockerMissing, Mount
from scoring.sandbox.host import START_SECONDS, Sandbox, SandboxBroken

# Where the image keeps the package (docker/sandbox.Dockerfile) and sees the channel.
PACKAGE, INSIDE = "/opt/prism", "/run/prism"
NOBODY = 65534
# The parent, one answer's child and the checker.
PROCESSES = 64
# How often a container that has not called yet is looked at.
LOOK_SECONDS = 0.5


class DockerSandbox(Sandbox):
    """A sandbox whose parent runs in a container of ``image``."""

    def __init__(self, limits: RunLimits, image: str, containers: Containers | None = None) -> None:
        super().__init__(limits)
        self.image = image
        self.containers = containers or Containers()
        self._container: contextlib.ExitStack | None = None
        self._running: Any = None

    def start(self) -> None:
        """The container itself is the wall that an empty network and another user are elsewhere."""
        super().start()
        if self.walls is not None:
            self.walls = replace(self.walls, network=True, privileges=True)

    def _launch(self) -> socket.socket:
        stack = contextlib.ExitStack()
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="prism-box-")))
            os.chmod(folder, 0o755)
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(str(folder / "control"))
            os.chmod(folder / "control", 0o777)
            listener.listen(1)
            listener.settimeout(LOOK_SECONDS)
            bounds = Bounds(float("inf"), 3 * self.limits.process_memory_bytes, 1.0, PROCESSES)
            command = ["python3", "-B", "-m", "scoring.sandbox.worker", f"{INSIDE}/control"]
            started = self.containers.started(
                self.image, command, bounds, mounts=[Mount(folder, INSIDE, writable=True)], user=f"{NOBODY}:{NOBODY}", folder=PACKAGE,
                environment={"LANG": "C.UTF-8", "PYTHONHASHSEED": "0"},
            )  # fmt: skip
            self._running = stack.enter_context(started)
            ours = self._called(listener)
        except (OSError, DockerMissing) as error:
            said = self._last_words()
            stack.close()
            raise SandboxBroken(f"the sandbox's container failed: {said or error}") from None
        self._container = stack
        return ours

    def _called(self, listener: socket.socket) -> socket.socket:
        """The worker's call; raises OSError when its container ended first, or nobody called in time."""
        for _ in range(int(START_SECONDS / LOOK_SECONDS)):
            with contextlib.suppress(TimeoutError):
                ours, _ = listener.accept()
                ours.settimeout(None)
                return ours
            self._running.reload()
            if self._running.status not in ("created", "running"):
                break
        raise OSError("the worker did not call")

    def _last_words(self) -> str:
        """The last line that the container wrote."""
        try:
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
