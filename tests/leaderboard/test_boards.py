"""Boards out of stored rows: places without controls, filters that never renumber, coverage, order, exports."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.http import QueryDict

from leaderboard.bank import task_figures
from leaderboard.boards import make_board, summary
from leaderboard.comparison import compare
from leaderboard.exports import board_csv, board_value, csv_text
from leaderboard.filters import Filters, choices
from leaderboard.profiles import make_profile
from leaderboard.queries import board
from scoring.models import AnswerStatus, Task, TaskBundle, TaskStatus
from scoring.services.versions import data_changed

pytestmark = pytest.mark.django_db


def shown(query: str = "", category: str = "A"):
    filters = Filters.read(QueryDict(query))
    return make_board(board(category, filters.edition), filters)


def names(found) -> list[str]:
    return [row.network.slug for row in found.rows]


def places(found) -> dict[str, int | None]:
    return {row.network.slug: row.standing.rank if row.standing else None for row in found.rows}


def test_places_are_for_networks_and_controls_stand_among_them_without_one(small):
    found = shown()
    # Equal M: "Контроль: эталон" comes before "Сильная".
    assert names(found) == ["control-reference", "strong", "middling", "weak"]
    assert places(found) == {"strong": 1, "control-reference": None, "middling": 2, "weak": 3}


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("vendor=Beta", {"middling", "weak", "control-reference"}),
        ("open=no", {"strong", "control-reference"}),
        ("open=yes&controls=no", {"middling", "weak"}),
        ("controls=no", {"strong", "middling", "weak"}),
        ("vendor=Nobody&controls=no", set()),
        ("tag=даты&difficulty=hard", {"strong", "middling", "weak", "control-reference"}),
    ],
)
def test_filters_hide_rows_and_never_renumber(small, query, left):
    everyone = places(shown())
    found = places(shown(query))
    assert set(found) == left
    assert all(found[name] == everyone[name] for name in found)


def test_a_tag_narrows_the_tasks_that_figures_come_from(small):
    found = shown("tag=строки")
    assert found.tasks == 4
    row = next(row for row in found.rows if row.network.slug == "middling")
    # Tasks 0–3 passed 2, 3, 4, 2 of 4.
    assert row.figures["M"].tasks == 4 and row.figures["M"].value == pytest.approx((5.0 + 7.5 + 10.0 + 5.0) / 4)
    assert row.figures["solved"].value == 0.25


def test_o_has_its_own_n(small):
    row = next(row for row in shown().rows if row.network.slug == "weak")
    assert (row.figures["O"].value, row.figures["O"].tasks, row.figures["M"].tasks) == (None, 0, 8)


@pytest.mark.parametrize("sort", ["-O", "O"])
def test_na_is_last_in_both_directions(small, sort):
    assert names(shown(f"sort={sort}"))[-1] == "weak"


@pytest.mark.parametrize("column", ["S", "M", "O", "Q", "solved", "name", "vendor", "tasks"])
def test_every_column_sorts_both_ways(small, column):
    up, down = names(shown(f"sort={column}")), names(shown(f"sort=-{column}"))
    assert sorted(up) == sorted(down) and len(up) == 4


def test_the_place_goes_by_the_sorted_column(small):
    assert shown("sort=-S").rank_column == "S" and shown("sort=name").rank_column == "M"
    assert places(shown("sort=-S")) == {"strong": 1, "middling": 1, "weak": 1, "control-reference": None}


def test_a_network_with_little_measured_has_figures_and_no_place(small):
    latecomer = small.network("Latecomer")
    small.scored(Task.objects.get(key="A0"), latecomer)
    data_changed()
    row = next(row for row in shown().rows if row.network.slug == "latecomer")
    assert row.standing is None and row.figures["M"].value == 10.0
    assert places(shown())["strong"] == 1


def test_coverage_counts_every_cell_once(small):
    row = next(row for row in shown(category="B").rows if row.network.slug == "strong")
    found = row.coverage
    assert (found.measured, found.truncated, found.unmeasured, found.pending, found.tasks, found.measured_tasks) == (1, 1, 0, 0, 2, 1)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (AnswerStatus.PLANNED, "pending"),
        (AnswerStatus.ANSWERED, "pending"),
        (AnswerStatus.FAILED, "unmeasured"),
        (AnswerStatus.REFUSED, "unmeasured"),
        (AnswerStatus.TRUNCATED, "truncated"),
    ],
)
def test_a_cell_without_a_score_says_what_it_is(small, status, state):
    network = small.network("Odd")
    small.answer(Task.objects.get(key="A0"), network, status=status)
    data_changed()
    (cell,) = board("A").by_network[network.pk]
    assert cell.state == state


def test_several_runs_are_averaged_before_tasks_are(small):
    network = small.network("Twice")
    small.scored(Task.objects.get(key="A0"), network, small.passing(4), run_index=0)
    small.scored(Task.objects.get(key="A0"), network, small.passing(0), run_index=1)
    small.scored(Task.objects.get(key="A1"), network, small.passing(4))
    data_changed()
    data = board("A")
    assert data.mean("M", network.pk) == 7.5 and data.mean("solved", network.pk) == 0.75


def test_what_is_not_published_is_not_on_the_board(small):
    Task.objects.filter(key__in=["A0", "A1"]).update(status=TaskStatus.QUARANTINED)
    data_changed()
    assert [task.key for task in board("A").tasks] == [f"A{number}" for number in range(2, 8)]


def test_scores_of_a_former_bundle_do_not_count(small):
    task = Task.objects.get(key="A0")
    task.bundle = TaskBundle.objects.create(task=task, number=2, digest="new", files=task.bundle.files)
    task.save()
    data_changed()
    assert {cell.state for cell in board("A").by_task[task.pk]} == {"pending"}


def test_the_board_is_read_anew_when_data_changed_and_not_before(small, django_assert_num_queries, django_assert_max_num_queries):
    board("A")
    with django_assert_num_queries(1):
        board("A")
    data_changed()
    with django_assert_max_num_queries(17) as queries:
        board("A")
    assert len(queries) > 1


def test_the_summary_keeps_categories_apart(small):
    filters = Filters.read(QueryDict("sort=-B"), "A")
    boards = {category: make_board(board(category), Filters("solved")) for category in "AB"}
    rows = summary(boards, filters)
    found = {row.network.slug: (row.solved("A"), row.solved("B")) for row in rows}
    assert found == {"middling": (0.25, 1.0), "strong": (1.0, 0.0), "weak": (0.0, None), "control-reference": (1.0, None)}
    assert [row.network.slug for row in rows][:2] == ["middling", "strong"]


# -- addresses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "",
        "sort=O",
        "sort=-name",
        "vendor=%D0%90%D0%BB%D1%8C%D1%84%D0%B0&open=yes",
        "sort=-Q&vendor=-&open=no&tag=%D1%81&difficulty=hard&edition=tools&controls=no",
    ],
)
def test_an_address_survives_the_round_trip(query):
    assert Filters.read(QueryDict(query)).query() == query


@pytest.mark.parametrize("query", ["sort=-M", "sort=nonsense", "open=maybe", "controls=yes", "edition=core", "utm=1", "difficulty=x", "tag="])
def test_what_says_nothing_leaves_the_address(query):
    assert Filters.read(QueryDict(query)).query() == ""


def test_a_click_turns_the_order_round_and_a_new_column_starts_with_the_best():
    filters = Filters.read(QueryDict(""))
    assert filters.sorted_by("M").query() == "sort=M"
    assert filters.sorted_by("M").sorted_by("M").query() == ""
    assert filters.sorted_by("O").query() == "sort=-O" and filters.sorted_by("name").query() == "sort=name"


def test_choices_are_what_the_board_has(small):
    found = choices(board("A"))
    assert found.vendors == ("Beta", "Альфа") and found.tags == ("даты", "строки")
    assert found.difficulties == ("easy", "hard") and found.has_weights and found.has_controls


# -- profiles, tasks, pairs ----------------------------------------------------------------------------------------------


def test_the_funnel_counts_every_attempt_once(small):
    data = board("A")
    middling = next(row for row in data.networks if row.slug == "middling")
    profile = make_profile(data, middling)
    assert profile is not None
    assert {stage.key: stage.attempts for stage in profile.funnel} == {"compile": 0, "run": 0, "result": 6, "solved": 2}
    assert [stage.reached for stage in profile.funnel] == [8, 8, 8, 2] and profile.not_measured == 0


def test_skills_are_profiled_by_their_tasks(small):
    data = board("A")
    profile = make_profile(data, next(row for row in data.networks if row.slug == "weak"))
    assert profile is not None
    assert [(row.tag, row.tasks, row.figures["M"].value) for row in profile.tags] == [("даты", 4, 0.0), ("строки", 4, 0.0)]


def test_a_network_without_cells_has_no_profile(small):
    data = board("B")
    weak = next(row for row in board("A").networks if row.slug == "weak")
    assert make_profile(data, weak) is None


def test_controls_do_not_count_for_a_task(small):
    figures = {row.task.key: row for row in task_figures(board("A"))}
    assert figures["A0"].networks == 3 and figures["A0"].solve_rate == pytest.approx(1 / 3)
    assert figures["A2"].solve_rate == pytest.approx(2 / 3) and figures["A0"].discrimination is None


def test_two_networks_are_compared_task_by_task(small):
    data = board("A")
    by_slug = {row.slug: row for row in data.networks}
    found = compare(data, by_slug["strong"], by_slug["weak"])
    assert found.axes["M"].difference == 10.0 and found.axes["M"].wins == 8 and found.axes["M"].decided
    assert found.axes["O"].tasks == 0 and found.axes["S"].ties == 8
    assert [entry.difference for entry in found.tasks] == [10.0] * 8


# -- exports -----------------------------------------------------------------------------------------------------------


def test_csv_holds_what_the_board_shows(small):
    text = board_csv(shown("sort=name&controls=no"))
    assert text.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text[1:])))
    assert [row["network"] for row in rows] == ["Middling", "Weak", "Сильная"]
    strong = rows[-1]
    assert (strong["M"], strong["M_low"], strong["rank"], strong["O_tasks"], strong["vendor"]) == ("10.0", "10.0", "1", "8", "Альфа")
    assert rows[1]["O"] == "" and rows[1]["O_tasks"] == "0"


@pytest.mark.parametrize("name", ["=1+1", "+7", "-x", "@cmd", "\tx"])
def test_no_name_becomes_a_formula(name):
    assert csv_text([[name, -1.5]]).splitlines()[0] == f"\ufeff'{name},-1.5"


def test_json_is_free_of_nan_and_keeps_the_order(small):
    found = shown("sort=O")
    value = json.loads(json.dumps(board_value(found), allow_nan=False))
    assert [row["network"]["slug"] for row in value["rows"]] == names(found)
    assert value["rows"][-1]["figures"]["O"] == {"value": None, "low": None, "high": None, "tasks": 0}
