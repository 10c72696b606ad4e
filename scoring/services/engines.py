"""Which engines are here, what they are used for, and whether they measure right: for `doctor` and the maintainers' page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.instruments.bsl_ls import find_installed
from scoring.instruments.choice import MAKERS
from scoring.instruments.onec_docker.reader import ReaderFailed, check_sample
from scoring.models import Category
from scoring.services import measuring

# The axes behind each question, as people know them.
AXES_OF = {"syntax": "S", "tests": "M, P", "work": "O", "static": "O without a load profile"}


@dataclass(frozen=True, slots=True)
class EngineState:
    """`reason`: what is missing or weaker than it could be, and the cure. `fault`: what the self-test found ("" = right, None =
    not asked). `uses`: what the settings have it answer."""

    name: str
    version: str
    ready: bool
    reason: str
    uses: tuple[str, ...]
    fault: str | None


def engine_states(self_tests: bool) -> Iterator[EngineState]:
    """Every engine that PRISM knows. A self-test takes seconds (1C: minutes), so it is asked for."""
    engines = measuring.workshop().engines
    for key in MAKERS:
        instrument, found = engines.get(key), engines.availability(key)
        fault = instrument.self_test() if self_tests and found.ready else None
        yield EngineState(key, instrument.version(), found.ready, found.reason, _uses(key), fault)


def dump_read() -> tuple[str, bool | None]:
    """1C's configuration dump as BSL Language Server reads it: (what was found, is it as meant). None: it was not read; ("", None)
    where that server is not installed."""
    installed = find_installed(measuring.workshop().engines.settings)
    if installed.missing:
        return "", None
    try:
        objects, differences = check_sample(installed)
    except ReaderFailed as failed:
        return f"BSL Language Server {installed.version} did not read it: {failed}", None
    if differences:
        return "; ".join(map(str, differences[:3])), False
    return f"read by BSL Language Server {installed.version}: {objects} objects equal", True


def _uses(name: str) -> tuple[str, ...]:
    return tuple(
        f"{category}: {AXES_OF[role]}"
        for category in Category.values
        for role, described in measuring.pipeline(category).stack.describe().items()
        if described.split(" ", 1)[0] == name
    )


def stack_lines() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(category, its stack in words, where the built-in engine stands in for a genuine one and why)."""
    for category in Category.values:
        stack = measuring.pipeline(category).stack
        told = ", ".join(f"{AXES_OF[role]} by {name}" for role, name in stack.describe().items())
        yield category, told, stack.notes
