"""From a draft to a task: submitted by an author, published or returned by a maintainer; quarantine and back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Role
from accounts.people import has_role
from authoring.drafts import has_own_verdict, loaded
from authoring.models import Draft, DraftEvent, DraftState
from scoring.findings import FaultyData
from scoring.models import Answer, AnswerStatus, Edition, JobState, Task, TaskStatus
from scoring.services import bank, measuring
from scoring.services.answers import DEFAULT_EDITION
from scoring.services.versions import data_changed


class Refused(Exception):
    """The deed is not allowed now; the message says why, in the reader's language."""


def check_publishable(draft: Draft) -> None:
    """Raises Refused unless the files as they are were validated, and nothing forbids publishing."""
    validation = draft.validation
    if validation is None or not has_own_verdict(draft) or validation.state != JobState.DONE:
        raise Refused(_("Сначала нужна законченная проверка именно этих файлов."))
    if not validation.publishable:
        raise Refused(_("Проверка нашла ошибки: с ними задачу не публикуют."))


@transaction.atomic
def submit(actor: Any, draft: Draft) -> None:
    """Hands the draft to the maintainers. Raises Refused."""
    check_publishable(draft)
    _settle(draft, DraftState.SUBMITTED)
    _log(actor, draft, "submitted")


@transaction.atomic
def give_back(actor: Any, draft: Draft, note: str) -> None:
    """A maintainer's no, with what to change. Raises Refused."""
    _require_maintainer(actor)
    if draft.state != DraftState.SUBMITTED:
        raise Refused(_("Черновик не на рассмотрении."))
    draft.note = note
    _settle(draft, DraftState.RETURNED, "note")
    _log(actor, draft, "returned", note=note)


@transaction.atomic
def publish(actor: Any, draft: Draft) -> Task:
    """A maintainer's yes: the files become a version of their task and its answers are scored anew. Raises Refused."""
    _require_maintainer(actor)
    if draft.state != DraftState.SUBMITTED:
        raise Refused(_("Опубликовать можно то, что автор отдал на рассмотрение."))
    check_publishable(draft)
    found = loaded(draft.files)
    bundle = found.required()
    if draft.task and draft.task.key != bundle.id:
        raise Refused(_("Идентификатор в task.yaml не тот, что у задачи %(key)s.") % {"key": draft.task.key})
    if not draft.task and Task.objects.filter(key=bundle.id).exists():
        raise Refused(_("Задача с идентификатором %(key)s уже есть: начните черновик с её страницы версий.") % {"key": bundle.id})
    try:
        task, _is_new = bank.store_bundle(bundle, private=draft.is_private)
    except FaultyData as error:
        raise Refused(str(error)) from None
    if task.status == TaskStatus.QUARANTINED:
        _lift(task)
    edition, _made = Edition.objects.get_or_create(slug=DEFAULT_EDITION, defaults={"name": DEFAULT_EDITION})
    bank.store_controls(task, bundle, edition)
    draft.task = task
    if draft.validation and task.bundle:
        draft.validation.bundle = task.bundle
        draft.validation.save(update_fields=["bundle"])
    _settle(draft, DraftState.PUBLISHED, "task")
    _log(actor, draft, "published", version=task.bundle.number if task.bundle else 0)
    measuring.request_scores(Answer.objects.filter(task=task, is_current=True).exclude(status=AnswerStatus.PLANNED).select_related("task__bundle"))
    data_changed()
    return task


def _lift(task: Task) -> None:
    task.status, task.status_reason = TaskStatus.PUBLISHED, ""
    task.save(update_fields=["status", "status_reason", "updated_at"])


@transaction.atomic
def quarantine(actor: Any, task: Task, reason: str) -> None:
    """Takes a task off the board. Raises Refused."""
    _require_maintainer(actor)
    if task.status != TaskStatus.PUBLISHED:
        raise Refused(_("На карантин отправляют опубликованную задачу."))
    task.status, task.status_reason = TaskStatus.QUARANTINED, reason
    task.save(update_fields=["status", "status_reason", "updated_at"])
    _log_task(actor, task, "quarantined", reason=reason)
    data_changed()


@transaction.atomic
def restore(actor: Any, task: Task) -> None:
    """Puts a quarantined task back on the board. Raises Refused."""
    _require_maintainer(actor)
    if task.status != TaskStatus.QUARANTINED:
        raise Refused(_("Задача не на карантине."))
    _lift(task)
    _log_task(actor, task, "restored")
    data_changed()


def _require_maintainer(actor: Any) -> None:
    if not has_role(actor, Role.MAINTAINER):
        raise Refused(_("Это решает куратор."))


def _settle(draft: Draft, state: DraftState, *fields: str) -> None:
    draft.state = state
    draft.save(update_fields=["state", *fields])


def _log(actor: Any, draft: Draft, action: str, **detail: Any) -> None:
    task = draft.task.key if draft.task else ""
    DraftEvent.objects.create(actor=actor.pk, draft=draft.key, task=task, action=action, digest=draft.digest, detail=detail)
    audit.record(actor, f"draft.{action}", draft.key, digest=draft.digest[:16], **detail)


def _log_task(actor: Any, task: Task, action: str, **detail: Any) -> None:
    digest = task.bundle.digest if task.bundle else ""
    DraftEvent.objects.create(actor=getattr(actor, "pk", None), task=task.key, action=action, digest=digest, detail=detail)
    audit.record(actor, f"task.{action}", task.key, **detail)
