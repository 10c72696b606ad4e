"""Answers of networks: from a file of the field's format to one row per planned cell, all or nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from django.db import transaction
from django.utils.dateparse import parse_datetime
from django.utils.text import slugify
from django.utils.timezone import is_naive, make_aware

from scoring.extract import code_of
from scoring.findings import FaultyData, Finding, near_miss
from scoring.models import Answer, AnswerStatus, Edition, Network, Task
from scoring.results import AnswerRun, Experiment, read_experiment
from scoring.services.versions import data_changed

DEFAULT_EDITION = "core"
# What providers call the end of a generation that is no answer (OpenAI's names and those of its compatibles).
STATUS_OF_FINISH = {
    "length": AnswerStatus.TRUNCATED,
    "max_tokens": AnswerStatus.TRUNCATED,
    "content_filter": AnswerStatus.REFUSED,
    "refusal": AnswerStatus.REFUSED,
    "blacklist": AnswerStatus.REFUSED,
    "cancelled": AnswerStatus.CANCELLED,
    "tool_loop": AnswerStatus.TOOL_LOOP,
}


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What an import did; `planned` cells have no answer yet, `unfinished` is what came otherwise than whole, by status."""

    created: int = 0
    replaced: int = 0
    unchanged: int = 0
    planned: int = 0
    unfinished: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{count} {AnswerStatus(status).value}" for status, count in sorted(self.unfinished.items()))
        return (
            f"{self.created} answers stored, {self.replaced} replaced, {self.unchanged} known already, "
            f"{self.planned} cells without an answer" + (f"; {told}: not to be scored" if told else "")
        )


def import_answers(path: Path, edition: str = DEFAULT_EDITION, replace: bool = False) -> ImportCounts:
    """Stores the answers of an experiment file. Raises FaultyData, and then stores nothing."""
    return store_experiment(read_experiment(path), path.name, edition, replace)


@transaction.atomic
def store_experiment(experiment: Experiment, file: str, edition: str, replace: bool) -> ImportCounts:
    """Writes one Answer per cell and run; planned cells (task × model of the file) without one get a row, too.

    A cell whose text differs from the stored one is refused unless `replace`, which stores a further revision.
    """
    tasks = _known_tasks(experiment, file)
    where, _ = Edition.objects.get_or_create(slug=edition, defaults={"name": edition})
    networks = {name: get_network(name) for name in experiment.models}
    writer = _Writer(where, experiment, file, replace)
    for place, cell in enumerate(experiment.cells):
        for number, run in enumerate(cell.runs):
            at = f"task_results[{place}].runs[{number}]"
            writer.write(tasks[cell.task_id], networks[cell.model_name], cell.model_id, run, at)
    planned = writer.plan(tasks.values(), networks.values())
    if writer.findings:
        raise FaultyData(writer.findings)
    data_changed()
    return ImportCounts(writer.created, writer.replaced, writer.unchanged, planned, writer.unfinished)


def _known_tasks(experiment: Experiment, file: str) -> Mapping[str, Task]:
    stored = {task.key: task for task in Task.objects.filter(category=experiment.category)}
    findings = []
    for place, cell in enumerate(experiment.cells):
        if cell.task_id not in stored:
            message = f"no task {cell.task_id!r} of category {experiment.category} in the bank"
            cure = near_miss(cell.task_id, stored) if stored else "import the tasks first"
            findings.append(Finding(file, message, key=f"task_results[{place}].task_id", cure=cure))
    if findings:
        raise FaultyData(findings[:50])
    named = {cell.task_id for cell in experiment.cells}
    return {key: task for key, task in stored.items() if key in named}


def get_network(name: str, *, is_control: bool = False, vendor: str = "") -> Network:
    """The network of that name, made with a slug of its own when it is new."""
    found = Network.objects.filter(name=name).first()
    if found:
        return found
    base = slugify(name.replace(".", "-"), allow_unicode=True)[:110] or "network"
    slug, number = base, 2
    while Network.objects.filter(slug=slug).exists():
        slug, number = f"{base}-{number}", number + 1
    return Network.objects.create(name=name, slug=slug, is_control=is_control, vendor=vendor)


