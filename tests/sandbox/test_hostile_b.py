"""The gallery of category B, on the built-in engine and through containers of 1C's stand-in: nothing gained, no later answer harmed."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring.bundles import load_folder
from scoring.instruments.builtin import BuiltinEngine
from scoring.instruments.onec_docker import OnecDocker, engine, steps
from scoring.instruments.settings import EngineSettings
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import load_protocol
from scoring.sandbox.containers import Containers

FOLDER = Path(__file__).parents[1] / "hostile"
GALLERY = yaml.safe_load((FOLDER / "gallery_b.yaml").read_text("utf-8"))
BUNDLE = load_folder(FOLDER / "task_b").required()
# Smaller than the protocol's: what loops for ever spends any.
BUDGET = 300_000
WAYS = ["process", "docker", "onec"]
SECONDS = 3


@dataclass(frozen=True)
class Way:
    """A way through which answers are scored. ``trace``: what an answer must leave as it was."""

    pipeline: Pipeline
    every_time: bool
    trace: Callable[[], str]


@pytest.fixture(scope="module", params=WAYS)
def way(request: pytest.FixtureRequest, pipeline_of: Any) -> Iterator[Way]:
    protocol = load_protocol()
    small = dataclasses.replace(protocol, meaning=dataclasses.replace(protocol.meaning, operations=BUDGET))
    if request.param == "onec":
        yield from onec(request)
        return
    with pipeline_of(request, request.param, small, "B") as made:
        yield Way(made, True, lambda: "")


def onec(request: pytest.FixtureRequest) -> Iterator[Way]:
    """Through containers: an answer is a second or two, so the honest one follows the whole gallery, and each answer is asked
    whether the databases that the next one gets are still what they were."""
    daemon, image = request.getfixturevalue("daemon"), request.getfixturevalue("stand_in")
    cache = request.getfixturevalue("tmp_path_factory").mktemp("cache")
    protocol = load_protocol()
    made = OnecDocker(protocol, EngineSettings(onec_image=image, cache=cache), Containers(daemon), stand_in=True)
    builtin = BuiltinEngine(protocol)

    def trace() -> str:
        """A digest of the databases that answers get copies of, and what still runs of ours."""
        found = hashlib.sha256()
        for path in sorted(made.databases(BUNDLE).rglob("*")):
            found.update(f"{path} {path.lstat().st_mode}".encode() + (path.read_bytes() if path.is_file() else b""))
        running = [one.name for one in daemon.containers.list(filters={"ancestor": image})]
        return found.hexdigest() + str(running)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "MEMORY", 512 << 20)
        yield Way(Pipeline(Stack(made, made, made, builtin), protocol), False, trace)
    builtin.close()


def test_the_gallery_is_large_enough():
    assert len(GALLERY) >= 35 and sum(way == "onec" for way, _ in TRIED) >= 24


def honest(way: Way) -> None:
    card = way.pipeline.score(BUNDLE.canonical, BUNDLE).card
    assert (card.value("M"), card.value("S")) == (10, 10), card


TRIED = [(way, entry) for way in WAYS for entry in GALLERY if way != "onec" or not entry.get("engine")]


@pytest.mark.slow
@pytest.mark.parametrize(("way", "entry"), TRIED, ids=[f"{way}-{entry['name']}" for way, entry in TRIED], indirect=["way"])
def test_a_hostile_answer_gains_nothing_and_harms_nobody(way: Way, entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    before = way.trace()
    if entry.get("slow"):
        monkeypatch.setattr(steps, "RUN", SECONDS)
    result = way.pipeline.score(entry["code"], BUNDLE)
    assert result.card.value("M") in (None, 0), result.evidence.tests
    assert way.trace() == before
    if way.every_time:
        honest(way)


@pytest.mark.slow
def test_an_honest_answer_behind_them_all_is_scored_as_ever(way: Way):
    honest(way)
