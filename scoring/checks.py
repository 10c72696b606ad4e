"""System checks of what scoring reads from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, register

from scoring.findings import FaultyData


@register()
def catalogue_is_sound(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Networks, channels, prices, editions, prompts: each fault with file, line and key, before a run meets it."""
    from scoring.services import generation

    try:
        generation.catalogue()
    except FaultyData as faulty:
        return [Error(str(finding), hint="see docs/generation.md", id="prism.E020") for finding in faulty.findings]
    return []
