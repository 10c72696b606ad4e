"""The nine static diagnostics: what fires, what does not, and where."""

from __future__ import annotations

import pytest

from scoring.engine.antipatterns import find_antipatterns
from scoring.protocol import load_protocol


def codes(body: str) -> list[str]:
    return [found.code for found in find_antipatterns(f"Функция Ф(А) Экспорт\n{body}\nКонецФункции")]


def query(text: str) -> list[str]:
    return codes('З = Новый Запрос("' + text.replace('"', '""').replace("\n", "\n|") + '");')


OR, BARE, NESTED, REF = (
    "LogicalOrInTheWhereSectionOfQuery", "VirtualTableCallWithoutParameters", "QueryNestedFieldsByDot", "RefOveruse",
)  # fmt: skip
STOCK = "РегистрНакопления.Товары.Остатки"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ВЫБРАТЬ Т.А ИЗ Справочник.Т КАК Т ГДЕ Т.А = 1 И Т.Б = 2", []),
        ("ВЫБРАТЬ Т.А ИЗ Справочник.Т КАК Т ГДЕ Т.А = 1 ИЛИ Т.Б = 2", [OR]),
        ("SELECT Т.А FROM Справочник.Т AS Т WHERE Т.А = 1 AND (Т.Б = 2 OR Т.В = 3)", [OR]),
        ("ВЫБРАТЬ Т.А ИЗ Справочник.Т КАК Т ГДЕ Т.А В (ВЫБРАТЬ Б.А ИЗ Справочник.Б КАК Б ГДЕ Б.А = 1 ИЛИ Б.А = 2)", [OR]),
        ("ВЫБРАТЬ ВЫБОР КОГДА Т.А = 1 ИЛИ Т.А = 2 ТОГДА 1 КОНЕЦ КАК А ИЗ Справочник.Т КАК Т", []),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(, А = 1 ИЛИ А = 2) КАК О", []),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK} КАК О", [BARE]),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}() КАК О", [BARE]),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(,) КАК О", [BARE]),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(&Дата) КАК О", []),
        ("SELECT T.A FROM AccumulationRegister.Goods.Balance AS T", [BARE]),
        ("ВЫБРАТЬ Д.А ИЗ Документ.Заказ.Товары КАК Д", []),
        (f"ВЫБРАТЬ О.А ИЗ Справочник.Т КАК Т ЛЕВОЕ СОЕДИНЕНИЕ {STOCK}(&Д) КАК О ПО О.А = Т.А", ["JoinWithVirtualTable"]),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(&Д) КАК О ВНУТРЕННЕЕ СОЕДИНЕНИЕ Справочник.Т КАК Т ПО О.А = Т.А", ["JoinWithVirtualTable"]),
        ("ВЫБРАТЬ Т.А ИЗ Справочник.Т КАК Т ЛЕВОЕ СОЕДИНЕНИЕ (ВЫБРАТЬ Б.А КАК А ИЗ Справочник.Б КАК Б) КАК П ПО П.А = Т.А", ["JoinWithSubQuery"]),
        ("ВЫБРАТЬ П.А ИЗ (ВЫБРАТЬ Б.А КАК А ИЗ Справочник.Б КАК Б) КАК П", []),
        ("ВЫБРАТЬ Т.Владелец.Код ИЗ Справочник.Т КАК Т", [NESTED]),
        ("ВЫБРАТЬ Т.Код ИЗ Справочник.Т КАК Т ГДЕ Т.Владелец.Код = 1", [NESTED]),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(, А.Владелец.Код = 1) КАК О", [NESTED]),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(, А.Код = 1) КАК О", [NESTED]),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(, А = 1) КАК О", []),
        (f"ВЫБРАТЬ О.А ИЗ {STOCK}(&Дата, ) КАК О", [BARE]),
        ("ВЫБРАТЬ Т.Код ИЗ Справочник.Т КАК Т ГДЕ Т.Вид = ЗНАЧЕНИЕ(Перечисление.Виды.Товар)", []),
        ("ВЫБРАТЬ Т.Владелец.Ссылка ИЗ Справочник.Т КАК Т", [NESTED, REF]),
        ("ВЫБРАТЬ Т.Ссылка.Код ИЗ Справочник.Т КАК Т", [NESTED, REF]),
        ("ВЫБРАТЬ Т.Ссылка.Код ИЗ Документ.Т.Строки КАК Т", [NESTED]),
        ("ВЫБРАТЬ Т.Ссылка ИЗ Справочник.Т КАК Т", []),
        ("ВЫБРАТЬ ПЕРВЫЕ 5 Т.Код ИЗ Справочник.Т КАК Т", ["SelectTopWithoutOrderBy"]),
        ("ВЫБРАТЬ ПЕРВЫЕ 5 Т.Код ИЗ Справочник.Т КАК Т УПОРЯДОЧИТЬ ПО Т.Код", []),
        ("ВЫБРАТЬ ПЕРВЫЕ 1 Т.Код ИЗ Справочник.Т КАК Т", []),
        ("ВЫБРАТЬ ПЕРВЫЕ 1 Т.Код КАК К ИЗ Справочник.Т КАК Т ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ Т.Код ИЗ Справочник.Т КАК Т", ["SelectTopWithoutOrderBy"]),
        ("ВЫБРАТЬ Т.А ИЗ Справочник.Т КАК Т ГДЕ НЕТТАКОЙ(Т.А) ИЛИ Т.Б", []),
        ("ВЫБРАТЬ Т.А ИЗ ГДЕ ИЛИ", []),
        ("Не запрос: ВЫБРАТЬ Т.А ГДЕ А ИЛИ Б", []),
    ],
)  # fmt: skip
def test_patterns_of_queries(text: str, expected: list[str]):
    assert query(text) == expected


