"""Children that die: restarted while that helps, reported where it never will."""

from __future__ import annotations

import itertools
import signal
import sys

import pytest

from scoring.management import supervisor
from scoring.management.supervisor import ChildKeepsDying, Supervisor

ENDS = "raise SystemExit(3)"
KILLED = f"import os; os.kill(os.getpid(), {signal.SIGKILL:d})"


def deaths_until_reported(monkeypatch: pytest.MonkeyPatch, program: str, seconds_each: float, most: int = 6) -> int | None:
    """How many deaths of a child, each after so many seconds, are taken; None for `most` and more."""
    # Two looks at the clock per life: at the start and at the death.
    clock = itertools.count(0.0, seconds_each)
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: next(clock))
    children = Supervisor()
    children.start([sys.executable, "-c", program])
    for death in range(1, most):
        children.children[0].process.wait()
        try:
            assert children.tend() == 1
        except ChildKeepsDying as told:
            assert "again and again" in str(told)
            return death
    children.children[0].process.wait()
    return None


@pytest.mark.parametrize(
    ("program", "seconds", "reported"),
    # The machine may be so busy that a program comes to its fault only after a while.
    [(ENDS, 0.1, 3), (ENDS, 20.0, 3), (ENDS, 90.0, None), (KILLED, 0.1, 3), (KILLED, 20.0, None)],
)
def test_a_broken_child_is_told_from_an_unlucky_one(monkeypatch: pytest.MonkeyPatch, program: str, seconds: float, reported: int | None):
    assert deaths_until_reported(monkeypatch, program, seconds) == reported
