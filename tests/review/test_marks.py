"""Verified: granted by a validation round, gone when what was verified changes, and all of it on record."""

from __future__ import annotations

import json
import random

import pytest
from django.core.cache import cache
from django.urls import reverse

from accounts.models import AppendOnlyError
from review.certificate import differences
from review.models import Adjudication, Report, Round, VerifiedEvent
from review.services import agreement, disputes, grading, marks, publishing, rounds
from review.services.disputes import DisputeError
from review.services.grading import Sheet
from review.services.rounds import RoundError
from scoring.models import Network, Score, Task, TaskBundle
from scoring.services import reviewing, stacks

pytestmark = pytest.mark.django_db


@pytest.fixture
def graded(anna, boris, vera, tools):
    """A round of 108 answers over 18 tasks that both experts grade almost as the machine does; keywords change it."""

    def make(bank=True, share=0.97, stop=False, **changes):
        cache.clear()
        if bank:
            tools.write_bank(tasks=18)
        if changes.get("purpose") == "trial":
            Network.objects.update(is_control=True)
        values = {"title": "Р", "category": "A", "axes": ["S", "M"], "size": 108, "graders": 2, "overlap": 1.0, "repeats": 0.0, "seed": 1}
        round_ = rounds.open_round(anna, rounds.create(anna, values | changes, [boris, vera]))
        chance = random.Random(4)
        for expert in (boris, vera):
            while slot := grading.take_next(round_, expert):
                steps = {axis: slot.item.steps.get(axis, 6) for axis in round_.axes}
                grades = {axis: step if chance.random() < share else min(10, step + 2) for axis, step in steps.items()}
                grading.submit(slot, expert, Sheet(grades))
        if not stop:
            rounds.close_round(anna, round_)
            publishing.publish(anna, round_)
        return Round.objects.get(pk=round_.pk)

    return make


def kinds():
    return {subject: str(event.kind) for (subject, _engines), event in marks.newest_by_engines().items()}


def test_a_good_round_earns_the_mark(graded):
    graded()
    assert {kinds()[f"A:{axis}"] for axis in "SM"} == {"verified"}
    found = reviewing.marks()
    assert found.axes == {("A", axis): "verified" for axis in "SM"}
    assert len(found.tasks) > 15
    task = next(iter(found.tasks))
    assert found.covers("A", "S", task) and not found.covers("A", "P", task) and not found.covers("B", "S", task)


@pytest.mark.parametrize("purpose", ["trial", "calibration"])
def test_trials_and_calibrations_never_count(purpose, graded):
    graded(purpose=purpose)
    assert Report.objects.count() == 1 and not VerifiedEvent.objects.exists() and reviewing.marks().axes == {}


def test_bad_agreement_is_refused_and_said(graded):
    graded(share=0.0)
    assert kinds()["A:S"] == "refused" and reviewing.marks().axes == {}
    certificate = VerifiedEvent.objects.get(subject="A:S").certificate
    assert any(not condition["met"] for condition in certificate["result"]["conditions"])


def test_the_certificate_on_the_site_decides_again(graded, client):
    graded()
    for event in VerifiedEvent.objects.all()[:6]:
        reply = client.get(reverse("review:certificate_json", args=[event.key]))
        assert differences(json.loads(reply.content)) == []
        assert b"boris" not in reply.content and b"vera" not in reply.content


def change_bundle():
    task = Task.objects.get(key="AT3")
    task.bundle = TaskBundle.objects.create(task=task, number=2, digest="another", files={})
    task.save()


def change_engine(step):
    stack = stacks.measured_stack({"tests": "pretend 2"}, stacks.protocol())
    for score in list(Score.objects.all()):
        score.pk, score.stack = None, stack
        if step is not None:
            score.s_step, score.s_value = step, float(step)
        score._state.adding = True
        score.save()
    stacks.show_stack("A", stack)


