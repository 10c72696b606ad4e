"""A small shop to query: metadata and rows put straight into storage."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from scoring.engine.dialects import get_dialect
from scoring.engine.metadata.configuration import Configuration
from scoring.engine.platform.references import reference_class
from scoring.engine.query.batches import Outcome, run_batch
from scoring.engine.query.failures import QueryError, describe
from scoring.engine.query.temporary import TemporaryTables
from scoring.engine.runtime.context import Runtime
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Reference
from scoring.engine.values.model import NULL

NUMBER = {"type": "Число", "length": 15, "precision": 2}
SPEC: dict[str, Any] = {
    "catalogs": {
        "Товары": {
            "hierarchical": True,
            "attributes": {
                "Артикул": {"type": "Строка", "length": 20},
                "Вес": {"type": "Число", "length": 10, "precision": 3},
                "Поставщик": {"type": "СправочникСсылка.Партнеры"},
                "Описание": {"type": "Строка"},
            },
            "tabular_sections": {"Цены": {"attributes": {"Вид": {"type": "Строка", "length": 10}, "Цена": NUMBER}}},
        },
        "Партнеры": {"attributes": {"Город": {"type": "Строка", "length": 30}}},
        "Договоры": {"owners": ["Партнеры"]},
        "Склады": {},
    },
    "documents": {
        "Поступление": {
            "attributes": {"Партнер": {"type": "СправочникСсылка.Партнеры"}, "Сумма": NUMBER},
            "tabular_sections": {
                "Товары": {"attributes": {"Товар": {"type": "СправочникСсылка.Товары"}, "Количество": NUMBER, "Сумма": NUMBER}}
            },
            "registers": ["Запасы"],
        },
        "Отгрузка": {
            "attributes": {"Партнер": {"type": "СправочникСсылка.Партнеры"}, "Комментарий": {"type": "Строка"}},
            "registers": ["Запасы", "Выручка"],
        },
    },
    "accumulation_registers": {
        "Запасы": {
            "register_type": "Balance",
            "dimensions": {
                "Склад": {"type": "СправочникСсылка.Склады"},
                "Товар": {"type": "СправочникСсылка.Товары"},
            },
            "resources": {"Количество": NUMBER, "Сумма": NUMBER},
        },
        "Выручка": {
            "register_type": "Turnovers",
            "dimensions": {
                "Товар": {"type": "СправочникСсылка.Товары"},
                "Партнер": {"type": "СправочникСсылка.Партнеры"},
            },
            "resources": {"Сумма": NUMBER},
        },
    },
    "information_registers": {
        "Цены": {
            "periodicity": "Day",
            "dimensions": {"Товар": {"type": "СправочникСсылка.Товары"}},
            "resources": {"Цена": NUMBER},
        },
        "Свойства": {
            "dimensions": {
                "Объект": {"type": ["СправочникСсылка.Товары", "СправочникСсылка.Партнеры", "Строка"], "length": 20}
            },
            "resources": {"Значение": {"type": ["Число", "Строка", "Дата", "Булево"], "length": 10}},
        },
    },
    "enums": {"Виды": ["Новый", "Старый", "Средний"]},
    "constants": {"Граница": NUMBER},
}

CONFIGURATION = Configuration.from_spec(SPEC)


class World:
    """The database with names for its references, and a way to ask it."""

    def __init__(self) -> None:
        self.database = Database(CONFIGURATION, reference_class)
        self.runtime = Runtime(get_dialect("onec"), database=self.database)
        self.refs: dict[str, Reference] = {}

    # -- filling -----------------------------------------------------------------------------------------------------------

    def row(self, path: str, values: dict[str, Any], start: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        meta = CONFIGURATION.find_path(path)
        assert meta is not None
        given = {key.lower(): self.value(value) for key, value in values.items()}
        unknown = set(given) - set(meta.positions)
        assert not unknown, unknown
        rest = meta.fields[len(start) :]
        return start + tuple(given.get(info.name.lower(), self.database.default(info.types)) for info in rest)

    def value(self, value: Any) -> Any:
        return self.refs[value[1:]] if type(value) is str and value.startswith("@") else value

    def add(self, path: str, name: str, sections: dict[str, list[dict[str, Any]]] | None = None, **values: Any) -> Reference:
        table = self.database.references[path]
        ref = self.refs[name] = table.new_reference()
        stored = []
        for section in table.meta.sections:
            rows = (sections or {}).get(section.name, [])
            stored.append(
                tuple(
                    (ref, number, *(self.value(row.get(item.name, self.database.default(item.types))) for item in section.attributes))
                    for number, row in enumerate(rows, 1)
                )
            )
        table.store(ref, self.row(path, values, (ref,)), tuple(stored))
        return ref

    def record(self, register: str, recorder: str, *rows: dict[str, Any]) -> None:
        table = self.database.registers[register]
        ref = self.refs[recorder]
        common = {"Регистратор": ref, "Активность": True}
        table.replace(  # type: ignore[attr-defined]
            ref, tuple(self.row(register, {**common, "НомерСтроки": number, **row}) for number, row in enumerate(rows, 1))
        )

    # -- asking ------------------------------------------------------------------------------------------------------------

    def outcomes(self, text: str, store: TemporaryTables | None = None, **parameters: Any) -> list[Outcome | None]:
        values = {key.lower(): self.value(value) for key, value in parameters.items()}
        return run_batch(text, self.runtime, values, store or TemporaryTables())

    def rows(self, text: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Rows of the last statement, references as ``@name``."""
        outcome = self.outcomes(text, **parameters)[-1]
        assert outcome is not None
        return [tuple(self.shown(value) for value in row) for row in outcome.rows]

    def error(self, text: str, **parameters: Any) -> str:
        """The message that the platform would give; an empty string if the query runs."""
        try:
            self.outcomes(text, **parameters)
        except QueryError as failed:
            return describe(failed, text)
        return ""

    def shown(self, value: Any) -> Any:
        if isinstance(value, Reference):
            if value.id == 0:
                return "@"
            return next(("@" + name for name, ref in self.refs.items() if ref is value), repr(value))
        if isinstance(value, datetime):
            return f"{value:%Y-%m-%d}" + (f" {value:%H:%M:%S}" if (value.hour, value.minute, value.second) != (0, 0, 0) else "")
        if value is NULL:
            return "NULL"
        names = getattr(value, "names", None)
        return names[0] if names else getattr(value, "name", value)


