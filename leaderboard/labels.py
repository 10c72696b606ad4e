"""Words of the method in the reader's language, all read from `metrics/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.models import AXES, AnswerStatus
from scoring.protocol import Label, Protocol
from scoring.services import stacks, tags


def in_language(label: Label) -> str:
    """The label in the language of the request, Russian where it has no other."""
    language = (get_language() or "ru").split("-")[0]
    return label.get(language) or label.get("ru") or next(iter(label.values()), "")


def tag_label(tag: str) -> str:
    """A task's tag in the reader's language."""
    return in_language(tags.label_of(tag))


@dataclass(frozen=True, slots=True)
class AxisLabel:
    key: str
    name: str
    question: str
    unit: str


def axis_labels() -> dict[str, AxisLabel]:
    """Letter → name, question and unit."""
    axes = stacks.protocol().constitution.axes
    return {
        key: AxisLabel(key, in_language(axis.name), in_language(axis.question), in_language(axis.unit))
        for key, axis in axes.items()
    }


def column_title(column: str) -> str:
    """The long name of a board's column."""
    if column in AXES:
        return axis_labels()[column].name
    names = {
        "Q": _("Общая оценка"),
        "solved": _("Решено целиком"),
        "tasks": _("Задачи"),
        "name": _("Сеть"),
        "vendor": _("Разработчик"),
    }
    return names.get(column, column)


def column_short(column: str) -> str:
    """What a heading says."""
    return _("Решено") if column == "solved" else column if len(column) == 1 else column_title(column)


def category_name(category: str) -> str:
    return in_language(stacks.protocol().constitution.categories[category].name)


def reason(key: str, state: str = "not_measured") -> str:
    """Why an axis has no value."""
    constitution = stacks.protocol().constitution
    table = constitution.not_applicable if state == "not_applicable" else constitution.not_measured
    return in_language(table[key]) if key in table else key


def stage_label(key: str) -> str:
    stages = stacks.protocol().funnel.stages
    return in_language(stages[key]) if key in stages else key


def cause_label(key: str) -> str:
    for cause in stacks.protocol().funnel.causes:
        if cause.key == key:
            return in_language(cause.label)
    return key


def failure_words(kind: str) -> str:
    """A stable name of a failure (`does_not_compile`, `limit_operations` …) in words; free text stays as it is."""
    if kind == "does_not_compile":
        return stage_label("compile")
    found = next((cause for cause in stacks.protocol().funnel.causes if kind in cause.kinds), None)
    return in_language(found.label) if found else kind


def static_label(code: str, protocol: Protocol) -> str:
    labels: Mapping[str, Label] = getattr(protocol.optimization, "static_labels", {})
    return in_language(labels[code]) if code in labels else code


def invented_kind(kind: str) -> str:
    names = {
        "table": _("таблица"),
        "field": _("поле"),
        "property": _("свойство объекта"),
        "method": _("метод"),
        "type": _("тип"),
    }
    return names.get(kind, kind)


def status_label(status: str) -> str:
    return str(AnswerStatus(status).label)


def reading(value: float | str | None) -> str:
    """`high`, `acceptable` or `low`: how Q reads; empty without a value."""
    if value is None or isinstance(value, str):
        return ""
    readings = stacks.protocol().constitution.readings
    found = next((entry for entry in readings if value >= entry.bound), readings[-1])
    return found.key


def reading_label(value: float | str | None) -> str:
    """The same in words."""
    key = reading(value)
    return next((in_language(entry.label) for entry in stacks.protocol().constitution.readings if entry.key == key), "")


# -- cross-checks ------------------------------------------------------------------------------------------------------


def question_title(question: str) -> str:
    """What two engines are compared by."""
    names = {
        "syntax": _("S: столько же первопричин"),
        "tests": _("Тесты: тот же вердикт каждого"),
        "work": _("O по замеру: то же значение"),
        "static": _("O без замера: те же антипаттерны"),
    }
    return names.get(question, question)


def question_short(question: str) -> str:
    """The same in a word or two."""
    names = {"syntax": "S", "tests": _("тесты"), "work": "O", "static": _("O без замера")}
    return names.get(question, question)


def kind_words(kind: str) -> str:
    """A kind of disagreement (ours / theirs) in words; codes of anti-patterns stay as they are."""
    if kind.startswith(ROOT_CAUSES):
        return _("первопричин") + ": " + kind.removeprefix(ROOT_CAUSES)
    return " / ".join(map(_side_in_words, kind.split(" / ")))


ROOT_CAUSES = "root causes "


def _side_in_words(side: str) -> str:
    words = {
        "passed": _("пройден"),
        "wrong": _("неверно"),
        "raised": _("ошибка исполнения"),
        "not_run": _("не запускался"),
        "runs": _("исполняется"),
        "empty": _("пусто"),
        "no_entry_point": _("нет точки входа"),
        "does_not_compile": _("не компилируется"),
        "limit_operations": _("предел операций"),
        "limit_memory": _("предел памяти"),
        "limit_depth": _("предел вложенности"),
        "limit_output": _("предел вывода"),
        "refused by one": _("отказ одной из сторон"),
        "other": _("прочее"),
    }
    constitution = stacks.protocol().constitution
    reason = constitution.not_measured.get(side) or constitution.not_applicable.get(side)
    return words.get(side) or (in_language(reason) if reason else side)
