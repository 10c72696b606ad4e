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

from scoring.models import AXES, FidelityReport

RELEASE_FIGURES = Path(".ci") / "figures.json"


@dataclass(frozen=True, slots=True)
class AxisAgreement:
    axis: str
    share: float | None
    equal: int | None
    n: int | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """One category: shares by axis and Kendall's τ-b of Q; `created_at` is None for the release's own figures."""

    category: str
    axes: tuple[AxisAgreement, ...]
    kendall: float | None
    against: str
    created_at: datetime | None
    stack: str
    answers: int | None
    disagreements: int | None


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
    for category in ("A", "B"):
        report = FidelityReport.objects.select_related("stack").filter(category=category).first()
        own = _from_report(report) if report else _from_release(category)
        if own:
            found.append(own)
    return found


def _from_report(stored: FidelityReport) -> Agreement:
    report = stored.report
    axes = tuple(
        AxisAgreement(axis, entry.get("share"), entry.get("equal"), entry.get("n"))
        for axis in AXES
        if isinstance(entry := report.get(axis), dict) and entry.get("n")
    )
    return Agreement(
        stored.category, axes, report.get("kendall_q"), stored.against, stored.created_at,
        stored.stack.name if stored.stack else "", report.get("answers"), len(report.get("disagreements", ())),
    )  # fmt: skip


def _from_release(category: str) -> Agreement | None:
    figures = release_figures()
    start = f"fidelity.{category}."
    axes = tuple(AxisAgreement(axis, figures[start + axis], None, None) for axis in AXES if start + axis in figures)
    if not axes:
        return None
    return Agreement(category, axes, figures.get(f"{start}kendall_q"), "", None, "", None, None)


def conformance() -> list[ConformanceRow]:
    """Agreement with recorded snippets of genuine OneScript, file by file, as the release was measured."""
    figures = release_figures()
    names = sorted({name.split(".")[1] for name in figures if name.startswith("conformance.")})
    return [ConformanceRow(name, *(figures.get(f"conformance.{name}.{key}") for key in ("equal", "message", "line"))) for name in names]


def release_figures() -> Mapping[str, float]:
    """`.ci/figures.json`; empty where the installation does not carry it."""
    path = settings.BASE_DIR / RELEASE_FIGURES
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> Mapping[str, float]:
    data: Any = json.loads(path.read_text("utf-8"))
    return {str(name): float(value) for name, value in data.items()}
