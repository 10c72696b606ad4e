"""What a draft would change: the texts against the published version, and the verdicts of stored answers."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from authoring.drafts import loaded
from authoring.models import Draft
from scoring import queue
from scoring.models import Answer, AnswerStatus, Score
from scoring.services import measuring, stacks

# Answers that a comparison scores at most; the newest ones count.
MOST_ANSWERS = 400
CONTEXT = 3


@dataclass(frozen=True, slots=True)
class FileDiff:
    """`kind`: added, removed or changed; `lines` are (mark, text) with a mark of `+`, `-`, ` ` or `@`."""

    name: str
    kind: str
    lines: tuple[tuple[str, str], ...]


def file_diffs(old: Mapping[str, str], new: Mapping[str, str]) -> list[FileDiff]:
    """The differing files, in order of their names."""
    found = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before != after:
            kind = "added" if before is None else "removed" if after is None else "changed"
            found.append(FileDiff(name, kind, tuple(_lines(before or "", after or ""))))
    return found


def _lines(before: str, after: str) -> list[tuple[str, str]]:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=CONTEXT, lineterm=""))[2:]
    return [(line[:1] if line[:1] in "+-@" else " ", line if line.startswith("@") else line[1:]) for line in lines]


@transaction.atomic
def ask(draft: Draft) -> None:
    """Queues the comparison of verdicts for the draft as it is."""
    draft.comparison = {"digest": draft.digest, "state": "queued", "rows": [], "done": 0, "total": 0}
    draft.save(update_fields=["comparison"])
    transaction.on_commit(lambda: queue.queue(queue.DEFAULT).enqueue("authoring.jobs.compare", draft.pk, draft.digest, result_ttl=0))


def compare(draft_id: int, digest: str) -> None:
    """Scores every stored answer to the draft's task by the draft's files; keeps those whose values change."""
    draft = Draft.objects.select_related("task").filter(pk=draft_id, digest=digest).first()
    if draft is None or draft.task is None:
        return
    try:
        state = _compared(draft)
    except Exception as error:  # whatever fails here must not leave a comparison that never ends
        state = {"state": "failed", "error": str(error)[:500]}
    Draft.objects.filter(pk=draft_id, digest=digest).update(comparison={"digest": digest, "rows": [], **state})


def _compared(draft: Draft) -> dict[str, object]:
    bundle = loaded(draft.files).required()
    answers = list(
        Answer.objects.filter(task=draft.task, is_current=True, status=AnswerStatus.ANSWERED)
        .select_related("network")
        .order_by("network__is_control", "network__name", "run_index")[:MOST_ANSWERS]
    )
    shown = stacks.shown_stack(bundle.category)
    scores = {
        score.answer_id: score
        for score in Score.objects.filter(answer__in=answers, stack=shown, bundle=draft.task.bundle if draft.task else None)
    }
    rows = []
    for answer in answers:
        card = measuring.pipeline().score(answer.response, bundle).card
        new = {axis: _float(card.value(axis)) for axis in card.axes} | {"Q": _float(card.quality)}
        old = _stored(scores.get(answer.pk))
        if old is not None and old != new:
            rows.append({"answer": answer.pk, "network": str(answer.network.title), "file": answer.control_file, "old": old, "new": new})
    return {"state": "done", "rows": rows, "done": len(answers), "total": len(answers), "unscored": len(answers) - len(scores)}


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]


def _stored(score: Score | None) -> dict[str, float | None] | None:
    if score is None:
        return None
    return {"S": score.s_value, "M": score.m_value, "O": score.o_value, "P": score.p_value, "Q": score.q_value}
