"""Two ways to say the same give the same rows: ``equivalences.yaml``."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from params import parameters
from world import World

PAIRS = yaml.safe_load((Path(__file__).parent / "equivalences.yaml").read_text("utf-8"))


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["name"] for pair in PAIRS])
def test_both_texts_give_the_same_rows(world: World, pair: dict[str, str]) -> None:
    values = parameters(world)
    one, other = world.rows(pair["one"], **values), world.rows(pair["other"], **values)
    assert one
    assert sorted(map(repr, one)) == sorted(map(repr, other))
