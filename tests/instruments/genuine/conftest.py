"""Fixtures of the genuine engines' tests: a stand-in program on disk, a Docker daemon where one can run."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scoring.instruments.onescript import OneScript
from scoring.instruments.onescript.launching import ImageLauncher
from scoring.instruments.settings import EngineSettings
from scoring.protocol import load_protocol
from scoring.sandbox.containers import Containers

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# A daemon that breaks is seen at once; a slow machine is waited for, or its tests would be skipped by chance.
START_SECONDS = 180
# A call to a daemon on a busy machine takes as long as it takes.
PATIENCE = 300


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"genuine_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def open_interpreter() -> str:
    """An interpreter that an unprivileged user can start, if there is one."""
    for program in ("/usr/bin/python3", sys.executable):
        real = Path(program).resolve()
        if real.is_file() and all(folder.stat().st_mode & 0o001 for folder in real.parents):
            return str(real)
    return ""


@pytest.fixture(scope="session")
def oscript() -> Iterator[str]:
    """A program ``oscript`` that answers by running our engine; readable by the user that candidates run as."""
    interpreter = open_interpreter() or sys.executable
    with tempfile.TemporaryDirectory(prefix="prism-fake-") as place:
        folder = Path(place)
        os.chmod(folder, 0o755)
        shutil.copytree(ROOT / "scoring" / "engine", folder / "scoring" / "engine", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "scoring" / "__init__.py", folder / "scoring")
        inner = folder / "tests" / "instruments" / "genuine"
        inner.mkdir(parents=True)
        shutil.copy(HERE / "oscript.py", inner)
        # It is started hundreds of times, by somebody who may not keep what was compiled.
        compiling = [interpreter, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(folder)]
        subprocess.run(compiling, stdout=subprocess.DEVNULL)
        program = folder / "oscript"
        program.write_text(f'#!/bin/sh\nexec {interpreter} -B -E {inner}/oscript.py "$@"\n')
        for path in folder.rglob("*"):
            os.chmod(path, 0o755)
        yield str(program)


@pytest.fixture(scope="session")
def images() -> ModuleType:
    return module_at(HERE / "images.py")


@pytest.fixture(scope="session")
def daemon(images: ModuleType) -> Iterator[Any]:
    """A client of a Docker daemon: the one that is there, or one of our own."""
    import docker

    client = answering(docker, None)
    if client is not None:
        yield client
        return
    with tempfile.TemporaryDirectory(prefix="prism-dockerd-", ignore_cleanup_errors=True) as place:
        started = images.start_daemon(Path(place))
        if started is None:
            pytest.skip("no Docker daemon runs here, and none can be started (root and Debian's docker.io are needed)")
        process, address = started
        try:
            client = wait_for(docker, address, process)
            if client is None:
                log = (Path(place) / "daemon.log").read_text("utf-8", "replace").strip().splitlines()
                pytest.skip(f"the Docker daemon does not start here: {log[-1] if log else 'nothing said'}")
            yield client
        finally:
            process.terminate()
            process.wait(180)


def wait_for(docker: Any, address: str, process: Any) -> Any:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        client = answering(docker, address)
        if client is not None or process.poll() is not None:
            return client
        time.sleep(0.1)
    return None


def answering(docker: Any, address: str | None) -> Any:
    try:
        client = docker.DockerClient(base_url=address, timeout=PATIENCE) if address else docker.from_env(timeout=PATIENCE)
        client.ping()
        return client
    except Exception:
        return None


@pytest.fixture(scope="session")
def box(daemon: Any, images: ModuleType) -> str:
    """An image with a Python, busybox and our package."""
    if images.lacking():
        pytest.skip(f"the test image can't be built: {images.lacking()}")
    images.build_sandbox(daemon, "prism-test-box")
    return "prism-test-box"


@pytest.fixture(scope="session")
def stand_in(daemon: Any, images: ModuleType) -> str:
    """The stand-in of 1C."""
    if images.lacking():
        pytest.skip(f"the stand-in can't be built: {images.lacking()}")
    images.build_onec(daemon, "prism-test-onec")
    return "prism-test-onec"


@pytest.fixture(scope="session")
def oscript_image(daemon: Any, images: ModuleType) -> str:
    """The stand-in of OneScript."""
    if images.lacking():
        pytest.skip(f"the stand-in can't be built: {images.lacking()}")
    images.build_oscript(daemon, "prism-test-oscript")
    return "prism-test-oscript"


@pytest.fixture(scope="session")
def local_engine(oscript: str) -> OneScript:
    return OneScript(load_protocol(), EngineSettings(oscript=oscript))


@pytest.fixture(scope="session")
def image_engine(daemon: Any, oscript_image: str) -> OneScript:
    launcher = ImageLauncher(oscript_image, Containers(daemon), stand_in=True)
    return OneScript(load_protocol(), EngineSettings(oscript_image=oscript_image), launcher)


@pytest.fixture(scope="session", params=["local", pytest.param("image", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest) -> OneScript:
    """The adapter on both of its paths."""
    return request.getfixturevalue(f"{request.param}_engine")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A start may take as long as a busy machine makes it take."""
    monkeypatch.setattr("scoring.instruments.onescript.engine.START_SECONDS", 300)
