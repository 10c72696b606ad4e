"""Samples: every step seen, probabilities as told, the same seed the same sample."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from review.sampling import Candidate, SampleTooSmall, allocate, draw, overlapping, step_counts, strata


def population(count=2000, seed=1):
    chance = random.Random(seed)
    steps = [(10, 10, 10)] * 12 + [(10, 8, 10), (10, 0, None), (8, 6, 8), (0, 0, None), (6, 2, None), (10, 10, 4), (10, 6, 2)]
    return [Candidate(n, n % 40, chance.choice(steps)) for n in range(count)]


def test_every_stratum_and_every_step_is_seen():
    found = draw(population(), 60, 1, 0.35)
    assert len(found) == 60
    assert {entry.stratum for entry in found} == {"-".join("x" if s is None else str(s) for s in cell) for cell in strata(population())}
    assert set(step_counts(found, "SMO")["O"]) == {"2", "4", "8", "10", "x"}


def test_rare_steps_take_more_than_their_share():
    counts = step_counts(draw(population(), 100, 1, 0.35), "SMO")
    assert counts["S"]["0"] > 100 * 1 / 19 and counts["O"]["2"] > 100 / 19


def test_the_seed_decides():
    people = population()
    assert draw(people, 80, 5, 0.35) == draw(list(reversed(people)), 80, 5, 0.35)
    assert draw(people, 80, 5, 0.35) != draw(people, 80, 6, 0.35)


def test_probabilities_are_those_of_the_design():
    """Over many seeds every answer is drawn as often as it says."""
    people = population(120, seed=2)
    told = {}
    drawn = Counter()
    for seed in range(400):
        for entry in draw(people, 40, seed, 0.35):
            told[entry.answer] = entry.probability
            drawn[entry.answer] += 1
    assert len(told) == 120
    assert max(abs(drawn[answer] / 400 - probability) for answer, probability in told.items()) < 0.12
    for seed in range(5):
        assert sum(1 / entry.probability for entry in draw(people, 40, seed, 0.35)) == pytest.approx(120)


def test_a_sample_as_large_as_the_population_is_the_population():
    people = population(50)
    found = draw(people, 50, 1, 0.35)
    assert {entry.answer for entry in found} == set(range(50)) and {entry.probability for entry in found} == {1.0}


def test_fewer_places_than_strata_are_refused_with_the_number_needed():
    with pytest.raises(SampleTooSmall) as refused:
        draw(population(), 3, 1, 0.35)
    assert (refused.value.size, refused.value.strata) == (3, len(strata(population())))
    with pytest.raises(ValueError):
        draw([], 10, 1, 0.35)


def test_no_stratum_gives_more_than_it_has():
    sizes = {(10,): 900, (8,): 3, (0,): 1}
    assert allocate(sizes, 200, 0.35) == {(10,): 196, (8,): 3, (0,): 1}


@pytest.mark.parametrize(("share", "count"), [(0.0, 0), (0.5, 50), (1.0, 100)])
def test_overlap_is_a_share_of_the_sample(share, count):
    assert len(overlapping(100, share, 1)) == count
