"""Halves of surrogate pairs and NUL in what candidates return, raise, print and write: stored plainly, breaking nothing."""

from __future__ import annotations

import json
import re

import pytest

from scoring.evidence import CandidateFailed, ErrorFact, Evidence, Observed, TestFacts, TestOutcome, from_data, to_data
from scoring.plain import plain_data, plain_text, spreadsheet_cell, whole_number
from scoring.results import parse_experiment

ODD = "\ud83d\0x\ud83d\ude00"
PLAIN = "\ufffd\ufffdx\U0001f600"


@pytest.mark.parametrize(("text", "wanted"), [("абв", "абв"), (ODD, PLAIN), ("\ude00\ud83d", "\ufffd\ufffd"), ("\U0001f600", "\U0001f600")])
def test_a_text_becomes_one_that_any_database_takes(text: str, wanted: str):
    assert plain_text(text) == wanted
    plain_text(text).encode("utf-8")


def test_data_become_plain_to_the_last_text_and_nothing_else_changes():
    assert plain_data({ODD: [ODD, 1, None, True, {"k": ODD}]}) == {PLAIN: [PLAIN, 1, None, True, {"k": PLAIN}]}


def test_evidence_stays_evidence():
    outcome = TestOutcome(0, "", "raised", actual=ODD, error=ErrorFact("raised", ODD))
    given = Evidence(CandidateFailed("does_not_compile", ODD), Observed(TestFacts("Ф", (outcome,), 1, None, ODD)))
    read = from_data(json.loads(json.dumps(plain_data(to_data(given)))))
    assert read.syntax.message == PLAIN
    assert read.tests.facts.outcomes[0].error.message == PLAIN


def test_an_answer_in_a_file_is_read_plainly():
    run = {"run_index": 0, "response": ODD, "success": True}
    cell = {"task_id": "T", "model_id": "m", "model_name": "M", "runs": [run]}
    data = {"experiment_name": "x", "category": "A", "timestamp": "2026-01-01T00:00:00", "models_used": ["M"], "task_results": [cell]}
    assert parse_experiment(data, "e.json").cells[0].runs[0].response == PLAIN


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("9" * 18, 10**18 - 1), ("9" * 19, None), ("9" * 5000, None)] + [(odd, None) for odd in ("", None, "²", "٣", "-1", "1.0", "\0", " 1")],
)
def test_a_number_is_read_out_of_plain_digits_alone(text: str | None, number: int | None):
    assert whole_number(text) == number


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", " =", "\u00a0="])
@pytest.mark.parametrize("before", ["", "x;", "x\n", "x\r\n", "x\t", "x; "])
def test_no_cell_of_any_spreadsheet_starts_a_formula(before: str, start: str):
    """However the line is parted: by commas with their quotes, or by semicolons or tabs that know nothing of those."""
    line = f'1,"{spreadsheet_cell(f"{before}{start}cmd|calc!A0")}",2'
    cells = [cell.strip(" \u00a0") for cell in re.split("[;\t\r\n]", line)]
    cells.append(spreadsheet_cell(f"{before}{start}cmd|calc!A0").strip(" \u00a0"))
    assert not [cell for cell in cells if cell[:1] in set("=+-@＝＋－＠")]


@pytest.mark.parametrize("value", ["GPT-4 (a=b)", "x;y", "a@b", "", 0, -1.5, True, "строка\nещё"])
def test_what_is_no_formula_stays_as_it_is(value: object):
    assert spreadsheet_cell(value) == value
