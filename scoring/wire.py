"""Values on the way between processes: plain JSON, exact, typed, comparable without an engine.

=====================  ==============================================================
1C                     wire
=====================  ==============================================================
Неопределено           ``null``
Булево                 ``true``, ``false``
Строка                 ``"text"``
Число                  ``["n", "12.5"]``: the normalised decimal
Дата                   ``["d", "2026-02-01T00:00:00"]``
NULL                   ``["null"]``
Массив                 ``["a", [value, …]]``
Структура              ``["s", [[key, value], …]]``
Соответствие           ``["m", [[key, value], …]]``
ТаблицаЗначений        ``["t", [column, …], [[cell, …], …]]``
reference              ``["r", type name, identity, presentation]``
anything else          ``["o", type name, text]``
BSL expression (in)    ``["e", expression]``: evaluated by the engine, never by the host
=====================  ==============================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

Wire = Any

# A presentation for people is cut to this many characters.
SHOWN = 300


def number(value: int | Decimal) -> Wire:
    """A number in its only form: no exponent, no trailing zeros, no ``-0``."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return ["n", "0" if text in ("-0", "") else text]


def moment(value: date) -> Wire:
    at = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    return ["d", at.isoformat()]


def is_expression(value: Wire) -> bool:
    return isinstance(value, list) and value[0] == "e"


def expressions(value: Wire) -> bool:
    """Does ``value`` hold an expression anywhere?"""
    if not isinstance(value, list):
        return False
    return is_expression(value) or any(expressions(part) for part in _parts(value))


def _parts(value: list[Any]) -> Iterable[Wire]:
    kind = value[0]
    if kind == "a":
        return value[1]
    if kind in ("s", "m"):
        return [part for pair in value[1] for part in pair]
    return [cell for row in value[2] for cell in row] if kind == "t" else ()


def same(expected: Wire, actual: Wire) -> bool:
    """Does an actual value meet the expected one?

    Arrays by element; structures by the expected keys (further ones are fine); tables by row in any order, by column
    position, with equal numbers of both; maps by key; references by identity; everything else by type and value.
    """
    if not isinstance(expected, list) or not isinstance(actual, list):
        return type(expected) is type(actual) and expected == actual
    if expected[0] != actual[0]:
        return False
    compare = _COMPARERS.get(expected[0])
    return compare(expected, actual) if compare else expected == actual


def _same_object(expected: Wire, actual: Wire) -> bool:
    """Types, identifiers, members of enumerations are what their text says. Objects that say no more than their type's name
    (and what was too large to travel) would be alike whatever they hold: to 1C each equals itself only."""
    return expected == actual and expected[2] not in ("", expected[1])


def _same_array(expected: Wire, actual: Wire) -> bool:
    return len(expected[1]) == len(actual[1]) and all(map(same, expected[1], actual[1]))


def _same_structure(expected: Wire, actual: Wire) -> bool:
    found = {key.lower(): value for key, value in actual[1]}
    return all(key.lower() in found and same(value, found[key.lower()]) for key, value in expected[1])


def _same_map(expected: Wire, actual: Wire) -> bool:
    if len(expected[1]) != len(actual[1]):
        return False
    found = {repr(key): value for key, value in actual[1]}
    return all(repr(key) in found and same(value, found[repr(key)]) for key, value in expected[1])


def _same_table(expected: Wire, actual: Wire) -> bool:
    if len(expected[1]) != len(actual[1]) or len(expected[2]) != len(actual[2]):
        return False
    if sorted(map(repr, expected[2])) == sorted(map(repr, actual[2])):
        return True
    left = list(actual[2])
    for row in expected[2]:
        match = next((i for i, other in enumerate(left) if all(map(same, row, other))), None)
        if match is None:
            return False
        del left[match]
    return True


def _same_reference(expected: Wire, actual: Wire) -> bool:
    return expected[1:3] == actual[1:3]


_COMPARERS = {"a": _same_array, "s": _same_structure, "m": _same_map, "t": _same_table, "r": _same_reference, "o": _same_object}


def show(value: Wire) -> str:
    """A presentation for people, in the words of 1C, cut to :data:`SHOWN` characters."""
    text = _text(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _text(value: Wire) -> str:
    if value is None:
        return "Неопределено"
    if isinstance(value, bool):
        return "Истина" if value else "Ложь"
    if isinstance(value, str):
        return '"' + value[: SHOWN + 1].replace('"', '""') + '"'
    kind = value[0]
    if kind in ("n", "d"):
        return str(value[1]).replace("T00:00:00", "").replace("T", " ")
    if kind == "a":
        return "[" + _joined(map(_text, value[1])) + "]"
    if kind == "s":
        return "{" + _joined(f"{key}: {_text(entry)}" for key, entry in value[1]) + "}"
    if kind == "m":
        return "{" + _joined(f"{_text(key)} → {_text(entry)}" for key, entry in value[1]) + "}"
    if kind == "t":
        rows = _joined("(" + _joined(map(_text, row)) + ")" for row in value[2])
        return f"Таблица({', '.join(value[1])})[{rows}]"
    return {"r": lambda: f"{value[3]} ({value[1]})", "e": lambda: value[1], "null": lambda: "NULL"}.get(
        kind, lambda: f"{value[1]}: {value[2]}" if value[2] not in ("", value[1]) else value[1]
    )()


def _joined(parts: Iterable[str]) -> str:
    """As many parts as people will read."""
    kept: list[str] = []
    length = 0
    for part in parts:
        if length > SHOWN:
            kept.append("…")
            break
        kept.append(part)
        length += len(part)
    return ", ".join(kept)
