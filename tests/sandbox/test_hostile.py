"""The gallery of hostile answers: none gains a point, hangs, or harms the answer after it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.pipeline import Pipeline
from scoring.protocol import load_protocol
from tests.hostile.gallery import BUNDLE, GALLERY, HONEST, filled

# A smaller budget than the protocol's: what loops for ever spends any.
BUDGET = 300_000


@pytest.fixture(scope="module", params=["process", "docker"])
def pipeline(request: pytest.FixtureRequest, pipeline_of: Any) -> Iterator[Pipeline]:
    protocol = load_protocol()
    small = dataclasses.replace(
        protocol,
        meaning=dataclasses.replace(protocol.meaning, operations=BUDGET),
        optimization=dataclasses.replace(protocol.optimization, operations=BUDGET),
    )
    with pipeline_of(request, request.param, small) as made:
        yield made


def test_the_gallery_is_large_enough():
    assert len(GALLERY) >= 40


@pytest.mark.parametrize("entry", GALLERY, ids=[entry["name"] for entry in GALLERY])
def test_a_hostile_answer_gains_nothing_and_harms_nobody(pipeline: Pipeline, entry: dict[str, Any]):
    result = pipeline.score(filled(entry["code"]), BUNDLE)
    assert result.card.value("M") in (None, 0), result.evidence.tests
    reason = getattr(result.card.axes["M"], "reason", "")
    assert reason != "clock", "it took the safety net to stop it"
    after = pipeline.score(HONEST, BUNDLE)
    assert (after.card.value("M"), after.card.value("S")) == (10, 10), after.evidence


def test_an_honest_answer_is_scored_the_same_to_the_bit_every_time(pipeline: Pipeline):
    first, second = (pipeline.score(HONEST, BUNDLE) for _ in range(2))
    assert (first.card, first.evidence, first.fall) == (second.card, second.evidence, second.fall)
