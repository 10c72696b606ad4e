"""How OneScript 2.0.1 words its errors under the invariant culture: kind → format string over the error's params.

English where that engine has an English text, Russian where it has none, .NET exception texts where it lets one through:
odd as they are, they are its texts.
"""

from __future__ import annotations

_EXTERNAL = "Внешнее исключение "
_OUT_OF_RANGE = _EXTERNAL + "(System.ArgumentOutOfRangeException): "

RUNTIME: dict[str, str] = {
    # objects
    "no_property": "Object property is not found ({name})",
    "no_method": "Method not found ({name})",
    "property_not_writable": "Property '{name}' is not writable",
    "property_not_readable": "Property '{name}' is not readable",
    "not_object": "Value is not of object type",
    "not_indexed": "Value is not of object type",
    "not_iterable": "Iterator is not defined",
    "procedure_as_function": "Procedure called as function",
    "index": "Значение индекса выходит за пределы диапазона",
    "index_read_only": "Индексированное значение доступно только для чтения",
    "collection_modified": _EXTERNAL
    + "(System.InvalidOperationException): Collection was modified; enumeration operation may not execute.",
    "structure_key": "Задано неправильное имя атрибута структуры '{name}'",
    "column_name": "Неверное имя колонки '{name}'",
    # conversions and operators
    "to_number": "{source} Conversion to type 'Number' is not supported",
    "to_boolean": "Conversion to type 'Boolean' is not supported",
    "to_date": "Conversion to type 'Date' is not supported",
    "comparison": "Greater-than/Less-than comparison operations are not supported",
    "comparison_types": "Greater-than/Less-than comparison operations are not supported for {left} <-> {right}",
    "divide_by_zero": "Divide by zero",
    "overflow": _EXTERNAL + "(System.OverflowException): Value was either too large or too small for a Decimal.",
    "overflow_int": _EXTERNAL + "(System.OverflowException): Value was either too large or too small for an Int32.",
    "overflow_long": _EXTERNAL + "(System.OverflowException): Value was either too large or too small for an Int64.",
    "date_add_range": _OUT_OF_RANGE + "Value to add was out of range. (Parameter 'value')",
    "date_months_range": _OUT_OF_RANGE + "Months value must be between +/-120000. (Parameter 'months')",
    "date_range": _OUT_OF_RANGE
    + "The added or subtracted value results in an un-representable DateTime. (Parameter '{parameter}')",
    "date_parts": _OUT_OF_RANGE + "{parts} parameters describe an un-representable DateTime.",
    # calls
    "argument_invalid": "Invalid argument value",
    "argument_value": "Invalid value for argument number {number}",
    "argument_value_text": "Invalid value for argument {value}",
    "argument_type": "Invalid type of argument number {number}",
    "argument_type_name": "Invalid type of argument number {number} '{name}'",
    "argument_type_any": "Invalid type of argument",
    "too_many_arguments": "Too many arguments were passed",
    "too_few_arguments": "Too few arguments were passed",
    "argument_count": "Неверное количество параметров",
    "mandatory_argument": "Missed mandatory parameter",
    "context_value": "Ошибка при вызове метода контекста ({method}): Недопустимое значение параметра (параметр номер '{number}')",
    # types and constructors
    "type_not_defined": "Type is not defined ({name})",
    "type_not_registered": "Type is not registered ({name})",
    "constructor_not_found": "Constructor not found ({name})",
    # texts
    "template": "Ошибка синтаксиса шаблона в позиции {position}",
    "template_number": "Ошибка синтаксиса шаблона в позиции {position}: недопустимый номер подстановки",
    "json_read": "Invalid JSON reader state at line {line} position {position}\n({{{reason}}}    \n)",
    "external": _EXTERNAL + "({exception}): {message}",
    # raising
    "raised": "{message}",
    "raise_outside_handler": "Raise operator may be used without arguments only when handling exception",
    "symbol_not_found": "Symbol not found {name}",
    "dynamic_compile": "{message}",
    "forbidden": "Операция недоступна: {what}",
}

# The same for readers of Russian. Kinds that are left out already speak Russian.
RUSSIAN: dict[str, str] = {
    "no_property": "Свойство объекта не обнаружено ({name})",
    "no_method": "Метод объекта не обнаружен ({name})",
    "property_not_writable": "Свойство '{name}' недоступно для записи",
    "property_not_readable": "Свойство '{name}' недоступно для чтения",
    "not_object": "Значение не является значением объектного типа",
    "not_indexed": "Значение не является значением объектного типа",
    "not_iterable": "Итератор для значения не определен",
    "procedure_as_function": "Обращение к процедуре как к функции",
    "collection_modified": "Коллекция изменена во время обхода",
    "to_number": "Преобразование к типу 'Число' не поддерживается ({source})",
    "to_boolean": "Преобразование к типу 'Булево' не поддерживается",
    "to_date": "Преобразование к типу 'Дата' не поддерживается",
    "comparison": "Сравнение на больше/меньше для данных типов не поддерживается",
    "comparison_types": "Сравнение на больше/меньше для типов {left} и {right} не поддерживается",
    "divide_by_zero": "Деление на 0",
    "overflow": "Число слишком велико",
    "overflow_int": "Число не помещается в 32 разряда",
    "overflow_long": "Число не помещается в 64 разряда",
    "date_add_range": "Прибавляемое к дате число слишком велико",
    "date_months_range": "Число месяцев должно быть от -120000 до 120000",
    "date_range": "Получается дата за пределами допустимых",
    "date_parts": "Такой даты не существует ({parts})",
    "argument_invalid": "Неправильное значение аргумента",
    "argument_value": "Неправильное значение аргумента номер {number}",
    "argument_value_text": "Неправильное значение аргумента {value}",
    "argument_type": "Неправильный тип аргумента номер {number}",
    "argument_type_name": "Неправильный тип аргумента номер {number} '{name}'",
    "argument_type_any": "Неправильный тип аргумента",
    "too_many_arguments": "Передано слишком много параметров",
    "too_few_arguments": "Передано слишком мало параметров",
    "mandatory_argument": "Не указан обязательный параметр",
    "type_not_defined": "Тип не определен ({name})",
    "type_not_registered": "Тип не зарегистрирован ({name})",
    "constructor_not_found": "Конструктор не найден ({name})",
    "json_read": "Ошибка чтения JSON: строка {line}, позиция {position}: {reason}",
    "raise_outside_handler": "Оператор ВызватьИсключение без параметров возможен только при обработке исключения",
    "symbol_not_found": "Неизвестный символ {name}",
}
