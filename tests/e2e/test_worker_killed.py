"""A worker killed in the middle of an answer, for real: nothing lost, nothing doubled, nothing left running."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections import Counter

import pytest

pytestmark = pytest.mark.slow

CELLS = 2 * (1 + 1 + 4)


def states(installation) -> Counter[str]:
    """States of the jobs, read beside the running workers."""
    path = f"file:{installation.env['PRISM_VAR']}/prism.sqlite3?mode=ro"
    with sqlite3.connect(path, uri=True, timeout=10) as base:
        return Counter(state for (state,) in base.execute("SELECT state FROM scoring_scorejob"))


def test_killed_workers_lose_nothing_and_double_nothing(filled, tools):
    filled.manage("score", "--no-wait")
    assert states(filled) == {"queued": CELLS}

    workers = [filled.start("scoring_worker") for _ in range(2)]
    tools.wait_until(lambda: held_in_the_middle(filled, tools, workers))
    below = set().union(*(tools.descendants(worker.pid) for worker in workers))
    for worker in workers:
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
    interrupted = states(filled)
    assert interrupted["claimed"] == 2 and 1 <= interrupted["done"] < CELLS
    assert below, "the workers had no sandbox"
    servers = {pid for pid in below if "redis" in command_of(pid)}
    tools.wait_until(lambda: not [pid for pid in below - servers if tools.lives(pid)])

    filled.manage("score", "--workers", "1")

    assert states(filled).keys() <= {"done", "cancelled"}
    last = "Score.objects.filter(stack=Stack.objects.latest('pk'))"
    assert filled.query(f"[{last}.count(), {last}.values('answer').distinct().count()]") == [CELLS, CELLS]
    assert filled.query(f"list({last}.values_list('m_value', flat=True).distinct())") == [10.0]
    attempts = filled.query("sorted(ScoreJob.objects.values_list('attempts', flat=True))")
    assert attempts[-1] in (2, 3), "nobody was interrupted"


def held_in_the_middle(filled, tools, workers) -> bool:
    """Whether each worker, stopped by now, is at an answer, and one is done; where not, they go on."""
    if states(filled)["claimed"] < len(workers):
        return False
    for worker in workers:
        os.kill(worker.pid, signal.SIGSTOP)
        tools.wait_until(lambda worker=worker: tools.state_of(worker.pid) in "TZ")
    found = states(filled)
    if found["claimed"] == len(workers) and found["done"] >= 1:
        return True
    for worker in workers:
        os.kill(worker.pid, signal.SIGCONT)
    return False


def command_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/cmdline") as handle:
            return handle.read()
    except OSError:
        return ""


def test_the_score_command_replaces_a_killed_worker_and_ends(filled, tools):
    scoring = filled.start("score", "--workers", "2")
    tools.wait_until(lambda: (tools_ready(filled) and states(filled)["claimed"] >= 1))
    victims = [pid for pid in tools.descendants(scoring.pid) if "scoring_worker" in command_of(pid)]
    assert victims
    os.kill(victims[0], signal.SIGKILL)
    output, _ = scoring.communicate(timeout=tools.PATIENCE)
    assert scoring.returncode == 0, output
    assert f"{CELLS} scored, 0 not measured" in output
    assert filled.query("Score.objects.count()") == CELLS


def tools_ready(installation) -> bool:
    try:
        return bool(states(installation))
    except sqlite3.OperationalError:
        return False


def test_asked_to_stop_a_worker_finishes_its_answer_and_leaves_the_rest(filled, tools):
    filled.manage("score", "--no-wait")
    worker = filled.start("scoring_worker")
    tools.wait_until(lambda: states(filled)["claimed"] == 1)
    worker.send_signal(signal.SIGTERM)
    worker.communicate(timeout=tools.PATIENCE)
    left = states(filled)
    assert worker.returncode == 0 and left["claimed"] == 0 and left["done"] >= 1 and left["queued"] >= 1
