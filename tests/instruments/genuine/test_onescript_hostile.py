"""Hostile answers under OneScript's adapter, on both of its paths: none gains a test, breaks the instrument or harms the next answer.

The gallery is run as it is. Beside it stand attacks that need more than the language of the stand-in has: ``Напасть`` runs them as
Python inside the process that runs the answer, with the driver gone and everything else that a run can reach within reach.
"""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from scoring.evidence import CandidateFailed, InstrumentFailed, Observed, TestEvidence
from scoring.extract import module_of
from scoring.instruments import processes
from scoring.instruments.onescript import OneScript, script
from scoring.instruments.onescript.launching import ImageLauncher, LocalLauncher
from scoring.instruments.onescript.script import quoted
from scoring.instruments.processes import RUN_USERS, left_behind, run_user, scratch_folder
from scoring.instruments.settings import EngineSettings
from scoring.protocol import load_protocol
from tests.hostile.gallery import BUNDLE, GALLERY, HONEST, filled

pytestmark = pytest.mark.usefixtures("patient")


def evidence_of(engine: OneScript, code: str) -> TestEvidence:
    module = module_of(filled(code), [BUNDLE.entry_point], procedures=False)
    with engine.examine(module, BUNDLE) as examination:
        return examination.run_tests()


def proved(evidence: TestEvidence) -> int:
    """How many tests it passed; what is not measured at all is no way out for a hostile answer either."""
    assert not isinstance(evidence, InstrumentFailed), evidence
    return 0 if isinstance(evidence, CandidateFailed) else evidence.facts.passed


def unharmed(engine: OneScript) -> None:
    evidence = evidence_of(engine, HONEST)
    assert isinstance(evidence, Observed) and evidence.facts.passed == len(evidence.facts.outcomes) == 4, evidence


def stopped_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.instruments.onescript.engine.START_SECONDS", 3)
    monkeypatch.setattr("scoring.instruments.onescript.engine.PACE", 10**12)


# -- the gallery -------------------------------------------------------------------------------------------------------------

GROUP = 8
QUICK = [entry for entry in GALLERY if not entry.get("slow")]
GROUPS = [QUICK[start : start + GROUP] for start in range(0, len(QUICK), GROUP)]
SLOW = [entry for entry in GALLERY if entry.get("slow")]
# Every start in the image is a container's: there it is those aimed at files and processes, and one of each other kind.
ON_FILES = [entry for entry in QUICK if re.search("Файл|Сценари|Текста|Приложение|Задания|ЗавершитьРаботу", entry["code"])]


def passed_tests(engine: OneScript, entries: Iterable[dict[str, Any]]) -> dict[str, int]:
    return {entry["name"]: count for entry in entries if (count := proved(evidence_of(engine, entry["code"])))}


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"from {group[0]['name']}")
def test_the_gallery_gains_nothing_and_harms_nobody(local_engine: OneScript, group: list[dict[str, Any]]):
    assert passed_tests(local_engine, group) == {}
    unharmed(local_engine)


@pytest.mark.slow
def test_the_gallery_gains_nothing_in_the_image(image_engine: OneScript):
    assert len(ON_FILES) >= 15
    assert passed_tests(image_engine, [*ON_FILES[::3], *(group[0] for group in GROUPS[::3])]) == {}
    unharmed(image_engine)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "entries"), [("local", SLOW), ("image", SLOW[:1])], indirect=["engine"], ids=["local", "image"])
