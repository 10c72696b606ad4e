"""Programs with queries, changed in structure the way answers differ; everything is fixed by the seed of the generator.

Two halves: the queries' texts (``_QUERY_CHANGES`` on what stands in a literal), and the code that holds and runs them
(``_CODE_CHANGES``, and statements made up by ``_statement``).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

BANK = Path(__file__).resolve().parents[3] / "tasks" / "b"
_LITERAL = re.compile(r'"(?:[^"\n]|""|\n[ \t]*(?://[^\n]*\n[ \t]*)*\|)*"')
_SELECT = re.compile(r"\b(?:выбрать|select)\b", re.IGNORECASE)
_FIELD = re.compile(r"(?<![\w.&])(?!(?:справочник|документ|план|перечисление|регистр|константа|catalog|последовательность|задача|журнал))([^\W\d]\w*)\.([^\W\d]\w*)(?![\w.(])", re.IGNORECASE)
_ENGLISH = {
    "ВЫБРАТЬ": "SELECT", "ПЕРВЫЕ": "TOP", "РАЗЛИЧНЫЕ": "DISTINCT", "РАЗРЕШЕННЫЕ": "ALLOWED", "ПОМЕСТИТЬ": "INTO", "ИЗ": "FROM",
    "КАК": "AS", "ГДЕ": "WHERE", "И": "AND", "ИЛИ": "OR", "НЕ": "NOT", "ЛЕВОЕ": "LEFT", "ВНУТРЕННЕЕ": "INNER", "СОЕДИНЕНИЕ": "JOIN",
    "ПО": "ON", "ОБЪЕДИНИТЬ": "UNION", "ВСЕ": "ALL", "ИМЕЮЩИЕ": "HAVING", "УБЫВ": "DESC", "Справочник": "Catalog", "Документ": "Document",
    "РегистрНакопления": "AccumulationRegister", "РегистрСведений": "InformationRegister", "Остатки": "Balance", "Обороты": "Turnovers",
    "СрезПоследних": "SliceLast", "Ссылка": "Ref", "СУММА": "SUM", "ВЫБОР": "CASE", "КОГДА": "WHEN", "ТОГДА": "THEN", "ИНАЧЕ": "ELSE",
    "КОНЕЦ": "END", "УПОРЯДОЧИТЬ": "ORDER", "СГРУППИРОВАТЬ": "GROUP", "ЗНАЧЕНИЕ": "VALUE", "ЕСТЬ": "IS", "МЕЖДУ": "BETWEEN",
    "ПОДОБНО": "LIKE", "ЕСТЬNULL": "ISNULL", "УНИЧТОЖИТЬ": "DROP", "В": "IN", "ВЫРАЗИТЬ": "CAST",
}  # fmt: skip

# -- made-up queries ---------------------------------------------------------------------------------------------------------

_VIRTUAL = (
    "РегистрНакопления.Товары.Остатки", "РегистрНакопления.Товары.Обороты", "РегистрНакопления.Товары.ОстаткиИОбороты",
    "РегистрСведений.Цены.СрезПоследних", "РегистрСведений.Цены.СрезПервых", "РегистрБухгалтерии.Учет.Остатки",
    "РегистрБухгалтерии.Учет.ОборотыДтКт", "РегистрБухгалтерии.Учет.Обороты", "РегистрБухгалтерии.Учет.ДвиженияССубконто",
    "AccumulationRegister.Goods.Balance", "InformationRegister.Prices.SliceLast", "РегистрБухгалтерии.Учет.Субконто",
    "Последовательность.П.Границы", "РегистрРасчета.Р.ДанныеГрафика", "РегистрРасчета.Р.ФактическийПериодДействия",
    "Задача.З.ЗадачиПоИсполнителю",
)  # fmt: skip
_REAL = (
    "Справочник.Товары", "Документ.Заказ", "Документ.Заказ.Товары", "Перечисление.Виды", "ПланСчетов.Рабочий", "ВТ", "ВТ_Товары",
    "ПланСчетов.Рабочий.ВидыСубконто", "РегистрСведений.Цены", "РегистрНакопления.Товары", "ПланВидовХарактеристик.Свойства",
    "Catalog.Goods", "Константы", "Константа.Курс", "КритерийОтбора.К(&З)", "&Таблица", "РегистрСведений.Цены.Изменения", "ЖурналДокументов.Ж",
)  # fmt: skip
_PARAMETERS = (
    "", "()", "(,)", "(, )", "(,,,)", "(&Дата)", "(&Дата,)", "(&Дата, )", "(, Товар = &Т)", "(&Дата, Товар = &Т)", "(, Товар В (&Т))",
    "(&Н, &К, Авто, Товар = &Т)", "(&Н, &К, , )", "(, , , Товар.Вид = &В)", "(&Дата, Товар.Ссылка = &Т)", "(&Дата, (Товар, Склад) В (ВЫБРАТЬ Т.А, Т.Б ИЗ ВТ КАК Т))",
    "(, Товар В (ВЫБРАТЬ Т.Ссылка ИЗ Справочник.Товары КАК Т ГДЕ Т.Ссылка.Вид = 1 ИЛИ Т.А = 2))", "(&Н, &К, Месяц)", "(НАЧАЛОПЕРИОДА(&Д, МЕСЯЦ), )",
    "(, ИСТИНА)", "({&Дата})", "({&Дата}, {Товар.*})", "(&Дата {, Товар})", "(, Товар.Владелец.Код = 1 ИЛИ Товар ССЫЛКА Справочник.Товары)", "(,,(Товар) В (&Т))",
)  # fmt: skip
_FIELDS = (
    "{a}.Товар", "{a}.Товар.Вид", "{a}.Товар.Вид.Код", "{a}.Ссылка", "{a}.Ссылка.Код", "{a}.Товар.Ссылка", "{a}.Товар.Ссылка.Вид", "Товар",
    "Товар.Вид.Имя", "ВЫРАЗИТЬ({a}.Товар КАК Справочник.Товары)", "ВЫРАЗИТЬ({a}.Товар КАК Справочник.Товары).Вид", "Ссылка", "Ссылка.Код",
    "ВЫРАЗИТЬ({a}.Товар КАК Справочник.Товары).Вид.Код", "ВЫРАЗИТЬ({a}.Товар.Вид КАК Справочник.Виды).Ссылка", "ЕСТЬNULL({a}.Товар.Вид, 0)",
    "ВЫБОР КОГДА {a}.А = 1 ИЛИ {a}.Товар.Вид = 2 ТОГДА {a}.Ссылка.Код ИНАЧЕ 0 КОНЕЦ", "СУММА({a}.Количество)", "КОЛИЧЕСТВО(РАЗЛИЧНЫЕ {a}.Товар.Вид)",
    "ПРЕДСТАВЛЕНИЕ({a}.Товар)", "ПРЕДСТАВЛЕНИЕ({a}.Товар.Вид)", "ПРЕДСТАВЛЕНИЕССЫЛКИ({a}.Ссылка.Товар)", "ЗНАЧЕНИЕ(Перечисление.Виды.Товар)",
    "ТИПЗНАЧЕНИЯ({a}.Товар.Вид)", "ТИП(Справочник.Товары)", "{a}.Товары.(Товар, Количество)", "{a}.Товары.(Товар.Вид, Ссылка.Код)", "{a}.*", "*",
    "{a}.Количество - {a}.Резерв", "-{a}.Товар.Цена", "&Параметр", "\"строка\"", "ПОДСТРОКА({a}.Товар.Код, 1, 2)", "ГОД({a}.Ссылка.Дата)",
    "ДОБАВИТЬКДАТЕ({a}.Ссылка.Дата, ДЕНЬ, 1)", "РАЗНОСТЬДАТ({a}.Д, &Д, ДЕНЬ)", "МАКСИМУМ({a}.Товар.Вид.Код)", "{a}.Ref", "{a}.Ref.Code", "{a}.Товар.Ref.Code",
    "NULL", "НЕОПРЕДЕЛЕНО", "ДАТАВРЕМЯ(2024, 1, 1)", "{a}.Ссылка.Ссылка", "{a}.Ссылка.Товар.Вид", "{a}.Регистратор.Дата", "СОКРЛП({a}.Товар.Код)",
    "АВТОНОМЕРЗАПИСИ()", "УНИКАЛЬНЫЙИДЕНТИФИКАТОР({a}.Ссылка)", "ИСТИНА", "{a}.Товар.Вид.Ссылка", "ПУСТАЯТАБЛИЦА.(А, Б)",
)  # fmt: skip
_CONDITIONS = (
    "{a}.А = 1", "{a}.Товар.Вид = &В", "{a}.А = 1 ИЛИ {a}.Б = 2", "{a}.А = 1 И ({a}.Б = 2 ИЛИ {a}.В = 3)", "НЕ {a}.Пометка", "НЕ ({a}.А ИЛИ {a}.Б)",
    "{a}.Ссылка = &С", "{a}.Ссылка.Код = &С", "{a}.А В (1, 2)", "{a}.А В (ВЫБРАТЬ Т.Ссылка ИЗ Справочник.Товары КАК Т ГДЕ Т.Ссылка.А ИЛИ Т.Б)",
    "{a}.А В ИЕРАРХИИ (&Г)", "{a}.Товар В ИЕРАРХИИ (ВЫБРАТЬ Г.Ссылка ИЗ Справочник.Г КАК Г)", "{a}.А МЕЖДУ &Н И &К", "{a}.Товар.Код ПОДОБНО \"%а%\"",
    "{a}.А ЕСТЬ NULL", "НЕ {a}.Товар.Вид ЕСТЬ НЕ NULL", "{a}.Товар ССЫЛКА Справочник.Товары", "({a}.Товар, {a}.Склад) В (ВЫБРАТЬ Ж.А, Ж.Б ИЗ ВТ КАК Ж)",
    "ИСТИНА В (ВЫБРАТЬ ПЕРВЫЕ 1 ИСТИНА ИЗ ВТ КАК Ж ГДЕ Ж.А = {a}.Ссылка.Код ИЛИ Ж.Б)", "ВЫБОР КОГДА {a}.А ИЛИ {a}.Б ТОГДА ИСТИНА ИНАЧЕ ЛОЖЬ КОНЕЦ", "ЛОЖЬ ИЛИ ИСТИНА",
    "НЕ {a}.А В (ВЫБРАТЬ ПЕРВЫЕ 5 Ж.А ИЗ ВТ КАК Ж)", "{a}.Ссылка В (ВЫБРАТЬ О.Товар ИЗ РегистрНакопления.Товары.Остатки КАК О)", "{a}.Вид = ЗНАЧЕНИЕ(Перечисление.Виды.А) ИЛИ НЕ {a}.Б",
    "ТИПЗНАЧЕНИЯ({a}.Ссылка.Товар) = ТИП(Справочник.Товары)", "(({a}.А) ИЛИ (({a}.Б)))", "{a}.А = 1 ИЛИ {a}.А = 2 ИЛИ {a}.А = 3", "{a}.А = 1 OR {a}.Ref.Code = 2",
    "СУММА({a}.Кол) > 0 ИЛИ {a}.Товар.Вид.Код = 1", "{a}.А = &П ИЛИ &П = НЕОПРЕДЕЛЕНО", "ЕСТЬNULL({a}.Товар.Ссылка, 0) = 0",
    "{a}.А ПОДОБНО \"1\" СПЕЦСИМВОЛ \"~\"", "&У",
)  # fmt: skip


def _alias(rng: random.Random) -> str:
    return rng.choice(("Т", "О", "Цены", "Товары", "T", "Ссылка", "ВТ", "Заказ"))


def _table(rng: random.Random, depth: int) -> str:
    kind = rng.random()
    if kind < 0.4 or (depth <= 0 and kind > 0.75):
        return rng.choice(_REAL)
    if kind < 0.75:
        return rng.choice(_VIRTUAL) + rng.choice(_PARAMETERS)
    return f"(\n{query(rng, depth - 1, top_level=False)})"


def _source(rng: random.Random, depth: int) -> tuple[str, list[str]]:
    alias = _alias(rng)
    text, aliases = f"{_table(rng, depth)}{rng.choice((' КАК ', ' КАК ', ' КАК ', ' AS ', ' '))}{alias}", [alias]
    if rng.random() < 0.06:
        text, aliases = rng.choice(_REAL), ["Товары"]
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2))):
        other = _alias(rng)
        kind = rng.choice(("ЛЕВОЕ СОЕДИНЕНИЕ", "ВНУТРЕННЕЕ СОЕДИНЕНИЕ", "СОЕДИНЕНИЕ", "ПОЛНОЕ ВНЕШНЕЕ СОЕДИНЕНИЕ", "ПРАВОЕ СОЕДИНЕНИЕ", "LEFT JOIN"))
        condition = rng.choice((f"{alias}.Товар = {other}.Ссылка", _condition(rng, other), f"{alias}.Ссылка.Код = {other}.Код ИЛИ {other}.А"))
        joined = f"{_table(rng, depth)} КАК {other}"
        if rng.random() < 0.15:
            third = _alias(rng)
            joined += f"\n\tЛЕВОЕ СОЕДИНЕНИЕ {_table(rng, depth)} КАК {third} ПО {third}.А = {other}.А"
        text += f"\n\t{kind} {joined}\n\tПО {condition}"
        aliases.append(other)
    if rng.random() < 0.08:
        text += f",\n{_table(rng, depth)} КАК Т2"
    return text, aliases


def _condition(rng: random.Random, alias: str) -> str:
    return rng.choice(_CONDITIONS).format(a=alias)


def _select(rng: random.Random, depth: int) -> str:
    source, aliases = _source(rng, depth)
    words = rng.choice(("", "", "", "", "РАЗЛИЧНЫЕ ", "РАЗРЕШЕННЫЕ ", "ПЕРВЫЕ 1 ", "ПЕРВЫЕ 10 ", "РАЗРЕШЕННЫЕ РАЗЛИЧНЫЕ ПЕРВЫЕ 3 ", "TOP 5 ", "ПЕРВЫЕ 0 "))
    made = [rng.choice(_FIELDS).format(a=rng.choice(aliases)) for _ in range(rng.choice((1, 1, 2, 3)))]
    fields = [one if one.endswith(("*", ")")) and "(" not in one[:3] and rng.random() < 0.5 else f"{one} КАК П{n}" for n, one in enumerate(made)]
    fields = [one.replace("* КАК", "*;")[: one.find("*") + 1] if one.replace(" ", "").startswith("*КАК") or ".* КАК" in one else one for one in fields]
    text = f"ВЫБРАТЬ {words}\n\t" + ",\n\t".join(fields)
    if rng.random() < 0.97:
        text += f"\nИЗ\n\t{source}"
    if rng.random() < 0.5:
        text += "\nГДЕ\n\t" + _condition(rng, rng.choice(aliases))
    if rng.random() < 0.15:
        text += f"\nСГРУППИРОВАТЬ ПО\n\t{aliases[0]}.Товар" + rng.choice(("", ".Вид", ".Ссылка.Код", f",\n\t{aliases[-1]}.Вид"))
    if rng.random() < 0.1:
        text += "\nИМЕЮЩИЕ\n\t" + _condition(rng, rng.choice(aliases))
    return text


def query(rng: random.Random, depth: int = 2, top_level: bool = True) -> str:
    """One made-up query; on top level perhaps into a temporary table, with totals, or a batch."""
    text = _select(rng, depth)
    if top_level and rng.random() < 0.15:
        text = re.sub(r"\nИЗ\n", "\nПОМЕСТИТЬ ВТ\nИЗ\n", text, count=1)
    for _ in range(rng.choice((0, 0, 0, 0, 0, 1, 2))):
        text += rng.choice(("\nОБЪЕДИНИТЬ ВСЕ\n", "\n\nОБЪЕДИНИТЬ\n\n")) + _select(rng, depth - 1)
    if rng.random() < 0.35:
        text += "\nУПОРЯДОЧИТЬ ПО\n\t" + rng.choice(("П0", "П0 УБЫВ", "Т.Товар.Вид", "Т.Ссылка.Код УБЫВ, П0", "Т.Товар.Вид.Код ИЕРАРХИЯ"))
    if top_level:
        ends = ["", "", "", "", "\nАВТОУПОРЯДОЧИВАНИЕ", "\nИТОГИ СУММА(П0) ПО ОБЩИЕ", "\nИТОГИ ПО Товар.Вид.Код"]
        text += rng.choice(ends if "УПОРЯДОЧИТЬ" in text else [*ends, "\nИНДЕКСИРОВАТЬ ПО П0", "\nДЛЯ ИЗМЕНЕНИЯ"])
        if rng.random() < 0.2:
            text += rng.choice((";\n", ";\n\n////////////////////////////////////\n", "\n;\n")) + query(rng, depth)
        if rng.random() < 0.05:
            text += "\n;\nУНИЧТОЖИТЬ ВТ"
    return text


# -- changes of a query's text -----------------------------------------------------------------------------------------------


def _sub_one(rng: random.Random, pattern: str, new: str | Callable[[re.Match[str]], str], text: str) -> str:
    places = list(re.finditer(pattern, text, re.IGNORECASE))
    if not places:
        return text
    match = rng.choice(places)
    return text[: match.start()] + (new if isinstance(new, str) else new(match)) + text[match.end() :]


def _top(rng: random.Random, text: str) -> str:
    return _sub_one(rng, r"\b(?:выбрать|select)\b(?!\s+(?:первые|top|различные|разрешенные|distinct|allowed))", rng.choice(("ВЫБРАТЬ ПЕРВЫЕ 1", "ВЫБРАТЬ ПЕРВЫЕ 7", "ВЫБРАТЬ РАЗЛИЧНЫЕ ПЕРВЫЕ 2", "SELECT TOP 3")), text)


def _or(rng: random.Random, text: str) -> str:
    return _sub_one(rng, r"(?<![\w.])(?:и|and)(?![\w.])", rng.choice(("ИЛИ", "ИЛИ НЕ", "OR")), text)


def _longer(rng: random.Random, text: str) -> str:
    tail = rng.choice((".Вид", ".Ссылка", ".Ссылка.Код", ".Вид.Код", ".Владелец.Ссылка", ".Ref"))
    return _sub_one(rng, _FIELD.pattern, lambda match: match.group() + tail, text)


def _bare(rng: random.Random, text: str) -> str:
    return _sub_one(rng, r"(остатки|обороты|срезпоследних|срезпервых|остаткииобороты)\s*\([^()]*\)", lambda m: m.group(1) + rng.choice(_PARAMETERS), text)


def _unordered(rng: random.Random, text: str) -> str:
    return _sub_one(rng, r"\b(?:упорядочить по|order by)\b[^;)]*", "", text)


def _joined(rng: random.Random, text: str) -> str:
    join = f"\nЛЕВОЕ СОЕДИНЕНИЕ {_table(rng, 1)} КАК Ж ПО Ж.Ссылка = 1"
    return _sub_one(rng, r"\s(?:где|where|сгруппировать|упорядочить)\b", lambda match: join + match.group(), text)


def _condition_added(rng: random.Random, text: str) -> str:
    return _sub_one(rng, r"\b(?:где|where)\b", lambda match: f"{match.group()} {_condition(rng, 'Т')} И ", text)


def _united(rng: random.Random, text: str) -> str:
    if re.search(r"упорядочить|order|итоги|totals|индексировать|изменения|автоупорядочивание", text, re.IGNORECASE):
        return text
    return text + "\nОБЪЕДИНИТЬ ВСЕ\n" + _select(rng, 1)


def _batched(rng: random.Random, text: str) -> str:
    other = query(rng, 1)
    return rng.choice((f"{text};\n{other}", f"{other}\n;\n{text}", f"{text};", f"УНИЧТОЖИТЬ ВТ;\n{text}"))


def _nested(rng: random.Random, text: str) -> str:
    refused = re.search(r";|итоги|totals|поместить|into|индексировать|изменения|автоупорядочивание", text, re.IGNORECASE)
    return text if refused else f"ВЫБРАТЬ Ж.Товар.Вид КАК П ИЗ ({text}) КАК Ж"


def _commented(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    lines[at] += rng.choice((" // комментарий", " // ИЛИ Т.А.Б.В", " // кавычка и ; точка", "//"))
    return "\n".join(lines)


def _english(rng: random.Random, text: str) -> str:
    text = re.sub(r"(СГРУППИРОВАТЬ|УПОРЯДОЧИТЬ|ИНДЕКСИРОВАТЬ|ИТОГИ[^;]*?)(\s+)ПО\b", r"\1\2BY", text)
    return re.sub(r"(?<![.&\w])\w+", lambda match: _ENGLISH.get(match.group(), match.group()) if rng.random() < 0.7 else match.group(), text)


def _cased(rng: random.Random, text: str) -> str:
    return rng.choice((str.lower, str.upper, str.title))(text)


def _spaced(rng: random.Random, text: str) -> str:
    return rng.choice((" ".join(text.split()) if "//" not in text else text, re.sub(r"(?<=\S) (?=\S)", "\n", text), text.replace(".", " . ", 1), "\n" + text, "  " + text))


def _token_lost(rng: random.Random, text: str) -> str:
    return _sub_one(rng, r"\w+|[(),.=]", "", text)


def _token_doubled(rng: random.Random, text: str) -> str:
    return _sub_one(rng, r"\w+|[(),.=]", lambda match: f"{match.group()} {match.group()}", text)


_QUERY_CHANGES: tuple[Callable[[random.Random, str], str], ...] = (
    _top, _or, _longer, _longer, _bare, _unordered, _joined, _joined, _condition_added, _united, _batched, _nested, _commented, _english,
    _cased, _spaced,
)  # fmt: skip
BREAKING: tuple[Callable[[random.Random, str], str], ...] = (_token_lost, _token_doubled)

# -- literals ----------------------------------------------------------------------------------------------------------------


def literal_text(literal: str) -> str:
    """What a literal's text is: without quotes, bars and the code's own comments between its lines."""
    lines = [line for line in literal[1:-1].split("\n") if not line.lstrip().startswith("//")]
    return "\n".join([lines[0], *(line.lstrip().removeprefix("|") for line in lines[1:])]).replace('""', '"')


def literal_of(rng: random.Random, text: str) -> str:
    """A text as an expression: in one literal, in several with ``+``, with comments between its lines."""
    quoted = text.replace('"', '""')
    style = rng.random()
    if style < 0.7:
        return '"' + quoted.replace("\n", rng.choice(("\n|", "\n\t|", "\n\t\t|\t"))) + '"'
    if style < 0.8:
        return '"' + quoted.replace("\n", "\n// строка кода\n\t|", 1).replace("\n", "\n|").replace("\n|// строка кода\n|", "\n// строка кода\n") + '"'
    lines = quoted.split("\n")
    at = rng.randrange(len(lines))
    parts = ["\n|".join(lines[:at]), "\n|".join(lines[at:])]
    return " + ".join(f'"{part}"' for part in parts if part) + rng.choice(("", ' + ""', " + Хвост", ' + " И ИСТИНА"'))


def change_query(rng: random.Random, text: str, changes: tuple[Callable[[random.Random, str], str], ...] = _QUERY_CHANGES) -> str:
    """One query literal of a program, changed."""
    places = [match for match in _LITERAL.finditer(text) if _SELECT.search(match.group())]
    if not places:
        return text
    match = rng.choice(places)
    changed = literal_text(match.group())
    for _ in range(rng.choice((1, 1, 2, 3))):
        changed = rng.choice(changes)(rng, changed)
    return text[: match.start()] + literal_of(rng, changed) + text[match.end() :]


# -- code --------------------------------------------------------------------------------------------------------------------

_LOOPS = (
    ("Для И1 = 1 По 5 Цикл", "КонецЦикла;"), ("Для Каждого Э1 Из Список Цикл", "КонецЦикла;"), ("Пока Истина Цикл", "КонецЦикла;"),
    ("Пока Выборка.Следующий() Цикл", "КонецЦикла;"), ("Для каждого Э1 из З.Выполнить().Выгрузить() Цикл", "КонецЦикла;"),
    ("Пока НЕ З.Выполнить().Пустой() Цикл", "КонецЦикла;"), ("Для И1 = З.Выполнить().Выбрать().Количество() По 5 Цикл", "КонецЦикла;"),
    ("Если Истина Тогда", "КонецЕсли;"), ("Попытка", "Исключение\nВызватьИсключение;\nКонецПопытки;"), ("Если Ложь Тогда\nА = 1;\nИначе", "КонецЕсли;"),
    ("While True Do", "EndDo;"), ("For Each E1 In List Do", "EndDo;"), ("For I1 = 1 To 2 Do", "EndDo;"), ("Если А = 1 Тогда\nИначеЕсли Б Тогда", "КонецЕсли;"),
    ("Попытка\nА = 1;\nИсключение", "КонецПопытки;"), ("#Если Сервер Тогда", "#КонецЕсли"), ("#Область О", "#КонецОбласти"),
)  # fmt: skip
_HOLDERS = ("З", "Запрос", "С.З", "ЭтотОбъект.З", "М[0]", "Q", "зАПРОС", "Данные.Запросы.Первый", "запрос")
_MAKERS = (
    "{h} = Новый Запрос({q});", "{h} = Новый Запрос;\n{h}.Текст = {q};", "{h} = Новый Запрос();\n{h}.Текст = {q};", "{h} = Новый(\"Запрос\");\n{h}.Текст = {q};",
    "{h} = New Query({q});", "{h} = Новый(Тип(\"Запрос\"));", "С = Новый Структура(\"З\", Новый Запрос({q}));", "С.Вставить(\"З\", Новый Запрос({q}));",
    "{h} = НовыйЗапрос({q});", "{h} = Новый ПостроительЗапроса({q});", "{h} = ?(А, Новый Запрос({q}), Новый Запрос);", "{h} = (Новый Запрос({q}));", "Копия = {h};",
    "{h} = Новый Запрос({q} + Хвост);", "ТекстЗапроса = {q};\n{h} = Новый Запрос(ТекстЗапроса);", "{h} = Копия;", "{h} = Новый Структура;", "{h} = Неопределено;", "{h} = 1;",
    "{h} = Новый Query;\n{h}.Text = {q};", "Шаблон = СтрЗаменить({q}, \"А\", \"Б\");", "{h}.Текст = СтрШаблон({q}, 1);", "Запросы.Добавить({q});", "{h} = З1 = Новый Запрос;",
    "Сообщить({q});", "{h} = Новый ОтчетПостроитель;", "{h} = Новый ПостроительОтчета({q});", "{h} = Новый Запрос + Новый Массив;", "{h} = Новый СхемаЗапроса;\n{h}.УстановитьТекстЗапроса({q});",
    "{h} = Справочники.Т.Выбрать() + Новый Запрос({q});", "Запрос = Новый Запрос({q}); {h} = Запрос;", "{h} = Новый Массив;", "Перем1 = {h};\n{h} = Перем1;",
)  # fmt: skip
_RUNS = (
    "Р = {h}.Выполнить();", "Выборка = {h}.Выполнить().Выбрать();", "{h}.Выполнить();", "Р = {h}.ВыполнитьПакет();", "Р = {h}.Execute();", "Т = {h}.Выполнить().Выгрузить();",
    "Если {h}.Выполнить().Пустой() Тогда\nА = 1;\nКонецЕсли;", "Возврат {h}.Выполнить();", "Р = Новый Запрос({q}).Выполнить();", "Р = (Новый Запрос({q})).Выполнить();", "Р = ВыполнитьЗапрос({h});",
    "Выполнить(\"А = 1\");", "Р = {h}.ВЫПОЛНИТЬ();", "Р = Копия.Выполнить();", "Р = А + {h}.Выполнить().Выбрать().Количество();", "Р = {h}.УстановитьПараметр(\"А\", {h}.Выполнить());", "Ф({h}.Выполнить());",
    "Р = {h}.Выполнить;", "Р = {h}.ВыполнитьПакетСПромежуточнымиДанными();", "М[{h}.Выполнить().Выбрать()] = 1;", "Р = ?({h}.Выполнить().Пустой(), 1, 2);", "Р = Не {h}.Выполнить().Пустой();", "Р = Новый Структура(\"А\", {h}.Выполнить());",
    "Р = Запрос.Копия.Выполнить();", "Р = {h}.Найти().Выполнить();", "Р = Ф().Выполнить();", "Р = Запрос[1].Выполнить();", "ВызватьИсключение {h}.Выполнить();", "Р = - {h}.Выполнить();", "А.Б = {h}.Выполнить();", "Р = \"\" + {h}.Выполнить();",
)  # fmt: skip
_DATES = (
    "Д = ТекущаяДата();", "З.УстановитьПараметр(\"Д\", ТекущаяДата());", "Д = CurrentDate();", "Д = ТекущаяДатаСеанса();", "Д = НачалоДня(ТЕКУЩАЯДАТА()) + 1;", "Д = М.ТекущаяДата();", "ТекущаяДата();",
    "Д = \"ТекущаяДата()\";", "Если ТекущаяДата() > Д Тогда\nКонецЕсли;", "Д = ТекущаяДата;", "Д = Формат(ТекущаяДата(), \"ДФ=yyyy\") + Строка(ТекущаяДата());", "Возврат ТекущаяДата();", "ТекущаяДата = 1;", "Д = ТекущаяДата().Год();",
)  # fmt: skip


def _statement(rng: random.Random) -> str:
    holder = rng.choice(_HOLDERS[: rng.choice((2, 9))])
    kind = rng.random()
    if kind < 0.1:
        return rng.choice(_DATES)
    body = rng.choice(_MAKERS if kind < 0.55 else _RUNS)
    return body.format(h=holder, q=literal_of(rng, query(rng)) if rng.random() < 0.85 else rng.choice(("Текст", '""', '"ВЫБРАТЬ 1"', '"не запрос"', "Т1 + Т2")))


def _block(rng: random.Random, depth: int = 3) -> str:
    parts = []
    for _ in range(rng.choice((1, 2, 2, 3, 4))):
        if depth and rng.random() < 0.45:
            opened, closed = rng.choice(_LOOPS)
            parts.append(f"{opened}\n{_block(rng, depth - 1)}\n{closed}")
        else:
            parts.append(_statement(rng))
    return "\n".join(parts)


def _statements(text: str) -> list[tuple[int, int]]:
    """Spans of what stands between semicolons at the ends of lines, outside literals and comments."""
    masked = re.sub(r'"(?:[^"]|"")*"|//[^\n]*', lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    ends = [0, *(match.end() for match in re.finditer(r";[ \t]*\n", masked))]
    return list(zip(ends, ends[1:], strict=False))


def wrap(rng: random.Random, text: str) -> str:
    """Some statements in a loop, a condition or a handler of errors."""
    spans = _statements(text)
    if not spans:
        return text
    first = rng.randrange(len(spans))
    last = min(first + rng.choice((0, 0, 1, 2, 4)), len(spans) - 1)
    start, end = spans[first][0], spans[last][1]
    opened, closed = rng.choice(_LOOPS)
    return f"{text[:start]}{opened}\n{text[start:end]}{closed}\n{text[end:]}"


def unloop(rng: random.Random, text: str) -> str:
    """A loop less, of another kind, or around nothing."""
    changed = _sub_one(rng, r"(?m)^[ \t]*(?:для|пока)\b[^\n]*\bцикл[ \t]*$", rng.choice(("Если Истина Тогда", *(one for one, _ in _LOOPS[:7]))), text)
    if "Если Истина Тогда" in changed and "Если Истина Тогда" not in text:
        changed = _sub_one(rng, r"\bконеццикла\b", "КонецЕсли", changed)
    return changed


def insert(rng: random.Random, text: str) -> str:
    """Made-up statements somewhere between the program's own."""
    spans = _statements(text)
    at = rng.choice(spans)[1] if spans else 0
    return f"{text[:at]}{_block(rng, rng.choice((0, 1, 2)))}\n{text[at:]}"


