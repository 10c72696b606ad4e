"""`validate_bundle PATH`: a folder or a zip of one task, or a folder of tasks with `--bank`; every finding with place and cure."""

from __future__ import annotations

import json
import statistics
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from scoring.bundles import Loaded, load_files, load_folder, load_tree
from scoring.bundles.archive import MAX_ARCHIVE_BYTES, read_archive
from scoring.bundles.standards import Standards, load_standards
from scoring.management.base import PrismCommand, counted, require_instrument
from scoring.services import remarks, stacks
from scoring.validation.bench import Bench
from scoring.validation.report import Report, to_data
from scoring.validation.whole import validate


class Command(PrismCommand):
    help = "Validates a task bundle: format, reference, controls, mutation strength, tests, condition, load, junk. Ends with 1 when it can't be published."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", nargs="?", type=Path, help="a bundle's folder or zip; with --bank a folder of bundles")
        parser.add_argument("--bank", action="store_true", help="every bundle below PATH (default: the project's tasks/), one line each")
        parser.add_argument("--json", nargs="?", const="-", default="", metavar="FILE", help="the report as JSON, to a file or '-'")
        parser.add_argument("--workers", type=int, default=settings.PRISM_WORKERS, help="processes (default: %(default)s)")

    def run(self, *, path: Path | None, bank: bool, json: str, workers: int, **options: Any) -> None:
        require_instrument()
        standards = load_standards(settings.PRISM_METRICS_DIR)
        with Bench(stacks.protocol(), workers) as bench:
            bench.warm()
            if bank:
                self._bank(load_tree(path or settings.PRISM_TASKS_DIR), bench, standards, json)
                return
            if path is None:
                raise CommandError("name a bundle's folder or zip, or ask for --bank")
            report = validate(loaded_from(path), bench, standards)
        self._emit(to_data(report), json)
        if json != "-":
            self._tell(report)
        if not report.publishable:
            raise CommandError(f"{counted(report.errors, 'error')}: not publishable")

    def _emit(self, data: Any, target: str) -> None:
        if target == "-":
            json.dump(data, sys.stdout, ensure_ascii=False, indent=1)
            sys.stdout.write("\n")
        elif target:
            Path(target).write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")

    def _tell(self, report: Report) -> None:
        for answer in report.answers:
            values = ", ".join(f"{axis} {value}" for axis, value in answer.values.items())
            self.say(f"{'+' if answer.holds else '-'} {answer.file}: {values}")
        for remark in report.remarks:
            self.say(str(remarks.tell(remark)))
        for survivor in report.survivors:
            if survivor.input:
                self.say(f"canonical.bsl:{survivor.line}: {survivor.input} → {survivor.reference} / {survivor.mutant}")
        self.say(summary(report))

    def _bank(self, found: dict[str, Loaded], bench: Bench, standards: Standards, target: str) -> None:
        if not found:
            raise CommandError("no bundle here")
        reports = {}
        for place, loaded in found.items():
            started = time.perf_counter()
            reports[place] = report = validate(loaded, bench, standards)
            self.say(f"{place}: {summary(report)}, {time.perf_counter() - started:.1f} s")
            for remark in report.remarks:
                if remark.severity == "error":
                    self.say("  " + str(remarks.tell(remark)))
        self._emit({place: to_data(report) for place, report in reports.items()}, target)
        values = [report.strength.value for report in reports.values() if report.strength and report.strength.value is not None]
        good = sum(report.publishable for report in reports.values())
        if values:
            self.say(f"{good} of {len(reports)} publishable; strength: median {statistics.median(values):.3f}, least {min(values):.3f}")
        if good < len(reports):
            raise CommandError(f"{len(reports) - good} tasks can't be published")


def loaded_from(path: Path) -> Loaded:
    """A bundle from a folder or a zip. Raises FaultyData, CommandError."""
    if path.is_dir():
        return load_folder(path)
    if not path.is_file():
        raise CommandError(f"there is no {path}")
    with path.open("rb") as source:
        return load_files(read_archive(source.read(MAX_ARCHIVE_BYTES + 1), path.name))


def summary(report: Report) -> str:
    """One line: errors, warnings, strength and what became of the mutants."""
    head = "publishable" if report.publishable else counted(report.errors, "error")
    strength = report.strength
    if strength is None or strength.value is None:
        return f"{head}, {counted(report.warnings, 'warning')}, no strength"
    return (
        f"{head}, {counted(report.warnings, 'warning')}, strength {strength.value:.3f} ({strength.band}): {strength.killed} killed, "
        f"{strength.survived} survived, {strength.timed_out} timed out, {strength.not_compiled} did not compile, "
        f"{strength.equivalent} equivalent"
    )
