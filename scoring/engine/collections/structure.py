"""Структура, ФиксированнаяСтруктура and КлючИЗначение.

Slots that compiled code may use directly: ``Structure.items`` (lower-case key → value, in the order of insertion). Reading and
overwriting an existing key needs nothing else; a new key goes through :meth:`Structure.put`, which keeps ``names`` (lower-case
key → key as first spelled) and ``version`` in step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.base import Collection
from scoring.engine.collections.faults import external, is_onescript, not_found
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import constructor, member, prop
from scoring.engine.values.model import MISSING, Ref
from scoring.engine.values.text import NAME

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime

_IDENTIFIER = re.compile(NAME)


def is_identifier(name: str) -> bool:
    return _IDENTIFIER.fullmatch(name) is not None


# The properties of a pair as programs usually spell them, so that most reads need no lower-casing.
_PAIR_FIELDS = {"Ключ": 0, "Значение": 1, "Key": 0, "Value": 1}


class KeyAndValue(Collection, tuple):  # type: ignore[type-arg]
    """КлючИЗначение: what a walk over a structure or a map gives; ``KeyAndValue((key, value))``.

    A tuple, since walks make one a step; compared by identity all the same.
    """

    __slots__ = ()
    type_name = ("КлючИЗначение", "KeyAndValue")
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    @property
    def key(self) -> Any:
        return self[0]

    @property
    def value(self) -> Any:
        return self[1]

    def get_property(self, rt: Runtime, name: str) -> Any:
        field = _PAIR_FIELDS.get(name)
        return self[field] if field is not None else super().get_property(rt, name)

    @prop("Ключ", "Key")
    def get_key(self, rt: Runtime) -> Any:
        return self[0]

    @prop("Значение", "Value")
    def get_value(self, rt: Runtime) -> Any:
        return self[1]


class StructureBase(Collection):
    """What both structures can do."""

    __slots__ = ("items", "names", "version")

    def __init__(self, pairs: Iterable[tuple[str, Any]] = ()) -> None:
        self.items: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.version = 0
        for name, value in pairs:
            self.put(name, value)

    def put(self, name: str, value: Any) -> None:
        """Set ``name``, adding it where it is new; the first spelling stays."""
        key = name.lower()
        if key not in self.items:
            self.names[key] = name
            self.version += 1
        self.items[key] = value

    def pairs(self) -> Iterator[tuple[str, Any]]:
        """(key as spelled, value) in order."""
        names = self.names
        return ((names[key], value) for key, value in self.items.items())

    def get_property(self, rt: Runtime, name: str) -> Any:
        try:
            return self.items[name.lower()]
        except KeyError:
            raise BslRuntimeError("no_property", name=name, type=self.type_name) from None

    def property_names(self, rt: Runtime) -> list[str]:
        return list(self.names.values())

    def iterate(self, rt: Runtime) -> Iterator[KeyAndValue]:
        return self._walk_strictly() if is_onescript(rt) else self._walk()

    def _walk_strictly(self) -> Iterator[KeyAndValue]:
        """A key added or removed ends the walk with an error; emptying the structure just ends it."""
        version = self.version
        for key in list(self.items):
            if self.version != version:
                raise BslRuntimeError("collection_modified")
            if key not in self.items:
                return
            yield KeyAndValue((self.names[key], self.items[key]))
        if self.version != version:
            raise BslRuntimeError("collection_modified")

    def _walk(self) -> Iterator[KeyAndValue]:
        for key in list(self.items):
            if key in self.items:
                yield KeyAndValue((self.names[key], self.items[key]))

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("Свойство", "Property", byref=(1,))
    def has(self, rt: Runtime, name: Any, found: Any = MISSING) -> bool:
        spelled = rt.text(name)
        if is_onescript(rt) and not is_identifier(spelled):
            raise BslRuntimeError("structure_key", name=spelled)
        key = spelled.lower()
        present = key in self.items
        if isinstance(found, Ref):
            found.value = self.items.get(key)
        return present


class Structure(StructureBase):
    """Структура."""

    __slots__ = ()
    type_name = ("Структура", "Structure")

    def set_property(self, rt: Runtime, name: str, value: Any) -> None:
        key = name.lower()
        if key not in self.items:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        self.items[key] = value

    @member("Вставить", "Insert", procedure=True)
    def insert(self, rt: Runtime, name: Any, value: Any = None) -> None:
        key = rt.text(name)
        if key.lower() not in self.items and not is_identifier(key):
            raise BslRuntimeError("structure_key", name=key)
        self.put(key, None if value is MISSING else value)

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Runtime, name: Any) -> None:
        spelled = rt.text(name)
        key = spelled.lower()
        if key not in self.items:
            if is_onescript(rt):
                raise not_found(rt, spelled)
            return  # 1C lets a missing key pass
        del self.items[key]
        del self.names[key]
        self.version += 1

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        self.items.clear()
        self.names.clear()


class FixedStructure(StructureBase):
    """ФиксированнаяСтруктура."""

    __slots__ = ()
    type_name = ("ФиксированнаяСтруктура", "FixedStructure")

    def set_property(self, rt: Runtime, name: str, value: Any) -> None:
        if name.lower() not in self.items:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        if is_onescript(rt):
            raise external("NotImplementedException", "The method or operation is not implemented.")
        raise BslRuntimeError("property_not_writable", name=name, type=self.type_name)

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        raise BslRuntimeError("index_read_only")


def _pairs_of(rt: Runtime, keys: str, values: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """The constructor's list of keys with its values; empty names are passed over and take no value."""
    names = [name for name in map(str.strip, keys.split(",")) if name]
    for position, name in enumerate(names):
        if not is_identifier(name):
            raise BslRuntimeError("structure_key", name=name)
        value = values[position] if position < len(values) else None
        yield name, None if value is MISSING else value


_STRUCTURE_SOURCE = (
    "В качестве параметра для конструктора можно передавать только {source} или Ключи и Значения"
)


def _bad_source(rt: Runtime, source: str) -> BslRuntimeError:
    if is_onescript(rt):
        return BslRuntimeError("structure_source", _STRUCTURE_SOURCE.format(source=source))
    return BslRuntimeError("argument_type", number=1)


@constructor("Структура", "Structure")
def construct_structure(rt: Runtime, source: Any = MISSING, *values: Any) -> Structure:
    if source is MISSING:
        return Structure()
    if type(source) is str:
        return Structure(_pairs_of(rt, source, values))
    if isinstance(source, FixedStructure):
        return Structure(source.pairs())
    raise _bad_source(rt, "ФиксированнаяСтруктура")


@constructor("ФиксированнаяСтруктура", "FixedStructure")
def construct_fixed_structure(rt: Runtime, source: Any, *values: Any) -> FixedStructure:
    if type(source) is str:
        return FixedStructure(_pairs_of(rt, source, values))
    if isinstance(source, Structure):
        return FixedStructure(source.pairs())
    raise _bad_source(rt, "Структура")
