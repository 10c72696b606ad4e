"""PRISM_SANDBOX=docker: the same evidence as in a process, walls that stand, and a clear word where it can't start."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring.bundles import load_folder
from scoring.evidence import InstrumentFailed
from scoring.instruments.builtin import task_data
from scoring.instruments.choice import Engines
from scoring.instruments.settings import EngineSettings
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import load_protocol
from scoring.sandbox import sources
from scoring.sandbox.containers import OWNER_LABEL, Bounds, Containers, owner
from scoring.sandbox.docker_host import NOBODY, DockerSandbox
from scoring.sandbox.host import ChildLost, Sandbox, SandboxBroken

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = load_protocol()
HOSTILE = load_folder(ROOT / "tests" / "hostile" / "task").required()
HONEST = "Функция СуммаЦифр(Число) Экспорт\nС = 0;\nДля Сч = 1 По СтрДлина(Строка(Число)) Цикл\nС = С + Число(Сред(Строка(Число), Сч, 1));\nКонецЦикла;\nВозврат С;\nКонецФункции"
# A task of each kind: collections, numbers, trees, text; balances, slices, accounting, turnovers, documents, trees of catalogs.
SELECTED = (
    "a/A101_pair_sum", "a/A110_build_tree", "a/A111_long_addition", "a/A118_left_join", "a/A120_calculator", "a/A122_date_difference",
    "b/B101_below_minimum", "b/B103_exchange_rates", "b/B104_staff_of_department", "b/B108_full_paths", "b/B112_account_turnovers",
    "b/B115_totals_report", "b/B117_create_document",
)  # fmt: skip


def asked(code: str, budget: int = 10**7) -> dict[str, object]:
    return {"op": "tests", "code": code, "entry": "СуммаЦифр", "budget": budget}


def hostile_data() -> dict[str, object]:
    return task_data(HOSTILE, PROTOCOL)


def ours(daemon: Any) -> list[Any]:
    """Containers of this process that the daemon still knows."""
    return daemon.containers.list(all=True, filters={"label": f"{OWNER_LABEL}={owner()}"})


# -- evidence ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pipelines(request: pytest.FixtureRequest, pipeline_of: Any) -> Iterator[dict[tuple[str, str], Pipeline]]:
    with contextlib.ExitStack() as stack:
        yield {
            (sandbox, category): stack.enter_context(pipeline_of(request, sandbox, PROTOCOL, category))
            for sandbox in ("process", "docker")
            for category in "AB"
        }


@pytest.mark.slow
@pytest.mark.parametrize("name", SELECTED)
def test_all_evidence_is_equal_to_that_of_a_process(pipelines: dict[tuple[str, str], Pipeline], name: str):
    bundle = load_folder(ROOT / "tasks" / name).required()
    for code in (bundle.canonical, *(control.code for control in bundle.controls)):
        here, there = (pipelines[sandbox, bundle.category].score(code, bundle) for sandbox in ("process", "docker"))
        assert (there.card, there.evidence, there.fall) == (here.card, here.evidence, here.fall)
        assert here.card.value("S") is not None and here.card.value("M") is not None


def test_the_settings_choose_it_and_the_stacks_name_does_not_tell(pipelines: dict[tuple[str, str], Pipeline]):
    here, there = (pipelines[sandbox, "B"].stack for sandbox in ("process", "docker"))
    assert isinstance(there.tests.sandbox, DockerSandbox) and not isinstance(here.tests.sandbox, DockerSandbox)  # type: ignore[attr-defined]
    assert there.describe() == here.describe()


# -- walls ---------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sandbox(daemon: Any, box: str) -> Iterator[DockerSandbox]:
    limits = dataclasses.replace(PROTOCOL.limits, wall_seconds=5, process_memory_bytes=256 << 20)
    with DockerSandbox(limits, box, Containers(daemon)) as made:
        made.start()
        yield made


def inside(sandbox: DockerSandbox, program: str) -> Any:
    """What a Python program beside the worker, in its container and as its user, prints as JSON."""
    ended = sandbox._running.exec_run(["python3", "-B", "-c", program], workdir="/opt/prism", user=f"{NOBODY}:{NOBODY}")
    return json.loads(ended.output)


OUTSIDE = """
import json, os, pathlib, socket

