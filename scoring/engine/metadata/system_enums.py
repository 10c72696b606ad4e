"""System enumerations that metadata, registers and queries need: ``ВидДвиженияНакопления``, ``ВидСчета`` …

A value is one interned object; the language reaches it as a property of the enumeration's global property, a query by
``ЗНАЧЕНИЕ(ВидДвиженияНакопления.Приход)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.kinds import Names
from scoring.engine.values.model import BslObject

# name pair → value pairs, in the platform's order (comparison and ordering in queries go by it)
SYSTEM_ENUMS: dict[Names, tuple[Names, ...]] = {
    ("ВидДвиженияНакопления", "AccumulationRecordType"): (("Приход", "Receipt"), ("Расход", "Expense")),
    ("ВидДвиженияБухгалтерии", "AccountingRecordType"): (("Дебет", "Debit"), ("Кредит", "Credit")),
    ("ВидСчета", "AccountType"): (
        ("Активный", "Active"),
        ("Пассивный", "Passive"),
        ("АктивноПассивный", "ActivePassive"),
    ),
    ("РежимЗаписиДокумента", "DocumentWriteMode"): (
        ("Запись", "Write"),
        ("Проведение", "Posting"),
        ("ОтменаПроведения", "UndoPosting"),
    ),
    ("РежимПроведенияДокумента", "DocumentPostingMode"): (
        ("Неоперативный", "Regular"),
        ("Оперативный", "RealTime"),
    ),
    ("ВидГраницы", "BoundaryType"): (("Включая", "Including"), ("Исключая", "Excluding")),
    ("РежимУправленияБлокировкойДанных", "DataLockControlMode"): (
        ("Автоматический", "Automatic"),
        ("Управляемый", "Managed"),
        ("АвтоматическийИУправляемый", "AutomaticAndManaged"),
    ),
    ("РежимБлокировкиДанных", "DataLockMode"): (("Разделяемый", "Shared"), ("Исключительный", "Exclusive")),
    ("ИспользованиеГруппИЭлементов", "FoldersAndItemsUse"): (
        ("Группы", "Folders"),
        ("ГруппыИЭлементы", "FoldersAndItems"),
        ("Элементы", "Items"),
    ),
}


class SystemEnumValue(BslObject):
    """One value; ``order`` is its place. Equality is identity."""

    __slots__ = ("enum", "names", "order")

    def __init__(self, enum: Names, names: Names, order: int) -> None:
        self.enum = enum
        self.names = names
        self.order = order

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.enum

    def presentation(self, rt: Any) -> str:
        return PRESENTATIONS.get(self.names[0], self.names[0])

    def __repr__(self) -> str:
        return f"{self.enum[0]}.{self.names[0]}"


# Presentations that are not the name itself.
PRESENTATIONS = {"АктивноПассивный": "Активный/Пассивный"}


class SystemEnum(BslObject):
    """The enumeration itself: ``ВидСчета.Активный``; can be walked and read by name."""

    __slots__ = ("by_name", "names", "values")

    def __init__(self, names: Names, values: tuple[Names, ...]) -> None:
        self.names = names
        self.values = tuple(SystemEnumValue(names, pair, order) for order, pair in enumerate(values))
        self.by_name = {spelled.lower(): value for value in self.values for spelled in value.names}

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return f"Перечисление{self.names[0]}", f"Enum{self.names[1]}"

    def get_property(self, rt: Any, name: str) -> Any:
        found = self.by_name.get(name.lower())
        if found is None:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        return found

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        self.get_property(rt, name)
        raise BslRuntimeError("property_not_writable", name=name, type=self.type_name)

    def get_index(self, rt: Any, index: Any) -> Any:
        if isinstance(index, str):
            return self.get_property(rt, index)
        return super().get_index(rt, index)

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter(self.values)


_ENUMS = [SystemEnum(names, values) for names, values in SYSTEM_ENUMS.items()]
SYSTEM_ENUM: dict[str, SystemEnum] = {spelled.lower(): enum for enum in _ENUMS for spelled in enum.names}

RECEIPT, EXPENSE = SYSTEM_ENUM["виддвижениянакопления"].values
DEBIT, CREDIT = SYSTEM_ENUM["виддвижениябухгалтерии"].values
ACTIVE, PASSIVE, ACTIVE_PASSIVE = SYSTEM_ENUM["видсчета"].values
WRITE, POSTING, UNDO_POSTING = SYSTEM_ENUM["режимзаписидокумента"].values
INCLUDING, EXCLUDING = SYSTEM_ENUM["видграницы"].values


def system_enum_value(path: str) -> SystemEnumValue | None:
    """The value named by ``ВидСчета.Активный`` (either language, any case), or None."""
    enum_name, _, value_name = path.partition(".")
    enum = SYSTEM_ENUM.get(enum_name.strip().lower())
    return enum.by_name.get(value_name.strip().lower()) if enum else None
