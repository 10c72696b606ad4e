"""How 1C:Enterprise 8.3.27 words its errors: kind → format string over the error's params."""

from __future__ import annotations

_ORDER = (
    "Операции сравнения на больше-меньше допустимы только для значений совпадающих примитивных типов "
    "(Булево, Число, Строка, Дата)"
)

RUNTIME: dict[str, str] = {
    # objects
    "no_property": "Поле объекта не обнаружено ({name})",
    "no_method": "Метод объекта не обнаружен ({name})",
    "property_not_writable": "Поле объекта недоступно для записи ({name})",
    "property_value": "Недопустимое значение свойства ({name})",
    "property_not_readable": "Поле объекта недоступно для чтения ({name})",
    "not_object": "Значение не является значением объектного типа ({name})",
    "not_indexed": "Получение элемента по индексу для значения не определено",
    "not_iterable": "Итератор для значения не определен",
    "procedure_as_function": "Обращение к процедуре объекта как к функции ({name})",
    "index": "Индекс находится за границами массива",
    "index_read_only": "Установка элемента по индексу для значения не определена",
    "collection_modified": "Коллекция изменена во время обхода",
    "structure_key": "Задано неправильное имя атрибута структуры '{name}'",
    "column_name": "Недопустимое значение параметра (параметр номер '1')",
    # conversions and operators
    "to_number": "Преобразование значения к типу Число не может быть выполнено",
    "to_boolean": "Преобразование значения к типу Булево не может быть выполнено",
    "to_date": "Преобразование значения к типу Дата не может быть выполнено",
    "to_text": "Преобразование значения к типу Строка не может быть выполнено",
    "comparison": _ORDER,
    "comparison_types": _ORDER,
    "divide_by_zero": "Деление на 0",
    "overflow": "Переполнение арифметической операции",
    "overflow_int": "Переполнение арифметической операции",
    "overflow_long": "Переполнение арифметической операции",
    "date_add_range": "Неправильное значение даты",
    "date_months_range": "Неправильное значение даты",
    "date_range": "Неправильное значение даты",
    "date_parts": "Недопустимое значение параметра (параметр номер '{number}')",
    # calls
    "argument_invalid": "Недопустимое значение параметра",
    "argument_value": "Недопустимое значение параметра (параметр номер '{number}')",
    "argument_value_text": "Недопустимое значение параметра",
    "argument_type": "Несоответствие типов (параметр номер '{number}')",
    "argument_type_name": "Несоответствие типов (параметр номер '{number}')",
    "argument_type_any": "Несоответствие типов",
    "too_many_arguments": "Слишком много фактических параметров",
    "too_few_arguments": "Недостаточно фактических параметров",
    "argument_count": "Недостаточно фактических параметров",
    "mandatory_argument": "Не указан обязательный параметр",
    "context_value": "Недопустимое значение параметра (параметр номер '{number}')",
    # types and constructors
    "type_not_defined": "Тип не определен ({name})",
    "type_not_registered": "Тип не определен ({name})",
    "constructor_not_found": "Конструктор не найден ({name})",
    # texts
    "template": "Ошибка синтаксиса шаблона в позиции {position}",
    "template_number": "Ошибка синтаксиса шаблона в позиции {position}: недопустимый номер подстановки",
    "json_read": "Ошибка чтения JSON: строка {line}, позиция {position}: {reason}",
    "external": "{message}",
    # raising
    "raised": "{message}",
    "raise_outside_handler": "Оператор ВызватьИсключение (Raise) без аргументов может употребляться только при обработке исключения",
    "symbol_not_found": "Переменная не определена ({name})",
    "dynamic_compile": "{message}",
    "forbidden": "Операция недоступна: {what}",
}

# Errors of a call's arguments: 1C puts the called method before them.
CONTEXTUAL = frozenset(
    {
        "argument_invalid",
        "argument_value",
        "argument_value_text",
        "argument_type",
        "argument_type_name",
        "argument_type_any",
        "context_value",
        "column_name",
        "structure_key",
        "index",
        "date_parts",
    }
)
METHOD_CONTEXT = "Ошибка при вызове метода контекста ({name}): {reason}"
CONSTRUCTOR_CONTEXT = "Ошибка при вызове конструктора ({name}): {reason}"