def works(action):
    try:
        action()
        return True
    except OSError:
        return False

def dial(family, address):
    with socket.socket(family) as made:
        made.settimeout(2)
        made.connect(address)

def reading(path):
    return lambda: open(path, "rb").read(1)

places = ["/", "/etc", "/opt/prism", "/usr/bin", "/work", "/proc/sys/kernel"]
places += [line.split()[1] for line in open("/proc/mounts") if os.path.isdir(line.split()[1])]
print(json.dumps({
    "writes": sorted({place for place in places if works(lambda: open(place + "/prism-probe", "w").close())}),
    "network": works(lambda: dial(socket.AF_INET, ("192.0.2.1", 80))) or works(lambda: dial(socket.AF_INET6, ("2001:db8::1", 80, 0, 0))),
    "daemon": [path for path in ("/var/run/docker.sock", "/run/docker.sock") if os.path.exists(path)],
    "root": works(lambda: os.setuid(0)),
    "mount": works(lambda: os.chroot("/tmp")),
    "worker": [works(reading("/proc/1/mem")), works(reading("/proc/1/environ")), works(lambda: os.listdir("/proc/1/fd"))],
    "kernel": [works(reading("/proc/kcore")), works(reading("/proc/sysrq-trigger"))],
    "processes": [open(f"/proc/{name}/cmdline").read().split("\\0")[0] for name in os.listdir("/proc") if name.isdigit()],
}))
"""


def test_a_program_that_got_out_of_the_engine_meets_the_containers_walls(sandbox: DockerSandbox):
    seen = inside(sandbox, OUTSIDE)
    assert all("python3" in program for program in seen.pop("processes"))
    # In memory, and its memory is the container's.
    assert set(seen.pop("writes")) <= {"/tmp", "/dev/shm", "/dev/mqueue"}
    assert seen == {
        "network": False, "daemon": [], "root": False, "mount": False, "worker": [False] * 3, "kernel": [False] * 2,
    }  # fmt: skip


CONFINED = """
import json, os, resource, socket, sys
from scoring.sandbox import limits

ACTIONS = {
    "fork": os.fork, "exec": lambda: os.execv("/usr/bin/python3", ["python3"]), "read": lambda: open("/etc/passwd"),
    "write": lambda: open("/tmp/x", "w"), "unlink": lambda: os.unlink("/tmp/none"), "mkdir": lambda: os.mkdir("/tmp/x"),
    "kill": lambda: os.kill(1, 0), "socket": socket.socket, "socketpair": socket.socketpair, "memory": lambda: bytearray(512 << 20),
    "rlimit": lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2), "setuid": lambda: os.setuid(0),
}
program = limits.filter_program()
assert limits.filter_works(program)
worked = []
for name, action in ACTIONS.items():
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            limits.confine(limits.memory_now() + (256 << 20), 5, program)
            action()
            os.write(writing, b"!")
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    os.close(writing)
    if os.read(reading, 1):
        worked.append(name)
