"""Coefficients against values worked out by hand, and what is said where none exists."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from review import coefficients
from review.agreement import KAPPAS, NO_DATA, NO_VARIATION, Bootstrap, agreement, alpha_figure, kappa_point, leniency, resampled
from review.planner import Supposed, answers_to_settle, expectation
from review.reporting import GradeRow, axis_report, gold_hits, pairs_of, pooled, repeat_pairs
from review.tables import STEPS, Grading, Pair, cluster_tables, cross_table, expert_pairs

QUICK = Bootstrap(draws=200, seed=1)
MACHINE = [0, 0, 8, 8, 10, 10, 10, 0]
EXPERT = [0, 8, 8, 10, 10, 10, 8, 0]
# Three answers: both 0, both 10, and 0 against 2.
SMALL = [(0, 0), (10, 10), (0, 2)]


def pairs(grades, machines, **extra):
    return [Pair(n, n, 1, grade, step, **extra) for n, (grade, step) in enumerate(zip(grades, machines, strict=True))]


def row(answer, expert, grade, machine=10, task=None, **extra):
    return GradeRow(answer, answer if task is None else task, expert, "S", grade, machine, **extra)


@pytest.mark.parametrize(("kind", "value"), [("plain", 0.4419), ("linear", 0.6620), ("quadratic", 0.7592)])
def test_kappa_of_the_method_s_example(kind, value):
    assert kappa_point(pairs(EXPERT, MACHINE), kind) == pytest.approx(value, abs=5e-5)
    assert float(coefficients.kappa(cross_table(pairs(EXPERT, MACHINE)), kind)) == pytest.approx(value, abs=5e-5)


def test_the_full_list_of_steps_counts():
    """Weights by position: leaving out the steps that nobody used would bring 0 and 8 next to each other."""
    used = sorted({*MACHINE, *EXPERT})
    table = cross_table(pairs(EXPERT, MACHINE))[np.ix_([STEPS.index(s) for s in used], [STEPS.index(s) for s in used])]
    assert float(coefficients.kappa(table, "quadratic")) != pytest.approx(0.7592, abs=1e-3)


def test_ac2_by_hand():
    # observed 44/45; prevalences 1/2, 1/6, 1/3; chance (80/3)/30 × 11/18 = 44/81; (44/45 − 44/81) / (37/81) = 176/185
    assert float(coefficients.gwet_ac2(cross_table(pairs(*zip(*SMALL, strict=True))))) == pytest.approx(176 / 185)


def test_alpha_by_hand():
    # margins 3, 1, 2 of 0, 2, 10; δ² 4, 12.25, 2.25; observed 8, expected 180; 1 − 5 × 8 / 180 = 7/9
    gradings = [Grading(n, n, expert, value) for n, two in enumerate(SMALL) for expert, value in enumerate(two)]
    assert alpha_figure(gradings, QUICK).value == pytest.approx(7 / 9)


@pytest.mark.parametrize("kind", KAPPAS)
def test_tables_and_scikit_learn_agree(kind):
    chance = random.Random(5)
    for _ in range(40):
        count = chance.randrange(4, 60)
        found = [Pair(n, n % 7, 1, chance.choice(STEPS), chance.choice(STEPS), chance.choice([1.0, 0.5, 1 / 3])) for n in range(count)]
        assert kappa_point(found, kind) == pytest.approx(float(coefficients.kappa(cross_table(found), kind)), abs=1e-12)


def test_no_variation_is_said_and_never_a_number():
    found = agreement(pairs([10] * 5, [10] * 5), STEPS, QUICK)
    for figure in found.kappa.values():
        assert (figure.value, figure.reason) == (None, NO_VARIATION)
    nothing = agreement([], STEPS, QUICK)
    assert {figure.reason for figure in (*nothing.kappa.values(), nothing.ac2, nothing.difference)} == {NO_DATA}


def test_always_ten_has_kappa_zero_and_a_high_ac2():
    """Why AC2 alone would be fooled."""
    found = agreement(pairs([10] * 100, [10] * 95 + [8] * 5), STEPS, QUICK)
    assert found.kappa["quadratic"].value == pytest.approx(0.0)
    assert found.ac2.value > 0.95


def test_a_grade_weighs_one_over_the_number_of_its_answer_s_experts():
    rows = [row(1, 1, 10), row(1, 2, 0), row(2, 1, 10)]
    assert {(pair.answer, pair.weight) for pair in pairs_of(rows)} == {(1, 0.5), (2, 1.0)}
    assert cross_table(pairs_of(rows)).sum() == pytest.approx(2.0)


def test_what_does_not_count_against_the_machine_is_left_out():
    rows = [row(1, 1, 10), row(1, 1, 8, is_repeat=True), row(2, 1, 6, machine=None), row(3, 1, 6, gold=8)]
    assert [pair.answer for pair in pairs_of(rows)] == [1]


def test_population_weights_are_reciprocal_probabilities():
    found = [Pair(1, 1, 1, 10, 10, 1.0, 0.1), Pair(2, 2, 1, 0, 10, 1.0, 1.0)]
    assert cross_table(found, population=True)[5, 5] == pytest.approx(10.0)
    assert cross_table(found)[5, 5] == pytest.approx(1.0)


def test_difference_is_positive_where_the_machine_flatters():
    found = agreement(pairs([8, 8], [10, 10]), STEPS, QUICK)
    assert found.difference.value == pytest.approx(2.0)
    assert [(entry.step, entry.grades, entry.difference) for entry in found.by_step] == [(10, 2, 2.0)]


def test_ceiling_of_a_machine_that_knows_two_steps_only():
    found = agreement(pairs([0, 4, 6, 10, 2, 8], [0, 0, 10, 10, 0, 10]), (0, 10), QUICK)
    assert found.ceiling["plain"].value < 1
    assert agreement(pairs(EXPERT, MACHINE), STEPS, QUICK).ceiling["plain"].value == pytest.approx(1.0)


def test_experts_among_themselves_count_both_ways_round():
    gradings = [Grading(1, 1, 1, 10), Grading(1, 1, 2, 8), Grading(2, 1, 1, 0)]
    table = cross_table(expert_pairs(gradings))
    assert table[5, 4] == table[4, 5] == 1.0 and table.sum() == 2.0


def test_three_experts_of_an_answer_count_each_once():
    gradings = [Grading(1, 1, expert, value) for expert, value in ((1, 10), (2, 8), (3, 6))]
    assert cross_table(expert_pairs(gradings)).sum() == pytest.approx(3.0)


def test_an_expert_with_themselves():
    rows = [row(1, 1, 10), row(1, 1, 8, is_repeat=True), row(1, 2, 10), row(2, 2, 6, is_repeat=True)]
    assert [(pair.grade, pair.machine) for pair in repeat_pairs(rows)] == [(10, 8)]
    report = axis_report("S", rows, STEPS, QUICK)
    assert report.intra_pairs == 1 and report.intra_kappa.value == pytest.approx(0.0)


def test_leniency_is_against_the_others_only():
    gradings = [Grading(1, 1, 1, 10), Grading(1, 1, 2, 6), Grading(1, 1, 3, 8), Grading(2, 1, 1, 0)]
    assert leniency(gradings) == {1: 3.0, 2: -3.0, 3: 0.0}


def test_gold_tells_how_far_off_a_grader_is():
    assert gold_hits([row(1, 1, 10, gold=6), row(2, 1, 6, gold=6), row(3, 2, 0)]) == {1: (2, 2.0)}


def test_adjudicated_grades_stand_beside_and_not_in_place():
    rows = [row(1, 1, 0, machine=10), row(1, 2, 10, machine=10), row(2, 1, 0, machine=0), row(2, 2, 0, machine=0)]
    report = axis_report("S", rows, STEPS, QUICK, [row(1, 0, 10, machine=10)])
    assert report.raw.exact.value == pytest.approx(0.75)
    assert report.adjudicated is not None and report.adjudicated.exact.value == pytest.approx(1.0)
    assert axis_report("S", rows, STEPS, QUICK).adjudicated is None


def test_intervals_are_reproducible_and_hold_the_value():
    chance = random.Random(2)
    found = [Pair(n, n % 15, 1, step, step if chance.random() < 0.8 else chance.choice(STEPS)) for n in range(150) for step in [chance.choice(STEPS)]]
    one, two = (agreement(found, STEPS, Bootstrap(500, seed=3)) for _ in range(2))
    assert one == two
    for figure in (*one.kappa.values(), one.ac2, one.exact):
        assert figure.low < figure.value < figure.high


def test_whole_tasks_are_drawn():
    """One task that disagrees throughout: a draw either has it or not, so tables sum to multiples of its size."""
    found = [Pair(n, n // 10, 1, 10 if n < 10 else 0, 0) for n in range(30)]
    drawn = resampled(cluster_tables(found), QUICK)
    assert set(np.unique(drawn[:, 5, 0])) <= {0.0, 10.0, 20.0, 30.0} and (drawn.sum(axis=(1, 2)) == 30).all()


def test_over_the_round_all_axes_count_together():
    reports = [axis_report(axis, [row(1, 1, 10), row(2, 1, 0, machine=0)], STEPS, QUICK) for axis in "SM"]
    assert pooled(reports, QUICK)["quadratic"].value == pytest.approx(1.0)
    assert pooled([], QUICK)["quadratic"].reason == NO_DATA


def test_grades_off_the_scale_are_refused():
    for wrong in (1, 5, 12, -2, "8"):
        with pytest.raises(ValueError):
            Pair(1, 1, 1, wrong, 10)
    with pytest.raises(ValueError):
        Pair(1, 1, 1, 10, 10, probability=0.0)


# -- planner -----------------------------------------------------------------------------------------------------------


SUPPOSED = Supposed(exact=0.8, correlation=0.05, draws=400, level=0.95)


def test_what_is_assumed_widens_the_interval():
    steps = dict.fromkeys(STEPS, 40)
    usual = expectation("S", steps, 20, SUPPOSED, 1).width
    assert expectation("S", steps, 20, replace(SUPPOSED, correlation=0.3), 1).width > usual
    assert expectation("S", steps, 20, replace(SUPPOSED, level=0.8), 1).width < usual


def test_more_answers_make_a_narrower_interval():
    widths = [expectation("S", dict.fromkeys(STEPS, n), 20, SUPPOSED, 1).width for n in (10, 40, 160)]
    assert widths[0] > widths[1] > widths[2] > 0


def test_an_axis_of_one_step_promises_nothing():
    assert expectation("S", {10: 300}, 20, SUPPOSED, 1).width is None


@pytest.mark.parametrize(
    ("value", "low", "high", "more"),
    [(0.9, 0.85, 0.95, 0), (0.7, 0.65, 0.75, 0), (0.5, 0.3, 0.58, 0), (0.85, 0.75, 0.95, 300), (None, None, None, None), (0.8, 0.7, 0.9, None)],
)
def test_how_many_more_answers_would_settle_an_axis(value, low, high, more):
    found = answers_to_settle(value, low, high, 100, (0.6, 0.8))
    assert found is None if more is None else found == pytest.approx(more, abs=1)
