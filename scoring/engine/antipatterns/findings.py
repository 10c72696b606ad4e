"""What a finding is, and the words for each."""

from __future__ import annotations

from dataclasses import dataclass

MESSAGES: dict[str, str] = {
    "CreateQueryInCycle": "Запрос выполняется в цикле",
    "DeprecatedCurrentDate": "Вместо ТекущаяДата() на сервере берут ТекущаяДатаСеанса()",
    "JoinWithSubQuery": "Соединение с вложенным запросом",
    "JoinWithVirtualTable": "Соединение с виртуальной таблицей",
    "LogicalOrInTheWhereSectionOfQuery": "ИЛИ в предложении ГДЕ мешает использовать индексы",
    "QueryNestedFieldsByDot": "Поле получено через несколько точек: неявные соединения",
    "RefOveruse": "Лишнее обращение к полю Ссылка",
    "SelectTopWithoutOrderBy": "ПЕРВЫЕ без УПОРЯДОЧИТЬ ПО: порядок не определён",
    "VirtualTableCallWithoutParameters": "Виртуальная таблица без параметров читается целиком",
}


@dataclass(frozen=True, slots=True)
class AntiPattern:
    """One finding: the diagnostic's name and the place in the module, from 1."""

    code: str
    line: int
    column: int

    @property
    def message(self) -> str:
        return MESSAGES[self.code]
