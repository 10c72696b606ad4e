"""Log-in throttling, kept in the database so that every process of the site counts alike."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import LoginFailure

WINDOW = timedelta(minutes=15)
FAILURES_PER_NAME = 5
# An address may be an office of many people.
FAILURES_PER_ADDRESS = 50


def address_of(request: HttpRequest | None) -> str:
    """The client's address; behind a trusted proxy (production) what the proxy nearest to us says."""
    if request is None:
        return ""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.SECURE_PROXY_SSL_HEADER and forwarded:
        return str(forwarded.split(",")[-1].strip())
    return str(request.META.get("REMOTE_ADDR", ""))


def _subject(kind: str, text: str) -> str:
    return hashlib.sha256(f"{kind}:{text.strip().lower()}".encode()).hexdigest()


def note_failure(name: str, request: HttpRequest | None) -> None:
    """Counts a failed attempt, and sweeps away what no longer counts."""
    subjects = [_subject("name", name), _subject("address", address_of(request))]
    LoginFailure.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    LoginFailure.objects.bulk_create([LoginFailure(subject=subject) for subject in subjects])


def is_blocked(name: str, request: HttpRequest | None) -> bool:
    """Whether this name or address has failed too often of late."""
    since = timezone.now() - WINDOW
    limits = {_subject("name", name): FAILURES_PER_NAME, _subject("address", address_of(request)): FAILURES_PER_ADDRESS}
    return any(
        LoginFailure.objects.filter(subject=subject, at__gte=since).count() >= limit for subject, limit in limits.items()
    )


def forget(name: str) -> None:
    """A success wipes the name's failures."""
    LoginFailure.objects.filter(subject=_subject("name", name)).delete()
