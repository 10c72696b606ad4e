"""`generate`: networks answer tasks; what comes in is stored, scored and shown."""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from scoring import queue
from scoring.generation.budget import Estimate
from scoring.generation.channels import ChannelUnavailable
from scoring.generation.dialogue import Attempt
from scoring.generation.runner import Stop
from scoring.management.base import PrismCommand, counted, existing_file, require_instrument
from scoring.management.progress import Progress
from scoring.management.supervisor import ChildKeepsDying, Supervisor
from scoring.management.watching import watch_jobs
from scoring.models import OPEN_STATES, GenerationRun, JobState, RunState, ScoreJob
from scoring.services import generating, generation, measuring

# After an interruption that a person asked for twice: nothing is waited for, a resumed run takes it up.
ABORTED = 130
BASIS = {"own": "its own answers so far", "others": "other networks' answers", "assumed": "assumed (prices.yaml)"}


class Command(PrismCommand):
    help = "Asks networks for answers. Stop it at any moment: --resume RUN asks only for what is missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="", help="conditions of the run (default: core; with --replay: rehearsal)")
        parser.add_argument("--network", action="append", default=[], metavar="NAME", help="repeatable; default: the whole catalogue")
        parser.add_argument("--task", action="append", default=[], metavar="ID", help="repeatable; default: every published task")
        parser.add_argument("--answers", type=int, default=1, metavar="N", help="answers per task (for pass@k)")
        parser.add_argument("--cap", type=money, metavar="SUM", help="no new answer is asked for once so much is spent")
        parser.add_argument("--seed", type=int, default=0, help="draws the objects that distract; same seed, same objects")
        parser.add_argument("--replay", metavar="FILE", help="rehearse with a recording (experiment_*.json): no network, no key")
        parser.add_argument("--resume", type=int, metavar="RUN", help="go on with a run of before")
        parser.add_argument("--dry-run", action="store_true", help="what it would ask and cost; asks and stores nothing")
        parser.add_argument("--workers", type=int, default=settings.PRISM_WORKERS, help="for scoring; 0: leave it to running workers")
        parser.add_argument("--no-score", action="store_true", help="store the answers, leave their scoring queued")

    def run(self, *, dry_run: bool, resume: int | None, workers: int, no_score: bool, **options: Any) -> None:
        order = order_of(options)
        if dry_run:
            self._show(*estimated(order, resume))
            return
        if not no_score:
            require_instrument()
        run = existing_run(resume) if resume else generation.place_order(order)
        self.say(f"run {run.pk}, edition {run.edition.slug}: {generation.left_of(run).count()} answers to get")
        if run.recording:
            self.say("a rehearsal: answers come from the recording, no network is asked")
        queue.ensure()
        self._ask(run)
        self._end(run)
        if not no_score:
            self._score(run, workers)

    # -- asking -------------------------------------------------------------------------------------------------------

    def _ask(self, run: GenerationRun) -> None:
        stop = Stop()
        line = Line(run)
        try:
            with interruptible(stop), line:
                generating.carry_out(run, stop, told=line.heard, workers=0)
        except (ChannelUnavailable, generating.RunIsHeldError) as error:
            raise CommandError(str(error)) from None

    def _end(self, run: GenerationRun) -> None:
        progress = generation.progress_of(run)
        states = ", ".join(f"{count} {status}" for status, count in sorted(progress.states.items()))
        self.say(f"run {run.pk} {run.state}: {states}; {run.spent:.4f} {run.currency} spent")
        if run.note:
            self.say(f"  {run.note}")
        if progress.left:
            self.say(f"  {counted(progress.left, 'answer')} missing: generate --resume {run.pk} asks again")

    # -- scoring ------------------------------------------------------------------------------------------------------

    def _score(self, run: GenerationRun, workers: int) -> None:
        answers = generation.cells_of(run).select_related("task__bundle")
        jobs = measuring.request_scores(answers, workers=workers)
        open_jobs = list(ScoreJob.objects.filter(pk__in=jobs, state__in=OPEN_STATES).values_list("pk", flat=True))
        if open_jobs and workers:
            try:
                with Supervisor() as children:
                    children.start_manage("scoring_worker", "scoring", count=min(workers, len(open_jobs)))
                    states = watch_jobs("scoring", open_jobs, children.tend)
            except ChildKeepsDying as error:
                raise CommandError(str(error)) from None
            self.say(f"{states[JobState.DONE]} scored, {states[JobState.FAILED]} not measured")
        for stack in measuring.current_stacks():
            measuring.show_when_complete(stack)
        if not (open_jobs and not workers):
            self.say(f"on the board: ?edition={run.edition.slug}")

    # -- dry run ------------------------------------------------------------------------------------------------------

    def _show(self, found: Estimate, notes: list[str]) -> None:
        heads = ("network", "cat.", "answers", "tokens in", "tokens out", found.currency, "tokens are")
        rows = [
            (
                line.network, line.category, str(line.answers), str(line.tokens_input), str(line.tokens_output),
                "?" if line.cost is None else f"{line.cost:.4f}", BASIS[line.basis],
            )
            for line in found.lines
        ]  # fmt: skip
        widths = [max(len(row[place]) for row in [heads, *rows]) for place in range(len(heads))]
        for row in [heads, *rows]:
            cells = [
                text.rjust(width) if 2 <= place <= 5 else text.ljust(width)
                for place, (text, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.say("  ".join(cells).rstrip())
        self.say(f"{found.answers} answers, {found.total:.4f} {found.currency} by known prices")
        for note in notes + [f"no price is known for {name}" for name in found.unpriced]:
            self.say(f"  note: {note}")


class Line(Progress):
    """The bar with what a person wants to know: cost, failures, time left."""

    def __init__(self, run: GenerationRun) -> None:
        self.states: Counter[str] = Counter()
        self.cost = float(run.spent)
        self.currency = run.currency
        super().__init__("answers", generation.left_of(run).count())

    def heard(self, attempt: Attempt, cost: float | None) -> None:
        self.states[attempt.status] += 1
        self.cost += cost or 0.0
        self.show(sum(self.states.values()))

    def _text(self) -> str:
        odd = [f"{count} {status}" for status, count in sorted(self.states.items()) if status != "answered"]
        return "; ".join([f"{super()._text()}, {self.cost:.4f} {self.currency}", *odd])


@contextmanager
def interruptible(stop: Stop) -> Iterator[None]:
    """SIGINT and SIGTERM: no new request, what is in flight comes in. The second one ends at once."""

    def asked(number: int, frame: Any) -> None:
        if stop.asked:
            sys.stderr.write("\naborted; what was in flight is lost, a resumed run asks for it again\n")
            sys.stderr.flush()
            # Threads that wait for a provider would keep the process for minutes.
            os._exit(ABORTED)
        sys.stderr.write("\nstopping: waiting for the answers in flight (again to abort)\n")
        stop.ask()

    former = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def order_of(options: dict[str, Any]) -> generation.Order:
    recording = str(existing_file(options["replay"]).resolve()) if options["replay"] else ""
    if len(recording) > 255:
        raise CommandError("--replay: the path is longer than 255 characters")
    return generation.Order(
        options["edition"], options["network"], options["task"], options["answers"], options["cap"], options["seed"], recording
    )


def existing_run(pk: int) -> GenerationRun:
    run = GenerationRun.objects.select_related("edition").filter(pk=pk).first()
    if run is None:
        raise CommandError(f"there is no run {pk}")
    return run


def estimated(order: generation.Order, resume: int | None) -> tuple[Estimate, list[str]]:
    """The estimate with what is worth knowing before the start."""
    if resume:
        run = existing_run(resume)
        return generation.estimate_of(run), [f"run {run.pk} is {run.state}"] if run.state != RunState.DONE else []
    plan = generation.plan_order(order)
    notes = [f"{plan.cells - plan.left} of {plan.cells} answers are there already"] if plan.cells > plan.left else []
    notes += [f"{card.name} supports no tools: it will see no schema" for card in plan.blind]
    cards = generation.catalogue()
    if not order.recording:
        closed = {card.channel: why for card in plan.networks if (why := cards.channels[card.channel].missing())}
        notes += [f"channel {channel} can't be used: {why}" for channel, why in closed.items()]
    return generation.estimate_plan(plan), notes


def money(text: str) -> Decimal:
    """A sum for --cap."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise CommandError(f"--cap: {text!r} is no sum") from None
    if not value.is_finite():
        raise CommandError(f"--cap: {text!r} is no sum")
    return value
