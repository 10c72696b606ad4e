"""ИТОГИ against a recomputation from the detail rows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from world import World

from scoring.engine.metadata.types import number_type, string_type
from scoring.engine.query.temporary import StoredResult, TemporaryTables
from scoring.engine.query.totals import DETAIL, GROUP, HIERARCHY, OVERALL, Record
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.model import NULL

FIELDS = [FieldInfo("А", "А", string_type(5)), FieldInfo("Б", "Б", string_type(5)), FieldInfo("Ч", "Ч", number_type(10))]


def details(record: Record) -> Iterator[tuple[Any, ...]]:
    if record.kind == DETAIL:
        yield record.values
    for child in record.children:
        yield from details(child)


def total(rows: list[tuple[Any, ...]]) -> Any:
    numbers = [row[2] for row in rows if row[2] is not NULL]
    return sum(numbers) if numbers else NULL


@pytest.mark.parametrize("seed", range(25))
def test_every_total_sums_the_details_below_it(world: World, seed: int) -> None:
    rng = random.Random(seed)
    rows = [
        (rng.choice("абвАБ"), rng.choice(["x", "y", NULL]), rng.choice([NULL, *range(-3, 9)])) for _ in range(rng.randrange(0, 40))
    ]
    store = TemporaryTables()
    store.put("Т", StoredResult(FIELDS, rows))
    outcome = world.outcomes(
        "ВЫБРАТЬ Т.А КАК А, Т.Б КАК Б, Т.Ч КАК Ч ИЗ Т КАК Т УПОРЯДОЧИТЬ ПО А, Б ИТОГИ СУММА(Ч) ПО ОБЩИЕ, А, Б", store=store
    )[-1]
    assert outcome is not None and outcome.records is not None
    (top,) = outcome.records
    assert top.kind == OVERALL
    assert sorted(map(repr, details(top))) == sorted(map(repr, rows))
    for record in top.walk():
        below = list(details(record))
        if record.kind == DETAIL:
            assert not record.children
            continue
        assert record.values[2] == total(below)
        if record.grouping >= 1:
            assert {row[0].lower() for row in below} == {record.values[0].lower()}
        if record.grouping == 2:
            assert {row[1] for row in below} == {record.values[1]}
        if record.grouping < 2:
            assert record.values[1] is NULL
    names = [record.values[0].lower() for record in top.children]
    assert len(names) == len(set(names))
    assert all(child.kind == GROUP for child in top.children)


def test_folders_sum_everything_below_them(world: World) -> None:
    outcome = world.outcomes(
        "ВЫБРАТЬ З.Товар КАК Товар, З.Количество КАК К ИЗ РегистрНакопления.Запасы КАК З ИТОГИ СУММА(К) ПО Товар ИЕРАРХИЯ"
    )[-1]
    assert outcome is not None and outcome.records is not None
    for top in outcome.records:
        for record in top.walk():
            if record.kind in (GROUP, HIERARCHY):
                assert record.values[1] == sum(row[1] for row in details(record))
    shown = [(world.shown(record.values[0]), record.kind, record.level) for top in outcome.records for record in top.walk()]
    assert [entry for entry in shown if entry[1] != DETAIL] == [
        ("@Мебель", HIERARCHY, 0),
        ("@Столы", HIERARCHY, 1),
        ("@Дубовый", GROUP, 2),
        ("@Стул", GROUP, 1),
    ]