def moved(rng: random.Random, text: str) -> str:
    """A statement at another place."""
    spans = _statements(text)
    if len(spans) < 2:
        return text
    start, end = rng.choice(spans)
    taken, rest = text[start:end], text[:start] + text[end:]
    spans = _statements(rest)
    at = rng.choice(spans)[1] if spans else 0
    return rest[:at] + taken + rest[at:]


def another_routine(rng: random.Random, text: str) -> str:
    """A routine more, called or not; or code of the module itself."""
    name = rng.choice(("ВыполнитьЗапрос", "НовыйЗапрос", "Ещё"))
    made = f"\nФункция {name}(А, Список)\n{_block(rng)}\nВозврат А;\nКонецФункции\n"
    return rng.choice((text + made, made + text, text + "\n" + _block(rng, 2), f"Перем З, Запрос;\n{text}"))


def renamed(rng: random.Random, text: str) -> str:
    """A word of code replaced by another of its kind."""
    pairs = (("Выполнить", "Execute"), ("Запрос", "Query"), ("ТекущаяДатаСеанса", "ТекущаяДата"), ("Запрос", "З"), ("Запрос", "запрос"), ("Новый Запрос", "Новый ПостроительЗапроса"), ("Выполнить()", "ВыполнитьПакет()"))
    old, new = rng.choice(pairs)
    return _sub_one(rng, rf"\b{re.escape(old)}(?!\w)", new, text)


_CODE_CHANGES: tuple[Callable[[random.Random, str], str], ...] = (
    wrap, wrap, wrap, unloop, insert, insert, moved, another_routine, renamed, change_query, change_query, change_query, change_query,
)  # fmt: skip


def seed_programs() -> list[str]:
    """Our own bank's answers."""
    return [path.read_text("utf-8-sig") for path in sorted(BANK.rglob("*.bsl"))]


def mutated(rng: random.Random, programs: list[str], breaking: bool = False) -> str:
    """One program with one to six changes; ``breaking``: with one that may break a query's text at last."""
    text = rng.choice(programs) if rng.random() < 0.7 else f"Функция Ф(Список) Экспорт\n{_block(rng)}\nКонецФункции\n"
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6))):
        text = rng.choice(_CODE_CHANGES)(rng, text)
    return change_query(rng, text, BREAKING) if breaking else text


def many(count: int, seed: int, programs: list[str] | None = None, breaking: bool = False) -> list[str]:
    """``count`` changed programs, the same for the same ``seed``."""
    rng = random.Random(seed)
    programs = programs or seed_programs()
    return [mutated(rng, programs, breaking) for _ in range(count)]
