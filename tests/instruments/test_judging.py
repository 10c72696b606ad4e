"""The host's verdict of a test, from data and from a test module's report."""

from __future__ import annotations

import pytest

from scoring.bundles.model import TestCase
from scoring.evidence import ErrorFact
from scoring.instruments.judging import RawOutcome, judge, judge_all, read_report

ONE = ["n", "1"]
# An object whose text says nothing of what it holds, a value too large to travel, and one that is what its text says.
LIST = ["o", "СписокЗначений", "СписокЗначений"]
OVERSIZE = ["o", "слишком большое значение", ""]
TYPE = ["o", "Тип", "Число"]


def case(**fields: object) -> TestCase:
    return TestCase(index=0, name="", args=(), **fields)


@pytest.mark.parametrize(
    ("test", "raw", "verdict"),
    [
        (case(expected=ONE, has_expected=True), RawOutcome(result=ONE), "passed"),
        (case(expected=ONE, has_expected=True), RawOutcome(result="1"), "wrong"),
        (case(expected=None, has_expected=True), RawOutcome(result=None), "passed"),
        (case(expected=ONE, has_expected=True), RawOutcome(error=ErrorFact("index", "x")), "raised"),
        (case(expected=["e", "1"], has_expected=True), RawOutcome(result=ONE, expected=ONE), "passed"),
        (case(expected=["e", "1"], has_expected=True), RawOutcome(result=["e", "1"], expected=ONE), "wrong"),
        (case(expected=["e", "Ф()"]), RawOutcome(result=LIST, expected=LIST), "wrong"),
        (case(expected=["e", "Ф()"]), RawOutcome(result=OVERSIZE, expected=OVERSIZE), "wrong"),
        (case(expected=["e", "Ф()"]), RawOutcome(result=TYPE, expected=TYPE), "passed"),
        (case(check="Истина"), RawOutcome(result=ONE, check=True), "passed"),
        (case(check="Ложь"), RawOutcome(result=ONE, check=False, note="x"), "wrong"),
        (case(check="Ложь"), RawOutcome(result=ONE), "wrong"),
        (case(raises="мало"), RawOutcome(error=ErrorFact("raised", "слишком мало")), "passed"),
        (case(raises="мало"), RawOutcome(error=ErrorFact("raised", "много")), "raised"),
        (case(raises="мало"), RawOutcome(result="мало"), "wrong"),
    ],
)
def test_the_verdict_of_a_test(test: TestCase, raw: RawOutcome, verdict: str):
    assert judge(test, raw).verdict == verdict


def test_cases_beyond_the_last_outcome_were_not_run():
    cases = [case(expected=ONE, has_expected=True)] * 3
    assert [outcome.verdict for outcome in judge_all(cases, [RawOutcome(result=ONE)])] == ["passed", "not_run", "not_run"]


@pytest.mark.parametrize(
    ("report", "verdicts"),
    [
        ("PASSED=2;TOTAL=2;", ["passed", "passed"]),
        ("PASSED=1;TOTAL=2;тест1 FAIL (ожидалось 1, получено 2);", ["wrong", "passed"]),
        ("PASSED=1;TOTAL=3;тест2 ИСКЛЮЧЕНИЕ: Поле не найдено; тест3 FAIL;", ["passed", "raised", "wrong"]),
        ("PASSED=1;TOTAL=3;", ["passed", "wrong", "wrong"]),
        ("PASSED=2;TOTAL=3;тест1 FAIL;тест2 FAIL;", ["wrong", "passed", "passed"]),
        ("PASSED=3;TOTAL=3;тест1 FAIL;", ["passed"] * 3),
    ],
)
def test_a_test_modules_report(report: str, verdicts: list[str]):
    assert [outcome.verdict for outcome in read_report(report)] == verdicts


@pytest.mark.parametrize("report", ["", "PASSED=3;TOTAL=2;", "PASSED=0;TOTAL=0;", "x PASSED=1;TOTAL=1;", "PASSED=-1;TOTAL=1;"])
def test_what_is_no_report_is_the_tasks_fault(report: str):
    with pytest.raises(ValueError):
        read_report(report)
