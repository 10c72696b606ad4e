"""Figures of a report for plotly, as plain values. Colours are names of the site's variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from review.tables import STEPS

KINDS = (("quadratic", "κ²"), ("linear", "κ¹"), ("plain", "κ"))
MARGIN = {"l": 56, "r": 12, "t": 10, "b": 48}
LABELS = [str(step) for step in STEPS]


def confusion(axis: Mapping[str, Any]) -> dict[str, Any]:
    """The 6 × 6 table as a heat map; rows are the experts' steps, 0 at the bottom, columns the machine's."""
    table = axis["table"]
    texts = [[f"{cell:.1f}".rstrip("0").rstrip(".") if cell else "" for cell in row] for row in table]
    trace = {
        "type": "heatmap", "z": table, "x": LABELS, "y": LABELS, "text": texts, "texttemplate": "%{text}", "showscale": False,
        "colorscale": [[0, "@surface"], [1, "@heat"]], "textfont": {"color": "@text"}, "xgap": 2, "ygap": 2, "hovertemplate": "%{x} / %{y}: %{z}<extra></extra>",
    }  # fmt: skip
    layout = {
        "height": 320, "margin": MARGIN,
        "xaxis": {"title": {"text": _("ступень машины")}, "type": "category", "showgrid": False},
        "yaxis": {"title": {"text": _("оценка эксперта")}, "type": "category", "showgrid": False},
    }  # fmt: skip
    return {"data": [trace], "layout": layout}


def marginals(axis: Mapping[str, Any]) -> dict[str, Any]:
    """How often each side uses each step."""
    bars = [(_("эксперты"), axis["expert_marginal"], "@accent"), (_("машина"), axis["machine_marginal"], "@second")]
    data = [{"type": "bar", "name": name, "x": LABELS, "y": values, "marker": {"color": colour}} for name, values, colour in bars]
    layout = {
        "height": 320, "margin": MARGIN, "barmode": "group", "legend": {"orientation": "h", "y": 1.12, "x": 0},
        "xaxis": {"type": "category", "title": {"text": _("ступень")}}, "yaxis": {"title": {"text": _("ответов")}},
    }  # fmt: skip
    return {"data": data, "layout": layout}


def intervals(axes: Sequence[Mapping[str, Any]], bounds: Sequence[float]) -> dict[str, Any] | None:
    """κ by axis with its interval, and the rule's bounds as lines; None where no axis has an interval to draw."""
    data = []
    for (kind, name), colour in zip(KINDS, ("@accent", "@second", "@muted"), strict=True):
        known = [axis for axis in axes if axis["kappa"][kind]["value"] is not None and axis["kappa"][kind]["low"] is not None]
        figures = [axis["kappa"][kind] for axis in known]
        data.append({
            "type": "scatter", "mode": "markers", "name": name, "x": [axis["axis"] for axis in known], "y": [f["value"] for f in figures],
            "marker": {"color": colour, "size": 9},
            "error_y": {
                "type": "data", "symmetric": False, "array": [max(0, f["high"] - f["value"]) for f in figures],
                "arrayminus": [max(0, f["value"] - f["low"]) for f in figures], "color": colour,
            },
        })  # fmt: skip
    if not any(trace["x"] for trace in data):
        return None
    lines = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": bound, "y1": bound, "line": {"color": "@good", "width": 1, "dash": "dot"}}
        for bound in bounds
    ]
    layout = {
        "height": 300, "margin": MARGIN, "scattermode": "group", "legend": {"orientation": "h", "y": 1.15, "x": 0}, "shapes": lines,
        "xaxis": {"type": "category"}, "yaxis": {"range": [-0.2, 1.05], "title": {"text": "κ"}},
    }  # fmt: skip
    return {"data": data, "layout": layout}
