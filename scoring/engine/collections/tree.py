"""ДеревоЗначений: rows that hold rows. Cells work as :mod:`scoring.engine.collections.grid` says; ``ValueTreeRows.items`` is the
Python list of the rows of one level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.array import SEARCH_BASE, SEARCH_STEP, Array
from scoring.engine.collections.base import ListBacked, matcher
from scoring.engine.collections.comparison import check_comparer
from scoring.engine.collections.faults import (
    as_int,
    is_onescript,
    list_index,
    list_insert,
    not_found,
    null_reference,
    wrong_type,
)
from scoring.engine.collections.grid import Column, ColumnCollection, Grid, GridRow, move_by, total_of
from scoring.engine.collections.ordering import sorted_by_rules
from scoring.engine.collections.structure import Structure, StructureBase
from scoring.engine.collections.table import (
    ROWS_BASE,
    ROWS_STEP,
    ROWS_STEP_PER_FIELD,
    _reader,
    sort_words,
)
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import ONEC, constructor, member, prop
from scoring.engine.values.model import MISSING

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime


class ValueTreeColumn(Column):
    """КолонкаДереваЗначений."""

    __slots__ = ()
    type_name = ("КолонкаДереваЗначений", "ValueTreeColumn")


class ValueTreeColumns(ColumnCollection):
    """КоллекцияКолонокДереваЗначений."""

    __slots__ = ()
    type_name = ("КоллекцияКолонокДереваЗначений", "ValueTreeColumnCollection")
    column_class = ValueTreeColumn

    @member("Сдвинуть", "Move", procedure=True)
    def move(self, rt: Runtime, column: Any, offset: Any) -> None:
        self.shift(rt, column, offset)


class ValueTreeRow(GridRow):
    """СтрокаДереваЗначений; ``owner`` is the tree, ``parent`` the row above or None."""

    __slots__ = ("parent", "rows")
    type_name = ("СтрокаДереваЗначений", "ValueTreeRow")

    def __init__(self, tree: ValueTree, parent: ValueTreeRow | None, cells: list[Any]) -> None:
        super().__init__(tree, cells)
        self.parent = parent
        self.rows = ValueTreeRows(tree, self)

    def is_filled(self, rt: Runtime) -> bool:
        return True

    @prop("Родитель", "Parent")
    def get_parent(self, rt: Runtime) -> ValueTreeRow | None:
        return self.parent

    @prop("Строки", "Rows")
    def get_rows(self, rt: Runtime) -> ValueTreeRows:
        return self.rows

    @member("Уровень", "Level")
    def level(self, rt: Runtime) -> int:
        level, row = 0, self.parent
        while row is not None:
            level, row = level + 1, row.parent
        return level


class ValueTreeRows(ListBacked):
    """КоллекцияСтрокДереваЗначений: the rows under one row, or the tree's top rows."""

    __slots__ = ("parent", "tree")
    type_name = ("КоллекцияСтрокДереваЗначений", "ValueTreeRowCollection")

    def __init__(self, tree: ValueTree, parent: ValueTreeRow | None) -> None:
        self.items: list[ValueTreeRow] = []
        self.version = 0
        self.tree = tree
        self.parent = parent

    # -- for the engine's own use ---------------------------------------------------------------------------------------

    def new_row(self, position: int | None = None) -> ValueTreeRow:
        """Add a row of defaults."""
        row = ValueTreeRow(self.tree, self.parent, self.tree.defaults[:])
        self.items.insert(len(self.items) if position is None else position, row)
        return row

    def deep(self) -> Iterator[ValueTreeRow]:
        """All rows below, each before its own rows."""
        for row in self.items:
            yield row
            yield from row.rows.deep()

    def _position(self, rt: Runtime, row: Any) -> int:
        if isinstance(row, ValueTreeRow):
            for position, known in enumerate(self.items):
                if known is row:
                    return position
            raise BslRuntimeError("argument_invalid")
        position = as_int(rt, row)
        if not 0 <= position < len(self.items):
            raise list_index(rt)
        return position

    def _rows(self, rt: Runtime, recursive: Any) -> Iterator[ValueTreeRow]:
        return self.deep() if recursive is not MISSING and rt.boolean(recursive) else iter(self.items)

    # -- the language ---------------------------------------------------------------------------------------------------

    def get_index(self, rt: Runtime, index: Any) -> Any:
        position = index if type(index) is int else as_int(rt, index)
        if not 0 <= position < len(self.items):
            raise list_index(rt)
        return self.items[position]

    @prop("Родитель", "Parent")
    def get_parent(self, rt: Runtime) -> ValueTreeRow | None:
        return self.parent

    @member("Владелец", "Owner", dialects=(ONEC,))
    def get_owner(self, rt: Runtime) -> ValueTree:
        return self.tree

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("Добавить", "Add")
    def add(self, rt: Runtime) -> ValueTreeRow:
        return self.new_row()

    @member("Вставить", "Insert")
    def insert(self, rt: Runtime, index: Any) -> ValueTreeRow:
        position = as_int(rt, index)
        if not 0 <= position <= len(self.items):
            raise list_insert(rt)
        self.version += 1
        return self.new_row(position)

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Runtime, row: Any) -> None:
        del self.items[self._position(rt, row)]
        self.version += 1

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        self.items.clear()
        self.version += 1

    @member("Получить", "Get")
    def get(self, rt: Runtime, index: Any) -> ValueTreeRow:
        return self.get_index(rt, index)

    @member("Индекс", "IndexOf")
    def index_of(self, rt: Runtime, row: Any) -> int:
        return next((place for place, known in enumerate(self.items) if known is row), -1)

    @member("Сдвинуть", "Move", procedure=True)
    def move(self, rt: Runtime, row: Any, offset: Any) -> None:
        move_by(rt, self, self._position(rt, row), as_int(rt, offset), wrap=is_onescript(rt))

    @member("ВыгрузитьКолонку", "UnloadColumn")
    def unload_column(self, rt: Runtime, column: Any) -> Array:
        slot = self.tree.columns.resolve(rt, column).slot
        return Array([row.read(slot) for row in self.items])

    @member("ЗагрузитьКолонку", "LoadColumn", procedure=True)
    def load_column(self, rt: Runtime, values: Any, column: Any) -> None:
        slot = self.tree.columns.resolve(rt, column).slot
        if not isinstance(values, Array):
            raise null_reference(rt, BslRuntimeError("argument_type", number=1))
        for row, value in zip(self.items, list(values.items), strict=False):
            row.write(rt, slot, value)

    @member("ЗаполнитьЗначения", "FillValues", procedure=True)
    def fill_values(self, rt: Runtime, value: Any, columns: Any = MISSING, recursive: Any = MISSING) -> None:
        slots = [column.slot for column in self.tree.column_list(rt, columns)]
        for row in self._rows(rt, recursive):
            for slot in slots:
                row.write(rt, slot, value)

    @member("Итог", "Total")
    def total(self, rt: Runtime, column: Any, recursive: Any = MISSING) -> Any:
        found = self.tree.columns.resolve(rt, column)
        result = total_of(rt, found, (row.read(found.slot) for row in self._rows(rt, recursive)))
        return 0 if result is None and is_onescript(rt) else result

    @member("Найти", "Find")
    def find(self, rt: Runtime, value: Any, columns: Any = MISSING, recursive: Any = MISSING) -> ValueTreeRow | None:
        slots = [column.slot for column in self.tree.column_list(rt, columns)]
        matches = matcher(rt, value, wanted_first=True)
        scanned = 0
        found = None
        for row in self._rows(rt, recursive):
            scanned += 1
            if any(matches(row.read(slot)) for slot in slots):
                found = row
                break
        rt.charge(SEARCH_BASE + SEARCH_STEP * scanned)
        return found

    @member("НайтиСтроки", "FindRows")
    def find_rows(self, rt: Runtime, wanted: Any, recursive: Any = MISSING) -> Array:
        if not isinstance(wanted, Structure if is_onescript(rt) else StructureBase):
            raise wrong_type()
        pairs = list(wanted.pairs())
        rows = list(self._rows(rt, recursive))
        tests = [(self._filter_slot(rt, name), matcher(rt, value)) for name, value in pairs] if rows else []
        rt.charge(ROWS_BASE + len(rows) * (ROWS_STEP + ROWS_STEP_PER_FIELD * len(tests)))
        return Array([row for row in rows if all(matches(row.read(slot)) for slot, matches in tests)])

    def _filter_slot(self, rt: Runtime, name: str) -> int:
        column = self.tree.columns.by_name.get(name.lower())
        if column is None:
            raise not_found(rt, name)
        return column.slot

    @member("Сортировать", "Sort", procedure=True)
    def sort(self, rt: Runtime, columns: Any, recursive: Any = MISSING, comparer: Any = MISSING) -> None:
        check_comparer(rt, comparer, 3)
        rules = []
        for part in rt.text(columns).split(","):
            name, descending = sort_words(rt, part)
            rules.append((_reader(self._filter_slot(rt, name)), descending))
        self._sort(rt, rules, recursive is not MISSING and rt.boolean(recursive))

    def _sort(self, rt: Runtime, rules: list[Any], recursive: bool) -> None:
        self.items[:] = sorted_by_rules(rt, self.items, rules)
        self.version += 1
        if recursive:
            for row in self.items:
                row.rows._sort(rt, rules, recursive)


