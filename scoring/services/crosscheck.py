"""Cross-checks: the built-in engine beside the genuine ones that are here, what is kept of them, and what of that the public sees.

Reports of stored answers hold both sides' words. `public_figures` is the only part of one that a public page may show.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from scoring.fidelity.cross import QUESTIONS, Subject, asked, cross_check
from scoring.findings import FaultyData
from scoring.instruments.choice import Engines
from scoring.instruments.settings import BUILTIN, CHOICES, GENUINE, EngineSettings
from scoring.models import OPEN_STATES, Answer, AnswerStatus, Category, CrossCheck, CrossCheckReason, JobState
from scoring.pipeline import Pipeline, Stack
from scoring.plain import plain_data
from scoring.protocol import Protocol
from scoring.services import bank, measuring, stacks
from scoring.services.versions import data_changed
from scoring.strict_yaml import Fields, parse

FILE = "cross_check.yaml"
NUMBERS = (
    "sample", "seed", "hours", "minutes", "slice_seconds", "least_seconds", "save_seconds", "attempts", "patience_minutes", "kept", "kept_with_words",
)  # fmt: skip
# What of a disagreement are words of the two sides.
WORDS = frozenset(("ours", "theirs"))


@dataclass(frozen=True, slots=True)
class Rules:
    """`metrics/cross_check.yaml`, which explains each."""

    sample: int
    seed: int
    hours: int
    minutes: int
    slice_seconds: int
    least_seconds: int
    save_seconds: int
    attempts: int
    patience_minutes: int
    kept: int
    kept_with_words: int


def rules() -> Rules:
    """The rules in force. Raises FaultyData."""
    return read_rules(settings.PRISM_METRICS_DIR / FILE)


@lru_cache(maxsize=4)
def read_rules(path: Path) -> Rules:
    """The rules of a file. Raises FaultyData with every fault."""
    findings: list[Any] = []
    fields = Fields(parse(path.read_text("utf-8"), FILE), findings)
    fields.only(("version", *NUMBERS))
    found = {name: fields.whole(name, required=True) for name in NUMBERS}
    for name in NUMBERS:
        if found[name] < 1 and not findings:
            fields.fault((name,), f"{name!r} must be at least 1")
    if found["hours"] > 24:
        fields.fault(("hours",), "'hours' must be at most 24")
    if findings:
        raise FaultyData(findings)
    return Rules(**found)


# -- what is compared --------------------------------------------------------------------------------------------------


def draw(category: str, size: int) -> list[int]:
    """Ids of stored answers to compare on: drawn at random, but the same ones for the same stock, and nearly for a grown one."""
    answers = Answer.objects.filter(
        is_current=True, status=AnswerStatus.ANSWERED, task__category=category, task__bundle__isnull=False
    )
    seed = rules().seed
    keys = sorted(answers.values_list("pk", flat=True), key=lambda key: hashlib.sha256(f"{seed}:{key}".encode()).digest())
    return sorted(keys[:size])


def subjects_of(keys: Iterable[int]) -> list[Subject]:
    """These answers as they are stored now, in this order; what was deleted is left out."""
    wanted = list(keys)
    found = Answer.objects.filter(pk__in=wanted).select_related("task__bundle", "network").in_bulk()
    return [
        Subject(answer.task.key, answer.network.name, answer.response, bank.read_bundle(answer.task.bundle), answer.pk)
        for answer in filter(None, map(found.get, wanted))
        if answer.task.bundle
    ]


def sample(category: str, size: int) -> list[Subject]:
    """Stored answers to compare on."""
    return subjects_of(draw(category, size))


def missing_engines(category: str) -> str:
    """Why this process has no genuine engine for the category; "" where it has one."""
    engines = measuring.workshop().engines
    found = {name: engines.availability(name) for key, (name, *_) in CHOICES.items() if key[0] == category}
    if any(entry.ready for entry in found.values()):
        return ""
    return "; ".join(f"{name}: {entry.reason}" for name, entry in found.items())


def present_engines(category: str) -> tuple[Engines, Pipeline, Pipeline]:
    """Engines to close, the built-in pipeline and the one of whatever genuine engines are here."""
    present: EngineSettings = settings.PRISM_ENGINES
    keys = [key for key in CHOICES if key[0] == category]
    engines = Engines(stacks.protocol(), replace(present, wanted=dict.fromkeys(keys, GENUINE)))
    builtin = engines.get(BUILTIN)
    ours = Pipeline(Stack.of(builtin), engines.protocol)
    return engines, ours, Pipeline(Stack.chosen(engines, category), engines.protocol)


def check(
    category: str, subjects: Sequence[Subject], details: bool, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any] | None:
    """The report, or None where no genuine engine of the category is here."""
    engines, ours, theirs = present_engines(category)
    try:
        if not asked(ours.stack, theirs.stack):
            return None
        report = cross_check(subjects, ours, theirs, category=category, details=details, progress=progress)
    finally:
        engines.close()
    return {"made_at": timezone.now().isoformat(timespec="seconds"), **report}


# -- what is kept ------------------------------------------------------------------------------------------------------


def keep(report: Mapping[str, Any]) -> CrossCheck:
    """Keeps a report of stored answers that a command made."""
    row = CrossCheck.objects.create(
        category=report["category"],
        reason=CrossCheckReason.COMMAND,
        state=JobState.DONE,
        report=plain_data(dict(report)),
        done=report["answers"],
        finished_at=timezone.now(),
    )
    forget_old(row.category)
    data_changed()
    return row


def forget_old(category: str) -> None:
    """Bounds the stock: the oldest ended checks go, all but the newest lose both sides' words."""
    ended = CrossCheck.objects.filter(category=category).exclude(state__in=OPEN_STATES).order_by("-pk")
    bounds = rules()
    CrossCheck.objects.filter(pk__in=list(ended.values_list("pk", flat=True)[bounds.kept :])).delete()
    for row in ended.filter(report__isnull=False)[bounds.kept_with_words :]:
        report = dict(row.report or {})
        if any(WORDS & entry.keys() for entry in report["disagreements"]):
            report["disagreements"] = [_without_words(entry) for entry in report["disagreements"]]
            CrossCheck.objects.filter(pk=row.pk).update(report=report, subjects=[])


