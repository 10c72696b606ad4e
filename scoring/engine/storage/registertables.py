"""Tables of register records.

Recorded registers keep their rows by recorder, independent ones by key. All rows are tuples in the order of the metadata
object's ``fields``; records of an accounting register carry their ext. dimensions in columns after those.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.storage.moments import Bound
from scoring.engine.storage.references import Reference, Row, folded

if TYPE_CHECKING:
    from scoring.engine.storage.database import Database


class RegisterTable:
    """What all register tables share: rows sorted by period, and cutting a period out of them."""

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        self.database = database
        self.meta = meta
        self.path = meta.path
        self.version = 0
        self.period = meta.positions.get("период", -1)
        self.recorder = meta.positions.get("регистратор", -1)
        self.line = meta.positions.get("номерстроки", -1)
        self.active = meta.positions.get("активность", -1)
        self.dimension_places = [meta.positions.get(item.name.lower(), -1) for item in meta.dimensions]
        self.resource_places = [meta.positions.get(item.name.lower(), -1) for item in meta.resources]
        self._rows: tuple[int, list[Row]] = (-1, [])
        self._active_rows: tuple[int, list[Row]] = (-1, [])

    def unordered(self) -> Iterable[Row]:
        raise NotImplementedError

    def rows(self) -> list[Row]:
        """All rows in the order of period (then as written). Not to be changed by the caller."""
        if self._rows[0] != self.version:
            found = list(self.unordered())
            if self.period >= 0:
                found.sort(key=itemgetter(self.period))
            self._rows = (self.version, found)
        return self._rows[1]

    def active_rows(self) -> list[Row]:
        """Rows that totals take in."""
        if self._active_rows[0] != self.version:
            rows = self.rows()
            if self.active >= 0 and not all(map(itemgetter(self.active), rows)):
                rows = [row for row in rows if row[self.active]]
            self._active_rows = (self.version, rows)
        return self._active_rows[1]

    def between(self, lower: Bound | None, upper: Bound | None, active_only: bool = True) -> list[Row]:
        """Rows from ``lower`` to ``upper``; O(log n + size of the result)."""
        rows = self.active_rows() if active_only else self.rows()
        if lower is None and upper is None:
            return rows
        start = 0 if lower is None else self._place(rows, lower, lower=True)
        stop = len(rows) if upper is None else self._place(rows, upper, lower=False)
        found = rows[start:stop]
        if (lower is not None and lower.ref is not None) or (upper is not None and upper.ref is not None):
            found = [row for row in found if self._inside(row, lower, upper)]
        return found

    def _place(self, rows: list[Row], bound: Bound, lower: bool) -> int:
        key = itemgetter(self.period)
        if bound.ref is not None:  # keep the whole second; ``_inside`` decides by document
            return (bisect_left if lower else bisect_right)(rows, bound.date, key=key)
        if lower:
            return (bisect_left if bound.inclusive else bisect_right)(rows, bound.date, key=key)
        return (bisect_right if bound.inclusive else bisect_left)(rows, bound.date, key=key)

    def _inside(self, row: Row, lower: Bound | None, upper: Bound | None) -> bool:
        """Whether a row within the seconds of the bounds is in them, by the order of documents."""
        if self.recorder < 0:
            return True
        key = row[self.recorder].order_key
        for bound, sign in ((lower, 1), (upper, -1)):
            if bound is not None and bound.ref is not None and row[self.period] == bound.date:
                other = bound.ref.order_key
                if key == other:
                    if not bound.inclusive:
                        return False
                elif (key > other) != (sign > 0):
                    return False
        return True


class RecordedTable(RegisterTable):
    """A register written by documents: recorder → its rows."""

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        super().__init__(database, meta)
        self.by_recorder: dict[Reference, tuple[Row, ...]] = {}

    def unordered(self) -> Iterable[Row]:
        return chain.from_iterable(self.by_recorder.values())

    def of_recorder(self, recorder: Reference) -> tuple[Row, ...]:
        return self.by_recorder.get(recorder, ())

    def replace(self, recorder: Reference, rows: tuple[Row, ...]) -> None:
        """Make ``rows`` the recorder's records; undone by a rollback."""
        self.database.journal.append((self._restore, (recorder, self.by_recorder.get(recorder))))
        self.by_recorder[recorder] = rows
        self.version += 1

    def _restore(self, recorder: Reference, rows: tuple[Row, ...] | None) -> None:
        if rows is None:
            self.by_recorder.pop(recorder, None)
        else:
            self.by_recorder[recorder] = rows
        self.version += 1


class IndependentTable(RegisterTable):
    """An independent information register: key (period and dimensions, strings folded) → row."""

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        super().__init__(database, meta)
        self.by_key: dict[tuple[Any, ...], Row] = {}
        self.key_places = ([self.period] if self.period >= 0 else []) + self.dimension_places

    def unordered(self) -> Iterable[Row]:
        return self.by_key.values()

    def key(self, row: Row) -> tuple[Any, ...]:
        return tuple([folded(row[place]) for place in self.key_places])

    def put(self, row: Row) -> None:
        """Write one record, replacing the one with its key; undone by a rollback."""
        key = self.key(row)
        self.database.journal.append((self._restore, (key, self.by_key.get(key))))
        self.by_key[key] = row
        self.version += 1

    def replace_all(self, kept: Iterable[Row], written: Iterable[Row]) -> None:
        """Make the table consist of ``kept`` and ``written`` rows."""
        self.database.journal.append((self._restore_all, (self.by_key,)))
        self.by_key = {self.key(row): row for row in chain(kept, written)}
        self.version += 1

    def _restore(self, key: tuple[Any, ...], row: Row | None) -> None:
        if row is None:
            self.by_key.pop(key, None)
        else:
            self.by_key[key] = row
        self.version += 1

    def _restore_all(self, by_key: dict[tuple[Any, ...], Row]) -> None:
        self.by_key = by_key
        self.version += 1
