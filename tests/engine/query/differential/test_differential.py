"""Results equal SQLite's on the shared subset of the language."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from compare import Pair
from world import World

# Each block has tables of its own. ``python differential/test_differential.py 200`` runs more of them.
BLOCKS, PER_BLOCK = 12, 120


@pytest.mark.parametrize("block", range(BLOCKS))
def test_rows_equal_those_of_sqlite(world: World, block: int) -> None:
    check_block(world, block)


def check_block(world: World, block: int) -> None:
    pair = Pair(world, block)
    for number in range(PER_BLOCK):
        ours, sql, rows, expected = pair.check(block * PER_BLOCK + number)
        assert rows == expected, f"{ours}\n{sql}"


if __name__ == "__main__":
    from world import make_world

    shop = make_world()
    for one in range(int(sys.argv[1])):
        check_block(shop, one)
    print(int(sys.argv[1]) * PER_BLOCK, "queries agree")