def test_a_changed_task_takes_its_marks(graded, django_capture_on_commit_callbacks):
    graded()
    with django_capture_on_commit_callbacks(execute=True):
        change_bundle()
    after = kinds()
    assert {after[f"A:{axis}"] for axis in "SM"} == {"revoked"} == {after.get("task:AT3", "revoked")}
    assert after["task:AT4"] in ("verified", "refused")
    event = VerifiedEvent.objects.filter(subject="A:S").first()
    assert event.diff["bundles"]["AT3"] == ["digest-AT3", "another"] and event.reason == "bundles"
    assert reviewing.marks().axes == {}


def test_an_engine_that_moves_a_score_takes_the_mark_of_its_axis(graded, django_capture_on_commit_callbacks):
    graded()
    with django_capture_on_commit_callbacks(execute=True):
        change_engine(10)
    assert kinds()["A:S"] == "revoked" and kinds()["A:M"] == "verified"
    diff = VerifiedEvent.objects.filter(subject="A:S").first().diff["engine"]
    assert diff["steps"] and all(new == 10 for _, new in diff["steps"].values())


def test_an_engine_that_moves_nothing_takes_nothing(graded, django_capture_on_commit_callbacks):
    graded()
    before = VerifiedEvent.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        change_engine(None)
    assert VerifiedEvent.objects.count() == before and reviewing.marks().axes[("A", "S")] == "verified"


def other_engines(name, step=None):
    """Every answer scored by a stack of other engines as well, which the board shows from now on."""
    stack = stacks.measured_stack({"tests": f"{name} 1"}, stacks.protocol())
    for score in list(Score.objects.filter(stack=Round.objects.first().stack)):
        score.pk, score.stack = None, stack
        if step is not None:
            score.s_step, score.s_value = step, float(step)
        score._state.adding = True
        score.save()
    stacks.show_stack("A", stack)
    return stack


@pytest.mark.parametrize("step", [None, 10])
def test_marks_of_one_stack_are_not_shown_on_another_and_come_back_with_theirs(graded, client, step, django_capture_on_commit_callbacks):
    own = graded().stack
    before, tasks = VerifiedEvent.objects.count(), reviewing.marks().tasks
    with django_capture_on_commit_callbacks(execute=True):
        other = other_engines("genuine", step)
    # Even where both engines say the same of every graded answer: nobody compared the other one's scores with experts.
    assert reviewing.marks().axes == {} and reviewing.marks().tasks == frozenset()
    assert VerifiedEvent.objects.count() == before and kinds()["A:S"] == "verified"
    page = client.get(reverse("review:verified")).content.decode()
    assert own.name in page and other.name not in page

    with django_capture_on_commit_callbacks(execute=True):
        stacks.show_stack("A", own)
    assert reviewing.marks().axes == {("A", axis): "verified" for axis in "SM"} and reviewing.marks().tasks == tasks
    assert VerifiedEvent.objects.count() == before


def test_a_changed_task_takes_the_marks_of_every_stack(graded, django_capture_on_commit_callbacks):
    graded()
    other_engines("genuine")
    with django_capture_on_commit_callbacks(execute=True):
        change_bundle()
    assert kinds()["A:S"] == "revoked"


def test_another_protocol_takes_everything(graded, monkeypatch):
    graded()
    import dataclasses

    changed = dataclasses.replace(stacks.protocol(), hash="another", version="9.9.9")
    monkeypatch.setattr(stacks, "protocol", lambda: changed)
    assert reviewing.marks().axes == {}
    assert {kind for subject, kind in kinds().items() if subject.startswith("A:")} == {"revoked"}
    assert VerifiedEvent.objects.first().diff["protocol"]["to"] == "another"


