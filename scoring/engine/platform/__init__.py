"""The 1C platform around the language: managers, objects, registers, metadata, transactions, fixtures.

    database = build_database(spec, fixtures)    # plain dicts, as parsed from the bundle's YAML
    session = Session("onec", database=database)  # puts it into ``rt.database``
    database.savepoint(); …; database.rollback()  # every test from the same state

Importing this package registers the names of the global context (``Справочники``, ``НачатьТранзакцию``,
``Новый Граница`` …) for the dialect ``onec``; their values are looked up in the database of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from scoring.engine.metadata.configuration import Configuration, SpecificationError
from scoring.engine.platform import collections, datalock, functions, metadatatree, standardperiod
from scoring.engine.platform.fixtures import load_fixtures
from scoring.engine.platform.references import reference_class
from scoring.engine.registers import tables
from scoring.engine.runtime.context import Clock
from scoring.engine.storage import moments
from scoring.engine.storage.database import Database

BEFORE_THE_RUN = timedelta(seconds=1)


def build_database(spec: Mapping[str, Any], fixtures: Mapping[str, Any] | None = None, now: datetime | None = None) -> Database:
    """A database with the configuration of ``config_spec.yaml`` and the data of ``fixtures.yaml``.

    ``now`` is the period of records that name none; by default the second before the injected clock's start, because the data
    stand before the program runs: what is asked for ``ТекущаяДата()`` finds them. References by their ``ref``
    names are left in ``database.fixture_names``. Raises :class:`SpecificationError` with every finding at once.
    """
    database = Database(Configuration.from_spec(spec), reference_class)
    database.fixture_names = load_fixtures(database, fixtures, now or Clock().now - BEFORE_THE_RUN)
    database.journal.clear()
    return database


def install(rt: Any, database: Database | None) -> None:
    """Make ``database`` the one of this run. Names of the global context find it through ``rt.database``."""
    rt.database = database


__all__ = [
    "SpecificationError",
    "build_database",
    "collections",
    "datalock",
    "functions",
    "install",
    "metadatatree",
    "moments",
    "standardperiod",
    "tables",
]
