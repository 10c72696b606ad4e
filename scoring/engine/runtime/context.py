"""The runtime context: what built-ins see of the run they belong to. Always passed as ``rt``."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scoring.engine.errors import BslRuntimeError, LimitReached

if TYPE_CHECKING:
    from scoring.engine.dialects.base import Dialect

# Operations a run may spend unless told otherwise. Callers take real budgets from the protocol.
DEFAULT_OPERATIONS = 60_000_000
# Deep enough for any sane recursion; below the point where CPython's own frames exhaust the worker's memory.
DEFAULT_DEPTH = 20_000
# Bytes a single built-in may ask for at once (a string of this length, an array of this many slots × 8).
DEFAULT_MEMORY = 256 * 1024 * 1024
# Characters that Сообщить and its like may write; the rest is cut, not an error.
DEFAULT_OUTPUT = 64 * 1024


# Work that built-ins do without a statement being counted, in steps of some nanoseconds, for each operation of the budget.
# It shows in no counter; it bounds programs that spend their time inside of built-ins, at the same point on every machine.
WORK_PER_OPERATION = 64


@dataclass(frozen=True, slots=True)
class Limits:
    operations: int = DEFAULT_OPERATIONS
    depth: int = DEFAULT_DEPTH
    memory: int = DEFAULT_MEMORY
    output: int = DEFAULT_OUTPUT


@dataclass(slots=True)
class Clock:
    """The injected clock: stands still unless ``advance`` is called, so that a run is reproducible."""

    now: datetime = datetime(2026, 1, 15, 12, 0, 0)
    milliseconds: int = 0

    def current(self) -> datetime:
        return self.now


@dataclass
class Runtime:
    """One run's services. ``charge`` is set by the session to add to the operation counter of the compiled program.

    ``database`` is the 1C database of category B (None in pure-language runs). ``globals_extra`` holds names that the
    session adds to the global context (common modules, managers) keyed in lower case.
    """

    dialect: Dialect
    limits: Limits = field(default_factory=Limits)
    clock: Clock = field(default_factory=Clock)
    seed: int = 20260723
    database: Any = None
    session: Any = None
    charge: Callable[[int], None] = lambda operations: None
    globals_extra: dict[str, Any] = field(default_factory=dict)
    output: list[str] = field(default_factory=list)
    printed: int = 0
    data: dict[str, Any] = field(default_factory=dict)  # per-run state of built-ins, keyed by their module
    # The error that the running routine's active handler holds (ИнформацияОбОшибке, ОписаниеОшибки read it): set where
    # ``Исключение`` begins, None again where the attempt ends; a called routine starts with None and gives it back.
    last_error: BslRuntimeError | None = None

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.work_left = self.limits.operations * WORK_PER_OPERATION

    def work(self, steps: int) -> None:
        """Count ``steps`` of a built-in's own work; raises :class:`LimitReached` where a run has had its share."""
        self.work_left -= steps
        if self.work_left < 0:
            raise LimitReached("operations", self.limits.operations)

    def reserve(self, size: int) -> None:
        """Ask leave to build something of ``size`` bytes; raises :class:`LimitReached` beyond the memory limit."""
        if size > self.limits.memory:
            raise LimitReached("memory", self.limits.memory)

    def print(self, text: str) -> None:
        """What the program prints is only text; past the output limit it is dropped."""
        room = self.limits.output - self.printed
        if room > 0:
            self.output.append(text[:room])
            self.printed += len(text) + 1

    # shorthands over the dialect, so that built-ins read well
    def text(self, value: Any) -> str:
        return value if type(value) is str else self.dialect.to_text(self, value)

    def number(self, value: Any) -> Any:
        return value if type(value) is int else self.dialect.to_number(self, value)

    def boolean(self, value: Any) -> bool:
        return value if type(value) is bool else self.dialect.to_boolean(self, value)

    def date(self, value: Any) -> datetime:
        return value if type(value) is datetime else self.dialect.to_date(self, value)

    def equal(self, left: Any, right: Any) -> bool:
        return self.dialect.equal(self, left, right)
