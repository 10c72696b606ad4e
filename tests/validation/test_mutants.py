"""Mutants: each operator at its node, as a patch of the text; what provably changes nothing is told."""

from __future__ import annotations

import pytest

from scoring.engine.mutation import OPERATORS, mutants_of, parameters_of, unified


def routine(body: str, head: str = "А, Б") -> str:
    lines = "\n".join("\t" + line for line in body.split("\n"))
    return f"Функция Ф({head}) Экспорт\n{lines}\nКонецФункции\n"


def made(code: str, dialect: str = "onescript") -> list[tuple[str, str, str]]:
    """(operator, what stood there, what stands there) without blanks around."""
    text = unified(code)
    return [(patch.operator, text[patch.start : patch.end].strip(), patch.replacement.strip()) for patch in mutants_of(code, dialect)]


QUERY = '''Запрос = Новый Запрос;
Запрос.Текст =
"ВЫБРАТЬ РАЗЛИЧНЫЕ ПЕРВЫЕ 3
|	Товары.Ссылка КАК Товар, // строка с ""кавычками""
|	СУММА(ЕСТЬNULL(Остатки.КоличествоОстаток, 0)) КАК Всего,
|	КОЛИЧЕСТВО(РАЗЛИЧНЫЕ Остатки.Склад) КАК Складов
|ИЗ
|	Справочник.Товары КАК Товары
|		ЛЕВОЕ СОЕДИНЕНИЕ РегистрНакопления.Запасы.Остатки(&Дата, Склад = &Склад) КАК Остатки
|		ПО Товары.Ссылка = Остатки.Товар
|ГДЕ
|	Товары.Наименование <> ""Ёж"" И Товары.Вес >= 10
|СГРУППИРОВАТЬ ПО
|	Товары.Ссылка
|ИМЕЮЩИЕ
|	СУММА(Остатки.КоличествоОстаток) > 5
|УПОРЯДОЧИТЬ ПО
|	Всего УБЫВ, Товар";
Возврат Запрос.Выполнить().Выгрузить();'''


@pytest.mark.parametrize(
    "body, wanted",
    [
        ("Возврат А < Б;", ("boundary", "<", "<=")),
        ("Возврат А < Б;", ("comparison", "<", ">=")),
        ("Возврат А = Б;", ("comparison", "=", "<>")),
        ("Возврат А + Б;", ("arithmetic", "+", "-")),
        ("Возврат А * Б;", ("arithmetic", "*", "/")),
        ("Возврат А % Б;", ("arithmetic", "%", "*")),
        ("Возврат А И Б;", ("logic", "И", "Или")),
        ("Возврат А ИЛИ Б;", ("logic", "ИЛИ", "И")),
        ("Возврат 7;", ("constant", "7", "8")),
        ("Возврат 7;", ("constant", "7", "0")),
        ("Возврат Истина;", ("constant", "Истина", "Ложь")),
        ('Возврат "да";', ("constant", '"да"', '""')),
        ('Возврат "";', ("constant", '""', '"?"')),
        ("А = 1;\nВозврат А;", ("dropped_statement", "А = 1;", "")),
        ("Сообщить(А);\nВозврат А;", ("dropped_statement", "Сообщить(А);", "")),
        ("Если А Тогда Возврат 1; КонецЕсли;\nВозврат 2;", ("removed_guard", "Если А Тогда Возврат 1; КонецЕсли;", "")),
        ("Если А Тогда Возврат 1; Иначе Возврат 2; КонецЕсли;", ("swapped_branch", "Возврат 1; Иначе Возврат 2;", "Возврат 2; Иначе Возврат 1;")),
        ("Возврат ?(А, 1, 2);", ("swapped_branch", "1, 2", "2, 1")),
        ("Если А Тогда Б = 1; КонецЕсли;\nВозврат Б;", ("negated_condition", "А", "НЕ (А)")),
        ("Если НЕ А Тогда Б = 1; КонецЕсли;\nВозврат Б;", ("negated_condition", "НЕ А", "А")),
        ("Если А > Б Тогда Б = 1; КонецЕсли;\nВозврат Б;", ("negated_condition", ">", "<=")),
        ("Пока А Цикл А = Ложь; КонецЦикла;\nВозврат А;", ("negated_condition", "А", "НЕ (А)")),
        ("Для Н = 0 По А Цикл Б = Н; КонецЦикла;\nВозврат Б;", ("off_by_one", "0", "1")),
        ("Для Н = 0 По А Цикл Б = Н; КонецЦикла;\nВозврат Б;", ("off_by_one", "А", "А - 1")),
        ("Для Н = 0 По А - 1 Цикл Б = Н; КонецЦикла;\nВозврат Б;", ("off_by_one", "А - 1", "А")),
        ("Возврат А[Б];", ("off_by_one", "Б", "Б + 1")),
        ("Возврат Макс(А, Б);", ("comparison", "Макс", "Мин")),
        ('А.Сортировать("Ключ Убыв");\nВозврат А;', ("ordering", '"Ключ Убыв"', '"Ключ"')),
        ('А.Сортировать("Ключ");\nВозврат А;', ("ordering", '"Ключ"', '"Ключ Убыв"')),
        ("А.СортироватьПоЗначению(НаправлениеСортировки.Убыв);\nВозврат А;", ("ordering", "Убыв", "Возр")),
        (QUERY, ("aggregate", "СУММА", "МАКСИМУМ")),
        (QUERY, ("aggregate", "РАЗЛИЧНЫЕ", "")),
        (QUERY, ("lost_isnull", "ЕСТЬNULL(Остатки.КоличествоОстаток, 0)", "Остатки.КоличествоОстаток")),
        (QUERY, ("join", "ЛЕВОЕ СОЕДИНЕНИЕ", "ВНУТРЕННЕЕ СОЕДИНЕНИЕ")),
        (QUERY, ("table_parameter", "Склад = &Склад", "")),
        (QUERY, ("table_parameter", "&Дата", "")),
        (QUERY, ("dropped_condition", 'Товары.Наименование <> ""Ёж""', "ИСТИНА")),
        (QUERY, ("dropped_condition", "Товары.Вес >= 10", "ИСТИНА")),
        (QUERY, ("dropped_condition", "СУММА(Остатки.КоличествоОстаток) > 5", "ИСТИНА")),
        (QUERY, ("boundary", ">=", ">")),
        (QUERY, ("constant", "10", "11")),
        (QUERY, ("logic", "И", "ИЛИ")),
        (QUERY, ("ordering", "Всего УБЫВ", "Всего")),
        (QUERY, ("ordering", "Товар", "Товар УБЫВ")),
        (QUERY, ("ordering", ", Товар", "")),
        (QUERY, ("off_by_one", "3", "4")),
        (QUERY, ("dropped_statement", "РАЗЛИЧНЫЕ", "")),
    ],
)
def test_each_operator_changes_its_place(body: str, wanted: tuple[str, str, str]):
    dialect = "onec" if "Запрос" in body else "onescript"
    assert wanted in made(routine(body), dialect)
    assert wanted[0] in OPERATORS


