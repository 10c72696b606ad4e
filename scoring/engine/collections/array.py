"""Массив and ФиксированныйМассив.

Slots that compiled code may use directly: ``Array.items`` (a Python list, always the same object) and ``Array.version``.
Whoever writes ``items[i] = value`` past :meth:`Array.set_index` must add 1 to ``version`` (OneScript's walk fails after any
write); appending need not, since a walk compares the length as well. A fixed array never changes.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.base import ListBacked, position_of
from scoring.engine.collections.faults import as_int, is_onescript, wrong_type
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import constructor, member
from scoring.engine.values.model import MISSING

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime

SLOT_BYTES = 8
# Making an array of more elements is work beside the statement.
MANY = 1024

# What a linear search is charged, in operations: the loop that the published method wrote in its place executed this many
# statements per element, and this many around the loop.
SEARCH_STEP = 8
SEARCH_BASE = 5
# The same for Массив.Найти, whose loop was shorter: it left at the element found.
FIND_STEP = 4
FIND_FOUND = 2
FIND_MISSED = 7


class ArrayBase(ListBacked):
    """What both arrays can do."""

    __slots__ = ()

    def __init__(self, items: list[Any] | None = None) -> None:
        self.items = [] if items is None else items
        self.version = 0

    def _position(self, rt: Runtime, index: Any) -> int:
        """A position inside the array; raises ``index`` outside."""
        position = index if type(index) is int else as_int(rt, index)
        if 0 <= position < len(self.items):
            return position
        if type(index) is int:
            as_int(rt, index)  # what does not fit 32 bits has an error of its own
        raise BslRuntimeError("index")

    def get_index(self, rt: Runtime, index: Any) -> Any:
        if type(index) is int or type(index) is Decimal:
            return self.items[self._position(rt, index)]
        if is_onescript(rt):
            return super().get_index(rt, index)
        return self.items[self._position(rt, rt.number(index))]

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("ВГраница", "UBound")
    def upper_bound(self, rt: Runtime) -> int:
        return len(self.items) - 1

    @member("Получить", "Get")
    def get(self, rt: Runtime, index: Any) -> Any:
        return self.items[self._position(rt, index)]

    @member("Найти", "Find")
    def find(self, rt: Runtime, value: Any) -> int | None:
        position = position_of(rt, self.items, value)
        if position < 0:
            rt.charge(FIND_MISSED + FIND_STEP * len(self.items))
        else:
            rt.charge(FIND_FOUND + FIND_STEP * (position + 1))
        return None if position < 0 else position


def _shifted(array: Array, index: Any, *_: Any) -> int:
    """Elements behind ``index`` that have to move."""
    return max(0, len(array.items) - index) if type(index) is int and index >= 0 else 0


class Array(ArrayBase):
    """Массив."""

    __slots__ = ()
    type_name = ("Массив", "Array")

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        if type(index) is not int and type(index) is not Decimal:
            if is_onescript(rt):
                super().set_index(rt, index, value)
                return
            index = rt.number(index)
        self.items[self._position(rt, index)] = value
        self.version += 1

    @member("Добавить", "Add", procedure=True)
    def add(self, rt: Runtime, value: Any = None) -> None:
        self.items.append(None if value is MISSING else value)

    @member("Вставить", "Insert", procedure=True, cost=_shifted)
    def insert(self, rt: Runtime, index: Any, value: Any = None) -> None:
        position = as_int(rt, index)
        if position < 0:
            raise BslRuntimeError("index")
        missing = position - len(self.items)
        if missing > 0:
            rt.reserve(position * SLOT_BYTES)
            self.items.extend([None] * missing)
        self.items.insert(position, None if value is MISSING else value)
        self.version += 1

    @member("Удалить", "Delete", procedure=True, cost=_shifted)
    def delete(self, rt: Runtime, index: Any) -> None:
        del self.items[self._position(rt, index)]
        self.version += 1

    @member("Установить", "Set", procedure=True)
    def set(self, rt: Runtime, index: Any, value: Any) -> None:
        self.items[self._position(rt, index)] = value
        self.version += 1

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        self.items.clear()
        self.version += 1


class FixedArray(ArrayBase):
    """ФиксированныйМассив: a copy of an array that nothing changes."""

    __slots__ = ()
    type_name = ("ФиксированныйМассив", "FixedArray")

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        raise BslRuntimeError("index_read_only")


@constructor("Массив", "Array")
def construct_array(rt: Runtime, *sizes: Any) -> Array:
    if len(sizes) == 1 and type(sizes[0]) is FixedArray:
        return Array(list(sizes[0].items))
    lengths = [_length(rt, number, size) for number, size in enumerate(sizes, 1)]
    total = 1
    for length in lengths:
        total *= max(1, length)
    rt.reserve(total * SLOT_BYTES)
    if total > MANY:
        rt.work(total)
    return _nested(lengths) if lengths else Array()


def _length(rt: Runtime, number: int, size: Any) -> int:
    if size is MISSING:
        raise BslRuntimeError("argument_type", number=number)
    length = as_int(rt, size)
    # OneScript refuses an empty dimension; 1C takes it as an empty array.
    if length < 0 or (length == 0 and is_onescript(rt)):
        raise BslRuntimeError("argument_value", number=number)
    return length


def _nested(lengths: list[int]) -> Array:
    if len(lengths) == 1:
        return Array([None] * lengths[0])
    return Array([_nested(lengths[1:]) for _ in range(lengths[0])])


@constructor("ФиксированныйМассив", "FixedArray")
def construct_fixed_array(rt: Runtime, source: Any) -> FixedArray:
    if type(source) is not Array:
        raise wrong_type()
    return FixedArray(list(source.items))
