"""Small pieces of HTML that tables are made of. Built here and not in templates where a page has hundreds of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from leaderboard import labels, rows
from leaderboard.answers import AxisView
from leaderboard.queries import Cell
from leaderboard.ranking import Paired
from scoring.evidence import TestOutcome

register = template.Library()


def plain(value: float | str | None, digits: int = 2) -> str:
    """A decimal point in both languages, as the method writes its numbers; N/A where there is none."""
    return "N/A" if value is None or value == "" else f"{value:.{digits}f}"


def percent(value: float | str | None, digits: int = 0) -> str:
    return "N/A" if value is None or value == "" else f"{100 * value:.{digits}f}\u00a0%"


register.simple_tag(rows.board_rows)
register.simple_tag(rows.summary_rows)
register.filter("num", plain)
register.filter("percent", percent)
register.filter("stage_label", labels.stage_label)
register.filter("cause_label", labels.cause_label)
register.filter("status_label", labels.status_label)
register.filter("column_title", labels.column_title)
register.filter("column_short", labels.column_short)
register.filter("category_name", labels.category_name)
register.filter("reading", labels.reading)
register.filter("reading_label", labels.reading_label)
register.filter("in_language", labels.in_language)
register.filter("tag_label", labels.tag_label)
register.filter("question_title", labels.question_title)
register.filter("question_short", labels.question_short)
register.filter("kind_words", labels.kind_words)


@register.filter
def exact(value: Any) -> str:
    """A number of the protocol as it stands there; whole ones in groups of three."""
    return f"{value:,}".replace(",", "\u202f") if isinstance(value, int) else str(value)


@register.filter
def amount(value: float | None) -> str:
    """Money: three significant digits, never in powers of ten."""
    if value is None:
        return "N/A"
    return f"{value:.{max(2, 2 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


@register.filter
def item(mapping: Any, key: Any) -> Any:
    """`mapping[key]`, None where it has none."""
    return mapping.get(key) if mapping else None


@register.simple_tag
def axis_cell(cell: Cell | None, axis: str) -> SafeString:
    """One answer's value on an axis, or why it has none."""
    if cell is not None and cell.state == "withheld":
        return format_html('<td class="fig na"><abbr title="{}">{}</abbr></td>', _("идёт экспертная оценка"), "•••")
    if cell is None or not cell.scored:
        return format_html('<td class="fig na">{}</td>', "—")
    value = cell.values.get(axis)
    if value is None:
        why = labels.reason(cell.reasons.get(axis, ""), cell.states.get(axis, "")) if axis in cell.states else _("не измерено")
        return format_html('<td class="fig na"><abbr title="{}">N/A</abbr></td>', why)
    digits = 2 if axis == "Q" else 1
    return format_html('<td class="fig l{}{}">{}</td>', level(value), " q" if axis == "Q" else "", plain(value, digits))


def level(value: float) -> str:
    """A tint's name: 0, 1, 2 … 5 as the six steps of the scale."""
    return str(round(value / 2))


register.filter("level", level)


@register.simple_tag
def paired_text(found: Paired, column: str) -> SafeString:
    """A paired difference with its interval; decided ones stand out."""
    if found.difference is None:
        return format_html('<abbr class="na" title="{}">N/A</abbr>', _("нет общих измеренных задач"))
    factor, digits = (100, 0) if column == "solved" else (1, 2)
    interval = ""
    if found.interval:
        interval = format_html(
            ' <span class="ci">{}…{}</span>', f"{factor * found.interval.low:+.{digits}f}", f"{factor * found.interval.high:+.{digits}f}"
        )
    tone = "decided" if found.decided else "open"
    return format_html('<span class="v {}">{}</span>{}', tone, f"{factor * found.difference:+.{digits}f}", interval)


@register.filter
def signed(value: float | None, digits: int = 1) -> str:
    """`+1.5`, `-0.3`, `0.0`."""
    return "N/A" if value is None else f"{value:+.{digits}f}" if abs(value) >= 0.05 else f"{0:.{digits}f}"


@register.filter
def values(value: Any) -> str:
    """The allowed values of a parameter, or its type."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


@register.filter
def control_name(file: str) -> str:
    """`submissions/wrong_answer/ends_swapped.bsl` → `ends_swapped`."""
    return file.rpartition("/")[2].removesuffix(".bsl")


@register.simple_tag
def outcome_text(cell: Cell) -> SafeString:
    """Where an attempt ended, in words."""
    if cell.state == "withheld":
        return format_html('<span class="badge">{}</span>', _("идёт экспертная оценка"))
    if cell.state == "truncated" or (cell.state == "unmeasured" and cell.status != "answered"):
        return format_html('<span class="badge warn">{}</span>', labels.status_label(cell.status))
    if cell.state == "pending":
        return format_html('<span class="badge">{}</span>', _("ожидается"))
    if cell.solved:
        return format_html('<span class="badge good">{}</span>', labels.stage_label("solved"))
    if not cell.stage or cell.stage == "unknown":
        return format_html('<span class="badge warn">{}</span>', _("не решено") if cell.values.get("M") is not None else _("не измерено"))
    return format_html('<span class="badge bad">{}</span> <span class="small muted">{}</span>', labels.stage_label(cell.stage), labels.cause_label(cell.cause))


VERDICT_TONES = {"passed": "good", "wrong": "bad", "raised": "bad", "not_run": "warn"}


@register.simple_tag
def verdict_text(outcome: TestOutcome) -> SafeString:
    """A hidden test's outcome."""
    words = {"passed": _("пройден"), "wrong": _("неверно"), "raised": _("исключение"), "not_run": _("не запускался")}
    return format_html('<span class="badge {}">{}</span>', VERDICT_TONES[outcome.verdict], words[outcome.verdict])


@register.simple_tag
def grounds_text(axis: AxisView) -> str:
    """The figures an axis's value came from, in words; what the axis counts where none are stored."""
    return grounds_words(axis.grounds) or axis.label.unit


@register.filter
def grounds_words(found: Mapping[str, Any]) -> str:
    """Stored grounds of an axis, in words."""
    if found.get("failure"):
        return labels.failure_words(str(found["failure"]))
    if "root_causes" in found:
        words = _("корневых причин ошибок: %(n)s") % {"n": found["root_causes"]}
        return words + (" · " + _("парные слова не сходятся") if found.get("unbalanced") else "")
    if "clean" in found:
        return _("без платформенной ошибки: %(clean)s из %(total)s") % {"clean": found["clean"], "total": found["total"]}
    if found.get("leg") == "growth":
        if found.get("time_out"):
            return _("бюджет исчерпан до последнего размера")
        return _("p = %(p)s, оптимум %(optimum)s") % {"p": found["exponent"], "optimum": found["optimum"]}
    if found.get("leg") == "static":
        return _("вес антипаттернов в тексте: %(weight)s") % {"weight": found["weight"]}
    if "passed" in found and "total" in found:
        return _("тестов пройдено: %(passed)s из %(total)s") % {"passed": found["passed"], "total": found["total"]}
    return ""
