"""Mutated texts run, or fail as the platform would: never with an error of the engine's own.

``python fuzz/test_fuzz.py 20000`` runs more of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from mutate import mutants
from params import parameters
from world import World

from scoring.engine.errors import BslRuntimeError, NotSupported
from scoring.engine.query.failures import QueryError, describe

BLOCKS, PER_BLOCK = 8, 250


def outcome(world: World, text: str, values: dict[str, object]) -> str:
    """``rows`` or the kind of the refusal; anything unexpected is raised."""
    try:
        world.outcomes(text, **values)
    except QueryError as failed:
        message = describe(failed, text)
        assert message.strip(), text
        return "error"
    except NotSupported:
        return "not supported"
    except BslRuntimeError:
        return "run time"
    return "rows"


@pytest.mark.parametrize("block", range(BLOCKS))
def test_mutants_never_break_the_engine(world: World, block: int) -> None:
    values = parameters(world)
    for text in mutants(block, PER_BLOCK):
        try:
            outcome(world, text, values)
        except Exception as broken:
            raise AssertionError(text) from broken


if __name__ == "__main__":
    from world import make_world

    shop = make_world()
    given = parameters(shop)
    print(Counter(outcome(shop, text, given) for text in mutants(977, int(sys.argv[1]))))
