"""Answers and scores back into the formats they came in (see `scoring.results`)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from scoring.models import Answer, AnswerStatus, Score, Stack
from scoring.services.answers import DEFAULT_EDITION


def answers_of(category: str, edition: str = DEFAULT_EDITION, *, private: bool = False) -> QuerySet[Answer]:
    """The networks' current answers (no controls); private tasks only on demand."""
    found = Answer.objects.filter(
        edition__slug=edition, task__category=category, is_current=True, network__is_control=False
    )
    found = found if private else found.filter(task__is_private=False)
    return found.select_related("task", "network").order_by("task__key", "network__name", "run_index")


def export_answers(category: str, edition: str = DEFAULT_EDITION, *, private: bool = False) -> dict[str, Any]:
    """An experiment as a JSON value; cells that are still planned are told by `models_used` alone."""
    answers = list(answers_of(category, edition, private=private))
    given = [answer for answer in answers if answer.status != AnswerStatus.PLANNED]
    last = max((answer.answered_at for answer in given if answer.answered_at), default=None)
    return {
        "experiment_name": (given[0].source if given else "") or f"experiment_{category}_{edition}",
        "category": category,
        "timestamp": last.isoformat() if last else "",
        "models_used": sorted({answer.network.name for answer in answers}),
        "task_results": [_answer_cell(list(cell)) for _, cell in groupby(given, key=_cell)],
    }


def export_scores(
    category: str, stack: Stack, edition: str = DEFAULT_EDITION, *, private: bool = False
) -> dict[str, Any]:
    """The scores by one stack as a JSON value."""
    wanted = answers_of(category, edition, private=private)
    found = {
        score.answer_id: score
        for score in Score.objects.filter(stack=stack, answer__in=wanted).order_by("bundle__number", "pk")
    }
    scored = [answer for answer in wanted if answer.pk in found]
    return {
        "experiment_id": (scored[0].source if scored else "") or f"experiment_{category}_{edition}",
        "evaluator_id": "auto_l1",
        "edition": edition,
        **stack.facts,
        "stack": stack.name,
        "protocol_version": stack.protocol_version,
        "protocol_hash": stack.protocol_hash,
        "tasks": [_scored_cell(list(cell), found) for _, cell in groupby(scored, key=_cell)],
    }


def _cell(answer: Answer) -> tuple[int, int, str]:
    return answer.task_id, answer.network_id, answer.model_id


def _head(answer: Answer) -> dict[str, Any]:
    return {
        "task_id": answer.task.key,
        "task_name": answer.task.name,
        "model_id": answer.model_id,
        "model_name": answer.network.name,
    }


def _answer_cell(answers: list[Answer]) -> dict[str, Any]:
    return {**_head(answers[0]), "runs": [_run(answer) for answer in answers]}


def _run(answer: Answer) -> dict[str, Any]:
    return {
        "run_index": answer.run_index,
        "response": answer.response,
        "response_hash": answer.recorded_hash or answer.digest,
        "tokens_input": answer.tokens_input,
        "tokens_output": answer.tokens_output,
        "elapsed_time": answer.elapsed_seconds,
        "cost_total": answer.cost,
        "finish_reason": answer.finish_reason or None,
        "success": answer.status in (AnswerStatus.ANSWERED, AnswerStatus.EMPTY, AnswerStatus.TRUNCATED),
        "error": answer.error or None,
    }


def _scored_cell(answers: Iterable[Answer], found: dict[int, Score]) -> dict[str, Any]:
    cell = list(answers)
    return {**_head(cell[0]), "runs": [_scores(answer, found[answer.pk]) for answer in cell]}


def _scores(answer: Answer, score: Score) -> dict[str, Any]:
    values = {"S": score.s_value, "M": score.m_value, "O": score.o_value, "P": score.p_value, "Q": score.q_value}
    return {
        "run_index": answer.run_index,
        "response_hash": answer.recorded_hash or answer.digest,
        "scores": values,
        "bands": {"M": score.m_step, "P": score.p_step},
        "detail": _detail(score),
    }


def _detail(score: Score) -> dict[str, Any]:
    """What each axis's value came from: its grounds, or why there is none; M with its counts."""
    axes = score.card.get("axes", {})
    detail = {axis: dict(entry.get("grounds") or {"reason": entry.get("reason", "")}) for axis, entry in axes.items()}
    if score.total is not None:
        detail.setdefault("M", {}).update(passed=score.passed, total=score.total)
    return detail
