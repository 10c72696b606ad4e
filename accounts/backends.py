"""Authentication that refuses to try a password after too many failures, whichever page asks."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts import throttling


class ThrottledBackend(ModelBackend):
    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> Any:
        """As Django's own; PermissionDenied (which ends the attempt) while the name or the address is blocked."""
        if username and throttling.is_blocked(username, request):
            raise PermissionDenied("too many failed attempts")
        return super().authenticate(request, username=username, password=password, **kwargs)