print(json.dumps(worked))
"""


def test_the_inner_walls_stand_within_them(sandbox: DockerSandbox):
    assert inside(sandbox, CONFINED) == []


def pids_of(sandbox: DockerSandbox) -> list[int]:
    """Processes of the container by their numbers here, the youngest last."""
    top = sandbox._running.top()
    return sorted(int(row[top["Titles"].index("PID")]) for row in top["Processes"])


def test_an_answers_own_process_has_both_filters_no_privilege_and_every_bound(sandbox: DockerSandbox):
    with sandbox.answer("t", hostile_data) as child:
        assert "outcomes" in child.ask(asked(HONEST))
        pid = pids_of(sandbox)[-1]
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)
        bounds = {line[:26].strip(): line[26:].split()[0] for line in Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]}
        network = os.readlink(f"/proc/{pid}/ns/net")
    assert {int(number) for key in ("Uid", "Gid") for number in status[key].split()} == {NOBODY}
    assert {status[f"Cap{which}"].strip("0") for which in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {""}
    assert (status["NoNewPrivs"], status["Seccomp"], int(status.get("Seccomp_filters", "2"))) == ("1", "2", 2)
    assert (bounds["Max processes"], bounds["Max file size"], bounds["Max core file size"]) == ("0", "0", "0")
    assert int(bounds["Max address space"]) < 2 << 30
    assert network != os.readlink("/proc/self/ns/net")


def test_the_walls_it_tells_of_are_seen_not_supposed(sandbox: DockerSandbox, monkeypatch: pytest.MonkeyPatch):
    assert sandbox.walls is not None and sandbox.walls.missing() == ()
    seen = sandbox._command({"op": "identity"}, 20)["seen"]
    for change in ({"network": os.readlink("/proc/self/ns/net")}, {"routes": 1}):
        assert "network namespace" in walls_of(sandbox, monkeypatch, seen | change)
    for change in ({"user": 0}, {"user": os.geteuid()}, {"capabilities": 1}, {"no_new_privileges": False}):
        assert "separate user" in walls_of(sandbox, monkeypatch, seen | change)


def walls_of(sandbox: DockerSandbox, monkeypatch: pytest.MonkeyPatch, seen: dict[str, Any]) -> tuple[str, ...]:
    """What would be missing, had the worker seen this."""
    command = sandbox._command
    told = {"sources": sources.digest(sources.WORKER_PARTS), "seen": seen}
    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "_command", lambda request, seconds: told if request["op"] == "identity" else command(request, seconds))
        kept = sandbox.walls
        sandbox._greet()
        assert sandbox.walls is not None
        missing, sandbox.walls = sandbox.walls.missing(), kept
    return missing


# -- lost children -----------------------------------------------------------------------------------------------------------


EATER = "Функция СуммаЦифр(Число) Экспорт\nА = Новый Массив;\nДля Сч = 1 По 5000000 Цикл\nА.Добавить(Строка(Сч) + \"строка\");\nКонецЦикла;\nКонецФункции"
ENDLESS = "Функция СуммаЦифр(Число) Экспорт\nПока Истина Цикл\nЧисло = СтрДлина(Строка(Число) + НРег(\"Я\"));\nКонецЦикла;\nКонецФункции"


def spend_memory(sandbox: DockerSandbox) -> None:
    with sandbox.answer("t", hostile_data) as child:
        assert child.ask(asked(EATER, 10**12))["stopped"]["kind"] == "limit_memory"


def spend_time(sandbox: DockerSandbox) -> None:
    with sandbox.answer("t", hostile_data) as child, pytest.raises(ChildLost, match="clock"):
        child.ask(asked(ENDLESS, 10**15))


def die(sandbox: DockerSandbox) -> None:
    with sandbox.answer("t", hostile_data) as child:
        assert "outcomes" in child.ask(asked(HONEST))
        os.kill(pids_of(sandbox)[-1], signal.SIGKILL)
        with pytest.raises(ChildLost, match="died"):
            child.ask(asked(HONEST))


@pytest.mark.parametrize("spend", [spend_memory, spend_time, die])
def test_what_one_answer_spends_no_other_misses(sandbox: DockerSandbox, spend: Callable[[DockerSandbox], None]):
    sandbox.start()
    container = sandbox._running.id
    spend(sandbox)
    with sandbox.answer("t", hostile_data) as child:
        assert "outcomes" in child.ask(asked(HONEST))
    assert sandbox._running.id == container and len(pids_of(sandbox)) == 1


def test_processes_are_bounded_for_the_whole_container(sandbox: DockerSandbox):
    many = "import os, json\nmade = 0\ntry:\n    while made < 500:\n        if os.fork() == 0:\n            os.read(0, 1)\n            os._exit(0)\n        made += 1\nexcept OSError:\n    pass\nprint(json.dumps(made), flush=True)\nimport signal\nos.kill(-1, signal.SIGKILL)"
    ended = sandbox.containers.run(sandbox.image, ["python3", "-c", many], Bounds(30, processes=64), user=f"{NOBODY}:{NOBODY}")
    assert 0 < int(ended.output.split()[0]) < 64
    assert sandbox._running.attrs["HostConfig"]["PidsLimit"] == 64


def test_a_container_that_is_killed_is_started_again(daemon: Any, box: str):
    before = len(ours(daemon))
    with DockerSandbox(PROTOCOL.limits, box, Containers(daemon)) as made:
        made.start()
        made._running.kill()
        with pytest.raises(SandboxBroken), made.answer("t", hostile_data) as child:
            child.ask(asked(HONEST))
        with made.answer("t", hostile_data) as child:
            assert "outcomes" in child.ask(asked(HONEST))
    assert len(ours(daemon)) == before


# -- ends ----------------------------------------------------------------------------------------------------------------------


def test_nothing_is_left_after_an_exception_or_at_the_end(daemon: Any, box: str):
    before = {one.id for one in ours(daemon)}
    with pytest.raises(KeyError), DockerSandbox(PROTOCOL.limits, box, Containers(daemon)) as made:
        made.start()
        folders = [mount["Source"] for mount in made._running.attrs["Mounts"]]
        raise KeyError
    assert {one.id for one in ours(daemon)} == before
    assert folders and not any(Path(folder).exists() for folder in folders)


HOST = """
import sys, time
from scoring.instruments.choice import Engines
from scoring.instruments.settings import EngineSettings
from scoring.protocol import load_protocol
engine = Engines(load_protocol(), EngineSettings(sandbox="docker", sandbox_image=sys.argv[1])).get("builtin")
assert engine.availability().ready, engine.availability()
print(engine.sandbox._running.id, flush=True)
time.sleep(600)
"""


def test_a_host_that_was_killed_leaves_a_container_that_ends_and_is_removed_by_the_next_start(docker_named: Any, box: str):
    host = subprocess.Popen([sys.executable, "-c", HOST, box], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    container = docker_named.containers.get(host.stdout.readline().strip())
    assert container.status == "running"
    host.kill()
    host.wait()
    host.stdout.close()
    assert container.wait(timeout=30)["StatusCode"] == 0, "it hears that nobody is there any more"
    Containers(docker_named).run(box, ["/bin/echo"], Bounds(30))
    assert container.id not in {one.id for one in docker_named.containers.list(all=True)}


def test_only_what_was_left_behind_is_removed(daemon: Any, box: str):
    """Containers of living owners, of owners that can't be looked for and of others stay; ours of a process that is gone go."""
    boot, realm, pid, started = owner().split(":")
    labels = {
        "living": f"{boot}:{realm}:{pid}:{started}", "another process of that number": f"{boot}:{realm}:{pid}:{int(started) - 1}",
        "gone": f"{boot}:{realm}:4194305:1", "elsewhere": f"{boot}:1:4194305:1", "before the boot": f"x:{realm}:4194305:1", "odd": "odd",
    }  # fmt: skip
    made = {name: daemon.containers.create(box, ["/bin/echo"], labels={"prism": "1", OWNER_LABEL: label}) for name, label in labels.items()}
    made["not ours"] = daemon.containers.create(box, ["/bin/echo"], labels={OWNER_LABEL: labels["gone"]})
    try:
        assert Containers(daemon).reap() == 2
        there = {one.id for one in daemon.containers.list(all=True)}
        assert {name for name, one in made.items() if one.id not in there} == {"another process of that number", "gone"}
    finally:
        for one in made.values():
            with contextlib.suppress(Exception):
                one.remove(force=True)


