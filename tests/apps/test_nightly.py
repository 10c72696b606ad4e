"""The nightly cross-check: when it is due, who carries it out, how it gives way, dies, goes on and ends, and what is kept of it."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.utils import timezone

from prism_site import environment
from scoring import queue
from scoring.evidence import InstrumentFailed, Observed, Place, StaticFacts, SyntaxFacts, SyntaxFinding
from scoring.fidelity.cross import joined
from scoring.findings import FaultyData
from scoring.management.commands import scoring_worker
from scoring.models import Answer, AnswerStatus, CrossCheck, CrossCheckReason, Edition, JobState, Network, Task
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import load_protocol
from scoring.services import bank, crosscheck, health, nightly, work

NIGHT = datetime(2026, 3, 10, 3, 0, tzinfo=UTC)
DEAD = "another-host:1:dead"


class Says:
    """An engine that finds an error in every answer, or none, and remembers whom it was asked about."""

    def __init__(self, name: str, errors: int, asked: list[str]) -> None:
        self.name, self.number, self.errors, self.asked = name, "1", errors, asked

    def version(self) -> str:
        return self.number

    def prepare(self, texts: Any) -> None:
        return

    @contextlib.contextmanager
    def examine(self, module: Any, bundle: Any) -> Any:
        self.asked.append(module.whole)
        yield self

    def check(self) -> Any:
        if self.errors < 0:
            raise RuntimeError("the engine broke")
        return Observed(SyntaxFacts(tuple(SyntaxFinding("parse_error", "слова", Place(1 + 9 * n)) for n in range(self.errors))))

    def run_tests(self) -> Any:
        return InstrumentFailed("instrument", "")

    def count_work(self) -> Any:
        return Observed(StaticFacts())


class Engines:
    """Two engines for category A, none for B; `present` and `version` change like what is installed."""

    def __init__(self) -> None:
        self.present, self.version, self.errors, self.closed = True, "1", 1, 0
        self.asked: list[str] = []

    def missing(self, category: str) -> str:
        return "" if self.present and category == "A" else "genuine: not installed"

    def make(self, category: str) -> Any:
        protocol = load_protocol()
        ours, theirs = Says("builtin", 0, []), Says("genuine", self.errors, self.asked)
        theirs.number = self.version
        stack = Stack(theirs, ours, ours) if self.present else Stack.of(ours)
        return self, Pipeline(Stack.of(ours), protocol), Pipeline(stack, protocol)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Engines:
    made = Engines()
    monkeypatch.setattr(crosscheck, "missing_engines", made.missing)
    monkeypatch.setattr(crosscheck, "present_engines", made.make)
    monkeypatch.setattr("scoring.queue.others_wait", lambda: False)
    rules_with(monkeypatch, least_seconds=0)
    settings.PRISM_CROSS_CHECK_HOUR, settings.PRISM_TIME_ZONE = 2, UTC
    return made


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Wake-up calls, counted and not sent."""
    found: list[int] = []
    monkeypatch.setattr(nightly, "wake", lambda: found.append(1))
    return found


@pytest.fixture
def stored(db: None, write_bundle: Any, engines: Engines, calls: list[int]) -> list[Answer]:
    """Six answers to a task of category A."""
    bank.import_folder(write_bundle(), publish=True)
    Answer.objects.all().delete()
    edition, _ = Edition.objects.get_or_create(slug="core", defaults={"name": "core"})
    network = Network.objects.create(name="Net", slug="net")
    cell = {"edition": edition, "task": Task.objects.get(key="SUM"), "network": network, "status": AnswerStatus.ANSWERED}
    return [Answer.objects.create(**cell, run_index=n, response=f"Функция Сложить(А, Б) Экспорт Возврат {n}; КонецФункции") for n in range(6)]


def rules_with(monkeypatch: pytest.MonkeyPatch, **changes: int) -> None:
    changed = dataclasses.replace(crosscheck.rules(), **changes)
    monkeypatch.setattr(crosscheck, "rules", lambda: changed)


def planned() -> CrossCheck:
    assert nightly.plan_when_due(NIGHT) == 1
    return CrossCheck.objects.get()


def stop_after(monkeypatch: pytest.MonkeyPatch, answers: int) -> None:
    """Other work comes up after so many more answers."""
    left = [answers]

    def others_wait(self: Any) -> bool:
        left[0] -= 1
        return left[0] <= 0

    monkeypatch.setattr(nightly._Slice, "_others_wait", others_wait)


