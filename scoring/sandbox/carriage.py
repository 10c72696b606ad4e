"""Plain data of bundles on their way to the worker as JSON: dates and decimals travel as marked pairs."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

_DATE, _DECIMAL = "\x01d", "\x01n"


def carried(value: Any) -> Any:
    """``value`` (mappings, lists, scalars, dates, decimals) as JSON values; :func:`revived` undoes it."""
    if isinstance(value, dict):
        return {key: carried(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [carried(entry) for entry in value]
    if isinstance(value, datetime):
        return [_DATE, value.isoformat()]
    if isinstance(value, date):
        return [_DATE, datetime(value.year, value.month, value.day).isoformat()]
    return [_DECIMAL, str(value)] if isinstance(value, Decimal) else value


def revived(value: Any) -> Any:
    """What was carried: dates come back as ``datetime``."""
    if isinstance(value, dict):
        return {key: revived(entry) for key, entry in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) == 2 and value[0] == _DATE:
        return datetime.fromisoformat(value[1])
    if len(value) == 2 and value[0] == _DECIMAL:
        return Decimal(value[1])
    return [revived(entry) for entry in value]
