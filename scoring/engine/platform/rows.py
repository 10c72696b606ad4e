"""Rows with typed fields: what tabular sections and record sets share. They are tables of values without free columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, ClassVar

from scoring.engine.collections import ValueTable, ValueTableRow
from scoring.engine.collections.grid import Column, GridRow
from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import Field
from scoring.engine.platform.faults import no_field, no_method, read_only
from scoring.engine.platform.typevalues import description_value
from scoring.engine.storage.database import Database
from scoring.engine.values.members import member
from scoring.engine.values.model import MISSING

LINE_NUMBER = frozenset({"номерстроки", "linenumber"})


class TypedRow(ValueTableRow):
    """A row: properties are the fields of its owner; ``НомерСтроки`` is its place."""

    __slots__ = ()

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.owner.row_type  # type: ignore[attr-defined,no-any-return]

    def get_property(self, rt: Any, name: str) -> Any:
        owner: TypedRows = self.owner  # type: ignore[assignment]
        slot = owner.slots.get(name.lower())
        if slot is not None:
            return self.cells[slot]
        if owner.numbered and name.lower() in LINE_NUMBER:
            return owner.number_of(self) or 0
        raise no_field(self, name)

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        owner: TypedRows = self.owner  # type: ignore[assignment]
        slot = owner.slots.get(name.lower())
        if slot is None:
            if owner.numbered and name.lower() in LINE_NUMBER:
                raise read_only(self, name)
            raise no_field(self, name)
        self.write(rt, slot, value)

    def find_method(self, rt: Any, name: str) -> Any:
        raise no_method(self, name)

    def iterate(self, rt: Any) -> Iterator[Any]:
        raise BslRuntimeError("not_iterable", type=self.type_name)

    def property_names(self, rt: Any) -> list[str]:
        owner: TypedRows = self.owner  # type: ignore[assignment]
        names = [item.name for item in owner.fields]
        return ["НомерСтроки", *names] if owner.numbered else names


class TypedRows(ValueTable):
    """A table of typed rows. ``fields`` are the fields of a row without its number.

    ``hidden`` names the methods of ТаблицаЗначений that this kind lacks; the inherited properties are hidden, too.
    """

    hidden: ClassVar[frozenset[str]] = frozenset(
        [
            "скопировать",
            "copy",
            "скопироватьколонки",
            "copycolumns",
            "заполнитьзначения",
            "fillvalues",
            "выбратьстроку",
            "chooserow",
        ]
    )
    numbered: ClassVar[bool] = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = {name for base in cls.__mro__ if base not in ValueTable.__mro__ for name in _property_names(base)}
        cls.bsl_properties = {name: entry for name, entry in cls.bsl_properties.items() if name in own}

    def __init__(self, rt: Any, database: Database, fields: Sequence[Field], row_type: Names) -> None:
        super().__init__()
        self.database = database
        self.fields = fields
        self.row_type = row_type
        for item in fields:
            self.columns.append(rt, item.name, description_value(item.types))
        for item, column in zip(fields, self.columns.items, strict=True):
            self.defaults[column.slot] = database.default(item.types)
            self.slots[item.english.lower()] = column.slot
            self.columns.by_name.setdefault(item.english.lower(), column)
        self.plain = False
        self._numbers: dict[int, int] = {}

    def find_method(self, rt: Any, name: str) -> Any:
        if name.lower() in self.hidden:
            raise no_method(self, name)
        return super().find_method(rt, name)

    def settle(self) -> None:
        self.plain = False

    def number_of(self, row: TypedRow) -> int | None:
        """The row's number, remembered while it is right; None for a row that left the table."""
        number = self._numbers.get(id(row), 0)
        if 0 < number <= len(self.items) and self.items[number - 1] is row:
            return number
        self._numbers = {id(item): place for place, item in enumerate(self.items, 1)}
        return self._numbers.get(id(row))

    def on_write(self, rt: Any, row: GridRow, slot: int, value: Any) -> Any:
        self.changed()
        return self.database.fit(self.fields[slot].types, value, rt)

    def changed(self) -> None:
        """Called on every change; owners note that they are modified."""

    # -- rows --------------------------------------------------------------------------------------------------------------

    items: list[TypedRow]  # type: ignore[assignment]

    def make_row(self, cells: list[Any]) -> TypedRow:
        """A row of this table over ``cells``, not in it yet."""
        return TypedRow(self, cells)

    def new_row(self) -> TypedRow:
        row = self.make_row(self.defaults[:])
        self.items.append(row)
        self.changed()
        return row

    def load_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        """Replace all rows by raw values in the order of ``fields``."""
        self.items[:] = [self.make_row(list(values)) for values in rows]
        self.version += 1

    def raw_rows(self) -> list[list[Any]]:
        return [row.cells for row in self.items]

    @member("Вставить", "Insert")
    def insert(self, rt: Any, index: Any) -> Any:
        plain = super().insert(rt, index)
        position = self.items.index(plain)  # type: ignore[arg-type]
        row = self.items[position] = self.make_row(plain.cells)
        self.changed()
        return row

    @member("Получить", "Get")
    def get(self, rt: Any, index: Any) -> Any:
        if type(index) is not int and type(index) is not Decimal:
            raise BslRuntimeError("argument_type", number=1)
        return self.get_index(rt, index)

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Any, row: Any) -> None:
        super().delete(rt, row)
        self.changed()

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Any) -> None:
        super().clear(rt)
        self.changed()

    @member("Выгрузить", "Unload")
    def unload(self, rt: Any, rows: Any = MISSING, columns: Any = MISSING) -> ValueTable:
        chosen = None if columns is MISSING or columns is None else self.named_fields(rt, columns)
        source = self._chosen_rows(rt, rows)
        return value_table(rt, self.exported(chosen), (self.exported_cells(row, chosen) for row in source))

    @member("ВыгрузитьКолонки", "UnloadColumns")
    def unload_columns(self, rt: Any, columns: Any = MISSING) -> ValueTable:
        """The table that Выгрузить gives, without rows."""
        chosen = None if columns is MISSING or columns is None else self.named_fields(rt, columns)
        return value_table(rt, self.exported(chosen), ())

    def named_fields(self, rt: Any, columns: Any) -> list[str]:
        return [name.strip().lower() for name in rt.text(columns).split(",")]

    def exported(self, chosen: list[str] | None) -> list[tuple[str, Any]]:
        """(name, types) of the columns that Выгрузить gives."""
        columns: list[tuple[str, Any]] = [(item.name, description_value(item.types)) for item in self.fields]
        if self.numbered:
            columns.insert(0, ("НомерСтроки", None))
        if chosen is None:
            return columns
        by_name = {name.lower(): (name, types) for name, types in columns}
        by_name |= {item.english.lower(): by_name[item.name.lower()] for item in self.fields}
        missing = next((name for name in chosen if name not in by_name), None)
        if missing is not None:
            raise BslRuntimeError("column_name", name=missing)
        return [by_name[name] for name in chosen]

    def exported_cells(self, row: Any, chosen: list[str] | None) -> list[Any]:
        if chosen is None:
            return [self.number_of(row), *row.cells] if self.numbered else list(row.cells)
        return [self.number_of(row) if name in LINE_NUMBER else row.cells[self.slots[name]] for name in chosen]

    @member("Загрузить", "Load", procedure=True)
    def load(self, rt: Any, table: Any) -> None:
        if not isinstance(table, ValueTable):
            raise BslRuntimeError("argument_type", number=1)
        places = [(self.slots[name], column.slot) for column, name in shared_columns(table, self.slots)]
        rows = []
        for source in table.items:
            cells = self.defaults[:]
            for target, slot in places:
                cells[target] = self.database.fit(self.fields[target].types, source.read(slot), rt)
            rows.append(cells)
        self.load_rows(rows)
        self.changed()

    @member("Свернуть", "GroupBy", procedure=True)
    def group_by(self, rt: Any, groups: Any, totals: Any = MISSING) -> None:
        keys = [column.slot for column in self.column_list(rt, groups, absent_means_all=False)]
        sums = [column.slot for column in self.column_list(rt, totals, absent_means_all=False)]
        self.load_rows([row.cells for row in self._grouped(rt, keys, sums)])
        self.changed()


def _property_names(cls: type) -> list[str]:
    return [
        spelled.lower()
        for attribute in vars(cls).values()
        for entry in getattr(attribute, "bsl_members", ())
        for spelled in (entry.name, entry.english)
    ]


def shared_columns(table: ValueTable, slots: dict[str, int]) -> list[tuple[Column, str]]:
    """Columns of ``table`` that have a namesake among ``slots``."""
    return [(column, column.name.lower()) for column in table.columns.items if column.name.lower() in slots]


def value_table(rt: Any, columns: Iterable[tuple[str, Any]], rows: Iterable[Sequence[Any]]) -> ValueTable:
    """ТаблицаЗначений of (name, ``ОписаниеТипов`` or None) columns and rows of cells."""
    table = ValueTable()
    for name, types in columns:
        table.columns.append(rt, name, types if types is not None and types.types else None)
    for cells in rows:
        table.items.append(ValueTableRow(table, list(cells)))
    return table
