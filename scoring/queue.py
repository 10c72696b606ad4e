"""The way into the queue: RQ over Redis, or over the embedded server where none is named.

The database is the truth about scoring work (`ScoreJob` rows); a queue entry is only a wake-up call. Losing the queue
therefore loses nothing: `wake_workers` calls again for whatever is still to do.
"""

from __future__ import annotations

import threading
from typing import Any

import django_rq
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker

from prism_site import embedded_redis

SCORING = "scoring"
DEFAULT = "default"
DAY = 24 * 3600


# How often an idle or busy worker looks for work that dead ones left behind.
MAINTENANCE_SECONDS = 30


_stopping = threading.Event()


class PrismWorker(SimpleWorker):
    """Runs jobs in its own process: candidates run behind the sandbox's wall anyway, and its warmed parent is kept."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("maintenance_interval", MAINTENANCE_SECONDS)
        # RQ blocks for ttl - 15 seconds at a time; then it looks whether housekeeping is due.
        kwargs.setdefault("worker_ttl", MAINTENANCE_SECONDS + 15)
        super().__init__(*args, **kwargs)

    def run_maintenance_tasks(self) -> None:
        """RQ's own housekeeping, then ours: give back what dead workers held, wake whoever listens."""
        super().run_maintenance_tasks()
        wake_workers()

    def handle_warm_shutdown_request(self) -> None:
        """The running job ends after the answer at hand."""
        super().handle_warm_shutdown_request()
        _stopping.set()


def ensure() -> bool:
    """Starts the embedded server when no REDIS_URL is set and none runs; True when this call started it."""
    if settings.REDIS_URL:
        return False
    return embedded_redis.ensure(settings.VAR_DIR)


def is_stopping() -> bool:
    """Whether this process's worker was asked to stop."""
    return _stopping.is_set()


def is_reachable() -> bool:
    """Whether the queue's server answers; starts nothing."""
    if not settings.REDIS_URL:
        return embedded_redis.is_running(settings.VAR_DIR)
    try:
        return bool(connection().ping())
    except (RedisError, OSError):
        return False


def connection() -> Redis:
    """A client of the queue's server."""
    return django_rq.get_connection(SCORING)


def queue(name: str = SCORING) -> Queue:
    """An RQ queue; what is put into it during a transaction goes out at its commit (django-rq's `on_db_commit`)."""
    ensure()
    return django_rq.get_queue(name)


def worker(*names: str) -> PrismWorker:
    """A worker of the named queues (default: all)."""
    ensure()
    return django_rq.get_worker(*(names or (SCORING, DEFAULT)), worker_class=PrismWorker)


def wake_workers(at_least: int = 0) -> int:
    """Gives back lost work and sees to it that enough wake-up calls wait; returns how many were sent.

    A call makes its worker claim jobs until none is queued (see `scoring.jobs.drain`), so one per worker is enough.
    """
    from scoring.services import work

    work.release_lost()
    if not work.is_waiting():
        return 0
    calls = queue(SCORING)
    wanted = max(at_least, settings.PRISM_WORKERS) - calls.count
    for _ in range(max(0, wanted)):
        calls.enqueue("scoring.jobs.drain", result_ttl=0, failure_ttl=DAY)
    return max(0, wanted)
