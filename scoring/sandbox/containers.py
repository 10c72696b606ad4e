"""Containers as walls: what a Docker daemon runs for PRISM has no network, no capabilities, no writable root, bounded everything.

Whatever outlives its time is killed by name and removed. Folders are handed in as bind mounts, so a daemon that is not on this
machine must see the same paths.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LABEL = "prism"
# Whose container it is: boot, process namespace, process, its start. Tells what was left behind from what is in use.
OWNER_LABEL = "prism.owner"
# An ended container of an owner that can't be looked for from here is left alone for so long.
FOREIGN_SECONDS = 24 * 3600
# What is kept of a container's output; the daemon itself throws the rest away.
OUTPUT_BYTES = 64 * 1024
# Calls to the daemon that should answer at once.
DAEMON_SECONDS = 30
TMP_BYTES = 64 * 1024 * 1024


class DockerMissing(Exception):
    """No daemon, or one that refuses; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of one container. ``seconds`` is wall time, after which it is killed; ``file`` the size of one file, 0 for none."""

    seconds: float
    memory: int = 1 << 30
    processors: float = 1.0
    processes: int = 256
    file: int = 0


@dataclass(frozen=True, slots=True)
class Mount:
    host: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """``code``: exit code, -1 where it was killed. ``memory_spent``: the kernel ended it for its memory."""

    code: int
    output: str
    timed_out: bool = False
    memory_spent: bool = False


class Containers:
    """A daemon. ``client`` is a ``docker.DockerClient`` (made from the environment when first needed)."""

    def __init__(self, client: Any = None) -> None:
        self._client = client
        self._reaped = False

    @property
    def client(self) -> Any:
        """Raises :class:`DockerMissing`."""
        if self._client is None:
            try:
                # By name: the project's own folder of Dockerfiles is called docker, too.
                docker = importlib.import_module("docker")
            except ImportError:
                raise DockerMissing("the docker SDK for Python is not installed: run `make setup`") from None
            try:
                self._client = docker.from_env(timeout=DAEMON_SECONDS)
            except Exception as error:  # the SDK raises whatever its transport does
                raise DockerMissing(_no_daemon(error)) from None
        return self._client

    def reach(self) -> str:
        """"" where the daemon answers, else why not and what to do."""
        try:
            self.client.ping()
        except DockerMissing as missing:
            return str(missing)
        except Exception as error:
            return _no_daemon(error)
        return ""

    def image_id(self, image: str) -> str:
        """The image's digest, "" where the daemon has no such image (nothing is ever pulled). Raises :class:`DockerMissing`."""
        try:
            return str(self.client.images.get(image).id)
        except DockerMissing:
            raise
        except Exception as error:
            if getattr(getattr(error, "response", None), "status_code", None) == 404 or type(error).__name__ == "ImageNotFound":
                return ""
            raise DockerMissing(_no_daemon(error)) from None

    def labels(self, image: str) -> dict[str, str]:
        """Raises :class:`DockerMissing`."""
        try:
            return dict(self.client.images.get(image).labels or {})
        except DockerMissing:
            raise
        except Exception as error:
            raise DockerMissing(_no_daemon(error)) from None

    def run(
        self,
        image: str,
        command: Sequence[str],
        bounds: Bounds,
        *,
        mounts: Sequence[Mount] = (),
        environment: Mapping[str, str] | None = None,
        user: str = "",
        folder: str = "/",
    ) -> Finished:
        """Run a command to its end or to its bound, and leave nothing behind. Raises :class:`DockerMissing`."""
        with self.started(image, command, bounds, mounts=mounts, environment=environment, user=user, folder=folder) as container:
            timed_out = not self._wait(container, bounds.seconds)
            if timed_out:
                self._kill(container.name)
            return self._finished(container, timed_out)

    @contextlib.contextmanager
    def started(
        self,
        image: str,
        command: Sequence[str],
        bounds: Bounds,
        *,
        mounts: Sequence[Mount] = (),
        environment: Mapping[str, str] | None = None,
        user: str = "",
        folder: str = "/",
    ) -> Iterator[Any]:
        """A running container, killed and removed at the end whatever happens."""
        self._reap_once()
        name = f"{LABEL}-{secrets.token_hex(8)}"
        options = self._options(bounds, mounts) | {
            "name": name, "command": list(command), "environment": dict(environment or {}), "user": user, "working_dir": folder,
        }  # fmt: skip
        try:
            container = self.client.containers.create(image, **options)
            container.start()
        except DockerMissing:
            raise
        except Exception as error:
            self._remove(name)
            raise DockerMissing(f"the container did not start: {error}") from None
        try:
            yield container
        finally:
            self._remove(name)

    def _options(self, bounds: Bounds, mounts: Sequence[Mount]) -> dict[str, Any]:
        limits = {"core": 0} | ({"fsize": bounds.file} if bounds.file else {})
        volumes = {str(mount.host): {"bind": mount.inside, "mode": "rw" if mount.writable else "ro"} for mount in mounts}
        return {
            "detach": True,
            "network_mode": "none",
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges"],
            "read_only": True,
            "tmpfs": {"/tmp": f"size={TMP_BYTES}"},
            "mem_limit": bounds.memory,
            "memswap_limit": bounds.memory,
            "nano_cpus": int(bounds.processors * 1_000_000_000),
            "pids_limit": bounds.processes,
            "ulimits": [{"Name": name, "Soft": bound, "Hard": bound} for name, bound in limits.items()],
            "log_config": {"type": "json-file", "config": {"max-size": str(OUTPUT_BYTES), "max-file": "1"}},
            "volumes": volumes,
            "labels": {LABEL: "1", OWNER_LABEL: owner()},
            "init": False,
        }

    def reap(self) -> int:
        """Remove containers whose owner was killed before it could; how many those were. Raises :class:`DockerMissing`."""
        try:
            listed = self.client.api.containers(all=True, filters={"label": f"{LABEL}=1"})
        except DockerMissing:
            raise
        except Exception as error:
            raise DockerMissing(_no_daemon(error)) from None
        left = [entry["Id"] for entry in listed if _is_left(entry, time.time())]
        for container in left:
            self._remove(container)
        return len(left)

    def _reap_once(self) -> None:
        """Before the first container: what is not removed now does no harm to it, so a failure is no reason to start none."""
        if not self._reaped:
            self._reaped = True
            with contextlib.suppress(Exception):
                self.reap()

    def _wait(self, container: Any, seconds: float) -> bool:
        """Did it end within so many seconds? The SDK tells a time-out by its transport's exceptions."""
        try:
            container.wait(timeout=seconds)
        except Exception as error:
            if "time" in type(error).__name__.lower() or "timed out" in str(error).lower():
                return False
            raise DockerMissing(_no_daemon(error)) from None
        return True

    def _kill(self, name: str) -> None:
        with contextlib.suppress(Exception):  # it may have ended by itself a moment ago
            self.client.api.kill(name)

    def _finished(self, container: Any, timed_out: bool) -> Finished:
        try:
            output = bytes(container.logs(stdout=True, stderr=True))[-OUTPUT_BYTES:].decode("utf-8", "replace")
            container.reload()
            state = container.attrs.get("State", {})
        except Exception as error:
            raise DockerMissing(_no_daemon(error)) from None
        code = -1 if timed_out else int(state.get("ExitCode", -1))
        return Finished(code, output, timed_out, bool(state.get("OOMKilled")))

    def _remove(self, name: str) -> None:
        with contextlib.suppress(Exception):
            self.client.api.remove_container(name, force=True, v=True)


