"""The sort of .NET's lists, followed step by step."""

from __future__ import annotations

import random

import pytest

from scoring.engine.collections.base import SlotOrder
from scoring.engine.collections.ordering import introsort, introsort_ranks


def by_first(left: tuple[int, int], right: tuple[int, int]) -> int:
    return left[0] - right[0]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 16, 17, 18, 40, 333])
def test_introsort_sorts_whatever_the_size(size: int) -> None:
    generator = random.Random(size)
    items = [(generator.randrange(size or 1), position) for position in range(size)]
    expected = sorted(item[0] for item in items)
    kept = sorted(items)
    introsort(items, by_first)
    assert [item[0] for item in items] == expected
    assert sorted(items) == kept


@pytest.mark.parametrize("size", [2, 4, 9, 16])
def test_insertion_keeps_equal_elements_in_place(size: int) -> None:
    items = [(0, position) for position in range(size)]
    introsort(items, by_first)
    assert [position for _, position in items] == list(range(size))


def test_three_elements_go_through_a_network_that_is_not_stable() -> None:
    items = [(1, 0), (1, 1), (0, 2)]
    introsort(items, by_first)
    assert items == [(0, 2), (1, 1), (1, 0)]


def test_seventeen_equal_elements_are_shuffled_by_the_partition() -> None:
    items = [(0, position) for position in range(17)]
    introsort(items, by_first)
    # median of three to hi-1, then swaps from both ends until the pointers meet
    assert [position for _, position in items] != list(range(17))
    assert sorted(position for _, position in items) == list(range(17))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 16, 17, 18, 33, 34, 35, 36, 50, 200, 1000, 3001])
@pytest.mark.parametrize("variety", [1, 2, 3, 7, 5000])
def test_the_fast_road_over_ranks_takes_the_same_steps(size: int, variety: int) -> None:
    generator = random.Random(size * variety)
    ranks = [generator.randrange(variety) for _ in range(size)]
    for arranged in (ranks, sorted(ranks), sorted(ranks, reverse=True)):
        items = [(rank, position) for position, rank in enumerate(arranged)]
        introsort(items, by_first)
        assert introsort_ranks(arranged) == [position for _, position in items]


def test_depth_limit_falls_back_to_heapsort() -> None:
    """A comparer that makes every pivot the worst one ends in heapsort, which still sorts."""
    values: dict[int, int] = {}
    solid, gas, candidate = 0, 10_000, 0

    def killer(left: int, right: int) -> int:  # McIlroy's antiquicksort adversary
        nonlocal solid, candidate
        if values.get(left, gas) == gas and values.get(right, gas) == gas:
            values[left if left == candidate else right] = solid
            solid += 1
        if values.get(left, gas) == gas:
            candidate = left
        elif values.get(right, gas) == gas:
            candidate = right
        return values.get(left, gas) - values.get(right, gas)

    items = list(range(400))
    introsort(items, killer)
    ranked = [values.get(item, gas) for item in items]
    assert ranked == sorted(ranked)


def test_slots_freed_last_are_filled_first() -> None:
    order = SlotOrder("абвгд")
    order.remove("б")
    order.remove("г")
    for key in "xyz":
        order.add(key)
    assert order.keys() == ["а", "y", "в", "x", "д", "z"]
    assert order.has("z") and not order.has("б")
