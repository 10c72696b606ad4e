"""Drafts: made, saved, read by those who may, validated. Each function that writes is one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import audit
from accounts.models import Role
from accounts.people import has_role
from authoring.models import Draft, DraftEvent, DraftState
from scoring import bundles
from scoring.bundles.archive import MAX_ENTRIES, MAX_UNPACKED_BYTES
from scoring.findings import FaultyData, Finding
from scoring.models import Category, Task, ValidationReason
from scoring.services import validating
from scoring.strict_yaml import parse

# Files that carry the canary of a private task: what must never be seen outside.
_SECRET_FILES = {"tests.yaml": "# ", "fixtures.yaml": "# ", "perf.yaml": "# ", "canonical.bsl": "// ", "tests.bsl": "// "}


class SavedByOther(Exception):
    """Somebody saved the draft meanwhile; `draft` is as it is now."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(f"revision is {draft.revision}")


def visible_to(user: Any) -> QuerySet[Draft]:
    """The drafts that a person may open: one's own, those shared with one, all for maintainers."""
    drafts = Draft.objects.select_related("owner", "task", "saved_by", "validation")
    if has_role(user, Role.MAINTAINER):
        return drafts
    return drafts.filter(Q(owner=user) | Q(editors=user)).distinct()


def decoded(files: Mapping[str, bytes]) -> dict[str, str]:
    """Files as texts. Raises FaultyData with every file that is none."""
    faults = []
    texts = {}
    for name, body in files.items():
        try:
            texts[name] = body.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            faults.append(Finding(name, "the file is not UTF-8", body[: error.start].count(b"\n") + 1, cure="save it as UTF-8"))
            continue
        if "\0" in texts[name]:
            faults.append(Finding(name, "the file is no text (it holds a NUL)"))
    if faults:
        raise FaultyData(faults)
    return texts


def check_files(files: Mapping[str, str]) -> None:
    """Bounds that hold for edited files as for uploaded ones. Raises FaultyData."""
    if len(files) > MAX_ENTRIES:
        raise FaultyData([Finding("bundle", f"the archive has more than {MAX_ENTRIES} entries")])
    if sum(len(text.encode()) for text in files.values()) > MAX_UNPACKED_BYTES:
        raise FaultyData([Finding("bundle", f"the archive unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB")])


def loaded(files: Mapping[str, str]) -> bundles.Loaded:
    return bundles.load_files({name: text.encode() for name, text in files.items()})


@transaction.atomic
def create(owner: Any, files: Mapping[str, str], *, is_private: bool = False, task: Task | None = None) -> Draft:
    """A new draft of these files."""
    check_files(files)
    draft = Draft(owner=owner, saved_by=owner, task=task, is_private=is_private or bool(task and task.is_private))
    _put(draft, files)
    draft.save()
    _log(owner, draft, "created")
    return draft


@transaction.atomic
def save(actor: Any, draft: Draft, revision: int, files: Mapping[str, str], *, is_private: bool | None = None) -> Draft:
    """Stores all files over `revision`. Raises SavedByOther when that is no longer the newest one."""
    check_files(files)
    current = Draft.objects.select_for_update().get(pk=draft.pk)
    if current.revision != revision:
        raise SavedByOther(current)
    if is_private is not None:
        current.is_private = is_private or bool(current.task and current.task.is_private)
    _put(current, files)
    current.saved_by, current.saved_at, current.state = actor, timezone.now(), DraftState.EDITING
    values = {
        name: getattr(current, name)
        for name in ("files", "digest", "title", "category", "is_private", "saved_by", "saved_at", "state")
    }
    # The condition is the lock where the database has no row locks.
    if not Draft.objects.filter(pk=draft.pk, revision=revision).update(**values, revision=revision + 1):
        raise SavedByOther(Draft.objects.get(pk=draft.pk))
    current.revision = revision + 1
    _log(actor, current, "saved", revision=current.revision)
    return current


def _put(draft: Draft, files: Mapping[str, str]) -> None:
    """Files into the draft, with what its head says of itself; private ones get their canary."""
    head = head_of(files)
    draft.files = with_canary(files, head.get("id") or draft.key) if draft.is_private else dict(files)
    draft.digest = validating.digest_of(draft.files)
    draft.title = head.get("name", "")[:200] or draft.title or "—"
    draft.category = head.get("category", "")[:1] if head.get("category") in Category.values else draft.category


def head_of(files: Mapping[str, str]) -> dict[str, str]:
    """What `task.yaml` says of itself, as far as it can be read: other files may be broken, and it may be itself."""
    try:
        root = parse(files.get("task.yaml", ""), "task.yaml").root
    except FaultyData:
        return {}
    return {key: value for key, value in root.items() if isinstance(value, str)} if isinstance(root, dict) else {}


def with_canary(files: Mapping[str, str], key: str) -> dict[str, str]:
    """The files with the task's canary as the first line of each that is secret."""
    mark = validating.canary(key)
    return {
        name: f"{_SECRET_FILES[name]}{mark}\n{text}" if name in _SECRET_FILES and mark not in text else text
        for name, text in files.items()
    }


@transaction.atomic
def ask_validation(actor: Any, draft: Draft) -> Draft:
    """Queues a validation of the draft as it is; one that runs for older files is told to stop."""
    if draft.validation and draft.validation.is_open:
        if draft.validation.digest == draft.digest:
            return draft
        validating.cancel(draft.validation)
    draft.validation = validating.request(draft.files, ValidationReason.UPLOAD)
    draft.save(update_fields=["validation"])
    return draft


@transaction.atomic
def share(actor: Any, draft: Draft, user: Any) -> None:
    """Lets another author work on the draft."""
    draft.editors.add(user)
    _log(actor, draft, "shared", with_user=user.pk)


@transaction.atomic
def remove(actor: Any, draft: Draft) -> None:
    """Deletes a draft; what was published from it stays."""
    _log(actor, draft, "removed")
    draft.delete()


def has_own_verdict(draft: Draft) -> bool:
    """Does the newest validation speak of the files as they are?"""
    return bool(draft.validation and draft.validation.digest == draft.digest)


def _log(actor: Any, draft: Draft, action: str, **detail: Any) -> None:
    task = draft.task.key if draft.task else ""
    DraftEvent.objects.create(
        actor=getattr(actor, "pk", None), draft=draft.key, task=task, action=action, digest=draft.digest, detail=detail
    )
    if action != "saved":
        audit.record(actor, f"draft.{action}", draft.key, digest=draft.digest[:16], **detail)
