"""Claims and leases: whatever dies whenever, nothing is lost and nothing is scored twice."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import Answer, JobState, Score, ScoreJob
from scoring.services import bank, measuring, scores, stacks, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def jobs(write_bundle, pretend, monkeypatch):
    """Three queued jobs: the control answers of one task."""
    monkeypatch.setattr("scoring.services.work.wake_workers", lambda *a, **k: 0)
    bank.import_folder(write_bundle())
    ids = measuring.request_scores(Answer.objects.select_related("task__bundle"))
    return [ScoreJob.objects.get(pk=pk) for pk in ids]


def stack():
    return measuring.current_stack()


def dead_token() -> str:
    """The token of a process of this machine that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return work.new_token().replace(f":{os.getpid()}:", f":{ended.pid}:")


TOKEN = "here:1:abc"


def held(job: ScoreJob) -> int:
    assert work.claim(job.pk, TOKEN)
    return job.pk


def unmeasured(job: ScoreJob) -> Score:
    return scores.unmeasured_score(job.answer, job.stack, job.bundle, stacks.protocol(), "clock")


def test_two_claimers_never_hold_the_same_job(jobs):
    first, second = work.new_token(), work.new_token()
    assert work.claim(jobs[0].pk, first)
    assert not work.claim(jobs[0].pk, second)
    taken = {work.claim_next(second, stack()).pk for _ in range(2)}
    assert taken == {jobs[1].pk, jobs[2].pk} and work.claim_next(second, stack()) is None


def test_only_the_holder_finishes_and_only_once(jobs):
    holder, other = work.new_token(), work.new_token()
    work.claim(jobs[0].pk, holder)
    assert not work.finish(jobs[0], other, unmeasured(jobs[0]))
    assert not Score.objects.exists()
    assert work.finish(jobs[0], holder, unmeasured(jobs[0]))
    assert not work.finish(jobs[0], holder, unmeasured(jobs[0]))
    assert Score.objects.count() == 1


def test_an_expired_lease_goes_to_another_and_the_late_first_holder_stores_nothing(jobs):
    slow, quick = work.new_token(), work.new_token()
    work.claim(jobs[0].pk, slow)
    ScoreJob.objects.filter(pk=jobs[0].pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert work.release_lost() == 1
    assert work.claim(jobs[0].pk, quick)
    assert work.finish(jobs[0], quick, unmeasured(jobs[0]))
    assert not work.finish(jobs[0], slow, unmeasured(jobs[0]))
    assert Score.objects.count() == 1


def test_a_dead_process_of_this_machine_is_not_waited_for(jobs):
    work.claim(jobs[0].pk, dead_token())
    work.claim(jobs[1].pk, work.new_token())
    assert work.release_lost() == 1
    assert ScoreJob.objects.get(pk=jobs[0].pk).state == JobState.QUEUED
    assert ScoreJob.objects.get(pk=jobs[1].pk).state == JobState.CLAIMED


def test_a_worker_of_another_machine_is_left_to_its_lease(jobs):
    work.claim(jobs[0].pk, "elsewhere:1:abc")
    assert work.release_lost() == 0


def test_an_answer_that_kills_its_worker_again_and_again_is_not_measured_and_says_so(jobs):
    for _ in range(work.MOST_ATTEMPTS):
        assert work.claim(jobs[0].pk, dead_token())
        assert work.release_lost() == 1
    job = ScoreJob.objects.get(pk=jobs[0].pk)
    assert job.state == JobState.FAILED and "died 3 times" in job.error
    score = Score.objects.get(answer=job.answer)
    assert score.m_reason == "instrument" and score.q_value is None


def test_a_drain_scores_everything_that_waits(jobs, pretend):
    assert measuring.drain() == 3
    assert Score.objects.count() == 3 and work.progress()[JobState.DONE] == 3


def test_a_drain_leaves_what_another_holds(jobs, pretend):
    work.claim(jobs[0].pk, work.new_token())
    assert measuring.drain() == 2
    assert not Score.objects.filter(answer=jobs[0].answer).exists()


def test_a_worker_that_is_to_stop_ends_after_the_answer_at_hand(jobs, pretend, monkeypatch):
    done = []
    monkeypatch.setattr("scoring.queue.is_stopping", lambda: bool(pretend.measured))
    done.append(measuring.drain())
    assert done == [1] and ScoreJob.objects.filter(state=JobState.QUEUED).count() == 2


def test_what_could_not_be_stored_is_not_held_until_the_end_of_its_lease(jobs, pretend, monkeypatch):
    def locked(*_: object) -> bool:
        raise OSError("the disk is full")

    monkeypatch.setattr(work, "finish", locked)
    for attempt in range(1, work.MOST_ATTEMPTS):
        with pytest.raises(OSError, match="full"):
            measuring.score_claimed(ScoreJob.objects.get(pk=held(jobs[0])), TOKEN)
        job = ScoreJob.objects.get(pk=jobs[0].pk)
        assert (job.state, job.token, job.attempts) == (JobState.QUEUED, "", attempt)
    with pytest.raises(OSError, match="full"):
        measuring.score_claimed(ScoreJob.objects.get(pk=held(jobs[0])), TOKEN)
    job = ScoreJob.objects.get(pk=jobs[0].pk)
    assert job.state == JobState.FAILED and "storing failed (OSError: the disk is full), 3 times" in job.error


def test_asking_again_takes_no_claim_away_that_was_made_meanwhile(jobs, pretend, monkeypatch):
    ScoreJob.objects.filter(pk=jobs[0].pk).update(state=JobState.FAILED)
    cancel_outdated, holder = work._cancel_outdated, work.new_token()

    def claimed_meanwhile(answers, stack):
        if answers:
            ScoreJob.objects.filter(pk=jobs[0].pk).update(state=JobState.CLAIMED, token=holder)
        cancel_outdated(answers, stack)

    monkeypatch.setattr(work, "_cancel_outdated", claimed_meanwhile)
    assert jobs[0].pk in measuring.request_scores(Answer.objects.select_related("task__bundle"))
    job = ScoreJob.objects.get(pk=jobs[0].pk)
    assert (job.state, job.token) == (JobState.CLAIMED, holder)


def test_progress_counts_all_a_range_or_any_choice_alike(jobs, pretend):
    work.claim(jobs[1].pk, work.new_token())
    ids = [job.pk for job in jobs]
    assert work.progress() == work.progress(ids) == {"queued": 2, "claimed": 1}
    assert work.progress([ids[0], ids[2]]) == {"queued": 2} and work.progress([]) == {}


def test_more_keys_than_a_query_takes_go_in_portions(jobs, pretend, monkeypatch):
    monkeypatch.setattr(work, "KEYS_PER_QUERY", 2)
    again = measuring.request_scores(Answer.objects.select_related("task__bundle"))
    assert sorted(again) == sorted(job.pk for job in jobs)
    assert work.cancel(again) == 3


def test_cancelled_work_is_not_done(jobs, pretend):
    assert work.cancel([jobs[0].pk, jobs[1].pk]) == 2
    assert measuring.drain() == 1


def test_wake_up_calls_leave_at_commit_only(write_bundle, pretend, monkeypatch, django_capture_on_commit_callbacks):
    calls = []
    monkeypatch.setattr("scoring.services.work.wake_workers", lambda *a, **k: calls.append(a))
    bank.import_folder(write_bundle())
    with django_capture_on_commit_callbacks() as callbacks:
        measuring.request_scores(Answer.objects.select_related("task__bundle"))
        assert calls == []
    assert len(callbacks) == 1
