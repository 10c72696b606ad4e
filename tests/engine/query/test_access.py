"""What a query counts as: constant, whatever the size of the base; a query in a loop counts every time."""

from __future__ import annotations

from datetime import datetime

import pytest
from world import World, make_world


def cost(world: World, text: str, **parameters: object) -> tuple[int, int]:
    """(all accesses, reads of registers) of one execution."""
    counters = world.database.counters
    before = counters.sdbl, counters.register
    world.outcomes(text, **parameters)
    return counters.sdbl - before[0], counters.register - before[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ВЫБРАТЬ Т.Ссылка ИЗ Справочник.Товары КАК Т", (2, 0)),
        ("ВЫБРАТЬ Т.Поставщик.Город ИЗ Справочник.Товары КАК Т", (2, 0)),
        ("ВЫБРАТЬ З.Товар.Поставщик.Город ИЗ РегистрНакопления.Запасы КАК З", (2, 1)),
        ("ВЫБРАТЬ О.Товар ИЗ РегистрНакопления.Запасы.Остатки КАК О", (3, 1)),
        ("ВЫБРАТЬ О.Товар ИЗ РегистрНакопления.Запасы.Обороты КАК О", (4, 1)),
        ("ВЫБРАТЬ О.Товар ИЗ РегистрНакопления.Запасы.ОстаткиИОбороты КАК О", (3, 1)),
        ("ВЫБРАТЬ Ц.Цена ИЗ РегистрСведений.Цены.СрезПоследних КАК Ц", (4, 1)),
        ("ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ; ВЫБРАТЬ А ИЗ ВТ", (4, 0)),
    ],
)
def test_accesses_of_a_query(world: World, text: str, expected: tuple[int, int]) -> None:
    assert cost(world, text) == expected


def test_hierarchy_costs_more_the_first_time() -> None:
    world = make_world()
    text = "ВЫБРАТЬ Т.Ссылка ИЗ Справочник.Товары КАК Т ГДЕ Т.Ссылка В ИЕРАРХИИ (&Группа)"
    assert [cost(world, text, Группа="@Мебель")[0] for _ in range(3)] == [7, 6, 6]


def test_a_query_in_a_loop_counts_every_time(world: World) -> None:
    text = "ВЫБРАТЬ О.СуммаОстаток ИЗ РегистрНакопления.Запасы.Остатки(&Дата) КАК О"
    costs = [cost(world, text, Дата=datetime(2026, month, 1)) for month in range(1, 6)]
    assert costs == [(3, 1)] * 5


def test_a_plan_is_kept_per_text_and_shapes_of_parameters(world: World) -> None:
    from scoring.engine.query.batches import plan_batch
    from scoring.engine.query.temporary import TemporaryTables

    text, store = "ВЫБРАТЬ &А КАК А", TemporaryTables()
    first = plan_batch(text, world.database, {"а": 1}, store)
    assert plan_batch(text, world.database, {"а": 2, "лишний": 3}, store) is first
    assert plan_batch(text, world.database, {"а": "текст"}, store) is not first
    assert plan_batch(text, make_world().database, {"а": 3}, store) is first