LOOP = "CreateQueryInCycle"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("З = Новый Запрос;\nДля Сч = 1 По 2 Цикл\nЗ.Выполнить();\nКонецЦикла;", [LOOP]),
        ("З = Новый Запрос;\nДля Каждого Э Из А Цикл\nР = З.Выполнить().Выбрать();\nКонецЦикла;", [LOOP]),
        ("Пока А Цикл\nР = Новый Запрос(Т).Выполнить();\nКонецЦикла;", []),
        ("З = Новый Запрос;\nПока З.Выполнить().Пустой() Цикл\nКонецЦикла;", [LOOP]),
        ("Для Сч = 1 По 2 Цикл\nДля Ж = 1 По 2 Цикл\nЗ = Новый Query;\nЗ.Execute();\nКонецЦикла;\nКонецЦикла;", [LOOP]),
        ("З = Новый Запрос;\nР = З.Выполнить();\nДля Сч = 1 По 2 Цикл\nА = 1;\nКонецЦикла;", []),
        ("Для Сч = 1 По 2 Цикл\nА.Выполнить();\nКонецЦикла;", []),
        ("Б = ТекущаяДата();", ["DeprecatedCurrentDate"]),
        ("Б = ТекущаяДатаСеанса();", []),
        ("Б = А.ТекущаяДата();", []),
    ],
)
def test_patterns_of_modules(body: str, expected: list[str]):
    assert codes(body) == expected


def test_a_finding_knows_its_place():
    text = 'Функция Ф() Экспорт\n\tТ = "ВЫБРАТЬ\n\t|Т.А ИЗ Справочник.Т КАК Т\n\t|ГДЕ Т.А ИЛИ Т.Б";\nКонецФункции'
    (found,) = find_antipatterns(text)
    assert (found.line, found.code) == (4, OR)


def test_a_module_that_does_not_parse_has_no_findings():
    assert find_antipatterns("Функция (") == []


def test_the_protocol_has_words_for_everything_it_weighs():
    rules = load_protocol().optimization
    assert rules.static_weights.keys() == rules.static_labels.keys()


