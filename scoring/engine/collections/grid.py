"""What tables and trees of values share: columns, and rows of cells.

A column keeps one *slot*, its place in every row's ``cells``, for life; columns may be moved, renamed and removed without
touching the rows. Slots that compiled code may use directly:

* ``row.owner.slots[lower-case name]`` → slot, ``row.cells[slot]`` → value. A row made before the column may be shorter: an
  ``IndexError`` means the column's default (:meth:`GridRow.read`).
* Writing ``row.cells[slot] = value`` past :meth:`GridRow.write` is right only while ``row.owner.plain`` is true: no column has
  a type and no index watches the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from scoring.engine.collections.base import Collection, ListBacked
from scoring.engine.collections.faults import (
    as_int,
    checked_index,
    is_onescript,
    list_index,
    list_insert,
    not_found,
    not_of_class,
    wrong_type,
)
from scoring.engine.collections.structure import is_identifier
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import ONESCRIPT, member, prop
from scoring.engine.values.model import MISSING
from scoring.engine.values.type_description import TypeDescription
from scoring.engine.values.types import NUMBER, TypeValue

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime

ANY_TYPE = TypeDescription()


class Column(Collection):
    """A column of a table or a tree."""

    __slots__ = ("caption", "columns", "name", "slot", "value_type", "width")

    def __init__(
        self, columns: ColumnCollection, name: str, value_type: TypeDescription | None, caption: str | None, width: int, slot: int
    ) -> None:
        self.columns = columns
        self.name = name
        self.value_type = value_type
        self.caption = caption
        self.width = width
        self.slot = slot

    def _rename(self, rt: Runtime, value: Any) -> None:
        self.columns.rename(rt, self, rt.text(value))

    def _recaption(self, rt: Runtime, value: Any) -> None:
        self.caption = rt.text(value)

    def _resize(self, rt: Runtime, value: Any) -> None:
        self.width = as_int(rt, value)

    @prop("Имя", "Name", writable=_rename)
    def get_name(self, rt: Runtime) -> str:
        return self.name

    @prop("Заголовок", "Title", writable=_recaption)
    def get_caption(self, rt: Runtime) -> str:
        return self.name if self.caption is None else self.caption

    @prop("Ширина", "Width", writable=_resize)
    def get_width(self, rt: Runtime) -> int:
        return self.width

    @prop("ТипЗначения", "ValueType")
    def get_value_type(self, rt: Runtime) -> TypeDescription:
        return ANY_TYPE if self.value_type is None else self.value_type


class Grid(Collection):
    """A table or a tree: owns the columns and knows where each one's cells are.

    ``types``: per slot, the column's type or None; ``defaults``: per slot, what a new row holds.
    """

    __slots__ = ("columns", "defaults", "plain", "slots", "spelled", "types")
    column_collection: ClassVar[type[ColumnCollection]]

    def __init__(self) -> None:
        self.slots: dict[str, int] = {}
        self.spelled: dict[str, int] = {}  # names as programs spell them → slot: a cache over ``slots``
        self.types: list[TypeDescription | None] = []
        self.defaults: list[Any] = []
        self.plain = True
        self.columns = self.column_collection(self)

    def all_rows(self) -> Iterator[GridRow]:
        """Every row that belongs to the grid."""
        raise NotImplementedError

    def indexed(self) -> bool:
        """Does something watch the cells?"""
        return False

    def settle(self) -> None:
        """Recompute what the fast roads rely on, after columns or indexes changed."""
        self.spelled.clear()
        self.plain = not self.indexed() and all(self.types[column.slot] is None for column in self.columns.items)

    def column_list(self, rt: Runtime, names: Any, *, absent_means_all: bool = True) -> list[Column]:
        """The columns named in a list ``"А, Б"``; raises ``column_name``."""
        if names is MISSING or names is None:
            return list(self.columns.items) if absent_means_all else []
        text = rt.text(names)
        if not text.strip():
            # OneScript takes an empty list as no column at all, 1C as all of them.
            return list(self.columns.items) if absent_means_all and not is_onescript(rt) else []
        return [self._named(name) for name in text.split(",")]

    def _named(self, name: str) -> Column:
        column = self.columns.by_name.get(name.strip().lower())
        if column is None:
            raise BslRuntimeError("column_name", name=name)
        return column

    def on_write(self, rt: Runtime, row: GridRow, slot: int, value: Any) -> Any:
        """What to store where a column is typed or an index watches; gives the value to put into the cell."""
        value_type = self.types[slot]
        return value if value_type is None else value_type.adjust(rt, value)

    @prop("Колонки", "Columns")
    def get_columns(self, rt: Runtime) -> ColumnCollection:
        return self.columns


class ColumnCollection(ListBacked):
    """The columns of a grid; ``by_name`` is keyed by lower-case names."""

    __slots__ = ("by_name", "grid")
    column_class: ClassVar[type[Column]] = Column

    def __init__(self, grid: Grid) -> None:
        self.items: list[Column] = []
        self.version = 0
        self.by_name: dict[str, Column] = {}
        self.grid = grid

    # -- for the engine's own use ---------------------------------------------------------------------------------------

    def append(
        self,
        rt: Runtime,
        name: str,
        value_type: TypeDescription | None = None,
        caption: str | None = None,
        width: int = 0,
        position: int | None = None,
    ) -> Column:
        """Add a column; the name must be new and free. Rows get the type's default."""
        grid = self.grid
        column = self.column_class(self, name, value_type, caption, width, len(grid.types))
        default = _default_of(rt, value_type)
        grid.types.append(value_type)
        grid.defaults.append(default)
        for row in grid.all_rows():
            row.cells.append(default)
        self.items.insert(len(self.items) if position is None else position, column)
        self.by_name[name.lower()] = column
        grid.slots[name.lower()] = column.slot
        grid.settle()
        return column

    def copy_of(self, rt: Runtime, column: Column) -> Column:
        """Add a column like ``column``."""
        self.check_name(rt, column.name)
        return self.append(rt, column.name, column.value_type, column.caption, column.width)

    def names(self) -> list[str]:
        return [column.name for column in self.items]

    def check_name(self, rt: Runtime, name: str) -> None:
        if name.lower() in self.by_name:
            raise BslRuntimeError("column_name_taken", f"Неверное имя колонки {name}", name=name)
        if not is_onescript(rt) and not is_identifier(name):
            raise BslRuntimeError("column_name", name=name)

    def rename(self, rt: Runtime, column: Column, name: str) -> None:
        """Give ``column`` another name; raises where it is taken."""
        if name.lower() in self.by_name and (is_onescript(rt) or self.by_name[name.lower()] is not column):
            raise BslRuntimeError("column_name_taken", "Неверное имя колонки!", name=name)
        old = column.name.lower()
        if self.by_name.get(old) is column:
            del self.by_name[old], self.grid.slots[old]
        column.name = name
        self.by_name[name.lower()] = column
        self.grid.slots[name.lower()] = column.slot
        self.grid.settle()

    def resolve(self, rt: Runtime, index: Any) -> Column:
        """The column that a name, a number or the column itself stands for."""
        if isinstance(index, Column):
            return index
        if type(index) is str:
            column = self.by_name.get(index.lower())
            if column is None:
                raise not_found(rt, index)
            return column
        if type(index) is int or type(index) is Decimal:
            position = as_int(rt, index)
            if not 0 <= position < len(self.items):
                raise checked_index(rt)
            return self.items[position]
        raise wrong_type()

    def remove(self, column: Column) -> None:
        self.items.remove(column)
        self.version += 1
        key = column.name.lower()
        self.by_name.pop(key, None)
        self.grid.slots.pop(key, None)
        self.grid.settle()

    # -- the language ---------------------------------------------------------------------------------------------------

    def get_property(self, rt: Runtime, name: str) -> Any:
        column = self.by_name.get(name.lower())
        return column if column is not None else super().get_property(rt, name)

    def set_property(self, rt: Runtime, name: str, value: Any) -> None:
        if name.lower() in self.by_name:
            raise BslRuntimeError("property_not_writable", name=name, type=self.type_name)
        super().set_property(rt, name, value)

    def get_index(self, rt: Runtime, index: Any) -> Any:
        return self.get_property(rt, index) if type(index) is str else self.resolve(rt, index)

    def _new(self, rt: Runtime, position: int | None, name: Any, value_type: Any, caption: Any, width: Any) -> Column:
        spelled = f"Колонка{len(self.items) + 1}" if name is MISSING else rt.text(name)
        self.check_name(rt, spelled)
        return self.append(
            rt,
            spelled,
            _as_type(rt, value_type),
            None if caption is MISSING else rt.text(caption),
            0 if width is MISSING else as_int(rt, width),
            position,
        )

    @member("Добавить", "Add")
    def add(
        self, rt: Runtime, name: Any = MISSING, value_type: Any = MISSING, caption: Any = MISSING, width: Any = MISSING
    ) -> Column:
        if name is MISSING and is_onescript(rt):
            raise BslRuntimeError("too_few_arguments")  # only 1C makes up a name
        return self._new(rt, None, name, value_type, caption, width)

    @member("Вставить", "Insert")
    def insert(
        self, rt: Runtime, index: Any, name: Any, value_type: Any = MISSING, caption: Any = MISSING, width: Any = MISSING
    ) -> Column:
        position = as_int(rt, index)
        if not 0 <= position <= len(self.items):
            raise list_insert(rt)
        return self._new(rt, position, name, value_type, caption, width)

    @member("Индекс", "IndexOf")
    def index_of(self, rt: Runtime, column: Any) -> int:
        return next((place for place, known in enumerate(self.items) if known is column), -1)

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("Найти", "Find")
    def find(self, rt: Runtime, name: Any) -> Column | None:
        return self.by_name.get(rt.text(name).lower())

    @member("Получить", "Get")
    def get(self, rt: Runtime, index: Any) -> Column:
        position = as_int(rt, index)
        if not 0 <= position < len(self.items):
            raise checked_index(rt)
        return self.items[position]

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Runtime, index: Any) -> None:
        column = self.resolve(rt, index)
        if column not in self.items:
            raise checked_index(rt)
        self.remove(column)

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        for column in list(self.items):
            self.remove(column)

    def shift(self, rt: Runtime, index: Any, offset: Any) -> None:
        """Move a column by ``offset`` places; the table has this in 1C only, the tree in both."""
        column = self.resolve(rt, index)
        move_by(rt, self, self.items.index(column), as_int(rt, offset), wrap=is_onescript(rt))