def test_what_spends_every_budget_is_stopped_and_harms_nobody(engine: OneScript, entries: list[Any], monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as soon:
        stopped_soon(soon)
        assert passed_tests(engine, entries) == {}
    unharmed(engine)


# -- attacks on files and processes --------------------------------------------------------------------------------------------

FORGED = 't0 {"r":["n","7"]}\n' * 3 + 'loaded {}\ndone {}\nPASSED=4;TOTAL=4;\n'
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for name in range(3, 64):
            try: os.close(name)
            except OSError: pass
        end = time.time() + 120
        while time.time() < end:
            for place in ("/tmp", "/var/tmp", "."):
                try: open(f"{place}/prism-hostile-MARK", "w").write("here")
                except OSError: pass
            time.sleep(0.05)
    os._exit(0)
os.wait()
for _ in range(200):
    if os.path.exists("prism-hostile-MARK"): break
    time.sleep(0.05)
"""
ATTACKS = {
    "forges records": f"open('results.txt', 'a').write({FORGED!r})",
    "forges records in the place of the true ones": f"import os; os.unlink('results.txt'); open('results.txt', 'w').write({FORGED!r}); os._exit(0)",
    "ends the process": "import os; os._exit(0)",
    "ends the process with an error": "import os; os._exit(77)",
    "dies of a fault": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "a link to a file of others": "import os; os.unlink('results.txt'); os.symlink('/etc/passwd', 'results.txt'); os._exit(0)",
    "a link to all memory": "import os; os.unlink('results.txt'); os.symlink('/proc/kcore', 'results.txt'); os._exit(0)",
    "a link to zeros without end": "import os; os.unlink('results.txt'); os.symlink('/dev/zero', 'results.txt'); os._exit(0)",
    "a pipe nobody writes to": "import os; os.unlink('results.txt'); os.mkfifo('results.txt'); os._exit(0)",
    "a folder for a file": "import os; os.unlink('results.txt'); os.mkdir('results.txt'); os._exit(0)",
    "a file of gigabytes": "import os; f = open('results.txt', 'r+b'); f.truncate(500 << 20); os._exit(0)",
    "a file beyond every bound": "f = open('big', 'wb'); f.truncate(600 << 20)",
    "floods the output": "import os\nfor _ in range(3000): os.write(1, b'PASSED=4;TOTAL=4;' * 4000)\nos._exit(0)",
    "floods the output behind the file's bound": "import os\nwhile True: os.write(1, b'x' * 1000000)",
    "folders without a bottom": "import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')",
    "closes its folder": "import os; open('x', 'w').close(); os.mkdir('locked', 0); os.chmod('.', 0)",
    "empties its folder": "import os\nfor name in os.listdir('.'): os.unlink(name)",
    "takes its folder away": "import os, shutil; here = os.getcwd(); shutil.rmtree(here, ignore_errors=True); os.rename(here, here + '-away')",
    "a link for its folder": "import os; here = os.getcwd(); os.chdir('/'); os.rename(here, here + '-away'); os.symlink('/etc', here)",
    "kills everything in reach": "import os; os.kill(-1, 9)",
    "kills its parent": "import os\nos.kill(os.getppid(), 9)\nos._exit(0)",
}  # fmt: skip
OF_RUNS = ("prism-os-", "prism-hostile-")


def hostile(attack: str) -> str:
    return f"Функция СуммаЦифр(Число) Экспорт\n\tНапасть({quoted(attack)});\n\tВозврат -1;\nКонецФункции\n"


def leftovers() -> set[str]:
    """Files of runs in folders that are open to all."""
    places = {"/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir()}
    return {str(path) for place in places if Path(place).is_dir() for path in Path(place).iterdir() if path.name.startswith(OF_RUNS)}


def run_processes() -> set[str]:
    """Processes of runs' users."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and entry.stat().st_uid in RUN_USERS:
                found.add((entry / "cmdline").read_text())
        except OSError:
            continue
    return found


# Those that meet another wall there than on the other path.
IN_THE_IMAGE = (
    "forges records in the place of the true ones", "dies of a fault", "a link to all memory", "a file beyond every bound", "floods the output",
    "closes its folder", "kills its parent",
)  # fmt: skip
PLAN = [("local", name) for name in ATTACKS] + [("image", name) for name in IN_THE_IMAGE]


@pytest.mark.parametrize(("engine", "name"), PLAN, indirect=["engine"], ids=[f"{path}: {name}" for path, name in PLAN])
def test_an_attack_on_files_or_processes_gains_nothing_and_leaves_nothing(engine: OneScript, name: str):
    if os.geteuid() != 0 and isinstance(engine.launcher, LocalLauncher):
        pytest.skip("an answer that runs as ourselves can kill the test itself: only root can be another user")
    before = leftovers()
    assert proved(evidence_of(engine, hostile(ATTACKS[name]))) == 0
    assert leftovers() - before == set()


@pytest.mark.parametrize("attack", ["import os; os._exit(0)", "import os; os._exit(3)", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"])
def test_a_body_that_ends_the_run_is_the_answers_doing(local_engine: OneScript, attack: str):
    module = module_of(HONEST, [BUNDLE.entry_point], procedures=False)
    module = dataclasses.replace(module, tested=f"{module.tested}\nНапасть({quoted(attack)});\n")
    with local_engine.examine(module, BUNDLE) as examination:
        evidence = examination.run_tests()
    assert isinstance(evidence, CandidateFailed) and evidence.kind == "raised", evidence


def test_where_no_module_at_all_leaves_records_nobody_is_blamed(tmp_path: Path):
    program = tmp_path / "oscript"
    program.write_text('#!/bin/sh\n[ "$1" = -version ] && echo 2.0.1\nexit 0\n')
    program.chmod(0o755)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    evidence = evidence_of(OneScript(load_protocol(), EngineSettings(oscript=str(program))), HONEST)
    assert isinstance(evidence, InstrumentFailed) and "no records" in evidence.detail


def test_what_stays_behind_a_run_ends_with_it(engine: OneScript):
    if os.geteuid() != 0 and not isinstance(engine.launcher, ImageLauncher):
        pytest.skip("only root can be another user in every run, and end all that the user left")
    mark = f"{os.getpid()}-{type(engine.launcher).__name__}"
    assert proved(evidence_of(engine, hostile(DAEMON.replace("MARK", mark)))) == 0
    seen = [{name for name in leftovers() if mark in name} for _ in range(4) if not time.sleep(0.2)]
    assert seen == [set()] * 4 and not any(mark in line for line in run_processes())
    unharmed(engine)


def test_every_run_is_another_user_than_those_at_the_same_time(local_engine: OneScript):
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    with local_engine.launcher.place() as first, local_engine.launcher.place() as second:
        users = [place.folder.stat().st_uid for place in (first, second)]
        assert users == [first.user, second.user] and users[0] != users[1] and set(users) <= set(RUN_USERS)
        assert [place.folder.stat().st_mode & 0o777 for place in (first, second)] == [0o700] * 2
        assert first.folder.parent.stat().st_uid == 0


@pytest.mark.parametrize("own", ["a file", "a process", "a link"])
def test_a_number_that_somebody_uses_already_is_no_runs_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str):
    """Containers may run as any number, and shared folders know users that this machine does not: neither loses anything."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    tmp_path.chmod(0o711)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with run_user() as somebody:
        assert somebody is not None
    monkeypatch.setattr(processes, "RUN_USERS", range(somebody, somebody + 2))
    file, other = tmp_path / "theirs", None
    if own == "a process":
        other = subprocess.Popen(["/bin/sleep", "60"], user=somebody, group=somebody, extra_groups=[])
    elif own == "a file":
        file.write_text("theirs")
    else:
        file.symlink_to("/etc/passwd")
    if other is None:
        os.chown(file, somebody, somebody, follow_symlinks=False)
    try:
        for _ in range(4):
            with run_user() as user:
                assert user == somebody + 1
        assert other is None or other.poll() is None
        assert other or file.is_symlink() or file.read_text() == "theirs"
    finally:
        if other:
            other.kill()
            other.wait()


@pytest.mark.parametrize(
    ("table", "there"), [("0 0 4294967295\n", True), ("0 0 1\n", False), ("0 1000 1\n1 100000 65536\n", True), ("0 100000 65200", False)]
)
def test_root_of_a_namespace_without_such_users_stays_who_it_is(tmp_path: Path, table: str, there: bool):
    (tmp_path / "uid_map").write_text(table)
    assert processes._has_users(tmp_path / "uid_map") is there


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "nothing", "long"])
def test_only_plain_files_are_read_and_no_more_than_a_bound(tmp_path: Path, kind: str):
    file = tmp_path / "results.txt"
    makers = {
        "link": lambda: file.symlink_to("/etc/passwd"), "pipe": lambda: os.mkfifo(file), "folder": file.mkdir, "nothing": lambda: None,
        "long": lambda: file.write_bytes(b"x" * 1000),
    }  # fmt: skip
    makers[kind]()
    assert left_behind(file, most=10) == (b"x" * 10 if kind == "long" else None)


def test_a_folder_of_any_depth_and_any_rights_is_removed():
    with run_user() as user, scratch_folder("prism-os-", user) as folder:
        here = os.open(folder, os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("d", dir_fd=here)
            deeper = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = deeper
        os.close(here)
        (folder / "locked").mkdir(0)
        outer = folder.parent
    assert not outer.exists()


def test_a_charge_that_is_none_makes_no_count(local_engine: OneScript, monkeypatch: pytest.MonkeyPatch):
    """A record that holds no count (only somebody who knows its secret word could write it) is no operation saved."""
    told = script.Channel.say
    monkeypatch.setattr(script.Channel, "say", lambda channel, tag, expression: told(
        channel, tag, '"{""charged"":-1000000}"' if tag == "charged" else expression))  # fmt: skip
    module = module_of(HONEST, [BUNDLE.entry_point], procedures=False)
    with local_engine.examine(module, dataclasses.replace(BUNDLE)) as examination:
        work = examination.count_work()
    assert isinstance(work, InstrumentFailed) and "no count" in work.detail, work
