"""The interpreter beside hand-written Python doing the same: ``python -m benchmarks.interpreter [--json FILE] [PART …]``.

Whole numbers are ``int`` on both sides, fractions ``Decimal``. Operations are counted on the BSL side, as in every scored run.
Each figure is the best of several runs; both results must be equal.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import benchmarks.interpreter_fractions  # noqa: F401  (declares its cases)
from benchmarks.interpreter_cases import CASES, Case
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source

REPEATS = 9
# Below 2**30, as real budgets are.
OPERATIONS = 1_000_000_000

MODULE_LINES = 100


def best(*runs: Callable[[], Any], repeats: int = REPEATS) -> list[float]:
    """Processor seconds of the fastest of ``repeats`` runs of each; taking turns spreads the machine's other work."""
    fastest = [float("inf")] * len(runs)
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for index, run in enumerate(runs):
                start = time.process_time()
                run()
                fastest[index] = min(fastest[index], time.process_time() - start)
    finally:
        gc.enable()
    return fastest


def measure(case: Case) -> tuple[float, float]:
    """(seconds of BSL, seconds of Python); raises ``AssertionError`` where the results differ."""
    session = Session("onescript", limits=Limits(operations=OPERATIONS))
    module = session.load(Source(case.bsl))
    ours = session.call(module, "Тест", [case.size])
    theirs = case.python(case.size)
    assert ours == theirs, f"{case.name}: {ours!r} != {theirs!r}"

    def run() -> None:
        session.counters.reset()
        session.call(module, "Тест", [case.size])

    ours_seconds, their_seconds = best(run, lambda: case.python(case.size))
    return ours_seconds, their_seconds


def compile_milliseconds() -> float:
    """Milliseconds to parse and compile a fresh module of :data:`MODULE_LINES` lines."""
    routine = CASES[0].bsl.strip("\n").split("\n")
    times = []
    for attempt in range(10):
        lines: list[str] = []
        while len(lines) < MODULE_LINES:
            number = len(lines)
            lines += [line.replace("Функция Тест", f"Функция Тест{number}") for line in routine]
        text = "\n".join(lines[: MODULE_LINES // len(routine) * len(routine)]) + f"\n// {attempt}"
        start = time.process_time()
        Session("onescript").load(Source(text))
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="only cases whose name contains one of these")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    rows = []
    print(f"{'case':<28}{'BSL, ms':>10}{'Python, ms':>12}{'ratio':>8}")
    for case in CASES:
        if options.parts and not any(part in case.name for part in options.parts):
            continue
        ours, theirs = measure(case)
        rows.append({"case": case.name, "bsl_ms": ours * 1000, "python_ms": theirs * 1000, "ratio": ours / theirs})
        print(f"{case.name:<28}{ours * 1000:>10.2f}{theirs * 1000:>12.2f}{ours / theirs:>8.2f}")
    ratios = [row["ratio"] for row in rows]
    if not ratios:
        print("no such case", file=sys.stderr)
        return 2
    compiled = compile_milliseconds()
    print(f"median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}; a {MODULE_LINES}-line module compiles in {compiled:.1f} ms")
    if options.json:
        figures = {"median": statistics.median(ratios), "worst": max(ratios), "compile_ms": compiled, "cases": rows}
        options.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
