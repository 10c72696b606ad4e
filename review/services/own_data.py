"""What review knows of a person, for the person."""

from __future__ import annotations

from typing import Any

from review.models import Slot, SlotState


def grades_of(user: Any) -> list[dict[str, Any]]:
    """Every locked grading with its revisions; drafts are shown on their own pages."""
    slots = Slot.objects.filter(expert=user, state=SlotState.SUBMITTED).select_related("item__round", "item__answer__task")
    return [
        {
            "round": slot.item.round.title,
            "task": slot.item.answer.task.key,
            "submitted_at": slot.submitted_at.isoformat() if slot.submitted_at else None,
            "revisions": [
                {
                    "revision": submission.revision,
                    "reason": submission.reason,
                    "grades": {grade.axis: grade.value for grade in submission.grades.all()},
                    "comments": {grade.axis: grade.comment for grade in submission.grades.all() if grade.comment},
                    "lines": submission.line_comments,
                }
                for submission in slot.submissions.prefetch_related("grades")
            ],
        }
        for slot in slots.order_by("submitted_at")
    ]
