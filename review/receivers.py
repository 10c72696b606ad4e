"""Marks are looked at again whenever a task's files or the shown scores change, after the change is committed."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver

from review.models import VerifiedEvent
from review.services import marks
from scoring.models import ShownStack, Task, TaskBundle


@receiver(post_save, sender=TaskBundle)
@receiver(post_save, sender=ShownStack)
@receiver(post_save, sender=Task)
def look_again(sender: object, raw: bool = False, **kwargs: Any) -> None:
    if not raw and VerifiedEvent.objects.exists():
        transaction.on_commit(marks.revoke_outdated)
