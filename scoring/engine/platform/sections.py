"""Tabular sections: of objects (written with them) and of references (a copy that is only read)."""

from __future__ import annotations

from typing import Any

from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import MetadataObject, Section
from scoring.engine.platform.rows import TypedRows
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Reference, Row


class TabularSection(TypedRows):
    """A tabular section of one object. ``modified`` is set by every change."""

    def __init__(self, rt: Any, database: Database, meta: MetadataObject, section: Section) -> None:
        name = f"{meta.name}.{section.name}"
        self.meta = meta
        self.section = section
        self.names = meta.kind.type_names("TabularSection", name)
        self.modified = False
        super().__init__(rt, database, section.fields[2:], meta.kind.type_names("TabularSectionRow", name))

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.names

    def changed(self) -> None:
        self.modified = True

    def read_from(self, rows: tuple[Row, ...]) -> None:
        """Take the rows over from storage (``Ссылка`` and ``НомерСтроки`` are not kept)."""
        self.load_rows([row[2:] for row in rows])
        self.modified = False

    def stored_rows(self, ref: Reference) -> tuple[Row, ...]:
        """The rows as storage keeps them."""
        return tuple((ref, number, *row.cells) for number, row in enumerate(self.items, 1))


def section_of(rt: Any, ref: Reference, number: int) -> TabularSection:
    """The tabular section of a stored object, read through its reference."""
    table = ref.table
    view = TabularSection(rt, table.database, table.meta, table.meta.sections[number])
    view.read_from(ref.sections[number] if ref.sections else ())
    return view
