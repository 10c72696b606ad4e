"""The reserved words of the language, Russian and English, and the operators."""

from __future__ import annotations

# code → (Russian, English)
RESERVED: dict[str, tuple[str, ...]] = {
    "if": ("если", "if"),
    "then": ("тогда", "then"),
    "elseif": ("иначеесли", "elsif"),
    "else": ("иначе", "else"),
    "endif": ("конецесли", "endif"),
    "for": ("для", "for"),
    "each": ("каждого", "each"),
    "in": ("из", "in"),
    "to": ("по", "to"),
    "while": ("пока", "while"),
    "do": ("цикл", "do"),
    "enddo": ("конеццикла", "enddo"),
    "procedure": ("процедура", "procedure"),
    "endprocedure": ("конецпроцедуры", "endprocedure"),
    "function": ("функция", "function"),
    "endfunction": ("конецфункции", "endfunction"),
    "var": ("перем", "var"),
    "export": ("экспорт", "export"),
    "val": ("знач", "val"),
    "return": ("возврат", "return"),
    "break": ("прервать", "break"),
    "continue": ("продолжить", "continue"),
    "try": ("попытка", "try"),
    "except": ("исключение", "except"),
    "endtry": ("конецпопытки", "endtry"),
    "raise": ("вызватьисключение", "raise"),
    "new": ("новый", "new"),
    "execute": ("выполнить", "execute"),
    "goto": ("перейти", "goto"),
    "addhandler": ("добавитьобработчик", "addhandler"),
    "removehandler": ("удалитьобработчик", "removehandler"),
    "async": ("асинх", "async"),
    "await": ("ждать", "await"),
    "and": ("и", "and"),
    "or": ("или", "or"),
    "not": ("не", "not"),
    "true": ("истина", "true"),
    "false": ("ложь", "false"),
    "undefined": ("неопределено", "undefined"),
    "null": ("null",),
}

KEYWORDS: dict[str, str] = {word: code for code, words in RESERVED.items() for word in words}

# Reserved words that are operators or literals, not identifiers: a statement cannot even begin with them.
OPERATOR_WORDS = frozenset({"and", "or", "not"})
LITERAL_WORDS = frozenset({"true", "false", "undefined", "null"})

# Reserved words that close a block or open its next part.
BLOCK_ENDS = frozenset(
    {"endif", "elseif", "else", "enddo", "endprocedure", "endfunction", "endtry", "except"}
)
