"""The bank: what an import stores, what it refuses, and that versions never change."""

from __future__ import annotations

import pytest

from scoring.findings import FaultyData
from scoring.models import Answer, ImmutableRowError, Network, Task, TaskBundle, TaskStatus
from scoring.services import bank
from scoring.services.versions import data_version

pytestmark = pytest.mark.django_db


def test_a_bundle_becomes_a_task_a_version_and_its_controls(write_bundle):
    counts = bank.import_folder(write_bundle())

    task = Task.objects.get()
    assert (task.key, task.category, task.status, task.skills) == ("SUM", "A", TaskStatus.PUBLISHED, ["числа"])
    assert task.bundle.number == 1 and "canonical.bsl" in task.bundle.files
    assert (counts.tasks, counts.versions, counts.controls) == (1, 1, 3)
    kinds = set(Answer.objects.values_list("network__name", "control_file"))
    assert kinds == {
        ("control/reference", "canonical.bsl"),
        ("control/too_slow", "perf_baseline.bsl"),
        ("control/wrong_answer", "submissions/wrong_answer/minus.bsl"),
    }
    assert all(Network.objects.filter(answers__isnull=False).values_list("is_control", flat=True))


def test_the_same_content_again_stores_nothing_and_keeps_the_pages_cached(write_bundle):
    folder = write_bundle()
    bank.import_folder(folder)
    before = data_version()

    counts = bank.import_folder(folder)

    assert (counts.versions, counts.unchanged, counts.controls) == (0, 1, 0)
    assert TaskBundle.objects.count() == 1 and data_version() == before


def test_changed_content_is_a_further_version_and_the_old_one_stays_as_it_was(write_bundle):
    bank.import_folder(write_bundle())
    first = TaskBundle.objects.get()

    bank.import_folder(write_bundle(**{"tests.yaml": "tests:\n  - {args: [2, 2], expected: 4}\n"}))

    task = Task.objects.get()
    assert task.bundle.number == 2 and task.bundle.digest != first.digest
    assert bank.read_bundle(first).tests.cases[0].args == (["n", "1"], ["n", "2"])
    assert len(bank.read_bundle(task.bundle).tests.cases) == 1


def test_returning_to_former_content_returns_to_its_version(write_bundle):
    bank.import_folder(write_bundle())
    bank.import_folder(write_bundle(**{"canonical.bsl": "// иначе\n" + "Функция Сложить(А, Б)\nВозврат Б + А;\nКонецФункции"}))

    bank.import_folder(write_bundle())

    assert Task.objects.get().bundle.number == 1 and TaskBundle.objects.count() == 2


def test_a_stored_version_refuses_to_be_saved_again(write_bundle):
    bank.import_folder(write_bundle())
    stored = TaskBundle.objects.get()
    stored.files = {}
    with pytest.raises(ImmutableRowError):
        stored.save()


def test_a_changed_control_is_a_further_revision_and_a_vanished_one_is_no_longer_current(write_bundle):
    bank.import_folder(write_bundle())

    changed = "Функция Сложить(А, Б) Экспорт\n\tВозврат А * Б;\nКонецФункции\n"
    bank.import_folder(write_bundle(**{"submissions/wrong_answer/minus.bsl": changed, "perf_baseline.bsl": None, "perf.yaml": None}))

    wrong = Answer.objects.filter(network__name="control/wrong_answer").order_by("revision")
    assert [(answer.revision, answer.is_current) for answer in wrong] == [(1, False), (2, True)]
    assert not Answer.objects.filter(network__name="control/too_slow", is_current=True).exists()


def test_files_that_publishing_needs_make_a_draft_unless_told_otherwise(write_bundle):
    folder = write_bundle(**{"canonical.bsl": None})
    bank.import_folder(folder)
    task = Task.objects.get()
    assert task.status == TaskStatus.DRAFT and "canonical.bsl" in task.status_reason

    write_bundle("SUM", **{"canonical.bsl": None, "tests.yaml": "tests:\n  - {args: [1, 1], expected: 2}\n"})
    bank.import_folder(folder, publish=True)
    assert Task.objects.get().status == TaskStatus.PUBLISHED


def test_one_faulty_bundle_keeps_all_out_and_every_fault_is_named(write_bundle):
    write_bundle("GOOD")
    folder = write_bundle("BAD", **{"tests.yaml": "tests: []\n", "canonicl.bsl": "x"})

    with pytest.raises(FaultyData) as caught:
        bank.import_folder(folder)

    told = str(caught.value)
    assert "BAD/tests.yaml" in told and "BAD/canonicl.bsl" in told and "canonical.bsl" in told
    assert not Task.objects.exists() and not Answer.objects.exists()


def test_a_task_does_not_change_its_category(write_bundle):
    bank.import_folder(write_bundle())
    Task.objects.update(category="B")
    with pytest.raises(FaultyData, match="category"):
        bank.import_folder(write_bundle(**{"tests.yaml": "tests:\n  - {args: [1, 1], expected: 2}\n"}))


def test_a_folder_without_bundles_is_told(tmp_path):
    with pytest.raises(FaultyData, match="no bundle"):
        bank.import_folder(tmp_path)


def test_a_quarantined_task_stays_there_when_its_bundle_changes(write_bundle):
    bank.import_folder(write_bundle())
    Task.objects.update(status=TaskStatus.QUARANTINED)
    bank.import_folder(write_bundle(**{"tests.yaml": "tests:\n  - {args: [1, 1], expected: 2}\n"}))
    assert Task.objects.get().status == TaskStatus.QUARANTINED


def test_private_stays_private(write_bundle):
    folder = write_bundle()
    bank.import_folder(folder, private=True)
    bank.import_folder(write_bundle(**{"tests.yaml": "tests:\n  - {args: [1, 1], expected: 2}\n"}))
    assert Task.objects.get().is_private
