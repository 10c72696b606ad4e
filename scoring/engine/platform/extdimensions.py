"""``СубконтоДт``, ``СубконтоКт``, ``Субконто`` of a record of an accounting register: kind → value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.engine.collections import KeyAndValue
from scoring.engine.platform.faults import no_field, read_only, wrong_argument
from scoring.engine.platform.rows import TypedRow
from scoring.engine.storage.references import Reference
from scoring.engine.values.members import member
from scoring.engine.values.model import BslObject

SIDES = {
    "субконтодт": 0,
    "extdimensionsdr": 0,
    "субконтокт": 1,
    "extdimensionscr": 1,
}
SINGLE = {"субконто": 0, "extdimensions": 0}


class ExtDimensions(BslObject):
    """Values by kind; kinds are named by reference or by the name of a predefined one."""

    type_name = ("ЗначенияСубконто", "ExtDimensionValues")

    def __init__(self, owner: Any, values: dict[Any, Any]) -> None:
        self.owner = owner
        self.values = values

    def kind_named(self, name: str) -> Reference | None:
        database = self.owner.database
        chart = database.configuration.find("accounts", self.owner.meta.chart)
        kinds = database.configuration.find("characteristics", chart.ext_dimension_types) if chart else None
        return database.references[kinds.path].predefined.get(name.lower()) if kinds else None

    def get_property(self, rt: Any, name: str) -> Any:
        kind = self.kind_named(name)
        if kind is None:
            raise no_field(self, name)
        return self.values.get(kind)

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        kind = self.kind_named(name)
        if kind is None:
            raise no_field(self, name)
        self.set_index(rt, kind, value)

    def get_index(self, rt: Any, index: Any) -> Any:
        if not isinstance(index, Reference):
            return super().get_index(rt, index)
        return self.values.get(index)

    def set_index(self, rt: Any, index: Any, value: Any) -> None:
        if not isinstance(index, Reference):
            super().set_index(rt, index, value)
        self.values[index] = value
        self.owner.changed()

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter([KeyAndValue((kind, value)) for kind, value in self.values.items()])

    @member("Вставить", "Insert", procedure=True)
    def insert(self, rt: Any, kind: Any, value: Any = None) -> None:
        if not isinstance(kind, Reference):
            raise wrong_argument(1)
        self.set_index(rt, kind, value)

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.values)

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Any) -> None:
        self.values.clear()

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Any, kind: Any) -> None:
        self.values.pop(kind, None)

    @member("Получить", "Get")
    def get(self, rt: Any, kind: Any) -> Any:
        return self.values.get(kind)


class AccountingRow(TypedRow):
    """A record with its ext. dimensions: ``ext`` holds debit and credit ones, or the only ones."""

    __slots__ = ("ext",)

    def __init__(self, owner: Any, cells: list[Any], stored: tuple[Any, ...] = ()) -> None:
        super().__init__(owner, cells)
        sides = 2 if owner.meta.correspondence else 1
        given = list(stored) or [()] * sides
        self.ext = [ExtDimensions(owner, dict(pairs)) for pairs in given]

    def side(self, name: str) -> int | None:
        meta = self.owner.meta  # type: ignore[attr-defined]
        return (SIDES if meta.correspondence else SINGLE).get(name.lower())

    def get_property(self, rt: Any, name: str) -> Any:
        side = self.side(name)
        return super().get_property(rt, name) if side is None else self.ext[side]

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        if self.side(name) is not None:
            raise read_only(self, name)
        super().set_property(rt, name, value)


def kinds_of(account: Any) -> list[Reference]:
    """The kinds of ext. dimensions of an account, in its order."""
    if not isinstance(account, Reference) or not account.sections:
        return []
    sections = account.table.meta.sections
    for number, section in enumerate(sections):
        if section.name == "ВидыСубконто":
            return [row[2] for row in account.sections[number]]
    return []


def ext_in_order(account: Any, values: dict[Any, Any]) -> tuple[tuple[Any, Any], ...]:
    """Ext. dimensions as storage keeps them: in the account's order, Неопределено where none is given; kinds that the
    account does not have are dropped."""
    return tuple((kind, values.get(kind)) for kind in kinds_of(account))