# -- when --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hour", "zone", "moment", "night"),
    [
        (2, "Europe/Moscow", "2026-03-09T22:59", None),
        (2, "Europe/Moscow", "2026-03-09T23:00", date(2026, 3, 10)),
        (2, "Europe/Moscow", "2026-03-10T02:59", date(2026, 3, 10)),
        (2, "Europe/Moscow", "2026-03-10T03:00", None),
        (23, "UTC", "2026-03-10T00:30", date(2026, 3, 9)),
        (23, "UTC", "2026-03-09T23:30", date(2026, 3, 9)),
        # The clock is put back from three to two: the second two o'clock is the same night.
        (2, "Europe/Berlin", "2026-10-25T00:30", date(2026, 10, 25)),
        (2, "Europe/Berlin", "2026-10-25T01:30", date(2026, 10, 25)),
        (None, "UTC", "2026-03-10T03:00", None),
    ],
)
def test_the_night_goes_by_the_local_clock(settings, hour, zone, moment, night):
    settings.PRISM_CROSS_CHECK_HOUR, settings.PRISM_TIME_ZONE = hour, ZoneInfo(zone)
    assert nightly.night_of(datetime.fromisoformat(moment).replace(tzinfo=UTC)) == night


def test_the_next_night_is_told(stored, settings):
    settings.PRISM_TIME_ZONE = ZoneInfo("Europe/Moscow")
    assert nightly.next_night(datetime(2026, 3, 10, 12, tzinfo=UTC), "A") == datetime(2026, 3, 10, 23, tzinfo=UTC)
    assert nightly.next_night(datetime(2026, 3, 10, 22, tzinfo=UTC), "A") == datetime(2026, 3, 10, 23, tzinfo=UTC)
    inside = datetime(2026, 3, 10, 23, 30, tzinfo=UTC)
    assert nightly.next_night(inside, "A") == inside
    nightly.plan_when_due(inside)
    assert nightly.next_night(inside, "A") == datetime(2026, 3, 11, 23, tzinfo=UTC)
    settings.PRISM_CROSS_CHECK_HOUR = None
    assert nightly.next_night(inside, "A") is None


@pytest.mark.parametrize(("text", "hour"), [("", 2), ("0", 0), ("23", 23), ("off", None), (" OFF ", None)])
def test_the_hour_is_a_setting(text, hour):
    assert environment.hour({"X": text}, "X", 2) == hour


@pytest.mark.parametrize("text", ["24", "-1", "2.5", "never", "²"])
def test_an_odd_hour_is_refused(text):
    with pytest.raises(ImproperlyConfigured, match="X="):
        environment.hour({"X": text}, "X", 2)


def test_the_zone_is_named_or_the_machines(tmp_path):
    assert environment.time_zone({"PRISM_TIME_ZONE": "Asia/Tokyo"}) == ZoneInfo("Asia/Tokyo")
    assert environment.time_zone({}, tmp_path / "none") is UTC


@pytest.mark.parametrize("name", ["../etc/passwd", "/etc/passwd", "Europe", "Moscow", ".", "UTC+3", "МСК", "a" * 300, "a/" * 3000, "Eu\nrope", "\udcff"])
def test_an_odd_zone_is_refused(name):
    with pytest.raises(ImproperlyConfigured, match="PRISM_TIME_ZONE"):
        environment.time_zone({"PRISM_TIME_ZONE": name})


# -- planned once ------------------------------------------------------------------------------------------------------