def _without_words(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in WORDS}


def finished(category: str) -> Any:
    """Checks of a category that came to their end, the newest first."""
    return CrossCheck.objects.filter(category=category, state=JobState.DONE, report__isnull=False)


@dataclass(frozen=True, slots=True)
class Past:
    """A finished check beside the one before it. `changed`: what of engines and protocol is not as it was then (old, new)."""

    row: CrossCheck
    changed: tuple[tuple[str, str], ...]


def history(category: str, start: int, size: int) -> list[Past]:
    """Finished checks, the newest first, `size` of them from `start` on."""
    rows = list(finished(category)[start : start + size + 1])
    pairs = zip(rows, [*rows[1:], None], strict=False)
    return [Past(row, changes(older.report, row.report) if older else ()) for row, older in pairs][:size]


def changes(older: Mapping[str, Any], newer: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Engines (with their versions) and protocol that differ between two reports, each once, as (old, new)."""
    found = [
        (engine_of(older[side], question), engine_of(newer[side], question))
        for side in ("ours", "theirs")
        for question in QUESTIONS
    ]
    rules_of = [f"L1 {report.get('protocol', '')} {str(report.get('protocol_hash', ''))[:8]}".strip() for report in (older, newer)]
    return tuple(dict.fromkeys(pair for pair in [*found, (rules_of[0], rules_of[1])] if pair[0] != pair[1]))


# -- what the public may see -------------------------------------------------------------------------------------------

OTHER_KIND = "other"
_TEST_WORDS = frozenset(
    (
        "passed", "wrong", "raised", "not_run", "runs", "empty", "no_entry_point", "does_not_compile",
        "limit_operations", "limit_memory", "limit_depth", "limit_output",
    )
)  # fmt: skip
_ROOT_CAUSES = re.compile(r"root causes \d{1,6} / \d{1,6}|refused by one", re.ASCII)
_VALUE = re.compile(r"\d{1,2}(\.\d{1,4})?", re.ASCII)


def public_figures(report: Mapping[str, Any]) -> dict[str, Any]:
    """Engines, protocol and figures per question. No task, network or word of either side, and kinds out of closed lists only: what
    an engine says of a private task's answer can't come through, whatever it is."""
    protocol = stacks.protocol()
    return {
        "protocol": str(report.get("protocol", "")),
        "answers": int(report["answers"]),
        "questions": {
            question: {
                "ours": engine_of(report["ours"], question),
                "theirs": engine_of(report["theirs"], question),
                **{name: int(row[name]) for name in ("n", "equal", "not_measured")},
                "share": int(row["equal"]) / int(row["n"]) if row["n"] else None,
                "kinds": _public_kinds(question, row.get("kinds", {}), protocol),
            }
            for question, row in report["questions"].items()
            if question in _KIND_IS_KNOWN
        },
    }


def engine_of(stack: Mapping[str, str], question: str) -> str:
    """Name and version of the engine that answered: anti-patterns are the load runs' engine's where a stack names no other."""
    return str(stack.get(question) or stack.get("work" if question == "static" else question, ""))


def _public_kinds(question: str, kinds: Mapping[str, int], protocol: Protocol) -> dict[str, int]:
    found: Counter[str] = Counter()
    for kind, number in kinds.items():
        found[kind if _KIND_IS_KNOWN[question](kind, protocol) else OTHER_KIND] += int(number)
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _is_test_kind(kind: str, protocol: Protocol) -> bool:
    return set(kind.split(" / ")) <= _TEST_WORDS


def _is_work_kind(kind: str, protocol: Protocol) -> bool:
    reasons = protocol.constitution.not_measured.keys() | protocol.constitution.not_applicable.keys()
    return all(side in reasons or _VALUE.fullmatch(side) for side in kind.split(" / "))


def _is_static_kind(kind: str, protocol: Protocol) -> bool:
    return all(code[:1] in ("+", "-") and code[1:] in protocol.optimization.static_weights for code in kind.split(" "))


_KIND_IS_KNOWN: dict[str, Callable[[str, Protocol], bool]] = {
    "syntax": lambda kind, protocol: bool(_ROOT_CAUSES.fullmatch(kind)),
    "tests": _is_test_kind,
    "work": _is_work_kind,
    "static": _is_static_kind,
}


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """The last cross-check of a category as the public sees it."""

    category: str
    made_at: Any
    figures: dict[str, Any]


def live_checks() -> list[LiveCheck]:
    """The last finished cross-check of each category that has one."""
    rows = filter(None, (finished(category).first() for category in Category.values))
    return [LiveCheck(row.category, row.finished_at, public_figures(row.report)) for row in rows if row.report]
