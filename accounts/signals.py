"""What happens at a log-in, wherever it comes from."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import audit, throttling


@receiver(user_login_failed)
def count_failure(sender: object, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any) -> None:
    name = str(credentials.get("username") or "")
    throttling.note_failure(name, request)
    audit.record(None, "login.failed")


@receiver(user_logged_in)
def note_login(sender: object, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    throttling.forget(user.get_username())
    audit.record(user, "login")


@receiver(user_logged_out)
def note_logout(sender: object, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    if user is not None:
        audit.record(user, "logout")
