"""Ordering of rows: by columns, hierarchically, and by the fields that stand for an object (АВТОУПОРЯДОЧИВАНИЕ)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from scoring.engine.query.shapes import order_key
from scoring.engine.storage.references import Reference

_DATED = "document"
_NATURAL_FIELDS = {
    "catalog": ("наименование", "код"),
    "characteristics": ("наименование", "код"),
    "document": ("дата", "номер"),
    "accounts": ("код",),
    "enum": ("порядок",),
}


@dataclass(slots=True)
class SortKey:
    """Column ``index`` of the projected rows. ``plain``: numbers or dates that are never NULL compare directly."""

    index: int
    descending: bool = False
    hierarchy: bool = False
    natural: bool = False
    plain: bool = False


def sort_rows(rows: list[Any], keys: list[SortKey]) -> list[Any]:
    """Stable sort by all keys, the first one most significant."""
    result = list(rows)
    for key in reversed(keys):
        result.sort(key=_reader(key), reverse=key.descending)
    return result


def _reader(key: SortKey) -> Callable[[Any], Any]:
    index = key.index
    if key.plain:
        return itemgetter(index)
    value_key = natural_key if key.natural else order_key
    known: dict[Any, Any] = {}

    def read(row: Any) -> Any:
        value = row[index]
        if not isinstance(value, Reference):
            other = value_key(value)
            return (7, other) if other[0] == 6 else other
        found = known.get(value)
        if found is None:
            found = known[value] = hierarchical_key(value, value_key) if key.hierarchy else value_key(value)
        return found

    return read


def hierarchical_key(value: Reference, value_key: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The keys of all ancestors and then the value's own: parents stand before their children."""
    chain: list[Any] = []
    item = value
    while item.id and len(chain) < 100:
        chain.append(value_key(item))
        item = item.table.parent(item)
    return (6, tuple(reversed(chain)))


def natural_key(value: Any) -> tuple[int, Any]:
    """Objects by what people see them by: documents by date, catalogues by description; the rest as usual."""
    if not isinstance(value, Reference):
        return order_key(value)
    if value.row is None:
        return (6, ((0, 0), order_key(value)))
    places = value.table.meta.positions
    names = _NATURAL_FIELDS.get(value.table.meta.kind.key, ())
    fields = [order_key(value.row[places[name]]) for name in names if name in places]
    return (6, (*fields, order_key(value)))