class ValueTree(Grid):
    """ДеревоЗначений."""

    __slots__ = ("rows",)
    type_name = ("ДеревоЗначений", "ValueTree")
    column_collection = ValueTreeColumns

    def __init__(self) -> None:
        self.rows = ValueTreeRows(self, None)
        super().__init__()

    def all_rows(self) -> Iterator[GridRow]:
        return self.rows.deep()

    @prop("Строки", "Rows")
    def get_rows(self, rt: Runtime) -> ValueTreeRows:
        return self.rows

    @member("Скопировать", "Copy")
    def copy(self, rt: Runtime, rows: Any = MISSING, columns: Any = MISSING) -> ValueTree:
        """OneScript copies everything whatever it is asked for."""
        whole = is_onescript(rt)
        chosen = list(self.columns.items) if whole else self.column_list(rt, columns)
        result = ValueTree()
        for column in chosen:
            result.columns.copy_of(rt, column)
        slots = [column.slot for column in chosen]
        top = self.rows.items if whole or rows is MISSING or rows is None else self._chosen(rt, rows)
        _copy_rows(top, result.rows, slots)
        return result

    def _chosen(self, rt: Runtime, rows: Any) -> list[ValueTreeRow]:
        if isinstance(rows, StructureBase):
            return self.rows.find_rows(rt, rows, True).items
        if not isinstance(rows, Array) or not all(isinstance(row, ValueTreeRow) for row in rows.items):
            raise wrong_type()
        return rows.items

    @member("СкопироватьКолонки", "CopyColumns", dialects=(ONEC,))
    def copy_columns(self, rt: Runtime, columns: Any = MISSING) -> ValueTree:
        result = ValueTree()
        for column in self.column_list(rt, columns):
            result.columns.copy_of(rt, column)
        return result

    @member("ВыбратьСтроку", "ChooseRow", dialects=(ONEC,))
    def choose_row(self, rt: Runtime, title: Any = MISSING, start: Any = MISSING) -> None:
        rt.dialect.unsupported("ДеревоЗначений.ВыбратьСтроку")


def _copy_rows(source: list[ValueTreeRow], target: ValueTreeRows, slots: list[int]) -> None:
    for row in source:
        copied = target.new_row()
        copied.cells[:] = [row.read(slot) for slot in slots]
        _copy_rows(row.rows.items, copied.rows, slots)


@constructor("ДеревоЗначений", "ValueTree")
def construct_value_tree(rt: Runtime) -> ValueTree:
    return ValueTree()