@pytest.mark.parametrize(
    "body, operator",
    [
        ('Возврат А + "рублей";', "arithmetic"),
        ('ВызватьИсключение "так нельзя";', "constant"),
        ("Возврат Новый Массив;", "constant"),
    ],
)
def test_what_would_only_break_the_code_or_a_message_is_left_alone(body: str, operator: str):
    assert operator not in {patch[0] for patch in made(routine(body))}


@pytest.mark.parametrize(
    "body, operator, proof",
    [
        ("Лучший = А;\nЕсли Б > Лучший Тогда\n\tЛучший = Б;\nКонецЕсли;\nВозврат Лучший;", "boundary", "extreme_kept"),
        ("Возврат ?(А < 0, -А, А);", "boundary", "zero_negated"),
        ("Возврат ?(А > 0, А, -А);", "boundary", "zero_negated"),
    ],
)
def test_an_equivalent_mutant_carries_its_proof(body: str, operator: str, proof: str):
    found = [patch for patch in mutants_of(routine(body), "onescript") if patch.operator == operator]
    assert [patch.proof for patch in found] == [proof]


def test_a_condition_that_does_more_than_keep_the_extreme_is_no_equivalent():
    body = "Лучший = А;\nЕсли Б > Лучший Тогда\n\tЛучший = Б;\n\tА = 1;\nКонецЕсли;\nВозврат Лучший + А;"
    assert all(not patch.proof for patch in mutants_of(routine(body), "onescript") if patch.operator == "boundary")


def test_mutants_differ_from_the_text_and_from_each_other():
    code = routine(QUERY)
    results = [patch.apply(unified(code)) for patch in mutants_of(code, "onec")]
    assert len(results) > 20
    assert len(set(results)) == len(results) and unified(code) not in results


def test_line_ends_do_not_move_a_place():
    code = routine("А = 1;\nВозврат А < Б;")
    assert made(code) == made(code.replace("\n", "\r\n"))


def test_a_bound_keeps_every_operator_and_every_part_of_the_text():
    body = "\n".join(f"А = А + {number};\nЕсли А > {number} Тогда Б = {number}; КонецЕсли;" for number in range(2, 30))
    code = routine(body + "\nВозврат А;")
    everything, few = mutants_of(code, "onescript"), mutants_of(code, "onescript", 40)
    assert len(few) == 40
    assert {patch.operator for patch in few} == {patch.operator for patch in everything}
    places = [patch.start / len(code) for patch in few]
    assert min(places) < 0.2 and max(places) > 0.8
    assert few == mutants_of(code, "onescript", 40)


def test_parameters_are_named():
    assert parameters_of(routine("Возврат 1;", "Знач А, Б = 5"), "onescript", "ф") == ["А", "Б"]
    assert parameters_of(routine("Возврат 1;"), "onescript", "нет") == []


def test_a_query_put_together_from_parts_is_left_alone():
    body = 'Текст = "ВЫБРАТЬ Т.Поле ИЗ Справочник.Т КАК Т ГДЕ ";\nВозврат Текст + А;'
    assert not {patch[0] for patch in made(routine(body), "onec")} & {"dropped_condition", "join", "boundary"}
