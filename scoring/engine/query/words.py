"""The words of the query language: Russian and English spellings of each keyword and function.

Words are contextual in the genuine language: only :data:`RESERVED` ones can't name a field or an alias; all others are
keywords where the grammar looks for them and names elsewhere (``Сумма`` is a column, ``Сумма(`` a function).
"""

from __future__ import annotations

_PAIRS = """
ВЫБРАТЬ SELECT|РАЗРЕШЕННЫЕ ALLOWED|РАЗЛИЧНЫЕ DISTINCT|ПЕРВЫЕ TOP|ПОМЕСТИТЬ INTO|ДОБАВИТЬ ADD|ИЗ FROM|КАК AS|ГДЕ WHERE
СГРУППИРОВАТЬ GROUP|ГРУППИРУЮЩИМ GROUPING|НАБОРАМ SETS|ИМЕЮЩИЕ HAVING|ОБЪЕДИНИТЬ UNION|ВСЕ ALL|УПОРЯДОЧИТЬ ORDER
ВОЗР ASC|УБЫВ DESC|ИЕРАРХИИ HIERARCHY|АВТОУПОРЯДОЧИВАНИЕ AUTOORDER|ИТОГИ TOTALS|ОБЩИЕ OVERALL|ТОЛЬКО ONLY
ПЕРИОДАМИ PERIODS|ДЛЯ FOR|ИЗМЕНЕНИЯ UPDATE|ИНДЕКСИРОВАТЬ INDEX|УНИЧТОЖИТЬ DROP|УНИКАЛЬНО UNIQUE
ЛЕВОЕ LEFT|ПРАВОЕ RIGHT|ПОЛНОЕ FULL|ВНУТРЕННЕЕ INNER|ВНЕШНЕЕ OUTER|СОЕДИНЕНИЕ JOIN
И AND|ИЛИ OR|НЕ NOT|В IN|МЕЖДУ BETWEEN|ПОДОБНО LIKE|СПЕЦСИМВОЛ ESCAPE|ЕСТЬ IS|ССЫЛКА REFS
ВЫБОР CASE|КОГДА WHEN|ТОГДА THEN|ИНАЧЕ ELSE|КОНЕЦ END|ВЫРАЗИТЬ CAST|ИСТИНА TRUE|ЛОЖЬ FALSE|NULL NULL
НЕОПРЕДЕЛЕНО UNDEFINED|ПУСТАЯТАБЛИЦА EMPTYTABLE|ЗНАЧЕНИЕ VALUE|ТИП TYPE
ЧИСЛО NUMBER|СТРОКА STRING|ДАТА DATE|БУЛЕВО BOOLEAN
"""

# Every spelling in upper case → the canonical Russian word.
KEYWORDS: dict[str, str] = {}
for _line in _PAIRS.replace("\n", "|").split("|"):
    if _line.strip():
        _russian, _english = _line.split()
        KEYWORDS[_russian] = KEYWORDS[_english] = _russian
# ПО is both BY and ON; the hierarchy of ordering and totals is spelled in the nominative.
KEYWORDS.update({"ПО": "ПО", "BY": "ПО", "ON": "ПО", "ИЕРАРХИЯ": "ИЕРАРХИИ"})

RESERVED = frozenset(
    word
    for word, canonical in KEYWORDS.items()
    if canonical
    in {
        "ВЫБРАТЬ", "ПОМЕСТИТЬ", "ИЗ", "КАК", "ГДЕ", "СГРУППИРОВАТЬ", "ИМЕЮЩИЕ", "ОБЪЕДИНИТЬ", "УПОРЯДОЧИТЬ", "ИТОГИ",
        "ЛЕВОЕ", "ПРАВОЕ", "ПОЛНОЕ", "ВНУТРЕННЕЕ", "СОЕДИНЕНИЕ", "И", "ИЛИ", "НЕ", "В", "МЕЖДУ", "ПОДОБНО", "ЕСТЬ",
        "ВЫБОР", "КОГДА", "ТОГДА", "ИНАЧЕ", "КОНЕЦ", "ВЫРАЗИТЬ", "ИСТИНА", "ЛОЖЬ", "NULL", "НЕОПРЕДЕЛЕНО", "ПО",
        "АВТОУПОРЯДОЧИВАНИЕ", "ИНДЕКСИРОВАТЬ", "УНИЧТОЖИТЬ", "СПЕЦСИМВОЛ", "ДЛЯ", "РАЗЛИЧНЫЕ", "ПЕРВЫЕ",
    }
)  # fmt: skip

