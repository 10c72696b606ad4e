"""What answers cost: money, tokens and seconds by network, beside what they are worth; look-ups and inventions of category B."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from django.db.models import Avg, Case, Count, FloatField, Q, QuerySet, Value, When

from leaderboard.insight import dominated_by
from leaderboard.queries import BoardData, NetworkRow
from leaderboard.ranking import ordered
from scoring.models import Answer, AnswerStatus, CostBasis, Score, TaskStatus


@dataclass(frozen=True, slots=True)
class Expense:
    """Means per answer; None where nobody told. `invented`: share of answers that addressed what does not exist (B)."""

    network: NetworkRow
    meaning: float | None
    solved: float | None
    answers: int
    cost: float | None
    tokens_input: float | None
    tokens_output: float | None
    seconds: float | None
    lookups: float | None
    invented: float | None
    dominated_by: NetworkRow | None
    on_frontier: bool


def expenses(data: BoardData) -> list[Expense]:
    """Every network (controls cost nothing), the cheapest of the frontier first, then the others by cost, unknown costs last."""
    told = _told(data)
    invented = _invented(data) if data.category == "B" else {}
    networks = [row for row in data.networks if not row.is_control and row.pk in told]
    rows = [_expense(data, network, told[network.pk], invented.get(network.pk)) for network in networks]
    return ordered(_with_frontier(rows), lambda row: row.cost, lambda row: row.network.title, descending=False)


def _answers(data: BoardData) -> QuerySet[Answer]:
    return Answer.objects.filter(
        edition__slug=data.edition, task__category=data.category, task__status=TaskStatus.PUBLISHED, is_current=True,
        network__is_control=False, status=AnswerStatus.ANSWERED,
    )  # fmt: skip


def _told(data: BoardData) -> Mapping[int, Mapping[str, Any]]:
    """Means by network in one query. A cost of nothing counts only where somebody said so."""
    known_cost = Q(cost__gt=0) | Q(exchange__cost_basis__in=[CostBasis.PROVIDER, CostBasis.PRICE])
    rows = _answers(data).values("network").annotate(
        answers=Count("pk"),
        cost=Avg(Case(When(known_cost, then="cost"), default=Value(None), output_field=FloatField())),
        tokens_input=Avg("tokens_input", filter=Q(tokens_input__gt=0)),
        tokens_output=Avg("tokens_output", filter=Q(tokens_output__gt=0)),
        seconds=Avg("elapsed_seconds", filter=Q(elapsed_seconds__gt=0)),
        lookups=Avg("exchange__lookups"),
    )  # fmt: skip
    return {row["network"]: row for row in rows.order_by()}


def _invented(data: BoardData) -> Mapping[int, float]:
    """Network → share of its measured answers with at least one invented name."""
    if data.stack is None:
        return {}
    scores = Score.objects.filter(stack=data.stack.pk, answer__in=_answers(data), p_value__isnull=False, evidence__isnull=False)
    found: dict[int, list[bool]] = defaultdict(list)
    for network, names in scores.values_list("answer__network", "evidence__invented"):
        found[network].append(bool(names))
    return {network: fmean(given) for network, given in found.items()}


def _expense(data: BoardData, network: NetworkRow, told: Mapping[str, Any], invented: float | None) -> Expense:
    return Expense(
        network=network,
        meaning=data.mean("M", network.pk),
        solved=data.mean("solved", network.pk),
        answers=told["answers"],
        cost=told["cost"],
        tokens_input=told["tokens_input"],
        tokens_output=told["tokens_output"],
        seconds=told["seconds"],
        lookups=told["lookups"],
        invented=invented,
        dominated_by=None,
        on_frontier=False,
    )


def _with_frontier(rows: list[Expense]) -> list[Expense]:
    known = [row for row in rows if row.cost is not None and row.meaning is not None]
    better = dominated_by([(row.cost or 0.0, row.meaning or 0.0) for row in known])
    told = {
        row.network.pk: replace(row, dominated_by=None if place is None else known[place].network, on_frontier=place is None)
        for row, place in zip(known, better, strict=True)
    }
    return [told.get(row.network.pk, row) for row in rows]
