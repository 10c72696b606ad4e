"""Security headers on every response, ours and static files alike; the language that an address names."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

# Scripts come from our own files only. Styles may be inline: plotly sets them on the elements it draws.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
PERMISSIONS_POLICY = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"


def security_headers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Adds the policies unless a view has set stricter ones of its own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return middleware


def russian_first(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The language is Russian until somebody chooses: a browser's own wish, often nobody's choice, is not asked."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.META.pop("HTTP_ACCEPT_LANGUAGE", None)
        return get_response(request)

    return middleware


def language_of_address(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """`?lang=en` shows a page in that language and keeps the choice; a link can be sent on with its language."""
    known = {code for code, _ in settings.LANGUAGES}

    def middleware(request: HttpRequest) -> HttpResponse:
        wanted = request.GET.get("lang", "")
        if wanted not in known:
            return get_response(request)
        translation.activate(wanted)
        request.LANGUAGE_CODE = wanted
        response = get_response(request)
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, wanted, max_age=365 * 24 * 3600, samesite="Lax")
        return response

    return middleware
