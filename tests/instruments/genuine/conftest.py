"""Fixtures of the genuine engines' tests: a stand-in program on disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
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
