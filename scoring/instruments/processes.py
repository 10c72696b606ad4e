"""Running a genuine engine's program: one process group, bounded in time and output, and read in whatever encoding it speaks."""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import resource
import signal
import socket
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

# What is kept of an engine's output; more is cut, never collected in memory.
OUTPUT_BYTES = 64 * 1024
# A file that an engine may write: reports of large batches are the largest.
FILE_BYTES = 512 * 1024 * 1024
NOBODY = 65534
# Users of runs: numbers that Debian's policy reserves and no system gives away. One run is one of them. Images of containers do use
# 65532 ("nonroot") and their neighbours, and the processes of a container are this machine's, too.
RUN_USERS = range(65_000, 65_500)
# Where any user may leave files behind.
OPEN_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
# What is read of a file that a run left; whatever is longer is cut.
LEFT_BYTES = 64 * 1024 * 1024
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (negative = by that signal), what it said, whether the clock stopped it, and whether the
    kernel ended it for the memory it spent (known of containers only)."""

    code: int
    output: str
    errors: str
    timed_out: bool = False
    memory_spent: bool = False

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
    user: int | None = None,
) -> Ended:
    """Run ``command`` to its end or for ``seconds``; its whole process group is killed afterwards, whoever is left of it.

    ``walls`` is called in the child before the program starts. ``user``: a user that is this run's alone; every process of theirs
    is killed as well, whatever group it fled to. Raises :class:`ProgramMissing`.
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
            end_processes(user)
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


@contextlib.contextmanager
def run_user() -> Iterator[int | None]:
    """A user that nobody else is for as long as it is held; None where we are not root and can't become another, and where our
    namespace has no such users (root of `unshare --map-root-user` is root of one user)."""
    if os.geteuid() != 0 or not _has_users():
        yield None
        return
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as claim:
        user = _claimed(claim)
        try:
            yield user
        finally:
            end_processes(user)
            remove_files(user)


def _has_users(table: Path = Path("/proc/self/uid_map")) -> bool:
    try:
        ranges = [(int(first), int(length)) for first, _outside, length in map(str.split, table.read_text("ascii").splitlines())]
    except OSError:  # a kernel without namespaces
        return True
    return any(first <= RUN_USERS.start and RUN_USERS.stop <= first + length for first, length in ranges)


def _claimed(claim: socket.socket) -> int:
    """A free number. A name without a file is bound for it, which ends with this process however that ends.

    What the user has is removed at the end, so nobody may have anything under that number before.
    """
    taken = _users_of_processes() | _users_of_files()
    for user in random.sample(RUN_USERS, len(RUN_USERS)):
        with contextlib.suppress(OSError):
            if user not in taken and not _is_known(user):
                claim.bind(f"\0prism-run-user-{user}")
                return user
    raise ProgramMissing(f"every user of runs is taken ({RUN_USERS.start} to {RUN_USERS.stop - 1})")


def _is_known(user: int) -> bool:
    try:
        pwd.getpwuid(user)
    except KeyError:
        return False
    return True


def _users_of_processes() -> set[int]:
    found: set[int] = set()
    # None where there is no /proc; a process may be gone meanwhile.
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            status = (process / "status").read_text("utf-8", "replace")
            found.update(int(user) for line in status.split("\n") if line.startswith("Uid:") for user in line.split()[1:])
    return found


def _users_of_files() -> set[int]:
    return {user for entry in _left_openly() if (user := _owner_of(entry)) is not None}


def _left_openly() -> Iterator[os.DirEntry[str]]:
    """What lies in folders that are open to all."""
    for place in {*OPEN_FOLDERS, tempfile.gettempdir()}:
        with contextlib.suppress(OSError):
            yield from list(os.scandir(place))


def end_processes(user: int | None) -> None:
    """Kill whatever runs as a user of :data:`RUN_USERS`; the kernel finds them all at once, none can flee by forking."""
    if user not in RUN_USERS:
        return
    # Whoever may not become that user could not start anything as them either.
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            ["/bin/sh", "-c", "kill -KILL -1"], user=user, group=user, extra_groups=[], cwd="/", env={}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip


def remove_files(user: int) -> None:
    """Remove what the user left in folders that are open to all."""
    for entry in _left_openly():
        if _owner_of(entry) == user:
            remove_tree(Path(entry.path))


def _owner_of(entry: os.DirEntry[str]) -> int | None:
    try:
        return entry.stat(follow_symlinks=False).st_uid
    except OSError:  # gone meanwhile
        return None


def remove_tree(path: Path) -> None:
    """Remove a file or a folder of any depth (the standard library's way ends at the depth of the interpreter's stack)."""
    # A folder closed to its own owner, too, is opened first; root needs no key.
    commands = [["rm", "-rf"]] if os.geteuid() == 0 else [["chmod", "-R", "u+rwx"], ["rm", "-rf"]]
    for command in commands:
        with contextlib.suppress(OSError):
            subprocess.run([*command, "--", str(path)], stderr=subprocess.DEVNULL, check=False)


@contextlib.contextmanager
def scratch_folder(prefix: str, user: int | None) -> Iterator[Path]:
    """A folder of ``user`` inside one of ours, which the user can neither rename nor replace."""
    outer = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        os.chmod(outer, 0o711 if user is not None else 0o700)
        inner = outer / "run"
        inner.mkdir(0o700)
        hand_over(inner, user)
        yield inner
    finally:
        remove_tree(outer)


def hand_over(path: Path, user: int | None) -> None:
    if user is not None:
        os.chown(path, user, user, follow_symlinks=False)


def left_behind(path: Path, most: int = LEFT_BYTES) -> bytes | None:
    """The beginning of a file that a run left; None for whatever is no plain file (a link to somewhere, a pipe, a folder)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        return file.read(most)


def outer_walls(seconds: int, *, user: int | None) -> Callable[[], None]:
    """What a managed runtime (.NET, Java) can live behind: no core dumps, bounded files and processor time, another user (``None``:
    ourselves), and no network where the kernel grants that. Address space is no bound for such a runtime: it reserves far more than it uses."""

    # Imported here, before the fork: in the child another thread's lock on imports would never be released.
    from scoring.sandbox.limits import leave_network

    def apply() -> None:
        leave_network()
        for which, bound in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, FILE_BYTES), (resource.RLIMIT_CPU, seconds)):
            hard = resource.getrlimit(which)[1]
            value = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
            resource.setrlimit(which, (value, value))
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)

    return apply
