"""What every page's template may use."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from prism_site import __version__


def site(request: HttpRequest) -> dict[str, object]:
    """`prism_version`, and `other_languages` as (code, name) pairs for the switch."""
    return {"prism_version": __version__, "site_languages": settings.LANGUAGES}
