"""A specification with something of every kind that a task can have: what the self-tests make a dump of."""

from __future__ import annotations

from typing import Any

MONEY = {"type": "Число", "length": 15, "precision": 2}
SAMPLE: dict[str, Any] = {
    "constants": {"ОсновнойСклад": {"type": "СправочникСсылка.Склады"}, "Подпись": {"type": "Строка", "length": 50, "synonym": "Чья подпись"}},
    "catalogs": {
        "Склады": {"hierarchical": False, "code_type": "Число", "code_length": 5, "description_length": 40, "predefined": ["Главный"]},
        "Товары": {
            "hierarchical": True,
            "synonym": "Товары и услуги",
            "attributes": {
                "Вес": {"type": "Число", "length": 10, "precision": 3, "nonnegative": True},
                "Артикул": {"type": "Строка", "length": 12, "fixed_length": True},
                "Описание": {"type": "Строка"},
                "Годен": {"type": "Дата", "date_parts": "Date"},
                "Вид": {"type": "ПеречислениеСсылка.Виды", "synonym": "Вид товара"},
                "Основание": {"type": ["ДокументСсылка.Заказ", "СправочникСсылка.Склады", "Строка"], "length": 50},
            },
            "tabular_sections": {"Штрихкоды": {"Код": {"type": "Строка", "length": 13}, "Основной": {"type": "Булево"}}},
            "predefined": {"Услуги": {"Наименование": "Наши услуги", "ЭтоГруппа": True}, "Доставка": {"Код": "000000007", "Родитель": "Услуги"}},
        },
        "Цены": {"hierarchical": True, "hierarchy_type": "items", "owners": ["Товары"]},
    },
    "documents": {
        "Заказ": {
            "attributes": {"Склад": {"type": "СправочникСсылка.Склады"}},
            "tabular_sections": {"Товары": {"attributes": {"Товар": {"type": "СправочникСсылка.Товары"}, "Сумма": MONEY}}},
            "registers": ["Запасы", "Продажи", "Состояния"],
        },
        "Проводка": {"accounting_registers": ["Учет"]},
    },
    "enums": {"Виды": ["Товар", "Услуга"]},
    "information_registers": {
        "Курсы": {
            "periodicity": "Day", "dimensions": {"Товар": {"type": "СправочникСсылка.Товары"}},
            "resources": {"Курс": {"type": "Число", "length": 10, "precision": 4}}, "attributes": {"Кем": {"type": "Строка", "length": 20}},
        },
        "Состояния": {"write_mode": "RecorderSubordinate", "dimensions": {"Заказ": {"type": "ДокументСсылка.Заказ"}}, "resources": {"Когда": {"type": "Дата"}}},
        "Свойства": {
            "dimensions": {"Свойство": {"type": "ПланВидовХарактеристикСсылка.Свойства"}},
            "resources": {"Значение": {"type": "Характеристика.Свойства"}},
        },
    },
    "accumulation_registers": {
        "Запасы": {"register_type": "Balance", "dimensions": {"Склад": {"type": "СправочникСсылка.Склады"}}, "resources": {"Количество": MONEY}},
        "Продажи": {"register_type": "Turnovers", "dimensions": {"Товар": {"type": "СправочникСсылка.Товары"}}, "resources": {"Сумма": MONEY}},
    },
    "chart_of_characteristic_types": {
        "Свойства": {"value_types": ["Число", "Строка", "Булево", "СправочникСсылка.Склады"], "predefined": ["Цвет"]},
        "ВидыСубконто": {"value_types": ["СправочникСсылка.Товары"]},
    },
    "charts_of_accounts": {
        "Рабочий": {"ext_dimension_types": "ВидыСубконто", "max_ext_dimension_count": 2, "predefined": {"Касса": {"Код": "50", "Вид": "ВидСчета.Активный"}}},
    },
    "accounting_registers": {"Учет": {"chart_of_accounts": "Рабочий", "correspondence": True, "dimensions": {"Склад": {"type": "СправочникСсылка.Склады"}}}},
}  # fmt: skip
