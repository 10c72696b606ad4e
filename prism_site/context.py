"""What every page's template may use."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from prism_site import __version__


def site(request: HttpRequest) -> dict[str, object]:
    """`prism_version`, and `language_links` as (code, name, address of this page in that language) for the switch."""
    return {"prism_version": __version__, "site_languages": settings.LANGUAGES, "language_links": language_links(request)}


def language_links(request: HttpRequest) -> list[tuple[str, str, str]]:
    """This page in every language: the same address with `lang`."""
    links = []
    for code, name in settings.LANGUAGES:
        query = request.GET.copy()
        query["lang"] = code
        links.append((code, str(name), f"{request.path}?{query.urlencode()}"))
    return links
