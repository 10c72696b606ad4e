"""Who earns Verified? Raters of known quality grade samples drawn by our own design; the rule of metrics/verified.yaml decides.

    python benchmarks/verified_simulation.py [--seeds 1000] [--processes 2] [--json FILE]

Population: 3,000 answers over 40 tasks with correlated, skewed steps on four axes (see `MARGINALS`: most answers are perfect on S,
O and P, M has two humps). Each seed makes a new population, draws a sample of SIZE answers by `review.sampling`, and has two
raters of one kind grade every answer. A task shifts a rater's exactness by up to TASK_EFFECT, so that answers of
one task are alike, as the cluster bootstrap supposes.

Raters: exact in 60, 80 or 95 % and one step off else (towards the inside at the ends of the scale); always 10; always 10 but for one
answer; random; generous by two points (10 stays 10).

Truth, for coverage: the κ of the table that the design yields in expectation, step shares of this sample's machine steps ×
the rater's true probabilities, averaged over task effects. The interval is the percentile bootstrap over tasks (95 %, draws as in
the rule). Coverage is counted for the raters whose κ exists in truth, 60, 80 and 95 %, per axis, for the three κ.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from review import coefficients  # noqa: E402
from review.agreement import KAPPAS, NO_DATA, Bootstrap, Figure, agreement, kappa_point  # noqa: E402
from review.reporting import AxisReport, GradeRow, gradings_of, pairs_of  # noqa: E402
from review.sampling import Candidate, draw  # noqa: E402
from review.tables import COUNT, STEP_INDEX, STEPS, expert_pairs  # noqa: E402
from review.verified import bootstrap_of, decide  # noqa: E402

RULE = yaml.safe_load((ROOT / "metrics" / "verified.yaml").read_text("utf-8"))
AXES = "SMOP"
MARGINALS = {
    "S": {10: 0.84, 8: 0.06, 6: 0.04, 4: 0.02, 2: 0.01, 0: 0.03},
    "M": {10: 0.45, 8: 0.09, 6: 0.12, 4: 0.05, 2: 0.10, 0: 0.19},
    "O": {10: 0.72, 8: 0.08, 6: 0.05, 4: 0.07, 2: 0.08},
    "P": {10: 0.78, 6: 0.09, 4: 0.07, 0: 0.06},
}
REACHABLE = {"S": STEPS, "M": STEPS, "O": (2, 4, 6, 8, 10), "P": (0, 4, 6, 10)}
ANSWERS, TASKS, SIZE = 3000, 40, 300
TASK_EFFECT = 0.03
RATERS = ("exact60", "exact80", "exact95", "always10", "always10_but_one", "random", "plus2")


def population(chance: random.Random) -> list[Candidate]:
    """Answers with step vectors: M goes with S and P, and O is measured only where M reaches 5, as in the protocol."""
    found = []
    for answer in range(ANSWERS):
        steps = {axis: _pick(chance, MARGINALS[axis]) for axis in AXES}
        if steps["S"] == 0 or (steps["S"] < 10 and chance.random() < 0.7):
            steps["M"] = 0
        if steps["P"] == 0:
            steps["M"] = min(steps["M"], 2)
        optimum = steps["O"] if steps["M"] >= 6 else None
        found.append(Candidate(answer, chance.randrange(TASKS), (steps["S"], steps["M"], optimum, steps["P"])))
    return found


def _pick(chance: random.Random, marginal: dict[int, float]) -> int:
    return chance.choices(list(marginal), weights=list(marginal.values()))[0]


def one_off(step: int, chance: random.Random) -> int:
    sides = [side for side in (step - 2, step + 2) if side in STEP_INDEX]
    return chance.choice(sides)


def graded(rater: str, machine: int, place: int, effect: float, chance: random.Random) -> int:
    """The grade of a rater of this kind for an answer whose true step the machine gave."""
    if rater.startswith("exact"):
        exact = int(rater[5:]) / 100 + effect
        return machine if chance.random() < exact else one_off(machine, chance)
    if rater == "always10":
        return 10
    if rater == "always10_but_one":
        return machine if place == 0 else 10
    return chance.choice(STEPS) if rater == "random" else min(10, machine + 2)


def truth(rater: str, steps: list[int]) -> dict[str, float]:
    """κ of the expected table, by kind."""
    exact = int(rater[5:]) / 100
    table = np.zeros((COUNT, COUNT))
    for step, count in Counter(steps).items():
        sides = [side for side in (step - 2, step + 2) if side in STEP_INDEX]
        table[STEP_INDEX[step], STEP_INDEX[step]] += count * exact
        for side in sides:
            table[STEP_INDEX[side], STEP_INDEX[step]] += count * (1 - exact) / len(sides)
    return {kind: float(coefficients.kappa(table, kind)) for kind in KAPPAS}


def rows_for(axis: str, rater: str, sample: list[tuple[int, int, float, int]], effects: list[float], chance: random.Random) -> list[GradeRow]:
    """Two raters of the kind over the sample's (answer, task, probability, machine step)."""
    rows = []
    # The one grade that is not 10 goes to an answer that the machine does not give 10 either.
    ordered = sorted(sample, key=lambda entry: entry[3]) if rater == "always10_but_one" else sample
    for expert in (1, 2):
        for place, (answer, task, probability, machine) in enumerate(ordered):
            grade = graded(rater, machine, place, effects[task], chance)
            rows.append(GradeRow(answer, task, expert, axis, grade, machine, probability))
    return rows


