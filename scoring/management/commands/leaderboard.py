"""`leaderboard`: the board as a text table."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from scoring.management.base import PrismCommand
from scoring.models import Category, Edition
from scoring.services import stacks
from scoring.services.answers import DEFAULT_EDITION
from scoring.services.means import COLUMNS, NetworkMeans, network_means


class Command(PrismCommand):
    help = "Prints the mean S, M, O, P and Q of every network by the stack that the board shows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--category", choices=Category.values, action="append", help="default: every one")
        parser.add_argument("--edition", default=DEFAULT_EDITION, help="conditions of the run (default: %(default)s)")
        parser.add_argument("--drafts", action="store_true", help="count unpublished tasks, too")
        parser.add_argument("--no-controls", action="store_true", help="leave the control answers out")

    def run(self, *, category: list[str] | None, edition: str, drafts: bool, no_controls: bool, **options: Any) -> None:
        if edition != DEFAULT_EDITION and not Edition.objects.filter(slug=edition).exists():
            known = ", ".join(Edition.objects.values_list("slug", flat=True)) or "none yet, import answers first"
            raise CommandError(f"no answers of edition {edition!r}; editions here: {known}")
        for letter in category or Category.values:
            stack = stacks.shown_stack(letter)
            if stack is None:
                self.say(f"{letter}: nothing scored yet")
                continue
            rows = network_means(letter, stack, drafts=drafts, edition=edition)
            self.say(f"{letter}: {stack.name}")
            for line in table([row for row in rows if not (no_controls and row.network.is_control)]):
                self.say(line)
            self.say()


def table(rows: list[NetworkMeans]) -> list[str]:
    """A heading, then a line per network; N/A where nothing was measured."""
    width = max([len(str(row.network.title)) for row in rows] + [7])
    lines = [f"{'network':<{width}}  " + " ".join(f"{column:>6}" for column in COLUMNS) + "  solved  tasks  n(O)"]
    for row in rows:
        figures = " ".join(f"{'N/A' if row.means[key] is None else format(row.means[key], '.2f'):>6}" for key in COLUMNS)
        lines.append(
            f"{str(row.network.title):<{width}}  {figures}  {row.solved:>6.0%}  {row.tasks:>5}  {row.counts['O']:>4}"
        )
    return lines
