"""The way into the queue: RQ over Redis, or over the embedded server where none is named.

The database is the truth about scoring work (`ScoreJob` rows); a queue entry is only a wake-up call. Losing the queue
therefore loses nothing: `services.work.wake_workers` calls again for whatever is still to do.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import django_rq
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker

from scoring import embedded_redis

SCORING = "scoring"
GENERATION = "generation"
DEFAULT = "default"
# What nobody waits for.
LOW = "low"
WORKER_CLASS = "scoring.queue.PrismWorker"


# How often an idle or busy worker looks for work that dead ones left behind.
MAINTENANCE_SECONDS = 30


_stopping = threading.Event()
# The queues that this process's worker takes from.
_served: list[str] = [SCORING, GENERATION, DEFAULT, LOW]


class PrismWorker(SimpleWorker):
    """Runs jobs in its own process: candidates run behind the sandbox's wall anyway, and its warmed parent is kept."""

    # Called at the start and every so often: gives back what dead workers held.
    housekeeping: Callable[[], object] = staticmethod(lambda: None)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("maintenance_interval", MAINTENANCE_SECONDS)
        # RQ blocks for ttl - 15 seconds at a time; then it looks whether housekeeping is due.
        kwargs.setdefault("worker_ttl", MAINTENANCE_SECONDS + 15)
        super().__init__(*args, **kwargs)

    def run_maintenance_tasks(self) -> None:
        """RQ's own housekeeping, then ours."""
        super().run_maintenance_tasks()
        self.housekeeping()

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


def others_wait() -> bool:
    """Whether a call that goes before those of `LOW` waits for this process's worker."""
    ensure()
    return any(django_rq.get_queue(name).count for name in _served if name != LOW)


def worker(*names: str, housekeeping: Callable[[], object]) -> PrismWorker:
    """A worker of the named queues (default: all) that calls `housekeeping` every MAINTENANCE_SECONDS or so."""
    ensure()
    if names:
        _served[:] = names
    made = django_rq.get_worker(*_served, worker_class=WORKER_CLASS)
    assert isinstance(made, PrismWorker)
    made.housekeeping = housekeeping
    return made
