"""``Отбор`` of record sets: one item per field that may select records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.engine.metadata.objects import Field
from scoring.engine.platform.faults import no_field, read_only
from scoring.engine.storage.database import Database
from scoring.engine.values.enums import EnumType
from scoring.engine.values.members import member, prop
from scoring.engine.values.model import MISSING, BslObject


class FilterItem(BslObject):
    """``ЭлементОтбора``: equality of one field; ``use`` says whether it counts. A recorder counts as soon as it is named:
    records of a recorder are never selected by anything else."""

    type_name = ("ЭлементОтбора", "FilterItem")

    def __init__(self, database: Database, field: Field) -> None:
        self.database = database
        self.field = field
        self.value: Any = database.default(field.types)
        self.use = False

    def assign(self, rt: Any, value: Any) -> None:
        self.value = self.database.fit(self.field.types, value, rt)
        if self.field.name == "Регистратор":
            self.use = True

    def _set_use(self, rt: Any, value: Any) -> None:
        self.use = rt.boolean(value)

    @prop("Значение", "Value", writable=assign)
    def get_value(self, rt: Any) -> Any:
        return self.value

    @prop("Использование", "Use", writable=_set_use)
    def get_use(self, rt: Any) -> bool:
        return self.use

    @prop("Имя", "Name")
    def get_name(self, rt: Any) -> str:
        return self.field.name

    @prop("ПутьКДанным", "DataPath")
    def get_path(self, rt: Any) -> str:
        return self.field.name

    @prop("ВидСравнения", "ComparisonType")
    def get_comparison(self, rt: Any) -> Any:
        return EnumType.all["видсравнения"]["Равно"]

    @member("Установить", "Set", procedure=True)
    def set(self, rt: Any, value: Any, use: Any = MISSING) -> None:
        self.assign(rt, value)
        self.use = True if use is MISSING else rt.boolean(use)


class Filter(BslObject):
    """The items by field name, in the order of the register's fields."""

    type_name = ("Отбор", "Filter")

    def __init__(self, database: Database, fields: Sequence[Field]) -> None:
        self.items = [FilterItem(database, field) for field in fields]
        self.by_name = {spelled.lower(): item for item in self.items for spelled in (item.field.name, item.field.english)}

    def used(self) -> list[FilterItem]:
        return [item for item in self.items if item.use]

    def get_property(self, rt: Any, name: str) -> Any:
        found = self.by_name.get(name.lower())
        if found is None:
            raise no_field(self, name)
        return found

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        self.get_property(rt, name)
        raise read_only(self, name)

    def get_index(self, rt: Any, index: Any) -> Any:
        if isinstance(index, str):
            return self.get_property(rt, index)
        if type(index) is int and 0 <= index < len(self.items):
            return self.items[index]
        return super().get_index(rt, index)

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter(self.items)

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.items)

    @member("Найти", "Find")
    def find(self, rt: Any, name: Any) -> Any:
        return self.by_name.get(rt.text(name).lower())

    @member("Получить", "Get")
    def get(self, rt: Any, index: Any) -> Any:
        return self.get_index(rt, index)

    @member("Сбросить", "Reset", procedure=True)
    def reset(self, rt: Any) -> None:
        for item in self.items:
            item.use = False
