"""Charts are sound figures of plotly, without NaN, and colours are names of the theme."""

from __future__ import annotations

import json
import re

import plotly.graph_objects as go
import pytest

from leaderboard import charts
from leaderboard.ranking import Figure, Interval

FIGURES = {
    "radar": charts.radar([("Сеть", "@accent", [10.0, 5.0, None]), ("Вторая", "@second", [1.0, 2.0, 3.0])], ["S", "M", "O"], 10),
    "forest": charts.forest([("А", Figure(5.0, Interval(4.0, 6.0), 8), "@accent"), ("Б", Figure(None, None, 0), "@muted")], "M", 10),
    "growth": charts.growth((10, 20, 40), (10, 40, None), 1.0, ("измерено", "оптимум"), ("размер", "операций")),
    "bars": charts.bars([("строки", 7.5), ("даты", None)], "@accent", 10),
    "differences": charts.differences([("A1", 1.5), ("A2", -2.0), ("A3", None)], "ΔM", 10),
    "empty": charts.forest([], "M", 10),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_sound(name):
    text = json.dumps(FIGURES[name], allow_nan=False)
    assert not re.search(r'"#[0-9a-f]{3,6}"', text)
    plain = json.loads(re.sub(r'"@\w+"', '"#123456"', text))
    go.Figure(plain)


def test_the_optimum_goes_through_the_first_point():
    found = charts.growth((10, 20, 40), (100, 150, 300), 2.0, ("a", "b"), ("x", "y"))
    assert found["data"][1]["y"] == [100, 400, 1600]


def test_the_first_row_is_on_top_and_intervals_are_distances():
    found = charts.forest([("первая", Figure(5.0, Interval(4.0, 7.0), 8), "@accent"), ("вторая", Figure(3.0, None, 2), "@accent")], "M", 10)
    trace = found["data"][0]
    assert trace["y"] == ["вторая", "первая"]
    assert trace["error_x"]["array"] == [0, 2.0] and trace["error_x"]["arrayminus"] == [0, 1.0]
