"""`doctor`: what is installed, what works, and what to do about the rest."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from scoring.management.base import PrismCommand
from scoring.services import health, measuring

MARKS = {"ok": "ok  ", "note": "note", "bad": "BAD "}


class Command(PrismCommand):
    help = "Looks at everything scoring needs; ends with exit code 1 when something is broken."
    # The doctor must be able to speak about a broken installation.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quick", action="store_true", help="without the engines' self-tests")

    def run(self, *, quick: bool, **options: Any) -> None:
        broken = 0
        for check in health.check_all(self_tests=not quick):
            broken += check.state == "bad"
            self.say(f"{MARKS[check.state]} {check.what:<11} {check.detail}")
            if check.cure and check.state != "ok":
                self.say(f"{'':17}→ {check.cure}")
        measuring.close_pipeline()
        if broken:
            raise CommandError(f"{broken} thing{'s' * (broken != 1)} broken")
