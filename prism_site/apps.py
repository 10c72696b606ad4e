from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "prism_site"
    verbose_name = "PRISM"

    def ready(self) -> None:
        from prism_site import checks  # noqa: F401  (registers the system checks)
