"""Соответствие and ФиксированноеСоответствие.

Slots that compiled code may use directly: ``Map.items`` (key → value, keyed by ``dialect.map_key``; a ``str`` or ``int`` stands
for itself). ``m.items.get(key)`` is a complete read for such a key. Writing goes through :meth:`Map.set_index`, which keeps
``version``, the originals of wrapped keys and OneScript's order of slots in step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.base import Collection, SlotOrder
from scoring.engine.collections.faults import is_onescript, null_reference, wrong_type
from scoring.engine.collections.structure import FixedStructure, KeyAndValue, Structure, StructureBase
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import constructor, member
from scoring.engine.values.model import MISSING, NULL

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime


class MapBase(Collection):
    """What both maps can do.

    ``originals`` holds the keys whose ``map_key`` is not the key itself. ``order`` stands in for the order of ``items``
    once something was removed in OneScript (see :class:`SlotOrder`); None before.
    """

    __slots__ = ("items", "order", "originals", "used", "version")

    def __init__(self) -> None:
        self.items: dict[Any, Any] = {}
        self.originals: dict[Any, Any] = {}
        self.order: SlotOrder | None = None
        self.version = 0
        self.used = False  # .NET hashes no key before the table is first filled

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """(key, value) in the engine's order."""
        originals = self.originals
        for key in self._keys():
            yield originals.get(key, key), self.items[key]

    def copy_from(self, other: MapBase) -> None:
        self.items = {key: other.items[key] for key in other._keys()}
        self.originals = dict(other.originals)
        self.used = bool(self.items)

    def _keys(self) -> list[Any]:
        return list(self.items) if self.order is None else self.order.keys()

    def _key(self, rt: Runtime, key: Any) -> Any:
        kind = type(key)
        if kind is str or kind is int:
            return key
        if is_onescript(rt):
            if key is NULL and (self.used or self.items):
                raise null_reference(rt, wrong_type())
            if key is False and 0 in self.items:
                return 0  # zero and Ложь share a hash there, and a zero calls itself equal to Ложь
        return rt.dialect.map_key(key)

    def get_index(self, rt: Runtime, index: Any) -> Any:
        kind = type(index)
        if kind is str or kind is int:
            return self.items.get(index)
        return self.items.get(self._key(rt, index))

    def iterate(self, rt: Runtime) -> Iterator[KeyAndValue]:
        return self._walk(is_onescript(rt))

    def _walk(self, strict: bool) -> Iterator[KeyAndValue]:
        """Removing goes unnoticed; any other change makes OneScript's next step fail, while 1C goes on."""
        version, originals, items = self.version, self.originals, self.items
        for key in self._keys():
            if key in items:
                yield KeyAndValue((originals.get(key, key) if originals else key, items[key]))
                if strict and self.version != version:
                    raise BslRuntimeError("collection_modified")

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("Получить", "Get")
    def get(self, rt: Runtime, key: Any) -> Any:
        return self.get_index(rt, key)


def quiet_pairs(owner: Map) -> Iterator[KeyAndValue]:
    """A walk during which nothing can change the map."""
    if owner.originals or owner.order is not None:
        return owner._walk(False)
    return map(KeyAndValue, owner.items.items())


def bare_pairs(owner: MapBase | StructureBase) -> Iterable[tuple[Any, Any]]:
    """The same without an object for each pair; ``owner`` is of one of the classes :data:`PAIRED`."""
    if type(owner) is Map and owner.order is None and not owner.originals:
        return owner.items.items()
    return owner.pairs()


class Map(MapBase):
    """Соответствие."""

    __slots__ = ()
    type_name = ("Соответствие", "Map")

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        kind = type(index)
        if kind is str or kind is int:
            key = index
        else:
            if index is None and is_onescript(rt):
                return  # it ignores the key Неопределено
            key = self._writing_key(rt, index)
        if self.order is not None and key not in self.items:
            self.order.add(key)
        self.items[key] = value
        self.version += 1

    def _writing_key(self, rt: Runtime, index: Any) -> Any:
        self.used = True
        key = self._key(rt, index)
        if key is not index and key not in self.items:
            self.originals[key] = index
        return key

    @member("Вставить", "Insert", procedure=True)
    def insert(self, rt: Runtime, key: Any, value: Any = None) -> None:
        if value is MISSING:
            value = None
        kind = type(key)
        if (kind is str or kind is int) and self.order is None:
            self.items[key] = value
            self.version += 1
        else:
            self.set_index(rt, key, value)

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Runtime, key: Any) -> None:
        key = self._key(rt, key)
        if key not in self.items:
            return
        if self.order is None and is_onescript(rt):
            self.order = SlotOrder(self.items)
        if self.order is not None:
            self.order.remove(key)
        del self.items[key]
        self.originals.pop(key, None)
        self.used = True

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        self.used = self.used or bool(self.items)
        self.items.clear()
        self.originals.clear()
        self.order = None


class FixedMap(MapBase):
    """ФиксированноеСоответствие."""

    __slots__ = ()
    type_name = ("ФиксированноеСоответствие", "FixedMap")

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        raise BslRuntimeError("index_read_only")


# What walks over these give are pairs and nothing else.
PAIRED = frozenset({Map, FixedMap, Structure, FixedStructure})


@constructor("Соответствие", "Map")
def construct_map(rt: Runtime, source: Any = MISSING) -> Map:
    result = Map()
    if source is not MISSING:
        if not isinstance(source, FixedMap):
            raise wrong_type()
        result.copy_from(source)
    return result


@constructor("ФиксированноеСоответствие", "FixedMap")
def construct_fixed_map(rt: Runtime, source: Any) -> FixedMap:
    if not isinstance(source, Map):
        raise wrong_type()
    result = FixedMap()
    result.copy_from(source)
    return result
