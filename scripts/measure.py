"""Prints the project's figures and compares them with those recorded in `.ci/figures.json`.

    python scripts/measure.py --corpus DIR             # fails when a recorded figure is lost
    python scripts/measure.py --corpus DIR --record    # records what is measured now
    python scripts/measure.py --corpus DIR --readme    # and writes the "measured" tables of the READMEs

The tables also show what `scripts/benchmarks.py` measured last and kept in `.ci/benchmarks.json`.

A figure is a share from 0 to 1 (or a rank correlation) of which more is better. Times are printed and never compared:
they belong to the machine, not to the code.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / ".ci" / "figures.json"
TARGETS = ROOT / ".ci" / "targets.json"
BENCHMARKS = ROOT / ".ci" / "benchmarks.json"
# What `benchmarks/verified_simulation.py` printed last, as docs/review.md tells it: it takes more than half an hour.
SIMULATION = ROOT / "docs" / "review" / "simulation.json"
READMES = {"en": ROOT / "README.md", "ru": ROOT / "README.ru.md"}
BEGIN, END = "<!-- measured:begin -->", "<!-- measured:end -->"
HEADS = {
    "en": ("| what | measured | to reach |", "Written by `make measure ARGS=--readme` after `make benchmarks`, two cores."),
    "ru": ("| что | измерено | цель |", "Записано командой `make measure ARGS=--readme` после `make benchmarks`, два ядра."),
}
# Shares are counted, not estimated: a single answer lost must show. This only absorbs the rounding of the recording.
ROUNDING = 0.00005
Report = Mapping[str, Any]
# Unit of a target → what stands for several figures (the worst, or their sum), and how it is written.
UNITS: Mapping[str, tuple[Callable[[Sequence[float]], float], Callable[[float], str]]] = {
    "": (min, lambda value: f"{value:.3f}"),
    "%": (min, lambda value: f"{100 * value:.1f} %"),
    "% at most": (max, lambda value: f"{100 * value:.1f} %"),
    "ms": (max, lambda value: f"{value:.1f} ms"),
    "s": (max, lambda value: f"{value:.1f} s"),
    "×": (max, lambda value: f"{value:.2f}×"),
    "sum": (sum, lambda value: f"{value:.0f}"),
    "sum s": (sum, lambda value: f"{value:.0f} s"),
}


@dataclass
class Measurement:
    """`figures`: name → share, more is better; `times`: name → number, less is better, never compared."""

    figures: dict[str, float] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)


def main() -> int:
    """Exit code 1 when a recorded figure was lost or could not be measured."""
    options = parsed()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(options.corpus, Path(folder))
    for name, value in {**found.figures, **found.times}.items():
        print(f"{name:<44} {value:.4f}")
    if options.readme:
        add_benchmarks(found, kept_benchmarks())
        write_readmes(found)
    if options.record:
        FIGURES.write_text(json.dumps(dict(sorted(found.figures.items())), indent=1) + "\n", "utf-8")
        print(f"recorded in {FIGURES.relative_to(ROOT)}")
        return 0
    return report_losses(json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}, found.figures)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus", help="folder of recorded verdicts")
    parser.add_argument("--record", action="store_true", help="write the figures instead of comparing them")
    parser.add_argument("--readme", action="store_true", help="write the tables of the READMEs")
    return parser.parse_args()


def measure(corpus: Path, folder: Path) -> Measurement:
    """Everything that the corpus allows to measure."""
    found = Measurement()
    for category in "AB":
        add_fidelity(found, category, fidelity(corpus, category, folder / f"fidelity_{category}.json"))
    facts = corpus / "onescript"
    if facts.is_dir():
        add_conformance(found, run_json(folder / "conformance.json", "conformance", "--facts", str(facts)))
    return found


def fidelity(corpus: Path, category: str, target: Path) -> Report:
    """One category of the corpus through the `fidelity` command."""
    results = corpus / "results"
    arguments = [
        "--tasks", str(corpus / "tasks" / f"category_{category.lower()}"),
        "--answers", str(results / f"experiment_{category}.json"),
        "--verdicts", str(results / "auto" / f"experiment_{category}_auto_l1.json"),
    ]  # fmt: skip
    quirks = corpus / "quirks.yaml"
    if quirks.exists():
        arguments += ["--quirks", str(quirks)]
    return run_json(target, "fidelity", *arguments)


def add_fidelity(found: Measurement, category: str, report: Report) -> None:
    for axis in "SMOP":
        entry = report.get("axes", report).get(axis)
        if isinstance(entry, dict) and entry.get("share") is not None:
            found.figures[f"fidelity.{category}.{axis}"] = float(entry["share"])
    if report.get("kendall_q") is not None:
        found.figures[f"fidelity.{category}.kendall_q"] = float(report["kendall_q"])
    for key in ("wall_s", "median_ms"):
        if report.get(key) is not None:
            found.times[f"fidelity.{category}.{key}"] = float(report[key])


def add_conformance(found: Measurement, report: Report) -> None:
    for name, entry in sorted(report["files"].items()):
        for key in ("equal", "message", "line"):
            if entry.get(f"{key}_share") is not None:
                found.figures[f"conformance.{name}.{key}"] = float(entry[f"{key}_share"])


def kept_benchmarks() -> dict[str, Any]:
    """Benchmark → what it kept, its figures among it."""
    simulated = json.loads(SIMULATION.read_text("utf-8"))
    figures = {f"{part}.{name}": share for part in ("verified", "coverage") for name, share in simulated[part].items()}
    kept = json.loads(BENCHMARKS.read_text("utf-8")) if BENCHMARKS.exists() else {}
    return {"verified_simulation": {"figures": figures}, **kept}


def add_benchmarks(found: Measurement, kept: Mapping[str, Any]) -> None:
    """What the benchmarks kept, each figure under `bench.<benchmark>.<its name>`."""
    for name, entry in kept.items():
        found.times.update({f"bench.{name}.{figure}": float(value) for figure, value in entry["figures"].items()})


def run_json(target: Path, *arguments: str) -> Report:
    """Runs a command of the project that writes a JSON report; its output goes through."""
    command = [sys.executable, str(ROOT / "manage.py"), *arguments, "--json", str(target)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    report: Report = json.loads(target.read_text("utf-8"))
    return report


def report_losses(recorded: Mapping[str, float], figures: Mapping[str, float]) -> int:
    """Prints every recorded figure that is lower now or missing; the exit code."""
    lost = [
        f"{name}: {figures[name]:.4f}, recorded {value:.4f}" if name in figures else f"{name}: not measured any more"
        for name, value in sorted(recorded.items())
        if name not in figures or figures[name] < value - ROUNDING
    ]
    for line in lost:
        print(f"LOST {line}")
    gained = sum(figures[name] > value + ROUNDING for name, value in recorded.items() if name in figures)
    print(f"{len(recorded)} recorded figures: {len(lost)} lost, {gained} better (record them with --record)")
    return 1 if lost else 0


def write_readmes(found: Measurement) -> None:
    """Replaces the text between the marks of both READMEs by a table of the targets."""
    targets = json.loads(TARGETS.read_text("utf-8"))
    for language, path in READMES.items():
        text = path.read_text("utf-8")
        before, rest = text.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        path.write_text(f"{before}{BEGIN}\n{table(targets, found, language)}\n{END}{after}", "utf-8")
        print(f"written: {path.relative_to(ROOT)}")


def table(targets: list[dict[str, Any]], found: Measurement, language: str) -> str:
    """The Markdown table; a figure that was not measured says so."""
    head, note = HEADS[language]
    rows = [f"| {target[language]} | {shown(target, found)} | {target['reach']} |" for target in targets]
    return "\n".join([note, "", head, "|---|---|---|", *rows])


def shown(target: Mapping[str, Any], found: Measurement) -> str:
    """The figures that a target names, put together and written as its unit has it."""
    values = [found.figures.get(name, found.times.get(name)) for name in target["figures"]]
    if any(value is None for value in values):
        return "—"
    together, text = UNITS[target["unit"]]
    return text(together([value for value in values if value is not None]))


if __name__ == "__main__":
    sys.exit(main())
