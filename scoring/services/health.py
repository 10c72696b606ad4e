"""Is everything there that scoring needs? The same answers for the `doctor` command and a maintainers' page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Literal

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from scoring import queue
from scoring.findings import FaultyData
from scoring.models import Answer, Category, CrossCheck, JobState, Score, Task, TaskStatus
from scoring.services import crosscheck, engines, nightly, stacks, work

State = Literal["ok", "note", "bad"]
# A nightly check this long ago says that no worker is there to make one.
NIGHTLY_OVERDUE = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor: `cure` says what to do where the state is not `ok`."""

    state: State
    what: str
    detail: str
    cure: str = ""


def check_all(self_tests: bool = False) -> Iterator[Check]:
    """Every check in order; a check that itself fails is told as bad and stops none of the others. `self_tests`: have each engine
    measure something known, too."""
    looks = (
        _python, _database, _queue, _protocol, _stacks, partial(_engines, self_tests), partial(_dump, self_tests), _cross_checks, _bank, _work,
    )  # fmt: skip
    for look in looks:
        yield from _guarded(look)


def _guarded(look: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    try:
        yield from look()
    except (DatabaseError, FaultyData, ImproperlyConfigured, OSError, ImportError) as error:
        name = getattr(look, "__name__", "engines").strip("_")
        yield Check("bad", name, f"{type(error).__name__}: {error}")


def _python() -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("ok" if sys.version_info >= (3, 11) else "bad", "python", version, "install Python 3.11 or newer")
    if not sys.platform.startswith("linux"):
        yield Check("note", "platform", sys.platform, "the sandbox's walls are Linux's: use WSL2 or Docker")


def _database() -> Iterator[Check]:
    executor = MigrationExecutor(connection)
    pending = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    kind = connection.vendor if settings.DATABASE_URL else f"{connection.vendor}, embedded default"
    detail = f"{kind}, {pending} migrations pending" if pending else kind
    yield Check("bad" if pending else "ok", "database", detail, "run `python manage.py migrate`" if pending else "")


def _queue() -> Iterator[Check]:
    kind = "REDIS_URL" if settings.REDIS_URL else "embedded default"
    if queue.is_reachable():
        yield Check("ok", "queue", f"{kind}, answers")
    elif settings.REDIS_URL:
        yield Check("bad", "queue", f"{kind} does not answer", "start the Redis server or mend REDIS_URL")
    else:
        yield Check("ok", "queue", f"{kind}, starts when needed")


def _protocol() -> Iterator[Check]:
    rules = stacks.protocol()
    yield Check("ok", "protocol", f"L1 {rules.version}, constitution {rules.constitution.version}, {rules.hash[:12]}")


def _stacks() -> Iterator[Check]:
    for category, told, notes in engines.stack_lines():
        yield Check("note" if notes else "ok", f"stack {category}", told, "; ".join(notes))


def _engines(self_tests: bool) -> Iterator[Check]:
    """Engines in use must be there and measure right; the others say what they lack."""
    for state in engines.engine_states(self_tests):
        told = f"{state.name} {state.version}" + (f" ({'; '.join(state.uses)})" if state.uses else ", not in use")
        if not state.ready:
            yield Check("bad" if state.uses else "note", "engine", told, state.reason)
        elif state.fault:
            yield Check("bad" if state.uses else "note", "engine", f"{told}: self-test failed: {state.fault}", "see docs/engines.md")
        else:
            passed = ", self-test passed" if state.fault is not None else ""
            yield Check("note" if state.reason else "ok", "engine", told + passed, state.reason)


def _cross_checks() -> Iterator[Check]:
    for category in Category.values:
        yield _cross_check(nightly.standing(category))


def _cross_check(found: nightly.Standing) -> Check:
    told = f"{found.category}: {_ended(found.ended)}"
    if found.present:
        told += f"; now {found.present.state}, {found.present.done} answers compared"
    if found.next_at is None:
        return Check("ok", "cross-check", f"{told}; nightly checks are off (PRISM_CROSS_CHECK=off)")
    if found.missing:
        return Check("ok", "cross-check", f"{told}; none at night: no genuine engine is here")
    told += f"; next {found.next_at:%Y-%m-%d %H:%M} UTC or soon after"
    if found.ended and found.ended.state == JobState.FAILED:
        return Check("note", "cross-check", told, "the page /engines/ tells the whole error")
    cure = "keep a worker running: it is part of their housekeeping"
    if found.nightly is None:
        return Check("note", "cross-check", f"{told}; none at night yet", cure)
    if found.nightly.created_at < timezone.now() - NIGHTLY_OVERDUE:
        return Check("note", "cross-check", f"{told}; no nightly check in two days", cure)
    return Check("ok", "cross-check", told)


def _ended(row: CrossCheck | None) -> str:
    """When the last check ended, and how, in words."""
    if row is None or row.finished_at is None:
        return "never run"
    when = f"last {row.finished_at:%Y-%m-%d %H:%M} UTC ({row.reason})"
    if not row.report or row.state == JobState.FAILED:
        return f"{when}: failed: {row.error.strip().rpartition(chr(10))[2][:160]}"
    figures = crosscheck.public_figures(row.report)["questions"]
    parts = [f"{question} {row['equal']} of {row['n']} equal" for question, row in figures.items()]
    return f"{when}: {', '.join(parts) or 'nothing to compare'}"


def _dump(self_tests: bool) -> Iterator[Check]:
    """The dump that 1C would load needs no 1C to be read; a start of the reader costs seconds."""
    told, equal = engines.dump_read() if self_tests else ("", None)
    if told:
        yield Check("note" if equal is None else "ok" if equal else "bad", "1C dump", told, "" if equal else "see docs/engines.md")


def _bank() -> Iterator[Check]:
    tasks = Task.objects.count()
    published = Task.objects.filter(status=TaskStatus.PUBLISHED).count()
    detail = f"{tasks} tasks, {published} published; {Answer.objects.count()} answers, {Score.objects.count()} scores"
    yield Check("ok" if tasks else "note", "bank", detail, "" if tasks else "run `python manage.py import_tasks`")


def _work() -> Iterator[Check]:
    states = work.progress()
    waiting, running, failed = states[JobState.QUEUED], states[JobState.CLAIMED], states[JobState.FAILED]
    detail = f"{waiting} queued, {running} running, {failed} failed"
    if failed:
        yield Check("note", "work", detail, "run `python manage.py score` again; its end lists the reasons")
    elif waiting and not running:
        yield Check("note", "work", detail, "start a worker: `make worker`, or run `python manage.py score`")
    else:
        yield Check("ok", "work", detail)
