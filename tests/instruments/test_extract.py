"""From an answer's text to a module: fences, declarations, entry points, tails, exports."""

from __future__ import annotations

import pytest

from scoring.balance import pair_counts, stripped
from scoring.extract import code_of, entry_point, exported, module_of, routines, without_tail
from scoring.protocol import load_protocol

BODY = "Функция Удвоить(Число)\n\tВозврат Число * 2;\nКонецФункции\n"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (f"Вот код:\n```bsl\n{BODY}```\nГотово.", BODY),
        (f"```1c\n{BODY}```", BODY),
        (f" ```\n{BODY}```", BODY),
        (f"```bsl\n{BODY}```".replace("\n", "\r\n"), BODY),
        (f"\ufeff{BODY}", BODY),
        (f"```bsl\n{BODY}", f"```bsl\n{BODY}"),
        (f"```bsl\n{BODY}```\nи\n```bsl\nвторой\n```", BODY),
        (f"{BODY}```", f"{BODY}```"),
        ("", ""),
        ("```\n```", ""),
    ],
)
def test_the_code_is_the_first_closed_fence_or_the_whole_text(answer: str, code: str):
    assert code_of(answer) == code


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("Функция А()\nКонецФункции\nПроцедура Б()\nКонецПроцедуры", [("А", True), ("Б", False)]),
        ("function A()\nendfunction\nPROCEDURE B(x)\nendprocedure", [("A", True), ("B", False)]),
        ("  Асинх Функция А()\n", [("А", True)]),
        ("// Функция А()\nФункция Б ()", [("Б", True)]),
        ('Т = "\n|Функция А()\n|";', []),
        ("ФункцияА()", []),
        ("Функция 1А()", []),
    ],
)
def test_declarations(code: str, found: list[tuple[str, bool]]):
    assert [(routine.name, routine.is_function) for routine in routines(code)] == found


CODE = "Процедура Помощь()\nКонецПроцедуры\nФункция Первая()\nКонецФункции\nФункция НайтиОстаток()\nКонецФункции\nФункция НайтиВсё()\nКонецФункции"


@pytest.mark.parametrize(
    ("patterns", "procedures", "name"),
    [
        (["Найти\\w*"], False, "НайтиОстаток"),
        (["Остаток", "\\w*Всё", "Найти\\w*"], False, "НайтиВсё"),
        (["найтивсё"], False, "НайтиВсё"),
        (["Нет"], False, "Первая"),
        (["Нет"], True, "Помощь"),
        (["Помощь"], False, "Первая"),
        ([], False, "Первая"),
    ],
)
def test_the_entry_point(patterns: list[str], procedures: bool, name: str):
    routine = entry_point(CODE, patterns, procedures=procedures)
    assert routine is not None and routine.name == name


def test_an_answer_with_procedures_only_has_no_entry_in_a():
    assert entry_point("Процедура А()\nКонецПроцедуры", ["А"], procedures=False) is None


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        (BODY + "Сообщить(Удвоить(2));", BODY.rstrip("\n")),
        (BODY.rstrip("\n") + " Сообщить(1);\nСообщить(2);", BODY.rstrip("\n") + " Сообщить(1);"),
        ("Сообщить(1);", "Сообщить(1);"),
        ("function A()\nendfunction\nA();", "function A()\nendfunction"),
    ],
)
def test_the_tail_after_the_last_routine_goes_by_whole_lines(code: str, kept: str):
    assert without_tail(code) == kept


@pytest.mark.parametrize(
    ("signature", "result"),
    [
        ("Функция А(Б)", "Функция А(Б) Экспорт"),
        ("Функция А(Б) Экспорт", "Функция А(Б) Экспорт"),
        ("Функция А(Б) export // да", "Функция А(Б) export // да"),
        ("Функция А(Б) // Экспорт", "Функция А(Б) Экспорт // Экспорт"),
        ('Функция А(Б = ")", В = "") ', 'Функция А(Б = ")", В = "") Экспорт '),
        ("Функция А(\n\tБ, // первый )\n\tВ)", "Функция А(\n\tБ, // первый )\n\tВ) Экспорт"),
        ("Функция А(Б", "Функция А(Б"),
    ],
)
def test_a_missing_export_is_added_and_no_line_moves(signature: str, result: str):
    before, after = "// шапка\n", "\n\tВозврат 1;\nКонецФункции"
    code = before + signature + after
    assert exported(code, routines(code)[0]) == before + result + after


def test_tests_see_the_trimmed_module_and_the_rest_sees_the_whole():
    module = module_of(BODY + "Удвоить(1);", ["Удвоить"], procedures=False)
    assert module.whole.endswith("Удвоить(1);") and module.tested.startswith("Функция Удвоить(Число) Экспорт")
    assert "Удвоить(1)" not in module.tested


@pytest.mark.parametrize(
    ("text", "left"),
    [('А = "Если"; // Если', "А =  ; "), ("|Если", ""), ('  | Если";', ""), ('А = "Если', "А =  "), ('А = "б""Если"""; Если', "А =  ; Если")],
)
def test_strings_and_comments_do_not_count(text: str, left: str):
    assert stripped(text) == left


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        (BODY, set()),
        ("Функция А()\nЕсли Истина Тогда\nКонецФункции", {"if"}),
        ("функция а()\nпока истина цикл\nконеццикла\nконецфункции\nконецфункции", {"function"}),
        ("function A()\nif true then\nendfunction", {"if"}),
        ("Функция А()\nwhile true do\nКонецФункции", set()),
    ],
)
def test_paired_keywords(text: str, odd: set[str]):
    counts = pair_counts(text, load_protocol().syntax.pairs)
    assert {pair.key for pair in counts if pair.opened != pair.closed} == odd
