"""Wire values ↔ the engine's values, by the engine's own contracts: constructors going in, members coming out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring import wire
from scoring.engine.errors import NotSupported
from scoring.engine.storage.references import Reference
from scoring.engine.values.members import CONSTRUCTORS, lookup
from scoring.engine.values.model import NULL, BslObject
from scoring.engine.values.text import joined, units
from scoring.wire import Wire

# What a candidate returns is data of a test's size; beyond these it is shown as what it is, and equals nothing.
MAX_DEPTH = 40
MAX_VALUES = 100_000
# Bytes of JSON that a character of a text, or a value that is no text, takes at most.
BYTES_PER_CHARACTER = 6
BYTES_PER_VALUE = 64
# Longer texts of errors are cut; no test looks for more.
MAX_MESSAGE = 2_000

_OVERSIZE = ["o", "слишком большое значение", ""]


class Room:
    """Bytes that the values of one reply may take together: what a candidate returns must never outgrow the channel, or it
    would turn a wrong answer into one that was not measured."""

    def __init__(self, size: int) -> None:
        self.size = size

    def take(self, size: int) -> None:
        if size > self.size:
            raise _Oversize
        self.size -= size


class _Oversize(Exception):
    """A value too deep (perhaps cyclic) or too large to travel."""


def to_engine(rt: Any, value: Wire, computed: Iterator[Any]) -> Any:
    """A wire value as the engine's; ``computed`` yields the values of its expressions in order of appearance."""
    if isinstance(value, str):
        return units(value)
    if not isinstance(value, list):
        return value
    return _BUILDERS[value[0]](rt, value, computed)


def _new(rt: Any, name: str, *arguments: Any) -> Any:
    entry = lookup(CONSTRUCTORS, name, rt.dialect.name)
    if entry is None:
        raise NotSupported(f"Новый {name}")
    return entry.function(rt, *arguments)


def _call(rt: Any, target: Any, name: str, *arguments: Any) -> Any:
    return target.find_method(rt, name).function(target, rt, *arguments)


def _number(rt: Any, value: Wire, computed: Iterator[Any]) -> int | Decimal:
    text = value[1]
    return Decimal(text) if "." in text else int(text)


def _array(rt: Any, value: Wire, computed: Iterator[Any]) -> Any:
    array = _new(rt, "Массив")
    for entry in value[1]:
        _call(rt, array, "Добавить", to_engine(rt, entry, computed))
    return array


def _keyed(name: str) -> Any:
    def build(rt: Any, value: Wire, computed: Iterator[Any]) -> Any:
        target = _new(rt, name)
        for key, entry in value[1]:
            _call(rt, target, "Вставить", to_engine(rt, key, computed), to_engine(rt, entry, computed))
        return target

    return build


def _table(rt: Any, value: Wire, computed: Iterator[Any]) -> Any:
    table = _new(rt, "ТаблицаЗначений")
    columns = table.get_property(rt, "Колонки")
    for name in value[1]:
        _call(rt, columns, "Добавить", name)
    for cells in value[2]:
        row = _call(rt, table, "Добавить")
        for index, cell in enumerate(cells):
            row.set_index(rt, index, to_engine(rt, cell, computed))
    return table


_BUILDERS: dict[str, Any] = {
    "n": _number,
    "d": lambda rt, value, computed: datetime.fromisoformat(value[1]),
    "null": lambda rt, value, computed: NULL,
    "a": _array,
    "s": _keyed("Структура"),
    "m": _keyed("Соответствие"),
    "t": _table,
    "e": lambda rt, value, computed: next(computed),
}


def expressions_of(value: Wire) -> list[str]:
    """The expressions inside a wire value, in the order in which :func:`to_engine` asks for them."""
    if not isinstance(value, list):
        return []
    if value[0] == "e":
        return [value[1]]
    if value[0] == "a":
        parts = value[1]
    elif value[0] in ("s", "m"):
        parts = [part for pair in value[1] for part in pair]
    else:
        parts = [cell for row in value[2] for cell in row] if value[0] == "t" else []
    return [text for part in parts for text in expressions_of(part)]


def cut(text: str) -> str:
    """A text for people, of a bearable length."""
    return text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + "…"


def to_wire(rt: Any, value: Any, room: Room) -> Wire:
    """The engine's value for the host. Never raises for the value's sake."""
    try:
        return _Writer(rt, room).write(value, 0)
    except (_Oversize, RecursionError):
        return _OVERSIZE


class _Writer:
    def __init__(self, rt: Any, room: Room) -> None:
        self.rt = rt
        self.room = room
        self.values = MAX_VALUES

    def write(self, value: Any, depth: int) -> Wire:
        self.values -= 1
        if self.values < 0 or depth > MAX_DEPTH:
            raise _Oversize
        kind = type(value)
        if kind is str:
            self.room.take(len(value) * BYTES_PER_CHARACTER + 4)
            return joined(value)
        self.room.take(BYTES_PER_VALUE)
        if value is None or kind is bool:
            return value
        if kind is int or kind is Decimal:
            return wire.number(value)
        if kind is datetime:
            return ["d", value.isoformat()]
        if value is NULL:
            return ["null"]
        return self._object(value, depth + 1)

    def _object(self, value: BslObject, depth: int) -> Wire:
        name = value.type_name[0]
        if name == "Массив":
            return ["a", [self.write(entry, depth) for entry in value.iterate(self.rt)]]
        if name in ("Структура", "Соответствие"):
            return self._pairs("s" if name == "Структура" else "m", value, depth)
        if name == "ТаблицаЗначений":
            return self._rows(value, depth)
        if isinstance(value, Reference):
            return ["r", name, str(value.uuid), self._text(value)]
        return ["o", name, self._text(value)]

    def _pairs(self, mark: str, value: BslObject, depth: int) -> Wire:
        pairs = []
        for entry in value.iterate(self.rt):
            key, content = entry.get_property(self.rt, "Ключ"), entry.get_property(self.rt, "Значение")
            pairs.append([self.write(key, depth), self.write(content, depth)])
        return [mark, pairs]

    def _rows(self, value: BslObject, depth: int) -> Wire:
        columns = [entry.get_property(self.rt, "Имя") for entry in value.get_property(self.rt, "Колонки").iterate(self.rt)]
        self.room.take(sum(len(name) * BYTES_PER_CHARACTER + 4 for name in columns))
        rows = []
        for row in value.iterate(self.rt):
            rows.append([self.write(row.get_index(self.rt, index), depth) for index in range(len(columns))])
        return ["t", columns, rows]

    def _text(self, value: BslObject) -> str:
        try:
            shown = str(value.presentation(self.rt))[: wire.SHOWN]
            self.room.take(len(shown) * BYTES_PER_CHARACTER)
            return shown
        except _Oversize:
            raise
        except Exception:  # a presentation is for people only: whatever fails in it, the value stays what it is
            return ""
