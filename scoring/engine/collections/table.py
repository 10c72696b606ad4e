"""ТаблицаЗначений.

Slots that compiled code may use directly: ``ValueTable.items`` (the rows, always the same list object) for reading and walking;
``row.cells`` as :mod:`scoring.engine.collections.grid` says. Adding and removing rows goes through the methods, which keep
``version`` and the indexes in step.

From Python: ``table = ValueTable(); table.columns.append(rt, "Имя", type_description); row = table.new_row(); row.cells[slot] = …``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.array import SEARCH_BASE, SEARCH_STEP, Array
from scoring.engine.collections.base import matcher, walk_live, walk_strictly
from scoring.engine.collections.comparison import check_comparer
from scoring.engine.collections.faults import (
    as_int,
    checked_index,
    external,
    is_onescript,
    list_insert,
    not_found,
    not_of_class,
    null_reference,
    place_of,
    wrong_type,
)
from scoring.engine.collections.grid import Column, ColumnCollection, Grid, GridRow, move_by, total_of
from scoring.engine.collections.indexes import CollectionIndexes
from scoring.engine.collections.ordering import comparer_failed, sorted_by_rules
from scoring.engine.collections.structure import FixedStructure, Structure, StructureBase
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import ONEC, constructor, member, prop
from scoring.engine.values.model import MISSING

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime

# What НайтиСтроки is charged per scanned row, in operations: the loop that the published method wrote in its place executed
# this many statements per row and this many more per field of the filter; and this many around the loop.
ROWS_STEP = 7
ROWS_STEP_PER_FIELD = 4
ROWS_BASE = 4


# Rows are made by the thousand, and at half the price without a call of ``__init__``.
_new = object.__new__


class ValueTableRow(GridRow):
    """СтрокаТаблицыЗначений; ``owner`` is the table."""

    __slots__ = ()
    type_name = ("СтрокаТаблицыЗначений", "ValueTableRow")


class ValueTableColumn(Column):
    """КолонкаТаблицыЗначений."""

    __slots__ = ()
    type_name = ("КолонкаТаблицыЗначений", "ValueTableColumn")


class ValueTableColumns(ColumnCollection):
    """КоллекцияКолонокТаблицыЗначений."""

    __slots__ = ()
    type_name = ("КоллекцияКолонокТаблицыЗначений", "ValueTableColumnCollection")
    column_class = ValueTableColumn

    def remove(self, column: Column) -> None:
        self.grid.indexes.forget_column(column)  # type: ignore[attr-defined]
        super().remove(column)

    @member("Сдвинуть", "Move", procedure=True, dialects=(ONEC,))
    def move(self, rt: Runtime, column: Any, offset: Any) -> None:
        self.shift(rt, column, offset)


class ValueTable(Grid):
    """ТаблицаЗначений."""

    __slots__ = ("indexes", "items", "version")
    type_name = ("ТаблицаЗначений", "ValueTable")
    column_collection = ValueTableColumns

    def __init__(self) -> None:
        self.items: list[ValueTableRow] = []
        self.version = 0
        self.indexes = CollectionIndexes(self)
        super().__init__()

    # -- for the engine's own use ---------------------------------------------------------------------------------------

    def new_row(self) -> ValueTableRow:
        """Append a row of defaults. Where indexes exist, :meth:`add` is the way."""
        row = _new(ValueTableRow)
        row.owner = self
        row.cells = self.defaults[:]
        self.items.append(row)
        return row

    def all_rows(self) -> Iterator[GridRow]:
        return iter(self.items)

    def indexed(self) -> bool:
        return bool(self.indexes.items)

    def on_write(self, rt: Runtime, row: GridRow, slot: int, value: Any) -> Any:
        value = super().on_write(rt, row, slot, value)
        touched = [i for i in self.indexes.items if any(column.slot == slot for column in i.columns)]
        if touched:
            value = _own_text(rt, self, slot, value)
            for index in touched:
                index.remove(rt, row)  # type: ignore[arg-type]
            row.cells[slot] = value
            for index in touched:
                index.add(rt, row)  # type: ignore[arg-type]
        return value

    def replace_rows(self, rows: list[ValueTableRow]) -> None:
        """Put ``rows`` in the place of all rows."""
        self.items[:] = rows
        self.version += 1
        self.indexes.mark_stale()

    def empty_copy(self, rt: Runtime, columns: list[Column]) -> ValueTable:
        """A table with the same columns and no rows."""
        copy = ValueTable()
        for column in columns:
            copy.columns.copy_of(rt, column)
        return copy

    def filled_copy(self, rt: Runtime, columns: list[Column], rows: list[ValueTableRow]) -> ValueTable:
        copy = self.empty_copy(rt, columns)
        slots = [column.slot for column in columns]
        copy.items.extend(ValueTableRow(copy, [row.read(slot) for slot in slots]) for row in rows)
        return copy

    def _row_position(self, rt: Runtime, row: Any) -> int:
        """Where a row, given by itself or by its number, is."""
        return place_of(rt, self.items, row, ValueTableRow, "Строка не принадлежит таблице значений")

    # -- the language ---------------------------------------------------------------------------------------------------

    def get_index(self, rt: Runtime, index: Any) -> Any:
        position = index if type(index) is int else as_int(rt, index)
        if not 0 <= position < len(self.items):
            raise checked_index(rt)
        return self.items[position]

    def iterate(self, rt: Runtime) -> Iterator[Any]:
        return walk_strictly(self) if is_onescript(rt) else walk_live(self.items)

    @prop("Индексы", "Indexes")
    def get_indexes(self, rt: Runtime) -> CollectionIndexes:
        return self.indexes

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("Добавить", "Add")
    def add(self, rt: Runtime) -> ValueTableRow:
        row = self.new_row()
        indexes = self.indexes.items
        if indexes:
            for index in indexes:
                index.add(rt, row)
        return row

    @member("Вставить", "Insert")
    def insert(self, rt: Runtime, index: Any) -> ValueTableRow:
        position = as_int(rt, index)
        if not 0 <= position <= len(self.items):
            raise list_insert(rt)
        row = ValueTableRow(self, self.defaults[:])
        self.items.insert(position, row)
        self.version += 1
        for known in self.indexes.items:
            known.add(rt, row)
        return row

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Runtime, row: Any) -> None:
        position = self._row_position(rt, row)
        removed = self.items.pop(position)
        self.version += 1
        for index in self.indexes.items:
            index.remove(rt, removed)

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        self.replace_rows([])

    @member("Получить", "Get")
    def get(self, rt: Runtime, index: Any) -> ValueTableRow:
        return self.get_index(rt, index)

    @member("Индекс", "IndexOf")
    def index_of(self, rt: Runtime, row: Any) -> int:
        return next((place for place, known in enumerate(self.items) if known is row), -1)

    @member("Сдвинуть", "Move", procedure=True)
    def move(self, rt: Runtime, row: Any, offset: Any) -> None:
        position = self._row_position(rt, row)
        move_by(rt, self, position, as_int(rt, offset), wrap=False)  # type: ignore[arg-type]

    # -- columns as a whole ---------------------------------------------------------------------------------------------

    @member("ВыгрузитьКолонку", "UnloadColumn")
    def unload_column(self, rt: Runtime, column: Any) -> Array:
        slot = self.columns.resolve(rt, column).slot
        return Array([row.read(slot) for row in self.items])

    @member("ЗагрузитьКолонку", "LoadColumn", procedure=True)
    def load_column(self, rt: Runtime, values: Any, column: Any) -> None:
        slot = self.columns.resolve(rt, column).slot
        if not isinstance(values, Array):
            raise null_reference(rt, BslRuntimeError("argument_type", number=1))
        for row, value in zip(self.items, list(values.items), strict=False):
            row.write(rt, slot, value)

    @member("ЗаполнитьЗначения", "FillValues", procedure=True)
    def fill_values(self, rt: Runtime, value: Any, columns: Any = MISSING) -> None:
        slots = [column.slot for column in self.column_list(rt, columns)]
        for row in self.items:
            for slot in slots:
                row.write(rt, slot, value)

    @member("Итог", "Total")
    def total(self, rt: Runtime, column: Any) -> Any:
        found = self.columns.resolve(rt, column)
        return total_of(rt, found, (row.read(found.slot) for row in self.items))

    # -- searching ------------------------------------------------------------------------------------------------------

    @member("Найти", "Find")
    def find(self, rt: Runtime, value: Any, columns: Any = MISSING) -> ValueTableRow | None:
        slots = [column.slot for column in self.column_list(rt, columns)]
        matches = matcher(rt, value, wanted_first=True)
        for position, row in enumerate(self.items, 1):
            cells = row.cells
            for slot in slots:
                if matches(cells[slot]):
                    rt.charge(SEARCH_BASE + SEARCH_STEP * position)
                    return row
        rt.charge(SEARCH_BASE + SEARCH_STEP * len(self.items))
        return None

    @member("НайтиСтроки", "FindRows")
    def find_rows(self, rt: Runtime, wanted: Any) -> Array:
        return Array(list(self.matching(rt, wanted)))

    def matching(self, rt: Runtime, wanted: Any) -> list[ValueTableRow]:
        """The rows that hold every value of the structure ``wanted``."""
        values = {self._filter_column(rt, name): value for name, value in _filter_pairs(rt, wanted)}
        index = self.indexes.fitting(values) if self.indexes.items else None
        rows = self.items if index is None else index.rows(rt, values)
        rt.charge(ROWS_BASE + len(rows) * (ROWS_STEP + ROWS_STEP_PER_FIELD * len(values)))
        for column, value in values.items():
            rows = _holding(rt, rows, column.slot, value)
        return list(rows)

    def _filter_column(self, rt: Runtime, name: str) -> Column:
        column = self.columns.by_name.get(name.lower())
        if column is None:
            raise null_reference(rt, not_found(rt, name))
        return column

    # -- whole tables ---------------------------------------------------------------------------------------------------

    @member("Скопировать", "Copy")
    def copy(self, rt: Runtime, rows: Any = MISSING, columns: Any = MISSING) -> ValueTable:
        chosen = self.column_list(rt, columns)
        self.empty_copy(rt, chosen)  # a faulty list of columns is noticed before the rows are looked at
        return self.filled_copy(rt, chosen, self._chosen_rows(rt, rows))

    def _chosen_rows(self, rt: Runtime, rows: Any) -> list[ValueTableRow]:
        if rows is MISSING or (rows is None and not is_onescript(rt)):
            return self.items
        if isinstance(rows, StructureBase):
            return self.matching(rt, rows)
        if not isinstance(rows, Array):
            raise wrong_type()
        for row in rows.items:
            if not isinstance(row, ValueTableRow) or row.owner is not self:
                raise wrong_type()
        return rows.items

    @member("СкопироватьКолонки", "CopyColumns")
    def copy_columns(self, rt: Runtime, columns: Any = MISSING) -> ValueTable:
        return self.empty_copy(rt, self.column_list(rt, columns))

    @member("Свернуть", "GroupBy", procedure=True)
    def group_by(self, rt: Runtime, groups: Any, totals: Any = MISSING) -> None:
        keys = self.column_list(rt, groups, absent_means_all=False)
        sums = self.column_list(rt, totals, absent_means_all=False)
        for column in keys:
            if column in sums:
                raise BslRuntimeError(
                    "column_mixed",
                    f"Колонка '{column.name}' не может одновременно быть колонкой группировки и колонкой суммирования",
                )
        rows = self._grouped(rt, [column.slot for column in keys], [column.slot for column in sums])
        self.replace_rows(rows)
        kept = [*keys, *sums]
        for column in list(self.columns.items):
            if column not in kept:
                self.columns.remove(column)
        if not is_onescript(rt):
            self.columns.items[:] = list(dict.fromkeys(kept))  # 1C puts the columns in the order of the call

    def _grouped(self, rt: Runtime, keys: list[int], sums: list[int]) -> list[ValueTableRow]:
        """One row per distinct key, in order of first appearance; cells that are no numbers count as zero."""
        add = rt.dialect.add
        key_of = _key_maker(rt, keys)
        groups: dict[Any, ValueTableRow] = {}
        for row in self.items:
            cells = row.cells
            key = key_of(cells)
            group = groups.get(key)
            if group is None:
                groups[key] = group = ValueTableRow(self, self.defaults[:])
                for slot in keys:
                    group.cells[slot] = cells[slot]
                for slot in sums:
                    group.cells[slot] = _number_or_zero(cells[slot])
                continue
            for slot in sums:
                group.cells[slot] = add(rt, group.cells[slot], _number_or_zero(cells[slot]))
        return list(groups.values())

    @member("Сортировать", "Sort", procedure=True)
    def sort(self, rt: Runtime, columns: Any, comparer: Any = MISSING) -> None:
        check_comparer(rt, comparer, 2)
        rules = [_sort_rule(rt, self, part) for part in rt.text(columns).split(",")]
        if len(self.items) < 2:
            return
        if any(column is None for column, _ in rules):
            raise comparer_failed()
        known = [(column.slot, down) for column, down in rules if column]

        def columns_of() -> list[list[Any]]:
            return [[row.cells[slot] for row in self.items] for slot, _ in known]

        self.replace_rows(sorted_by_rules(rt, self.items, [(_cell_reader(slot), down) for slot, down in known], columns_of))

    @member("ВыбратьСтроку", "ChooseRow", procedure=True)
    def choose_row(self, rt: Runtime, title: Any = MISSING, start: Any = MISSING) -> None:
        """A dialogue: nobody is there to choose."""
        if is_onescript(rt):
            raise external("NotSupportedException", "Specified method is not supported.")
        rt.dialect.unsupported("ТаблицаЗначений.ВыбратьСтроку")


def _reader(slot: int) -> Callable[[GridRow], Any]:
    return lambda row: row.read(slot)


def _cell_reader(slot: int) -> Callable[[ValueTableRow], Any]:
    """Rows of a table have all their cells."""
    return lambda row: row.cells[slot]


def _key_maker(rt: Runtime, slots: list[int]) -> Callable[[list[Any]], Any]:
    """Cells → a hashable key of those at ``slots``."""
    map_key = rt.dialect.map_key
    if len(slots) == 1:
        only = slots[0]
        return lambda cells: map_key(cells[only])
    return lambda cells: tuple([map_key(cells[slot]) for slot in slots])


def _holding(rt: Runtime, rows: list[ValueTableRow], slot: int, wanted: Any) -> list[ValueTableRow]:
    """The rows whose cell equals ``wanted``. Rows of a table have all their cells."""
    kind = type(wanted)
    if kind is str:  # nothing but a string equals a string
        return [row for row in rows if row.cells[slot] == wanted]
    if kind is int:  # Python takes booleans for numbers: what it finds is looked at again
        rows = [row for row in rows if row.cells[slot] == wanted]
    matches = matcher(rt, wanted)
    return [row for row in rows if matches(row.cells[slot])]


def _number_or_zero(value: Any) -> Any:
    return value if type(value) is int or type(value) is Decimal else 0


def _own_text(rt: Runtime, table: ValueTable, slot: int, value: Any) -> Any:
    """A typed column of OneScript stores a string object of its own, which no index finds by another one."""
    if type(value) is str and table.types[slot] is not None and is_onescript(rt):
        return (" " + value)[1:]
    return value


def _filter_pairs(rt: Runtime, wanted: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(wanted, Structure) or (isinstance(wanted, FixedStructure) and not is_onescript(rt)):
        return wanted.pairs()
    raise not_of_class(rt, wanted, "Collections.StructureImpl", 1)


def _sort_rule(rt: Runtime, table: ValueTable, part: str) -> tuple[Column | None, bool]:
    """``Имя`` or ``Имя Убыв`` → (column, descending?). OneScript notices an unknown name only when it compares."""
    name, descending = sort_words(rt, part)
    column = table.columns.by_name.get(name.lower())
    if column is None and not is_onescript(rt):
        raise not_found(rt, name)
    return column, descending


def sort_words(rt: Runtime, part: str) -> tuple[str, bool]:
    """A part of a list of columns to sort by → (name, descending?); an unknown word means ascending."""
    words = part.strip().split(" ") if is_onescript(rt) else part.split() or [""]
    return words[0], len(words) > 1 and words[1].lower() in ("убыв", "desc")


@constructor("ТаблицаЗначений", "ValueTable")
def construct_value_table(rt: Runtime) -> ValueTable:
    return ValueTable()
