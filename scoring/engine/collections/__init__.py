"""The collections of the language; importing this package registers them all.

Each module's docstring says which slots compiled code may use directly. ``new_array``, ``new_structure`` and ``new_map`` make
values for built-ins.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scoring.engine.collections.array import Array, FixedArray
from scoring.engine.collections.comparison import ValueComparison
from scoring.engine.collections.grid import Column, ColumnCollection, Grid, GridRow
from scoring.engine.collections.indexes import CollectionIndex, CollectionIndexes
from scoring.engine.collections.mapping import FixedMap, Map
from scoring.engine.collections.structure import FixedStructure, KeyAndValue, Structure
from scoring.engine.collections.table import ValueTable, ValueTableColumn, ValueTableColumns, ValueTableRow
from scoring.engine.collections.tree import (
    ValueTree,
    ValueTreeColumn,
    ValueTreeColumns,
    ValueTreeRow,
    ValueTreeRows,
)
from scoring.engine.collections.value_list import ValueList, ValueListItem


def new_array(items: list[Any] | None = None) -> Array:
    """Массив over ``items`` (the list itself, not a copy)."""
    return Array(items)


def new_structure(pairs: Iterable[tuple[str, Any]] = ()) -> Structure:
    """Структура of (key, value) pairs; keys must be identifiers."""
    return Structure(pairs)


def new_map(rt: Any, pairs: Iterable[tuple[Any, Any]] = ()) -> Map:
    """Соответствие of (key, value) pairs."""
    result = Map()
    for key, value in pairs:
        result.set_index(rt, key, value)
    return result


__all__ = [
    "Array",
    "CollectionIndex",
    "CollectionIndexes",
    "Column",
    "ColumnCollection",
    "FixedArray",
    "FixedMap",
    "FixedStructure",
    "Grid",
    "GridRow",
    "KeyAndValue",
    "Map",
    "Structure",
    "ValueComparison",
    "ValueList",
    "ValueListItem",
    "ValueTable",
    "ValueTableColumn",
    "ValueTableColumns",
    "ValueTableRow",
    "ValueTree",
    "ValueTreeColumn",
    "ValueTreeColumns",
    "ValueTreeRow",
    "ValueTreeRows",
    "new_array",
    "new_map",
    "new_structure",
]
