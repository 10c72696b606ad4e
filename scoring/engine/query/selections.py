"""ВыборкаИзРезультатаЗапроса: walking a result directly or by its groupings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.query.totals import DETAIL, GROUP, Record
from scoring.engine.query.traversal import LINEAR, WITH_HIERARCHY, grouping_names, traversal_of
from scoring.engine.storage.references import folded
from scoring.engine.values.enums import define_enum
from scoring.engine.values.members import ONEC, member
from scoring.engine.values.model import MISSING, NULL, BslObject

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

    __slots__ = ("fresh", "hierarchy", "index", "levels", "position", "records", "result", "row", "rows")
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
        self.levels: list[int] = []  # fields that СледующийПоЗначениюПоля walks by, outer ones first
        self.fresh = False  # a step by a field reached the current row and nothing inside took it yet

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
        return self._next_inside() if self.levels else self._advance()

    def _next_inside(self) -> bool:
        """Inside a walk by fields: the next row that has their current values."""
        if self.fresh:
            self.fresh = False
            return True
        return self._next_has(self.levels) and self._advance()

    def _next_has(self, places: Sequence[int]) -> bool:
        """Whether a row follows that has the current row's values at ``places``."""
        if self.row is None or self.position + 1 >= len(self.rows):
            return False
        following = self.rows[self.position + 1]
        return all(folded(following[place]) == folded(self.row[place]) for place in places)

    def _advance(self) -> bool:
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
        self.levels.clear()
        self.fresh = False

    @member("СледующийПоЗначениюПоля", "NextByFieldValue")
    def next_by_value(self, rt: Any, name: Any) -> bool:
        """To the next row with another value of the field; nested calls by further fields stay inside the outer value."""
        place = self._place(rt, rt.text(name), 1)
        if place in self.levels:
            del self.levels[self.levels.index(place) + 1 :]
        else:
            self.levels.append(place)
            if self.fresh:
                return True
        if self.row is not None:
            while self._next_has(self.levels):
                self._advance()
            if self.levels[:-1] and not self._next_has(self.levels[:-1]):
                return False
        self.fresh = self._advance()
        return self.fresh

    @member("Получить", "Get")
    def get(self, rt: Any, index: Any) -> Any:
        return self.get_index(rt, index)

    @member("Владелец", "Owner")
    def owner(self, rt: Any) -> QueryResult:
        return self.result

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.rows)

    @member("НайтиСледующий", "FindNext")
    def find_next(self, rt: Any, wanted: Any, name: Any = MISSING) -> bool:
        """By a structure of values, or by a value and a field's name; goes on from the current row."""
        if name is not MISSING:
            return self._find(rt, [(self._place(rt, rt.text(name), 2), wanted)])
        pairs = getattr(wanted, "pairs", None)
        if pairs is None:
            raise BslRuntimeError("argument_type", number=1)
        return self._find(rt, [(self._place(rt, key, 1), value) for key, value in pairs()])

    def _place(self, rt: Any, name: str, number: int) -> int:
        """The column that argument ``number`` names."""
        place = self.index.get(name.strip().lower())
        if place is None:
            raise BslRuntimeError("argument_value", number=number)
        return place

    def _find(self, rt: Any, wanted: list[tuple[int, Any]]) -> bool:
        while self._advance():
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
        record = self.record()
        children = record.children if record else []
        if mode is LINEAR:
            found = [inner for child in children for inner in child.walk()]
            return Selection(self.result, [inner.values for inner in found], found)
        names = grouping_names(rt, groupings)
        if mode is not WITH_HIERARCHY and record is not None:
            children = below_grouping(children, record.grouping)
            if grouping_names(rt, values):
                children = with_all_values(self.result, record, children)
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


def with_all_values(result: QueryResult, record: Record, children: list[Record]) -> list[Record]:
    """``children`` of ``record`` and, for values of their grouping that only other records have, rows without totals."""
    if not children or children[0].kind != GROUP:
        return children
    grouping = children[0].grouping
    place = next(place for place, info in enumerate(result.fields) if info.name.lower() == result.groupings[grouping].lower())
    known = {folded(child.values[place]): child for child in children if child.kind == GROUP}
    found: dict[Any, Record] = {}
    for top in result.records or []:
        for other in top.walk():
            if other.kind == GROUP and other.grouping == grouping:
                key = folded(other.values[place])
                found.setdefault(key, known.get(key) or _without_totals(result, record, other, place))
    return list(found.values())


def _without_totals(result: QueryResult, record: Record, other: Record, place: int) -> Record:
    """A row for the value that ``other`` has and ``record`` lacks: NULL but for the groupings."""
    names = {name.lower() for name in result.groupings[: other.grouping]}
    above = {position for position, info in enumerate(result.fields) if info.name.lower() in names}
    values = [value if position in above else NULL for position, value in enumerate(record.values)]
    values[place] = other.values[place]
    return Record(GROUP, other.grouping, tuple(values), other.level)


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
