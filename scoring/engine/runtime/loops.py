"""What ``Для`` counts over. Whole numbers are a Python range; anything else is compared and counted on by the dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

# Beyond this many rounds a range is longer than ``len`` can say; no budget of operations gets there.
LONG = 2**60


class Counting:
    """A walk from ``start`` by ones while the value does not pass ``stop``, in the dialect's arithmetic.

    The first comparison is made at once, so that its error belongs to the header. ``last`` is the value that ended the walk.
    """

    __slots__ = ("_goes_on", "_step", "last", "stop")

    def __init__(
        self, start: Any, stop: Any, goes_on: Callable[[Any, Any], bool], step: Callable[[Any], Any]
    ) -> None:
        self.stop = stop
        self.last = start
        self._goes_on = goes_on
        self._step = step
        goes_on(start, stop)

    def __iter__(self) -> Iterator[Any]:
        stop, goes_on, step = self.stop, self._goes_on, self._step
        while goes_on(self.last, stop):
            yield self.last
            self.last = step(self.last)

    def rounds_from(self, value: Any) -> int:
        """How many rounds a walk over numbers from ``value`` makes; 0 for what is not a number."""
        if type(value) in (int, Decimal) and type(self.stop) in (int, Decimal):
            return max(0, int(self.stop - value) + 1) if value <= self.stop else 0
        return 0


class Cut:
    """The part of a walk that the budget still pays for; the next round stops the run: at once, where not even one is paid."""

    __slots__ = ("_spent", "_values", "rounds")

    def __init__(self, values: range | Counting, rounds: int, spent: Callable[[], Any]) -> None:
        self._values = values
        self.rounds = rounds
        self._spent = spent
        if rounds <= 0:
            spent()

    def __iter__(self) -> Iterator[Any]:
        for number, value in enumerate(self._values):
            if number == self.rounds:
                self._spent()
            yield value


def for_end(values: range | Counting) -> Any:
    """The variable's value after a walk that went to its end."""
    if type(values) is range:
        return values.stop if values else values.start
    return values.last  # type: ignore[union-attr]


def loop_count(values: range | Counting | Cut) -> int:
    """Rounds of the walk."""
    if type(values) is range:
        return len(values)
    if type(values) is Cut:
        return values.rounds
    return values.rounds_from(values.last)  # type: ignore[union-attr]


def loop_rest(values: range | Counting | Cut, current: Any) -> int:
    """Rounds that are still to come after the one with ``current``."""
    if type(values) is range:
        return values.stop - 1 - current  # type: ignore[no-any-return]
    if type(values) is Cut:
        return values.rounds - 1 - int(current - next(iter(values._values)))
    rounds = values.rounds_from(current)  # type: ignore[union-attr]
    return rounds - 1 if rounds else 0
