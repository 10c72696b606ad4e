"""Whatever a program does to the objects of the platform, the outcome is a value or an error of the language, never a defect."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from shop import Shop

from scoring.engine.collections import ValueTable, new_array, new_map, new_structure
from scoring.engine.errors import BslRuntimeError, LimitReached, NotSupported
from scoring.engine.metadata.system_enums import POSTING, RECEIPT
from scoring.engine.session import Session
from scoring.engine.storage.moments import Boundary, PointInTime
from scoring.engine.values.members import GLOBAL_PROPERTIES, ONEC, lookup
from scoring.engine.values.model import NULL, BslObject
from scoring.engine.values.types import STRING, TypeValue
from scoring.engine.values.uuid import Uuid

ROOTS = (
    "Справочники Документы Перечисления ПланыВидовХарактеристик ПланыСчетов РегистрыНакопления РегистрыСведений "
    "РегистрыБухгалтерии Константы Метаданные БизнесПроцессы ВидСчета"
).split()
ALLOWED = (BslRuntimeError, NotSupported, LimitReached)
LIMIT = 4000


def pool(shop: Shop, rt: Any) -> list[Any]:
    """Values that a program may hand over anywhere."""
    table = ValueTable()
    for name in ("Товар", "Сумма", "Код", "Период"):
        table.columns.append(rt, name)
    table.new_row()
    return [
        None, NULL, True, 0, 1, -1, 7, Decimal("2.5"), "", "Товар", "Наименование", "Болт", "000000001", "нет такого",
        datetime(1, 1, 1), datetime(2026, 1, 10), shop["Болт"], shop["Иван"], shop["Касса"], shop["ПоЛицам"],
        shop.database.references["Справочник.Товары"].empty, POSTING, RECEIPT, PointInTime(datetime(2026, 1, 10)),
        Boundary(None), new_array([shop["Болт"], 1]), new_structure([("Товар", shop["Болт"])]), new_structure([("Нет", 1)]),
        new_map(rt, [("Товар", 1)]), table, TypeValue.of(STRING), Uuid("00000000-0000-0000-0000-000000000001"),
    ]  # fmt: skip


def reachable(shop: Shop, rt: Any) -> Iterator[BslObject]:
    """Objects of every class of the platform, found by walking from the global context."""
    seen: set[type] = set()
    pending = [lookup(GLOBAL_PROPERTIES, name, ONEC).getter(rt) for name in ROOTS]
    pending += list(shop.database.fixture_names.values())
    kinds: dict[tuple[type, str], int] = {}
    while pending:
        item = pending.pop(0)
        if not isinstance(item, BslObject) or isinstance(item, type):
            continue
        key = (type(item), str(item.type_name))
        kinds[key] = kinds.get(key, 0) + 1
        if kinds[key] > 1:
            continue
        seen.add(type(item))
        yield item
        pending += neighbours(rt, item)


def neighbours(rt: Any, item: BslObject) -> list[Any]:
    found: list[Any] = []
    for name in {*item.property_names(rt), *item.bsl_properties, *list(getattr(item, "parts", ()))}:
        with_errors(lambda name=name: found.append(item.get_property(rt, name)))
    with_errors(lambda: found.extend(item.iterate(rt)))
    for name in {entry.name for entry in item.bsl_methods.values()}:
        if name.startswith(("Создать", "Выбрать", "Добавить", "ПолучитьОбъект", "Метаданные", "Найти")):
            with_errors(lambda name=name: found.append(item.find_method(rt, name).function(item, rt)))
    return found


def with_errors(action: Any) -> None:
    try:
        action()
    except (*ALLOWED, TypeError):  # TypeError: a required argument is left out
        return


@pytest.mark.parametrize("seed", range(6))
def test_random_calls_and_assignments(seed: int) -> None:
    shop = Shop()
    session = Session("onec", database=shop.database)
    rt = session.runtime
    source = random.Random(seed)
    values = pool(shop, rt)
    objects = list(reachable(shop, rt))
    assert len({type(item) for item in objects}) > 30
    shop.database.savepoint()
    for number in range(LIMIT):
        item = source.choice(objects)
        try:
            misuse(rt, source, item, values)
        except ALLOWED:
            continue
        finally:
            if number % 200 == 0:
                shop.database.rollback()
    shop.database.release()


def misuse(rt: Any, source: random.Random, item: BslObject, values: list[Any]) -> None:
    action = source.randrange(10)
    if action < 6 and item.bsl_methods:
        entry = source.choice(sorted(item.bsl_methods.items()))[1]
        count = source.randint(entry.minimum, entry.minimum + 2 if entry.maximum is None else entry.maximum)
        method = item.find_method(rt, entry.name)
        result = method.function(item, rt, *[source.choice(values) for _ in range(count)])
        if isinstance(result, BslObject):
            rt.text(result)
    elif action == 6:
        item.get_index(rt, source.choice(values))
    elif action == 7:
        item.set_index(rt, source.choice(values), source.choice(values))
    else:
        names = item.property_names(rt) or ["Имя"]
        item.set_property(rt, source.choice(names), source.choice(values))
