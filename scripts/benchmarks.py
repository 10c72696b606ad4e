"""Runs the benchmarks one after another and keeps what they printed, for the "measured" tables of the READMEs.

    python scripts/benchmarks.py                 # all but the long ones: about a quarter of an hour on two quiet cores
    python scripts/benchmarks.py board queries   # these, the others' figures stay as they were measured
    python scripts/measure.py --readme           # writes the tables, with these figures in them

Figures stand in `.ci/benchmarks.json` with the day and the engine they were measured with. Nothing compares them: they belong to
the machine. A benchmark that misses its own bar is kept like any other; one that breaks keeps nothing and ends this with 1.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".ci" / "benchmarks.json"
# How each is called; every one takes `--json FILE` besides.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "interpreter": ("-m", "benchmarks.interpreter"),
    "board": ("-m", "benchmarks.board"),
    "queries": ("-m", "benchmarks.queries"),
    "queries_1m": ("-m", "benchmarks.queries", "--rows", "1000000"),
    "agreement": ("benchmarks/agreement.py",),
    "verified_simulation": ("benchmarks/verified_simulation.py",),
    "review_load": ("benchmarks/review_load.py",),
    "review_keyboard": ("benchmarks/review_keyboard.py",),
    "validation": ("-m", "benchmarks.validation"),
    "bank": ("manage.py", "validate_bundle", "--bank"),
    "generation": ("benchmarks/generation.py",),
}
# More than half an hour: run when named; until then the tables show what docs/review/simulation.json holds.
LONG = frozenset({"verified_simulation"})


def main() -> int:
    """Exit code 1 when a benchmark left no figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(COMMANDS)}")
    names = parser.parse_args().names or [name for name in COMMANDS if name not in LONG]
    unknown = sorted(set(names) - set(COMMANDS))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}")
    failed = [name for name in names if not keep(name)]
    if failed:
        print(f"without figures: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def keep(name: str) -> bool:
    """Run one benchmark and keep its figures; False when it left none."""
    print(f"== {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "figures.json"
        subprocess.run([sys.executable, *COMMANDS[name], "--json", str(target)], cwd=ROOT, check=False)
        if not target.exists():
            return False
        report = json.loads(target.read_text("utf-8"))
    figures = dict(flat(REDUCED.get(name, lambda found: found)(report)))
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept[name] = {"measured": date.today().isoformat(), "engine": engine(), "figures": figures}
    KEPT.write_text(json.dumps(dict(sorted(kept.items())), ensure_ascii=False, indent=1) + "\n", "utf-8")
    return True


def flat(report: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of a nested report under dotted names; texts and lists are not figures."""
    for key, value in report.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{before}{key}", round(float(value), 6)


def bank(reports: Mapping[str, Any]) -> dict[str, float]:
    """The bank's reports as counts and strengths."""
    strengths = [report["strength"]["value"] for report in reports.values() if report.get("strength")]
    known = [value for value in strengths if value is not None]
    return {
        "tasks": len(reports),
        "publishable_share": sum(report["publishable"] for report in reports.values()) / len(reports),
        "median_strength": statistics.median(known),
        "least_strength": min(known),
    }


REDUCED: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {"bank": bank}


def engine() -> str:
    """The built-in engine's version, as scores name it."""
    sys.path.insert(0, str(ROOT))
    from scoring.instruments.builtin import engine_version

    return engine_version()


if __name__ == "__main__":
    sys.exit(main())
