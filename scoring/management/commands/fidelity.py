"""`fidelity --tasks DIR --answers FILE --verdicts FILE`: how far our verdicts agree with recorded ones; keeps the report."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from scoring.fidelity.command import add_options
from scoring.fidelity.command import run as audit
from scoring.management.base import PrismCommand
from scoring.models import FidelityReport
from scoring.results import read_experiment
from scoring.services import measuring


class Command(PrismCommand):
    help = "Scores answers and compares with the recorded verdicts of genuine engines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def run(self, **options: Any) -> None:
        report = audit(options, self.say)
        if options["details"] or options["only"]:
            return  # not for publication, or only a part of the answers
        FidelityReport.objects.create(
            category=read_experiment(options["answers"]).category,
            stack=measuring.current_stack(),
            against=options["verdicts"].stem,
            report=report,
        )
