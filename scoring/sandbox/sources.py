"""Which sources a worker runs: what another place keeps a copy of must be the same text, or its verdicts would bear our version's name."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# All of the package that a worker's process imports (folders whole: some modules are imported when first needed).
WORKER_PARTS = (
    "__init__.py", "engine", "sandbox", "bundles", "balance.py", "evidence.py", "extract.py", "findings.py", "protocol.py", "strict_yaml.py",
    "wire.py",
)  # fmt: skip


@lru_cache(maxsize=4)
def digest(parts: tuple[str, ...]) -> str:
    """A digest of every module below ``parts`` of the package ``scoring``, their names included."""
    found = hashlib.sha256()
    for part in parts:
        place = PACKAGE / part
        base = place if place.is_dir() else place.parent
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            found.update(path.relative_to(base).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:12]
