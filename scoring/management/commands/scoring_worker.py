"""`scoring_worker`: takes work from the queue until it is told to stop."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from scoring import queue
from scoring.management.base import PrismCommand
from scoring.services import generating, nightly, validating, work


def tidy() -> None:
    """Gives back what dead workers held and calls for it again."""
    work.wake_workers()
    validating.housekeeping()
    generating.wake()
    nightly.housekeeping()


class Command(PrismCommand):
    help = "Runs one worker of the queue (any number may run, on any number of machines)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("queues", nargs="*", help="queues in order of preference (default: all)")
        parser.add_argument("--burst", action="store_true", help="leave when nothing is left to do")

    def run(self, *, queues: list[str], burst: bool, **options: Any) -> None:
        worker = queue.worker(*queues, housekeeping=tidy)
        worker.work(burst=burst, with_scheduler=False, logging_level="WARNING")
