"""РезультатЗапроса and its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.engine.collections.array import Array
from scoring.engine.collections.table import ValueTable, ValueTableRow
from scoring.engine.collections.tree import ValueTree, ValueTreeRows
from scoring.engine.errors import BslRuntimeError
from scoring.engine.platform.typevalues import description_value
from scoring.engine.query.batches import Outcome
from scoring.engine.query.selections import Selection, direct_selection, grouped_selection
from scoring.engine.query.temporary import StoredResult
from scoring.engine.query.totals import Record
from scoring.engine.query.traversal import LINEAR, WITH_HIERARCHY, grouping_names, traversal_of
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.members import member, prop
from scoring.engine.values.model import MISSING, BslObject


class QueryColumn(BslObject):
    """КолонкаРезультатаЗапроса."""

    __slots__ = ("info",)
    type_name = ("КолонкаРезультатаЗапроса", "QueryResultColumn")

    def __init__(self, info: FieldInfo) -> None:
        self.info = info

    @prop("Имя", "Name")
    def name(self, rt: Any) -> str:
        return self.info.name

    @prop("ТипЗначения", "ValueType")
    def value_type(self, rt: Any) -> Any:
        return description_value(self.info.types)

    @prop("Ширина", "Width")
    def width(self, rt: Any) -> int:
        types = self.info.types
        return int(types.length or types.digits or 0)


class QueryColumns(BslObject):
    """КоллекцияКолонокРезультатаЗапроса."""

    __slots__ = ("items",)
    type_name = ("КоллекцияКолонокРезультатаЗапроса", "QueryResultColumnCollection")

    def __init__(self, fields: Sequence[FieldInfo]) -> None:
        self.items = [QueryColumn(info) for info in fields]

    def _by_name(self, name: str) -> QueryColumn | None:
        wanted = name.lower()
        return next((item for item in self.items if item.info.name.lower() == wanted), None)

    def get_property(self, rt: Any, name: str) -> Any:
        return self._by_name(name) or super().get_property(rt, name)

    def get_index(self, rt: Any, index: Any) -> Any:
        if type(index) is str:
            return self.get_property(rt, index)
        place = int(rt.number(index))
        if not 0 <= place < len(self.items):
            raise BslRuntimeError("index")
        return self.items[place]

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter(self.items)

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.items)

    @member("Найти", "Find")
    def find(self, rt: Any, name: Any) -> Any:
        return self._by_name(rt.text(name))

    @member("Получить", "Get")
    def get(self, rt: Any, index: Any) -> Any:
        return self.get_index(rt, index)

    @member("Индекс", "IndexOf")
    def index_of(self, rt: Any, column: Any) -> int:
        return next((place for place, item in enumerate(self.items) if item is column), -1)


class QueryResult(BslObject):
    """РезультатЗапроса. ``rows`` are the detail rows; with totals ``records`` hold everything."""

    __slots__ = ("columns", "groupings", "outcome", "records", "rows")
    type_name = ("РезультатЗапроса", "QueryResult")

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.columns = QueryColumns(outcome.fields)
        self.rows = [self._shown(row) for row in outcome.rows] if _has_nested(outcome) else outcome.rows
        self.records = outcome.records
        self.groupings = outcome.groupings

    @staticmethod
    def _shown(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([as_result(value) if isinstance(value, StoredResult) else value for value in row])

    @property
    def fields(self) -> list[FieldInfo]:
        return self.outcome.fields

    @prop("Колонки", "Columns")
    def columns_property(self, rt: Any) -> QueryColumns:
        return self.columns

    @member("Пустой", "IsEmpty")
    def has_no_rows(self, rt: Any) -> bool:
        return not (self.rows if self.records is None else self.records)

    @member("Выбрать", "Select")
    def select(self, rt: Any, traversal: Any = MISSING, groupings: Any = MISSING, values: Any = MISSING) -> Selection:
        """The third argument asks for missing values of groupings, too: at the top none can be missing."""
        mode = traversal_of(traversal)
        if mode is LINEAR:
            return direct_selection(self)
        return grouped_selection(self, self.top_records(), mode is WITH_HIERARCHY, grouping_names(rt, groupings))

    def top_records(self) -> list[Record]:
        """Without totals a walk by groups meets the detail rows."""
        if self.records is not None:
            return self.records
        return [Record("ДетальнаяЗапись", 0, row, 0) for row in self.rows]

    @member("Выгрузить", "Unload")
    def unload(self, rt: Any, traversal: Any = MISSING) -> Any:
        mode = traversal_of(traversal)
        if mode is LINEAR:
            rows = self.rows if self.records is None else self.all_values()
            return value_table(rt, self.fields, rows)
        return self._value_tree(rt, mode is WITH_HIERARCHY)

    def all_values(self) -> list[tuple[Any, ...]]:
        """Totals and details in one run, totals first."""
        return [record.values for top in self.records or [] for record in top.walk()]

    def _value_tree(self, rt: Any, hierarchy: bool) -> ValueTree:
        result = ValueTree()
        for info in self.fields:
            result.columns.append(rt, info.name, _column_description(info))
        self._fill(result.rows, self.top_records(), hierarchy)
        return result

    def _fill(self, rows: ValueTreeRows, records: list[Record], hierarchy: bool) -> None:
        for record in records:
            row = rows.new_row()
            row.cells[:] = list(record.values)
            if hierarchy:
                self._fill(row.rows, record.children, hierarchy)
                continue
            same = [child for child in record.children if child.grouping == record.grouping]
            deeper = [child for child in record.children if child.grouping != record.grouping]
            self._fill(rows, same, hierarchy)
            self._fill(row.rows, deeper, hierarchy)


def _has_nested(outcome: Outcome) -> bool:
    return any(info.nested is not None for info in outcome.fields)


def as_result(stored: StoredResult) -> QueryResult:
    return QueryResult(Outcome(stored.fields, stored.rows))


def _column_description(info: FieldInfo) -> Any:
    return description_value(info.types) if info.types is not None and info.types.names else None


def value_table(rt: Any, fields: Sequence[FieldInfo], rows: Sequence[tuple[Any, ...]]) -> ValueTable:
    """A value table with typed columns; values (NULL, too) go in as they are."""
    result = ValueTable()
    for info in fields:
        result.columns.append(rt, info.name, _column_description(info))
    rt.reserve(len(rows) * len(fields) * 8)
    result.items.extend([ValueTableRow(result, list(row)) for row in rows])
    return result


def result_array(results: Sequence[Any]) -> Array:
    return Array(list(results))
