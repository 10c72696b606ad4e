"""The notation of values in ``tests.yaml`` → wire values."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from scoring import wire
from scoring.strict_yaml import Fields, Path

_NAME = re.compile(r"[^\W\d]\w*")
MARKERS = ("__date__", "__table__", "__map__", "__bsl__")


def read_value(fields: Fields, path: Path, value: Any) -> wire.Wire:
    """The wire form of ``value``, which stands at ``path`` below ``fields``; faults become findings."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, Decimal)):
        return wire.number(value)
    if isinstance(value, date):
        return wire.moment(value)
    if isinstance(value, list):
        return ["a", [read_value(fields, (*path, i), entry) for i, entry in enumerate(value)]]
    return _mapping(fields, path, value)


def _mapping(fields: Fields, path: Path, value: dict[str, Any]) -> wire.Wire:
    marker = next((key for key in value if key.startswith("__") and key.endswith("__")), None)
    if marker is None:
        for key in value:
            if not _NAME.fullmatch(key):
                fields.fault((*path, key), f"{key!r} can be no key of a structure", "write {__map__: [[key, value], …]}")
        return ["s", [[key, read_value(fields, (*path, key), entry)] for key, entry in value.items()]]
    if len(value) > 1 or marker not in MARKERS:
        fields.fault(path, f"a value with {marker} must have one key of {', '.join(MARKERS)}")
        return None
    return _MARKED[marker](fields, (*path, marker), value[marker])


def _date(fields: Fields, path: Path, value: Any) -> wire.Wire:
    if isinstance(value, date):
        return wire.moment(value)
    try:
        return wire.moment(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        fields.fault(path, f"{value!r} is no ISO date", 'write "2026-02-01" or "2026-02-01T10:30:00"')
        return None


def _table(fields: Fields, path: Path, value: Any) -> wire.Wire:
    table = Fields(fields.document, fields.findings, (*fields.path, *path), value)
    table.only(("columns", "rows"))
    columns = table.texts("columns", required=True)
    rows = []
    for index, row in enumerate(table.items("rows")):
        if not isinstance(row, list) or len(row) != len(columns):
            table.fault(("rows", index), f"a row must be a list of {len(columns)} values")
            continue
        rows.append([read_value(table, ("rows", index, i), cell) for i, cell in enumerate(row)])
    return ["t", list(columns), rows]


def _map(fields: Fields, path: Path, value: Any) -> wire.Wire:
    pairs = []
    for index, pair in enumerate(value if isinstance(value, list) else [None]):
        if not isinstance(pair, list) or len(pair) != 2:
            fields.fault((*path, index), "a map is a list of [key, value]")
            continue
        pairs.append([read_value(fields, (*path, index, i), part) for i, part in enumerate(pair)])
    return ["m", pairs]


def _expression(fields: Fields, path: Path, value: Any) -> wire.Wire:
    if not isinstance(value, str) or not value.strip():
        fields.fault(path, "an expression of 1C is expected")
        return None
    return ["e", value]


_MARKED: dict[str, Callable[[Fields, Path, Any], wire.Wire]] = {
    "__date__": _date,
    "__table__": _table,
    "__map__": _map,
    "__bsl__": _expression,
}
