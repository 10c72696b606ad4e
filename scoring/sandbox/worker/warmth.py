"""Programs that warm the checker: every kind of expression in every place that takes one.

The checker of category A learns which look-ahead settles a decision, and goes on learning with every text.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

_SAMPLES = Path(__file__).with_name("samples")

# The database that the sample ``platform`` runs against.
CONFIGURATION = {
    "catalogs": {
        "Товары": {
            "hierarchical": True,
            "attributes": {"Вес": {"type": "Число", "length": 10, "precision": 3}, "Вид": {"type": "ПеречислениеСсылка.Виды"}},
        },
        "Склады": {},
    },
    "enums": {"Виды": ["Товар", "Услуга"]},
    "documents": {"Приход": {"registers": ["Запасы"]}},
    "accumulation_registers": {
        "Запасы": {
            "register_type": "Balance",
            "dimensions": {"Товар": {"type": "СправочникСсылка.Товары"}, "Склад": {"type": "СправочникСсылка.Склады"}},
            "resources": {"Количество": {"type": "Число", "length": 15, "precision": 3}},
        }
    },
    "information_registers": {
        "Цены": {
            "periodicity": "Day",
            "dimensions": {"Товар": {"type": "СправочникСсылка.Товары"}},
            "resources": {"Цена": {"type": "Число", "length": 15, "precision": 2}},
        }
    },
}
_STOCK = ({"Период": datetime(2026, 1, 10), "Товар": f"Т{i}", "Склад": "Главный", "Количество": i} for i in (1, 2, 3))
FIXTURES = {
    "catalogs": {
        "Товары": [{"ref": f"Т{i}", "Наименование": f"Товар {i}", "Вес": i, "Вид": "Перечисления.Виды.Товар"} for i in (1, 2, 3)],
        "Склады": [{"ref": "Главный", "Наименование": "Главный"}],
    },
    "register_records": {"Запасы": {"registrar": "Приход", "records": list(_STOCK)}},
    "info_records": {"Цены": [{"Период": datetime(2026, 1, 1), "Товар": "Т1", "Цена": 5}]},
}

_OPERANDS = (
    "А", "1", '"т"', "Истина", "Неопределено", "А.Б", "А.Б.В", "А[0]", "А[Б].В", "А[Б][В]", "Ф()", "Ф(А)", "Ф(А, Б)", "А.М()", "А.М(Б)",
    "А.М(Б).В", "А[0].М(Б)", "А.М(Б)[0]", "(А)", "-А", "-1", "Не А", "Не А.М()", "Не Ф(А)", "?(А, Б, В)", "Новый Массив",
    "Новый Массив(1)", 'Новый Структура("К", А)', "Ф(А.Б, 1)", "А.М(Б[В], Ф(Г))", "'20260101'", "Null", "Новый(А)",
)  # fmt: skip
_OPERATORS = ("+", "-", "*", "/", "%", "=", "<>", "<", ">", "<=", ">=", "И", "Или", "И Не", "Или Не")
_PLACES = (
    "А = {};", "А.Б = {};", "А[{}] = 1;", "А[Б].В = {};", "А.М({});", "А.М(1, {});", "Ф({}, 2);", "А[0].М({});", "Возврат {};",
    "Если {} Тогда\nВозврат 1;\nКонецЕсли;", "Если А Тогда\nБ = 1;\nИначеЕсли {} Тогда\nА.М();\nИначе\nБ = 2;\nКонецЕсли;",
    "Пока {} Цикл\nПрервать;\nКонецЦикла;", "Для Сч = {} По {} Цикл\nПродолжить;\nКонецЦикла;",
    "Для Каждого Э Из {} Цикл\nА = Э;\nКонецЦикла;", "ВызватьИсключение {};", "А = Ф(({}) * 2);",
)  # fmt: skip


def sample(name: str) -> str:
    """A text from the folder of samples: ``valid`` (both dialects run it), ``platform`` (needs the database), ``broken``."""
    return (_SAMPLES / f"{name}.bsl").read_text("utf-8")


def programs() -> Iterator[str]:
    """Texts to check: the two samples, then every expression and operator in every place."""
    yield sample("valid")
    yield sample("broken")
    yield _module(place.replace("{}", operand) for place in _PLACES for operand in _OPERANDS)
    yield _module(place.replace("{}", f"А {operator} Б") for place in _PLACES for operator in _OPERATORS)
    yield "Функция Ф()\nВозврат 1;\nКонецФункции"
    yield "Процедура П(А, Знач Б = 1) Экспорт\nКонецПроцедуры\n\nФункция Ф() Экспорт\nКонецФункции\nФ();\nА = 1;\n"
    yield "Перем А; Перем Б Экспорт, В;\nФ();\n"


def _module(statements: Iterator[str]) -> str:
    return "Функция Ф(А, Б)\n" + "\n".join(statements) + "\nКонецФункции\n"
