"""Texts of extreme shape: long chains cost no stack, deep nesting is refused as the engine's limit."""

from __future__ import annotations

import pytest
from world import World

from scoring.engine.errors import LimitReached, NotSupported


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("ВЫБРАТЬ " + " + ".join(["1"] * 3000), [(3000,)]),
        ("ВЫБРАТЬ " + "(" * 50 + "1" + ")" * 50, [(1,)]),
        ("ВЫБРАТЬ " + "ЕСТЬNULL(NULL, " * 50 + "1" + ")" * 50, [(1,)]),
        ("ВЫБРАТЬ 1 ГДЕ " + "НЕ " * 3001 + "ЛОЖЬ", [(1,)]),
        ("ВЫБРАТЬ 1 ГДЕ " + "НЕ " * 3000 + "ЛОЖЬ", []),
        ("ВЫБРАТЬ " + "- " * 3001 + "1", [(-1,)]),
        ("ВЫБРАТЬ КОЛИЧЕСТВО(*) ИЗ Справочник.Товары КАК Т ГДЕ " + " ИЛИ ".join(f"Т.Вес = {n}" for n in range(2000)), [(3,)]),
        ("ВЫБРАТЬ 1 ИЗ Справочник.Товары КАК Т ГДЕ " + " И ".join(["Т.Вес > 10"] * 2000), [(1,)]),
        ("ВЫБРАТЬ КОЛИЧЕСТВО(*) ИЗ Справочник.Товары КАК Т ГДЕ Т.Вес В (" + ", ".join(map(str, range(2000))) + ")", [(3,)]),
        ("ВЫБРАТЬ * ИЗ (" * 30 + "ВЫБРАТЬ 1 КАК А" + ") КАК Т" * 30, [(1,)]),
        (" ОБЪЕДИНИТЬ ".join(["ВЫБРАТЬ 1"] * 60), [(1,)]),
    ],
    ids=range(11),
)
def test_long_texts_run(world: World, text: str, rows: list[tuple[int]]) -> None:
    assert world.rows(text) == rows


@pytest.mark.parametrize("opening", ["(", "ЕСТЬNULL(NULL, "])
def test_deep_nesting_is_the_engines_limit(world: World, opening: str) -> None:
    with pytest.raises(NotSupported, match="nested deeper"):
        world.rows("ВЫБРАТЬ " + opening * 100 + "1" + ")" * 100)


def test_too_many_joins_are_the_engines_limit(world: World) -> None:
    joins = " ".join(f"СОЕДИНЕНИЕ Справочник.Склады КАК Т{n} ПО ИСТИНА" for n in range(300))
    with pytest.raises(NotSupported, match="joins"):
        world.rows(f"ВЫБРАТЬ 1 ИЗ Справочник.Склады КАК А {joins}")


def test_a_product_of_tables_reaches_a_limit_not_the_memory(world: World) -> None:
    hundred = "ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ" + " ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ 1" * 99
    product = ", ".join(f"ВТ КАК Т{number}" for number in range(5))
    with pytest.raises(LimitReached, match="operations"):
        world.rows(f"{hundred}; ВЫБРАТЬ КОЛИЧЕСТВО(*) ИЗ {product}")


def test_a_join_on_one_value_reaches_the_limit_of_memory(world: World) -> None:
    hundred = "ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ" + " ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ 1" * 99
    joins = " ".join(f"СОЕДИНЕНИЕ ВТ КАК Т{number} ПО Т0.А = Т{number}.А" for number in range(1, 5))
    with pytest.raises(LimitReached, match="memory"):
        world.rows(f"{hundred}; ВЫБРАТЬ КОЛИЧЕСТВО(*) ИЗ ВТ КАК Т0 {joins}")
