"""The axes against the published tables: every bound from both sides."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from scoring.axes.meaning import score_meaning
from scoring.axes.optimization import exponent, gate, score_optimization
from scoring.axes.platform import invented, is_platform_error, score_platform
from scoring.axes.steps import in_band, project
from scoring.axes.syntax import clusters, score_syntax
from scoring.evidence import (
    CandidateFailed,
    ErrorFact,
    GrowthFacts,
    InstrumentFailed,
    Observed,
    PairCount,
    Place,
    StaticFacts,
    StaticFinding,
    SyntaxFacts,
    SyntaxFinding,
    TestFacts,
    TestOutcome,
)  # fmt: skip
from scoring.protocol import load_protocol
from scoring.scorecard import NotApplicable, NotMeasured, Scored, quality, rounded

PROTOCOL = load_protocol()
SOLVED = Scored(Decimal("10.0"), 10, {"passed": 4, "total": 4})


def syntax(*lines: int, blockers: tuple[int, ...] = (), balance: tuple[PairCount, ...] = ()) -> Observed[SyntaxFacts]:
    errors = tuple(SyntaxFinding("parse_error", "", Place(line)) for line in lines)
    stops = tuple(SyntaxFinding("ProcedureReturnsValue", "", Place(line)) for line in blockers)
    return Observed(SyntaxFacts(errors, stops, balance))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), ()),
        ((5,), ((5,),)),
        ((5, 8, 11), ((5, 8, 11),)),
        ((5, 9), ((5,), (9,))),
        ((9, 5, 5, 6), ((5, 6, 9),)),
        ((1, 4, 8, 20, 23, 27), ((1, 4), (8,), (20, 23), (27,))),
    ],
)
def test_errors_at_most_three_lines_apart_are_one_cluster(lines, expected):
    assert clusters(lines, PROTOCOL.syntax.cluster_gap) == expected


@pytest.mark.parametrize(
    ("causes", "score"), [(0, 10), (1, 8), (2, 6), (3, 6), (4, 4), (5, 4), (6, 4), (7, 2), (40, 2)]
)
def test_root_causes_give_the_published_steps(causes, score):
    result = score_syntax(syntax(*range(1, 1 + causes * 10, 10)), PROTOCOL, "A")
    assert (result.value, result.grounds["root_causes"]) == (score, causes)


def test_each_blocker_is_a_cause_of_its_own():
    assert score_syntax(syntax(7, blockers=(7, 8)), PROTOCOL, "A").grounds["root_causes"] == 3


def test_odd_pairs_score_zero_in_a_and_are_the_compilers_business_in_b():
    evidence = syntax(balance=(PairCount("loop", 2, 1), PairCount("if", 1, 1)))
    assert score_syntax(evidence, PROTOCOL, "A").value == 0
    assert score_syntax(evidence, PROTOCOL, "B").value == 10


def outcome(index: int, verdict: str, message: str = "", wants_error: bool = False) -> TestOutcome:
    error = ErrorFact("x", message) if message else None
    return TestOutcome(index, "", verdict, error=error, wants_error=wants_error)


def ran_tests(*verdicts: str, stopped: CandidateFailed | None = None) -> Observed[TestFacts]:
    return Observed(TestFacts("Ф", tuple(outcome(i, v) for i, v in enumerate(verdicts)), stopped=stopped))


@pytest.mark.parametrize(
    ("passed", "total", "value", "step"),
    [(4, 5, "8.0", 6), (0, 3, "0.0", 0), (1, 12, "0.8", 2), (5, 8, "6.3", 6), (1, 2, "5.0", 4), (3, 3, "10.0", 10),
     (17, 20, "8.5", 8), (59, 100, "5.9", 4), (2, 3, "6.7", 6), (1, 3, "3.3", 2)],
)  # fmt: skip
def test_meaning_is_the_share_of_tests_passed(passed, total, value, step):
    result = score_meaning(ran_tests(*["passed"] * passed, *["wrong"] * (total - passed)), PROTOCOL)
    assert (result.value, result.step) == (Decimal(value), step)


@pytest.mark.parametrize("kind", ["does_not_compile", "no_entry_point", "empty", "limit_operations"])
def test_the_candidates_failure_is_zero_and_the_instruments_is_no_number(kind):
    assert score_meaning(CandidateFailed(kind), PROTOCOL).value == 0
    assert score_platform(CandidateFailed(kind), PROTOCOL, "B").value == 0
    assert score_meaning(InstrumentFailed("clock"), PROTOCOL) == NotMeasured("clock")
    assert score_platform(InstrumentFailed("clock"), PROTOCOL, "B") == NotMeasured("clock")


def test_a_spent_budget_ends_the_run_without_a_test_passed():
    stopped = CandidateFailed("limit_operations")
    result = score_meaning(ran_tests("passed", "passed", "not_run", stopped=stopped), PROTOCOL)
    assert (result.value, result.grounds["failure"]) == (0, "limit_operations")


@pytest.mark.parametrize("mark", PROTOCOL.platform.error_marks)
def test_every_mark_of_a_platform_error_is_found_inside_the_text(mark):
    assert is_platform_error(outcome(0, "raised", f"{{М.Модуль(1)}}: {mark} (X)"), PROTOCOL)
    assert not is_platform_error(outcome(0, "raised", mark, wants_error=True), PROTOCOL)


@pytest.mark.parametrize(
    "text", ["Несоответствие типов (параметр номер '2')", "Деление на 0", "Поле объекта недоступно для записи (Вид)"]
)
def test_other_errors_are_no_platform_errors(text):
    assert not is_platform_error(outcome(0, "raised", text), PROTOCOL)


def test_a_wrong_value_is_clean_for_the_platform():
    facts = TestFacts("Ф", (outcome(0, "wrong"), outcome(1, "raised", "Поле не найдено"), outcome(2, "passed")))
    result = score_platform(Observed(facts), PROTOCOL, "B")
    assert (result.value, result.step) == (Decimal("6.7"), 6)


def test_the_platform_axis_does_not_apply_to_algorithms():
    assert score_platform(ran_tests("passed"), PROTOCOL, "A") == NotApplicable()


def growth(*counts: int, optimum: str = "1.0", stopped: CandidateFailed | None = None) -> Observed[GrowthFacts]:
    sizes = tuple(100 * 2**i for i in range(4))
    return Observed(GrowthFacts("operations", optimum, sizes, counts, stopped))


@pytest.mark.parametrize(
    ("counts", "score"),
    [((100, 200, 400, 800), 10), ((100, 200, 400, 6400), 4), ((10**6, 0, 0, 8 * 10**6 * 4), 6), ((100, 200, 400, 100 * 2**7), 2)],
)
def test_growth_decides_by_first_and_last_size(counts, score):
    assert score_optimization(growth(*counts), SOLVED, PROTOCOL, "A").value == score


@pytest.mark.parametrize(
    ("excess", "score"), [("-3", 10), ("0.2", 10), ("0.201", 8), ("0.5", 8), ("0.8", 6), ("0.81", 4), ("1.2", 4), ("1.21", 2)]
)
def test_the_bands_of_excess(excess, score):
    assert in_band(Decimal(excess), PROTOCOL.optimization.bands) == score


def test_the_exponent_is_that_of_the_formula():
    assert exponent(GrowthFacts("operations", "0", (300, 2400), (158_042, 9_362_617))) == Decimal("1.962843976")


def test_a_time_out_is_two_in_a_once_something_was_measured_and_nothing_in_b():
    stopped = CandidateFailed("limit_operations")
    assert score_optimization(growth(10, 20, stopped=stopped), SOLVED, PROTOCOL, "A").value == 2
    assert score_optimization(growth(stopped=stopped), SOLVED, PROTOCOL, "A") == NotMeasured("time_out_at_smallest")
    assert score_optimization(growth(10, 20, stopped=stopped), SOLVED, PROTOCOL, "B") == NotMeasured("time_out")


def test_a_fall_on_the_load_input_and_a_zero_count_are_not_measured():
    fallen = score_optimization(growth(5, stopped=CandidateFailed("raised", "x")), SOLVED, PROTOCOL, "A")
    assert fallen == NotMeasured("load_run_failed", "x")
    assert score_optimization(growth(0, 1, 2, 3), SOLVED, PROTOCOL, "B") == NotMeasured("zero_count")


def test_gates_of_optimization():
    assert gate(SOLVED, PROTOCOL) is None
    assert gate(Scored(Decimal("4.9"), 2, {}), PROTOCOL) == NotMeasured("gated_by_meaning")
    assert gate(Scored(Decimal("5.0"), 4, {}), PROTOCOL) is None
    assert gate(Scored(Decimal(0), 0, {"failure": "does_not_compile"}), PROTOCOL).reason == "not_executed"
    assert gate(NotMeasured("clock"), PROTOCOL) == NotMeasured("not_executed")


@pytest.mark.parametrize(
    ("codes", "score"),
    [((), 10), (("RefOveruse",), 8), (("JoinWithSubQuery",), 6), (("CreateQueryInCycle", "RefOveruse"), 6),
     (("CreateQueryInCycle", "JoinWithSubQuery"), 4), (("SomethingElse",), 10),
     (("CreateQueryInCycle", "VirtualTableCallWithoutParameters", "JoinWithVirtualTable", "RefOveruse"), 2)],
)  # fmt: skip
def test_static_antipatterns_weigh_what_the_protocol_says(codes, score):
    facts = StaticFacts(tuple(StaticFinding(code, "", Place(1)) for code in codes))
    assert score_optimization(Observed(facts), SOLVED, PROTOCOL, "B").value == score


@pytest.mark.parametrize(
    ("share", "step"),
    [("1", 10), ("0.99", 8), ("0.85", 8), ("0.84", 6), ("0.6", 6), ("0.59", 4), ("0.5", 4), ("0.49", 2), ("0.01", 2), ("0", 0)],
)
def test_projection_of_meaning(share, step):
    assert project(Fraction(share), PROTOCOL.meaning.steps) == step


@pytest.mark.parametrize(("share", "step"), [("1", 10), ("0.99", 6), ("0.5", 6), ("0.49", 4), ("0.01", 4), ("0", 0)])
def test_projection_of_platform(share, step):
    assert project(Fraction(share), PROTOCOL.platform.steps) == step


def test_quality_is_the_mean_of_what_was_scored():
    results = [Scored(Decimal(v), 10, {}) for v in ("10", "6.7", "10", "10")]
    assert quality(results, 2) == Decimal("9.18")
    assert quality([Scored(Decimal("4.5"), 2, {}), NotMeasured("gated_by_meaning"), NotApplicable()], 2) == Decimal("4.50")
    assert quality([NotApplicable(), NotMeasured("clock")], 2) is None


def test_without_a_required_axis_there_is_no_quality():
    syntax, meaning = Scored(Decimal(10), 10, {}), NotMeasured("not_supported")
    assert quality([syntax, meaning, NotMeasured("not_started")], 2, [meaning]) is None
    assert quality([syntax, NotMeasured("gated_by_meaning")], 2, [syntax]) == Decimal("10.00")
    assert load_protocol().constitution.quality_requires == ("M",)


@pytest.mark.parametrize(("number", "decimals", "expected"), [("6.25", 1, "6.3"), ("-6.25", 1, "-6.3"), ("0.04", 1, "0.0")])
def test_rounding_is_half_away_from_zero(number, decimals, expected):
    assert str(rounded(Decimal(number), decimals)) == expected


def test_what_an_answer_invented_is_named_once():
    errors = [
        '{ОбщийМодуль.КодКандидата.Модуль(4)}: Ошибка при вызове метода контекста (Выполнить): {(2, 9)}: Поле не найдено "О.Остаток"',
        "{ОбщийМодуль.КодКандидата.Модуль(5)}: Поле объекта не обнаружено (Цвет)",
        'Таблица не найдена "Справочники.Товары"',
        "{ОбщийМодуль.КодКандидата.Модуль(5)}: Поле объекта не обнаружено (Цвет)",
    ]
    facts = TestFacts("Ф", tuple(outcome(i, "raised", text) for i, text in enumerate(errors)))
    found = [(each.kind, each.name) for each in invented(Observed(facts), PROTOCOL)]
    assert found == [("field", "О.Остаток"), ("property", "Цвет"), ("table", "Справочники.Товары")]
    unknown_type = CandidateFailed("does_not_compile", "Тип не определен (Таблица)")
    assert [each.name for each in invented(unknown_type, PROTOCOL)] == ["Таблица"]
    assert invented(InstrumentFailed("clock"), PROTOCOL) == ()
