"""How long a full validation of a typical bundle takes: about 10 tests and 60 mutants with a load ladder, per category.

    python -m benchmarks.validation [--workers N] [--json FILE]

Made from bundles of the bank: the one of each category whose numbers come closest to these. Prints seconds until the first
remarks can be shown, and for the whole; a fresh bench each time, so that starting the engines counts.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from scoring.bundles import TaskBundle, load_tree
from scoring.bundles.loader import Loaded
from scoring.bundles.model import DataTests
from scoring.bundles.standards import load_standards
from scoring.protocol import load_protocol
from scoring.validation.bench import Bench
from scoring.validation.whole import Progress, validate

TASKS = Path(__file__).resolve().parents[1] / "tasks"
TESTS, MUTANTS, ROUNDS = 10, 60, 3
LIMITS = {"A": 10.0, "B": 30.0}
FIRST = 2.0


def typical(category: str, workers: int) -> tuple[Loaded, int]:
    """The bundle with a load ladder that comes closest to the typical one, and its number of mutants."""
    best: tuple[float, Loaded, int] | None = None
    with Bench(load_protocol(), workers) as bench:
        for loaded in load_tree(TASKS).values():
            bundle = loaded.required()
            if bundle.category != category or bundle.load is None or not isinstance(bundle.tests, DataTests):
                continue
            made = mutants(bundle, bench)
            # More mutants than asked for are welcome: the figure must hold for no less.
            distance = abs(len(bundle.tests) - TESTS) * 2 + (abs(made - MUTANTS) if made < MUTANTS else (made - MUTANTS) / 4)
            if best is None or distance < best[0]:
                best = (distance, loaded, made)
    assert best is not None
    return best[1], best[2]


def mutants(bundle: TaskBundle, bench: Bench) -> int:
    found = bench.run([lambda engine: engine.mutants(bundle.canonical, bundle.category, "", 0)])[0]
    return len(getattr(found, "mutants", ()))


def measured(loaded: Loaded, workers: int) -> tuple[float, float]:
    """Seconds until the first stage had told, and for the whole."""
    first: list[float] = []
    started = time.perf_counter()

    def tell(progress: Progress) -> None:
        if progress.stage != "format" and not first:
            first.append(time.perf_counter() - started)

    with Bench(load_protocol(), workers) as bench:
        bench.warm()
        validate(loaded, bench, load_standards(), tell)
    return first[0], time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    workers = options.workers
    found = {}
    for category, limit in LIMITS.items():
        loaded, made = typical(category, workers)
        bundle = loaded.required()
        rounds = [measured(loaded, workers) for _ in range(ROUNDS)]
        first, whole = (statistics.median(column) for column in zip(*rounds, strict=True))
        tests = len(bundle.tests) if isinstance(bundle.tests, DataTests) else 0
        found[category] = {"first_s": first, "whole_s": whole, "tests": tests, "mutants": made}
        print(
            f"{category}: {bundle.id}, {tests} tests, {made} mutants: first remarks {first:.2f} s (≤ {FIRST}), "
            f"whole {whole:.1f} s (≤ {limit:.0f})"
        )
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
