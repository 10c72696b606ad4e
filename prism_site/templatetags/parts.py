"""Pieces of pages that several apps show alike: figures and coloured code."""

from __future__ import annotations

import json
from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from scoring.highlight import Piece

register = template.Library()
# Data stand inside a script element: nothing in them may end it.
_SCRIPT_ESCAPES = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}


@register.simple_tag
def chart(name: str, data: dict[str, Any], label: str) -> SafeString:
    """A place for a figure with its data; the site's script draws it. `label` is what a screen reader says."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, default=float).translate(_SCRIPT_ESCAPES)
    height = int(data["layout"].get("height", 300))
    return format_html(
        '<div class="chart" id="{}" role="img" aria-label="{}" style="min-height:{}px" data-chart="{}-data"></div>'
        '<script type="application/json" id="{}-data">{}</script>',
        name, label, height, name, name, mark_safe(text),
    )  # fmt: skip


@register.simple_tag
def code_pieces(pieces: list[Piece]) -> SafeString:
    """A line of code in colours."""
    return format_html_join(
        "", "{}", ((format_html('<span class="k-{}">{}</span>', p.kind, p.text) if p.kind else conditional_escape(p.text),) for p in pieces)
    )
