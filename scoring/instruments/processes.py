"""Running a genuine engine's program: one process group, bounded in time and output, and read in whatever encoding it speaks."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

# What is kept of an engine's output; more is cut, never collected in memory.
OUTPUT_BYTES = 64 * 1024
# A file that an engine may write: reports of large batches are the largest.
FILE_BYTES = 512 * 1024 * 1024
NOBODY = 65534
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (negative = by that signal), what it said, and whether the clock stopped it."""

    code: int
    output: str
    errors: str
    timed_out: bool = False

    @property
    def said(self) -> str:
        """Both streams, the last line first in importance: for reasons shown to people."""
        return "\n".join(part for part in (self.output.strip(), self.errors.strip()) if part)


class ProgramMissing(Exception):
    """The program can't be started at all; the message says why."""


def decoded(data: bytes) -> str:
    """Text of an engine: with or without a BOM, UTF-8 (perhaps cut in mid-character), UTF-16 or the Windows code page."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A character cut at the very end is a cut text, anything earlier is another encoding.
        if error.start >= len(data) - 3 and error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8")
        return data.decode("cp1251", "replace")


def run_program(
    command: Sequence[str],
    *,
    seconds: float,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    walls: Callable[[], None] | None = None,
) -> Ended:
    """Run ``command`` to its end or for ``seconds``; its whole process group is killed afterwards, whoever is left of it.

    ``walls`` is called in the child before the program starts. Raises :class:`ProgramMissing`.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                list(command), cwd=folder, env=dict(environment) if environment is not None else None,
                stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True, preexec_fn=walls,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            raise ProgramMissing(f"{command[0]}: {error}") from None
        timed_out = False
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            _kill_group(process)
        return Ended(process.returncode, _beginning(output), _beginning(errors), timed_out)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    for kill, target in ((os.killpg, process.pid), (os.kill, process.pid)):
        if kill is os.kill and process.poll() is not None:
            continue
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(target, signal.SIGKILL)
    process.wait()


def _beginning(stream: IO[bytes]) -> str:
    stream.seek(0)
    return decoded(stream.read(OUTPUT_BYTES))


def outer_walls(seconds: int, *, as_nobody: bool) -> Callable[[], None]:
    """What a managed runtime (.NET, Java) can live behind: no core dumps, bounded files and processor time, another user, and no
    network where the kernel grants that. Address space is no bound for such a runtime: it reserves far more than it uses."""

    def apply() -> None:
        from scoring.sandbox.limits import leave_network

        leave_network()
        for which, bound in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, FILE_BYTES), (resource.RLIMIT_CPU, seconds)):
            hard = resource.getrlimit(which)[1]
            value = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
            resource.setrlimit(which, (value, value))
        if as_nobody and os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    return apply
