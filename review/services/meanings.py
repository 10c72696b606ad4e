"""What experts gave for M, for those who look after tasks: only of rounds that are over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from review.models import Grade, RoundState


def of_task(task: int) -> Mapping[int, tuple[int, ...]]:
    """Answer → blind grades of M."""
    over = (RoundState.CLOSED, RoundState.PUBLISHED)
    rows = Grade.objects.filter(
        axis="M", submission__is_blind=True, submission__slot__item__round__state__in=over, submission__slot__item__answer__task=task
    ).values_list("submission__slot__item__answer", "value")
    found: dict[int, list[int]] = defaultdict(list)
    for answer, value in rows:
        found[answer].append(value)
    return {answer: tuple(values) for answer, values in found.items()}
