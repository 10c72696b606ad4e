"""ВыборкаИзРезультатаЗапроса: walking a result directly or by its groupings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.query.totals import DETAIL, Record
from scoring.engine.query.traversal import LINEAR, WITH_HIERARCHY, grouping_names, traversal_of
from scoring.engine.values.enums import define_enum
from scoring.engine.values.members import ONEC, member
from scoring.engine.values.model import MISSING, BslObject

if TYPE_CHECKING:
    from scoring.engine.query.results import QueryResult

RECORD_TYPE = define_enum(
    "ТипЗаписиЗапроса",
    "QueryRecordType",
    [
        ("ДетальнаяЗапись", "DetailRecord"),
        ("ИтогПоГруппировке", "GroupTotal"),
        ("ИтогПоИерархии", "TotalByHierarchy"),
        ("ОбщийИтог", "Overall"),
    ],
    dialects=(ONEC,),
)


class Selection(BslObject):
    """``rows`` are the values to walk; ``records`` stand beside them where the result has totals."""

    __slots__ = ("hierarchy", "index", "position", "records", "result", "row", "rows")
    type_name = ("ВыборкаИзРезультатаЗапроса", "QueryResultSelection")

    def __init__(
        self, result: QueryResult, rows: Sequence[tuple[Any, ...]], records: Sequence[Record] | None, hierarchy: bool = False
    ) -> None:
        self.result = result
        self.rows = rows
        self.records = records
        self.hierarchy = hierarchy
        self.position = -1
        self.row: tuple[Any, ...] | None = None
        self.index = {info.name.lower(): place for place, info in enumerate(result.fields)}

    # -- fields ------------------------------------------------------------------------------------------------------------

    def get_property(self, rt: Any, name: str) -> Any:
        place = self.index.get(name.lower())
        if place is None:
            return super().get_property(rt, name)
        return None if self.row is None else self.row[place]

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        if name.lower() in self.index:
            raise BslRuntimeError("property_not_writable", name=name, type=self.type_name)
        super().set_property(rt, name, value)

    def property_names(self, rt: Any) -> list[str]:
        """The columns, for ``ЗаполнитьЗначенияСвойств``."""
        return [info.name for info in self.result.fields]

    def get_index(self, rt: Any, index: Any) -> Any:
        if type(index) is str:
            return self.get_property(rt, index)
        place = int(rt.number(index))
        if not 0 <= place < len(self.result.fields):
            raise BslRuntimeError("index")
        return None if self.row is None else self.row[place]

    def record(self) -> Record | None:
        if self.records is None or not 0 <= self.position < len(self.records):
            return None
        return self.records[self.position]

    # -- walking -----------------------------------------------------------------------------------------------------------

    @member("Следующий", "Next")
    def next(self, rt: Any) -> bool:
        if self.position + 1 < len(self.rows):
            self.position += 1
            self.row = self.rows[self.position]
            return True
        self.position = len(self.rows)
        self.row = None
        return False

    @member("Сбросить", "Reset", procedure=True)
    def reset(self, rt: Any) -> None:
        self.position, self.row = -1, None

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.rows)

    @member("НайтиСледующий", "FindNext")
    def find_next(self, rt: Any, wanted: Any, name: Any = MISSING) -> bool:
        """By a structure of values, or by a value and a field's name; goes on from the current row."""
        if name is not MISSING:
            return self._find(rt, [(self._place(rt, rt.text(name)), wanted)])
        pairs = getattr(wanted, "pairs", None)
        if pairs is None:
            raise BslRuntimeError("argument_type", number=1)
        return self._find(rt, [(self._place(rt, key), value) for key, value in pairs()])

    @member("НайтиСледующийПоЗначениюПоля", "FindNextByFieldValue")
    def find_next_by_value(self, rt: Any, name: Any, value: Any) -> bool:
        return self._find(rt, [(self._place(rt, rt.text(name)), value)])

    def _place(self, rt: Any, name: str) -> int:
        place = self.index.get(name.strip().lower())
        if place is None:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        return place

    def _find(self, rt: Any, wanted: list[tuple[int, Any]]) -> bool:
        while self.next(rt):
            row = self.row
            assert row is not None
            if all(rt.equal(row[place], value) for place, value in wanted):
                return True
        return False

    # -- totals ------------------------------------------------------------------------------------------------------------

    @member("Уровень", "Level")
    def level(self, rt: Any) -> int:
        record = self.record()
        return record.level if record else 0

    @member("ТипЗаписи", "RecordType")
    def record_type(self, rt: Any) -> Any:
        record = self.record()
        return RECORD_TYPE[record.kind if record else DETAIL]

    @member("Группировка", "Group")
    def grouping(self, rt: Any) -> str:
        """The name of the grouping of the current row; empty for details."""
        record = self.record()
        names = self.result.groupings
        return names[record.grouping] if record and record.grouping < len(names) else ""

    @member("Выбрать", "Select")
    def select(self, rt: Any, traversal: Any = MISSING, groupings: Any = MISSING, values: Any = MISSING) -> Selection:
        """What lies below the current record."""
        mode = traversal_of(traversal)
        if values is not MISSING and values is not None and rt.text(values).strip():
            rt.dialect.unsupported("ВыборкаИзРезультатаЗапроса.Выбрать with the values of groupings")
        record = self.record()
        children = record.children if record else []
        if mode is LINEAR:
            found = [inner for child in children for inner in child.walk()]
            return Selection(self.result, [inner.values for inner in found], found)
        names = grouping_names(rt, groupings)
        if mode is not WITH_HIERARCHY and record is not None:
            children = below_grouping(children, record.grouping)
        return grouped_selection(self.result, children, mode is WITH_HIERARCHY, names)


def direct_selection(result: QueryResult) -> Selection:
    """Totals and details in one run."""
    if result.records is None:
        return Selection(result, result.rows, None)
    records = [record for top in result.records for record in top.walk()]
    return Selection(result, [record.values for record in records], records)


def grouped_selection(result: QueryResult, records: Sequence[Record], hierarchy: bool, names: Sequence[str]) -> Selection:
    """The records of one level. Without hierarchy a grouping's folders and elements come in one run; ``names`` skips
    the groupings above the first one named."""
    if names:
        records = _named(result, records, names[0])
    found = list(records) if hierarchy else flat_grouping(records)
    return Selection(result, [record.values for record in found], found, hierarchy)


def flat_grouping(records: Sequence[Record]) -> list[Record]:
    """Records of a grouping with the elements inside its folders, folders first."""
    result: list[Record] = []
    for record in records:
        result.append(record)
        result += flat_grouping([child for child in record.children if child.grouping == record.grouping])
    return result


def below_grouping(children: Sequence[Record], grouping: int) -> list[Record]:
    """The records of the next grouping below a folder or an element of ``grouping``."""
    result: list[Record] = []
    for child in children:
        if child.grouping == grouping:
            continue
        result.append(child)
    return result


def _named(result: QueryResult, records: Sequence[Record], name: str) -> list[Record]:
    wanted = next(
        (place for place, known in enumerate(result.groupings) if known.lower() == name.lower()), len(result.groupings)
    )
    found: list[Record] = []
    for record in records:
        if record.grouping == wanted:
            found.append(record)
        elif record.grouping < wanted:
            found += _named(result, record.children, name)
    return found
