"""Filtering and ordering of rows for managers' methods: ``Отбор`` as a structure, ``Порядок`` as a string."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from scoring.engine.collections import FixedStructure, Structure
from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform.faults import bad_value, wrong_argument
from scoring.engine.storage.references import Reference, Row, folded
from scoring.engine.values.model import MISSING


def given(value: Any) -> bool:
    """Whether an optional argument carries something."""
    return value is not MISSING and value is not None


def structure_filter(meta: MetadataObject, value: Any, number: int) -> list[tuple[int, Any]]:
    """``Отбор`` → (place, folded value); raises for anything but a structure and for unknown fields."""
    if not given(value):
        return []
    if not isinstance(value, Structure | FixedStructure):
        raise wrong_argument(number)
    result = []
    for name, wanted in value.pairs():
        place = meta.positions.get(name.lower())
        if place is None:
            raise bad_value(number)
        result.append((place, folded(wanted)))
    return result


def filtered(rows: Iterable[Row], tests: Sequence[tuple[int, Any]]) -> list[Row]:
    if not tests:
        return list(rows)
    return [row for row in rows if all(folded(row[place]) == wanted for place, wanted in tests)]


def ordered(rt: Any, meta: MetadataObject, rows: list[Row], order: Any, number: int) -> list[Row]:
    """``Порядок``: «Наименование Убыв»; one field."""
    if not given(order) or not rt.text(order).strip():
        return rows
    parts = rt.text(order).split()
    place = meta.positions.get(parts[0].lower())
    if place is None:
        raise BslRuntimeError("argument_value", number=number)
    backwards = len(parts) > 1 and parts[1].lower() in ("убыв", "desc")
    return sorted(rows, key=order_key(rt, place), reverse=backwards)


def order_key(rt: Any, place: int) -> Callable[[Row], Any]:
    def key(row: Row) -> Any:
        value = row[place]
        if isinstance(value, str):
            return rt.dialect.sort_key_text(value)
        return getattr(value, "order_key", value)

    return key


def optional_reference(value: Any, table: Any, number: int) -> Reference | None:
    """An argument that must be a reference of ``table``, if it is there at all."""
    if not given(value):
        return None
    if not isinstance(value, Reference) or value.table is not table:
        raise wrong_argument(number)
    return value
