"""What the authors' pages show: rows and words, made from what is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Role
from accounts.people import has_role
from authoring import comparing, discrimination, drafts
from authoring.models import Draft, DraftEvent, DraftState
from scoring.bundles.loader import KNOWN_FILES
from scoring.bundles.model import VERDICTS
from scoring.findings import FaultyData, Finding
from scoring.models import Task, TaskStatus, Validation
from scoring.natural import natural
from scoring.plain import whole_number
from scoring.services import remarks
from scoring.services.format_words import in_words
from scoring.services.trying import Attempt
from scoring.validation.report import SECTIONS, Remark, Report, from_data

_ID = re.compile(r"[\w.\-]{1,64}")
_FILE = re.compile(r"(?:[\w.\-]+/){0,3}[\w.\-]+")
EVENTS_SHOWN = 60
# Files in the order in which an author writes them.
_ORDER = {name: number for number, name in enumerate(
    ("task.yaml", "config_spec.yaml", "fixtures.yaml", "tests.yaml", "tests.bsl", "canonical.bsl", "perf.yaml", "perf_baseline.bsl")
)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToldFinding:
    """A finding in words. ``line`` 0 = the whole file."""

    file: str
    line: int
    message: str
    cure: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}" + (f" → {self.cure}" if self.cure else "")


def told_findings(findings: Iterable[Finding]) -> list[ToldFinding]:
    return [
        ToldFinding(found.file, found.line, (f"[{found.key}] " if found.key else "") + in_words(found.message), in_words(found.cure))
        for found in findings
    ]


# -- home and new -------------------------------------------------------------------------------------------------------------


def home(user: Any) -> dict[str, Any]:
    """Own drafts, what waits for a maintainer, tasks with their validation."""
    mine = list(drafts.visible_to(user)[:200])
    maintainer = has_role(user, Role.MAINTAINER)
    known = Task.objects.select_related("bundle").exclude(status=TaskStatus.DRAFT)
    if not maintainer:
        known = known.filter(Q(drafts__owner=user) | Q(drafts__editors=user)).distinct()
    tasks = sorted(known, key=lambda task: (task.category, natural(task.key)))
    return {
        "waiting": [draft for draft in mine if draft.state == DraftState.SUBMITTED],
        "drafts": [draft for draft in mine if draft.state != DraftState.PUBLISHED],
        "tasks": [task_row(task, latest) for task, latest in _with_validations(tasks)],
        "quarantined": [task for task in tasks if task.status == TaskStatus.QUARANTINED],
    }


def _with_validations(tasks: list[Task]) -> list[tuple[Task, Validation | None]]:
    digests = [task.bundle.digest for task in tasks if task.bundle]
    done = Validation.objects.filter(digest__in=digests, state="done").defer("files", "found", "report").order_by("pk")
    latest = {row.digest: row for row in done}
    return [(task, latest.get(task.bundle.digest) if task.bundle else None) for task in tasks]


def task_row(task: Task, validation: Validation | None) -> dict[str, Any]:
    band = validation.band if validation else ""
    return {"task": task, "validation": validation, "band": str(remarks.BANDS.get(band, "")), "band_key": band}


def head_faults(category: str, key: str, name: str) -> list[Finding]:
    """What is wrong with the wizard's answers."""
    faults = []
    if category not in ("A", "B"):
        faults.append(Finding("task.yaml", f"unknown category {category!r}", key="category", cure="one of A, B"))
    if not _ID.fullmatch(key):
        faults.append(Finding("task.yaml", f"{key!r} is no valid id", key="id", cure="letters, digits, '_', '-' and '.', at most 64"))
    elif Task.objects.filter(key=key).exists():
        faults.append(Finding("task.yaml", _("идентификатор уже занят"), key="id"))
    if not name or len(name) > 200:
        faults.append(Finding("task.yaml", f"{'name'!r} is missing", key="name"))
    return faults


def shown_name(name: str | None) -> str:
    """A file's name from a stranger, for people."""
    return "".join(char for char in name or "archive" if char.isprintable())[-60:]


def no_archive() -> Finding:
    return Finding("archive", _("архив не выбран"))


def safe_name(draft: Draft) -> str:
    """What a downloaded zip is called."""
    found = drafts.loaded(draft.files).bundle
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", found.id)[:60] if found else "bundle"


# -- one draft ----------------------------------------------------------------------------------------------------------------


def draft(found: Draft) -> dict[str, Any]:
    """The draft's own page: files, status, report, history."""
    return {
        "draft": found,
        "files": [_file_row(name, text) for name, text in sorted(found.files.items(), key=_place)],
        "status": status(found),
        "report": report_of(found),
        "events": events(Q(draft=found.key)),
        "editors": [user.username for user in found.editors.all()],
        "verdicts": VERDICTS,
    }


