"""Fixtures of the genuine engines' tests: a stand-in program on disk."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

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
        program = folder / "oscript"
        program.write_text(f'#!/bin/sh\nexec {interpreter} -B -E {inner}/oscript.py "$@"\n')
        for path in folder.rglob("*"):
            os.chmod(path, 0o755)
        yield str(program)
