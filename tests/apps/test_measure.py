"""The figures' script: a lost figure fails, a time never does, and the tables say what was not measured."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def measure():
    import sys

    spec = importlib.util.spec_from_file_location("measure_script", ROOT / "scripts" / "measure.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("recorded", "found", "code"),
    [
        ({"a": 0.98}, {"a": 0.98}, 0),
        ({"a": 0.98}, {"a": 0.99}, 0),
        ({"a": 0.98}, {"a": 0.9799}, 1),
        ({"a": 0.98}, {}, 1),
        ({}, {"a": 0.1}, 0),
        ({"a": 0.98764}, {"a": 0.9876}, 0),
    ],
)
def test_a_recorded_figure_must_not_be_lost(measure, recorded, found, code):
    assert measure.report_losses(recorded, found) == code


def test_reports_become_figures_and_times(measure):
    found = measure.Measurement()
    report = {"S": {"n": 4, "equal": 3, "share": 0.75}, "P": {"n": 0, "equal": 0, "share": None}, "kendall_q": 0.9, "wall_s": 3.5}
    measure.add_fidelity(found, "A", report)
    measure.add_conformance(found, {"files": {"x": {"equal_share": 1.0, "message_share": None, "line_share": 0.5}}})
    assert found.figures == {
        "fidelity.A.S": 0.75,
        "fidelity.A.kendall_q": 0.9,
        "conformance.x.equal": 1.0,
        "conformance.x.line": 0.5,
    }
    assert found.times == {"fidelity.A.wall_s": 3.5}


def test_the_table_shows_the_worst_of_its_figures_and_a_dash_for_none(measure):
    targets = json.loads((ROOT / ".ci" / "targets.json").read_text("utf-8"))
    found = measure.Measurement({"fidelity.A.M": 0.98765}, {"fidelity.A.wall_s": 10.0, "fidelity.B.wall_s": 21.4})
    table = measure.table(targets, found, "ru")
    assert "| 98.8 % | ≥ 98.5 %" in table and "| 31 s | ≤ 60 s" in table and "| — | ≥ 97 %" in table
    assert len(table.splitlines()) == len(targets) + 4


def test_both_readmes_have_a_place_for_the_table(measure):
    for path in measure.READMES.values():
        text = path.read_text("utf-8")
        assert text.count(measure.BEGIN) == text.count(measure.END) == 1
