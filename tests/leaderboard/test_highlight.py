"""Colouring: no text is lost or changed, whatever it is; queries inside strings are found where they stand."""

from __future__ import annotations

import random

import pytest

from scoring import highlight

ODD = [
    "",
    "\n\n",
    "это не код, а проза! (с \"кавычкой",
    'А = "строка\n|вторая\n// и комментарий\n|третья";',
    'А = "не закрыта\nБ = 1;',
    "Д = '20240101'; Е = '2024; Ё = 'плохо';",
    "#Если Сервер Тогда\nА = 1;\n#Иначе\nБ = 2;\n#КонецЕсли\n#Неизвестное",
    "&НаКлиенте\nПроцедура П() КонецПроцедуры ~Метка: Перейти ~Метка;",
    "12abc 1..2 !!! {} \\ @ № \x00 \ufeff \xa0 \u2028",
    "```bsl\nФункция Ф()\n```",
    '"ВЫБРАТЬ * ИЗ Т ГДЕ А = ""б"" И В = &П // к\n|"',
]


def text_of(lines: list[list[highlight.Piece]]) -> str:
    return "\n".join("".join(piece.text for piece in line) for line in lines)


def kind_of(lines: list[list[highlight.Piece]], text: str) -> str:
    return next(piece.kind for line in lines for piece in line if text in piece.text)


@pytest.mark.parametrize("dialect", ["onescript", "onec"])
@pytest.mark.parametrize("text", ODD)
def test_every_character_stays(text, dialect):
    assert text_of(highlight.lines(text, dialect)) == text


def test_line_ends_of_any_kind_count_once():
    assert text_of(highlight.lines("А = 1;\r\nБ = 2;\rВ = 3;", "onec")) == "А = 1;\nБ = 2;\nВ = 3;"


def test_random_texts_stay_as_they_are():
    chance = random.Random(3)
    alphabet = 'АбВ1 "|/#&~\'\n\t;=()[].,?<>!{}Если Тогда ВЫБРАТЬ//'
    for _ in range(400):
        text = "".join(chance.choice(alphabet) for _ in range(chance.randrange(120)))
        assert text_of(highlight.lines(text, "onec")) == text


def test_words_of_the_language_are_told_from_names_in_both_languages():
    lines = highlight.lines('Если Цена > 10.5 Then // да\n\tА = "т";\nEndIf', "onec")
    assert [kind_of(lines, text) for text in ("Если", "Then", "EndIf")] == ["keyword"] * 3
    assert kind_of(lines, "Цена") == "" and kind_of(lines, "10.5") == "number"
    assert kind_of(lines, "// да") == "comment" and kind_of(lines, '"т"') == "string"


def test_what_no_lexer_takes_is_marked_and_the_rest_goes_on():
    lines = highlight.lines("А = 1 ! Если", "onec")
    assert kind_of(lines, "!") == "bad" and kind_of(lines, "Если") == "keyword"


def test_an_open_string_is_marked_up_to_its_line_end():
    lines = highlight.lines('А = "открыта\nЕсли', "onec")
    assert kind_of(lines, "открыта") == "bad" and kind_of(lines, "Если") == "keyword"


def test_queries_are_coloured_inside_their_literals():
    lines = highlight.lines('Т = "ВЫБРАТЬ\n|\tТовары.Цена\n|ИЗ Справочник.Товары ГДЕ Х = &Дата"; Ф = "просто ИЗ";', "onec")
    assert kind_of(lines, "ВЫБРАТЬ") == "query" and kind_of(lines, "&Дата") == "parameter"
    assert kind_of(lines, "просто ИЗ") == "string"


def test_queries_are_found_with_their_line_and_without_bars_and_doubled_quotes():
    code = 'А = 1;\nТ = "ВЫБРАТЬ\n  |  ""а"" КАК Х\n  |ИЗ Т";\nБ = "не запрос";'
    (found,) = highlight.queries(code, "onec")
    assert (found.line, found.text) == (2, 'ВЫБРАТЬ\n  "а" КАК Х\nИЗ Т')


def test_huge_texts_are_shown_plain():
    text = "Если " * 70_000
    lines = highlight.lines(text, "onec")
    assert text_of(lines) == text and lines[0][0].kind == ""
