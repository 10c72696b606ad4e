"""What would the board say under another protocol? Stored evidence is judged anew; nothing is run and nothing is stored."""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db.models import F

from scoring.models import AXES, Score
from scoring.pipeline import judge
from scoring.protocol import Protocol, load_protocol
from scoring.scorecard import Scored
from scoring.services import scores, stacks

AUTO = "smop_l1_auto.yaml"
LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class Shift:
    """A network's mean on an axis before and after; `changed`: how many of its answers move."""

    network: str
    axis: str
    before: float | None
    after: float | None
    changed: int


@dataclass(frozen=True, slots=True)
class WhatIf:
    version: str
    answers: int
    changed: int
    without_evidence: int
    shifts: tuple[Shift, ...]


def protocol_of(text: str) -> Protocol:
    """The protocol in force with its automatic part replaced. Raises FaultyData with every fault of the text."""
    with tempfile.TemporaryDirectory() as folder:
        for path in settings.PRISM_METRICS_DIR.glob("*.yaml"):
            shutil.copy(path, folder)
        (Path(folder) / AUTO).write_text(text[:LONGEST], "utf-8")
        return load_protocol(Path(folder))


def present_text() -> str:
    """The automatic protocol in force, as a start for changes."""
    return (settings.PRISM_METRICS_DIR / AUTO).read_text("utf-8")


def what_if(category: str, text: str) -> WhatIf:
    """Judges the category's stored evidence by `text`. Raises FaultyData."""
    protocol = protocol_of(text)
    stack = stacks.shown_stack(category)
    found = Score.objects.filter(stack=stack, answer__task__category=category, answer__is_current=True, bundle=F("answer__task__bundle"))
    rows = found.select_related("answer__network").iterator(chunk_size=200) if stack else iter(())
    before, after, moved = defaultdict(list), defaultdict(list), defaultdict(int)  # type: ignore[var-annotated]
    answers = changed = blind = 0
    for score in rows:
        evidence = scores.read_evidence(score)
        answers += 1
        if evidence is None:
            blind += 1
            continue
        card = judge(evidence, protocol, category)
        network, different = score.answer.network.title, False
        for axis in AXES:
            old, result = score.axis(axis)[0], card.axes.get(axis)
            new = float(result.value) if isinstance(result, Scored) else None
            before[network, axis].append(old)
            after[network, axis].append(new)
            moved[network, axis] += old != new
            different |= old != new
        changed += different
    shifts = tuple(
        Shift(network, axis, mean_of(before[network, axis]), mean_of(after[network, axis]), moved[network, axis])
        for network, axis in sorted(before)
        if moved[network, axis]
    )
    return WhatIf(protocol.version, answers, changed, blind, shifts)


def mean_of(values: Iterable[float | None]) -> float | None:
    """The mean of what was measured."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 2) if known else None
