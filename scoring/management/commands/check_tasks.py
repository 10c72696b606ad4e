"""`check_tasks [DIR]`: references pass, controls fail as declared, load profiles separate."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from scoring.bundles import Loaded, TaskBundle, load_tree
from scoring.bundles.standards import (
    Measured,
    Standards,
    baseline_faults,
    control_faults,
    load_standards,
    reference_faults,
    told,
)
from scoring.evidence import InstrumentFailed
from scoring.management.base import PrismCommand, existing_folder, require_instrument
from scoring.management.progress import Progress
from scoring.pipeline import Pipeline
from scoring.services import stacks


@dataclass(frozen=True, slots=True)
class Trial:
    """One of a bundle's own answers, and how its result is judged."""

    place: str
    file: str
    code: str
    bundle: TaskBundle
    faults: Callable[[Measured], list[str]]


class Command(PrismCommand):
    help = "Runs every bundle's reference, slow baseline and control answers; ends with 1 when one is not what it declares."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", type=existing_folder, default=None, help="default: the project's tasks/")
        parser.add_argument("--only", action="append", default=[], metavar="TASK", help="task id; repeatable")
        parser.add_argument("--workers", type=int, default=settings.PRISM_WORKERS, help="answers measured at a time (default: %(default)s)")

    def run(self, *, folder: Path | None, only: list[str], workers: int, **options: Any) -> None:
        found = wanted(load_tree(folder or settings.PRISM_TASKS_DIR), only)
        if not found:
            raise CommandError("no such task" if only else "no bundle here")
        require_instrument()
        standards = load_standards(settings.PRISM_METRICS_DIR)
        faults = [str(finding) for loaded in found.values() for finding in loaded.findings]
        trials = [trial for place, loaded in found.items() for trial in trials_of(place, loaded, standards)]
        for place, loaded in found.items():
            faults += shortcomings(place, loaded, standards)
        faults += self._measure(trials, max(1, workers))
        for fault in faults:
            self.say(fault)
        if faults:
            raise CommandError(f"{len(faults)} fault{'s' * (len(faults) != 1)} in {len(found)} tasks, {len(trials)} answers")
        self.say(f"{len(found)} tasks, {len(trials)} answers: everything is what it declares")

    def _measure(self, trials: list[Trial], workers: int) -> list[str]:
        lanes = [trials[start::workers] for start in range(workers)]
        with Progress("checking", len(trials)) as bar, ThreadPoolExecutor(workers) as pool:
            found = pool.map(lambda lane: list(measured(lane, bar)), lanes)
            return sorted(fault for faults in found for fault in faults)


def wanted(found: dict[str, Loaded], only: list[str]) -> dict[str, Loaded]:
    """The loaded bundles that `--only` names (all without it); a folder's name counts, too."""
    if not only:
        return found
    keep = set(only)
    return {
        place: loaded
        for place, loaded in found.items()
        if (loaded.bundle and loaded.bundle.id in keep) or Path(place).name in keep
    }


def shortcomings(place: str, loaded: Loaded, standards: Standards) -> Iterator[str]:
    """What publishing needs and the bundle lacks."""
    bundle = loaded.bundle
    if bundle is None:
        return
    for name in loaded.missing:
        yield f"{place}/{name}: missing, publishing needs it"
    cases = len(getattr(bundle.tests, "cases", ())) or standards.tests
    if cases < standards.tests:
        yield f"{place}/tests.yaml: {cases} tests, publishing needs {standards.tests}"
    wrong = sum(control.verdict not in ("accepted", "too_slow") for control in bundle.controls)
    if wrong < standards.wrong_controls:
        yield f"{place}/submissions: {wrong} wrong controls, publishing needs {standards.wrong_controls}"


def trials_of(place: str, loaded: Loaded, standards: Standards) -> Iterator[Trial]:
    """The bundle's reference, baseline and controls."""
    bundle = loaded.bundle
    if bundle is None:
        return
    if bundle.canonical:
        yield Trial(place, "canonical.bsl", bundle.canonical, bundle, lambda seen: reference_faults(seen, bundle, standards))
    if bundle.baseline:
        yield Trial(place, "perf_baseline.bsl", bundle.baseline, bundle, lambda seen: baseline_faults(seen, standards))
    for control in bundle.controls:
        file = f"submissions/{control.verdict}/{control.name}.bsl"
        yield Trial(place, file, control.code, bundle, partial(control_faults, control.verdict, standards=standards))


def measured(trials: list[Trial], bar: Progress) -> Iterator[str]:
    """The faults of the trials, measured one after another by a pipeline of their own."""
    with Pipeline.builtin(stacks.protocol()) as pipeline:
        for trial in trials:
            result = pipeline.score(trial.code, trial.bundle)
            bar.step()
            tests = result.evidence.tests
            if isinstance(tests, InstrumentFailed):
                yield f"{trial.place}/{trial.file}: not measured, {told(tests)}"
                continue
            for fault in trial.faults(Measured(result.card, tests)):
                yield f"{trial.place}/{trial.file}: {fault}"
