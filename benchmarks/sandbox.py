"""What the second wall costs: ``python -m benchmarks.sandbox [--image NAME] [--rounds N] [--json FILE]``.

The bank's references, each scored in a process and in a container by turns, so that other work on the machine falls on both; the
first round (which builds tasks' data) is not counted. Prints the start of a worker, milliseconds an answer, and the median of the
answers' own ratios. Needs a Docker daemon and the image of docker/sandbox.Dockerfile.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles

from scoring.bundles import TaskBundle, load_tree
from scoring.instruments.choice import Engines
from scoring.instruments.settings import SANDBOXES, EngineSettings
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import Protocol, load_protocol

TASKS = Path(__file__).resolve().parents[1] / "tasks"


def started(protocol: Protocol, sandbox: str, image: str) -> tuple[Engines, float]:
    """An engine behind the sandbox, and the seconds that its worker took to start."""
    engines = Engines(protocol, EngineSettings(sandbox=sandbox, sandbox_image=image))
    before = time.perf_counter()
    found = engines.availability("builtin")
    if not found.ready:
        sys.exit(f"{sandbox}: {found.reason}")
    return engines, time.perf_counter() - before


def measure(pipelines: dict[str, Pipeline], bundles: list[TaskBundle], rounds: int) -> dict[tuple[str, str], list[float]]:
    """Milliseconds of every scoring, by task and sandbox."""
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for number in range(rounds + 1):
        for bundle in bundles:
            for name in SANDBOXES if number % 2 else SANDBOXES[::-1]:
                before = time.perf_counter()
                pipelines[name].score(bundle.canonical, bundle)
                if number:
                    times[bundle.id, name].append((time.perf_counter() - before) * 1000)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description="what the second wall costs")
    parser.add_argument("--image", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    protocol = load_protocol()
    bundles = [loaded.bundle for loaded in load_tree(TASKS).values() if loaded.bundle]
    made = {name: started(protocol, name, options.image) for name in SANDBOXES}
    pipelines = {name: Pipeline(Stack.chosen(engines, "A"), protocol) for name, (engines, _) in made.items()}
    times = measure(pipelines, bundles, options.rounds)
    for engines, _ in made.values():
        engines.close()
    ratios = [median(times[bundle.id, "docker"]) / median(times[bundle.id, "process"]) for bundle in bundles]
    figures = {
        name: {
            "start_s": round(made[name][1], 2),
            "answer_ms": round(median(value for bundle in bundles for value in times[bundle.id, name]), 2),
        }
        for name in SANDBOXES
    }
    low, *_, high = quantiles(ratios, n=10)
    for name, row in figures.items():
        print(f"{name:<8} start {row['start_s']:>6} s   median answer {row['answer_ms']:>8} ms   ({len(bundles)} references)")
    print(f"docker / process, an answer: median {median(ratios):.2f}, tenths {low:.2f} to {high:.2f}")
    if options.json:
        options.json.write_text(json.dumps({**figures, "ratio": median(ratios)}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
