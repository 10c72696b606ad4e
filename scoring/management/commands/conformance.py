"""`conformance --facts DIR`: how our engine does on recorded runs of a genuine one."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from scoring.conformance import BadFacts, add_arguments, execute
from scoring.management.base import PrismCommand


class Command(PrismCommand):
    help = "Run recorded snippets and compare value, kind of error, message and line with what the genuine engine gave."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)

    def run(self, **options: Any) -> None:
        try:
            execute(
                options["facts"],
                only=options["only"],
                json_file=options["json"],
                listed=options["list"],
                write=self.say,
            )
        except BadFacts as error:
            raise CommandError(str(error)) from None
