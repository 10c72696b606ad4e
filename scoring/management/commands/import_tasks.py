"""`import_tasks DIR`: bundles below a folder into the bank, all or nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from scoring.management.base import PrismCommand, existing_folder
from scoring.services import bank


class Command(PrismCommand):
    help = "Stores the task bundles below a folder; on any fault every finding is listed and nothing is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", type=existing_folder, default=None, help="default: the project's tasks/")
        parser.add_argument("--publish", action="store_true", help="publish bundles that lack files needed for publishing, too")
        parser.add_argument("--private", action="store_true", help="keep everything but the name from public pages")

    def run(self, *, folder: Path | None, publish: bool, private: bool, **options: Any) -> None:
        counts = bank.import_folder(folder or settings.PRISM_TASKS_DIR, publish=publish, private=private)
        self.say(str(counts))
