"""Figures for plotly as plain data. Colours are names (`@accent`) that the page's script replaces by those of its theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leaderboard.ranking import Figure

Chart = dict[str, Any]
# Plotly's own extras are left out of every chart.
BARE = {"showlegend": False, "hovermode": "closest"}


def radar(series: Sequence[tuple[str, str, Sequence[float | None]]], axes: Sequence[str], top: float) -> Chart:
    """Vectors as polygons: (name, colour, values by axis); an axis without a value breaks the line."""
    traces = []
    for name, colour, values in series:
        traces.append(
            {
                "type": "scatterpolar",
                "name": name,
                "r": [*values, values[0]],
                "theta": [*axes, axes[0]],
                "mode": "lines+markers",
                "fill": "toself" if None not in values else "none",
                "line": {"color": colour, "width": 2},
                "marker": {"color": colour, "size": 7},
                "opacity": 0.9,
                "hovertemplate": "%{theta}: %{r:.1f}<extra>%{fullData.name}</extra>",
            }
        )
    layout = {
        **BARE,
        "showlegend": len(traces) > 1,
        "polar": {"radialaxis": {"range": [0, top], "tickvals": [0, top / 2, top]}, "angularaxis": {"rotation": 90, "direction": "clockwise"}},
        "height": 320,
        "margin": {"l": 60, "r": 60, "t": 30, "b": 30},
    }
    return {"data": traces, "layout": layout}


def forest(rows: Sequence[tuple[str, Figure, str]], title: str, top: float) -> Chart:
    """Means with intervals, one line per network, the first on top: (name, figure, colour)."""
    known = [(name, figure, colour) for name, figure, colour in rows if figure.value is not None][::-1]
    values = [figure.value for _, figure, _ in known]
    high = [figure.interval.high - (figure.value or 0) if figure.interval else 0 for _, figure, _ in known]
    low = [(figure.value or 0) - figure.interval.low if figure.interval else 0 for _, figure, _ in known]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": [name for name, _, _ in known],
        "marker": {"color": [colour for _, _, colour in known], "size": 8},
        "error_x": {"type": "data", "symmetric": False, "array": high, "arrayminus": low, "color": "@muted", "thickness": 1.5, "width": 3},
        "hovertemplate": "%{y}: %{x:.2f}<extra></extra>",
    }
    layout = {
        **BARE,
        "height": max(180, 60 + 22 * len(known)),
        "xaxis": {"title": {"text": title}, "range": [0, top * 1.02]},
        "yaxis": {"automargin": True, "tickfont": {"size": 12}},
        "margin": {"l": 10, "r": 20, "t": 10, "b": 45},
    }
    return {"data": [trace], "layout": layout}


def growth(sizes: Sequence[int], counts: Sequence[int | None], optimum: float, names: tuple[str, str], titles: tuple[str, str]) -> Chart:
    """Work by size on logarithmic axes, with the optimal growth through the first point. `names`: measured, optimum."""
    known = [(size, count) for size, count in zip(sizes, counts, strict=True) if count]
    traces = [_line(names[0], "@accent", [size for size, _ in known], [count for _, count in known], "solid")]
    if known:
        first_size, first = known[0]
        best = [first * (size / first_size) ** optimum for size in sizes]
        traces.append(_line(names[1], "@good", list(sizes), best, "dash"))
    layout = {
        **BARE,
        "showlegend": True,
        "height": 320,
        "legend": {"orientation": "h", "y": 1.12},
        "xaxis": {"type": "log", "title": {"text": titles[0]}, "tickvals": list(sizes), "ticktext": [str(size) for size in sizes]},
        "yaxis": {"type": "log", "title": {"text": titles[1]}, "rangemode": "tozero"},
        "margin": {"l": 70, "r": 20, "t": 30, "b": 50},
    }
    return {"data": traces, "layout": layout}


def _line(name: str, colour: str, x: Sequence[float], y: Sequence[float], dash: str) -> Chart:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": list(x),
        "y": list(y),
        "line": {"color": colour, "width": 2, "dash": dash},
        "marker": {"size": 7, "color": colour, "symbol": "circle" if dash == "solid" else "circle-open"},
        "hovertemplate": "%{x}: %{y:,.0f}<extra>" + name + "</extra>",
    }


def _across(known: Sequence[tuple[str, float]]) -> dict[str, Any]:
    return {"type": "bar", "orientation": "h", "x": [value for _, value in known], "y": [name for name, _ in known]}


def bars(rows: Sequence[tuple[str, float | None]], colour: str, top: float) -> Chart:
    """Horizontal bars, the first on top."""
    known = [(name, value) for name, value in rows if value is not None][::-1]
    trace = {
        **_across(known),
        "marker": {"color": colour},
        "text": [f"{value:.1f}" for _, value in known],
        "textposition": "auto",
        "hovertemplate": "%{y}: %{x:.2f}<extra></extra>",
    }
    layout = {
        **BARE,
        "height": max(160, 50 + 24 * len(known)),
        "xaxis": {"range": [0, top]},
        "yaxis": {"automargin": True},
        "margin": {"l": 10, "r": 20, "t": 10, "b": 30},
    }
    return {"data": [trace], "layout": layout}


def differences(rows: Sequence[tuple[str, float | None]], title: str, top: float) -> Chart:
    """Task by task: bars to the right for the first network, to the left for the second."""
    known = [(name, value) for name, value in rows if value is not None][::-1]
    trace = {
        **_across(known),
        "marker": {"color": ["@accent" if value >= 0 else "@second" for _, value in known]},
        "hovertemplate": "%{y}: %{x:+.1f}<extra></extra>",
    }
    layout = {
        **BARE,
        "height": max(160, 70 + 22 * len(known)),
        "xaxis": {"range": [-top, top], "title": {"text": title}, "zeroline": True},
        "yaxis": {"automargin": True},
        "margin": {"l": 10, "r": 20, "t": 10, "b": 50},
    }
    return {"data": [trace], "layout": layout}


def frontier(points: Sequence[tuple[str, float, float, bool]], titles: tuple[str, str], top: float) -> Chart:
    """Quality against cost on a logarithmic axis: (name, cost, quality, on the frontier); the frontier is joined by a line."""
    best = sorted((cost, quality) for _, cost, quality, leads in points if leads)
    line = {
        "type": "scatter",
        "mode": "lines",
        "x": [cost for cost, _ in best],
        "y": [quality for _, quality in best],
        "line": {"color": "@accent", "width": 1.5, "shape": "hv", "dash": "dot"},
        "hoverinfo": "skip",
    }
    dots = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [cost for _, cost, _, _ in points],
        "y": [quality for _, _, quality, _ in points],
        "text": [name if leads else "" for name, _, _, leads in points],
        "textposition": "top center",
        "textfont": {"size": 11},
        "customdata": [name for name, _, _, _ in points],
        "marker": {"size": 9, "color": ["@accent" if leads else "@muted" for _, _, _, leads in points]},
        "hovertemplate": "%{customdata}: %{y:.2f}, %{x}<extra></extra>",
    }
    layout = {
        **BARE,
        "height": 420,
        "xaxis": {"type": "log", "title": {"text": titles[0]}, "exponentformat": "none"},
        "yaxis": {"title": {"text": titles[1]}, "range": [0, top * 1.08]},
        "margin": {"l": 60, "r": 20, "t": 20, "b": 55},
    }
    return {"data": [line, dots], "layout": layout}
