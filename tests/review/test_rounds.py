"""Rounds: what may be drawn, what opening freezes, what stays apart."""

from __future__ import annotations

import pytest
from django.urls import reverse

from review.models import Item, Purpose, Round, Slot
from review.services import rounds
from review.services.rounds import RoundError
from scoring.models import Answer, Network, Task, TaskUse
from scoring.services import reviewing

pytestmark = pytest.mark.django_db


def drawn(round_):
    return list(Item.objects.filter(round=round_).order_by("answer").values_list("answer", "stratum", "probability"))


def test_the_same_seed_draws_the_same_sample(make_round, anna):
    first = make_round(opened=False)
    second = make_round(opened=False, title="Ещё раз")
    third = make_round(opened=False, seed=8)
    rounds.open_round(anna, first)
    sample = drawn(first)
    rounds.close_round(anna, first)
    rounds.open_round(anna, second)
    assert drawn(second) == sample
    rounds.close_round(anna, second)
    rounds.open_round(anna, third)
    assert drawn(third) != sample


def test_answers_of_an_open_round_are_drawn_by_no_other(make_round):
    first, second = make_round(size=50), make_round(size=40)
    assert not {row[0] for row in drawn(first)} & {row[0] for row in drawn(second)}


def test_opening_freezes_steps_and_versions(make_round, bank):
    round_ = Round.objects.get(pk=make_round().pk)
    item = Item.objects.filter(round=round_).select_related("score").first()
    assert item.steps["S"] == item.score.s_step
    assert round_.stack == bank and round_.protocol_hash and round_.rubric_version == "1.0.0"
    item.score.delete()
    item.refresh_from_db()
    assert item.steps["S"] in (0, 6, 8, 10)


def test_an_axis_without_a_value_says_why(make_round):
    gated = [item for item in Item.objects.filter(round=make_round()) if "O" not in item.steps]
    assert gated and {item.missing["O"] for item in gated} == {"gated_by_meaning"}


def test_overlap_and_graders_make_the_slots(make_round):
    round_ = make_round(overlap=0.5)
    items = Item.objects.filter(round=round_)
    assert sorted(items.values_list("graders", flat=True)) == [1] * 30 + [2] * 30
    assert Slot.objects.filter(item__round=round_).count() == 90


def test_calibration_and_validation_never_mix(make_round, anna):
    """What a round touched belongs to its purpose for good."""
    make_round(purpose=Purpose.CALIBRATION, tasks=[f"AT{n}" for n in range(8)], size=40)
    assert Task.objects.filter(use=TaskUse.CALIBRATION).count() == 8
    validation = make_round(opened=False, size=200)
    assert rounds.plan(validation).population == 8 * 6
    rounds.open_round(anna, validation)
    assert Task.objects.filter(use=TaskUse.VALIDATION).count() == 8
    assert rounds.plan(make_round(opened=False, purpose=Purpose.CALIBRATION, size=200)).population == 0 + 8 * 6 - 40


def test_a_trial_takes_control_answers_and_marks_no_task(make_round, bank):
    Network.objects.filter(name="canary-network-0").update(is_control=True)
    round_ = make_round(purpose=Purpose.TRIAL, size=5)
    answers = Answer.objects.filter(review_items__round=round_)
    assert answers.count() == 5 and set(answers.values_list("network__is_control", flat=True)) == {True}
    assert not Task.objects.exclude(use=TaskUse.FREE).exists()


def test_a_round_too_small_for_its_strata_is_refused_with_a_reason(make_round, anna):
    round_ = make_round(opened=False, size=3)
    with pytest.raises(RoundError, match="страт"):
        rounds.open_round(anna, round_)
    assert rounds.plan(round_).problem and not Item.objects.exists()


def test_a_round_without_enough_experts_is_refused(make_round, anna, boris):
    with pytest.raises(RoundError, match="Экспертов"):
        rounds.open_round(anna, make_round(opened=False, experts=[boris]))


def test_opening_twice_and_closing_twice_is_refused(make_round, anna):
    round_ = make_round()
    with pytest.raises(RoundError):
        rounds.open_round(anna, round_)
    rounds.close_round(anna, round_)
    with pytest.raises(RoundError):
        rounds.close_round(anna, round_)


def test_answers_are_withheld_exactly_while_the_round_is_open(make_round, anna):
    assert reviewing.withheld_answers() == frozenset()
    round_ = make_round()
    assert reviewing.withheld_answers() == set(Item.objects.values_list("answer_id", flat=True))
    rounds.close_round(anna, round_)
    assert reviewing.withheld_answers() == frozenset()


def test_the_planner_s_page_stores_nothing(bank, anna, boris, vera, tools):
    form = {
        "title": "План", "purpose": "validation", "category": "A", "axes": ["S", "M", "O", "P"], "size": 60, "graders": 2, "overlap": 100,
        "repeats": 5, "gold": 0, "seed": 3, "experts": [boris.pk, vera.pk], "plan": "1",
    }  # fmt: skip
    page = tools.visitor(anna).post(reverse("review:round_new"), form)
    assert page.status_code == 200 and page.context["plan"].answers == 60 and not Round.objects.exists()
    assert {entry.axis for entry in page.context["plan"].expected} == {"S", "M", "O"}
    form.pop("plan")
    assert tools.visitor(anna).post(reverse("review:round_new"), form).status_code == 302
    assert Round.objects.get().axes == ["S", "M", "O"]


def test_a_plan_shown_is_the_sample_of_the_round_made_from_it(bank, anna, boris, vera, tools):
    form = {
        "title": "План", "purpose": "validation", "category": "A", "axes": ["S", "M"], "size": 20, "graders": 2, "overlap": 100,
        "repeats": 5, "gold": 0, "seed": "", "experts": [boris.pk, vera.pk],
    }  # fmt: skip
    page = tools.visitor(anna).post(reverse("review:round_new"), {**form, "plan": "1"})
    assert page.status_code == 200 and page.context["plan"]
    seed = page.context["form"]["seed"].value()
    assert int(seed) >= 0 and f'value="{seed}"' in page.content.decode()
    tools.visitor(anna).post(reverse("review:round_new"), {**form, "seed": seed})
    assert Round.objects.get().seed == int(seed)


@pytest.mark.parametrize(("field", "value"), [("size", 0), ("tasks", "NOPE"), ("overlap", 101), ("axes", ["P"]), ("graders", 3)])
def test_odd_rounds_are_refused(field, value, bank, anna, boris, vera, tools):
    form = {
        "title": "Р", "purpose": "validation", "category": "A", "axes": ["S"], "size": 60, "graders": 2, "overlap": 100, "repeats": 0,
        "gold": 0, "experts": [boris.pk, vera.pk],
    } | {field: value}  # fmt: skip
    page = tools.visitor(anna).post(reverse("review:round_new"), form)
    assert page.status_code == 400 and not Round.objects.exists()
