"""What instruments saw, typed, before anybody judges it.

Every measurement comes as one of three: :class:`Observed` (facts), :class:`CandidateFailed` (the answer's own fault, which
scores 0) or :class:`InstrumentFailed` (nothing was measured, with the reason). ``to_data`` and ``from_data`` carry evidence
to and from plain JSON values, for storage beside the score.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the answer: ``line`` from 1 (0 = unknown), ``column`` 0 where the engine gives none."""

    line: int = 0
    column: int = 0
    module: str = ""
    source_line: str = ""


@dataclass(frozen=True, slots=True)
class CandidateFailed:
    """The answer broke: ``kind`` is a stable name (``does_not_compile``, ``no_entry_point``, ``limit_operations`` …).

    ``error_kind`` is the engine's name of the first error behind it, where there is one.
    """

    kind: str
    message: str = ""
    at: Place | None = None
    error_kind: str = ""


@dataclass(frozen=True, slots=True)
class InstrumentFailed:
    """Nothing was measured. ``reason`` is a key of ``absent.not_measured`` in ``metrics/smop.yaml``."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Observed(Generic[T]):
    """A measurement that took place."""

    facts: T


# -- S -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SyntaxFinding:
    """One error of the checker; ``kind`` is its stable name (for blockers the diagnostic's code)."""

    kind: str
    message: str
    at: Place


@dataclass(frozen=True, slots=True)
class PairCount:
    """How often a paired keyword opens and closes in the text without strings and comments."""

    key: str
    opened: int
    closed: int


@dataclass(frozen=True, slots=True)
class SyntaxFacts:
    """``errors``: what does not parse or compile. ``blockers``: parses, but no compiler accepts it."""

    errors: tuple[SyntaxFinding, ...] = ()
    blockers: tuple[SyntaxFinding, ...] = ()
    balance: tuple[PairCount, ...] = ()


# -- M and P -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ErrorFact:
    """A runtime error of the answer, worded by the engine."""

    kind: str
    message: str
    at: Place | None = None


Verdict = Literal["passed", "wrong", "raised", "not_run"]


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """One hidden test. ``actual`` and ``expected`` are presentations for people, cut to a readable length.

    ``wants_error``: the test passes by an exception; another one than it wants is never a platform error.
    """

    __test__ = False  # not a pytest class

    index: int
    name: str
    verdict: Verdict
    actual: str = ""
    expected: str = ""
    error: ErrorFact | None = None
    operations: int = 0
    wants_error: bool = False


@dataclass(frozen=True, slots=True)
class TestFacts:
    """All hidden tests of one answer. ``stopped`` says that a budget ended the run: then no test counts as passed."""

    __test__ = False

    entry_point: str
    outcomes: tuple[TestOutcome, ...]
    operations: int = 0
    stopped: CandidateFailed | None = None
    printed: str = ""

    @property
    def total(self) -> int:
        return len(self.outcomes)

    @property
    def passed(self) -> int:
        return 0 if self.stopped else sum(outcome.verdict == "passed" for outcome in self.outcomes)


# -- O -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GrowthFacts:
    """Work per size of the load ladder. ``counts`` may be shorter than ``sizes``: then ``stopped`` says why.

    ``unit``: ``operations`` (A) or ``accesses`` (B). ``optimum`` is the task's p_opt, a decimal as text.
    """

    unit: str
    optimum: str
    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    stopped: CandidateFailed | None = None


@dataclass(frozen=True, slots=True)
class StaticFinding:
    """An anti-pattern of the diagnostic ``code`` in the answer's text."""

    code: str
    message: str
    at: Place


@dataclass(frozen=True, slots=True)
class StaticFacts:
    findings: tuple[StaticFinding, ...] = ()


SyntaxEvidence = Observed[SyntaxFacts] | CandidateFailed | InstrumentFailed
TestEvidence = Observed[TestFacts] | CandidateFailed | InstrumentFailed
GrowthEvidence = Observed[GrowthFacts] | Observed[StaticFacts] | CandidateFailed | InstrumentFailed


@dataclass(frozen=True, slots=True)
class Invented:
    """Something that an answer addressed and that does not exist. ``kind``: table, field, property, method, type."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything measured of one answer. ``growth`` is None where O was not started (its gate was shut)."""

    syntax: SyntaxEvidence
    tests: TestEvidence
    growth: GrowthEvidence | None = None
    entry_point: str = ""
    invented: tuple[Invented, ...] = ()


# -- storage -----------------------------------------------------------------------------------------------------------

_BY_NAME: dict[str, type] = {
    cls.__name__: cls
    for cls in (
        Place, CandidateFailed, InstrumentFailed, Observed, SyntaxFinding, PairCount, SyntaxFacts, ErrorFact, TestOutcome,
        TestFacts, GrowthFacts, StaticFinding, StaticFacts, Invented, Evidence,
    )
}  # fmt: skip


def to_data(value: Any) -> Any:
    """Plain JSON values; every record carries its class name under ``is``."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: to_data(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"is": type(value).__name__, **fields}
    if isinstance(value, tuple):
        return [to_data(entry) for entry in value]
    return value


def from_data(data: Any) -> Any:
    """The inverse of :func:`to_data`. Raises ``ValueError`` for a record of an unknown class or with unknown fields."""
    if isinstance(data, list):
        return tuple(from_data(entry) for entry in data)
    if not isinstance(data, dict):
        return data
    cls = _BY_NAME.get(data.get("is", ""))
    if cls is None:
        raise ValueError(f"unknown evidence record: {data.get('is')!r}")
    known = {f.name for f in dataclasses.fields(cls)}
    extra = data.keys() - known - {"is"}
    if extra:
        raise ValueError(f"{cls.__name__} has no field {sorted(extra)}")
    return cls(**{key: from_data(entry) for key, entry in data.items() if key != "is"})
