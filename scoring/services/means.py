"""Means of a stack's scores by network: over tasks of the answers' values, as the protocol defines them.

Ranks, intervals and ties are the leaderboard's business; these are the plain figures behind it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from scoring.models import Answer, AnswerStatus, Network, Score, Stack, TaskStatus

COLUMNS = ("S", "M", "O", "P", "Q")


@dataclass(frozen=True, slots=True)
class NetworkMeans:
    """`means`: column → mean over tasks, None where nothing was measured; `counts`: tasks behind each mean."""

    network: Network
    means: Mapping[str, float | None]
    counts: Mapping[str, int]
    tasks: int
    answered: int
    solved: float


def network_means(category: str, stack: Stack, *, drafts: bool = False, edition: str = "core") -> list[NetworkMeans]:
    """Every network with a planned cell in the category, best Q first, those without any Q last."""
    statuses = [TaskStatus.PUBLISHED, *([TaskStatus.DRAFT] if drafts else [])]
    answers = Answer.objects.filter(
        task__category=category, task__status__in=statuses, edition__slug=edition, is_current=True
    ).select_related("network", "task")
    scores = {
        score.answer_id: score
        for score in Score.objects.filter(stack=stack, answer__in=answers).defer("evidence", "card").order_by("pk")
    }
    by_network: dict[Network, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_network[answer.network].append(answer)
    rows = [_row(network, given, scores) for network, given in by_network.items()]
    return sorted(rows, key=lambda row: (row.means["Q"] is None, -(row.means["Q"] or 0), row.network.name))


def _row(network: Network, answers: Iterable[Answer], scores: Mapping[int, Score]) -> NetworkMeans:
    by_task: dict[int, list[Score]] = defaultdict(list)
    answered = 0
    tasks = set()
    for answer in answers:
        tasks.add(answer.task_id)
        answered += answer.status == AnswerStatus.ANSWERED
        if answer.pk in scores:
            by_task[answer.task_id].append(scores[answer.pk])
    values = {column: [_mean_of(runs, column) for runs in by_task.values()] for column in COLUMNS}
    known = {column: [value for value in column_values if value is not None] for column, column_values in values.items()}
    return NetworkMeans(
        network=network,
        means={column: fmean(known[column]) if known[column] else None for column in COLUMNS},
        counts={column: len(known[column]) for column in COLUMNS},
        tasks=len(tasks),
        answered=answered,
        solved=fmean([fmean([score.solved for score in runs]) for runs in by_task.values()]) if by_task else 0.0,
    )


def _mean_of(runs: Iterable[Score], column: str) -> float | None:
    values = [value for score in runs if (value := getattr(score, f"{column.lower()}_value")) is not None]
    return fmean(values) if values else None
