"""Запрос, МенеджерВременныхТаблиц, and by name what the engine does not have."""

from __future__ import annotations

from typing import Any

from scoring.engine.collections import new_array
from scoring.engine.collections.structure import Structure, is_identifier
from scoring.engine.errors import BslRuntimeError, NotSupported
from scoring.engine.platform.faults import context_error
from scoring.engine.query.batches import Outcome, run_batch
from scoring.engine.query.failures import QueryError, describe
from scoring.engine.query.parser import parse
from scoring.engine.query.results import QueryResult
from scoring.engine.query.temporary import TemporaryTables
from scoring.engine.values.members import ONEC, constructor, member, prop
from scoring.engine.values.model import MISSING, BslObject
from scoring.engine.values.type_description import TypeDescription


class TemporaryTablesManager(BslObject):
    """МенеджерВременныхТаблиц."""

    __slots__ = ("store",)
    type_name = ("МенеджерВременныхТаблиц", "TempTablesManager")

    def __init__(self) -> None:
        self.store = TemporaryTables()

    @member("Закрыть", "Close", procedure=True)
    def close(self, rt: Any) -> None:
        self.store.clear()

    @prop("Таблицы", "Tables")
    def tables(self, rt: Any) -> Any:
        return TemporaryTableCollection(self.store)


class TemporaryTable(BslObject):
    """ВременнаяТаблица of a manager."""

    __slots__ = ("key", "store")
    type_name = ("ВременнаяТаблицаЗапроса", "QueryTempTable")

    def __init__(self, store: TemporaryTables, key: str) -> None:
        self.store = store
        self.key = key

    def _result(self) -> QueryResult:
        stored = self.store.tables[self.key]
        return QueryResult(Outcome(stored.fields, stored.rows))

    @prop("ПолноеИмя", "FullName")
    def full_name(self, rt: Any) -> str:
        return self.store.names[self.key]

    @prop("Колонки", "Columns")
    def columns(self, rt: Any) -> Any:
        return self._result().columns

    @member("ПолучитьДанные", "GetData")
    def data(self, rt: Any) -> QueryResult:
        rt.database.count_access("query")
        return self._result()


class TemporaryTableCollection(BslObject):
    """ВременныеТаблицыЗапроса."""

    __slots__ = ("store",)
    type_name = ("ВременныеТаблицыЗапроса", "QueryTempTables")

    def __init__(self, store: TemporaryTables) -> None:
        self.store = store

    def _items(self) -> list[TemporaryTable]:
        return [TemporaryTable(self.store, key) for key in self.store.tables]

    def iterate(self, rt: Any) -> Any:
        return iter(self._items())

    def get_index(self, rt: Any, index: Any) -> Any:
        if type(index) is str:
            return self.get_property(rt, index)
        items = self._items()
        place = int(rt.number(index))
        if not 0 <= place < len(items):
            raise BslRuntimeError("index")
        return items[place]

    def get_property(self, rt: Any, name: str) -> Any:
        if name.lower() in self.store.tables:
            return TemporaryTable(self.store, name.lower())
        return super().get_property(rt, name)

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.store.tables)

    @member("Найти", "Find")
    def find(self, rt: Any, name: Any) -> Any:
        key = rt.text(name).lower()
        return TemporaryTable(self.store, key) if key in self.store.tables else None


class QueryParameterDescription(BslObject):
    """ОписаниеПараметраЗапроса."""

    __slots__ = ("parameter",)
    type_name = ("ОписаниеПараметраЗапроса", "QueryParameterDescription")

    def __init__(self, parameter: str) -> None:
        self.parameter = parameter

    @prop("Имя", "Name")
    def name(self, rt: Any) -> str:
        return self.parameter

    @prop("ТипЗначения", "ValueType")
    def value_type(self, rt: Any) -> Any:
        return TypeDescription()


class QueryParameterDescriptions(BslObject):
    """ОписаниеПараметровЗапроса."""

    __slots__ = ("items",)
    type_name = ("ОписаниеПараметровЗапроса", "QueryParameterDescriptions")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.items = [QueryParameterDescription(name) for name in names]

    def iterate(self, rt: Any) -> Any:
        return iter(self.items)

    def get_index(self, rt: Any, index: Any) -> Any:
        if type(index) is str:
            return self.get_property(rt, index)
        place = int(rt.number(index))
        if not 0 <= place < len(self.items):
            raise BslRuntimeError("index")
        return self.items[place]

    def get_property(self, rt: Any, name: str) -> Any:
        for item in self.items:
            if item.parameter.lower() == name.lower():
                return item
        return super().get_property(rt, name)

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.items)

    @member("Найти", "Find")
    def find(self, rt: Any, name: Any) -> Any:
        wanted = rt.text(name).lower()
        return next((item for item in self.items if item.parameter.lower() == wanted), None)


