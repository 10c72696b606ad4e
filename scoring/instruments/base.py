"""What any engine must offer: check a module, run tests, count work; and say whether it is there at all."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from scoring.bundles.model import TaskBundle
from scoring.evidence import GrowthEvidence, SyntaxEvidence, TestEvidence
from scoring.extract import Module


@dataclass(frozen=True, slots=True)
class Availability:
    """Can the instrument be used here? ``reason`` says why not and what to do, or what is weaker than it could be."""

    ready: bool
    reason: str = ""


class Examination(Protocol):
    """One answer under one instrument, opened for one task. Every method measures and never raises for the candidate's sake."""

    def check(self) -> SyntaxEvidence:
        """Errors of the whole text (axis S)."""
        ...

    def run_tests(self) -> TestEvidence:
        """Every hidden test (axes M and P)."""
        ...

    def count_work(self) -> GrowthEvidence:
        """Work over the load ladder, or static anti-patterns where the task has no profile (axis O)."""
        ...


class Instrument(Protocol):
    """An engine. ``name`` is stable (``builtin``, ``onescript`` …), ``version`` changes whenever verdicts could.

    ``batches``: a start costs so much that :meth:`prepare` is worth calling."""

    name: str
    batches: bool

    def version(self) -> str: ...

    def availability(self) -> Availability: ...

    def self_test(self) -> str:
        """Measure something known; "" where it came out right, else what went wrong. May take seconds."""
        ...

    def prepare(self, texts: Iterable[str]) -> None:
        """These texts will be examined soon: an engine with a dear start may look at all of them at once."""
        ...

    def close(self) -> None: ...

    def examine(self, module: Module, bundle: TaskBundle) -> AbstractContextManager[Examination]: ...
