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

# Statements at which OneScript stops when it passes over a broken header.
COMPOUND = frozenset({"var", "if", "for", "while", "try"})

# Reserved words that close a block or open its next part.
BLOCK_ENDS = frozenset({"endif", "elseif", "else", "enddo", "endprocedure", "endfunction", "endtry", "except"})

# Functions that OneScript's compiler knows as words of the language: before a parenthesis they are no names, so that no
# routine or type may bear them; they are no statements, and their arguments up to the last required one may not be skipped.
CORE_FUNCTIONS = frozenset((
    "булево", "boolean", "число", "number", "строка", "string", "дата", "date", "тип", "type", "типзнч", "typeof",
    "вычислить", "eval", "стрдлина", "strlen", "сокрл", "triml", "сокрп", "trimr", "сокрлп", "trimall", "лев",
    "left", "прав", "right", "сред", "mid", "найти", "find", "врег", "upper", "нрег", "lower", "трег", "title",
    "символ", "char", "кодсимвола", "charcode", "пустаястрока", "isblankstring", "стрзаменить", "strreplace",
    "стрполучитьстроку", "strgetline", "стрчислострок", "strlinecount", "стрчисловхождений", "stroccurrencecount",
    "год", "year", "месяц", "month", "день", "day", "час", "hour", "минута", "minute", "секунда", "second",
    "началогода", "begofyear", "началомесяца", "begofmonth", "началодня", "begofday", "началочаса", "begofhour",
    "началоминуты", "begofminute", "началоквартала", "begofquarter", "началонедели", "begofweek", "конецгода",
    "endofyear", "конецмесяца", "endofmonth", "конецдня", "endofday", "конецчаса", "endofhour", "конецминуты",
    "endofminute", "конецквартала", "endofquarter", "конецнедели", "endofweek", "неделягода", "weekofyear",
    "деньгода", "dayofyear", "деньнедели", "weekday", "добавитьмесяц", "addmonth", "текущаядата", "currentdate",
    "цел", "int", "окр", "round", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "pow", "sqrt",
    "формат", "format", "мин", "min", "макс", "max", "информацияобошибке", "errorinfo", "описаниеошибки",
    "errordescription",
))  # fmt: skip

# Those of them that are types, too.
CORE_TYPES = frozenset({"информацияобошибке", "errorinfo"})