def digest_of(text: str) -> str:
    """The hash by which an answer's text is known."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def status_of(run: AnswerRun) -> AnswerStatus:
    """A response's state; what the provider said counts before what the text looks like."""
    named = STATUS_OF_FINISH.get(run.finish_reason.strip().lower())
    if named:
        return named
    if not run.success:
        return AnswerStatus.FAILED
    return AnswerStatus.ANSWERED if run.response.strip() else AnswerStatus.EMPTY


class _Writer:
    """Writes the runs of one experiment into one edition and counts what happened."""

    def __init__(self, edition: Edition, experiment: Experiment, file: str, replace: bool) -> None:
        self.edition = edition
        self.file = file
        self.replace = replace
        self.source = experiment.name[:120]
        self.findings: list[Finding] = []
        self.answered_at = self._moment(experiment.timestamp)
        self.created = self.replaced = self.unchanged = 0
        self.unfinished: Counter[str] = Counter()
        stored = Answer.objects.filter(edition=edition, is_current=True)
        self.current = {(answer.task_id, answer.network_id, answer.run_index): answer for answer in stored}

    def _moment(self, text: str) -> datetime | None:
        """None for words of another form; what has the form and is no moment is a fault."""
        try:
            when = parse_datetime(text)
            return (make_aware(when) if is_naive(when) else when).astimezone(UTC) if when else None
        except (ValueError, OverflowError):
            self.findings.append(Finding(self.file, f"there is no moment {text[:40]!r}", key="timestamp"))
            return None

    def write(self, task: Task, network: Network, model_id: str, run: AnswerRun, place: str) -> None:
        cell = (task.pk, network.pk, run.index)
        digest = digest_of(run.response)
        old = self.current.get(cell)
        if old and old.digest == digest and old.status == status_of(run):
            self.unchanged += 1
            return
        if old and old.status != AnswerStatus.PLANNED and not self.replace:
            message = f"{network.name} has another answer to {task.key} already (run {run.index})"
            self.findings.append(Finding(self.file, message, key=place, cure="replace it with --replace"))
            return
        self.replaced += bool(old and old.status != AnswerStatus.PLANNED)
        self.created += not (old and old.status != AnswerStatus.PLANNED)
        if status_of(run) != AnswerStatus.ANSWERED:
            self.unfinished[status_of(run).value] += 1
        self.current[cell] = self._store(old, task, network, model_id, run, digest)

    def _store(
        self, old: Answer | None, task: Task, network: Network, model_id: str, run: AnswerRun, digest: str
    ) -> Answer:
        if old:
            old.is_current = False
            old.save(update_fields=["is_current"])
        return Answer.objects.create(
            edition=self.edition,
            task=task,
            network=network,
            run_index=run.index,
            revision=old.revision + 1 if old else 1,
            status=status_of(run),
            response=run.response,
            code=code_of(run.response),
            digest=digest,
            recorded_hash=run.response_hash,
            model_id=model_id,
            finish_reason=run.finish_reason,
            error=run.error,
            tokens_input=run.tokens_input,
            tokens_output=run.tokens_output,
            elapsed_seconds=run.elapsed_time,
            cost=run.cost_total,
            source=self.source,
            answered_at=self.answered_at,
        )

    def plan(self, tasks: Iterable[Task], networks: Iterable[Network]) -> int:
        """Rows for the cells of tasks × networks that have none; returns how many have no answer."""
        have = {(task, network) for task, network, _ in self.current}
        missing = [
            Answer(edition=self.edition, task=task, network=network, source=self.source)
            for task in tasks
            for network in list(networks)
            if (task.pk, network.pk) not in have
        ]
        Answer.objects.bulk_create(missing)
        return len(missing)
