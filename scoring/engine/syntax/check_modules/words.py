"""Messages of the compiler and the words that its recovery looks for."""

from __future__ import annotations

LOGICAL_END = "Обнаружено логическое завершение исходного текста модуля"
UNKNOWN_OPERATOR = "Неопознанный оператор"
ONLY_IN_EXPRESSION = "Встроенная функция может быть использована только в выражении. ({name})"
AWAIT_OUTSIDE = "Оператор Ждать (Await) может употребляться только в асинхронных процедурах и функциях"
RAISE_OUTSIDE = "Оператор ВызватьИсключение (Raise) без аргументов может употребляться только при обработке исключения"
NO_IDENTIFIER = "Ожидается идентификатор"
NO_EXPRESSION = "Ожидается выражение"
BAD_EXPRESSION = "Ошибка в выражении"

ENDS = {
    "endif": "Ожидается ключевое слово 'КонецЕсли' ('EndIf')",
    "enddo": "Ожидается ключевое слово 'КонецЦикла' ('EndDo')",
    "endfunction": "Ожидается ключевое слово 'КонецФункции' ('EndFunction')",
    "endprocedure": "Ожидается ключевое слово 'КонецПроцедуры' ('EndProcedure')",
    "endtry": "Ожидается ключевое слово 'КонецПопытки' ('EndTry')",
    "except": "Ожидается ключевое слово 'Исключение' ('Except')",
    "do": "Ожидается ключевое слово 'Цикл' ('Do')",
    "then": "Ожидается ключевое слово 'Тогда' ('Then')",
    "to": "Ожидается ключевое слово 'По' ('To')",
    "in": "Ожидается ключевое слово 'Из' ('In')",
}

STATEMENT_WORDS = frozenset(
    {"if", "for", "while", "try", "return", "break", "continue", "raise", "execute", "goto", "addhandler",
     "removehandler", "await"}
)  # fmt: skip
BLOCK_ENDS = frozenset({"endif", "elseif", "else", "enddo", "endprocedure", "endfunction", "endtry", "except"})
DECLARATIONS = frozenset({"procedure", "function", "var", "async"})
COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})
