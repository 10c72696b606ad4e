"""Validations end, whatever happens to their worker; they can be cancelled and asked for again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from authoring import drafts
from authoring.models import Draft
from scoring.models import Validation
from scoring.services import validating, work

pytestmark = pytest.mark.django_db


def test_a_validation_runs_and_reports(draft, anna, logged_in):
    drafts.ask_validation(anna, draft)
    client = logged_in(anna)
    waiting = client.get(reverse("authoring:status", args=[draft.key])).json()
    assert waiting["state"] == "queued" and waiting["share"] == 0
    validating.drain()
    done = client.get(reverse("authoring:status", args=[draft.key])).json()
    assert done["state"] == "done"
    row = Validation.objects.get()
    assert row.publishable and row.strength == 1.0 and row.band == "strong"
    page = client.get(reverse("authoring:draft", args=[draft.key])).content.decode()
    assert "Задачу можно публиковать" in page and "Сила тестов" in page


def test_a_validation_of_broken_files_is_done_too(draft, anna):
    broken = drafts.save(anna, draft, 1, {"task.yaml": "id: [", "tests.yaml": "тесты"})
    drafts.ask_validation(anna, broken)
    validating.drain()
    row = Validation.objects.get()
    assert row.state == "done" and not row.publishable and row.strength is None


def test_saving_and_asking_again_stops_the_older_one(draft, anna):
    drafts.ask_validation(anna, draft)
    changed = drafts.save(anna, draft, 1, {**draft.files, "canonical.bsl": draft.files["canonical.bsl"] + "\n"})
    drafts.ask_validation(anna, Draft.objects.select_related("validation").get(pk=changed.pk))
    assert list(Validation.objects.order_by("pk").values_list("state", flat=True)) == ["cancelled", "queued"]


def test_asking_twice_for_the_same_files_asks_once(draft, anna):
    drafts.ask_validation(anna, draft)
    drafts.ask_validation(anna, Draft.objects.select_related("validation").get(pk=draft.pk))
    assert Validation.objects.count() == 1


def test_a_queued_validation_is_cancelled_at_once(draft, anna, logged_in):
    drafts.ask_validation(anna, draft)
    logged_in(anna).post(reverse("authoring:cancel", args=[draft.key]))
    assert Validation.objects.get().state == "cancelled"
    assert validating.drain() == 0


def test_a_running_validation_stops_soon_after_it_is_told(draft, anna, monkeypatch):
    drafts.ask_validation(anna, draft)
    row = validating.claim_next(work.new_token())
    monkeypatch.setattr(validating, "TELL_SECONDS", 0.0)
    assert validating.cancel(row)
    validating.run(row)
    row.refresh_from_db()
    assert row.state == "cancelled" and row.report is None


def test_a_cancel_is_not_lost_while_the_validation_of_a_dead_worker_goes_back(draft, anna):
    drafts.ask_validation(anna, draft)
    row = validating.claim_next("elsewhere:1:x")
    Validation.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    written = []

    def given_back_meanwhile(execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        if sql.startswith("UPDATE") and not written:
            written.append(sql)
            validating.release_lost()
        return found

    with connection.execute_wrapper(given_back_meanwhile):
        assert validating.cancel(row)
    row.refresh_from_db()
    assert written and row.state == "cancelled"


def test_a_cancel_after_the_sweep_has_read_the_row_is_not_lost(draft, anna):
    drafts.ask_validation(anna, draft)
    read = validating.claim_next("elsewhere:1:x")
    assert validating.cancel(Validation.objects.get(pk=read.pk)) and not read.cancel_requested
    assert validating._release(read) == 1
    read.refresh_from_db()
    assert read.state == "cancelled"


@pytest.fixture
def two_waiting(draft, monkeypatch):
    """Two queued validations, and the calls for workers."""
    calls = []
    monkeypatch.setattr(validating, "wake", lambda: calls.append("wake"))
    monkeypatch.setattr(validating, "measured", lambda files, teller: (_ for _ in ()).throw(RuntimeError("not measured here")))
    for number in range(2):
        validating.request({**draft.files, "canonical.bsl": f"// {number}"})
    return calls


def test_a_worker_leaves_validations_after_its_time_and_calls_for_the_rest(two_waiting):
    assert validating.drain(seconds=0.0) == 1
    states = list(Validation.objects.order_by("pk").values_list("state", flat=True))
    assert states == ["failed", "queued"] and two_waiting == ["wake"]
    assert validating.drain(seconds=0.0) == 1 and two_waiting == ["wake"]


def test_a_worker_that_is_to_stop_begins_no_validation(two_waiting, monkeypatch):
    monkeypatch.setattr("scoring.queue.is_stopping", lambda: True)
    assert validating.drain() == 0 and two_waiting == ["wake"]


def test_an_error_of_ours_ends_in_failed_with_its_reason(draft, anna, monkeypatch):
    drafts.ask_validation(anna, draft)

    def broken(*_: object) -> None:
        raise RuntimeError("the bench broke")

    monkeypatch.setattr(validating, "measured", broken)
    validating.drain()
    row = Validation.objects.get()
    assert row.state == "failed" and "the bench broke" in row.error


def test_a_dead_worker_gives_its_validation_back(draft, anna):
    drafts.ask_validation(anna, draft)
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    host = work.new_token().split(":")[0]
    row = validating.claim_next(f"{host}:{child.pid}:x")
    assert validating.release_lost() == 1
    row.refresh_from_db()
    assert row.state == "queued" and row.token == ""


def test_an_expired_lease_is_given_back_and_its_former_holder_stores_nothing(draft, anna):
    drafts.ask_validation(anna, draft)
    row = validating.claim_next("elsewhere:1:x")
    Validation.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert validating.release_lost() == 1
    report = validating.measured(row.files)
    assert not validating.finish(row, report)
    row.refresh_from_db()
    assert row.state == "queued" and row.report is None


def test_a_validation_that_kills_its_workers_fails_in_the_end(draft, anna):
    drafts.ask_validation(anna, draft)
    for _ in range(validating.MOST_ATTEMPTS):
        row = validating.claim_next("elsewhere:1:x")
        Validation.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        validating.release_lost()
    row.refresh_from_db()
    assert row.state == "failed" and "died" in row.error


def test_a_cancelled_one_is_not_taken_up_again(draft, anna):
    drafts.ask_validation(anna, draft)
    row = validating.claim_next("elsewhere:1:x")
    validating.cancel(row)
    Validation.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    validating.release_lost()
    row.refresh_from_db()
    assert row.state == "cancelled"


WORKER = """
import django, sys, time
django.setup()
from scoring.services import validating, work
from scoring.validation import whole
row = validating.claim_next(work.new_token())
tell = validating._Teller.__call__
def slow(self, progress):
    tell(self, progress)
    if progress.stage == "mutants":
        print("mutants", flush=True)
        time.sleep(3600)
