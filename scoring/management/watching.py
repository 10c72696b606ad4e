"""Waiting for scoring jobs with a progress bar."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

from scoring.management.progress import Progress
from scoring.models import JobState
from scoring.services import work

LOOK_SECONDS = 0.25
SWEEP_SECONDS = 5.0
ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


def watch_jobs(label: str, jobs: Sequence[int], tend: Callable[[], int] = lambda: 0) -> Counter[str]:
    """Returns the final states' counts once every job has one; `tend` restarts workers and says how many had died."""
    swept = time.monotonic()
    with Progress(label, len(jobs)) as bar:
        while True:
            states = work.progress(jobs)
            ended = sum(states[state] for state in ENDED)
            bar.show(ended)
            if ended >= len(jobs):
                return states
            if tend() or time.monotonic() - swept > SWEEP_SECONDS:
                swept = time.monotonic()
                work.wake_workers()
            time.sleep(LOOK_SECONDS)
