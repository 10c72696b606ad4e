"""Values as text, for comparison with recorded results: one notation for every type, exact and unambiguous.

=========================================  ===========================================================================
Неопределено, Null, Булево                 ``Undefined``, ``Null``, ``True``, ``False``
Число                                      exact decimal: no exponent, no trailing zeros after the point, no ``-0``
Строка                                     ``"…"`` with ``\\"`` ``\\\\`` ``\\n`` ``\\r`` ``\\t`` and ``\\uXXXX`` (UTF-16 units)
Дата                                       ``'yyyyMMddHHmmss'``, with ``+0.25`` before the end for a fraction of a second
Тип                                        ``Type(Number)``
arrays                                     ``[a, b]``, ``Fixed[a, b]``
structures                                 ``Structure{key: v, …}``, ``FixedStructure{…}``
maps                                       ``Map{k => v, …}``, ``FixedMap{…}``
КлючИЗначение                              ``KeyAndValue(k, v)``
СписокЗначений, its item                   ``ValueList[item, …]``, ``(value, "presentation", check)``
ТаблицаЗначений, its row                   ``ValueTable(col, …)[(v, …), …]``, ``ValueTableRow{col: v, …}``
ДеревоЗначений, its row                    ``ValueTree(col, …)[(v, …)[children], …]``, ``ValueTreeRow{col: v, …}[number of children]``
anything else                              ``Object(type name)`` or ``Object(type name, "its text")``
nesting deeper than 9                      ``...``
=========================================  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.engine.values.model import NULL, BslObject
from scoring.engine.values.types import TypeValue, type_names

MAX_NESTING = 9
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED_RANGES = ((0x00, 0x1F), (0x7F, 0xBF), (0x2000, 0x206F), (0xD800, 0xFFFF))


def notation(value: Any, rt: Any = None) -> str:
    """``value`` in the notation above; with ``rt`` other objects show their text as well."""
    return _show(value, rt, 0)


def _show(value: Any, rt: Any, depth: int) -> str:
    if depth > MAX_NESTING:
        return "..."
    simple = _PRIMITIVES.get(type(value))
    if simple is not None:
        return simple(value)
    writer = _writers().get(type(value))
    if writer is not None:
        return writer(value, lambda inner: _show(inner, rt, depth + 1))
    return _other(value, rt)


def _other(value: Any, rt: Any) -> str:
    name = type_names(value)[1] if isinstance(value, BslObject) else type(value).__name__
    if rt is None or not isinstance(value, BslObject):
        return f"Object({name})"
    return f"Object({name}, {quoted(value.presentation(rt))})"


def number(value: int | Decimal) -> str:
    """The exact decimal text."""
    if type(value) is int:
        return str(value)
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    code = ord(letter)
    if code > 0xFFFF or any(low <= code <= high for low, high in _ESCAPED_RANGES):
        units = letter.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    return letter


def _date(value: datetime) -> str:
    text = f"{value.year:04}{value.month:02}{value.day:02}{value.hour:02}{value.minute:02}{value.second:02}"
    if value.microsecond:
        text += "+" + number(Decimal(value.microsecond) / 1_000_000)
    return f"'{text}'"


_PRIMITIVES: dict[type, Callable[[Any], str]] = {
    type(None): lambda value: "Undefined",
    type(NULL): lambda value: "Null",
    bool: str,
    int: number,
    Decimal: number,
    str: quoted,
    datetime: _date,
    TypeValue: lambda value: f"Type({value.names[1]})",
}

Show = Callable[[Any], str]
_WRITERS: dict[type, Callable[[Any, Show], str]] = {}


def _writers() -> dict[type, Callable[[Any, Show], str]]:
    """One writer per collection; collections are imported late, since they are built on values."""
    if not _WRITERS:
        from scoring.engine import collections as c

        _WRITERS.update(
            {
                c.Array: lambda v, show: f"[{_joined(v.items, show)}]",
                c.FixedArray: lambda v, show: f"Fixed[{_joined(v.items, show)}]",
                c.Structure: lambda v, show: "Structure" + _fields(v.pairs(), show),
                c.FixedStructure: lambda v, show: "FixedStructure" + _fields(v.pairs(), show),
                c.Map: lambda v, show: "Map" + _entries(v, show),
                c.FixedMap: lambda v, show: "FixedMap" + _entries(v, show),
                c.KeyAndValue: lambda v, show: f"KeyAndValue({show(v.key)}, {show(v.value)})",
                c.ValueList: lambda v, show: f"ValueList[{_joined(v.items, show)}]",
                c.ValueListItem: lambda v, show: (
                    f"({show(v.value)}, {quoted(v.presentation_text)}, {v.checked})"
                ),
                c.ValueTable: lambda v, show: (
                    f"ValueTable({', '.join(v.columns.names())})[{', '.join(_cells(row, show) for row in v.items)}]"
                ),
                c.ValueTableRow: lambda v, show: "ValueTableRow" + _fields(_named_cells(v), show),
                c.ValueTree: lambda v, show: (
                    f"ValueTree({', '.join(v.columns.names())})[{_branches(v.rows, show)}]"
                ),
                c.ValueTreeRow: lambda v, show: (
                    "ValueTreeRow" + _fields(_named_cells(v), show) + f"[{len(v.rows.items)}]"
                ),
            }
        )
    return _WRITERS


def _joined(items: Any, show: Show) -> str:
    return ", ".join(map(show, items))


def _fields(pairs: Any, show: Show) -> str:
    return "{" + ", ".join(f"{name}: {show(value)}" for name, value in pairs) + "}"


def _entries(value: Any, show: Show) -> str:
    return "{" + ", ".join(f"{show(key)} => {show(item)}" for key, item in value.pairs()) + "}"


def _row_values(row: Any) -> list[Any]:
    return [row.read(column.slot) for column in row.owner.columns.items]


def _cells(row: Any, show: Show) -> str:
    return f"({_joined(_row_values(row), show)})"


def _named_cells(row: Any) -> list[tuple[str, Any]]:
    return [(column.name, row.read(column.slot)) for column in row.owner.columns.items]


def _branches(rows: Any, show: Show) -> str:
    return ", ".join(
        _cells(row, show) + (f"[{_branches(row.rows, show)}]" if row.rows.items else "") for row in rows.items
    )
