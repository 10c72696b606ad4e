"""The record of an answer's making, as a part of its page."""

from __future__ import annotations

from typing import Any

from django import template

from leaderboard.answers import AnswerPage
from leaderboard.exchanges import make_exchange

register = template.Library()


@register.inclusion_tag("leaderboard/_exchange.html")
def exchange(page: AnswerPage) -> dict[str, Any]:
    """Nothing for private tasks, and for answers that are being graded blindly."""
    found = make_exchange(page.answer) if page.details else None
    return {"page": page, "answer": page.answer, "found": found}