def test_a_night_has_one_check_whoever_looks_and_however_often(stored, calls, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert [nightly.plan_when_due(NIGHT + timedelta(minutes=n)) for n in range(3)] == [1, 0, 0]
    row = CrossCheck.objects.get()
    assert (row.category, row.reason, row.night, row.state) == ("A", "nightly", NIGHT.date(), "queued") and len(calls) == 1
    while nightly.drain():
        pass
    assert nightly.plan_when_due(NIGHT) == 0 and nightly.plan_when_due(NIGHT + timedelta(days=1)) == 1


def test_workers_who_looked_at_the_same_moment_store_one_row(stored):
    """Each of them saw that nothing was planned yet."""
    rows = [nightly._stored("A", CrossCheckReason.NIGHTLY, NIGHT.date()) for _ in range(4)]
    assert [row is not None for row in rows] == [True, False, False, False]


@pytest.mark.django_db(transaction=True)
def test_workers_that_look_together_plan_one_check(write_bundle, engines, calls):
    bank.import_folder(write_bundle(), publish=True)
    assert crosscheck.draw("A", 1)
    start = threading.Barrier(4)

    def look() -> None:
        start.wait()
        nightly.plan_when_due(NIGHT)
        connection.close()

    workers = [threading.Thread(target=look) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert CrossCheck.objects.count() == 1


def test_nothing_is_planned_by_day_without_an_engine_without_answers_or_when_off(stored, engines, settings):
    assert nightly.plan_when_due(NIGHT.replace(hour=12)) == 0
    engines.present = False
    assert nightly.plan_when_due(NIGHT) == 0
    engines.present, settings.PRISM_CROSS_CHECK_HOUR = True, None
    assert nightly.plan_when_due(NIGHT) == 0
    settings.PRISM_CROSS_CHECK_HOUR = 2
    Answer.objects.all().delete()
    assert nightly.plan_when_due(NIGHT) == 0 and not CrossCheck.objects.exists()


def test_the_night_waits_for_an_open_check_and_then_has_its_own(stored):
    row, is_new = nightly.request("A")
    assert is_new and nightly.request("A") == (row, False)
    assert nightly.plan_when_due(NIGHT) == 0
    nightly.drain()
    assert nightly.plan_when_due(NIGHT) == 1


def test_the_housekeeping_of_workers_has_it(stored, monkeypatch):
    looked: list[datetime] = []
    monkeypatch.setattr(nightly, "plan_when_due", looked.append)
    monkeypatch.setattr("scoring.services.validating.housekeeping", lambda: None)
    monkeypatch.setattr("scoring.services.generating.wake", lambda: None)
    scoring_worker.tidy()
    assert len(looked) == 1


def test_faulty_rules_end_no_worker(db, settings, tmp_path, caplog):
    (tmp_path / "cross_check.yaml").write_text("version: 1\nsample: 0\nwhat: 1\n", "utf-8")
    settings.PRISM_METRICS_DIR = tmp_path
    with pytest.raises(FaultyData, match="what"):
        crosscheck.rules()
    nightly.housekeeping()
    assert "can't be planned" in caplog.text


# -- carried out -------------------------------------------------------------------------------------------------------


def test_a_check_runs_to_its_report(stored, engines):
    row = planned()
    assert nightly.drain() == 1
    row.refresh_from_db()
    assert (row.state, row.done, row.error, row.token, row.lease_until) == ("done", 6, "", "", None) and row.finished_at
    assert row.report["questions"]["syntax"] | {"kinds": 0} == {"n": 6, "equal": 0, "share": 0.0, "not_measured": 0, "kinds": 0}
    entry = row.report["disagreements"][0]
    assert entry["answer"] == stored[0].pk and entry["theirs"] == "1: слова" and row.report["drawn"] == 6
    assert engines.closed == 1 and nightly.drain() == 0


def test_it_gives_way_to_other_work_and_goes_on_where_it_was(stored, engines, calls, monkeypatch):
    row = planned()
    stop_after(monkeypatch, 2)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.done, row.token, row.attempts, row.report["answers"]) == ("queued", 2, "", 0, 2) and calls
    stop_after(monkeypatch, 99)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.done, row.report["answers"], row.report["questions"]["syntax"]["n"]) == ("done", 6, 6, 6)
    assert [entry["answer"] for entry in row.report["disagreements"]] == [answer.pk for answer in stored]
    assert len(engines.asked) == 6 == len(set(engines.asked))


def test_every_turn_gets_on_by_an_answer_however_much_waits(stored, monkeypatch):
    row = planned()
    monkeypatch.setattr(nightly._Slice, "_others_wait", lambda self: True)
    for done in range(1, 7):
        nightly.drain()
        row.refresh_from_db()
        assert row.done == done
    assert row.state == "done"


def test_a_turn_is_long_enough_to_be_worth_its_engines_start(stored, monkeypatch):
    row = planned()
    rules_with(monkeypatch, least_seconds=1000)
    monkeypatch.setattr(nightly._Slice, "_others_wait", lambda self: True)
    nightly.drain()
    row.refresh_from_db()
    assert row.state == "done"


def test_a_worker_that_is_to_stop_ends_after_the_answer_at_hand(stored, monkeypatch):
    row = planned()
    rules_with(monkeypatch, least_seconds=1000)
    monkeypatch.setattr("scoring.queue.is_stopping", lambda: True)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.done) == ("queued", 1)


