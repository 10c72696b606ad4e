"""Managers of registers: ``РегистрыНакопления.X``, ``РегистрыСведений.X``, ``РегистрыБухгалтерии.X``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.engine.collections import FixedStructure, Structure, new_structure
from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform import known_members
from scoring.engine.platform.faults import bad_value, no_method, wrong_argument
from scoring.engine.platform.lookup import filtered, given, ordered, structure_filter
from scoring.engine.platform.managers import Manager, date_argument
from scoring.engine.platform.recordmanagers import AccountingSelection, RecordKey, RecordManager, RecordSelection
from scoring.engine.platform.recordsets import cut_period, record_set
from scoring.engine.platform.rows import value_table
from scoring.engine.platform.selections import Selection
from scoring.engine.platform.typevalues import description_value
from scoring.engine.registers.computed import ComputedTable
from scoring.engine.storage.database import Database
from scoring.engine.storage.moments import bound_of
from scoring.engine.storage.references import Reference, Row, folded
from scoring.engine.storage.registertables import RecordedTable, RegisterTable
from scoring.engine.values.members import member
from scoring.engine.values.model import MISSING


class RegisterManager(Manager):
    """What managers of all registers share."""

    unimplemented = known_members.names(known_members.REGISTER_MANAGER)

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        super().__init__(database, meta)
        self.table: RegisterTable = database.registers[meta.path]

    @member("СоздатьНаборЗаписей", "CreateRecordSet")
    def create_record_set(self, rt: Any) -> Any:
        return record_set(rt, self.database, self.meta)

    @member("Выбрать", "Select")
    def select(self, rt: Any, start: Any = MISSING, end: Any = MISSING, filter: Any = MISSING, order: Any = MISSING) -> Selection:
        tests = structure_filter(self.meta, filter, 3)
        first, last = date_argument(start, 1), date_argument(end, 2)
        rows = filtered(self.table.rows(), tests)
        period = self.table.period
        rows = [row for row in rows if (first is None or row[period] >= first) and (last is None or row[period] <= last)]
        return self.selected(ordered(rt, self.meta, rows, order, 4))

    @member("ВыбратьПоРегистратору", "SelectByRecorder")
    def select_by_recorder(self, rt: Any, recorder: Any) -> Selection:
        if not isinstance(self.table, RecordedTable):
            raise no_method(self, "ВыбратьПоРегистратору")
        if not isinstance(recorder, Reference):
            raise wrong_argument(1)
        return self.selected(self.table.of_recorder(recorder))

    def selected(self, rows: Sequence[Row]) -> Selection:
        return Selection(self.database, self.meta, rows)

    # -- virtual tables as methods ---------------------------------------------------------------------------------------------

    def virtual(self, name: str) -> ComputedTable:
        found = self.database.relation(f"{self.meta.path}.{name}")
        if not isinstance(found, ComputedTable):
            raise no_method(self, name)
        return found

    def bound_argument(self, value: Any, number: int) -> Any:
        value = None if value is MISSING else value
        try:
            bound_of(value, True)
        except TypeError:
            raise wrong_argument(number) from None
        return value

    def as_table(self, rt: Any, table: ComputedTable, rows: Sequence[Row], names: Sequence[str]) -> Any:
        """Rows of a virtual table as ТаблицаЗначений with the named columns."""
        places = [place for name in names for place, info in enumerate(table.fields) if info.name == name]
        columns = [(table.fields[place].name, description_value(table.fields[place].types)) for place in places]
        return value_table(rt, columns, ([row[place] for place in places] for row in rows))


def dimension_condition(meta: MetadataObject, value: Any, number: int) -> Any:
    """``Отбор`` over dimensions as a condition of a virtual table; None without one."""
    if not given(value):
        return None
    if not isinstance(value, Structure | FixedStructure):
        raise wrong_argument(number)
    places = {item.name.lower(): place for place, item in enumerate(meta.dimensions)}
    tests = []
    for name, wanted in value.pairs():
        if name.lower() not in places:
            raise bad_value(number)
        tests.append((places[name.lower()], folded(wanted)))
    return lambda row: all(folded(row[place]) == wanted for place, wanted in tests)


def named_items(rt: Any, items: Sequence[Any], names: Any, number: int) -> list[Any]:
    """Dimensions or resources listed in a string; all of them without one."""
    if not given(names) or not rt.text(names).strip():
        return list(items)
    by_name = {item.name.lower(): item for item in items}
    result = []
    for name in rt.text(names).split(","):
        if name.strip().lower() not in by_name:
            raise BslRuntimeError("argument_value", number=number)
        result.append(by_name[name.strip().lower()])
    return result


class AccumulationManager(RegisterManager):
    def lacking(self) -> frozenset[str]:
        return frozenset() if self.meta.is_balance else frozenset({"остатки", "balance"})

    @member("Остатки", "Balance")
    def balances(
        self, rt: Any, moment: Any = MISSING, filter: Any = MISSING, dimensions: Any = MISSING, resources: Any = MISSING
    ) -> Any:
        at = self.bound_argument(moment, 1)
        condition = dimension_condition(self.meta, filter, 2)
        return self.totals(rt, "Остатки", [at, condition], "method_balances", dimensions, resources, 3, ("Остаток",))

    @member("Обороты", "Turnovers")
    def turnovers(
        self,
        rt: Any,
        start: Any = MISSING,
        end: Any = MISSING,
        filter: Any = MISSING,
        dimensions: Any = MISSING,
        resources: Any = MISSING,
    ) -> Any:
        first, last = self.bound_argument(start, 1), self.bound_argument(end, 2)
        condition = dimension_condition(self.meta, filter, 3)
        suffixes = ("Приход", "Расход", "Оборот") if self.meta.is_balance else ("Оборот",)
        arguments = [first, last, None, condition]
        return self.totals(rt, "Обороты", arguments, "method_turnovers", dimensions, resources, 4, suffixes)

    def totals(
        self,
        rt: Any,
        name: str,
        arguments: list[Any],
        operation: str,
        dimensions: Any,
        resources: Any,
        number: int,
        suffixes: Sequence[str],
    ) -> Any:
        """A table of the dimensions asked for and of totals named as the resources themselves (one suffix only)."""
        shown = named_items(rt, self.meta.dimensions, dimensions, number)
        measured = named_items(rt, self.meta.resources, resources, number + 1)
        table = self.virtual(name)
        totals = [f"{item.name}{suffix}" for item in measured for suffix in suffixes]
        names = [item.name for item in shown] + totals
        used = frozenset(column.lower() for column in names)
        self.database.count_access(operation, self.meta.path)
        result = self.as_table(rt, table, list(table.compute(arguments, used)), names)
        if len(suffixes) == 1:
            for item in measured:
                result.columns.rename(rt, result.columns.by_name[f"{item.name}{suffixes[0]}".lower()], item.name)
        return result

    @member("ПересчитатьИтоги", "RecalcTotals", procedure=True)
    def recalculate(self, rt: Any) -> None:
        return None

    @member("УстановитьИспользованиеИтогов", "SetTotalsUsing", procedure=True)
    def set_totals(self, rt: Any, use: Any) -> None:
        return None


PERIODIC_METHODS = frozenset(
    {
        "срезпоследних",
        "slicelast",
        "срезпервых",
        "slicefirst",
        "получитьпоследнее",
        "getlast",
        "получитьпервое",
        "getfirst",
    }
)
INDEPENDENT_METHODS = frozenset({"создатьменеджерзаписи", "createrecordmanager"})


class InformationManager(RegisterManager):
    def lacking(self) -> frozenset[str]:
        missing = frozenset() if self.meta.periodicity else PERIODIC_METHODS
        return missing | (INDEPENDENT_METHODS if self.meta.subordinate else frozenset())

    def selected(self, rows: Sequence[Row]) -> Selection:
        return RecordSelection(self.database, self.meta, rows)

    @member("СоздатьМенеджерЗаписи", "CreateRecordManager")
    def create_record_manager(self, rt: Any) -> RecordManager:
        return RecordManager(self.database, self.meta)

    @member("СоздатьКлючЗаписи", "CreateRecordKey")
    def create_record_key(self, rt: Any, values: Any) -> RecordKey:
        if not isinstance(values, Structure | FixedStructure):
            raise wrong_argument(1)
        places = [self.meta.fields[place] for place in self.key_places()]
        given_values = {name.lower(): value for name, value in values.pairs()}
        return RecordKey(
            self.meta,
            {item.name.lower(): self.database.fit(item.types, given_values.get(item.name.lower()), rt) for item in places},
        )

    def key_places(self) -> list[int]:
        table = self.table
        return ([table.period] if table.period >= 0 else []) + table.dimension_places

    @member("Выбрать", "Select")
    def select(self, rt: Any, start: Any = MISSING, end: Any = MISSING, filter: Any = MISSING, order: Any = MISSING) -> Selection:
        if self.meta.periodicity:
            return super().select(rt, start, end, filter, order)
        rows = filtered(self.table.rows(), structure_filter(self.meta, start, 1))
        return self.selected(ordered(rt, self.meta, rows, end, 2))

    @member("СрезПоследних", "SliceLast")
    def slice_last(self, rt: Any, moment: Any = MISSING, filter: Any = MISSING) -> Any:
        return self.slice_table(rt, "СрезПоследних", moment, filter)

    @member("СрезПервых", "SliceFirst")
    def slice_first(self, rt: Any, moment: Any = MISSING, filter: Any = MISSING) -> Any:
        return self.slice_table(rt, "СрезПервых", moment, filter)

    def slice_table(self, rt: Any, name: str, moment: Any, filter: Any) -> Any:
        table = self.virtual(name)
        rows = self.sliced(name, moment, filter)
        self.database.count_access("method_slice", self.meta.path)
        return self.as_table(rt, table, rows, [info.name for info in table.fields if info.name != "Активность"])

    def sliced(self, name: str, moment: Any, filter: Any) -> list[Row]:
        at = self.bound_argument(moment, 1)
        tests = structure_filter(self.meta, filter, 2)
        condition = None
        if tests:
            condition = lambda row: all(folded(row[place]) == wanted for place, wanted in tests)  # noqa: E731
        return list(self.virtual(name).compute([at, condition], frozenset()))

    @member("ПолучитьПоследнее", "GetLast")
    def get_last(self, rt: Any, moment: Any = MISSING, filter: Any = MISSING) -> Structure:
        return self.one_of(self.sliced("СрезПоследних", moment, filter), last=True)

    @member("ПолучитьПервое", "GetFirst")
    def get_first(self, rt: Any, moment: Any = MISSING, filter: Any = MISSING) -> Structure:
        return self.one_of(self.sliced("СрезПервых", moment, filter), last=False)

    @member("Получить", "Get")
    def get(self, rt: Any, first: Any = MISSING, second: Any = MISSING) -> Structure:
        if not self.meta.periodicity:
            return self.one_of(filtered(self.table.rows(), structure_filter(self.meta, first, 1)), last=False)
        moment = date_argument(first, 1)
        tests = structure_filter(self.meta, second, 2)
        if moment is not None:
            tests.append((self.table.period, cut_period(self.meta, moment)))
        return self.one_of(filtered(self.table.rows(), tests), last=False)

    def one_of(self, rows: Sequence[Row], last: bool) -> Structure:
        """Resources and attributes of one record; empty values where there is none."""
        self.database.count_access("get_last", self.meta.path)
        period = self.table.period
        row = None
        if rows:
            row = (max if last else min)(rows, key=lambda item: item[period]) if period >= 0 else rows[0]
        pairs = []
        for item in (*self.meta.resources, *self.meta.attributes):
            place = self.meta.positions[item.name.lower()]
            pairs.append((item.name, self.database.default(item.types) if row is None else row[place]))
        return new_structure(pairs)


class AccountingManager(RegisterManager):
    unimplemented = known_members.names(known_members.ACCOUNTING_MANAGER)

    def selected(self, rows: Sequence[Row]) -> Selection:
        return AccountingSelection(self.database, self.meta, rows)

    @member("ПересчитатьИтоги", "RecalcTotals", procedure=True)
    def recalculate(self, rt: Any) -> None:
        return None


REGISTER_MANAGERS: dict[str, type[RegisterManager]] = {
    "accumulation": AccumulationManager,
    "information": InformationManager,
    "accounting": AccountingManager,
}
