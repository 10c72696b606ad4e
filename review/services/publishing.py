"""Publishing a round: its report is frozen and its marks are decided, both or neither."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from review.models import Report, Round
from review.services import agreement, marks


@transaction.atomic
def publish(actor: Any, round_: Round) -> Report:
    """Raises RoundError."""
    report = agreement.publish(actor, round_)
    marks.decide_round(report.round)
    return report
