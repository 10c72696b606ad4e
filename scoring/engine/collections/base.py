"""What all collections have in common: how they react to an index, to a change while they are walked, and the order in
which .NET's hash tables give back what was put in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.faults import is_onescript, wrong_type
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.model import BslObject

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime


class Collection(BslObject):
    """Base of the collections: a string index names a property, any other index is refused."""

    __slots__ = ()

    def get_index(self, rt: Runtime, index: Any) -> Any:
        if type(index) is str:
            return self.get_property(rt, index)
        raise self._no_index(rt)

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        if type(index) is str:
            self.set_property(rt, index, value)
            return
        raise self._no_index(rt)

    def _no_index(self, rt: Runtime) -> BslRuntimeError:
        return wrong_type() if is_onescript(rt) else BslRuntimeError("not_indexed", type=self.type_name)


class ListBacked(Collection):
    """A collection over the Python list ``items``; ``version`` counts the changes that a walk must notice.

    A change that alters the length need not count: a walk compares the length, too.
    """

    __slots__ = ("items", "version")

    items: list[Any]
    version: int

    def iterate(self, rt: Runtime) -> Iterator[Any]:
        return walk_strictly(self) if is_onescript(rt) else walk_live(self.items)


def walk_strictly(owner: Any) -> Iterator[Any]:
    """.NET's enumerator of a list: the step after any change fails."""
    items, version = owner.items, owner.version
    size = len(items)
    for value in items:
        yield value
        if owner.version != version or len(items) != size:
            raise BslRuntimeError("collection_modified")


def walk_live(items: list[Any]) -> Iterator[Any]:
    """1C's walk goes by position: it meets what is added, and skips one where an earlier one is removed."""
    position = 0
    while position < len(items):
        yield items[position]
        position += 1


class _Hole:
    __slots__ = ()


_HOLE: Any = _Hole()


class SlotOrder:
    """The order of .NET's ``Dictionary``: what is removed leaves a free slot, the last one freed is filled first."""

    __slots__ = ("_free", "_slots", "_where")

    def __init__(self, keys: Iterable[Hashable]) -> None:
        self._slots: list[Any] = list(keys)
        self._where = {key: slot for slot, key in enumerate(self._slots)}
        self._free: list[int] = []

    def add(self, key: Hashable) -> None:
        if self._free:
            slot = self._free.pop()
            self._slots[slot] = key
        else:
            slot = len(self._slots)
            self._slots.append(key)
        self._where[key] = slot

    def remove(self, key: Hashable) -> None:
        slot = self._where.pop(key)
        self._slots[slot] = _HOLE
        self._free.append(slot)

    def has(self, key: Hashable) -> bool:
        return key in self._where

    def keys(self) -> list[Any]:
        return [key for key in self._slots if key is not _HOLE]


def matcher(rt: Runtime, wanted: Any, *, wanted_first: bool = False) -> Callable[[Any], bool]:
    """A fast test of cells for equality with ``wanted``: ``cell = wanted`` in the dialect, or ``wanted = cell``.

    The side matters in OneScript, where a number equals a boolean, but no boolean a number.
    """
    kind = type(wanted)
    if kind is str:
        return lambda cell: cell == wanted and type(cell) is str
    if wanted is None:
        return lambda cell: cell is None
    equal = rt.dialect.equal
    if kind is int:
        if wanted_first:
            return lambda cell: cell == wanted if type(cell) is int else equal(rt, wanted, cell)
        return lambda cell: cell == wanted if type(cell) is int else equal(rt, cell, wanted)
    if wanted_first:
        return lambda cell: equal(rt, wanted, cell)
    return lambda cell: equal(rt, cell, wanted)


def position_of(rt: Runtime, items: list[Any], wanted: Any) -> int:
    """The first position of ``wanted`` in ``items``, or -1."""
    if type(wanted) is str:  # nothing but a string equals a string, so that Python's own search will do
        try:
            return items.index(wanted)
        except ValueError:
            return -1
    matches = matcher(rt, wanted)
    for position, item in enumerate(items):
        if matches(item):
            return position
    return -1
