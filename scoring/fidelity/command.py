"""Options and printing of the ``fidelity`` command, shared by ``python -m scoring.fidelity`` and ``manage.py fidelity``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scoring.fidelity.document import read_notes, render
from scoring.fidelity.run import audit
from scoring.findings import FaultyData, Finding

# As many disagreements are printed; the JSON file has all.
MOST_PRINTED = 60


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tasks", type=Path, required=True, help="folder with the task bundles")
    parser.add_argument("--answers", type=Path, required=True, help="experiment_*.json")
    parser.add_argument("--verdicts", type=Path, required=True, help="*_auto_l1.json with the recorded verdicts")
    parser.add_argument("--quirks", type=Path, help="YAML list of cells to leave out")
    parser.add_argument("--json", type=Path, help="write the report to this file")
    parser.add_argument("--publish", type=Path, help="folder with causes.yaml: write the report there and the document beside it")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--only", default="", help="TASK or TASK:MODEL, separated by commas")
    parser.add_argument("--details", action="store_true", help="with the texts of both sides: not for publication")


def run(options: dict[str, Any], write: Callable[[str], Any] = print) -> dict[str, Any]:
    """Audit, print the summary, write the JSON file. Raises FaultyData."""
    report = audit(
        options["tasks"],
        options["answers"],
        options["verdicts"],
        options["quirks"],
        workers=options["workers"],
        details=options["details"],
        only=options["only"],
        progress=_progress if sys.stderr.isatty() else None,
    )
    for line in summary(report):
        write(line)
    if options["json"]:
        _write(options["json"], report)
    if options["publish"]:
        publish(report, options["publish"])
    return report


def _write(path: Path, report: dict[str, Any]) -> None:
    path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")


def publish(report: dict[str, Any], folder: Path) -> None:
    """Keep the report in ``folder`` and make the document out of all that are there: ``folder`` + ``.md``."""
    if any("our_text" in entry for entry in report["disagreements"]):
        raise FaultyData([Finding("--details", "a report with the texts of both sides is not for publication")])
    _write(folder / f"category_{report['category']}.json", report)
    render_folder(folder)


def publish_cross(report: dict[str, Any], folder: Path, name: str = "") -> None:
    """Keep a cross-check's report in ``folder`` and make the document anew."""
    parts = ["cross", report["category"], *([name] if name else [])]
    _write(folder / f"{'_'.join(parts)}.json", report)
    render_folder(folder)


def render_folder(folder: Path) -> None:
    """The document out of every report in ``folder`` and the causes there."""
    reports, crossed = (
        [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob(pattern))] for pattern in ("category_*.json", "cross_*.json")
    )
    folder.with_suffix(".md").write_text(render(reports, read_notes(folder / "causes.yaml"), crossed), "utf-8")


def _progress(done: int, total: int) -> None:
    print(f"\r{done}/{total}", end="" if done < total else "\n", file=sys.stderr)


def summary(report: dict[str, Any]) -> list[str]:
    """Lines for people."""
    lines = [f"{'axis':<14}{'n':>6}{'equal':>7}{'share':>9}{'mean |d|':>10}"]
    for axis in ("S", "M", "O", "P", "first_failure"):
        row = report.get(axis)
        if row:
            share = "—" if row["share"] is None else f"{row['share']:.2%}"
            difference = row.get("mean_abs_diff")
            lines.append(f"{axis:<14}{row['n']:>6}{row['equal']:>7}{share:>9}{'' if difference is None else difference:>10}")
    lines.append(
        f"answers {report['answers']}, left out {report['left_out']} cells, Kendall τ-b of Q {report['kendall_q']}, "
        f"wall {report['wall_s']} s, median {report['median_ms']} ms an answer"
    )
    found = report["disagreements"]
    lines.append(f"disagreements: {len(found)}" + (f", the first {MOST_PRINTED}:" if len(found) > MOST_PRINTED else ""))
    lines += [_line(entry) for entry in found[:MOST_PRINTED]]
    return lines


def _line(entry: dict[str, Any]) -> str:
    text = f"  {entry['axis']:<14}{entry['task']:<5}{entry['model']:<36} ours {entry['ours']} theirs {entry['theirs']}"
    return f"{text}  [{entry['our_kind']} | {entry['their_kind']}]"
