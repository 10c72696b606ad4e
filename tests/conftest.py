"""Fixtures of tests that need containers: a Docker daemon where one can run, images made from this machine's own files.

And for every test: whatever workers they start plan no nightly cross-check, at whichever hour the suite runs.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

IMAGES = Path(__file__).parent / "instruments" / "genuine" / "images.py"
# A daemon that breaks is seen at once; a slow machine is waited for, or its tests would be skipped by chance.
START_SECONDS = 180
# A call to a daemon on a busy machine takes as long as it takes.
PATIENCE = 300

os.environ["PRISM_CROSS_CHECK"] = "off"


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"genuine_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def images() -> ModuleType:
    return module_at(IMAGES)


@pytest.fixture(scope="session")
def daemon(images: ModuleType) -> Iterator[Any]:
    """A client of a Docker daemon: the one that is there, or one of our own. ``address``: what names it in DOCKER_HOST."""
    import docker

    client = answering(docker, None)
    if client is not None:
        client.address = os.environ.get("DOCKER_HOST", "")
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
            client.address = address
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


@pytest.fixture
def docker_named(daemon: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The daemon as the environment names it: what the settings choose finds it there."""
    name_daemon(daemon, monkeypatch)
    return daemon


def name_daemon(daemon: Any, patch: pytest.MonkeyPatch) -> None:
    if daemon.address:
        patch.setenv("DOCKER_HOST", daemon.address)


@pytest.fixture(scope="session")
def pipeline_of() -> Any:
    """Makes a pipeline over the built-in engine as ``PRISM_SANDBOX`` chooses it."""
    return chosen_pipeline


@contextlib.contextmanager
def chosen_pipeline(request: pytest.FixtureRequest, sandbox: str, protocol: Any, category: str = "A") -> Iterator[Any]:
    from scoring.instruments.choice import Engines
    from scoring.instruments.settings import read_settings
    from scoring.pipeline import Pipeline, Stack

    with pytest.MonkeyPatch.context() as patch:
        words = {"PRISM_SANDBOX": sandbox}
        if sandbox == "docker":
            name_daemon(request.getfixturevalue("daemon"), patch)
            words["PRISM_SANDBOX_IMAGE"] = request.getfixturevalue("box")
        engines = Engines(protocol, read_settings(words, Path("nowhere")))
        try:
            yield Pipeline(Stack.chosen(engines, category), protocol)
        finally:
            engines.close()
