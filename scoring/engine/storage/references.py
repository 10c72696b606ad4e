"""Tables of objects with references, and the references themselves.

A reference is one interned object per stored thing: equality is identity, hashing is by identity, and the stored row hangs
on it, so that dereferencing costs an attribute. Rows are tuples in the order of the metadata object's ``fields``; they are
replaced, never changed in place.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import MetadataObject, Section
from scoring.engine.values.model import NULL, BslObject

if TYPE_CHECKING:
    from scoring.engine.storage.database import Database

Row = tuple[Any, ...]
UUID_TAIL = 0x8000_0000_0000_0000


class Reference(BslObject):
    """A reference; ``id`` 0 is the empty one of its table. ``row`` is None while nothing is stored under it.

    Members that programs see are added by the platform (``scoring.engine.platform.references``).
    """

    __slots__ = ("foreign_uuid", "id", "row", "sections", "table")

    def __init__(self, table: ReferenceTable, number: int) -> None:
        self.table = table
        self.id = number
        self.row: Row | None = None
        self.sections: tuple[tuple[Row, ...], ...] = ()
        self.foreign_uuid: uuid.UUID | None = None

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.table.ref_names

    def is_empty(self) -> bool:
        return self.id == 0

    @property
    def order_key(self) -> tuple[int, int]:
        """Orders references: by type, then by internal id."""
        return self.table.number, self.id

    @property
    def uuid(self) -> uuid.UUID:
        """Deterministic: made of the table's number and the id."""
        if self.foreign_uuid is not None:
            return self.foreign_uuid
        if self.id == 0:
            return uuid.UUID(int=0)
        return uuid.UUID(int=(self.table.number << 96) | (0x4000 << 64) | UUID_TAIL | self.id)

    def value(self, place: int) -> Any:
        """The stored value at ``place`` of the row; NULL where nothing is stored (as a query sees it)."""
        return NULL if self.row is None else self.row[place]

    def __repr__(self) -> str:
        return f"<{self.table.ref_names[0]} {self.id}>"


class ReferenceTable:
    """All references of one metadata object, in the order of their ids (``refs[0]`` is the empty one)."""

    def __init__(self, database: Database, meta: MetadataObject, number: int, factory: Callable[..., Reference]) -> None:
        self.database = database
        self.meta = meta
        self.number = number
        self.path = meta.path
        self.ref_names = meta.ref_names
        self.factory = factory
        self.empty = factory(self, 0)
        self.refs: list[Reference] = [self.empty]
        self.predefined: dict[str, Reference] = {}
        self.version = 0
        self._rows: tuple[int, list[Row]] = (-1, [])
        self._indexes: dict[int, tuple[int, dict[Any, list[Reference]]]] = {}
        self._children: tuple[int, dict[Reference, list[Reference]]] = (-1, {})

    # -- reading ---------------------------------------------------------------------------------------------------------

    def rows(self) -> list[Row]:
        """Rows of everything stored, in the order of ids. Not to be changed by the caller."""
        if self._rows[0] != self.version:
            self._rows = (self.version, [ref.row for ref in self.refs if ref.row is not None])
        return self._rows[1]

    def stored(self) -> Iterator[Reference]:
        return (ref for ref in self.refs if ref.row is not None)

    def index(self, place: int) -> dict[Any, list[Reference]]:
        """Stored references by their value at ``place`` (strings folded to lower case)."""
        cached = self._indexes.get(place)
        if cached is None or cached[0] != self.version:
            found: dict[Any, list[Reference]] = {}
            for row in self.rows():
                found.setdefault(folded(row[place]), []).append(row[0])
            cached = self._indexes[place] = (self.version, found)
        return cached[1]

    def children(self) -> dict[Reference, list[Reference]]:
        """Parent → children, for hierarchical objects (the empty reference is the root's)."""
        if self._children[0] != self.version:
            place = self.meta.positions.get("родитель")
            found: dict[Reference, list[Reference]] = {}
            if place is not None:
                for row in self.rows():
                    found.setdefault(row[place], []).append(row[0])
            self._children = (self.version, found)
        return self._children[1]

    def subtree(self, root: Reference) -> set[Reference]:
        """``root`` and everything below it (``В ИЕРАРХИИ``)."""
        children = self.children()
        found = {root}
        pending = [root]
        while pending:
            for child in children.get(pending.pop(), ()):
                if child not in found:
                    found.add(child)
                    pending.append(child)
        return found

    def parent(self, ref: Reference) -> Reference:
        """The parent; the empty reference for roots, broken references and kinds without hierarchy."""
        place = self.meta.positions.get("родитель")
        return self.empty if place is None or ref.row is None else ref.row[place]

    def by_uuid(self, wanted: uuid.UUID) -> Reference:
        """The reference with this identifier; one that points nowhere if it was never given out."""
        if wanted.int == 0:
            return self.empty
        number = wanted.int & (UUID_TAIL - 1)
        if 0 < number < len(self.refs) and self.refs[number].uuid == wanted:
            return self.refs[number]
        for ref in self.refs:
            if ref.foreign_uuid == wanted:
                return ref
        ref = self.new_reference()
        ref.foreign_uuid = wanted
        return ref

    # -- writing ---------------------------------------------------------------------------------------------------------

    def new_reference(self) -> Reference:
        """A new reference, not stored yet."""
        ref = self.factory(self, len(self.refs))
        self.refs.append(ref)
        self.database.journal.append((self._forget_after, (len(self.refs) - 1,)))
        return ref

    def store(self, ref: Reference, row: Row, sections: tuple[tuple[Row, ...], ...] = ()) -> None:
        """Put ``row`` (and tabular sections) under ``ref``; undone by a rollback."""
        self.database.journal.append((self._restore, (ref, ref.row, ref.sections)))
        ref.row, ref.sections = row, sections
        self.version += 1
        self.database.read_objects.discard(ref)

    def delete(self, ref: Reference) -> None:
        self.database.journal.append((self._restore, (ref, ref.row, ref.sections)))
        ref.row, ref.sections = None, ()
        self.version += 1
        self.database.read_objects.discard(ref)

    def _restore(self, ref: Reference, row: Row | None, sections: tuple[tuple[Row, ...], ...]) -> None:
        ref.row, ref.sections = row, sections
        self.version += 1

    def _forget_after(self, length: int) -> None:
        del self.refs[length:]
        self.version += 1


class SectionTable:
    """The table of one tabular section; its rows live on the owners' references."""

    def __init__(self, owner: ReferenceTable, section: Section, number: int) -> None:
        self.owner = owner
        self.section = section
        self.number = number
        self.path = f"{owner.path}.{section.name}"
        self._rows: tuple[int, list[Row]] = (-1, [])

    def rows(self) -> list[Row]:
        if self._rows[0] != self.owner.version:
            found: list[Row] = []
            for ref in self.owner.stored():
                found.extend(ref.sections[self.number])
            self._rows = (self.owner.version, found)
        return self._rows[1]

    def rows_of(self, ref: Reference) -> Sequence[Row]:
        return ref.sections[self.number] if ref.sections else ()


def folded(value: Any) -> Any:
    """A key under which values meet as the database compares them: strings without case, booleans apart from numbers."""
    kind = type(value)
    if kind is str:
        return value.rstrip(" ").lower()
    return (bool, value) if kind is bool else value
