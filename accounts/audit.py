"""The audit log: one call per deed, in the deed's own transaction."""

from __future__ import annotations

from typing import Any

from accounts.models import AuditEvent


def record(actor: Any, action: str, target: object = "", **detail: Any) -> AuditEvent:
    """Writes an event. `actor` is a user or None (the system, or somebody unknown); `detail` must be plain JSON values."""
    number = getattr(actor, "pk", None) if actor is not None else None
    return AuditEvent.objects.create(actor=number, action=action, target=str(target)[:160], detail=detail)
