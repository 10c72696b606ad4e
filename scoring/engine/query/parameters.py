"""Values of query parameters: their static shape for planning, and the values inside collections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scoring.engine.collections.array import ArrayBase
from scoring.engine.collections.table import ValueTable
from scoring.engine.collections.value_list import ValueList
from scoring.engine.metadata.types import TypeDescription
from scoring.engine.platform.typevalues import metadata_types
from scoring.engine.query.shapes import ANY, type_of_value
from scoring.engine.values.types import type_names


@dataclass(frozen=True, slots=True)
class ParameterShape:
    """What planning knows of a parameter. ``kind``: value, list, table. ``columns``: of a table, (name, types) each."""

    kind: str
    types: TypeDescription
    columns: tuple[tuple[str, TypeDescription], ...] = ()


_SHAPES: dict[tuple[str, str], ParameterShape] = {}


def shape_of_parameter(value: Any) -> ParameterShape:
    """Tabular sections are value tables, too."""
    if isinstance(value, ValueTable):
        return ParameterShape("table", ANY, tuple(table_columns(value)))
    names = type_names(value)
    found = _SHAPES.get(names)
    if found is None:
        kind = "list" if isinstance(value, (ArrayBase, ValueList)) else "value"
        found = _SHAPES[names] = ParameterShape(kind, type_of_value(value))
    return found


def table_columns(table: Any) -> list[tuple[str, TypeDescription]]:
    """Names and types of a value table's columns; an untyped one has no type names."""
    return [
        (column.name, ANY if column.value_type is None else metadata_types(column.value_type))
        for column in table.columns.items
    ]


def table_rows(table: Any) -> list[tuple[Any, ...]]:
    slots = [column.slot for column in table.columns.items]
    return [tuple([row.read(slot) for slot in slots]) for row in table.items]


def list_items(value: Any) -> Iterable[Any]:
    """The values that В (&value) compares with: of a list its items, of a table its first column, else the value."""
    if isinstance(value, ArrayBase):
        return value.items
    if isinstance(value, ValueList):
        return [item.value for item in value.items]
    if isinstance(value, ValueTable):
        return [row[0] for row in table_rows(value) if row]
    return [value]
