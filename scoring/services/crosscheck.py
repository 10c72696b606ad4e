"""Cross-checks: the built-in engine beside the genuine ones that are here, and the last report of each category."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from scoring.fidelity.cross import Subject, asked, cross_check
from scoring.instruments.choice import Engines
from scoring.instruments.settings import BUILTIN, CHOICES, GENUINE, EngineSettings
from scoring.models import Answer, AnswerStatus, Category
from scoring.pipeline import Pipeline, Stack
from scoring.services import bank, stacks

# A fixed seed: two runs over the same answers draw the same sample.
SEED = 20260723


def sample(category: str, size: int) -> list[Subject]:
    """Stored answers to compare on, drawn at random, the same ones for the same stock."""
    answers = Answer.objects.filter(is_current=True, status=AnswerStatus.ANSWERED, task__category=category)
    keys = sorted(answers.values_list("pk", flat=True))
    drawn = sorted(random.Random(SEED).sample(keys, min(size, len(keys))))
    found = answers.filter(pk__in=drawn).select_related("task__bundle", "network").order_by("pk")
    return [
        Subject(answer.task.key, answer.network.name, answer.response, bank.read_bundle(answer.task.bundle))
        for answer in found
        if answer.task.bundle
    ]


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


def _place(category: str) -> Path:
    return Path(settings.VAR_DIR) / "cross_check" / f"{category}.json"


def keep(report: dict[str, Any]) -> None:
    """Keeps the report as the last one of its category."""
    place = _place(report["category"])
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_suffix(".part")
    fresh.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")
    fresh.replace(place)


def last_reports() -> list[dict[str, Any]]:
    """The last report of each category that has one."""
    places = [_place(category) for category in Category.values]
    return [json.loads(place.read_text("utf-8")) for place in places if place.is_file()]