def _place(entry: tuple[str, str]) -> tuple[int, str]:
    return _ORDER.get(entry[0], 99), entry[0]


def _file_row(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "lines": text.count("\n") + 1, "bytes": len(text.encode())}


def status(found: Draft) -> dict[str, Any]:
    """Where the draft's validation stands, as JSON values."""
    row = found.validation
    if row is None:
        return {"state": "none", "share": 0, "stage": "", "outdated": False, "remarks": [], "label": _("проверки ещё не было")}
    stage = str(remarks.STAGES.get(row.stage, row.stage)) if row.is_open else ""
    return {
        "state": row.state,
        "label": str(row.get_state_display()),
        "share": round(row.share * 100),
        "stage": stage,
        "outdated": row.digest != found.digest,
        "error": row.error.strip().splitlines()[-1] if row.error.strip() else "",
        "remarks": [told(Remark(**remark)) for remark in row.found] if row.is_open else [],
    }


def told(remark: Remark) -> dict[str, Any]:
    """A remark in words, as JSON values."""
    words = remarks.tell(remark)
    return {
        "severity": remark.severity,
        "severity_name": words.severity,
        "section": remark.section,
        "section_name": words.section,
        "place": words.place,
        "file": remark.file,
        "line": remark.line,
        "message": words.message,
        "detail": remark.detail,
        "cure": words.cure,
    }


def report_of(found: Draft) -> dict[str, Any] | None:
    row = found.validation
    return shown_report(from_data(row.report), row) if row and row.report else None


def shown_report(report: Report, row: Validation) -> dict[str, Any]:
    """A report for its page: sections in order with their remarks, survivors, tests, own answers."""
    words = [told(remark) for remark in report.remarks if not remark.code.startswith("survivor")]
    order = {"error": 0, "warning": 1, "note": 2}
    sections = [
        {"key": key, "name": str(remarks.SECTIONS[key]), "remarks": sorted(own, key=lambda entry: order[entry["severity"]])}
        for key in SECTIONS
        if (own := [entry for entry in words if entry["section"] == key])
    ]
    strength = report.strength
    return {
        "publishable": report.publishable,
        "errors": report.errors,
        "warnings": report.warnings,
        "complete": report.complete,
        "sections": sections,
        "clean": _clean(report),
        "strength": strength,
        "percent": None if strength is None or strength.value is None else round(strength.value * 100),
        "band": str(remarks.BANDS.get(strength.band, "")) if strength else "",
        "survivors": [{**asdict(entry), "name": str(remarks.OPERATORS.get(entry.operator, entry.operator))} for entry in report.survivors],
        "tests": [{**asdict(test), "number": test.index + 1} for test in report.tests],
        "answers": [{**asdict(own), "declared_name": str(remarks.DECLARED.get(own.declared, own.declared))} for own in report.answers],
        "seconds": round(sum(report.seconds.values()), 1),
        "engine": row.engine or report.engine,
        "finished_at": row.finished_at,
    }


# Which stage of a validation looks at which sections.
_LOOKED_AT = {
    "format": ("format", "condition"),
    "answers": ("reference", "controls", "load"),
    "junk": ("junk",),
    "mutants": ("strength", "tests"),
}


def _clean(report: Report) -> list[str]:
    """Sections that were looked at and found in order."""
    looked = {section for stage in report.seconds for section in _LOOKED_AT.get(stage, ())}
    looked -= {remark.section for remark in report.remarks if remark.severity != "note"}
    return [str(remarks.SECTIONS[key]) for key in SECTIONS if key in looked]


def events(where: Q) -> list[dict[str, Any]]:
    """The log, newest first, with names of people who are still there."""
    rows = list(DraftEvent.objects.filter(where)[:EVENTS_SHOWN])
    words = actions()
    names = dict(get_user_model().objects.filter(pk__in=[row.actor for row in rows]).values_list("pk", "username"))
    return [
        {"at": row.at, "who": names.get(row.actor, "—"), "action": words.get(row.action, row.action), "digest": row.digest[:12], "detail": row.detail}
        for row in rows
    ]


def actions() -> dict[str, str]:
    """Words for what the log holds."""
    return {
        "created": _("создан"),
        "saved": _("сохранён"),
        "shared": _("открыт соавтору"),
        "removed": _("удалён"),
        "submitted": _("отдан куратору"),
        "returned": _("возвращён автору"),
        "published": _("опубликован"),
        "quarantined": _("на карантин"),
        "restored": _("снят с карантина"),
    }


# -- the editor ---------------------------------------------------------------------------------------------------------------


