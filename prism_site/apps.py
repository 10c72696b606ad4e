from contextlib import suppress

from django.apps import AppConfig
from django.conf import settings

from prism_site.translations import compile_stale


class SiteConfig(AppConfig):
    name = "prism_site"
    verbose_name = "PRISM"

    def ready(self) -> None:
        from prism_site import checks  # noqa: F401  (registers the system checks)

        compile_translations()


def compile_translations() -> None:
    """Catalogues are kept as text; whoever starts first compiles them. A tree that can't be written has them compiled already."""
    with suppress(OSError, ImportError):
        compile_stale(settings.LOCALE_PATHS)
