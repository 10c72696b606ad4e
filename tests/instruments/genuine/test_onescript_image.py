"""OneScript in an image: its walls, what it says where it can't be used, how the image is made, and that nothing outlives a run."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring.bundles import TaskBundle, load_folder
from scoring.engine.dialects import onescript as dialect
from scoring.evidence import CandidateFailed, InstrumentFailed, Observed
from scoring.extract import module_of
from scoring.instruments import settings as settings_module
from scoring.instruments.onescript import OneScript
from scoring.instruments.onescript.launching import ENVIRONMENT, STAND_IN_LABEL, ImageLauncher, LocalLauncher, launcher_of
from scoring.instruments.processes import FILE_BYTES
from scoring.instruments.settings import EngineSettings, OddSetting, read_settings
from scoring.protocol import load_protocol
from scoring.sandbox.containers import Containers

ROOT = Path(__file__).resolve().parents[3]
RECIPE = (ROOT / "docker" / "onescript.Dockerfile").read_text("utf-8")
INSTALL = ROOT / "docker" / "onescript" / "install.sh"
BUNDLE = load_folder(ROOT / "tests" / "hostile" / "task").required()
ENDLESS = "Функция СуммаЦифр(Число) Экспорт\nПока Истина Цикл\nКонецЦикла;\nКонецФункции"


# -- settings ----------------------------------------------------------------------------------------------------------------


def test_the_image_is_a_setting_and_the_program_another():
    image = launcher_of(read_settings({"PRISM_ONESCRIPT_IMAGE": "prism-onescript"}, Path("/nowhere")))
    assert isinstance(image, ImageLauncher) and image.image == "prism-onescript"
    assert isinstance(launcher_of(read_settings({"PRISM_ONESCRIPT": "/opt/oscript"}, Path("/nowhere"))), LocalLauncher)
    assert isinstance(launcher_of(EngineSettings()), LocalLauncher)


def test_two_engines_for_one_question_are_refused():
    with pytest.raises(OddSetting, match="PRISM_ONESCRIPT and PRISM_ONESCRIPT_IMAGE"):
        read_settings({"PRISM_ONESCRIPT": "oscript", "PRISM_ONESCRIPT_IMAGE": "prism-onescript"}, Path("/nowhere"))


# -- the daemon, pretended -----------------------------------------------------------------------------------------------------


class ReadTimeout(Exception):
    pass


class ImageNotFound(Exception):
    pass


class PretendedDocker:
    """Answers as the SDK does. ``run``: what the container does in its folder on the host; ``hang``: it never ends."""

    def __init__(self, *, hang: bool = False, labels: dict[str, str] | None = None, has: bool = True, said: bytes = b"2.0.1", state: Any = None) -> None:
        self.hang, self.labels, self.has, self.said = hang, labels or {}, has, said
        self.state = state or {"ExitCode": 0, "OOMKilled": False}
        self.options: list[dict[str, Any]] = []
        self.owners: list[tuple[int, int]] = []
        self.killed: list[str] = []
        self.removed: list[str] = []
        self.api = SimpleNamespace(kill=self.killed.append, remove_container=lambda name, **how: self.removed.append(name))
        self.containers = SimpleNamespace(create=self.create)
        self.images = SimpleNamespace(get=self.image)

    def ping(self) -> bool:
        return True

    def image(self, name: str) -> Any:
        if not self.has:
            raise ImageNotFound(name)
        return SimpleNamespace(id="sha256:1", labels=self.labels)

    def create(self, image: str, **options: Any) -> Any:
        self.options.append(options)
        folder = Path(next(iter(options["volumes"])))
        self.owners.append((folder.stat().st_uid, folder.stat().st_mode & 0o777))
        return SimpleNamespace(
            name=options["name"], start=lambda: None, wait=self.wait, logs=lambda **which: self.said, reload=lambda: None,
            attrs={"State": self.state},
        )  # fmt: skip

    def wait(self, timeout: float) -> None:
        if self.hang:
            raise ReadTimeout("Read timed out.")


def engine_of(client: Any, image: str = "prism-onescript", **options: Any) -> OneScript:
    return OneScript(load_protocol(), EngineSettings(oscript_image=image), ImageLauncher(image, Containers(client), **options))


def test_every_wall_stands_around_every_start():
    client = PretendedDocker()
    assert engine_of(client).version() == "2.0.1"
    options = client.options[0]
    assert options["command"] == ["oscript", "-version"]
    assert options["network_mode"] == "none" and options["cap_drop"] == ["ALL"] and options["read_only"] and options["pids_limit"] == 256
    assert options["security_opt"] == ["no-new-privileges"] and options["mem_limit"] == options["memswap_limit"] == 2 << 30
    limits = {entry["Name"]: (entry["Soft"], entry["Hard"]) for entry in options["ulimits"]}
    assert limits == {"core": (0, 0), "fsize": (FILE_BYTES, FILE_BYTES)}
    (folder, mount), = options["volumes"].items()
    assert mount == {"bind": "/work", "mode": "rw"} and options["working_dir"] == "/work" and not Path(folder).exists()
    owner = int(options["user"].split(":")[0])
    assert client.owners == [(owner, 0o700)] and (owner != 0 or os.geteuid() == 0)
    assert owner != 0, "candidates never run as root"
    assert options["environment"].items() >= ENVIRONMENT.items() and client.removed == [options["name"]]


def test_the_culture_is_the_invariant_one_with_icu():
    assert ENVIRONMENT["LANG"] == ENVIRONMENT["LC_ALL"] == "C.UTF-8" and ENVIRONMENT["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT"] == "0"


@pytest.mark.parametrize(
    ("client", "told"),
    [
        (PretendedDocker(has=False), "docker/onescript.Dockerfile"),
        (PretendedDocker(labels={STAND_IN_LABEL: "1"}), "test material"),
        (PretendedDocker(said=b"Couldn't find a valid ICU package"), "Couldn't find a valid ICU package"),
        (PretendedDocker(said=b"Couldn't find a valid ICU package"), "PRISM_ONESCRIPT_IMAGE"),
        (PretendedDocker(said=b"", state={"ExitCode": 126, "OOMKilled": False}), "exit code 126"),
        (PretendedDocker(hang=True, said=b""), "not ended"),
    ],
)
def test_where_it_can_not_be_used_it_says_why_and_what_to_do(client: PretendedDocker, told: str):
    found = engine_of(client).availability()
    assert not found.ready and told in found.reason and engine_of(client).version() == "?"


def test_without_a_daemon_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    found = engine_of(None).availability()
    assert not found.ready and "/nowhere" in found.reason and "DOCKER_HOST" in found.reason
    evidence = run(engine_of(None), ENDLESS)
    assert isinstance(evidence, InstrumentFailed) and "/nowhere" in evidence.detail


def run(engine: OneScript, code: str, bundle: TaskBundle = BUNDLE) -> Any:
    with engine.examine(module_of(code, [bundle.entry_point], procedures=False), bundle) as examination:
        return examination.run_tests()


def test_what_the_clock_stops_is_killed_by_name_and_removed():
    client = PretendedDocker(hang=True)
    evidence = run(engine_of(client), ENDLESS)
    assert isinstance(evidence, Observed) and evidence.facts.stopped is not None and evidence.facts.passed == 0
    assert client.killed == client.removed == [options["name"] for options in client.options] and len(client.killed) == 1


@pytest.mark.parametrize("state", [{"ExitCode": 137, "OOMKilled": True}, {"ExitCode": 137, "OOMKilled": False}, {"ExitCode": 0, "OOMKilled": False}])
def test_a_run_without_records_blames_nobody_where_no_run_leaves_any(state: dict[str, Any]):
    client = PretendedDocker(state=state, said=b"the last words")
    evidence = run(engine_of(client), ENDLESS)
    assert isinstance(evidence, InstrumentFailed) and ("the last words" in evidence.detail or "killed" in evidence.detail or "memory" in evidence.detail)


# -- containers for real ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_that_never_ends_leaves_no_container(image_engine: OneScript, daemon: Any, oscript_image: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("scoring.instruments.onescript.engine.START_SECONDS", 3)
    monkeypatch.setattr("scoring.instruments.onescript.engine.PACE", 10**12)
    evidence = run(image_engine, ENDLESS)
    assert isinstance(evidence, Observed) and evidence.facts.stopped is not None and evidence.facts.passed == 0
    assert daemon.containers.list(all=True, filters={"label": "prism=1", "ancestor": oscript_image}) == []


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_what_spends_the_containers_memory_is_the_answers_doing(image_engine: OneScript, monkeypatch: pytest.MonkeyPatch):
    from scoring.instruments.onescript.script import quoted

    monkeypatch.setattr("scoring.instruments.onescript.launching.MEMORY", 96 << 20)
    greedy = "import os; os.unlink('results.txt'); held = [bytearray(16 << 20) for _ in range(40)]"
    evidence = run(image_engine, f"Функция СуммаЦифр(Число) Экспорт\nНапасть({quoted(greedy)});\nКонецФункции")
    assert isinstance(evidence, CandidateFailed) and evidence.kind == "limit_memory", evidence


# -- the image's recipe ------------------------------------------------------------------------------------------------------------


def test_the_recipe_pins_the_release_that_the_documents_name():
    pinned = re.search(r"^ARG ONESCRIPT_VERSION=(\S+)$", RECIPE, re.MULTILINE)
    assert pinned is not None
    assert f"OneScript {pinned.group(1)} as recorded" in (dialect.__doc__ or "")
    told = (ROOT / "docs" / "engines.md").read_text("utf-8")
    assert f"OneScript {pinned.group(1)}" in told and "docker/onescript.Dockerfile" in told and "PRISM_ONESCRIPT_IMAGE" in told
    assert "docker/onescript.Dockerfile" in (settings_module.__doc__ or "")


def test_the_recipe_runs_unprivileged_with_icu_in_the_invariant_culture():
    lines = RECIPE.splitlines()
    assert [line for line in lines if line.startswith("USER")] == ["USER 65534:65534"] and "libicu72" in RECIPE
    assert "FROM debian:bookworm-slim" in lines
    assert "ENV LANG=C.UTF-8 LC_ALL=C.UTF-8 DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=0" in lines
    assert "ARG ONESCRIPT_SHA256=" in lines, "no checksum is known: the recipe must not pretend one"


def test_archives_of_the_users_are_no_part_of_the_project():
    kept = subprocess.run(["git", "ls-files", "docker/onescript"], cwd=ROOT, capture_output=True, text=True)
    if kept.returncode:
        pytest.skip("not a working copy of git")
    ignored = subprocess.run(["git", "check-ignore", "docker/onescript/x.zip", "docker/onescript/install.sh"], cwd=ROOT, capture_output=True, text=True)
    assert kept.stdout.split() == ["docker/onescript/install.sh"] and ignored.stdout.split() == ["docker/onescript/x.zip"]


def archive(path: Path, said: str, program: str = "bin/oscript") -> str:
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(program, f"#!/bin/sh\necho '{said}'\n")
        made.writestr("lib/readme.txt", "x")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def install(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("unzip") is None or shutil.which("curl") is None:
        pytest.skip("the script needs unzip and curl")
    (folder / "given").mkdir(exist_ok=True)
    shutil.copy(INSTALL, folder / "given")
    given = {
        "ONESCRIPT_VERSION": "2.0.1", "ONESCRIPT_TARGET": str(folder / "opt"), "ONESCRIPT_PROGRAMS": str(folder / "bin"),
        "PATH": os.environ.get("PATH", os.defpath),
    } | environment  # fmt: skip
    return subprocess.run(["/bin/sh", str(folder / "given" / "install.sh")], env=given, capture_output=True, text=True)


@pytest.mark.parametrize("said", ["2.0.1", "2.0.1+f53a", "1Script Execution Engine. Version 2.0.1"])
@pytest.mark.parametrize("way", ["beside", "download"])
def test_an_archive_is_installed_from_beside_or_by_its_address(tmp_path: Path, way: str, said: str):
    (tmp_path / "given").mkdir()
    file = tmp_path / "given" / "any name.zip" if way == "beside" else tmp_path / "far.zip"
    total = archive(file, said)
    ended = install(tmp_path, ONESCRIPT_URL=file.as_uri() if way == "download" else "file:///nowhere/x.zip", ONESCRIPT_SHA256=total)
    assert ended.returncode == 0 and "no checksum" not in ended.stderr, ended
    started = subprocess.run([str(tmp_path / "bin" / "oscript")], capture_output=True, text=True)
    assert started.stdout.strip() == said and (tmp_path / "opt" / "archive.sha256").read_text().strip() == total


def test_an_archive_without_a_checksum_tells_its_own(tmp_path: Path):
    (tmp_path / "given").mkdir()
    total = archive(tmp_path / "given" / "a.zip", "2.0.1")
    ended = install(tmp_path)
    assert ended.returncode == 0 and "compared with no checksum" in ended.stderr and total in ended.stderr


def fault(folder: Path, kind: str) -> subprocess.CompletedProcess[str]:
    given = folder / "given"
    given.mkdir()
    if kind == "nothing":
        return install(folder, ONESCRIPT_URL="file:///nowhere/x.zip")
    if kind == "damaged":
        (given / "a.zip").write_bytes(b"no archive")
        return install(folder)
    if kind == "fails":
        with zipfile.ZipFile(given / "a.zip", "w") as made:
            made.writestr("bin/oscript", "#!/bin/sh\necho no ICU >&2\nexit 134\n")
        return install(folder)
    archive(given / "a.zip", {"newer": "2.0.10", "older": "12.0.1"}.get(kind, "2.0.1"), "bin/other" if kind == "another" else "bin/oscript")
    if kind == "two":
        archive(given / "b.zip", "2.0.1")
    return install(folder, **({"ONESCRIPT_SHA256": "0" * 64} if kind == "sum" else {}))


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("nothing", "put it into docker/onescript/"), ("damaged", "damaged"), ("fails", "no ICU"), ("newer", "expected 2.0.1"),
        ("older", "expected 2.0.1"), ("another", "no program oscript"), ("two", "leave one"), ("sum", "sha256"),
    ],
)  # fmt: skip
def test_what_is_not_the_release_wanted_is_not_installed(tmp_path: Path, kind: str, told: str):
    ended = fault(tmp_path, kind)
    assert ended.returncode == 1 and told in ended.stderr and not (tmp_path / "bin" / "oscript").exists(), ended