def test_the_log_only_grows_and_shows_a_forgery(graded):
    graded()
    assert marks.broken_events() == []
    event = VerifiedEvent.objects.last()
    for deed in (event.save, event.delete, VerifiedEvent.objects.all().delete, lambda: VerifiedEvent.objects.update(kind="verified")):
        with pytest.raises(AppendOnlyError):
            deed()
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("UPDATE review_verifiedevent SET kind = 'provisional' WHERE id = %s", [event.pk])
    assert marks.broken_events() == [event.pk]


def test_the_badge_of_a_revoked_mark_says_so(graded, client, django_capture_on_commit_callbacks):
    graded()
    event = VerifiedEvent.objects.filter(subject="A:S").first()
    assert "#1d7444" in client.get(reverse("review:badge", args=[event.key])).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        change_bundle()
    assert "#b3261e" in client.get(reverse("review:badge", args=[event.key])).content.decode()


# -- reports -----------------------------------------------------------------------------------------------------------


def test_the_live_report_is_kept_until_a_grade_is_added(make_round, boris, monkeypatch):
    round_ = make_round()
    computed = []
    original = agreement.report_value
    monkeypatch.setattr(agreement, "report_value", lambda entry: computed.append(1) or original(entry))
    for _ in range(3):
        agreement.live_report(round_)
    assert len(computed) == 1
    grading.submit(grading.take_next(round_, boris), boris, Sheet(dict.fromkeys("SMO", 10)))
    assert agreement.live_report(round_)["coverage"]["graded"] == 1 and len(computed) == 2


def test_a_fresh_installation_says_that_there_are_no_grades(client, db):
    page = client.get(reverse("review:home") + "?lang=en").content.decode()
    assert "There are no expert grades yet." in page
    assert VerifiedEvent.objects.count() == 0


def test_a_frozen_report_stays_as_it_was(graded, anna, boris):
    round_ = graded()
    report = Report.objects.get()
    with pytest.raises(RuntimeError):
        report.save()
    with pytest.raises(RoundError):
        publishing.publish(anna, round_)
    assert len(report.grades) == 108 * 2 * 2
    assert {row[2] for row in report.grades} == {"E1", "E2"}
    assert "boris" not in json.dumps([report.data, report.grades])


def test_only_who_agreed_is_named(graded, boris):
    from accounts import people

    people.set_profile(boris, {"public_name": "Борис Годный", "years_with_1c": 12, "areas": "торговля", "is_public": True})
    graded()
    assert Report.objects.get().data["people"] == [{"name": "Борис Годный", "years": 12, "areas": "торговля"}]


def test_grades_after_the_reveal_do_not_enter_the_agreement(make_round, boris):
    round_ = make_round()
    slot = grading.take_next(round_, boris)
    grading.submit(slot, boris, Sheet(dict.fromkeys("SMO", 2)))
    slot.refresh_from_db()
    grading.revise(slot, boris, Sheet(dict.fromkeys("SMO", 4)), "ошибся клавишей")
    grading.reveal(slot, boris)
    grading.revise(slot, boris, Sheet(dict.fromkeys("SMO", 10)), "увидел машину")
    assert [row.grade for row in agreement.grades(round_).rows["S"]] == [4]


# -- disputes ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def disputed(make_round, boris, vera):
    """Boris and Vera differ by two steps on S and by one on M."""
    round_ = make_round()
    slot = grading.take_next(round_, boris)
    grading.submit(slot, boris, Sheet({"S": 4, "M": 8, "O": 8}, {"S": "canary-comment"}))
    other = slot.item.slots.exclude(pk=slot.pk).get()
    type(other).objects.filter(pk=other.pk).update(state="held", expert=vera)
    other.refresh_from_db()
    grading.submit(other, vera, Sheet({"S": 8, "M": 10, "O": 8}))
    return round_, slot.item


def test_more_than_one_step_is_a_dispute(disputed):
    round_, item = disputed
    assert [(entry.item, entry.axis, [value for value, _ in entry.grades]) for entry in disputes.disputes(round_)] == [(item, "S", [4, 8])]