_FUNCTION_PAIRS = """
СУММА SUM|СРЕДНЕЕ AVG|МИНИМУМ MIN|МАКСИМУМ MAX|КОЛИЧЕСТВО COUNT
ЕСТЬNULL ISNULL|ТИПЗНАЧЕНИЯ VALUETYPE|ПРЕДСТАВЛЕНИЕ PRESENTATION|ПРЕДСТАВЛЕНИЕССЫЛКИ REFPRESENTATION
ДАТАВРЕМЯ DATETIME|ГОД YEAR|КВАРТАЛ QUARTER|МЕСЯЦ MONTH|ДЕНЬГОДА DAYOFYEAR|ДЕНЬ DAY|НЕДЕЛЯ WEEK
ДЕНЬНЕДЕЛИ WEEKDAY|ЧАС HOUR|МИНУТА MINUTE|СЕКУНДА SECOND|НАЧАЛОПЕРИОДА BEGINOFPERIOD|КОНЕЦПЕРИОДА ENDOFPERIOD
ДОБАВИТЬКДАТЕ DATEADD|РАЗНОСТЬДАТ DATEDIFF|ПОДСТРОКА SUBSTRING|ДЛИНАСТРОКИ STRINGLENGTH|СОКРЛ TRIML|СОКРП TRIMR
СОКРЛП TRIMALL|ВРЕГ UPPER|НРЕГ LOWER|ЛЕВ LEFT|ПРАВ RIGHT|СТРНАЙТИ STRFIND|СТРЗАМЕНИТЬ STRREPLACE|СТРОКА STRING
ОКР ROUND|ЦЕЛ INT|ACOS ACOS|ASIN ASIN|ATAN ATAN|COS COS|SIN SIN|TAN TAN|EXP EXP|LOG LOG|LOG10 LOG10|POW POW|SQRT SQRT
УНИКАЛЬНЫЙИДЕНТИФИКАТОР UUID|РАЗМЕРХРАНИМЫХДАННЫХ STOREDDATASIZE|АВТОНОМЕРЗАПИСИ RECORDAUTONUMBER
СГРУППИРОВАНОПО GROUPEDBY
"""
FUNCTIONS: dict[str, str] = {}
for _line in _FUNCTION_PAIRS.replace("\n", "|").split("|"):
    if _line.strip():
        _russian, _english = _line.split()
        FUNCTIONS[_russian] = FUNCTIONS[_english] = _russian

AGGREGATES = frozenset({"СУММА", "СРЕДНЕЕ", "МИНИМУМ", "МАКСИМУМ", "КОЛИЧЕСТВО"})

# Parts of dates in functions, totals by periods and periodicity of virtual tables.
PERIODS: dict[str, str] = {
    "СЕКУНДА": "СЕКУНДА", "SECOND": "СЕКУНДА", "МИНУТА": "МИНУТА", "MINUTE": "МИНУТА", "ЧАС": "ЧАС", "HOUR": "ЧАС",
    "ДЕНЬ": "ДЕНЬ", "DAY": "ДЕНЬ", "НЕДЕЛЯ": "НЕДЕЛЯ", "WEEK": "НЕДЕЛЯ", "МЕСЯЦ": "МЕСЯЦ", "MONTH": "МЕСЯЦ",
    "КВАРТАЛ": "КВАРТАЛ", "QUARTER": "КВАРТАЛ", "ГОД": "ГОД", "YEAR": "ГОД", "ДЕКАДА": "ДЕКАДА",
    "TENDAYS": "ДЕКАДА", "ПОЛУГОДИЕ": "ПОЛУГОДИЕ", "HALFYEAR": "ПОЛУГОДИЕ",
}  # fmt: skip
