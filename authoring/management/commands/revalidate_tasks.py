"""`revalidate_tasks`: published tasks against the engine and protocol of today; what no longer holds is quarantined."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from scoring.management.base import PrismCommand, require_instrument
from scoring.models import TaskStatus, Validation, ValidationReason
from scoring.services import validating


class Command(PrismCommand):
    help = "Queues a validation of every published task that this engine and protocol have not validated (--all: of every one)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", dest="everything", help="those, too, that were validated by this engine")
        parser.add_argument("--here", action="store_true", help="run them in this process instead of the queue's workers")

    def run(self, *, everything: bool, here: bool, **options: Any) -> None:
        require_instrument()
        count = validating.revalidate(everything)
        self.say(f"{count} tasks to validate")
        if not here:
            return
        validating.drain()
        newest = Validation.objects.filter(reason=ValidationReason.NIGHTLY).select_related("bundle__task").order_by("-pk")[:count]
        broken = [row.bundle.task for row in newest if row.bundle and not row.publishable]
        for task in broken:
            self.say(f"{task.key}: {task.get_status_display() if task.status == TaskStatus.QUARANTINED else task.status}: {task.status_reason}")
        self.say(f"{count - len(broken)} hold, {len(broken)} do not")
