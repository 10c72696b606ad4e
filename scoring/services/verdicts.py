"""Recorded scores of others (`auto/*_auto_l1.json`): one Score per run, beside ours, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from django.db import transaction

from scoring.axes.steps import project
from scoring.findings import FaultyData, Finding
from scoring.funnel import Fall
from scoring.models import Answer, Score, Stack
from scoring.protocol import Protocol, ShareStep
from scoring.results import AXES, ScoredRun, Verdicts, read_verdicts
from scoring.scorecard import AxisResult, NotApplicable, NotMeasured, Scorecard, Scored
from scoring.services import scores, stacks
from scoring.services.answers import DEFAULT_EDITION
from scoring.services.versions import data_changed
from scoring.services.work import in_chunks

# Recorded files say null and not why.
REASON = "unspecified"


def import_verdicts(path: Path, edition: str = DEFAULT_EDITION) -> int:
    """Stores the scores of a file and returns their number. Raises FaultyData, and then stores nothing."""
    return store_verdicts(read_verdicts(path), path.name, edition)


@transaction.atomic
def store_verdicts(verdicts: Verdicts, file: str, edition: str) -> int:
    """Writes one Score per recorded run of a stored answer; the same file again replaces its own rows."""
    rules = stacks.protocol()
    stack = stacks.recorded_stack(verdicts.facts)
    stored = {
        (answer.task.key, answer.network.name, answer.run_index): answer
        for answer in Answer.objects.filter(edition__slug=edition, is_current=True).select_related(
            "task__bundle", "network"
        )
    }
    findings: list[Finding] = []
    rows = []
    for place, task_id, model_name, run in _runs(verdicts):
        answer = stored.get((task_id, model_name, run.index))
        if answer is None or answer.task.bundle is None:
            message = f"no answer of {model_name!r} to {task_id!r}, run {run.index}, in edition {edition!r}"
            findings.append(Finding(file, message, key=place, cure="import the answers first"))
        else:
            rows.append(_row(answer, stack, run, rules))
    if findings:
        raise FaultyData(findings[:50])
    for keys in in_chunks([row.answer_id for row in rows]):
        Score.objects.filter(stack=stack, answer_id__in=keys).delete()
    Score.objects.bulk_create(rows)
    data_changed()
    return len(rows)


def _runs(verdicts: Verdicts) -> Iterator[tuple[str, str, str, ScoredRun]]:
    for number, cell in enumerate(verdicts.cells):
        for index, run in enumerate(cell.runs):
            yield f"tasks[{number}].runs[{index}]", cell.task_id, cell.model_name, run


def _row(answer: Answer, stack: Stack, run: ScoredRun, rules: Protocol) -> Score:
    assert answer.task.bundle is not None
    axes = {axis: _axis(axis, answer.task.category, run, rules) for axis in AXES}
    score = scores.build_score(answer, stack, answer.task.bundle, Scorecard(axes, run.scores.get("Q")), _fall(axes))
    meaning = run.detail.get("M", {})
    score.passed, score.total = _count(meaning.get("passed")), _count(meaning.get("total"))
    return score


def _axis(axis: str, category: str, run: ScoredRun, rules: Protocol) -> AxisResult:
    value = run.scores.get(axis)
    if value is not None:
        return Scored(value, _step(axis, value, rules), {})
    if not rules.constitution.applies(axis, category):
        return NotApplicable()
    return NotMeasured(REASON)


def _step(axis: str, value: Decimal, rules: Protocol) -> int:
    ladders: dict[str, tuple[ShareStep, ...]] = {"M": rules.meaning.steps, "P": rules.platform.steps}
    if axis in ladders:
        return project(Fraction(value) / rules.constitution.maximum, ladders[axis])
    return int(value)


def _fall(axes: dict[str, AxisResult]) -> Fall:
    """Recorded files tell whether an answer solved its task, and no more."""
    meaning = axes["M"]
    if isinstance(meaning, Scored) and meaning.value == Decimal(10):
        return Fall(scores.SOLVED_STAGE, "none")
    return scores.UNMEASURED


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