# -- by the genuine server's own answers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The rule knows Ссылка and Reference, not Ref.
        ("ВЫБРАТЬ Т.Ref.Code КАК А ИЗ Справочник.Т КАК Т", [NESTED]),
        ("ВЫБРАТЬ Т.Reference.Code КАК А ИЗ Справочник.Т КАК Т", [NESTED, REF]),
        # Columns of parameters and of a nested query's order belong to the query around them, those of a nested table to none.
        (f"ВЫБРАТЬ О.А КАК А ИЗ {STOCK}(, Товар.Ссылка = &Т) КАК О", [NESTED, REF]),
        ("ВЫБРАТЬ Ж.А КАК А ИЗ (ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Т КАК Т УПОРЯДОЧИТЬ ПО Т.Ссылка.Код) КАК Ж", [NESTED, REF]),
        ("ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Т КАК Т УПОРЯДОЧИТЬ ПО Т.Ссылка.Код", [NESTED]),
        ("ВЫБРАТЬ Т.Строки.(Товар.Ссылка) КАК А ИЗ Документ.Т КАК Т", []),
        # After a nested query a parameter's fields count as fields of a query again.
        (f"ВЫБРАТЬ О.А КАК А ИЗ {STOCK}(, А В (ВЫБРАТЬ Б.А ИЗ ВТ КАК Б) И Вид.Код = 1) КАК О", []),
        # Every ИЛИ counts, also that of a choice within the condition.
        ("ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Т КАК Т ГДЕ Т.А = 1 ИЛИ Т.А = 2 ИЛИ Т.А = 3", [OR, OR]),
        # Totals are looked at; an order anywhere in the query orders its ПЕРВЫЕ.
        ("ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Т КАК Т ИТОГИ ПО А.Б.В", [NESTED]),
        ("ВЫБРАТЬ ПЕРВЫЕ 5 Ж.А ИЗ (ВЫБРАТЬ ПЕРВЫЕ 2 Т.А КАК А ИЗ Справочник.Т КАК Т УПОРЯДОЧИТЬ ПО Т.А) КАК Ж", []),
        # A criterion of selection is a virtual table, a parameter or not.
        ("ВЫБРАТЬ К.Ссылка КАК А ИЗ КритерийОтбора.Связи(&З) КАК К", [BARE]),
        # A query that breaks off: the two rules that need no whole tree.
        (f"ВЫБРАТЬ О.А.Б КАК А ИЗ {STOCK} КАК О ГДЕ О.А = 1 ИЛИ ", [NESTED, OR]),
        # What the platform refuses.
        ("ВЫБРАТЬ Т.А.Б КАК А ИЗ Справочник.Т.Ссылка.Код КАК Т", []),
        ("ВЫБРАТЬ ВЫРАЗИТЬ(Т.А КАК Справочник.Т.Б).В.Г КАК А ИЗ Справочник.Т КАК Т", []),
        # No word that goes on after the fields: not seen as a query.
        ("ВЫБРАТЬ ПЕРВЫЕ 5 А.Б.В", []),
    ],
)  # fmt: skip
def test_patterns_of_queries_as_the_server_sees_them(text: str, expected: list[str]):
    assert sorted(query(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Of a statement's chain the first name counts, of an expression's the whole chain up to the call.
        ("З = Новый Запрос;\nПока А Цикл\nЗ.Копия.Выполнить();\nКонецЦикла;", [LOOP]),
        ("З = Новый Запрос;\nПока А Цикл\nР = З.Копия.Выполнить();\nКонецЦикла;", []),
        ("М[0] = Новый Запрос;\nПока А Цикл\nР = М[0].Выполнить();\nР = М[1].Выполнить();\nКонецЦикла;", [LOOP]),
        ("М[0] = Новый Запрос;\nПока А Цикл\nР = Б().Выполнить();\nКонецЦикла;", []),
        # What a new query gives is taken for the query; what stands in parentheses, for nothing.
        ("Р = Новый Запрос(Т).Выполнить();\nПока А Цикл\nВ = Р.Выполнить();\nКонецЦикла;", [LOOP]),
        ("Р = (Новый Запрос(Т));\nПока А Цикл\nВ = Р.Выполнить();\nКонецЦикла;", []),
        ('З = Новый("Запрос");\nПока А Цикл\nР = З.Выполнить();\nКонецЦикла;', [LOOP]),
        ("З = ?(А, Новый Запрос, 1);\nПока А Цикл\nР = З.Выполнить();\nКонецЦикла;", []),
        # A statement that begins with a routine's call breaks the rule for its module.
        ("З = Новый Запрос;\nПока А Цикл\nЗ.Выполнить();\nБ().Выполнить();\nКонецЦикла;", []),
    ],
)
def test_queries_in_loops_as_the_server_sees_them(body: str, expected: list[str]):
    assert codes(body) == expected


def test_lines_of_comments_within_a_query_move_its_places():
    text = 'З = Новый Запрос("ВЫБРАТЬ\n// о полях\n\n  |  Т.А.Б КАК А\n|ИЗ Справочник.Т КАК Т");'
    found = find_antipatterns(f"Процедура П()\n{text}\nКонецПроцедуры")
    assert [(one.code, one.line, one.column) for one in found] == [(NESTED, 5, 6)]
