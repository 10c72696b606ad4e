"""A small board for every test of these pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.cache import forget
from prism_site.apps import compile_translations

sys.path.insert(0, str(Path(__file__).parent))
from board_world import World, fill_small  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def translations() -> None:
    compile_translations()


@pytest.fixture
def world(db: None) -> Iterator[World]:
    forget()
    yield World()
    forget()


@pytest.fixture
def small(world: World) -> World:
    return fill_small(world)