@pytest.mark.parametrize(("refusal", "removed"), [(None, 0), (PermissionError, 0), (ProcessLookupError, 1)])
def test_an_owner_that_proc_hides_from_us_is_not_gone(monkeypatch: pytest.MonkeyPatch, refusal: type[OSError] | None, removed: int):
    """/proc mounted with `hidepid` shows no process of another user, who may run a PRISM at the same daemon."""
    entry = {"Id": "x", "State": "running", "Created": time.time(), "Labels": {"prism": "1", OWNER_LABEL: owner()}}
    api = SimpleNamespace(containers=lambda **which: [entry], remove_container=lambda name, **options: None)

    def kill(pid: int, number: int) -> None:
        assert number == 0
        if refusal:
            raise refusal

    monkeypatch.setattr("scoring.sandbox.containers._started_at", lambda pid: "")
    monkeypatch.setattr("os.kill", kill)
    assert Containers(SimpleNamespace(api=api)).reap() == removed


def test_ended_containers_of_owners_elsewhere_go_after_a_day():
    def listed(state: str, age: float, label: str = "other-boot:1:1:1") -> dict[str, Any]:
        return {"Id": f"{state}-{age:.0f}", "State": state, "Created": time.time() - age, "Labels": {"prism": "1", OWNER_LABEL: label}}

    removed: list[str] = []
    entries = [listed("exited", 90_000), listed("exited", 60), listed("running", 90_000), listed("exited", 90_001, "")]
    api = SimpleNamespace(containers=lambda **which: entries, remove_container=lambda name, **options: removed.append(name))
    assert Containers(SimpleNamespace(api=api)).reap() == 2
    assert removed == ["exited-90000", "exited-90001"]


