"""Two questions a supervisor asks: does the process answer, and can it reach what it needs."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """200 while the process answers at all; touches nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when database and queue answer, else 503; says which part failed but not how (details go to the log)."""
    parts = {"database": database_state(), "queue": queue_state()}
    healthy = all(state == "ok" for state in parts.values())
    return JsonResponse(parts, status=200 if healthy else 503)


def database_state() -> str:
    """`ok`, `unreachable` or `migrations pending`."""
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "unreachable"
    return "migrations pending" if plan else "ok"


def queue_state() -> str:
    """`ok`, or `unreachable`; never starts the embedded server."""
    from scoring import queue

    return "ok" if queue.is_reachable() else "unreachable"
