"""Ranking by hand-computed values: means, ties, intervals, groups, N/A, pairs, discrimination."""

from __future__ import annotations

import math

import numpy as np
import pytest

from leaderboard import ranking

N = math.nan


def weights(tasks: int, draws: int = 400) -> ranking.Array:
    return ranking.task_weights(tasks, draws, 7)


def test_every_draw_takes_as_many_tasks_as_there_are():
    drawn = ranking.task_weights(6, 50, 1)
    assert drawn.shape == (50, 6) and (drawn.sum(axis=1) == 6).all()


def test_the_same_seed_draws_the_same_tasks():
    ranking.task_weights.cache_clear()
    first = ranking.task_weights(9, 30, 5).copy()
    ranking.task_weights.cache_clear()
    assert (first == ranking.task_weights(9, 30, 5)).all()
    assert not (first == ranking.task_weights(9, 30, 6)).all()


def test_means_leave_out_what_was_not_measured():
    values = np.array([[10.0, N, 4.0], [N, N, N], [0.0, 0.0, 0.0]])
    assert ranking.means(values) == [7.0, None, 0.0]


def test_an_interval_of_equal_values_is_the_value_and_others_stay_inside_the_scale():
    values = np.array([[8.0] * 6, [0.0, 10.0, 0.0, 10.0, 0.0, 10.0]])
    flat, wide = ranking.figures(values, weights(6), 0.95, 5, 10.0)
    assert (flat.value, flat.interval) == (8.0, ranking.Interval(8.0, 8.0))
    assert wide.value == 5.0 and wide.interval is not None
    assert 0 <= wide.interval.low < 5 < wide.interval.high <= 10


def test_the_interval_is_the_quantile_of_the_drawn_means():
    values = np.array([[0.0, 10.0, 4.0, 7.0, 1.0]])
    drawn = weights(5) @ values[0] / 5
    low, high = np.quantile(drawn, [0.025, 0.975])
    (figure,) = ranking.figures(values, weights(5), 0.95, 5, 10.0)
    assert figure.interval is not None
    assert (figure.interval.low, figure.interval.high) == pytest.approx((low, high))


def test_too_few_tasks_give_no_interval_and_none_gives_no_value():
    values = np.array([[10.0, 2.0, N, N, N], [N, N, N, N, N]])
    few, none = ranking.figures(values, weights(5), 0.95, 3, 10.0)
    assert (few.value, few.interval, few.tasks) == (6.0, None, 2)
    assert (none.value, none.interval, none.tasks) == (None, None, 0)


def test_equal_values_share_a_rank_and_the_next_one_skips():
    assert ranking.competition_ranks([9.0, 9.0, 5.0, 7.0, 9.0 + 1e-12]) == [1, 1, 5, 4, 1]


def test_who_is_better_everywhere_is_surely_ahead():
    values = np.array([[9.0] * 8, [5.0] * 8, [9.0] * 8])
    first, second, third = ranking.standings(values, weights(8), 0.95)
    assert first == third == ranking.Standing(1, 1, 2, "a")
    assert second == ranking.Standing(3, 3, 3, "b")


def test_a_difference_on_one_task_of_eight_decides_nothing():
    values = np.array([[10.0] * 8, [10.0] * 7 + [0.0]])
    first, second = ranking.standings(values, weights(8), 0.95)
    assert first == ranking.Standing(1, 1, 2, "a") and second == ranking.Standing(2, 1, 2, "a")


def test_the_bootstrap_is_paired():
    """Both vary widely by task, the first is always one point ahead: unpaired intervals overlap, pairs decide."""
    base = np.array([0.0, 9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 6.0])
    first, second = ranking.standings(np.array([base + 1, base]), weights(8), 0.95)
    assert first is not None and second is not None
    assert (first.worst, second.best, first.groups, second.groups) == (1, 2, "a", "b")


def test_rows_without_a_value_have_no_place_and_take_none():
    values = np.array([[N] * 6, [3.0] * 6])
    assert ranking.standings(values, weights(6), 0.95) == [None, ranking.Standing(1, 1, 1, "a")]
    assert ranking.standings(np.full((2, 6), N), weights(6), 0.95) == [None, None]


