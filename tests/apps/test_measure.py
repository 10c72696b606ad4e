"""The figures' script: a lost figure fails, a time never does, and the tables say what was not measured."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def script(name):
    import sys

    spec = importlib.util.spec_from_file_location(f"{name}_script", ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def measure():
    return script("measure")


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


# -- benchmarks --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def benchmarks():
    return script("benchmarks")


def test_every_target_of_a_benchmark_names_one_that_is_run_and_a_figure_that_it_kept(benchmarks, measure):
    found = measure.Measurement()
    kept = measure.kept_benchmarks()
    measure.add_benchmarks(found, kept)
    named = [figure for target in json.loads(measure.TARGETS.read_text("utf-8")) for figure in target["figures"] if figure.startswith("bench.")]
    assert {figure.split(".")[1] for figure in named} == set(benchmarks.COMMANDS)
    assert [figure for figure in named if figure.split(".")[1] in kept and figure not in found.times] == []
    assert all(target["unit"] in measure.UNITS for target in json.loads(measure.TARGETS.read_text("utf-8")))


def test_numbers_of_a_nested_report_become_dotted_figures_and_texts_none(benchmarks):
    report = {"rows": 10, "cases": {"one": {"ratio": 1.5, "name": "x"}}, "list": [1], "fine": True}
    assert dict(benchmarks.flat(report)) == {"rows": 10.0, "cases.one.ratio": 1.5}


def test_the_bank_is_counted(benchmarks):
    reports = {"a": {"publishable": True, "strength": {"value": 0.9}}, "b": {"publishable": False, "strength": {"value": 0.5}}, "c": {"publishable": True, "strength": None}}
    assert benchmarks.bank(reports) == {"tasks": 3, "publishable_share": 2 / 3, "median_strength": 0.7, "least_strength": 0.5}


def test_a_benchmark_that_breaks_keeps_nothing(benchmarks, monkeypatch, tmp_path):
    kept = tmp_path / "benchmarks.json"
    monkeypatch.setattr(benchmarks, "KEPT", kept)
    monkeypatch.setattr(benchmarks, "COMMANDS", {"fine": ("-c", "import sys; open(sys.argv[-1], 'w').write('{\"n\": 1}')"), "bad": ("-c", "raise SystemExit(3)")})
    assert benchmarks.keep("fine") and not benchmarks.keep("bad")
    assert list(json.loads(kept.read_text("utf-8"))) == ["fine"]


def test_figures_of_benchmarks_are_shown_in_their_units(measure):
    found = measure.Measurement()
    measure.add_benchmarks(found, {"b": {"figures": {"x": 2.966, "y": 0.021, "n": 3.0, "m": 0.0}}})
    shown = {unit: measure.shown({"figures": figures, "unit": unit}, found) for unit, figures in {
        "×": ["bench.b.x", "bench.b.y"], "% at most": ["bench.b.y"], "sum": ["bench.b.n", "bench.b.m"], "s": ["bench.b.x"],
    }.items()}  # fmt: skip
    assert shown == {"×": "2.97×", "% at most": "2.1 %", "sum": "3", "s": "3.0 s"}
