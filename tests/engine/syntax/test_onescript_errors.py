"""How OneScript's compiler reads: which error, and where. Places are (line, column) as it reports them.

It reports the place its lexer has got to: behind the faulty token; on a line's end that is the next line, column 0; the
end of the text is the line after the last one, column 1. Behind a string and behind a core function it has already
passed the blanks, and behind the first token of a module's body too.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from scoring.engine.errors import CompileFailed
from scoring.engine.source import Source
from scoring.engine.syntax.parser import parse_module

SYNTAX = "Expression syntax error"
EXPECTED = "Expression expected"
NAME = "Identifier expecting"
SEMICOLON = 'Expecting ";"'
UNKNOWN = "Unknown operation"

PLACES = {
    "behind the faulty token": ("Б = 1;\nБ *= 2;", SYNTAX, (2, 4)),
    "on a line's end the next line's column 0": ("Б = 1;\nБ = ;\nВ = 2;", EXPECTED, (3, 0)),
    "at the end of the text the line after it": ("Процедура П()\nКонецПроцедур", SYNTAX, (3, 1)),
    "a text that ends with its line": ("Процедура П()\nКонецПроцедур\n", SYNTAX, (3, 1)),
    "the last token of the text": ("Процедура П()\n  В = 1;\nКонецФункции", "Expecting symbol: EndProcedure", (4, 0)),
    "the first token of a body: behind the blanks too": ("Тогда = 1;", "Expecting symbol: EndOfText", (1, 7)),
    "and over line ends": ("Иначе\n  В = 1;", "Expecting symbol: EndOfText", (2, 3)),
    "behind a string: over blanks": ('Б = 1;\n"а" = Б;', UNKNOWN, (2, 5)),
    "behind a string: over lines and comments": ('Б = 1\n+ В "а" // к\n  Г = 2;', SEMICOLON, (3, 3)),
    "behind a core function: over blanks": ("Функция Ф() Как Число\n  Возврат 1;\nКонецФункции", SYNTAX, (2, 3)),
    "Прервать: before anything else is read": ("Б = 1;\nПрервать;", "Break operator may be used only within loop", (2, 9)),
    "Продолжить": ("Б = 1;\nПродолжить;", "Continue operator may be used only within loop", (2, 11)),
    "Возврат outside": ("Б = 1;\nВозврат Б;", "Return operator may not be used outside procedure or function", (2, 8)),
    "Ждать: behind its operand": (
        "Процедура П()\n  Ждать Д();\nКонецПроцедуры",
        "Operator Await can be used only in async procedures or functions",
        (3, 0),
    ),
    "an unknown character: at it": ("Б = 1;\nБ = {};", "Неизвестный символ {", (2, 5)),
    "a numeral that is no digit ends a name": ("Б² = 1;", "Неизвестный символ ²", (1, 2)),
    "a letter outside the first plane": ("Б𝐀 = 1;", "Неизвестный символ 𝐀", (1, 2)),
    "an accent of its own": ("Би\u0306 = 1;", "Неизвестный символ \u0306", (1, 3)),
    "a directive's error: at its line's end": ("#Нечто\nБ = 1;", "Directive Нечто is not supported here", (2, 0)),
    # The sources report what a module leaves open; of regions, unlike conditions, that was not seen.
    "a region that nothing closes": ("#Область Б\nБ = 1;", "Preprocessor directive #КонецОбласти expected", None),
    # By the sources, not seen: a sign asks for a number, anything else that is no constant for a constant.
    "a sign before a constant that is no number": ('Процедура П(А = -"1")\nКонецПроцедуры', "Numeric constant expected", None),
    "a sign before no constant": ("Процедура П(А = -Б)\nКонецПроцедуры", "Constant expected", None),
    "a label with something behind it": ("Б = 1;\n~М: Б = 2;\nВ = 3;", "Invalid label definition", (3, 0)),
}

HEADERS = {
    "skips to the wanted word": ("Если Б в (1) Тогда\n  В = 1;\nКонецЕсли;", SYNTAX, (2, 0)),
    "or to the end": ("Если Б\n  В = 1;\nКонецЕсли;", SYNTAX, (4, 1)),
    "or to the next compound statement": ("Пока Б\n  Если В Тогда\n  КонецЕсли;\nКонецЦикла;", SYNTAX, (2, 7)),
    "a step": ("Для Н = 9 По 1 Шаг -2 Цикл\nКонецЦикла;", SYNTAX, (2, 0)),
    "До for По": ("Для Н = 1 До 9 Цикл\nКонецЦикла;", SYNTAX, (3, 1)),
    "no expression at all": ("Если Тогда\nКонецЕсли;", EXPECTED, (2, 0)),
}

NAMES = {
    "reserved words": ("Процедура П(Если)\nКонецПроцедуры", NAME, (1, 17)),
    "a core function before a parenthesis": ("Функция Число(А)\nКонецФункции", NAME, (1, 14)),
    "and as a type": ("А = Новый Строка(5);", NAME, (1, 17)),
    "a comma without a further parameter": ("Процедура П(А, Б,)\nКонецПроцедуры", NAME, (2, 0)),
    "Асинх swallows the next token": ("Асинх = 7;", NAME, (1, 10)),
    "a core function as a statement": ('Б = 1;\nНРег("А");\n(', "Using build-in function as procedure", (2, 5)),
    "Ждать as a name": ("Ждать = 5;", SEMICOLON, (1, 8)),
}

SWALLOWED = {
    "a missing comma between arguments": ("А = Макс(1 2);", None, None),
    "any token for the bracket of an index": ("А = Б[0;\nСообщить(А);", SEMICOLON, (2, 9)),
    "any token for the commas of ?()": ("А = ?(Истина; 1; 2);", None, None),
    "so that two parts miss the third": ("А = ?(1, 2);\nБ = 1;", SYNTAX, (2, 0)),
    "a missing comma between parameters": ("Процедура П(А Б)\nКонецПроцедуры", None, None),
    "a statement that goes on in the next line": ("А = Ф(1,2\nСообщить(А);\nБ = 1;", SYNTAX, (3, 0)),
}

LONE_TOKENS = ["КонецПроцедуры", "Сообщить", "[", ".", "~М", "ВызватьИсключение", "  Если  \n", "5", "Перем А;\nИначе"]


def failure(text: str) -> tuple[str, int, int] | None:
    try:
        parse_module(Source(text), "onescript")
    except CompileFailed as failed:
        found = failed.diagnostics[0]
        return found.message, found.line, found.column
    return None


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [*PLACES.values(), *HEADERS.values(), *NAMES.values(), *SWALLOWED.values()],
    ids=[*PLACES, *HEADERS, *NAMES, *SWALLOWED],
)
def test_reads_as_the_genuine_compiler(text: str, message: str | None, place: tuple[int, int] | None) -> None:
    found = failure(text)
    if message is None:
        assert found is None
        return
    assert found is not None
    assert found[0] == message
    if place is not None:
        assert found[1:] == place


@pytest.mark.parametrize("text", LONE_TOKENS)
def test_a_body_of_one_token_counts_as_empty(text: str) -> None:
    assert failure(text) is None


def test_a_lone_token_with_a_comment_behind_it_is_a_body() -> None:
    assert failure("Сообщить // к") == (SYNTAX, 2, 1)


def test_every_blank_of_net_is_one() -> None:
    assert failure("Б\u3000=\u2003\u20281\x85;\u205f\u1680") is None


def test_a_lone_stranger_is_still_one() -> None:
    assert failure("{") == ("Неизвестный символ {", 1, 1)


def test_a_line_end_of_two_characters_is_no_line_yet() -> None:
    assert failure("Б = 1;\r\nБ = ;\r\nВ = 2;") == (EXPECTED, 2, 6)


def test_a_skipped_directive_of_one_word_hides_that_the_next_line_begins() -> None:
    text = "#Если Нет Тогда\nА = 1;\n#Если Да Тогда\nБ = 2;\n#КонецЕсли\n#КонецЕсли\nВ = 3;"
    found = failure(text)
    assert found is not None
    assert found == ("Недопустимое начало директивы препроцессора", 6, 1)
    assert failure(text.replace("#КонецЕсли\n#", "#КонецЕсли\n\n#")) is None


WHOLE = """&А(1, б = "в", г) &Д
Перем Е Экспорт;
#Если Сервер Тогда
&Ж("з")
Функция И1(Знач К, &Л М = -1) Экспорт
  Попытка
    Для Каждого Н Из О.П[К](М, , 2) Цикл Р = ?(НЕ М, Новый С(1), '20240131') + "а
    |б"; КонецЦикла;
  Исключение
    ВызватьИсключение;
  КонецПопытки;
  Если М Тогда Возврат 1; ИначеЕсли К = 2.5 Тогда Перейти ~Т; Иначе Выполнить("У"); КонецЕсли;
КонецФункции
#КонецЕсли
"""


@pytest.mark.parametrize("dialect", ["onescript", "onec"])
def test_a_text_cut_anywhere_is_read_or_refused_but_never_a_fault(dialect: str) -> None:
    for size in range(len(WHOLE) + 1):
        with suppress(CompileFailed):
            parse_module(Source(WHOLE[:size]), dialect)


def test_an_annotation_that_nothing_closes() -> None:
    assert failure("&А(") is not None
    assert failure("&А(1, Б\nПерем В;") is not None
