"""Single facts of the syntax oracle, each with the lines that the genuine tool gives."""

from __future__ import annotations

import pytest

from scoring.engine.syntax.bsl_parser import analyse, prediction, root_cause_lines


def body(*lines: str) -> str:
    """A function with ``lines`` from line 2 on."""
    return "\n".join(("Функция Ф(А)", *lines, "КонецФункции"))


CLEAN = {
    "a semicolon may be missing": body("Б = 1", "В = 2", "Возврат Б"),
    "unknown characters are hidden": body("Б = 1!;", "В = {2};", "Г\u00a0= 3;"),
    "one superfluous token is dropped": body("Если А Тогда Тогда", "КонецЕсли;"),
    "and a stray name between parameters": "Процедура П(А Б)\nКонецПроцедуры",
    "names, arity and types are not checked": body("Возврат НетТакой(А, 1, 2, 3) + Новый НетТипа();"),
    "a keyword after a dot is a name": body("Возврат А.Если.Тогда();"),
    "strings may stand side by side": body('Б = "а" "б";'),
    "a string over lines, a comment line inside": body('Б = "а', "// в", '|б";'),
    "English and Russian words mixed": "Function F() Возврат 1; EndFunction",
    "statements after the routines": body("Возврат А;") + "\nСообщить(Ф(1));",
    "an empty text": "",
    "a byte order mark": "\ufeffА = 1;",
}

BROKEN = {
    "И is a word of the language": (body("И = 1;"), {2}),
    "a step in a loop": (body("Для Н = 10 По 1 Шаг -1 Цикл", "КонецЦикла;"), {2}),
    "an increment": (body("А += 1;"), {2}),
    "a doubled plus": (body("А++;"), {2}),
    "an inflected Каждого": (body("Для Каждое Э Из А Цикл", "КонецЦикла;"), {2}),
    "an assignment of Pascal": (body("А := 5;"), {2}),
    "a list literal": (body("А = [1, 2];"), {2}),
}


@pytest.mark.parametrize("text", CLEAN.values(), ids=CLEAN.keys())
def test_is_no_error(text: str) -> None:
    assert root_cause_lines(text) == ((), ())


@pytest.mark.parametrize(("text", "lines"), BROKEN.values(), ids=BROKEN.keys())
def test_is_an_error_at(text: str, lines: set[int]) -> None:
    errors, blockers = root_cause_lines(text)
    assert set(errors) == lines
    assert blockers == ()


def test_a_procedure_that_returns_a_value_is_a_blocker_at_the_statement() -> None:
    text = "Процедура П()\n    Если Истина Тогда\n        Возврат 5;\n    КонецЕсли;\n    Возврат;\nКонецПроцедуры"
    assert root_cause_lines(text) == ((), (3,))


def test_a_function_may_return_what_it_likes() -> None:
    assert root_cause_lines(body("Возврат 5;")) == ((), ())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_for_every_line_end(end: str) -> None:
    assert set(analyse(end.join(("А = 1;", "Б = 2;", "В = ;;"))).parse_error_lines) == {3}


def test_an_error_at_the_end_of_the_text_is_placed_where_its_rule_began() -> None:
    (message,) = analyse("А = 1;\nБ = ").messages
    assert (message.line, message.column) == (1, 1)
    assert "конец текста" in message.text


def test_a_missing_token_is_placed_where_its_rule_began() -> None:
    (message,) = analyse("А = 1;\nПроцедура (А)\nКонецПроцедуры").messages
    assert (message.kind, message.line, message.column) == ("missing_token", 2, 1)


def test_messages_name_the_token_and_what_was_expected() -> None:
    (message,) = analyse("Функция Ф(А,)\nКонецФункции").messages
    assert (message.line, message.column, message.token) == (1, 13, ")")
    assert message.text == "Неожиданно: ). Ожидается: '&', знач, имя"


BALANCE = {
    "missing end of a function": ("Функция Ф()\nВозврат 1;", {"Функция"}),
    "words in strings and comments do not count": ('Если А Тогда // Если\nБ = "Если";\nКонецЕсли;', set()),
    "a continued string is string from its bar on": ('Б = "а\n| Если Цикл\n| б";', set()),
    "ИначеЕсли is a word of its own": ("Если А Тогда ИначеЕсли Б Тогда КонецЕсли", set()),
    "every pair is told": ("Цикл Цикл КонецЦикла Попытка", {"Цикл", "Попытка"}),
    "English pairs without Russian words": ("Function F()\nIf A Then EndIf;", {"Function"}),
    "English words beside Russian ones are not counted": ("Функция Ф() If КонецФункции", set()),
    "lower case": ("функция ф() конецфункции", set()),
}


@pytest.mark.parametrize(("text", "pairs"), BALANCE.values(), ids=BALANCE.keys())
def test_balance(text: str, pairs: set[str]) -> None:
    findings = analyse(text)
    assert {i.opener for i in findings.imbalances} == pairs
    assert findings.balanced is not bool(pairs)


DEEP = ["А = " + "(" * 2000 + "1" + ")" * 2000 + ";", "А[" * 2000, "Если А Тогда\n" * 1000, "И " * 5000, "#Если " * 2000]


@pytest.mark.parametrize("text", DEEP, ids=["brackets", "indexes", "blocks", "words", "directives"])
def test_deep_nesting_is_read_without_recursion(text: str) -> None:
    assert analyse(text) == analyse(text)


def test_forgetting_what_was_learnt_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text, _ in BROKEN.values()] + list(CLEAN.values())
    learnt = [analyse(text) for text in texts]
    monkeypatch.setattr(prediction, "_STATES_KEPT", 1)
    assert [analyse(text) for text in texts] == learnt
