"""A small trading firm that every test of the platform works in: one object of every kind of metadata."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scoring.engine.errors import BslRuntimeError, NotSupported
from scoring.engine.platform import build_database
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.engine.storage.database import Database

MONEY = {"type": "Число", "length": 15, "precision": 2}
WEIGHT = {"type": "Число", "length": 15, "precision": 3}

SPEC: dict[str, Any] = {
    "defined_types": {"Участник": {"type": ["СправочникСсылка.Лица", "СправочникСсылка.Отделы"]}},
    "catalogs": {
        "Лица": {"attributes": {"Почта": {"type": "Строка", "length": 20}}},
        "Отделы": {"predefined": {"Склад": {"Наименование": "Главный склад", "Код": "С1"}}},
        "Товары": {
            "hierarchical": True,
            "attributes": {
                "Вес": WEIGHT,
                "Вид": {"type": "ПеречислениеСсылка.ВидыТоваров"},
                "Выпущен": {"type": "Дата", "date_parts": "Дата"},
            },
            "tabular_sections": {"Штрихкоды": {"Код": {"type": "Строка", "length": 8}, "Число": {"type": "Число"}}},
        },
        "Партии": {"owners": ["Товары"]},
    },
    "documents": {
        "Поставка": {
            "attributes": {"Кто": {"type": "ОпределяемыйТип.Участник"}},
            "tabular_sections": {"Строки": {"attributes": {"Товар": {"type": "СправочникСсылка.Товары"}, "Вес": WEIGHT}}},
            "registers": ["Запасы", "Сделки", "Курсы"],
        },
        "Операция": {"accounting_registers": ["Учет", "Простой"]},
    },
    "enums": {"ВидыТоваров": ["Сырье", "Изделие"]},
    "constants": {"Название": {"type": "Строка", "length": 5}, "Порог": MONEY},
    "accumulation_registers": {
        "Запасы": {
            "register_type": "Balance",
            "dimensions": {
                "Товар": {"type": "СправочникСсылка.Товары"},
                "Место": {"type": ["СправочникСсылка.Отделы", "Строка"], "length": 10},
            },
            "resources": {"Вес": WEIGHT, "Сумма": MONEY},
            "attributes": {"Примечание": {"type": "Строка", "length": 10}},
        },
        "Сделки": {
            "register_type": "Turnovers",
            "dimensions": {"Товар": {"type": "СправочникСсылка.Товары"}},
            "resources": {"Сумма": MONEY},
        },
    },
    "information_registers": {
        "Цены": {
            "periodicity": "Month",
            "dimensions": {"Товар": {"type": "СправочникСсылка.Товары"}},
            "resources": {"Цена": MONEY},
            "attributes": {"Автор": {"type": "Строка", "length": 10}},
        },
        "Настройки": {"dimensions": {"Ключ": {"type": "Строка", "length": 10}}, "resources": {"Знач": {"type": "Число"}}},
        "Курсы": {
            "periodicity": "Day",
            "write_mode": "RecorderSubordinate",
            "dimensions": {"Валюта": {"type": "Строка", "length": 3}},
            "resources": {"Курс": {"type": "Число", "length": 10, "precision": 4}},
        },
    },
    "chart_of_characteristic_types": {"Аналитики": {"value_types": ["СправочникСсылка.Лица", "СправочникСсылка.Отделы"]}},
    "charts_of_accounts": {"План": {"ext_dimension_types": "Аналитики", "max_ext_dimension_count": 2}, "Малый": {}},
    "accounting_registers": {
        "Учет": {
            "chart_of_accounts": "План",
            "correspondence": True,
            "dimensions": {"Отдел": {"type": "СправочникСсылка.Отделы"}},
            "resources": {"Сумма": MONEY, "Валютная": MONEY | {"balance": False}},
        },
        "Простой": {"chart_of_accounts": "Малый", "correspondence": False},
    },
}

FIXTURES: dict[str, Any] = {
    "catalogs": {
        "Лица": [
            {"ref": "Иван", "Наименование": "Иван", "Почта": "ivan@example.com"},
            {"ref": "Мария", "Наименование": "Мария"},
        ],
        "Отделы": [{"ref": "Цех", "Наименование": "Цех"}],
        "Товары": [
            {"ref": "Металл", "Наименование": "Металл", "isFolder": True},
            {"ref": "Сталь", "Наименование": "Сталь", "parent": "Металл", "isFolder": True},
            {
                "ref": "Болт",
                "Наименование": "Болт",
                "parent": "Сталь",
                "Вес": 1.25,
                "Вид": "Перечисления.ВидыТоваров.Изделие",
                "Штрихкоды": [{"Код": "111", "Число": 2}, {"Код": "222", "Число": 3}],
            },
            {"ref": "Гайка", "Наименование": "Гайка", "parent": "Металл", "Вид": "Перечисления.ВидыТоваров.Сырье"},
            {"ref": "Доска", "Наименование": "Доска", "Выпущен": "2025-12-31"},
        ],
        "Партии": [{"ref": "П1", "Наименование": "Партия", "owner": "Болт"}],
    },
    "characteristics": {
        "Аналитики": [
            {"ref": "ПоЛицам", "Наименование": "Лица", "ТипЗначения": "СправочникСсылка.Лица"},
            {"ref": "ПоОтделам", "Наименование": "Отделы", "ТипЗначения": "СправочникСсылка.Отделы"},
        ]
    },
    "accounts": {
        "План": [
            {"ref": "Касса", "Код": "10", "Наименование": "Касса", "Вид": "Активный"},
            {
                "ref": "Долги",
                "Код": "20",
                "Наименование": "Долги",
                "Вид": "АктивноПассивный",
                "subconto": ["ПоЛицам", "ПоОтделам"],
            },
            {"ref": "Займы", "Код": "30", "Наименование": "Займы", "Вид": "Пассивный", "subconto": ["ПоОтделам"]},
            {"ref": "Займы1", "Код": "30.1", "Наименование": "Займы короткие", "Вид": "Пассивный", "parent": "Займы"},
        ],
        "Малый": [{"ref": "М1", "Код": "1", "Наименование": "Один", "Вид": "Активный"}],
    },
    "register_records": {
        "Запасы": {
            "registrar": "Поставка",
            "records": [
                {"Период": "2026-01-10", "Товар": "Болт", "Место": "Цех", "Вес": 10, "Сумма": 100},
                {"Период": "2026-01-10", "Товар": "Болт", "Место": "двор", "Вес": 4, "Сумма": 40},
                {
                    "Период": "2026-01-20T12:00:00",
                    "Товар": "Болт",
                    "Место": "Двор",
                    "Вес": 4,
                    "Сумма": 40,
                    "ВидДвижения": "Расход",
                },
                {"Период": "2026-02-05", "Товар": "Болт", "Место": "Цех", "Вес": 3, "Сумма": 30.5, "ВидДвижения": "Расход"},
                {"Период": "2026-02-07", "Товар": "Гайка", "Место": "Отделы.Склад", "Вес": 7, "Сумма": 0},
                {"Период": "2026-03-01", "Товар": "Доска", "Место": "Цех", "Вес": 1, "Сумма": 5},
                {"Период": "2026-03-02", "Товар": "Доска", "Место": "Цех", "Вес": 1, "Сумма": 5, "ВидДвижения": "Расход"},
            ],
        },
        "Сделки": {
            "registrar": "Поставка",
            "records": [
                {"Период": "2026-01-31T23:59:59", "Товар": "Болт", "Сумма": 11},
                {"Период": "2026-02-01", "Товар": "Болт", "Сумма": 22},
                {"Период": "2026-02-03", "Товар": "Болт", "Сумма": -22},
                {"Период": "2026-02-28", "Товар": "Гайка", "Сумма": 33},
            ],
        },
    },
    "info_records": {
        "Цены": [
            {"Период": "2026-01-15", "Товар": "Болт", "Цена": 5, "Автор": "А"},
            {"Период": "2026-03-01", "Товар": "Болт", "Цена": 7},
            {"Период": "2026-02-01", "Товар": "Гайка", "Цена": 2},
        ],
        "Настройки": [{"Ключ": "цвет", "Знач": 3}],
    },
    "info_register_records": {
        "Курсы": {
            "registrar": "Поставка",
            "records": [
                {"Период": "2026-01-05T09:30:00", "Валюта": "USD", "Курс": 90.1234},
                {"Период": "2026-01-06", "Валюта": "USD", "Курс": 91},
            ],
        }
    },
    "accounting_records": {
        "Учет": {
            "registrar": "Операция",
            "records": [
                {
                    "Период": "2026-01-10",
                    "СчетДт": "Долги",
                    "СчетКт": "Касса",
                    "Сумма": 100,
                    "ВалютнаяДт": 1,
                    "ВалютнаяКт": 2,
                    "Отдел": "Цех",
                    "СубконтоДт": {"ПоЛицам": "Иван", "ПоОтделам": "Цех"},
                },
                {
                    "Период": "2026-01-20",
                    "СчетДт": "Касса",
                    "СчетКт": "Долги",
                    "Сумма": 150,
                    "Отдел": "Цех",
                    "СубконтоКт": {"ПоЛицам": "Мария", "ПоОтделам": "Цех"},
                },
                {
                    "Период": "2026-02-01",
                    "СчетДт": "Касса",
                    "СчетКт": "Займы1",
                    "Сумма": 500,
                },
            ],
        },
        "Простой": {
            "registrar": "Операция",
            "records": [
                {"Период": "2026-01-10", "Счет": "М1", "ВидДвижения": "Дебет", "Сумма": 9},
                {"Период": "2026-01-11", "Счет": "М1", "ВидДвижения": "Кредит", "Сумма": 4},
            ],
        },
    },
    "constants": {"Название": "Рога и копыта", "Порог": 12.345},
}
FIXTURES["register_records"]["Запасы"]["records"][4]["Место"] = "Справочники.Отделы.Склад"


def make_shop() -> Database:
    return build_database(SPEC, FIXTURES)


@dataclass
class Shop:
    """The database and short ways into it. Every run starts from the same state."""

    database: Database = field(default_factory=make_shop)

    def __getitem__(self, name: str) -> Any:
        """A reference by its name in the fixtures."""
        return self.database.fixture_names[name]

    def run(self, body: str) -> str:
        """The text of what the body of a function returns, or of the error that it ends with."""
        session = Session("onec", database=self.database)
        text = f"Функция Проба() Экспорт\n{body}\nКонецФункции"
        module = session.load(Source(text, "ОбщийМодуль.Проба.Модуль"))
        self.database.savepoint()
        try:
            return str(session.runtime.text(session.call(module, "Проба", [])))
        except BslRuntimeError as error:
            return "! " + session.report(error).message
        except NotSupported as lacking:
            return "? " + lacking.what
        finally:
            self.database.release()

    def table(self, path: str, used: str, *arguments: Any) -> list[dict[str, Any]]:
        """Rows of a virtual table as mappings of the fields in ``used`` (separated by blanks), sorted."""
        relation: Any = self.database.relation(path)
        keywords = [item if isinstance(item, str) else None for item in arguments]
        bound = relation.bind(keywords)
        names = used.split()
        rows = bound.compute(list(arguments), frozenset(name.lower() for name in names))
        places = {info.name: place for place, info in enumerate(bound.fields)}
        found = [{name: row[places[name]] for name in names} for row in rows]
        return sorted(found, key=lambda row: [sort_key(value) for value in row.values()])


def sort_key(value: Any) -> tuple[str, Any]:
    key = getattr(value, "order_key", value)
    return type(value).__name__, str(key) if key is None or not isinstance(key, tuple) else key


def day(text: str) -> datetime:
    return datetime.fromisoformat(text)