def test_a_third_person_decides_once_and_nobody_their_own(disputed, anna, boris):
    round_, item = disputed
    with pytest.raises(DisputeError):
        disputes.adjudicate(boris, item, "S", 6, "")
    with pytest.raises(DisputeError):
        disputes.adjudicate(anna, item, "S", 5, "")
    disputes.adjudicate(anna, item, "S", 6, "скорее шесть")
    with pytest.raises(DisputeError):
        disputes.adjudicate(anna, item, "S", 8, "")
    assert Adjudication.objects.get().value == 6
    report = agreement.live_report(round_)["axes"][0]
    assert report["adjudicated"]["answers"] == 1 and report["answers"] == 1 and report["grades"] == 2


def test_what_nobody_disputes_is_not_decided(disputed, anna, vera, make_round):
    """An expert of the round could else decide first and grade later."""
    round_, item = disputed
    untouched = round_.items.exclude(pk=item.pk).first()
    for someone, about, axis in ((anna, item, "M"), (anna, untouched, "S"), (vera, untouched, "S")):
        with pytest.raises(DisputeError, match="nobody disputes"):
            disputes.adjudicate(someone, about, axis, 6, "")
    assert not Adjudication.objects.exists()


ODD_NUMBERS = ["", "\x00", "²", "٣", "-1", "1e999", "NaN", "[]", "9" * 19, "9" * 5000, "ё"]


@pytest.mark.parametrize("number", ODD_NUMBERS)
def test_odd_numbers_in_forms_are_no_failures(disputed, anna, tools, number):
    round_, item = disputed
    boss = tools.visitor(anna)
    for name, data in [
        ("oracle_ticket", {"item": number, "axis": "S"}), ("adjudicate", {"item": number, "axis": "S", "value": "6"}),
        ("adjudicate", {"item": item.pk, "axis": "S", "value": number}),
    ]:  # fmt: skip
        assert boss.post(reverse(f"review:{name}", args=[round_.slug]), data).status_code in (302, 403, 404), data
    good = {"title": "t", "purpose": "validation", "category": "A", "axes": "S", "size": "10", "graders": "2", "overlap": "100", "gold": "0"}
    for name in ("size", "graders", "overlap", "gold", "seed", "experts"):
        assert boss.post(reverse("review:round_new"), good | {"experts": anna.pk, name: number, "plan": "1"}).status_code in (200, 400), name
    assert not Adjudication.objects.exists()


def test_the_adjudicator_sees_grades_without_names_and_without_the_machine(disputed, anna, tools):
    round_, item = disputed
    page = tools.visitor(anna).get(reverse("review:adjudication", args=[round_.slug])).content.decode()
    assert "canary-comment" in page
    for secret in ("boris", "vera", "canary-network", "canary-test", f"/answers/{item.answer_id}"):
        assert secret not in page


def test_a_ticket_marks_the_task_until_it_is_closed(disputed, anna, tools):
    round_, item = disputed
    tools.visitor(anna).post(reverse("review:oracle_ticket", args=[round_.slug]), {"item": item.pk, "axis": "S", "text": "проверить"})
    assert reviewing.marks().doubted == {item.answer.task_id}
    ticket = item.tickets.get()
    with pytest.raises(DisputeError):
        disputes.close_ticket(anna, ticket, " ")
    disputes.close_ticket(anna, ticket, "тест верен")
    assert reviewing.marks().doubted == frozenset()


def test_what_if_judges_stored_evidence_by_another_text(bank, anna, tools):
    client = tools.visitor(anna)
    page = client.get(reverse("review:what_if"))
    text = page.context["text"]
    same = client.post(reverse("review:what_if"), {"category": "A", "text": text})
    assert same.status_code == 200 and same.context["found"].answers == 96
    broken = client.post(reverse("review:what_if"), {"category": "A", "text": text.replace("cluster_gap: 3", "cluster_gap: x")})
    assert broken.status_code == 400 and broken.context["findings"]