def test_a_worker_gives_way_to_the_queues_it_serves(monkeypatch):
    waiting = {"generation": 1, "low": 5}
    monkeypatch.setattr(queue, "ensure", lambda: False)
    monkeypatch.setattr("django_rq.get_queue", lambda name: SimpleNamespace(count=waiting.get(name, 0)))
    monkeypatch.setattr(queue, "_served", ["scoring", "generation", "default", "low"])
    assert queue.others_wait()
    monkeypatch.setattr(queue, "_served", ["scoring", "low"])
    assert not queue.others_wait()


def test_answers_that_wait_to_be_scored_are_other_work(stored, monkeypatch):
    row = planned()
    monkeypatch.setattr(work, "is_waiting", lambda: True)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.done) == ("queued", 1)


def test_its_time_is_bounded_and_the_report_says_how_far_it_came(stored, monkeypatch):
    row = planned()
    stop_after(monkeypatch, 2)
    nightly.drain()
    CrossCheck.objects.update(seconds=60.0 * crosscheck.rules().minutes)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.report["answers"], row.report["drawn"]) == ("done", 2, 6)


def test_a_deleted_answer_is_left_out(stored, monkeypatch):
    row = planned()
    stop_after(monkeypatch, 2)
    nightly.drain()
    stored[3].delete(), stored[5].delete()
    stop_after(monkeypatch, 99)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.report["answers"]) == ("done", 4)


