"""Words of review in the reader's language; the method's own come from `metrics/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.services import stacks


def in_language(label: Mapping[str, str] | None) -> str:
    """The label in the language of the request, Russian where it has no other."""
    if not label:
        return ""
    language = (get_language() or "ru").split("-")[0]
    return label.get(language) or label.get("ru") or next(iter(label.values()), "")


@dataclass(frozen=True, slots=True)
class Step:
    value: int
    criterion: str


@dataclass(frozen=True, slots=True)
class AxisSheet:
    """An axis as an expert sees it: its question and the six steps in words, best first."""

    key: str
    name: str
    question: str
    steps: tuple[Step, ...]


def axis_sheets(axes: list[str]) -> list[AxisSheet]:
    """The rubric for these axes."""
    rules = stacks.protocol()
    sheets = []
    for axis in axes:
        about = rules.constitution.axes[axis]
        criteria = rules.rubric.criteria[axis]
        steps = tuple(Step(step, in_language(criteria[step])) for step in sorted(criteria, reverse=True))
        sheets.append(AxisSheet(axis, in_language(about.name), in_language(about.question), steps))
    return sheets


def axis_name(axis: str) -> str:
    return in_language(stacks.protocol().constitution.axes[axis].name)


def category_name(category: str) -> str:
    return in_language(stacks.protocol().constitution.categories[category].name)


def absence(reason: str) -> str:
    """Why the machine gave no value."""
    constitution = stacks.protocol().constitution
    for table in (constitution.not_measured, constitution.not_applicable):
        if reason in table:
            return in_language(table[reason])
    return reason


def figure_reason(reason: str) -> str:
    texts = {
        "no_variation": _("не определена: нет вариации"),
        "no_data": _("нет данных"),
        "few_clusters": _("мало задач для интервала"),
    }
    return texts.get(reason, reason)


def skip_label(reason: str) -> str:
    texts = {
        "condition": _("условие неясно"),
        "test": _("тест выглядит неверным"),
        "field": _("не моя область"),
        "other": _("другое"),
    }
    return texts.get(reason, reason)


def condition_label(key: str) -> str:
    """A condition of the rule in words."""
    texts = {
        "answers": _("оценённых ответов"),
        "tasks": _("задач"),
        "experts": _("экспертов в раунде"),
        "kappa_quadratic": _("каппа квадратичная"),
        "kappa_quadratic_lower": _("нижняя граница её интервала"),
        "kappa_plain": _("каппа простая"),
        "ac2": "AC2",
        "step_difference": _("|средняя разность| на ступени машины"),
        "kappa_quadratic_population": _("каппа квадратичная, взвешенная к совокупности"),
        "distinct_grades": _("разных оценок у экспертов"),
        "distinct_steps": _("разных ступеней у машины"),
        "expert_kappa_quadratic": _("каппа экспертов между собой"),
        "within_one_step": _("доля в пределах одной ступени"),
        "disputed": _("споров и открытых обращений"),
    }
    return texts.get(key, key)


def refusal(code: str, axes: tuple[str, ...] = ()) -> str:
    """Why a page refused something."""
    names = ", ".join(f"{axis} ({axis_name(axis)})" for axis in axes if axis in stacks.protocol().constitution.axes)
    texts = {
        "missing": _("Не оценены оси: %(axes)s.") % {"axes": names},
        "invalid": _("Такого значения на шкале нет: только 0, 2, 4, 6, 8 и 10."),
        "round_not_open": _("Раунд закрыт."),
        "not_in_round": _("Вы не участвуете в этом раунде."),
        "conflict": _("Этот ответ открыт ещё в одной вкладке, и там черновик новее."),
        "locked": _("Оценка уже поставлена и закрыта."),
        "taken": _("Срок удержания истёк, и ответ оценил другой эксперт. Черновик сохранён."),
        "no_reason": _("Исправлению нужна причина."),
        "not_submitted": _("Сначала поставьте оценку."),
        "frozen": _("Отчёт раунда опубликован, исправить оценку уже нельзя."),
        "repeat_open": _("Сначала закончите открытый ответ."),
    }
    return texts.get(code, code)