# -- starts that fail ------------------------------------------------------------------------------------------------------------


def not_measured(image: str, *words: str) -> None:
    """An honest answer gets no score, and a reason with these words."""
    engines = Engines(PROTOCOL, EngineSettings(sandbox="docker", sandbox_image=image))
    try:
        result = Pipeline(Stack.chosen(engines, "A"), PROTOCOL).score(HONEST, HOSTILE)
    finally:
        engines.close()
    assert [result.card.value(axis) for axis in "SM"] == [None, None]
    for evidence in (result.evidence.syntax, result.evidence.tests):
        assert isinstance(evidence, InstrumentFailed) and evidence.reason == "instrument"
        assert all(word in evidence.detail for word in words), evidence.detail


def test_without_a_daemon(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    not_measured("prism-sandbox", "/nowhere/docker.sock", "start one, or name it in DOCKER_HOST")


def test_without_an_image(docker_named: Any):
    found = Engines(PROTOCOL, EngineSettings(sandbox="docker")).get("builtin").availability()
    assert not found.ready and "prism-sandbox" in found.reason and "docker/sandbox.Dockerfile" in found.reason
    not_measured("prism-no-such-image", "no image 'prism-no-such-image'", "docker/sandbox.Dockerfile", "PRISM_SANDBOX_IMAGE")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("package", ("scoring", "docker/sandbox.Dockerfile")),
        ("python", ("python3", "docker/sandbox.Dockerfile")),
        ("death", ("this worker gives up", "docker/sandbox.Dockerfile")),
        ("silence", ("ended before it called", "docker/sandbox.Dockerfile")),
        ("age", ("another version of PRISM", "docker/sandbox.Dockerfile")),
    ],
)
def test_an_image_that_can_not_serve(docker_named: Any, box: str, images: Any, fault: str, words: tuple[str, ...]):
    images.build_faulty(docker_named, box, f"prism-test-{fault}", fault)
    not_measured(f"prism-test-{fault}", *words)
    assert not [one for one in ours(docker_named) if f"prism-test-{fault}" in str(one.attrs["Config"]["Image"])]


def test_everything_that_a_worker_imports_is_compared():
    """Else an image could hold another text of it than ours, and nobody would notice."""
    program = "import sys\nfrom scoring.sandbox.worker import server\nfrom scoring.sandbox.worker import jobs\njobs.warm_up()\nprint(*(m.__file__ for n, m in sys.modules.items() if n.split('.')[0] == 'scoring'), sep='\\n')"
    listed = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    parts = {Path(path).relative_to(sources.PACKAGE).parts[0] for path in listed}
    assert len(listed) > 50 and parts <= set(sources.WORKER_PARTS)


def test_the_process_sandbox_keeps_its_own_parent_closed_to_its_children():
    with Sandbox(PROTOCOL.limits) as made:
        made.start()
        assert made._process is not None
        # The kernel gives the files of a process that hides its memory to root.
        assert Path(f"/proc/{made._process.pid}/environ").stat().st_uid == 0