class Query(BslObject):
    """Запрос."""

    __slots__ = ("manager", "parameters", "source")
    type_name = ("Запрос", "Query")

    def __init__(self, source: str = "") -> None:
        self.source = source
        self.parameters = Structure()
        self.manager: TemporaryTablesManager | None = None

    def _set_text(self, rt: Any, value: Any) -> None:
        self.source = rt.text(value)

    @prop("Текст", "Text", writable=_set_text)
    def text(self, rt: Any) -> str:
        return self.source

    @prop("Параметры", "Parameters")
    def parameters_property(self, rt: Any) -> Structure:
        return self.parameters

    def _set_manager(self, rt: Any, value: Any) -> None:
        if value is not None and not isinstance(value, TemporaryTablesManager):
            raise BslRuntimeError("property_value", name="МенеджерВременныхТаблиц", type=self.type_name)
        self.manager = value

    @prop("МенеджерВременныхТаблиц", "TempTablesManager", writable=_set_manager)
    def manager_property(self, rt: Any) -> Any:
        return self.manager

    @member("УстановитьПараметр", "SetParameter", procedure=True)
    def set_parameter(self, rt: Any, name: Any, value: Any) -> None:
        spelled = rt.text(name).strip()
        if not is_identifier(spelled):
            raise BslRuntimeError("structure_key", name=spelled)
        self.parameters.put(spelled, value)

    @member("Выполнить", "Execute")
    def execute(self, rt: Any) -> Any:
        """The result of the last statement; None where that dropped a table."""
        return self._run(rt, "Выполнить")[-1]

    @member("ВыполнитьПакет", "ExecuteBatch")
    def execute_batch(self, rt: Any) -> Any:
        return new_array(self._run(rt, "ВыполнитьПакет"))

    @member("ВыполнитьПакетСПромежуточнымиДанными", "ExecuteBatchWithIntermediateData")
    def execute_batch_with_data(self, rt: Any) -> Any:
        return new_array(self._run(rt, "ВыполнитьПакетСПромежуточнымиДанными", intermediate=True))

    @member("НайтиПараметры", "FindParameters")
    def find_parameters(self, rt: Any) -> Any:
        try:
            return QueryParameterDescriptions(parse(self.source).parameters)
        except QueryError as failed:
            raise context_error("НайтиПараметры", describe(failed, self.source)) from None

    def _run(self, rt: Any, method: str, intermediate: bool = False) -> list[Any]:
        if rt.database is None:
            raise NotSupported("Запрос without a database")
        if rt.database.transactions.broken:
            raise context_error(method, "В данной транзакции уже происходили ошибки!")
        parameters = dict(self.parameters.items)
        store = self.manager.store if self.manager is not None else TemporaryTables()
        text = self.source.replace("\r\n", "\n")
        try:
            outcomes = run_batch(text, rt, parameters, store)
        except QueryError as failed:
            raise context_error(method, describe(failed, text)) from None
        if intermediate:
            outcomes = [_intermediate(outcome) for outcome in outcomes]
        return [None if outcome is None else QueryResult(outcome) for outcome in outcomes]


def _intermediate(outcome: Outcome | None) -> Outcome | None:
    """A statement that filled a temporary table shows its rows."""
    if outcome is None or outcome.stored is None:
        return outcome
    return Outcome(outcome.stored.fields, outcome.stored.rows)


@constructor("Запрос", "Query", dialects=(ONEC,))
def new_query(rt: Any, text: Any = MISSING) -> Query:
    return Query("" if text is MISSING else rt.text(text))


@constructor("МенеджерВременныхТаблиц", "TempTablesManager", dialects=(ONEC,))
def new_manager(rt: Any) -> TemporaryTablesManager:
    return TemporaryTablesManager()


UNSUPPORTED = (
    ("СхемаЗапроса", "QuerySchema"),
    ("ПостроительЗапроса", "QueryBuilder"),
    ("ПостроительОтчета", "ReportBuilder"),
    ("СхемаКомпоновкиДанных", "DataCompositionSchema"),
    ("КомпоновщикНастроекКомпоновкиДанных", "DataCompositionSettingsComposer"),
    ("КомпоновщикМакетаКомпоновкиДанных", "DataCompositionTemplateComposer"),
    ("ПроцессорКомпоновкиДанных", "DataCompositionProcessor"),
    ("ПроцессорВыводаРезультатаКомпоновкиДанныхВКоллекциюЗначений", "DataCompositionResultValueCollectionOutputProcessor"),
    ("ПроцессорВыводаРезультатаКомпоновкиДанныхВТабличныйДокумент", "DataCompositionResultSpreadsheetDocumentOutputProcessor"),
    ("НастройкиКомпоновкиДанных", "DataCompositionSettings"),
)


def _refuser(name: str) -> Any:
    def refuse(rt: Any, *arguments: Any) -> Any:
        raise NotSupported(name)

    return refuse


for _names in UNSUPPORTED:
    constructor(*_names, dialects=(ONEC,))(_refuser(_names[0]))
