"""`import_answers FILE`: answers (`experiment_*.json`) and, with --scores, recorded scores (`*_auto_l1.json`)."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.db import transaction

from scoring.management.base import PrismCommand, existing_file
from scoring.services import answers, verdicts


class Command(PrismCommand):
    help = "Stores a file of answers, all or nothing; --scores adds the scores that somebody recorded for them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=existing_file, help="experiment_*.json")
        parser.add_argument("--scores", type=existing_file, help="*_auto_l1.json: recorded scores, kept beside ours")
        parser.add_argument("--edition", default=answers.DEFAULT_EDITION, help="conditions of the run (default: %(default)s)")
        parser.add_argument("--replace", action="store_true", help="store changed answers as further revisions")

    @transaction.atomic
    def run(self, *, file: Path | None, scores: Path | None, edition: str, replace: bool, **options: Any) -> None:
        if file is None and scores is None:
            self.say("nothing to import: name a file of answers, --scores, or both")
            return
        if file:
            self.say(str(answers.import_answers(file, edition, replace)))
        if scores:
            self.say(f"{verdicts.import_verdicts(scores, edition)} recorded scores stored")