def _default_of(rt: Runtime, value_type: TypeDescription | None) -> Any:
    """What a fresh cell of the column holds. OneScript converts «nothing» even to one type out of several."""
    if value_type is None:
        return None
    return value_type.adjust(rt) if is_onescript(rt) else value_type.default(rt)


def _as_type(rt: Runtime, value: Any) -> TypeDescription | None:
    """The column type that was handed over; a description of no types leaves the column untyped."""
    if value is MISSING:
        return None
    if isinstance(value, TypeDescription):
        return value if value.types else None
    raise not_of_class(rt, value, "TypeDescriptions.TypeDescription", 2)


def move_by(rt: Runtime, owner: ListBacked, source: int, offset: int, *, wrap: bool) -> None:
    """Move one item of ``owner.items`` by ``offset``; past the ends it goes round (``wrap``) or fails."""
    target = source + offset
    size = len(owner.items)
    if not 0 <= target < size:
        if not wrap:
            raise BslRuntimeError("argument_value", number=2)
        target %= size
    owner.items.insert(target, owner.items.pop(source))
    owner.version += 1


class GridRow(Collection):
    """A row: ``cells`` by slot. It stays readable after it left its grid."""

    __slots__ = ("cells", "owner")

    def __init__(self, owner: Grid, cells: list[Any]) -> None:
        self.owner = owner
        self.cells = cells

    def read(self, slot: int) -> Any:
        cells = self.cells
        return cells[slot] if slot < len(cells) else self.owner.defaults[slot]

    def write(self, rt: Runtime, slot: int, value: Any) -> None:
        owner, cells = self.owner, self.cells
        if slot >= len(cells):
            cells.extend(owner.defaults[len(cells) :])
        cells[slot] = value if owner.plain else owner.on_write(rt, self, slot, value)

    def _slot_of(self, name: str) -> int | None:
        owner = self.owner
        slot = owner.slots.get(name.lower())
        if slot is not None:
            owner.spelled[name] = slot
        return slot

    def get_property(self, rt: Runtime, name: str) -> Any:
        try:
            return self.cells[self.owner.spelled[name]]
        except LookupError:  # a name not met yet, or a cell that the row has not got
            pass
        slot = self._slot_of(name)
        return super().get_property(rt, name) if slot is None else self.read(slot)

    def set_property(self, rt: Runtime, name: str, value: Any) -> None:
        owner = self.owner
        if owner.plain:
            try:
                self.cells[owner.spelled[name]] = value
                return
            except LookupError:  # see get_property
                pass
        slot = self._slot_of(name)
        if slot is None:
            super().set_property(rt, name, value)
        else:
            self.write(rt, slot, value)

    def get_index(self, rt: Runtime, index: Any) -> Any:
        if type(index) is str:
            return self.get_property(rt, index)
        return self.read(self.owner.columns.resolve(rt, index).slot)

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        if type(index) is str:
            self.set_property(rt, index, value)
        else:
            self.write(rt, self.owner.columns.resolve(rt, index).slot, value)

    def iterate(self, rt: Runtime) -> Iterator[Any]:
        return iter([self.read(column.slot) for column in self.owner.columns.items])

    def property_names(self, rt: Runtime) -> list[str]:
        return [column.name for column in self.owner.columns.items]

    def _slot_at(self, rt: Runtime, index: Any) -> int:
        position = as_int(rt, index)
        columns = self.owner.columns.items
        if not 0 <= position < len(columns):
            raise list_index(rt)
        return columns[position].slot

    @member("Количество", "Count", dialects=(ONESCRIPT,))
    def count(self, rt: Runtime) -> int:
        return len(self.owner.columns.items)

    @member("Получить", "Get")
    def get(self, rt: Runtime, index: Any) -> Any:
        return self.read(self._slot_at(rt, index))

    @member("Установить", "Set", procedure=True)
    def set(self, rt: Runtime, index: Any, value: Any) -> None:
        self.write(rt, self._slot_at(rt, index), value)

    @member("Владелец", "Owner")
    def get_owner(self, rt: Runtime) -> Grid:
        return self.owner


def total_of(rt: Runtime, column: Column, values: Iterator[Any]) -> Any:
    """The sum of the numbers among ``values``; None where there are none, but 0 in a column of numbers alone in 1C."""
    described = column.value_type
    only_numbers = described is not None and described.types == (TypeValue.of(NUMBER),)
    result: Any = 0 if only_numbers and not is_onescript(rt) else None
    add = rt.dialect.add
    for value in values:
        if type(value) is int or type(value) is Decimal:
            if result is None:
                result = value
            elif type(value) is int and type(result) is int:
                result += value
            else:
                result = add(rt, result, value)
    return result
