"""A task's data, built once in the warmed parent and inherited by every child: compiled modules and databases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scoring.bundles.growth import grown_fixtures
from scoring.engine.errors import CompileFailed
from scoring.engine.platform import build_database
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.sandbox.carriage import revived
from scoring.sandbox.messages import Message
from scoring.sandbox.worker import driver

# How messages name the candidate's module, per dialect.
CANDIDATE_NAMES = {"onescript": "<module>", "onec": "ОбщийМодуль.КодКандидата.Модуль"}
_TESTS_NAME = "ОбщийМодуль.Тесты.Модуль"


class TaskFault(Exception):
    """The author's part of a test does not work: nobody's score."""


@dataclass
class Prepared:
    """A task's data, built once in the parent. ``databases``: by size of growth, 0 = the fixtures alone."""

    data: Message
    author: Source
    loads: dict[int, Source] = field(default_factory=dict)
    databases: dict[int, Any] = field(default_factory=dict)


def prepare(data: Message) -> Prepared:
    """Compile the author's modules and build the databases. Raises :class:`TaskFault` for what is wrong with them."""
    sizes = data["load"]["sizes"] if data["load"] else []
    text = driver.driver_source(data) if data["script"] is None else driver.script_source(data)
    prepared = Prepared(data, Source(text, _TESTS_NAME))
    prepared.loads = {size: Source(driver.load_source(data, size), _TESTS_NAME) for size in sizes}
    if data["category"] == "B":
        prepared.databases = {size: _database(data, size) for size in (0, *sizes)}
    for source in (prepared.author, *prepared.loads.values()):
        _compile_author(data["dialect"], source, prepared.databases.get(0))
    return prepared


def _compile_author(dialect: str, source: Source, database: Any) -> None:
    """Compile a module of the author once, for every child to find in the engine's cache."""
    try:
        Session(dialect, database=database).load(source, counted=False, extra_names={driver.CANDIDATE: None}, run_body=False)
    except CompileFailed as failure:
        raise TaskFault(f"the task's own code does not compile: {failure}") from None


def _database(data: Message, size: int) -> Any:
    fixtures = revived(data["fixtures"])
    if size:
        fixtures = grown_fixtures(fixtures, revived(data["load"]["grow"]), size)
    return build_database(revived(data["configuration"]), fixtures)
