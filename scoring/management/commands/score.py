"""`score`: every answer that the current stack has not scored yet, in parallel, with a progress bar."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db.models import Q

from scoring import queue
from scoring.management.base import PrismCommand, counted, require_instrument
from scoring.management.supervisor import ChildKeepsDying, Supervisor
from scoring.management.watching import watch_jobs
from scoring.models import Answer, AnswerStatus, Category, JobState, ScoreJob
from scoring.services import measuring

SHOWN_FAILURES = 5


class Command(PrismCommand):
    help = "Scores stored answers. Stop it at any moment: the next call does only what is left."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", action="append", metavar="WHAT", help="task id, network or TASK:NETWORK; repeatable")
        parser.add_argument("--category", choices=Category.values, help="default: both")
        parser.add_argument("--edition", help="conditions of the run (default: every one)")
        parser.add_argument("--controls", action="store_true", help="control answers only")
        parser.add_argument("--again", action="store_true", help="score anew what this stack has scored already")
        parser.add_argument("--workers", type=int, default=settings.PRISM_WORKERS, help="0: leave it to running workers")
        parser.add_argument("--no-wait", action="store_true", help="queue the work and leave")

    def run(self, *, workers: int, again: bool, no_wait: bool, **options: Any) -> None:
        answers = list(selected(options).select_related("task__bundle", "network"))
        if not answers:
            raise CommandError("no stored answer fits: import answers first, or widen --only")
        require_instrument()
        queue.ensure()
        jobs = measuring.request_scores(answers, again, workers)
        told = "; ".join(map(str, measuring.current_stacks()))
        scorable = sum(answer.status == AnswerStatus.ANSWERED for answer in answers)
        self.say(f"{counted(len(answers), 'cell')}, {scorable} with an answer, {len(jobs)} to score by {told}")
        if jobs and not no_wait:
            self._work(jobs, workers)
        if not no_wait:
            for stack in measuring.current_stacks():
                measuring.show_when_complete(stack)

    def _work(self, jobs: list[int], workers: int) -> None:
        try:
            with Supervisor() as children:
                children.start_manage("scoring_worker", "scoring", count=min(workers, len(jobs)))
                states = watch_jobs("scoring", jobs, children.tend)
        except ChildKeepsDying as error:
            raise CommandError(str(error)) from None
        self.say(f"{states[JobState.DONE]} scored, {states[JobState.FAILED]} not measured, {states[JobState.CANCELLED]} cancelled")
        failed = ScoreJob.objects.filter(pk__gte=min(jobs), pk__lte=max(jobs), state=JobState.FAILED)
        for job in failed.select_related("answer__task", "answer__network")[:SHOWN_FAILURES]:
            last = (job.error.strip().splitlines() or ["?"])[-1]
            self.stderr.write(f"  {job.answer.task.key} · {job.answer.network.title}: {last}")


def selected(options: dict[str, Any]) -> Any:
    """The current answers that the options name. Raises CommandError for a name that nothing bears."""
    answers = Answer.objects.filter(is_current=True)
    if options.get("category"):
        answers = answers.filter(task__category=options["category"])
    if options.get("edition"):
        answers = answers.filter(edition__slug=options["edition"])
    if options.get("controls"):
        answers = answers.filter(network__is_control=True)
    wanted = Q()
    for what in options.get("only") or []:
        wanted |= named(what)
    return answers.filter(wanted).order_by("pk")


def named(what: str) -> Q:
    """`TASK`, `NETWORK` or `TASK:NETWORK` as a condition."""
    task, colon, network = what.partition(":")
    one = Q(task__key=task, network__name=network) if colon else Q(task__key=what) | Q(network__name=what)
    if not Answer.objects.filter(one).exists():
        raise CommandError(f"--only {what}: no task, network or TASK:NETWORK of this name has an answer")
    return one


