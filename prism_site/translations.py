"""Compiles `.po` into `.mo` without gettext's tools, only where the source is newer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def compile_stale(folders: Iterable[Path]) -> list[Path]:
    """Writes each missing or outdated catalogue below the folders; returns those written."""
    written = []
    for source in (po for folder in folders for po in sorted(Path(folder).rglob("*.po"))):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        import polib

        fresh = target.with_suffix(".part")
        polib.pofile(str(source)).save_as_mofile(str(fresh))
        fresh.replace(target)
        written.append(target)
    return written
