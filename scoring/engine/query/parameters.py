"""Values of query parameters: their static shape for planning, and the values inside collections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.platform.typevalues import metadata_types
from scoring.engine.query.shapes import ANY, type_of_value
from scoring.engine.values.model import BslObject
from scoring.engine.values.types import type_names

# Names of types whose values stand for a list of values in В (…).
_LISTS = frozenset({"Массив", "ФиксированныйМассив", "СписокЗначений"})
_TABLES = frozenset({"ТаблицаЗначений"})


@dataclass(frozen=True, slots=True)
class ParameterShape:
    """What planning knows of a parameter. ``kind``: value, list, table. ``columns``: of a table, (name, types) each."""

    kind: str
    types: TypeDescription
    columns: tuple[tuple[str, TypeDescription], ...] = ()


_SHAPES: dict[tuple[str, str], ParameterShape] = {}


def shape_of_parameter(value: Any) -> ParameterShape:
    names = type_names(value)
    if names[0] in _TABLES:
        return ParameterShape("table", ANY, tuple(table_columns(value)))
    found = _SHAPES.get(names)
    if found is None:
        kind = "list" if names[0] in _LISTS else "value"
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


def list_items(value: Any, rt: Any) -> Iterable[Any]:
    """The values that В (&value) compares with: of a list its items, of a table its first column, else the value."""
    name = type_names(value)[0]
    if name == "СписокЗначений":
        return [item.get_property(rt, "Значение") for item in value.iterate(rt)]
    if name in _LISTS:
        return list(value.iterate(rt))
    if name in _TABLES:
        return [row[0] for row in table_rows(value) if row]
    if isinstance(value, BslObject) and name in ("РезультатЗапроса",):
        return [row[0] for row in value.rows]  # type: ignore[attr-defined]
    return [value]
