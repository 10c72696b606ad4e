"""`fidelity --tasks DIR --answers FILE --verdicts FILE`: how far our verdicts agree with recorded ones; keeps the report."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.db import DatabaseError, transaction

from scoring.fidelity.command import add_options
from scoring.fidelity.command import run as audit
from scoring.management.base import PrismCommand
from scoring.models import FidelityReport
from scoring.results import read_experiment, read_verdicts
from scoring.services import measuring
from scoring.services.versions import data_changed

HEADER = ("evaluator_id", "runner", "syntax_analyzer", "protocol_version")


class Command(PrismCommand):
    help = "Scores answers and compares with the recorded verdicts of genuine engines; the site shows the last report."
    # An audit needs no database; only keeping its report does.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def run(self, **options: Any) -> None:
        report = audit(options, self.say)
        if options["details"] or options["only"]:
            return  # not for publication, or only a part of the answers
        try:
            keep(report, options)
        except DatabaseError:
            self.say("the report is not kept for the site: run `python manage.py migrate` first")


@transaction.atomic
def keep(report: dict[str, Any], options: dict[str, Any]) -> None:
    """Stores the report (ids, kinds and counts) as the last one of its category."""
    facts = read_verdicts(options["verdicts"]).facts
    told = " · ".join(facts[key] for key in HEADER if facts.get(key)) or options["verdicts"].stem
    category = read_experiment(options["answers"]).category
    FidelityReport.objects.create(
        category=category,
        stack=measuring.current_stack(category),
        against=told[:160],
        report=report,
    )
    data_changed()