def make_world() -> World:
    """Warehouse, partners, goods in folders, movements of January and February 2026."""
    world = World()
    world.add("Справочник.Склады", "Главный", Наименование="Главный", Код="1")
    world.add("Справочник.Склады", "Запасной", Наименование="Запасной", Код="2")
    world.add("Справочник.Партнеры", "Ромашка", Наименование="ООО Ромашка", Код="1", Город="Псков")
    world.add("Справочник.Партнеры", "Лютик", Наименование="ООО Лютик", Код="2", Город="Ёлкино")
    world.add("Справочник.Партнеры", "Мак", Наименование="ООО Мак", Код="3", Город="псков")
    world.add("Справочник.Договоры", "Д1", Наименование="Д-1", Код="1", Владелец="@Ромашка")
    world.add("Справочник.Договоры", "Д2", Наименование="Д-2", Код="2", Владелец="@Лютик")
    folder = {"ЭтоГруппа": True, "Артикул": NULL, "Вес": NULL, "Поставщик": NULL, "Описание": NULL}
    world.add("Справочник.Товары", "Мебель", Наименование="Мебель", Код="1", **folder)
    world.add("Справочник.Товары", "Столы", Наименование="Столы", Код="2", Родитель="@Мебель", **folder)
    world.add(
        "Справочник.Товары", "Дубовый", Наименование="Стол дубовый", Код="3", Родитель="@Столы", Артикул="A-1", Вес=30,
        Поставщик="@Ромашка", Описание="крепкий",
        sections={"Цены": [{"Вид": "опт", "Цена": 90}, {"Вид": "розница", "Цена": 120}]},
    )  # fmt: skip
    world.add("Справочник.Товары", "Стул", Наименование="Стул", Код="4", Родитель="@Мебель", Артикул="B-2", Вес=5, Поставщик="@Лютик")
    world.add("Справочник.Товары", "Ёлка", Наименование="Ёлка", Код="5", Артикул="a-3", Вес=2)
    world.add(
        "Документ.Поступление", "П1", Номер="1", Дата=datetime(2026, 1, 10), Партнер="@Ромашка", Сумма=1000, Проведен=True,
        sections={"Товары": [{"Товар": "@Дубовый", "Количество": 10, "Сумма": 900}, {"Товар": "@Стул", "Количество": 5, "Сумма": 100}]},
    )  # fmt: skip
    world.add("Документ.Поступление", "П2", Номер="2", Дата=datetime(2026, 2, 1, 9), Партнер="@Лютик", Сумма=500, Проведен=True)
    world.add("Документ.Отгрузка", "О1", Номер="1", Дата=datetime(2026, 1, 20), Партнер="@Лютик", Проведен=True)
    enum = __import__("scoring.engine.metadata.system_enums", fromlist=["RECEIPT"])
    receipt, expense = enum.RECEIPT, enum.EXPENSE
    jan, feb, out = datetime(2026, 1, 10), datetime(2026, 2, 1, 9), datetime(2026, 1, 20)
    world.record(
        "РегистрНакопления.Запасы", "П1",
        {"Период": jan, "ВидДвижения": receipt, "Склад": "@Главный", "Товар": "@Дубовый", "Количество": 10, "Сумма": 900},
        {"Период": jan, "ВидДвижения": receipt, "Склад": "@Главный", "Товар": "@Стул", "Количество": 5, "Сумма": 100},
    )  # fmt: skip
    world.record(
        "РегистрНакопления.Запасы", "П2",
        {"Период": feb, "ВидДвижения": receipt, "Склад": "@Запасной", "Товар": "@Стул", "Количество": 7, "Сумма": 140},
    )  # fmt: skip
    world.record(
        "РегистрНакопления.Запасы", "О1",
        {"Период": out, "ВидДвижения": expense, "Склад": "@Главный", "Товар": "@Дубовый", "Количество": 4, "Сумма": 360},
    )  # fmt: skip
    world.record(
        "РегистрНакопления.Выручка", "О1",
        {"Период": out, "Товар": "@Дубовый", "Партнер": "@Лютик", "Сумма": 600},
        {"Период": out, "Товар": "@Стул", "Партнер": "@Лютик", "Сумма": 50},
        {"Период": out, "Товар": "@Дубовый", "Партнер": "@Мак", "Сумма": 250},
    )  # fmt: skip
    prices = world.database.registers["РегистрСведений.Цены"]
    for day, name, price in ((1, "Дубовый", 100), (15, "Дубовый", 130), (1, "Стул", 20)):
        row = world.row("РегистрСведений.Цены", {"Период": datetime(2026, 1, day), "Товар": "@" + name, "Цена": price})
        prices.put(row)  # type: ignore[attr-defined]
    facts = world.database.registers["РегистрСведений.Свойства"]
    for subject, value in (("@Дубовый", 5), ("@Ромашка", "да"), ("просто", datetime(2026, 3, 1)), ("@Стул", True)):
        facts.put(world.row("РегистрСведений.Свойства", {"Объект": subject, "Значение": value}))  # type: ignore[attr-defined]
    world.database.set_constant("Граница", 7)
    return world
