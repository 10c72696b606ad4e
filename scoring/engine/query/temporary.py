"""Stored results: what temporary tables hold and what results are read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.engine.storage.relations import FieldInfo


@dataclass(slots=True, eq=False)
class StoredResult:
    """Rows as tuples over ``fields``."""

    fields: list[FieldInfo]
    rows: list[tuple[Any, ...]]


class TemporaryTables:
    """What a ``МенеджерВременныхТаблиц`` holds, by lower-case name."""

    def __init__(self) -> None:
        self.tables: dict[str, StoredResult] = {}
        self.names: dict[str, str] = {}

    def put(self, name: str, result: StoredResult) -> None:
        self.tables[name.lower()] = result
        self.names[name.lower()] = name

    def drop(self, name: str) -> None:
        self.tables.pop(name.lower(), None)
        self.names.pop(name.lower(), None)

    def clear(self) -> None:
        self.tables.clear()
        self.names.clear()
