"""Serves plotly's script from the installed package, so that no copy of it is kept in the repository."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

SCRIPT = "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds `vendor/plotly.min.js` in plotly's package data and nothing else."""

    def __init__(self, app_names: object = None) -> None:
        self.directory = Path(str(files("plotly") / "package_data"))
        self.storage = FileSystemStorage(location=str(self.directory))
        self.storage.prefix = "vendor"  # type: ignore[attr-defined]  # staticfiles reads it from finders' storages

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        found = str(self.directory / SCRIPT) if path == f"vendor/{SCRIPT}" else None
        if find_all:
            return [found] if found else []
        return found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        yield SCRIPT, self.storage
