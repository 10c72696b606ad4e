"""Order of strings."""

from __future__ import annotations

import itertools
import random

import pytest

from scoring.engine.values.collation import collation_key, compare, compare_ignoring_case


@pytest.mark.parametrize(
    "ascending",
    [
        ["", " ", "_", "-", ",", ";", ":", "!", "?", ".", "'", '"', "(", ")", "[", "]", "{", "}", "@", "*", "/", "\\",
         "&", "#", "%", "`", "^", "+", "<", "=", ">", "|", "~", "$", "0", "9", "a", "A", "b", "z", "Z", "а", "А", "я"],
        ["кот", "Кот", "КОТ", "кота", "Котик"],
        ["ель", "Ель", "ёль", "Ёль", "енот", "ёнот"],
        ["и", "ий", "й", "к"],
        ["resume", "résumé", "resumed"],
        ["а б", "а-б", "аб"],
        ["10", "2", "20"],
    ],
)  # fmt: skip
def test_these_stand_in_order(ascending: list[str]) -> None:
    for left, right in itertools.pairwise(ascending):
        assert compare(left, right) == -1, (left, right)
        assert compare(right, left) == 1, (left, right)


def test_the_order_is_total() -> None:
    source = random.Random(3)
    words = ["".join(source.choice("аАбёЁеzZ -1_") for _ in range(source.randrange(5))) for _ in range(60)]
    ordered = sorted(words, key=collation_key)
    for left, right in itertools.combinations(ordered, 2):
        assert compare(left, right) <= 0


def test_case_may_be_ignored_but_accents_never() -> None:
    assert compare_ignoring_case("МИР", "мир") == 0
    assert compare_ignoring_case("ЁЛКА", "ёлка") == 0
    assert compare_ignoring_case("елка", "ёлка") == -1


def test_control_characters_do_not_count() -> None:
    assert compare("а\x01б", "аб") == 0
    assert compare("\ufeffаб", "аб") == 0
