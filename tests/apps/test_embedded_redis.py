"""The embedded Redis: one server per data folder, whoever starts first, gone with the last who used it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import embedded_redis

ROOT = Path(__file__).resolve().parents[2]
USER = """
import sys
from pathlib import Path
from scoring import embedded_redis
started = embedded_redis.ensure(Path(sys.argv[1]))
print("started" if started else "joined", flush=True)
sys.stdin.readline()
"""


class User:
    """A process that needs the server until it is told to leave."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-c", USER, str(folder)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, cwd=ROOT, text=True, **pipes)

    def word(self) -> str:
        return self.process.stdout.readline().strip()

    def leave(self) -> None:
        self.process.communicate("\n")


@pytest.fixture
def folder(tmp_path):
    yield tmp_path
    embedded_redis.stop(tmp_path)


def test_of_several_at_once_one_starts_it_and_the_last_one_ends_it(folder):
    users = [User(folder) for _ in range(3)]
    assert sorted(user.word() for user in users) == ["joined", "joined", "started"]
    users[0].leave()
    users[1].leave()
    assert embedded_redis.is_running(folder)
    users[2].leave()
    assert not embedded_redis.is_running(folder)


def test_a_killed_user_does_not_keep_it_alive(folder):
    killed, user = User(folder), User(folder)
    assert {killed.word(), user.word()} == {"joined", "started"}
    killed.process.kill()
    killed.process.wait()
    user.leave()
    assert not embedded_redis.is_running(folder)


def test_what_was_queued_survives_a_restart(folder):
    first = User(folder)
    first.word()
    embedded_redis.client(folder).rpush("list", "kept")
    first.leave()
    second = User(folder)
    assert second.word() == "started"
    assert embedded_redis.client(folder).lrange("list", 0, -1) == [b"kept"]
    second.leave()


def test_a_socket_path_too_long_for_the_kernel_moves_to_a_short_one(tmp_path):
    deep = tmp_path / ("d" * 80) / ("e" * 80)
    path = embedded_redis.socket_path(deep)
    assert len(os.fsencode(path)) <= embedded_redis.LONGEST_SOCKET_PATH
    assert path == embedded_redis.socket_path(deep) != embedded_redis.socket_path(deep / "f")




@pytest.mark.parametrize("name", ["with blanks", "вар со словами", 'quo"ted', "back\\slash", "a=b", "it's", "line\nbreak", "plain-вар_1"])
def test_a_folder_may_have_any_name(tmp_path, monkeypatch, name):
    """A worker asks the server who it is, and its client reads the socket's path out of the reply."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / name
    folder.mkdir()
    try:
        assert embedded_redis.ensure(folder)
        server = embedded_redis.client(folder)
        assert server.client_info()["laddr"].startswith("/")
        server.rpush("list", "kept")
    finally:
        embedded_redis.stop(folder)
    assert (folder / "queue.rdb").is_file() and (folder / "redis.log").is_file()


@pytest.mark.parametrize("fault", ["open to all", "of another user", "a link"])
def test_a_server_in_a_folder_of_somebody_else_is_not_used(tmp_path, monkeypatch, fault):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / "with blanks"
    place = embedded_redis.socket_path(folder).parent
    if fault == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.mkdir(mode=0o700)
    if fault == "open to all":
        place.chmod(0o777)
    if fault == "of another user":
        monkeypatch.setattr("os.geteuid", lambda mine=os.geteuid(): mine + 1)
        embedded_redis.socket_path(folder).parent.mkdir(mode=0o700)
    with pytest.raises(embedded_redis.EmbeddedRedisError, match="not ours alone"):
        embedded_redis.ensure(folder)
