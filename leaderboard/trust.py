"""How far our verdicts agree with genuine engines: the last audits of this installation, or the figures of the release."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from scoring.models import AXES, Category, FidelityReport
from scoring.services import crosscheck

RELEASE_FIGURES = Path(".ci") / "figures.json"
RELEASE_REPORTS = Path("docs") / "fidelity"


@dataclass(frozen=True, slots=True)
class AxisAgreement:
    axis: str
    share: float | None
    equal: int | None
    n: int | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One cell on which the sides differ: ids, values and kinds, never a text of what was compared."""

    task: str
    model: str
    axis: str
    ours: str
    theirs: str
    our_kind: str
    their_kind: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """One category: shares by axis and Kendall's τ-b of Q. `created_at` is None for the report that the release brought along.

    `engine`: version of our engine that was audited, empty where the figures do not tell.
    """

    category: str
    axes: tuple[AxisAgreement, ...]
    kendall: float | None
    created_at: datetime | None
    stack: str
    engine: str
    answers: int | None
    disagreements: tuple[Disagreement, ...]

    @property
    def counted(self) -> bool:
        return any(axis.n is not None for axis in self.axes)


@dataclass(frozen=True, slots=True)
class ConformanceRow:
    """Recorded snippets of one file: same outcome, and of equal errors the same message and line."""

    name: str
    equal: float | None
    message: float | None
    line: float | None


def agreements() -> list[Agreement]:
    """The newest report per category out of the database; where there is none, what the release was measured with."""
    found = []
    for category in Category.values:
        stored = FidelityReport.objects.select_related("stack").filter(category=category).first()
        if stored:
            found.append(_agreement(category, stored.report, stored.created_at, stored.stack.name if stored.stack else ""))
            continue
        report = _json(RELEASE_REPORTS / f"category_{category}.json") or _from_figures(category)
        if report:
            found.append(_agreement(category, report, None, ""))
    return found


def _agreement(category: str, report: Mapping[str, Any], created_at: datetime | None, stack: str) -> Agreement:
    axes = tuple(
        AxisAgreement(axis, entry.get("share"), entry.get("equal"), entry.get("n"))
        for axis in AXES
        if isinstance(entry := report.get(axis), dict) and entry.get("share") is not None
    )
    listed = tuple(_disagreement(entry) for entry in report.get("disagreements", ()) if isinstance(entry, dict))
    engine = str(report.get("engine", ""))
    return Agreement(category, axes, report.get("kendall_q"), created_at, stack, engine, report.get("answers"), listed)


def _disagreement(entry: Mapping[str, Any]) -> Disagreement:
    names = ("task", "model", "axis", "ours", "theirs", "our_kind", "their_kind")
    return Disagreement(*("N/A" if entry.get(name) is None else str(entry[name]) for name in names))


def _from_figures(category: str) -> Mapping[str, Any]:
    """The shares alone, where the release brought no report along."""
    figures = release_figures()
    start = f"fidelity.{category}."
    found: dict[str, Any] = {axis: {"share": figures[start + axis]} for axis in AXES if start + axis in figures}
    if found and f"{start}kendall_q" in figures:
        found["kendall_q"] = figures[f"{start}kendall_q"]
    return found


def live_checks() -> dict[str, crosscheck.LiveCheck | None]:
    """Category → the last comparison with genuine engines that are present here, None where none has run."""
    found = {live.category: live for live in crosscheck.live_checks()}
    return {category: found.get(category) for category in Category.values}


def conformance() -> list[ConformanceRow]:
    """Agreement with recorded snippets of genuine OneScript, file by file, as the release was measured."""
    figures = release_figures()
    names = sorted({name.split(".")[1] for name in figures if name.startswith("conformance.")})
    return [ConformanceRow(name, *(figures.get(f"conformance.{name}.{key}") for key in ("equal", "message", "line"))) for name in names]


def release_figures() -> Mapping[str, float]:
    """`.ci/figures.json`; empty where the installation does not carry it."""
    return {str(name): float(value) for name, value in _json(RELEASE_FIGURES).items()}


def _json(name: Path) -> Mapping[str, Any]:
    """A file of the release, empty where it is missing or no JSON object."""
    path = settings.BASE_DIR / name
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> Mapping[str, Any]:
    data = json.loads(path.read_text("utf-8"))
    return data if isinstance(data, dict) else {}
