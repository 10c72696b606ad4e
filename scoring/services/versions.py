"""The counter behind cached pages: whatever changes what the public sees raises it."""

from __future__ import annotations

from django.db.models import F

from scoring.models import DataVersion

ROW = 1


def data_version() -> int:
    """The present number; 0 before anything was stored. One query."""
    return DataVersion.objects.filter(pk=ROW).values_list("number", flat=True).first() or 0


def data_changed() -> None:
    """Raises the number, in the caller's transaction."""
    if not DataVersion.objects.filter(pk=ROW).update(number=F("number") + 1):
        DataVersion.objects.get_or_create(pk=ROW, defaults={"number": 1})
