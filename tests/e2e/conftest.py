"""Whole installations of their own: real processes, real files, nothing shared with the developer's `var/`."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Far beyond any load: only what hangs is ended by it.
PATIENCE = 300.0
PRODUCT = ("manage.py", "prism_site", "scoring", "accounts", "leaderboard", "review", "authoring", "runs", "metrics", "templates", "static", "locale", "tasks")

TASK = """\
id: {key}
name: Число шагов
category: A
difficulty: easy
entry_point: Шаги
signature: "Функция Шаги(Н) Экспорт"
prompt: Верните число шагов.
"""
TESTS = "tests:\n" + "".join(f"  - {{args: [{n}], expected: {n}}}\n" for n in (0, 1, 2, 3, 5))
PERF = "p_opt: 0.0\nsizes: [10, 20, 40]\ngen: |\n  Х = {n};\ncall: |\n  {entry}(Х);\n"
QUICK = "Функция Шаги(Н) Экспорт\n\tВозврат Н;\nКонецФункции\n"
SLOW = """\
Функция Шаги(Н) Экспорт
\tДля Сч = 1 По Н Цикл
\tКонецЦикла;
\tВозврат Н;
КонецФункции
"""
# Runs for a second or so before it gives a right answer: long enough to be killed in the middle.
BUSY = """\
Функция Шаги(Н) Экспорт
\tСумма = 0;
\tДля Сч = 1 По 900000 Цикл
\t\tСумма = Сумма + Сч;
\tКонецЦикла;
\tВозврат Н;
КонецФункции
"""


def write_bank(folder: Path, tasks: int = 2, busy: int = 4) -> Path:
    """A bank of tasks, each with a reference, a baseline and so many controls that take their time."""
    for number in range(tasks):
        files = {"task.yaml": TASK.format(key=f"STEPS{number}"), "tests.yaml": TESTS, "perf.yaml": PERF}
        files |= {"canonical.bsl": QUICK, "perf_baseline.bsl": SLOW}
        files |= {f"submissions/accepted/busy{n}.bsl": f"// {n}\n{BUSY}" for n in range(busy)}
        for name, text in files.items():
            path = folder / f"STEPS{number}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return folder


class Installation:
    """`manage.py` of a tree in an environment of its own."""

    def __init__(self, tree: Path, folder: Path, **settings: str) -> None:
        self.tree = tree
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PRISM_", "DATABASE_", "REDIS_"))}
        self.env = {**inherited, "PRISM_VAR": str(folder / "var"), "PRISM_TASKS": str(folder / "bank"), **settings}
        self.started: list[subprocess.Popen[str]] = []

    def manage(self, *arguments: str) -> str:
        """Runs a command to its end and returns what it printed; fails the test when it fails."""
        command = [sys.executable, "manage.py", *arguments]
        ended = subprocess.run(command, cwd=self.tree, env=self.env, capture_output=True, text=True, timeout=PATIENCE)
        assert ended.returncode == 0, f"{arguments}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
        return ended.stdout

    def query(self, expression: str) -> Any:
        """The value of a Python expression over the models, as seen by a process of its own."""
        code = f"import json; from django.db.models import *; from scoring.models import *; print('=>', json.dumps({expression}))"
        out = self.manage("shell", "-v", "0", "-c", code)
        return json.loads(out.rpartition("=> ")[2])

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Starts a command that stays."""
        process = subprocess.Popen(
            [sys.executable, "manage.py", *arguments], cwd=self.tree, env=self.env, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.started.append(process)
        return process

    def close(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.terminate()
        for process in self.started:
            try:
                process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.communicate()


def wait_until(met: Callable[[], Any], seconds: float = PATIENCE, pause: float = 0.05) -> Any:
    """The first true value of `met`; fails the test when there is none in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = met()
        if value:
            return value
        time.sleep(pause)
    pytest.fail(f"nothing came of it within {seconds:.0f} s")


# Below what any usual kernel gives to outgoing connections: between choice and use nobody takes one by chance.
PORTS = range(20_000, 30_000)


def free_port() -> int:
    while True:
        port = PORTS[secrets.randbelow(len(PORTS))]
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def descendants(pid: int) -> set[int]:
    """Living processes below a process (Linux)."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if fields[0] != "Z":
                    parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for child in parents.get(waiting.pop(), []):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def state_of(pid: int) -> str:
    """The kernel's letter for what the process does; Z, too, for one that is gone (Linux)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "Z"


def lives(pid: int) -> bool:
    return state_of(pid) != "Z"


@pytest.fixture(scope="session")
def tools() -> Any:
    """The helpers above, for tests that pytest imports by path."""
    return sys.modules[__name__]


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product as it is now: processes started at different moments of a test must run the same engine."""
    copy = tmp_path_factory.mktemp("tree")
    skipped = shutil.ignore_patterns("__pycache__", "*.pyc", "node_modules")
    for name in PRODUCT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=skipped)
        elif (ROOT / name).exists():
            shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="session")
def imported(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the small bank in its database, made once and copied."""
    folder = tmp_path_factory.mktemp("imported")
    write_bank(folder / "bank")
    made = Installation(tree, folder)
    made.manage("migrate", "-v0")
    made.manage("import_tasks")
    return folder / "var"


@pytest.fixture
def filled(imported: Path, installation: Installation) -> Installation:
    """An installation whose bank is imported already."""
    shutil.copytree(imported, installation.env["PRISM_VAR"], ignore=shutil.ignore_patterns("redis*", "*.sock", "*.pid"))
    return installation


@pytest.fixture
def installation(tree: Path, tmp_path: Path) -> Iterator[Installation]:
    """An installation on the embedded defaults, with a small bank."""
    write_bank(tmp_path / "bank")
    made = Installation(tree, tmp_path)
    yield made
    made.close()
