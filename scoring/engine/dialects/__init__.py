"""The dialects by name."""

from __future__ import annotations

from scoring.engine.dialects.base import Dialect


def get_dialect(name: str) -> Dialect:
    """The dialect ``onescript`` or ``onec``; one shared instance each. Raises ``KeyError`` for other names."""
    if not _INSTANCES:
        from scoring.engine.dialects.onec import OneC
        from scoring.engine.dialects.onescript import OneScript

        for kind in (OneScript, OneC):
            _INSTANCES[kind.name] = kind()
    return _INSTANCES[name]


_INSTANCES: dict[str, Dialect] = {}
