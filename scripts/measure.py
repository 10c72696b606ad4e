"""Prints the project's figures and compares them with those recorded in `.ci/figures.json`.

    python scripts/measure.py --corpus DIR            # fails when a recorded figure is lost
    python scripts/measure.py --corpus DIR --record   # records what is measured now

A figure is a share from 0 to 1 (or a rank correlation) of which more is better. Times are printed and never compared:
they belong to the machine, not to the code.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / ".ci" / "figures.json"
# Shares are counted, not estimated: a single answer lost must show. This only absorbs the rounding of the recording.
ROUNDING = 0.00005
Report = Mapping[str, Any]


def main() -> int:
    """Exit code 1 when a recorded figure was lost or could not be measured."""
    options = parsed()
    with tempfile.TemporaryDirectory() as folder:
        figures = dict(measured(options.corpus, Path(folder)))
    for name, value in figures.items():
        print(f"{name:<44} {value:.4f}")
    if options.record:
        FIGURES.parent.mkdir(exist_ok=True)
        FIGURES.write_text(json.dumps(dict(sorted(figures.items())), indent=1) + "\n", "utf-8")
        print(f"recorded in {FIGURES.relative_to(ROOT)}")
        return 0
    return report_losses(json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}, figures)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus", help="folder of recorded verdicts")
    parser.add_argument("--record", action="store_true", help="write the figures instead of comparing them")
    return parser.parse_args()


def measured(corpus: Path, folder: Path) -> Iterator[tuple[str, float]]:
    """(name, value) of every figure that the corpus allows to measure."""
    for category in "AB":
        report = fidelity(corpus, category, folder / f"fidelity_{category}.json")
        yield from fidelity_figures(category, report)
    facts = corpus / "onescript"
    if facts.is_dir():
        yield from conformance_figures(run_json(folder / "conformance.json", "conformance", "--facts", str(facts)))


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


def fidelity_figures(category: str, report: Report) -> Iterator[tuple[str, float]]:
    for axis, entry in sorted(report["axes"].items() if "axes" in report else report.items()):
        if isinstance(entry, dict) and "share" in entry:
            yield f"fidelity.{category}.{axis}.share", float(entry["share"])
    if report.get("kendall_q") is not None:
        yield f"fidelity.{category}.kendall_q", float(report["kendall_q"])
    print(f"fidelity {category}: {report.get('wall_s')} s, median {report.get('median_ms')} ms an answer")


def conformance_figures(report: Report) -> Iterator[tuple[str, float]]:
    """Shares per file: same value or kind of error; of the equal errors the same message and line."""
    files = report.get("files", report)
    for name, entry in sorted(files.items()):
        if not isinstance(entry, dict):
            continue
        for key, value in sorted(entry.items()):
            share = value.get("share") if isinstance(value, dict) else value if key.endswith("share") or key == "share" else None
            if isinstance(share, int | float):
                yield f"conformance.{name}.{key}", float(share)


def run_json(target: Path, *arguments: str) -> Report:
    """Runs a command of the project that writes a JSON report; its output goes through."""
    subprocess.run([sys.executable, str(ROOT / "manage.py"), *arguments, "--json", str(target)], cwd=ROOT, check=True)
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
        print(f"LOST {line}", file=sys.stderr)
    gained = sum(figures[name] > value + ROUNDING for name, value in recorded.items() if name in figures)
    print(f"{len(recorded)} recorded figures: {len(lost)} lost, {gained} better (record them with --record)")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
