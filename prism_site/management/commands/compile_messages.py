"""`compile_messages`: translations for use, without gettext's tools."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from prism_site.translations import compile_stale
from scoring.management.base import PrismCommand


class Command(PrismCommand):
    help = "Compiles translations whose source changed."

    def run(self, **options: Any) -> None:
        for path in compile_stale(settings.LOCALE_PATHS):
            self.say(str(path))