def killed(row: CrossCheck, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker takes the row, writes two answers down and is gone."""
    stop_after(monkeypatch, 2)
    nightly.drain()
    stop_after(monkeypatch, 99)
    claimed = nightly.claim_next(DEAD)
    assert claimed and claimed.pk == row.pk
    CrossCheck.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_killed_worker_costs_what_it_had_not_written_down(stored, engines, monkeypatch):
    row = planned()
    killed(row, monkeypatch)
    nightly.housekeeping()
    row.refresh_from_db()
    assert (row.state, row.done, row.attempts) == ("queued", 2, 1)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.report["answers"]) == ("done", 6) and len(set(engines.asked)) == len(engines.asked) == 6


def test_a_check_that_takes_its_workers_with_it_fails_and_the_next_night_is_another(stored, monkeypatch):
    row = planned()
    for _ in range(crosscheck.rules().attempts):
        assert nightly.claim_next(DEAD)
        CrossCheck.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        nightly.release_lost()
    row.refresh_from_db()
    assert row.state == "failed" and "died 3 times" in row.error and nightly.plan_when_due(NIGHT) == 0
    assert nightly.plan_when_due(NIGHT + timedelta(days=1)) == 1


def test_two_workers_never_hold_the_same_check(stored):
    planned()
    assert nightly.claim_next("one") and nightly.claim_next("two") is None


def test_a_worker_that_lost_its_lease_writes_nothing(stored, monkeypatch):
    row = planned()

    def taken_over(self: Any) -> bool:
        CrossCheck.objects.update(token="somebody else")
        return False

    monkeypatch.setattr(nightly._Slice, "_others_wait", taken_over)
    assert nightly.drain() == 1
    row.refresh_from_db()
    assert (row.state, row.token, row.done, row.report) == ("claimed", "somebody else", 0, None)


def test_engines_that_change_under_it_start_it_anew(stored, engines, monkeypatch):
    row = planned()
    stop_after(monkeypatch, 2)
    nightly.drain()
    engines.version, engines.asked[:] = "2", []
    stop_after(monkeypatch, 99)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.done, row.report) == ("queued", 0, None)
    nightly.drain()
    row.refresh_from_db()
    assert (row.state, row.report["answers"], row.report["theirs"]["syntax"]) == ("done", 6, "genuine 2")


def test_engines_that_change_again_and_again_end_it(stored, engines, monkeypatch):
    row = planned()
    for version in range(9):
        engines.version = str(version)
        stop_after(monkeypatch, 2)
        nightly.drain()
    row.refresh_from_db()
    assert row.state == "failed" and "changed again and again" in row.error


def test_an_engine_that_breaks_fails_the_check_with_its_words(stored, engines):
    row = planned()
    engines.errors = -1
    nightly.drain()
    row.refresh_from_db()
    assert row.state == "failed" and "the engine broke" in row.error and engines.closed == 1


def test_without_an_engine_a_worker_leaves_it_to_others_and_somebody_ends_it(stored, engines):
    row, _ = nightly.request("B")
    assert nightly.drain() == 0
    row.refresh_from_db()
    assert row.state == "queued"
    CrossCheck.objects.update(created_at=timezone.now() - timedelta(minutes=crosscheck.rules().patience_minutes + 1))
    nightly.drain()
    row.refresh_from_db()
    assert row.state == "failed" and "not installed" in row.error


def test_reports_of_different_engines_are_never_joined(stored, engines):
    def report() -> dict[str, Any]:
        found = crosscheck.check("A", crosscheck.sample("A", 2), True)
        assert found
        return found

    first = report()
    assert joined(first, first)["questions"]["syntax"]["n"] == 4
    engines.version = "2"
    with pytest.raises(ValueError, match="different engines"):
        joined(first, report())


def test_a_sample_is_the_same_for_the_same_stock_and_nearly_for_a_grown_one(stored):
    assert crosscheck.draw("A", 3) == crosscheck.draw("A", 3) and len(crosscheck.draw("A", 99)) == 6
    before = set(crosscheck.draw("A", 3))
    cell = {"edition": stored[0].edition, "task": stored[0].task, "network": stored[0].network, "status": AnswerStatus.ANSWERED}
    fresh = Answer.objects.create(**cell, run_index=77, response="x")
    assert set(crosscheck.draw("A", 3)) - before <= {fresh.pk}


# -- kept --------------------------------------------------------------------------------------------------------------


def made(number: int, **changes: Any) -> CrossCheck:
    report = crosscheck.check("A", crosscheck.sample("A", 2), True)
    assert report
    return crosscheck.keep(report | changes)


def test_the_stock_is_bounded_and_old_reports_keep_figures_only(stored, monkeypatch):
    rules_with(monkeypatch, kept=4, kept_with_words=2)
    rows = [made(number) for number in range(6)]
    kept = list(CrossCheck.objects.order_by("-pk"))
    assert [row.pk for row in kept] == [row.pk for row in rows[:1:-1]]
    assert [any("theirs" in entry for entry in row.report["disagreements"]) for row in kept] == [True, True, False, False]
    assert all(row.report["disagreements"][0]["kind"] == "root causes 0 / 1" for row in kept)


def test_an_open_check_is_no_stock(stored, monkeypatch):
    rules_with(monkeypatch, kept=1)
    row, _ = nightly.request("A")
    made(1), made(2)
    assert CrossCheck.objects.filter(pk=row.pk).exists() and CrossCheck.objects.count() == 2


def test_history_shows_what_changed(stored, engines):
    made(1)
    engines.version = "2"
    made(2), made(3, protocol="9.9", protocol_hash="abcdefghij")
    newest, middle, oldest = crosscheck.history("A", 0, 10)
    rules = load_protocol()
    assert newest.changed == ((f"L1 {rules.version} {rules.hash[:8]}", "L1 9.9 abcdefgh"),)
    assert middle.changed == (("genuine 1", "genuine 2"),) and oldest.changed == ()
    assert [entry.row.pk for entry in crosscheck.history("A", 1, 1)] == [middle.row.pk]
    assert crosscheck.history("A", 1, 1)[0].changed == middle.changed


# -- the doctor --------------------------------------------------------------------------------------------------------


def told(category: str = "A") -> health.Check:
    return next(check for check in health._cross_checks() if check.detail.startswith(category))


def test_the_doctor_tells_the_last_the_next_and_what_is_wrong(stored, engines, settings):
    assert (told().state, told("B").state) == ("note", "ok") and "never run" in told().detail and "worker" in told().cure
    assert "no genuine engine" in told("B").detail
    row = planned()
    assert "now queued" in told().detail
    nightly.drain()
    row.refresh_from_db()
    check = told()
    assert check.state == "ok" and f"{row.finished_at:%Y-%m-%d %H:%M} UTC (nightly): syntax 0 of 6 equal" in check.detail and "next 20" in check.detail
    CrossCheck.objects.update(created_at=timezone.now() - timedelta(days=3))
    assert told().state == "note" and "two days" in told().detail
    settings.PRISM_CROSS_CHECK_HOUR = None
    assert told().state == "ok" and "PRISM_CROSS_CHECK=off" in told().detail


def test_the_doctor_tells_a_failure(stored, engines):
    planned()
    engines.errors = -1
    nightly.drain()
    assert told().state == "note" and "failed: RuntimeError: the engine broke" in told().detail and "/engines/" in told().cure
    assert CrossCheck.objects.get().state == JobState.FAILED