def test_groups_are_longest_runs_and_may_overlap():
    better = np.zeros((4, 4), dtype=bool)
    better[0, 2] = better[0, 3] = better[1, 3] = True
    assert ranking.groups([0, 1, 2, 3], better) == ["a", "a b", "b c", "c"]


def test_groups_follow_the_order_of_places_not_of_rows():
    better = np.zeros((3, 3), dtype=bool)
    better[2, 0] = better[2, 1] = True
    assert ranking.groups([2, 0, 1], better) == ["b", "b", "a"]


@pytest.mark.parametrize(("number", "text"), [(0, "a"), (25, "z"), (26, "aa"), (27, "ab"), (51, "az"), (52, "ba")])
def test_letters_go_on_after_z(number, text):
    assert ranking.letter(number) == text


@pytest.mark.parametrize(("descending", "expected"), [(True, "c a b n z"), (False, "b a c n z")])
def test_what_has_no_value_comes_last_in_both_directions(descending, expected):
    rows = {"a": 5.0, "b": 1.0, "c": 9.0, "z": None, "n": None}
    found = ranking.ordered(rows, rows.__getitem__, str, descending=descending)
    assert " ".join(found) == expected


def test_equal_values_are_ordered_by_name_in_both_directions():
    for descending in (True, False):
        assert ranking.ordered(["б", "А", "в"], lambda row: 1.0, str, descending=descending) == ["А", "б", "в"]


def test_pairs_take_common_tasks_only():
    found = ranking.paired([10.0, 4.0, None, 6.0], [8.0, None, 3.0, 6.0], 200, 1, 0.95, 2)
    assert (found.difference, found.tasks, found.wins, found.ties, found.losses) == (1.0, 2, 1, 1, 0)
    assert found.interval == ranking.Interval(0.0, 2.0) and not found.decided


def test_a_constant_difference_is_decided_and_its_mirror_too():
    found = ranking.paired([3.0] * 6, [1.0] * 6, 200, 1, 0.95, 5)
    mirrored = ranking.paired([1.0] * 6, [3.0] * 6, 200, 1, 0.95, 5)
    assert found.decided and found.interval == ranking.Interval(2.0, 2.0)
    assert mirrored.decided and mirrored.difference == -2.0 and mirrored.losses == 6


def test_no_common_task_is_no_difference_and_few_have_no_interval():
    assert ranking.paired([1.0, None], [None, 1.0], 50, 1, 0.95, 1) == ranking.Paired(None, None, 0, 0, 0, 0)
    assert ranking.paired([1.0, 2.0], [0.0, 0.0], 50, 1, 0.95, 5).interval is None


def test_discrimination_is_the_point_biserial_correlation():
    # By hand: task 1 1 0 0, rest .8 .6 .4 .2; covariance .1, deviations .5 and .2236.
    found = ranking.discrimination([1.0, 1.0, 0.0, 0.0], [0.8, 0.6, 0.4, 0.2], 4)
    assert found == pytest.approx(0.1 / (0.5 * math.sqrt(0.05)))
    assert ranking.discrimination([0.0, 0.0, 1.0, 1.0], [0.8, 0.6, 0.4, 0.2], 4) == pytest.approx(-found)


@pytest.mark.parametrize(
    ("task", "rest", "least"),
    [
        ([1.0, 1.0, 1.0], [0.1, 0.5, 0.9], 3),
        ([1.0, 0.0, 1.0], [0.5, 0.5, 0.5], 3),
        ([1.0, 0.0, None], [0.1, 0.5, 0.9], 3),
        ([], [], 1),
    ],
)
def test_discrimination_without_variation_or_networks_is_undefined(task, rest, least):
    assert ranking.discrimination(task, rest, least) is None


def test_nothing_at_all_is_no_error():
    empty = np.zeros((0, 0))
    assert ranking.figures(empty, weights(0), 0.95, 5, 10.0) == [] and ranking.standings(empty, weights(0), 0.95) == []
    assert ranking.figures(np.zeros((2, 0)), weights(0), 0.95, 5, 10.0) == [ranking.Figure(None, None, 0)] * 2
