"""The way into the queue: RQ over Redis, or over the embedded server where none is named.

The database is the truth about scoring work (`ScoreJob` rows); a queue entry is only a wake-up call. Losing the queue
therefore loses nothing: `wake_workers` calls again for whatever is still to do.
"""

from __future__ import annotations

import django_rq
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker

from prism_site import embedded_redis

SCORING = "scoring"
DEFAULT = "default"


class PrismWorker(SimpleWorker):
    """Runs jobs in its own process: candidates run behind the sandbox's wall anyway, and its warmed parent is kept."""


def ensure() -> bool:
    """Starts the embedded server when no REDIS_URL is set and none runs; True when this call started it."""
    if settings.REDIS_URL:
        return False
    return embedded_redis.ensure(settings.VAR_DIR)


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
