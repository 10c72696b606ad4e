"""Texts on their way into the engine and out of it: UTF-16 units inside, whole characters outside."""

from __future__ import annotations

import pytest

from scoring.engine.session import Session
from scoring.sandbox.worker.values import Room, to_engine, to_wire


@pytest.mark.parametrize("dialect", ["onescript", "onec"])
def test_a_character_beyond_the_first_plane_is_two_units_inside(dialect: str) -> None:
    rt = Session(dialect).runtime
    wire = ["a", ["а😀", ["s", [["к", "😀"]]]]]
    inside = to_engine(rt, wire, iter(()))
    assert [len(text) for text in (inside.items[0], inside.items[1].items["к"])] == [3, 2]
    assert to_wire(rt, inside, Room(1000)) == wire


def test_a_lone_half_leaves_as_it_is() -> None:
    assert to_wire(Session("onescript").runtime, "а\ud83d", Room(1000)) == "а\ud83d"
