"""Индексы of a table of values.

In 1C an index only makes searching faster. In OneScript it changes what is found: its hash of a key takes strings by reference,
so that a string finds only rows whose cell holds *the very same string object* (a literal of the module, or a value taken out
of the table); numbers, dates and all else meet by value. Python's strings play the part of the .NET ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.base import Collection, ListBacked, SlotOrder
from scoring.engine.collections.faults import as_int, checked_index, is_onescript, not_found, wrong_type
from scoring.engine.values.members import member

if TYPE_CHECKING:
    from scoring.engine.collections.grid import Column
    from scoring.engine.collections.table import ValueTable, ValueTableRow
    from scoring.engine.runtime.context import Runtime

Key = tuple[Any, ...]


class CollectionIndex(Collection):
    """ИндексКоллекции: rows by the values of some columns; rebuilt when ``stale``."""

    __slots__ = ("buckets", "columns", "stale", "table")
    type_name = ("ИндексКоллекции", "CollectionIndex")

    def __init__(self, table: ValueTable, columns: list[Column]) -> None:
        self.table = table
        self.columns = columns
        self.buckets: dict[Key, SlotOrder] = {}
        self.stale = True

    def serves(self, columns: Iterable[Column]) -> bool:
        """Can a search by ``columns`` start from this index?"""
        return bool(self.columns) and set(self.columns) <= set(columns)

    def rows(self, rt: Runtime, wanted: dict[Column, Any]) -> list[ValueTableRow]:
        """The rows under the wanted values."""
        if self.stale:
            self._rebuild(rt)
        bucket = self.buckets.get(tuple(_part(rt, wanted[column]) for column in self.columns))
        return [] if bucket is None else bucket.keys()

    def add(self, rt: Runtime, row: ValueTableRow) -> None:
        if not self.stale:
            self._put(rt, row)

    def remove(self, rt: Runtime, row: ValueTableRow) -> None:
        if self.stale:
            return
        bucket = self.buckets.get(self._key(rt, row))
        if bucket is not None and bucket.has(row):
            bucket.remove(row)

    def _rebuild(self, rt: Runtime) -> None:
        self.buckets = {}
        self.stale = False
        for row in self.table.items:
            self._put(rt, row)

    def _put(self, rt: Runtime, row: ValueTableRow) -> None:
        bucket = self.buckets.setdefault(self._key(rt, row), SlotOrder(()))
        if not bucket.has(row):
            bucket.add(row)

    def _key(self, rt: Runtime, row: ValueTableRow) -> Key:
        return tuple(_part(rt, row.read(column.slot)) for column in self.columns)


def _part(rt: Runtime, value: Any) -> Any:
    if type(value) is str and value and is_onescript(rt):
        return str, id(value)
    return rt.dialect.map_key(value)


class CollectionIndexes(ListBacked):
    """ИндексыКоллекции."""

    __slots__ = ("table",)
    type_name = ("ИндексыКоллекции", "CollectionIndexes")

    def __init__(self, table: ValueTable) -> None:
        self.items: list[CollectionIndex] = []
        self.version = 0
        self.table = table

    def fitting(self, columns: Iterable[Column]) -> CollectionIndex | None:
        """The first index that a search by ``columns`` can use."""
        return next((index for index in self.items if index.serves(columns)), None)

    def mark_stale(self) -> None:
        for index in self.items:
            index.stale = True

    def forget_column(self, column: Column) -> None:
        for index in self.items:
            index.columns = [known for known in index.columns if known is not column]
            index.stale = True

    def _resolve(self, rt: Runtime, index: Any) -> CollectionIndex:
        if isinstance(index, CollectionIndex):
            return index
        if type(index) is int or type(index) is Decimal:
            position = as_int(rt, index)
            if not 0 <= position < len(self.items):
                raise checked_index(rt)
            return self.items[position]
        raise wrong_type()

    def get_index(self, rt: Runtime, index: Any) -> Any:
        return super().get_index(rt, index) if type(index) is str else self._resolve(rt, index)

    @member("Добавить", "Add")
    def add(self, rt: Runtime, names: Any) -> CollectionIndex:
        columns = []
        for name in filter(None, map(str.strip, rt.text(names).split(","))):
            column = self.table.columns.by_name.get(name.lower())
            if column is None:
                raise not_found(rt, name)
            columns.append(column)
        index = CollectionIndex(self.table, columns)
        self.items.append(index)
        self.table.settle()
        return index

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("Получить", "Get")
    def get(self, rt: Runtime, index: Any) -> CollectionIndex:
        return self._resolve(rt, index)

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Runtime, index: Any) -> None:
        found = self._resolve(rt, index)
        if found in self.items:
            self.items.remove(found)
            self.version += 1
        self.table.settle()

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        self.items.clear()
        self.version += 1
        self.table.settle()
