"""``Формат``, ``СтрШаблон``, ``НСтр``, ``ЧислоПрописью``, ``ПредставлениеПериода``."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from scoring.engine.runtime.builtins.arguments import SHORT_TEXT, is_number, is_onec
from scoring.engine.runtime.builtins.formatting import templates, words  # noqa: F401  (they register)
from scoring.engine.runtime.builtins.formatting.cultures import INVARIANT, RUSSIAN, culture_of
from scoring.engine.runtime.builtins.formatting.date_format import format_date
from scoring.engine.runtime.builtins.formatting.format_string import parse_format
from scoring.engine.runtime.builtins.formatting.number_format import format_number
from scoring.engine.values.members import ONEC, ONESCRIPT, builtin
from scoring.engine.values.model import MISSING

# Steps of work a character of a long text or format string.
FORMAT_STEPS = 60


@builtin("Формат", "Format", dialects=(ONESCRIPT,))
def format_value(rt: Any, value: Any, pattern: Any) -> str:
    return format_by(rt, value, rt.text(pattern))


@builtin("Формат", "Format", dialects=(ONEC,))
def format_value_onec(rt: Any, value: Any, pattern: Any = MISSING) -> str:
    return format_by(rt, value, rt.text(pattern))


def format_by(rt: Any, value: Any, pattern: str) -> str:
    """The text of ``value`` by the format string ``pattern`` in the run's dialect."""
    text = _formatted(rt, value, pattern)
    if len(text) + len(pattern) > SHORT_TEXT:
        rt.work((len(text) + len(pattern)) * FORMAT_STEPS)
    return text


def _formatted(rt: Any, value: Any, pattern: str) -> str:
    onec = is_onec(rt)
    params = parse_format(pattern, not onec)
    culture = culture_of(params.get("л"), RUSSIAN if onec else INVARIANT)
    if type(value) is bool:
        chosen = params.get("би" if value else "бл")
        return rt.text(value) if chosen is None else chosen
    if is_number(value):
        return format_number(value, params, culture, onec=onec)
    if type(value) is datetime:
        return format_date(value, params, culture, onec=onec)
    return rt.text(value)
