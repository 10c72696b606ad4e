"""What a task bundle is once it was read: frozen records, nothing unchecked inside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from scoring.wire import Wire

Verdict = Literal["accepted", "wrong_answer", "run_time_error", "platform_error", "too_slow", "does_not_compile"]
VERDICTS: tuple[Verdict, ...] = (
    "accepted", "wrong_answer", "run_time_error", "platform_error", "too_slow", "does_not_compile",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TestCase:
    """One hidden test. Exactly one of ``expected`` (with ``has_expected``), ``check`` and ``raises`` decides it."""

    __test__ = False

    index: int
    name: str
    args: tuple[Wire, ...]
    expected: Wire = None
    has_expected: bool = False
    check: str = ""
    raises: str | None = None
    arrange: str = ""


@dataclass(frozen=True, slots=True)
class DataTests:
    """``tests.yaml``: tests as data; ``helpers`` are BSL routines that arguments and checks may call."""

    cases: tuple[TestCase, ...]
    helpers: str = ""

    def __len__(self) -> int:
        return len(self.cases)


@dataclass(frozen=True, slots=True)
class ScriptTests:
    """``tests.bsl``: a module that exports ``ПрогнатьТест()``."""

    source: str


@dataclass(frozen=True, slots=True)
class AlgorithmLoad:
    """``perf.yaml`` of A: ``generate`` builds the input ({n} = size), ``call`` uses it ({entry} = function name)."""

    optimum: Decimal
    sizes: tuple[int, ...]
    generate: str
    call: str


@dataclass(frozen=True, slots=True)
class DatabaseLoad:
    """``perf.yaml`` of B: ``grow`` is added n times to the fixtures, then ``call`` runs and accesses are counted.

    ``count``: ``sdbl`` (every access to data) or ``register`` (reads of register tables only).
    """

    optimum: Decimal
    sizes: tuple[int, ...]
    call: str
    count: Literal["sdbl", "register"] = "sdbl"
    grow: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Control:
    """An answer whose verdict is known: ``submissions/<verdict>/<name>.bsl``."""

    verdict: Verdict
    name: str
    code: str


@dataclass(frozen=True, slots=True)
class TaskBundle:
    """A task. ``hash`` is SHA-256 over the names and contents of its files; equal content, equal hash.

    ``configuration`` and ``fixtures`` (B) are plain mappings in the notation of the files, dates as ``date``/``datetime``.
    """

    id: str
    name: str
    category: str
    difficulty: str
    prompt: str
    hash: str
    signature: str = ""
    entry_point: str = ""
    entry_point_patterns: tuple[str, ...] = ()
    expected_objects: tuple[str, ...] = ()
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tests: DataTests | ScriptTests | None = None
    load: AlgorithmLoad | DatabaseLoad | None = None
    canonical: str = ""
    baseline: str = ""
    configuration: Mapping[str, Any] = field(default_factory=dict)
    fixtures: Mapping[str, Any] = field(default_factory=dict)
    controls: tuple[Control, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def patterns(self) -> tuple[str, ...]:
        """Regular expressions of entry points, most wanted first."""


        exact = (re.escape(self.entry_point),) if self.entry_point else ()
        return exact + self.entry_point_patterns
