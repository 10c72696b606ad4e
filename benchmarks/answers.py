"""What a whole answer costs, and where: ``python -m benchmarks.answers --tasks DIR --answers FILE [--json FILE]``.

One sandbox, one answer after another, as a worker does it; the first answer of each task (which builds the task's data) is not
counted. Figures are medians of wall milliseconds and their share of the whole.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from scoring.axes.meaning import score_meaning
from scoring.axes.optimization import gate
from scoring.bundles import TaskBundle, load_tree
from scoring.extract import module_of
from scoring.instruments.builtin import BuiltinEngine
from scoring.protocol import Protocol, load_protocol
from scoring.results import read_experiment

Times = dict[str, list[float]]


@contextmanager
def timed(times: Times, phase: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    times[phase].append((time.perf_counter() - started) * 1000)


def measure(engine: BuiltinEngine, answer: str, bundle: TaskBundle, protocol: Protocol, times: Times) -> None:
    """Score one answer as the pipeline does, noting how long each phase takes."""
    with timed(times, "whole answer"):
        module = module_of(answer, bundle.patterns, procedures=protocol.constitution.applies("P", bundle.category))
        with engine.examine(module, bundle) as examination:
            with timed(times, "S: check"):
                examination.check()
            if module.entry is None:
                return
            with timed(times, "M, P: fork, load, tests"):
                tests = examination.run_tests()
            if gate(score_meaning(tests, protocol), protocol) is None:
                with timed(times, "O: load ladder"):
                    examination.count_work()


def main() -> None:
    parser = argparse.ArgumentParser(description="what a whole answer costs")
    parser.add_argument("--tasks", type=Path, required=True)
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    protocol = load_protocol()
    bundles = {loaded.bundle.id: loaded.bundle for loaded in load_tree(options.tasks).values() if loaded.bundle}
    times: Times = defaultdict(list)
    seen: set[str] = set()
    engine = BuiltinEngine(protocol)
    for cell in read_experiment(options.answers).cells:
        if cell.task_id in bundles:
            for run in cell.runs:
                target = times if cell.task_id in seen else defaultdict(list)
                measure(engine, run.response, bundles[cell.task_id], protocol, target)
                seen.add(cell.task_id)
    engine.close()
    whole = sum(times["whole answer"])
    figures = {phase: figure(values, whole) for phase, values in times.items()}
    for phase, row in figures.items():
        print(f"{phase:<26} n {row['n']:>4}  median {row['median_ms']:>8} ms  p95 {row['p95_ms']:>9} ms  share {row['share']:.0%}")
    if options.json:
        options.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", "utf-8")


def figure(values: list[float], whole: float) -> dict[str, float]:
    high = quantiles(values, n=20)[-1] if len(values) > 1 else values[0]
    return {"n": len(values), "median_ms": round(median(values), 2), "p95_ms": round(high, 2), "share": sum(values) / whole}


if __name__ == "__main__":
    main()
