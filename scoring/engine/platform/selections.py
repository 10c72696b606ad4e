"""Selections that managers give: a cursor over elements, read in portions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.platform.faults import read_only
from scoring.engine.platform.named import NamedFields
from scoring.engine.platform.objects import open_object
from scoring.engine.platform.sections import section_of
from scoring.engine.storage.access import SELECTION_PORTION
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Reference, Row
from scoring.engine.values.members import member
from scoring.engine.values.model import NULL


class Selection(NamedFields):
    """``Выборка``: stands before the first row until ``Следующий()``. Every portion of rows is one access."""

    def __init__(self, database: Database, meta: MetadataObject, rows: Sequence[Row]) -> None:
        self.database = database
        self.meta = meta
        self.rows = rows
        self.position = -1
        self.portion = -1

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.meta.kind.type_names("Selection", self.meta.name)

    @property
    def current(self) -> Row | None:
        return self.rows[self.position] if 0 <= self.position < len(self.rows) else None

    def get_property(self, rt: Any, name: str) -> Any:
        place = self.meta.positions.get(name.lower())
        if place is None:
            return self._other(rt, name)
        row = self.current
        if row is None:
            return None
        value = row[place]
        return self.database.default(self.meta.fields[place].types) if value is NULL else value

    def _other(self, rt: Any, name: str) -> Any:
        section = self.meta.section(name)
        row = self.current
        if section is None or row is None:
            return super().get_property(rt, name)
        self.database.touch(row[0])
        return section_of(rt, row[0], self.meta.sections.index(section))

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        if name.lower() in self.meta.positions:
            raise read_only(self, name)
        super().set_property(rt, name, value)

    def property_names(self, rt: Any) -> list[str]:
        return [item.name for item in self.meta.fields]

    def is_filled(self, rt: Any) -> bool:
        return True

    def iterate(self, rt: Any) -> Iterator[Any]:
        raise BslRuntimeError("not_iterable", type=self.type_name)

    @member("Следующий", "Next")
    def next(self, rt: Any) -> bool:
        if self.position + 1 >= len(self.rows):
            if self.portion < 0:
                self.portion = 0
                self.database.count_access("portion", self.meta.path)
            self.position = len(self.rows)
            return False
        self.position += 1
        portion = self.position // SELECTION_PORTION
        if portion > self.portion:
            self.portion = portion
            self.database.count_access("portion", self.meta.path)
        return True


class ObjectSelection(Selection):
    """A selection of elements of a catalogue, a chart or of documents."""

    @member("ПолучитьОбъект", "GetObject")
    def get_object(self, rt: Any) -> Any:
        row = self.current
        if row is None:
            return None
        self.database.counters.count("object")
        return open_object(rt, row[0])


class HierarchicalSelection(ObjectSelection):
    """``ВыбратьИерархически``: folders before what they hold."""

    def __init__(self, database: Database, meta: MetadataObject, rows: Sequence[Row], levels: Sequence[int]) -> None:
        super().__init__(database, meta, rows)
        self.levels = levels

    @member("УровеньВВыборке", "LevelInSelection")
    def level(self, rt: Any) -> int:
        return self.levels[self.position] if self.current is not None else 0


def hierarchical_rows(
    root: Reference, wanted: set[Reference] | None, places: Mapping[Reference, int]
) -> tuple[list[Row], list[int]]:
    """Rows below ``root`` in the order of the tree, with their levels; only those in ``wanted`` if it is given. Children of one
    parent stand by their ``places``."""
    children = {
        parent: sorted(below, key=lambda ref: places.get(ref, len(places))) for parent, below in root.table.children().items()
    }
    rows: list[Row] = []
    levels: list[int] = []
    pending = [(ref, 0) for ref in reversed(children.get(root, ()))]
    while pending:
        ref, level = pending.pop()
        if ref.row is not None and (wanted is None or ref in wanted):
            rows.append(ref.row)
            levels.append(level)
        pending += [(child, level + 1) for child in reversed(children.get(ref, ()))]
    return rows, levels
