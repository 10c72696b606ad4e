"""Figures beside the board by hand-computed values: pass@k, gaps, sway, the frontier, and what answers cost."""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import pytest

from leaderboard import insight
from leaderboard.economy import expenses
from leaderboard.profiles import make_profile
from leaderboard.queries import board
from leaderboard.templatetags.board import amount
from scoring.models import Answer, CostBasis, Exchange, Network, Task
from scoring.services.versions import data_changed


@pytest.mark.parametrize(
    ("k", "runs", "solved", "chance"),
    [(1, 4, 1, 0.25), (2, 4, 1, 0.5), (4, 4, 1, 1.0), (1, 3, 0, 0.0), (2, 3, 2, 1.0), (2, 5, 2, 0.7), (3, 2, 1, None), (0, 2, 1, None)],
)
def test_pass_at_k_is_unbiased(k, runs, solved, chance):
    assert insight.pass_at(k, runs, solved) == (None if chance is None else pytest.approx(chance))


def test_repeats_count_tasks_with_enough_runs_and_measure_the_spread():
    runs = {1: [(True, 10.0), (False, 6.0)], 2: [(False, 0.0), (False, 0.0)], 3: [(True, 10.0)]}
    found = insight.repeats(runs, 100, 1, 0.95, 2)
    assert found is not None and found.tasks == 2 and found.spread == pytest.approx((2.0 + 0.0) / 2)
    at = dict(found.at)
    # pass@1 over three tasks: .5, 0, 1; pass@2 over the two with two runs: 1, 0.
    assert (at[1].value, at[1].tasks) == (pytest.approx(0.5), 3) and (at[2].value, at[2].tasks) == (0.5, 2)
    assert insight.repeats({1: [(True, 10.0)]}, 100, 1, 0.95, 2) is None


def test_a_gap_is_second_minus_first_and_decided_where_sets_never_meet():
    found = insight.gap([9.0] * 6, [4.0, None, 4.0, 4.0, 4.0, 4.0], 200, 1, 0.95, 5)
    assert found is not None
    assert (found.difference, found.tasks, found.decided) == (-5.0, (6, 5), True)
    few = insight.gap([9.0] * 6, [4.0], 200, 1, 0.95, 5)
    assert few is not None and few.interval is None and not few.decided
    assert insight.gap([None], [1.0], 200, 1, 0.95, 1) is None


def test_sway_is_what_leaving_a_task_out_does():
    values = np.array([[10.0, 5.0, 5.0], [4.0, 6.0, 6.0], [math.nan, 1.0, 1.0]])
    first, second, third = insight.sway(values)
    # Means 6.67, 5.33, 1: without the first task the first two change places.
    assert (first.moved, first.most) == (2, 1)
    assert second == third == insight.Sway(0, 0)


def test_the_frontier_is_what_nobody_beats_in_cost_and_quality():
    points = [(1.0, 5.0), (2.0, 9.0), (2.0, 7.0), (3.0, 9.0), (0.5, 2.0), (1.0, 5.0)]
    # 2 is beaten by 1, 3 by 1 (as good, cheaper); equals do not beat each other.
    assert insight.dominated_by(points) == [None, None, 1, 1, None, None]


@pytest.mark.django_db
def test_expenses_are_means_per_answer_and_an_untold_cost_is_none(small):
    strong, middling, weak = (Network.objects.get(slug=slug) for slug in ("strong", "middling", "weak"))
    Answer.objects.filter(network=strong, task__category="A").update(cost=0.02, tokens_output=100, elapsed_seconds=2.0)
    Answer.objects.filter(network=middling, task__category="A").update(cost=0.01)
    free = Answer.objects.filter(network=weak, task__category="A").first()
    Exchange.objects.create(answer=free, messages=[], digest="x", cost_basis=CostBasis.PROVIDER, lookups=3)
    data_changed()
    rows = {row.network.slug: row for row in expenses(board("A"))}
    assert (rows["strong"].cost, rows["strong"].tokens_output, rows["strong"].seconds) == (pytest.approx(0.02), 100, 2.0)
    assert rows["weak"].cost == 0.0 and rows["weak"].lookups == 3 and rows["weak"].tokens_output is None
    assert [rows[slug].on_frontier for slug in ("strong", "middling", "weak")] == [True, True, True]
    assert "control-reference" not in rows
    platform = {row.network.slug: row for row in expenses(board("B"))}
    assert (platform["strong"].invented, platform["middling"].invented) == (1.0, 0.0)
    assert platform["middling"].cost is None and not platform["middling"].on_frontier


@pytest.mark.django_db
def test_private_and_new_tasks_are_set_against_the_others(small):
    strong = Network.objects.get(slug="strong")
    strong.released_on = date(2026, 3, 1)
    strong.save()
    Task.objects.filter(key__in=["A0", "A1"]).update(written_on=date(2026, 5, 1))
    Task.objects.filter(key="A2").update(written_on=date(2026, 1, 1))
    small.scored(small.task("AP", is_private=True), strong, small.passing(2))
    data_changed()
    data = board("A")
    profile = make_profile(data, next(row for row in data.networks if row.slug == "strong"))
    assert profile is not None and profile.gap is not None and profile.fresh is not None
    assert (profile.gap.difference, profile.gap.tasks) == (-5.0, (8, 1))
    assert (profile.fresh.difference, profile.fresh.tasks) == (0.0, (1, 2))


@pytest.mark.parametrize(("value", "text"), [(None, "N/A"), (0.0, "0"), (0.0000456, "0.0000456"), (0.0137, "0.0137"), (1.5, "1.50"), (123.456, "123.46")])
def test_money_keeps_three_digits_and_no_powers(value, text):
    assert amount(value) == text


@pytest.mark.django_db
def test_controls_have_no_repeats(small):
    reference = Network.objects.get(slug="control-reference")
    small.scored(Task.objects.get(key="A0"), reference, run_index=1)
    data_changed()
    data = board("A")
    profile = make_profile(data, next(row for row in data.networks if row.is_control))
    assert profile is not None and profile.repeats is None