def editor(found: Draft, name: str, mine: str | None = None) -> dict[str, Any]:
    """The editor on one file; `mine` is a text that could not be saved."""
    names = [entry for entry, _text in sorted(found.files.items(), key=_place)]
    current = name if name in found.files else (names[0] if names else "")
    absent = [entry for entry in KNOWN_FILES if entry not in found.files and (found.category != "A" or entry in _OF_A)]
    return {
        "draft": found,
        "names": names,
        "name": current,
        "text": found.files.get(current, "") if mine is None else mine,
        "theirs": found.files.get(current, "") if mine is not None else None,
        "absent": absent,
        "verdicts": VERDICTS,
        "language": "yaml" if current.endswith(".yaml") else "bsl",
        "is_fixed": current == "task.yaml",
    }


_OF_A = ("task.yaml", "tests.yaml", "canonical.bsl", "perf.yaml", "perf_baseline.bsl")


def changed_files(found: Draft, data: Mapping[str, str]) -> dict[str, str]:
    """The draft's files with the one that a form changed. Raises FaultyData for a name that no bundle has."""
    name, action = data.get("file", ""), data.get("action", "save")
    files = dict(found.files)
    if action == "privacy":
        return files
    if action == "remove":
        files.pop(name, None)
        return files
    if not _FILE.fullmatch(name) or ".." in name.split("/") or PurePosixPath(name).suffix not in (".yaml", ".bsl", ".md"):
        raise FaultyData([Finding(name[:80], "this file belongs to no bundle", cure=_("например, submissions/wrong_answer/имя.bsl"))])
    if action == "add":
        files.setdefault(name, "")
    else:
        text = data.get("text", "")
        files[name] = text.replace("\r\n", "\n").replace("\r", "\n")
    return files


def whole(text: str | None) -> int:
    return whole_number(text) or 0


def saved_by_other(now: Draft) -> ToldFinding:
    who = now.saved_by.username if now.saved_by else "—"
    return ToldFinding(
        "", 0, _("Черновик тем временем сохранил %(who)s (версия %(number)s).") % {"who": who, "number": now.revision},
        _("сравните тексты и сохраните ещё раз"),
    )  # fmt: skip


def edit_address(found: Draft, name: str) -> str:
    address = reverse("authoring:edit", args=[found.key])
    return f"{address}?{urlencode({'file': name})}" if name in found.files else address


def attempt(seen: Attempt) -> dict[str, Any]:
    """The result of a try, as JSON values with words."""
    verdicts = {"passed": _("пройден"), "wrong": _("не то значение"), "raised": _("исключение"), "not_run": _("не запускался")}
    outcomes = [{**outcome, "verdict_name": verdicts.get(str(outcome["verdict"]), "")} for outcome in seen.outcomes]
    return {**asdict(seen), "outcomes": outcomes}


# -- changes and versions -----------------------------------------------------------------------------------------------------


def changes(found: Draft) -> dict[str, Any]:
    """The draft against the published version: texts, and verdicts where they were compared."""
    published = found.task.bundle.files if found.task and found.task.bundle else {}
    comparison = found.comparison if found.comparison.get("digest") == found.digest else {}
    return {"draft": found, "diffs": comparing.file_diffs(published, found.files), "comparison": comparison, "rows": _rows(comparison)}


def _rows(comparison: Mapping[str, Any]) -> list[dict[str, Any]]:
    axes = ("S", "M", "O", "P", "Q")
    return [
        {**row, "cells": [(axis, row["old"].get(axis), row["new"].get(axis), row["old"].get(axis) != row["new"].get(axis)) for axis in axes]}
        for row in comparison.get("rows", ())
    ]


def versions(task: Task, query: Mapping[str, str]) -> dict[str, Any]:
    """Every version of a task with its validation, the log, and a diff of two versions."""
    stored = list(task.bundles.order_by("-number"))
    done = Validation.objects.filter(digest__in=[bundle.digest for bundle in stored], state="done").order_by("pk")
    latest = {row.digest: row for row in done.defer("files", "found")}
    rows = [{"bundle": bundle, "validation": latest.get(bundle.digest), "band": _band(latest.get(bundle.digest))} for bundle in stored]
    by_number = {str(bundle.number): bundle for bundle in stored}
    new, old = by_number.get(query.get("new", "")), by_number.get(query.get("old", ""))
    current = latest.get(task.bundle.digest) if task.bundle else None
    return {
        "task": task,
        "rows": rows,
        "diffs": comparing.file_diffs(old.files, new.files) if new and old else None,
        "new": new,
        "old": old,
        "report": shown_report(from_data(current.report), current) if current and current.report else None,
        "events": events(Q(task=task.key)),
        "discrimination": discrimination.of_task(task),
    }


def _band(row: Validation | None) -> str:
    return str(remarks.BANDS.get(row.band, "")) if row else ""
