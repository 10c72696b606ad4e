"""The order in which people count: A1, A9, A11, A101."""

from __future__ import annotations

import re

DIGITS = re.compile(r"([0-9]+)")


def natural(key: str) -> tuple[tuple[str, int], ...]:
    """What to sort by so that digits in a row compare as one number."""
    parts = [*DIGITS.split(key), "0"]
    return tuple((text, int(number)) for text, number in zip(parts[::2], parts[1::2], strict=True))
