"""`export DIR`: answers and scores in the formats they are imported from."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from scoring.management.base import PrismCommand, write_json
from scoring.models import Category, Stack
from scoring.services import exporting, stacks
from scoring.services.answers import DEFAULT_EDITION


class Command(PrismCommand):
    help = "Writes experiment_<category>.json and auto/experiment_<category>_auto_l1.json into a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="made where it is missing; files of the same names are replaced")
        parser.add_argument("--category", choices=Category.values, action="append", help="default: every one")
        parser.add_argument("--edition", default=DEFAULT_EDITION, help="conditions of the run (default: %(default)s)")
        parser.add_argument("--stack", help="part of the stack's name (default: the one the board shows)")
        parser.add_argument("--private", action="store_true", help="private tasks, too: never publish the result")

    def run(self, *, folder: Path, category: list[str] | None, edition: str, private: bool, **options: Any) -> None:
        for letter in category or Category.values:
            given = exporting.export_answers(letter, edition, private=private)
            if not given["task_results"]:
                self.say(f"{letter}: no answers in edition {edition!r}")
                continue
            target = folder / f"experiment_{letter}.json"
            write_json(target, given)
            self.say(f"{target}: {len(given['task_results'])} cells")
            stack = self._stack(letter, options["stack"])
            if stack:
                target = folder / "auto" / f"experiment_{letter}_auto_l1.json"
                scored = exporting.export_scores(letter, stack, edition, private=private)
                write_json(target, scored)
                self.say(f"{target}: {len(scored['tasks'])} cells by {stack.name}")

    def _stack(self, category: str, part: str | None) -> Stack | None:
        if not part:
            return stacks.shown_stack(category)
        found = list(Stack.objects.filter(name__icontains=part)[:2])
        if len(found) != 1:
            raise CommandError(f"{len(found) or 'no'} stack{'s' * (len(found) > 1)} with {part!r} in the name")
        return found[0]
