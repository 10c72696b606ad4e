"""Invitations: a link that expires and works once; the only way to an account."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.models import Invitation, Profile, Role

USUAL_DAYS = 7
LONGEST_DAYS = 60


class InvitationError(RuntimeError):
    """The link does not work (any more); the message says why."""


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def invite(actor: Any, role: str, note: str = "", days: int = USUAL_DAYS) -> tuple[Invitation, str]:
    """A new invitation and its token, which nobody can read again. Raises ValueError for an odd role or term."""
    if role not in Role.values:
        raise ValueError(f"{role!r} is no role")
    if not 1 <= days <= LONGEST_DAYS:
        raise ValueError(f"an invitation lasts 1 to {LONGEST_DAYS} days")
    token = secrets.token_urlsafe(32)
    expires = timezone.now() + timedelta(days=days)
    made = Invitation.objects.create(
        digest=_digest(token), role=role, note=note, created_by=actor, expires_at=expires
    )
    audit.record(actor, "invitation.created", made.pk, role=role)
    return made, token


def find(token: str) -> Invitation:
    """The open invitation of this token. Raises InvitationError."""
    found = Invitation.objects.filter(digest=_digest(token)).first()
    if found is None or not found.is_open:
        raise InvitationError("unknown, used, revoked or expired")
    return found


@transaction.atomic
def accept(token: str, username: str, password: str) -> Any:
    """Makes the account. The link is taken by a conditional update: two browsers can't both use it. Raises InvitationError."""
    found = find(token)
    taken = Invitation.objects.filter(pk=found.pk, used_at=None, revoked_at=None, expires_at__gt=timezone.now())
    if taken.update(used_at=timezone.now()) != 1:
        raise InvitationError("used just now")
    user = get_user_model().objects.create_user(username=username, password=password)
    user.groups.add(Group.objects.get_or_create(name=found.role)[0])
    Profile.objects.create(user=user)
    Invitation.objects.filter(pk=found.pk).update(used_by=user)
    audit.record(user, "invitation.accepted", found.pk, role=found.role)
    return user


@transaction.atomic
def revoke(actor: Any, invitation: int) -> bool:
    """Closes a link that nobody has used."""
    open_ones = Invitation.objects.filter(pk=invitation, used_at=None, revoked_at=None)
    done = open_ones.update(revoked_at=timezone.now()) == 1
    if done:
        audit.record(actor, "invitation.revoked", invitation)
    return done
