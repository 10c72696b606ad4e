"""Undo, counting of accesses, relations for queries."""

from __future__ import annotations

from typing import Any

import pytest
from shop import Shop, make_shop

from scoring.engine.storage.access import OPERATION_COST, SELECTION_PORTION


def state(database: Any) -> str:
    tables = {path: list(table.rows()) for path, table in (database.references | database.registers).items()}
    sections = [ref.sections for table in database.references.values() for ref in table.refs]
    return repr((tables, sections, database.constants, database.last_codes, [len(t.refs) for t in database.references.values()]))


CHANGES = """
О = Справочники.Товары.СоздатьЭлемент(); О.Наименование = "Новый"; О.Штрихкоды.Добавить(); О.Записать();
О = Справочники.Товары.НайтиПоНаименованию("Болт").ПолучитьОбъект(); О.Штрихкоды.Очистить(); О.Вес = 0; О.Записать();
Справочники.Лица.НайтиПоНаименованию("Иван").ПолучитьОбъект().Удалить();
Константы.Порог.Установить(1);
М = РегистрыСведений.Настройки.СоздатьМенеджерЗаписи(); М.Ключ = "цвет"; М.Удалить();
РегистрыСведений.Цены.СоздатьНаборЗаписей().Записать();
В = РегистрыНакопления.Запасы.Выбрать(); В.Следующий();
Н = РегистрыНакопления.Запасы.СоздатьНаборЗаписей(); Н.Отбор.Регистратор.Установить(В.Регистратор); Н.Записать();
Д = Документы.Поставка.СоздатьДокумент(); Д.Записать();
"""


def test_a_rollback_puts_everything_back() -> None:
    from scoring.engine.session import Session
    from scoring.engine.source import Source

    database = make_shop()
    before = state(database)
    session = Session("onec", database=database)
    module = session.load(Source(f"Процедура Менять() Экспорт{CHANGES}КонецПроцедуры", "М"))
    database.savepoint()
    for _ in range(2):  # every test from the same state
        session.call(module, "Менять", [])
        assert state(database) != before
        database.rollback()
        assert state(database) == before
    database.release()
    assert not database.savepoints


def test_savepoints_nest() -> None:
    database = make_shop()
    database.savepoint()
    database.set_constant("Порог", 1)
    database.savepoint()
    database.set_constant("Порог", 2)
    database.release()
    assert database.constants["Порог"] == 1
    database.release()
    assert str(database.constants["Порог"]) == "12.35"


class Meter:
    """Accesses that a program makes."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop

    def __call__(self, body: str) -> tuple[int, int]:
        counters = self.shop.database.counters
        self.shop.database.reset_counters()
        self.shop.run(body + "\nВозврат 1;")
        return counters.sdbl, counters.register


@pytest.fixture
def accesses(shop: Shop) -> Meter:
    return Meter(shop)


BOLT = 'С = Справочники.Товары.НайтиПоНаименованию("Болт"); '
QUERY = 'З = Новый Запрос("ВЫБРАТЬ Т.{field} КАК П ИЗ {table} КАК Т"); З.Выполнить(); '


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (BOLT, (1, 0)),
        (BOLT + "А = С.Вес; А = С.Наименование; А = С.Родитель;", (2, 0)),  # one object, read once
        (BOLT + "А = С.Родитель.Родитель.Наименование;", (4, 0)),  # three objects
        (BOLT + "А = С.Ссылка; А = С.Пустая(); А = С = С;", (1, 0)),  # nothing that the reference does not hold
        ("А = Справочники.Товары.ПустаяСсылка().Вес;", (0, 0)),
        ("В = Справочники.Товары.Выбрать(); Пока В.Следующий() Цикл А = В.Вес; КонецЦикла;", (1, 0)),
        (QUERY.format(field="Ссылка", table="Справочник.Товары"), (2, 0)),
        (QUERY.format(field="ВесОстаток", table="РегистрНакопления.Запасы.Остатки"), (3, 1)),
        (QUERY.format(field="СуммаОборот", table="РегистрНакопления.Сделки.Обороты"), (4, 1)),
        (QUERY.format(field="Цена", table="РегистрСведений.Цены.СрезПоследних"), (4, 1)),
        (QUERY.format(field="ВесОборот", table="РегистрНакопления.Запасы.ОстаткиИОбороты"), (3, 1)),
        ("РегистрыСведений.Цены.СрезПоследних();", (3, 1)),
        ("РегистрыСведений.Цены.ПолучитьПоследнее();", (1, 1)),
        ("Константы.Порог.Получить();", (1, 0)),
    ],
)
def test_accesses(accesses: Meter, body: str, expected: tuple[int, int]) -> None:
    assert accesses(body) == expected


def test_a_loop_of_queries_grows_by_one_set_per_turn(accesses: Meter) -> None:
    query = QUERY.format(field="Ссылка", table="Справочник.Товары")
    assert accesses("Для Сч = 1 По 7 Цикл " + query + "КонецЦикла;") == (14, 0)


def test_a_hierarchy_costs_more_the_first_time() -> None:
    database = make_shop()
    database.count_access("hierarchy")
    first = database.counters.sdbl
    database.count_access("hierarchy")
    assert (first, database.counters.sdbl - first) == (OPERATION_COST["hierarchy_first"], OPERATION_COST["hierarchy"])


@pytest.mark.parametrize(("elements", "expected"), [(0, 1), (1, 1), (23, 1), (25, 1), (26, 2), (83, 4)])
def test_a_selection_is_read_in_portions(elements: int, expected: int) -> None:
    from scoring.engine.platform import build_database
    from scoring.engine.platform.selections import Selection

    database = build_database({"catalogs": {"Т": None}}, {"catalogs": {"Т": [{}] * elements}})
    table = database.references["Справочник.Т"]
    selection = Selection(database, table.meta, table.rows())
    while selection.next(None):
        pass
    assert database.counters.sdbl == expected
    assert SELECTION_PORTION == 25


def test_relations_by_any_name(shop: Shop) -> None:
    relation = shop.database.relation
    assert relation("справочник.товары") is relation("справочник.ТОВАРЫ".lower())
    assert relation("Catalog.Товары").path == "Справочник.Товары"  # type: ignore[union-attr]
    assert relation("Document.Поставка.Строки").path == "Документ.Поставка.Строки"  # type: ignore[union-attr]
    assert relation("Константы").rows()[0] == tuple(shop.database.constants.values())  # type: ignore[union-attr]
    for missing in ("Справочники.Товары", "Справочник.Нет", "Справочник.Товары.Нет", "Справочник", "Товары", "А.Б.В.Г"):
        assert relation(missing) is None


def test_computed_fields_come_after_stored_ones(shop: Shop) -> None:
    for meta in shop.database.configuration.all():
        relation: Any = shop.database.relation(meta.path)
        computed = [info.compute is not None for info in relation.fields]
        assert computed == sorted(computed)
        width = computed.count(False)
        for row in relation.rows():
            assert len(row) >= width
            for info in relation.fields[width:]:
                info.compute(row)


def test_references_order_by_type_and_creation(shop: Shop) -> None:
    table = shop.database.references["Справочник.Товары"]
    keys = [row[0].order_key for row in table.rows()]
    assert keys == sorted(keys)
    assert table.by_uuid(table.refs[2].uuid) is table.refs[2]
