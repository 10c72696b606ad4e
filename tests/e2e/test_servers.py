"""The same product on PostgreSQL and a Redis server, for real: two settings and nothing else."""

from __future__ import annotations

import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.services, pytest.mark.slow]

CELLS = 2 * (1 + 1 + 4)

def postgres_binaries() -> Path | None:
    """The newest installed server's folder, Debian's place first."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    if found:
        return Path(found[-1]).parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def unprivileged() -> str | None:
    """PostgreSQL refuses root; Debian's package brings a user for it."""
    return "postgres" if os.geteuid() == 0 else None


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that the servers' user may enter (pytest's own is closed to others)."""
    path = Path(tempfile.mkdtemp(prefix="prism-servers-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def postgres(folder: Path, tools) -> Iterator[str]:
    """A fresh cluster on a free port; its URL."""
    binaries = postgres_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    user = unprivileged()
    home = folder / "postgres"
    home.mkdir()
    if user:
        shutil.chown(home, user)
    data, port = home / "data", tools.free_port()
    run = {"user": user, "cwd": home, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([binaries / "initdb", "-D", data, "-A", "trust", "-U", "prism", "-E", "UTF8", "--no-sync"], **run)
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={home} -c fsync=off"
    subprocess.run([binaries / "pg_ctl", "-D", data, "-w", "-t", "300", "-l", home / "log", "-o", options, "start"], **run)
    try:
        subprocess.run([binaries / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "prism", "prism"], **run)
        yield f"postgresql://prism@127.0.0.1:{port}/prism"
    finally:
        subprocess.run([binaries / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **{**run, "check": False})


@pytest.fixture(scope="module")
def redis(folder: Path, tools) -> Iterator[str]:
    """A Redis server on a free port; its URL."""
    binary = shutil.which("redis-server", path="/usr/bin:/usr/local/bin:/bin")
    if binary is None:
        pytest.skip("redis-server is not installed (Debian: redis-server)")
    port = tools.free_port()
    server = subprocess.Popen(
        [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)], stdout=subprocess.DEVNULL
    )
    try:
        tools.wait_until(lambda: server.poll() is not None or listens(port))
        assert server.poll() is None, "the Redis server did not start"
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(timeout=60)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def on_servers(tree, tmp_path, tools, postgres, redis):
    tools.write_bank(tmp_path / "bank")
    made = tools.Installation(tree, tmp_path, DATABASE_URL=postgres, REDIS_URL=redis)
    made.manage("migrate", "-v0")
    made.manage("flush", "--no-input", "-v0")
    yield made
    made.close()


def test_a_run_with_a_killed_worker_ends_whole(on_servers, tools, tmp_path):
    assert "2 tasks" in on_servers.manage("import_tasks")
    on_servers.manage("score", "--no-wait")
    # Of the scoring queue alone: once idle, a worker of all queues would validate these small tasks anew and quarantine them.
    workers = [on_servers.start("scoring_worker", "scoring") for _ in range(2)]
    counts = "dict(ScoreJob.objects.values_list('state').annotate(Count('pk')))"
    tools.wait_until(lambda: on_servers.query(counts).get("done", 0) >= 1)
    os.kill(workers[0].pid, signal.SIGKILL)
    workers[0].wait()

    on_servers.manage("score", "--workers", "1")

    assert on_servers.query(counts).keys() <= {"done", "cancelled"}
    last = "Score.objects.filter(stack=Stack.objects.latest('pk'))"
    assert on_servers.query(f"[{last}.count(), {last}.values('answer').distinct().count()]") == [CELLS, CELLS]
    assert "10.00" in on_servers.manage("leaderboard", "--category", "A")
    assert not (tmp_path / "var" / "prism.sqlite3").exists() and not (tmp_path / "var" / "redis.sock").exists()


def test_the_demo_serves_ready_pages(on_servers, tools):
    port = tools.free_port()
    demo = on_servers.start("run_demo", "--port", str(port), "--workers", "1")

    def ready() -> dict[str, str] | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as reply:
                return json.load(reply)
        except OSError:
            assert demo.poll() is None, demo.stdout.read()
            time.sleep(0.3)
            return None

    assert tools.wait_until(ready) == {"database": "ok", "queue": "ok"}
    demo.send_signal(signal.SIGINT)
    output, _ = demo.communicate(timeout=tools.PATIENCE)
    assert demo.returncode == 0 and f"http://localhost:{port}/" in output, output
