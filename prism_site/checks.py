"""What a misconfigured installation is told at start, before anyone meets it as an error page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

METRICS = ("smop.yaml", "smop_l1_auto.yaml", "smop_l2_expert.yaml", "verified.yaml")


@register()
def metrics_are_there(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """The numbers of the method are files; without them nothing can be judged."""
    missing = [name for name in METRICS if not (settings.PRISM_METRICS_DIR / name).is_file()]
    return [
        Error(f"metrics/{name} is missing", hint="restore it from the repository", id="prism.E001") for name in missing
    ]


@register()
def plotly_is_there(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Charts are drawn by plotly's script out of the installed package."""
    if (files("plotly") / "package_data" / "plotly.min.js").is_file():
        return []
    return [Warning("plotly's script is not in the installed package", hint="run `make setup`", id="prism.W001")]


@register()
def bank_is_there(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """A tasks folder named by PRISM_TASKS must exist."""
    if settings.PRISM_TASKS_DIR.is_dir():
        return []
    return [Warning(f"{settings.PRISM_TASKS_DIR} is no folder", hint="check PRISM_TASKS", id="prism.W002")]


@register(deploy=True)
def servers_are_named(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """The embedded defaults serve one machine; several need servers."""
    named = {"DATABASE_URL": settings.DATABASE_URL, "REDIS_URL": settings.REDIS_URL}
    return [
        Warning(f"{name} is not set: this installation can't grow beyond one machine", id="prism.W003")
        for name, value in named.items()
        if not value
    ]