def owner() -> str:
    """This process, by a name that no later one can have."""
    return ":".join((*_realm(), str(os.getpid()), _started_at(os.getpid())))


def _realm() -> tuple[str, str]:
    """Where a process number means one process: this boot, this process namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return boot, os.readlink("/proc/self/ns/pid").partition("[")[2].rstrip("]")
    except OSError:  # no Linux: then nobody is ever found to be gone
        return "", ""


def _started_at(pid: int) -> str:
    """When a process started, in the kernel's ticks; "" where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _runs(pid: int, started: str) -> bool:
    """Does the process still run that started then? One of another user may be hidden in /proc, but takes a signal, or refuses it."""
    found = _started_at(pid)
    if found:
        return found == started
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _is_left(entry: Mapping[str, Any], now: float) -> bool:
    """Is the container (as the daemon lists it) one whose owner is gone?"""
    parts = str((entry.get("Labels") or {}).get(OWNER_LABEL, "")).split(":")
    if len(parts) == 4 and tuple(parts[:2]) == _realm():
        return not parts[2].isdigit() or not _runs(int(parts[2]), parts[3])
    return entry.get("State") in ("exited", "dead") and now - float(entry.get("Created", now)) > FOREIGN_SECONDS


def _no_daemon(error: Exception) -> str:
    host = os.environ.get("DOCKER_HOST", "the default socket")
    return f"no Docker daemon answers at {host} ({type(error).__name__}: {str(error)[:160]}): start one, or name it in DOCKER_HOST"
