from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from world import World, make_world


@pytest.fixture(scope="session")
def world() -> World:
    """Nothing in these tests writes to the database."""
    return make_world()