validating._Teller.__call__ = slow
validating.run(row)
"""


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_leaves_no_orphans_and_its_work_is_resumed(draft, anna):
    if connection.settings_dict["NAME"] == ":memory:" or "mode=memory" in str(connection.settings_dict["NAME"]):
        pytest.skip("the database of this run is private to its process")
    drafts.ask_validation(anna, draft)
    root = Path(__file__).resolve().parents[2]
    address = connection.settings_dict["NAME"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "prism_site.settings", "PYTHONPATH": str(root)}
    environment["DATABASE_URL"] = f"sqlite:///{address}" if connection.vendor == "sqlite" else os.environ["DATABASE_URL"]
    worker = subprocess.Popen([sys.executable, "-c", WORKER], env=environment, cwd=root, stdout=subprocess.PIPE, text=True)
    assert worker.stdout and worker.stdout.readline().strip() == "mutants"
    children = children_of(worker.pid)
    assert children
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert gone(children)
    assert Validation.objects.get().state == "claimed"
    assert validating.drain() == 1
    row = Validation.objects.get()
    assert row.state == "done" and row.attempts == 2 and row.publishable


def children_of(pid: int) -> list[int]:
    return [int(word) for task in Path(f"/proc/{pid}/task").iterdir() for word in (task / "children").read_text().split()]


def gone(pids: list[int]) -> bool:
    """Are the processes gone, at the latest after a time that no load takes?"""
    deadline = time.monotonic() + 120
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
