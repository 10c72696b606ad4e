"""From a draft to the board: only what was validated, only by a maintainer; quarantine; what a new version changes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from authoring import comparing, drafts, publishing
from authoring.models import Draft, DraftEvent
from scoring.models import Answer, ScoreJob, Task, TaskBundle, TaskStatus, Validation, ValidationReason
from scoring.services import measuring, scores, stacks, validating
from tests.authoring.conftest import validated

pytestmark = pytest.mark.django_db


def address(name, draft):
    return reverse(f"authoring:{name}", args=[draft.key])


def published(draft, anna, mira):
    checked = validated(draft, anna)
    publishing.submit(anna, checked)
    task = publishing.publish(mira, checked)
    measuring.close_pipeline()
    return task


def test_nothing_unvalidated_is_handed_in(draft, anna):
    with pytest.raises(publishing.Refused):
        publishing.submit(anna, draft)
    checked = validated(draft, anna)
    changed = drafts.save(anna, checked, checked.revision, {**checked.files, "README.md": "new"})
    changed.files["canonical.bsl"] += "\n"
    changed = drafts.save(anna, changed, changed.revision, changed.files)
    with pytest.raises(publishing.Refused):
        publishing.submit(anna, Draft.objects.select_related("validation").get(pk=changed.pk))


def test_a_draft_with_errors_is_not_published(draft, anna, mira):
    files = {**draft.files, "submissions/wrong_answer/right.bsl": draft.files["canonical.bsl"]}
    broken = validated(drafts.save(anna, draft, 1, files), anna)
    assert broken.validation.state == "done" and not broken.validation.publishable
    with pytest.raises(publishing.Refused):
        publishing.submit(anna, broken)


def test_a_maintainer_publishes_and_the_log_says_so(draft, anna, mira, logged_in):
    checked = validated(draft, anna)
    assert logged_in(anna).post(address("submit", checked)).status_code == 302
    assert logged_in(anna).post(address("decide", checked), {"decision": "publish"}).status_code == 403
    assert not Task.objects.exists()
    logged_in(mira).post(address("decide", checked), {"decision": "publish"})
    measuring.close_pipeline()
    task = Task.objects.get(key="GAP")
    assert task.status == TaskStatus.PUBLISHED and task.bundle.digest == checked.digest
    assert Answer.objects.filter(task=task, network__is_control=True).count() == 4
    done = DraftEvent.objects.filter(draft=checked.key).values_list("action", "actor", "digest")
    assert ("published", mira.pk, checked.digest) in done and ("submitted", anna.pk, checked.digest) in done


def test_a_draft_can_be_returned_with_a_note(draft, anna, mira, logged_in):
    checked = validated(draft, anna)
    logged_in(anna).post(address("submit", checked))
    logged_in(mira).post(address("decide", checked), {"decision": "return", "note": "Мало граничных случаев"})
    assert Draft.objects.get().state == "returned"
    assert "Мало граничных случаев" in logged_in(anna).get(address("draft", checked)).content.decode()


def test_an_id_that_is_taken_is_refused(draft, anna, mira):
    published(draft, anna, mira)
    twin = validated(drafts.create(anna, {**draft.files, "README.md": "x"}), anna)
    publishing.submit(anna, twin)
    with pytest.raises(publishing.Refused):
        publishing.publish(mira, twin)


def test_a_new_version_leaves_the_old_one_readable(draft, anna, mira, logged_in):
    task = published(draft, anna, mira)
    logged_in(anna).post(reverse("authoring:draft_of", args=["GAP"]))
    second = Draft.objects.order_by("-pk").first()
    assert second.task == task and second.files == draft.files
    tests = second.files["tests.yaml"] + "  - {name: a far pair, args: [[0, 1, 2, 30]], expected: 28}\n"
    second = drafts.save(anna, second, 1, {**second.files, "tests.yaml": tests})
    page = logged_in(anna).get(address("changes", second)).content.decode()
    assert "a far pair" in page
    published(second, anna, mira)
    assert [bundle.number for bundle in TaskBundle.objects.filter(task=task).order_by("number")] == [1, 2]
    page = logged_in(anna).get(reverse("authoring:versions", args=["GAP"]), {"old": "1", "new": "2"}).content.decode()
    assert "a far pair" in page


def test_a_comparison_names_the_answers_whose_scores_change(draft, anna, mira, logged_in):
    task = published(draft, anna, mira)
    stack = measuring.current_stack()
    for answer in Answer.objects.filter(task=task):
        bundle = measuring.bank.read_bundle(task.bundle)
        result = measuring.pipeline().score(answer.response, bundle)
        scores.build_score(answer, stack, task.bundle, result.card, result.fall, result.evidence).save()
    stacks.show_stack("A", stack)
    # Two tests fewer: the answer that misses the last pair loses less.
    tests = "\n".join(line for line in draft.files["tests.yaml"].split("\n") if "last pair" not in line)
    second = drafts.create(anna, {**draft.files, "tests.yaml": tests}, task=task)
    comparing.ask(second)
    comparing.compare(second.pk, second.digest)
    measuring.close_pipeline()
    rows = Draft.objects.get(pk=second.pk).comparison["rows"]
    assert {row["file"] for row in rows} == {"submissions/wrong_answer/last_pair_lost.bsl", "submissions/wrong_answer/whole_range.bsl"}
    assert all(row["old"]["M"] != row["new"]["M"] for row in rows)
    page = logged_in(anna).get(address("changes", second)).content.decode()
    assert "last_pair_lost" in page


def test_a_task_that_stops_holding_is_quarantined_and_its_author_told(draft, anna, mira, logged_in, monkeypatch):
    task = published(draft, anna, mira)
    monkeypatch.setattr(validating, "engine_name", lambda: "another engine")
    assert validating.revalidate() == 1
    assert validating.revalidate() == 0
    row = Validation.objects.get(reason=ValidationReason.NIGHTLY)
    # The engine of tomorrow disagrees with the reference.
    Validation.objects.filter(pk=row.pk).update(files={**row.files, "canonical.bsl": row.files["canonical.bsl"].replace("> Наиб", "< Наиб")})
    validating.drain()
    task.refresh_from_db()
    assert task.status == TaskStatus.QUARANTINED and "reference_fails" in task.status_reason
    assert "GAP" in logged_in(anna).get(reverse("authoring:home")).content.decode().split("На карантине")[1]
    page = logged_in(mira).get(reverse("authoring:versions", args=["GAP"])).content.decode()
    assert "reference_fails" in page
    logged_in(mira).post(reverse("authoring:quarantine", args=["GAP"]), {"decision": "restore"})
    task.refresh_from_db()
    assert task.status == TaskStatus.PUBLISHED


def test_a_task_that_holds_stays(draft, anna, mira, monkeypatch):
    task = published(draft, anna, mira)
    monkeypatch.setattr(validating, "engine_name", lambda: "another engine")
    validating.revalidate()
    validating.drain()
    task.refresh_from_db()
    assert task.status == TaskStatus.PUBLISHED
    assert validating.revalidate() == 0


def test_only_a_maintainer_decides_on_quarantine(draft, anna, mira, logged_in):
    published(draft, anna, mira)
    assert logged_in(anna).post(reverse("authoring:quarantine", args=["GAP"]), {"reason": "x"}).status_code == 403
    logged_in(mira).post(reverse("authoring:quarantine", args=["GAP"]), {"reason": "спорное условие"})
    assert Task.objects.get().status == TaskStatus.QUARANTINED
    assert DraftEvent.objects.filter(action="quarantined", task="GAP", actor=mira.pk).exists()


def test_published_tasks_are_validated_again_every_day_and_on_a_new_engine(draft, anna, mira, monkeypatch):
    from datetime import timedelta

    from django.utils import timezone

    published(draft, anna, mira)
    assert validating.revalidate_when_due() == 0
    ScoreJob.objects.all().delete()  # scoring comes first, and is done
    assert validating.revalidate_when_due() == 0
    monkeypatch.setattr(validating, "engine_name", lambda: "another engine")
    assert validating.revalidate_when_due() == 1
    assert validating.revalidate_when_due() == 0
    validating.drain()
    assert validating.revalidate_when_due() == 0
    Validation.objects.update(created_at=timezone.now() - timedelta(days=1, hours=1))
    assert validating.revalidate_when_due() == 1
