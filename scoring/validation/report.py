"""What a validation says: remarks with place and cure, the strength of the tests, what survived, how long it took.

Everything here travels as plain JSON values (``to_data``/``from_data``): reports are stored beside the bundle's digest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scoring.findings import Finding

Severity = Literal["error", "warning", "note"]
# Sections in the order of a report.
SECTIONS = ("format", "reference", "controls", "strength", "tests", "condition", "load", "junk")
Section = Literal["format", "reference", "controls", "strength", "tests", "condition", "load", "junk"]


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding. ``code`` names its wording and cure, ``params`` fill them; an ``error`` forbids publishing.

    ``line`` counts from 1 in ``file``, 0 = the whole file. ``detail`` is shown as it stands (engine messages, values).
    """

    code: str
    section: Section
    severity: Severity
    file: str
    line: int = 0
    params: Mapping[str, str | int] = field(default_factory=dict)
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no test noticed: ``before`` and ``after`` are the changed lines, ``line`` that of the first.

    ``input``, ``reference`` and ``mutant`` show an input that tells the two apart, with what each gives; empty where the
    search found none.
    """

    operator: str
    line: int
    before: str
    after: str
    input: str = ""
    reference: str = ""
    mutant: str = ""
    order_only: bool = False


@dataclass(frozen=True, slots=True)
class Strength:
    """Counts of mutants by fate. ``value`` is None where there is nothing to count."""

    made: int = 0
    killed: int = 0
    survived: int = 0
    timed_out: int = 0
    not_compiled: int = 0
    equivalent: int = 0
    not_measured: int = 0
    band: str = ""

    @property
    def value(self) -> float | None:
        counted = self.killed + self.survived
        return round(self.killed / counted, 4) if counted else None


@dataclass(frozen=True, slots=True)
class TestFigure:
    """One hidden test among the others: mutants it kills, and those that only it kills; junk answers that pass it."""

    __test__ = False

    index: int
    name: str
    kills: int = 0
    only: int = 0
    junk: int = 0


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """One of the bundle's own answers as it was measured. ``holds``: it shows what its place declares."""

    file: str
    declared: str
    values: Mapping[str, str]
    holds: bool
    exponent: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A whole validation. ``complete`` is False where the format forbade the rest; ``seconds``: stage → wall time."""

    digest: str
    task_id: str
    name: str
    category: str
    remarks: tuple[Remark, ...] = ()
    strength: Strength | None = None
    survivors: tuple[Survivor, ...] = ()
    tests: tuple[TestFigure, ...] = ()
    answers: tuple[OwnAnswer, ...] = ()
    complete: bool = False
    engine: str = ""
    protocol: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        return sum(remark.severity == "error" for remark in self.remarks)

    @property
    def warnings(self) -> int:
        return sum(remark.severity == "warning" for remark in self.remarks)

    @property
    def publishable(self) -> bool:
        """No error, and everything was measured."""
        return self.complete and not self.errors


_BY_NAME: dict[str, type] = {
    "remarks": Remark, "survivors": Survivor, "tests": TestFigure, "answers": OwnAnswer,
}  # fmt: skip


def to_data(report: Report) -> dict[str, Any]:
    data = dataclasses.asdict(report)
    data["publishable"] = report.publishable
    if report.strength is not None:
        data["strength"]["value"] = report.strength.value
    return data


def from_data(data: Mapping[str, Any]) -> Report:
    """The inverse of :func:`to_data`."""
    values = {key: value for key, value in data.items() if key != "publishable"}
    for key, cls in _BY_NAME.items():
        values[key] = tuple(cls(**entry) for entry in values.get(key, ()))
    strength = values.get("strength")
    if strength is not None:
        values["strength"] = Strength(**{key: value for key, value in strength.items() if key != "value"})
    return Report(**values)


def of_finding(finding: Finding, section: Section = "format") -> Remark:
    """A fault of the format as a remark."""
    params = {"message": finding.message, "key": finding.key, "cure": finding.cure}
    return Remark("format", section, "error", finding.file, finding.line, params)