def simulate(seed: int) -> dict[str, Any]:
    """One seed: statuses by (axis, rater), and whether each interval covers its truth."""
    chance = random.Random(seed)
    candidates = population(chance)
    drawn = draw(candidates, SIZE, seed, RULE["design"]["proportional"])
    steps = {candidate.answer: candidate.steps for candidate in candidates}
    effects = [chance.uniform(-TASK_EFFECT, TASK_EFFECT) for _ in range(TASKS)]
    bootstrap = bootstrap_of(RULE, seed % 97)
    statuses, covered, missed = {}, {}, Counter()
    for place, axis in enumerate(AXES):
        sample = [(d.answer, d.task, d.probability, steps[d.answer][place]) for d in drawn if steps[d.answer][place] is not None]
        for rater in RATERS:
            report = report_of(axis, rows_for(axis, rater, sample, effects, chance), bootstrap)
            decision = decide(report, RULE)
            statuses[f"{axis} {rater}"] = decision.status
            missed.update(f"{axis} {rater} {condition.key}" for condition in decision.failed)
            if rater.startswith("exact"):
                covered.update(_coverage(axis, rater, report, [entry[3] for entry in sample]))
    return {"statuses": statuses, "covered": covered, "missed": dict(missed)}


def report_of(axis: str, rows: list[GradeRow], bootstrap: Bootstrap) -> AxisReport:
    """What the rule reads of an axis's report; the figures that it does not read are left out to save time."""
    pairs, none = pairs_of(rows), Figure.undefined(NO_DATA)
    among = kappa_point(expert_pairs(gradings_of(rows)), "quadratic")
    experts = {"quadratic": none if among is None else Figure(among)}
    raw = agreement(pairs, REACHABLE[axis], bootstrap)
    return AxisReport(axis, raw, tuple(pairs), 2, experts, none, 0, none, {}, {}, None)


def _coverage(axis: str, rater: str, report: AxisReport, steps: list[int]) -> dict[str, bool]:
    expected = truth(rater, steps)
    found = {}
    for kind, figure in report.raw.kappa.items():
        if figure.low is not None and figure.high is not None:
            found[f"{axis} {rater} {kind}"] = figure.low <= expected[kind] <= figure.high
    return found


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    statuses: dict[str, Counter[str]] = defaultdict(Counter)
    covered: dict[str, list[bool]] = defaultdict(list)
    missed: Counter[str] = Counter()
    for result in results:
        for name, status in result["statuses"].items():
            statuses[name][status] += 1
        for name, hit in result["covered"].items():
            covered[name].append(hit)
        missed.update(result["missed"])
    count = len(results)
    return {
        "seeds": count,
        "verified": {name: found["verified"] / count for name, found in sorted(statuses.items())},
        "provisional": {name: found["provisional"] / count for name, found in sorted(statuses.items())},
        "coverage": {name: sum(hits) / len(hits) for name, hits in sorted(covered.items())},
        "missed": {name: number / count for name, number in sorted(missed.items())},
    }


BARS = {"always10": 0.0, "always10_but_one": 0.0, "random": 0.0, "plus2": 0.0, "exact60": 0.05}
LEAST_GOOD, LEAST_COVERAGE = 0.97, 0.90


def told(found: dict[str, Any]) -> bool:
    """Prints the table; True where every bar is reached."""
    fine = True
    print(f"{found['seeds']} seeds, {SIZE} answers a round, two raters; share of rounds in which an axis earns Verified")
    print(f"{'rater':<18}" + "".join(f"{axis:>9}" for axis in AXES) + "   to reach")
    for rater in RATERS:
        shares = [found["verified"][f"{axis} {rater}"] for axis in AXES]
        bar, ok = "", True
        if rater in BARS:
            bar, ok = f"<= {BARS[rater]:.2f}", max(shares) <= BARS[rater]
        elif rater == "exact95":
            bar, ok = f">= {LEAST_GOOD}", min(shares) >= LEAST_GOOD
        fine &= ok
        print(f"{rater:<18}" + "".join(f"{share:9.3f}" for share in shares) + f"   {bar} {'' if ok else 'MISSED'}")
    print("coverage of the true κ by 95 % intervals (percentile bootstrap over tasks)")
    for rater in ("exact60", "exact80", "exact95"):
        for kind in KAPPAS:
            shares = [found["coverage"].get(f"{axis} {rater} {kind}", float("nan")) for axis in AXES]
            ok = min(shares) >= LEAST_COVERAGE
            fine &= ok
            print(f"{rater + ' ' + kind:<18}" + "".join(f"{share:9.3f}" for share in shares) + f"   >= {LEAST_COVERAGE} {'' if ok else 'MISSED'}")
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    started = time.perf_counter()
    with ProcessPoolExecutor(options.processes) as pool:
        found = summary(list(pool.map(simulate, range(options.seeds), chunksize=5)))
    found["seconds"] = round(time.perf_counter() - started, 1)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    fine = told(found)
    print(f"{found['seconds']} s")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
