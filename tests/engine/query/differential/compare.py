"""Run generated queries on the engine and on SQLite and compare the rows."""

from __future__ import annotations

import random
import sqlite3
from decimal import Decimal
from typing import Any

from generator import TABLES, Generator, rows_of
from world import World

from scoring.engine.metadata.types import number_type, string_type
from scoring.engine.query.temporary import StoredResult, TemporaryTables
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.model import NULL


class Pair:
    """The same tables on both sides."""

    def __init__(self, world: World, seed: int) -> None:
        rng = random.Random(seed)
        self.world = world
        self.store = TemporaryTables()
        self.sqlite = sqlite3.connect(":memory:")
        for table, (name, fields) in TABLES.items():
            rows = rows_of(rng, table, rng.randrange(0, 9))
            columns = [f"{column} {'INTEGER' if kind == 'n' else 'TEXT'}" for column, kind in fields.values()]
            self.sqlite.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
            self.sqlite.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)
            infos = [FieldInfo(title, title, number_type(10) if kind == "n" else string_type(20)) for title, (_, kind) in fields.items()]
            ours = [tuple(NULL if value is None else value for value in row) for row in rows]
            self.store.put(table, StoredResult(infos, ours))

    def check(self, seed: int) -> tuple[str, str, Any, Any]:
        """(our text, SQL, our rows, SQLite's rows) of the query number ``seed``."""
        text = Generator(seed).query()
        outcome = self.world.outcomes(text.ours, store=self.store)[-1]
        assert outcome is not None
        ours = [tuple(plain(value) for value in row) for row in outcome.rows]
        theirs = [tuple(row) for row in self.sqlite.execute(text.sql).fetchall()]
        return text.ours, text.sql, ours, theirs


def plain(value: Any) -> Any:
    if value is NULL:
        return None
    if isinstance(value, Decimal) and value == int(value):
        return int(value)
    return value
