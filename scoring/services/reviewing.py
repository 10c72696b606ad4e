"""What expert review tells the public pages, passed through here since the two apps are strangers.

The review registers its answers at start; an installation without it has nothing withheld and nothing marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Marks:
    """`axes`: (category, axis) → `verified` or `provisional`; `tasks`: ids of verified tasks; `doubted`: tasks with an open ticket.

    A score carries the mark when its axis and its task both have it.
    """

    axes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    tasks: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()

    def covers(self, category: str, axis: str, task: int) -> bool:
        """Whether a score on this axis of this task is verified."""
        return self.axes.get((category, axis)) == "verified" and task in self.tasks


_withheld: list[Callable[[], frozenset[int]]] = []
_marks: list[Callable[[], Marks]] = []


def register(withheld: Callable[[], frozenset[int]], marks: Callable[[], Marks]) -> None:
    """Called once by the app that knows; a second call replaces the first."""
    _withheld[:], _marks[:] = [withheld], [marks]


def withheld_answers() -> frozenset[int]:
    """Ids of answers whose code and single scores nobody may see now: they are being graded blindly. Aggregates stay."""
    return frozenset().union(*(provider() for provider in _withheld))


def is_withheld(answer: int) -> bool:
    return answer in withheld_answers()


def marks() -> Marks:
    """The marks in force."""
    return _marks[0]() if _marks else Marks()


_meanings: list[Callable[[int], Mapping[int, tuple[int, ...]]]] = []


def register_meanings(provider: Callable[[int], Mapping[int, tuple[int, ...]]]) -> None:
    """Called once by the app that knows what experts gave: `provider(task)` is answer → grades of M of rounds that are over."""
    _meanings[:] = [provider]


def graded_meanings(task: int) -> Mapping[int, tuple[int, ...]]:
    """Experts' grades of M per answer of a task; only of rounds that are over, so that nobody's blindness is broken."""
    return _meanings[0](task) if _meanings else {}
