"""Small pieces of text for the pages about runs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.models import AnswerStatus, RunState
from scoring.services.generation import Progress

register = template.Library()
TONES = {
    AnswerStatus.ANSWERED: "good", AnswerStatus.FAILED: "bad", AnswerStatus.TRUNCATED: "warn", AnswerStatus.REFUSED: "warn",
    AnswerStatus.EMPTY: "warn", AnswerStatus.TOOL_LOOP: "warn",
}  # fmt: skip
STATE_TONES = {RunState.RUNNING: "warn", RunState.DONE: "good", RunState.FAILED: "bad"}
# Cells in the order of the bar: what came in, what went wrong, what is still to come.
ORDER = [*(status for status in AnswerStatus.values if status != AnswerStatus.PLANNED), AnswerStatus.PLANNED.value]


@register.filter
def money(value: Any, currency: str = "") -> str:
    """`12.30 USD`, `0.0042 USD` (answers cost little); N/A for what nobody knows."""
    if value is None:
        return "N/A"
    amount = Decimal(str(value))
    text = f"{amount:.2f}" if amount >= 1 or amount == 0 else f"{amount:.4f}"
    return f"{text}\u00a0{currency}" if currency else text


@register.filter
def left(seconds: float | None) -> str:
    """A time in words a person reckons in: `~40 s`, `~12 min`, `~3.5 h`."""
    if seconds is None:
        return "—"
    if seconds < 90:
        return _("~%(n)s с") % {"n": round(seconds)}
    if seconds < 5400:
        return _("~%(n)s мин") % {"n": round(seconds / 60)}
    return _("~%(n)s ч") % {"n": f"{seconds / 3600:.1f}"}


@register.filter
def status_badge(status: str) -> SafeString:
    return format_html('<span class="badge {}">{}</span>', TONES.get(AnswerStatus(status), ""), AnswerStatus(status).label)


@register.filter
def state_badge(state: str) -> SafeString:
    words = _("выполняется") if state == RunState.RUNNING else RunState(state).label
    return format_html('<span class="badge {}">{}</span>', STATE_TONES.get(RunState(state), ""), words)


@register.simple_tag
def states_bar(progress: Progress) -> SafeString:
    """Cells by state as one bar; the words stand beside it."""
    parts = [(status, progress.states.get(status, 0)) for status in ORDER]
    return format_html(
        '<span class="states" aria-hidden="true">{}</span>',
        format_html_join("", '<i class="st-{}" style="width:{}%"></i>', ((s, f"{100 * n / max(1, progress.total):.2f}") for s, n in parts if n)),
    )


@register.simple_tag
def states_words(progress: Progress) -> SafeString:
    """Every state that has cells, with its number; none is left out."""
    rows = ((status_badge(status), progress.states[status]) for status in ORDER if progress.states.get(status))
    return format_html_join(" ", '<span class="nowrap">{} <b>{}</b></span>', rows)


@register.filter
def percent_of(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "0"
