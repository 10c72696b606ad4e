"""`cross_check`: the same answers by the built-in engine and by the genuine ones that are here; where do they differ?"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from scoring.bundles import load_tree
from scoring.fidelity.command import publish_cross
from scoring.fidelity.cross import Subject
from scoring.management.base import PrismCommand, existing_file, existing_folder, write_json
from scoring.models import Category
from scoring.results import read_experiment
from scoring.services import crosscheck

SHOWN = 40


class Command(PrismCommand):
    help = "Compares engines answer by answer now; reports on stored answers are kept for the site, as those of the nightly check are."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--category", choices=Category.values, help="default: both")
        parser.add_argument("--sample", type=int, help="so many stored answers, the same ones for the same stock (default: as at night)")
        parser.add_argument("--answers", type=existing_file, help="experiment_*.json instead of stored answers")
        parser.add_argument("--tasks", type=existing_folder, help="the bundles that --answers is about")
        parser.add_argument("--bank", type=existing_folder, help="all texts of the bundles below instead of stored answers")
        parser.add_argument("--json", type=Path, help="write the report to this file")
        parser.add_argument("--publish", type=existing_folder, help="folder of the fidelity document, to write the report into")
        parser.add_argument("--name", default="", help="part of the published report's name")
        parser.add_argument("--details", action="store_true", help="with the words of both sides: not for publication")
        parser.add_argument("--nightly", action="store_true", help="be silent and content where no genuine engine is here")

    def run(self, *, category: str | None, nightly: bool, **options: Any) -> None:
        if bool(options["answers"]) != bool(options["tasks"]):
            raise CommandError("--answers and --tasks belong together")
        if options["publish"] and options["details"]:
            raise CommandError("a report with the words of both sides is not for publication")
        reports = [self._check(one, options) for one in ([category] if category else Category.values)]
        made = [report for report in reports if report]
        if not made and not nightly:
            raise CommandError("no genuine engine is here: see `manage.py doctor`")
        for report in made:
            self._tell(report)
            if options["publish"]:
                publish_cross(report, options["publish"], options["name"])
        if options["json"]:
            write_json(options["json"], made)

    def _check(self, category: str, options: dict[str, Any]) -> dict[str, Any] | None:
        subjects = self._subjects(category, options)
        if not subjects:
            return None
        progress = _progress if sys.stderr.isatty() else None
        report = crosscheck.check(category, subjects, options["details"] or not options["answers"], progress)
        if report and not options["answers"] and not options["bank"]:
            crosscheck.keep(report)
        if report and options["bank"] and not options["details"]:
            report = json.loads(json.dumps(report | {"stock": "texts of the bank"}))
            for entry in report["disagreements"]:
                entry.pop("ours", None), entry.pop("theirs", None)
        return report

    def _subjects(self, category: str, options: dict[str, Any]) -> list[Subject]:
        if options["bank"]:
            return list(bank_texts(options["bank"], category))
        if not options["answers"]:
            return crosscheck.sample(category, options["sample"] or crosscheck.rules().sample)
        experiment = read_experiment(options["answers"])
        if experiment.category != category:
            return []
        bundles = {loaded.bundle.id: loaded.bundle for loaded in load_tree(options["tasks"]).values() if loaded.bundle}
        return [
            Subject(cell.task_id, cell.model_id, run.response, bundles[cell.task_id])
            for cell in experiment.cells
            for run in cell.runs
            if cell.task_id in bundles
        ]

    def _tell(self, report: dict[str, Any]) -> None:
        self.say(f"category {report['category']}, {report['answers']} answers: {engines(report['ours'])} beside {engines(report['theirs'])}")
        for question, row in report["questions"].items():
            share = "—" if row["share"] is None else f"{row['share']:.2%}"
            self.say(f"  {question:<8} {row['equal']} of {row['n']} equal ({share}), {row['not_measured']} not measured by one side")
        for entry in report["disagreements"][:SHOWN]:
            self.say(f"  {entry['task']} · {entry['model']} · {entry['question']}: {entry['kind']}")
            for side in ("ours", "theirs"):
                if entry.get(side):
                    self.say(f"      {side}: {entry[side]}")


def bank_texts(folder: Path, category: str) -> list[Subject]:
    """References, baselines and controls of the bundles below a folder."""
    found = []
    for loaded in load_tree(folder).values():
        bundle = loaded.bundle
        if bundle is None or bundle.category != category:
            continue
        texts = {"reference": bundle.canonical, "baseline": bundle.baseline}
        texts |= {f"{control.verdict}/{control.name}": control.code for control in bundle.controls}
        found += [Subject(bundle.id, name, text, bundle) for name, text in texts.items() if text]
    return found


def _progress(done: int, total: int) -> None:
    print(f"\r{done}/{total}", end="" if done < total else "\n", file=sys.stderr)


def engines(by_question: Mapping[str, str]) -> str:
    """`syntax, tests by builtin …; work by …`: every engine with what it was asked."""
    asked: dict[str, list[str]] = {}
    for question, engine in by_question.items():
        asked.setdefault(engine, []).append(question)
    return "; ".join(f"{', '.join(questions)} by {engine}" for engine, questions in asked.items())
