"""Grading: nothing lost, nothing doubled, nothing off the scale."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from review.models import Draft, Grade, Item, Slot, SlotState, Submission, Ticket
from review.services import grading, rounds
from review.services.grading import GradingError, Sheet, read_draft, read_sheet

pytestmark = pytest.mark.django_db
FULL = Sheet({"S": 10, "M": 8, "O": 6})


def grade_all(round_, expert, sheet=FULL):
    done = []
    while slot := grading.take_next(round_, expert):
        done.append(grading.submit(slot, expert, sheet))
    return done


def expire(slot):
    Slot.objects.filter(pk=slot.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_next_gives_the_same_answer_until_it_is_graded(make_round, boris):
    round_ = make_round()
    first = grading.take_next(round_, boris)
    assert grading.take_next(round_, boris) == first
    grading.submit(first, boris, FULL)
    assert grading.take_next(round_, boris).item != first.item


def test_every_answer_gets_its_graders_and_no_more(make_round, boris, vera):
    round_ = make_round()
    assert len(grade_all(round_, boris)) == len(grade_all(round_, vera)) == 60
    assert not Slot.objects.exclude(state=SlotState.SUBMITTED).exists()
    for item in Item.objects.filter(round=round_):
        assert set(item.slots.values_list("expert", flat=True)) == {boris.pk, vera.pk}


def test_an_expert_never_gets_an_answer_twice(make_round, boris):
    round_ = make_round()
    items = [submission.slot.item_id for submission in grade_all(round_, boris)]
    assert len(items) == len(set(items)) == 60


def test_a_second_press_changes_nothing(make_round, boris):
    slot = grading.take_next(make_round(), boris)
    first = grading.submit(slot, boris, FULL)
    again = grading.submit(slot, boris, Sheet({"S": 0, "M": 0, "O": 0}))
    assert again == first and Submission.objects.count() == 1
    assert set(Grade.objects.values_list("axis", "value")) == {("S", 10), ("M", 8), ("O", 6)}


def test_a_lost_lease_gives_the_answer_to_others_and_keeps_the_draft(make_round, boris, vera):
    round_ = make_round(graders=1)
    slot = grading.take_next(round_, boris)
    grading.save_draft(slot, boris, {"grades": {"S": 10}}, 0)
    expire(slot)
    grading.release_expired(round_)
    slot.refresh_from_db()
    assert (slot.state, slot.expert) == (SlotState.FREE, None)
    assert Draft.objects.get().data["grades"] == {"S": 10}
    assert grading.submit(slot, boris, FULL).slot.expert == boris


def test_a_late_expert_is_refused_when_the_place_is_taken_and_loses_no_draft(make_round, boris, vera):
    round_ = make_round(graders=1, overlap=0.0)
    slot = grading.take_next(round_, boris)
    grading.save_draft(slot, boris, {"grades": {"S": 10}}, 0)
    Slot.objects.filter(pk=slot.pk).update(state=SlotState.SUBMITTED, expert=vera)
    slot.refresh_from_db()
    with pytest.raises(GradingError, match="taken"):
        grading.submit(slot, boris, FULL)
    assert Draft.objects.count() == 1 and not Submission.objects.exists()


def test_a_draft_saved_in_another_tab_is_not_overwritten(make_round, boris):
    slot = grading.take_next(make_round(), boris)
    assert grading.save_draft(slot, boris, {"grades": {"S": 10}}, 0).version == 1
    assert grading.save_draft(slot, boris, {"grades": {"S": 8}}, 1).version == 2
    for stale in (0, 1):
        with pytest.raises(GradingError, match="conflict"):
            grading.save_draft(slot, boris, {"grades": {"S": 0}}, stale)
    assert Draft.objects.get().data["grades"] == {"S": 8}


def test_a_draft_renews_the_lease(make_round, boris):
    slot = grading.take_next(make_round(), boris)
    Slot.objects.filter(pk=slot.pk).update(lease_until=timezone.now() + timedelta(seconds=5))
    grading.save_draft(slot, boris, {}, 0)
    slot.refresh_from_db()
    assert slot.lease_until > timezone.now() + timedelta(hours=1)


@pytest.mark.parametrize("value", [1, 3, 5, 7, 9, 11, -2, 100, "8", 8.0, 7.5, True, [8], {"a": 1}])
def test_values_off_the_scale_are_refused_by_the_service(value):
    with pytest.raises(GradingError, match="invalid"):
        read_draft({"grades": {"S": value}}, ["S"])


@pytest.mark.parametrize("value", [1, 3, 5, 7, 9, 11, 12])
def test_values_off_the_scale_are_refused_by_the_database(value, make_round, boris):
    submission = grading.submit(grading.take_next(make_round(), boris), boris, FULL)
    Grade.objects.filter(submission=submission, axis="S").delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Grade.objects.create(submission=submission, axis="S", value=value)


@pytest.mark.parametrize("text", ["1", "5", "11", "-2", "8.0", "8 ", "восемь", "٨", "10\n"])
def test_values_off_the_scale_are_refused_by_the_form(text, make_round, boris, tools):
    slot = grading.take_next(make_round(), boris)
    page = tools.visitor(boris).post(reverse("review:submit", args=[slot.key]), {"grade_S": text, "grade_M": "8", "grade_O": "8"})
    assert page.status_code == 400 and not Submission.objects.exists()


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"version": 0}', b'{"version": "x", "data": {}}', b'{"version": 0, "data": {"grades": {"S": 7}}}', b'{"version": 0, "data": {"grades": {"P": 8}}}', b'{"version": 0, "data": {"lines": {"x": "y"}}}', b'{"version": 0, "data": []}', b"\xff"])
def test_odd_drafts_are_refused(body, make_round, boris, tools):
    slot = grading.take_next(make_round(), boris)
    reply = tools.visitor(boris).post(reverse("review:draft", args=[slot.key]), body, content_type="application/json")
    assert reply.status_code == 400 and not Draft.objects.exists()


def test_a_missing_axis_is_named_and_marked(make_round, boris, tools):
    slot = grading.take_next(make_round(), boris)
    page = tools.visitor(boris).post(reverse("review:submit", args=[slot.key]), {"grade_S": "8", "grade_O": "8", "comment_S": "почти"})
    assert page.status_code == 400 and "M (" in page.context["error"] and page.context["wrong"] == ["M"]
    assert "почти" in page.content.decode()
    with pytest.raises(GradingError) as refused:
        read_sheet({"grades": {"S": 8}}, ["S", "M", "O"])
    assert refused.value.axes == ("M", "O")


def test_a_correction_is_a_revision_with_a_reason(make_round, boris):
    slot = grading.take_next(make_round(), boris)
    grading.submit(slot, boris, FULL)
    slot.refresh_from_db()
    with pytest.raises(GradingError, match="no_reason"):
        grading.revise(slot, boris, FULL, "  ")
    made = grading.revise(slot, boris, Sheet({"S": 8, "M": 8, "O": 8}), "перечитал условие")
    assert (made.revision, made.is_blind) == (2, True)
    assert Submission.objects.filter(slot=slot).count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.create(slot=slot, revision=3, reason="")


def test_after_the_reveal_revisions_are_not_blind(make_round, boris):
    slot = grading.take_next(make_round(), boris)
    grading.submit(slot, boris, FULL)
    slot.refresh_from_db()
    grading.reveal(slot, boris)
    assert grading.revise(slot, boris, FULL, "увидел машину").is_blind is False


def test_nobody_corrects_another_s_grade(make_round, boris, vera):
    slot = grading.take_next(make_round(), boris)
    grading.submit(slot, boris, FULL)
    slot.refresh_from_db()
    with pytest.raises(GradingError, match="not_submitted"):
        grading.revise(slot, vera, FULL, "причина")


def test_a_hidden_repeat_comes_back_later_to_the_same_expert(make_round, boris, vera):
    round_ = make_round(repeats=0.1)
    done = grade_all(round_, boris)
    repeats = [submission.slot for submission in done if submission.slot.is_repeat]
    assert len(repeats) == 6
    order = [submission.slot.item_id for submission in done]
    for slot in repeats:
        first = order.index(slot.item_id)
        later = len(order) - 1 - order[::-1].index(slot.item_id)
        assert later - first >= grading.REPEAT_AFTER or later >= 60
    assert not any(submission.slot.is_repeat for submission in grade_all(round_, vera))


def test_a_reveal_drops_the_repeat_that_it_would_spoil(make_round, boris):
    round_ = make_round(repeats=1.0)
    slot = grading.take_next(round_, boris)
    grading.submit(slot, boris, FULL)
    slot.refresh_from_db()
    assert Slot.objects.filter(item=slot.item, state=SlotState.RESERVED).count() == 1
    grading.reveal(slot, boris)
    assert not Slot.objects.filter(item=slot.item, state=SlotState.RESERVED).exists()


def test_a_skipped_answer_goes_to_others_and_never_comes_back(make_round, boris, vera, tools):
    round_ = make_round(graders=1, overlap=0.0)
    slot = grading.take_next(round_, boris)
    grading.skip(slot, boris, "field")
    assert slot.item_id not in {submission.slot.item_id for submission in grade_all(round_, boris)}
    assert slot.item_id in {submission.slot.item_id for submission in grade_all(round_, vera)}
    assert not Ticket.objects.exists()


def test_a_skip_that_doubts_the_task_opens_a_ticket(make_round, boris):
    slot = grading.take_next(make_round(), boris)
    grading.skip(slot, boris, "test", "ожидается не то")
    assert Ticket.objects.get().task == slot.item.answer.task
    with pytest.raises(GradingError):
        grading.skip(slot, boris, "field")


def test_strangers_and_closed_rounds_are_refused(make_round, boris, vera, anna, tools):
    round_ = make_round()
    slot = grading.take_next(round_, boris)
    stranger = tools.person("gleb", "expert")
    assert tools.visitor(stranger).post(reverse("review:next", args=[round_.slug])).status_code == 403
    for user in (vera, stranger):
        assert tools.visitor(user).get(reverse("review:work", args=[slot.key])).status_code == 404
    rounds.close_round(anna, round_)
    with pytest.raises(GradingError, match="round_not_open"):
        grading.submit(slot, boris, FULL)


def test_progress_tells_what_is_left(make_round, boris):
    round_ = make_round()
    assert grading.progress(round_, boris) == grading.Progress(0, 0, 60, None)
    for _ in range(3):
        grading.submit(grading.take_next(round_, boris), boris, FULL)
    for place, seconds in enumerate((1, 40, 3000)):
        Submission.objects.filter(pk=Submission.objects.order_by("pk")[place].pk).update(seconds=seconds)
    found = grading.progress(round_, boris)
    # 57 answers at the median of 40 seconds.
    assert (found.done, found.left, found.minutes_left) == (3, 57, 38)


def test_notes_at_lines_are_kept_and_must_be_lines(make_round, boris):
    slot = grading.take_next(make_round(), boris)
    lines = slot.item.answer.code.count("\n") + 1
    sheet = read_sheet({"grades": {"S": 8, "M": 8, "O": 8}, "lines": {"2": "здесь"}}, ["S", "M", "O"], lines)
    assert grading.submit(slot, boris, sheet).line_comments == {"2": "здесь"}
    with pytest.raises(GradingError):
        read_sheet({"grades": {"S": 8, "M": 8, "O": 8}, "lines": {str(lines + 1): "мимо"}}, ["S", "M", "O"], lines)


@pytest.mark.django_db(transaction=True)
def test_experts_who_press_next_at_once_never_meet(tools):
    """Six experts, two tabs each, one grader per answer: every answer once, and every expert's tabs on one answer."""
    tools.write_bank(tasks=8)
    anna, *experts = [tools.person(f"person{n}", "expert") for n in range(7)]
    round_ = rounds.create(
        anna, {"title": "Р", "category": "A", "axes": ["S"], "size": 48, "graders": 1, "overlap": 0.0, "repeats": 0.0, "seed": 1}, experts
    )
    round_ = rounds.open_round(anna, round_)
    faults: list[Exception] = []

    def work(expert):
        try:
            while slot := grading.take_next(round_, expert):
                grading.submit(slot, expert, Sheet({"S": 10}))
        except Exception as error:
            faults.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(expert,)) for expert in experts for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert Slot.objects.filter(state=SlotState.SUBMITTED).count() == Submission.objects.count() == 48
    assert Submission.objects.values("slot__item").distinct().count() == 48
