"""Small pieces of HTML for review's pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import people
from review.words import condition_label, figure_reason, in_language, skip_label

register = template.Library()
# Conditions of the rule that count things.
COUNTED = frozenset({"answers", "tasks", "experts", "distinct_grades", "distinct_steps", "disputed"})

register.filter("in_language", in_language)
register.filter("condition_label", condition_label)
register.filter("skip_label", skip_label)


@register.filter
def has_role(user: Any, role: str) -> bool:
    return people.has_role(user, role)


@register.filter
def item(mapping: Any, key: Any) -> Any:
    """`mapping[key]`, None where it has none."""
    return mapping.get(key) if isinstance(mapping, Mapping) else None


@register.filter
def num(value: Any, digits: int = 2) -> str:
    """A decimal point in both languages; a dash where there is no number."""
    return "—" if value is None else f"{float(value):.{digits}f}"


@register.filter
def condition_value(value: Any, key: str) -> str:
    """A condition's figure or bound: what is counted has no places after the point."""
    return num(value, 0 if key in COUNTED else 2)


@register.filter
def short(value: Any) -> str:
    """A table's cell: weights without needless zeros."""
    return "" if not value else f"{float(value):.1f}".rstrip("0").rstrip(".")


@register.filter
def percent(value: Any) -> str:
    return "—" if value is None else f"{100 * float(value):.0f}\u00a0%"


@register.filter
def width(value: Any) -> str:
    """A share as a CSS length."""
    return f"{100 * float(value):.1f}%"


@register.simple_tag
def figure(value: Mapping[str, Any] | None, kind: str = "") -> SafeString:
    """`0.74` with `0.61…0.85` beside it; a figure that does not exist says why, in words."""
    if not value or value.get("value") is None:
        return format_html('<span class="undefined">{}</span>', figure_reason((value or {}).get("reason", "no_data")))
    show = percent if kind == "share" else num
    text = format_html('<span class="v">{}</span>', f"{value['value']:+.2f}" if kind == "signed" else show(value["value"]))
    if value.get("low") is None:
        return text
    return format_html('{} <span class="ci">{}…{}</span>', text, show(value["low"]), show(value["high"]))


@register.simple_tag
def share_of(value: Any, table: Any) -> str:
    """A cell's weight as a share of the largest one, for its tint."""
    most = max((cell for row in table for cell in row), default=0)
    return f"{100 * float(value) / most:.0f}%" if most else "0%"


@register.simple_tag
def language() -> str:
    return (get_language() or "ru").split("-")[0]


@register.filter
def yes_no(value: bool) -> str:
    return _("да") if value else _("нет")
