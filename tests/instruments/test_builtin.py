"""The built-in engine as an instrument: whole answers against small bundles of both categories."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from scoring.bundles import TaskBundle, load_files
from scoring.evidence import CandidateFailed, InstrumentFailed, Observed
from scoring.pipeline import Pipeline, judge
from scoring.protocol import load_protocol


@pytest.fixture(scope="module")
def pipeline():
    with Pipeline.builtin() as made:
        yield made


def bundle(category: str, tests: str, **files: str) -> TaskBundle:
    task = f"id: T1\nname: Проба\ncategory: {category}\ndifficulty: easy\nprompt: Проба.\nentry_point: Ответ\n"
    texts = {"task.yaml": task, "tests.yaml": tests} | {name.replace("__", "."): text for name, text in files.items()}
    return load_files({name: text.encode() for name, text in texts.items() if text}).required()


def function(body: str, parameters: str = "А") -> str:
    return f"Функция Ответ({parameters}) Экспорт\n{body}\nКонецФункции\n"


def verdicts(pipeline: Pipeline, answer: str, task: TaskBundle) -> list[str]:
    evidence = pipeline.score(answer, task).evidence.tests
    assert isinstance(evidence, Observed), evidence
    return [outcome.verdict for outcome in evidence.facts.outcomes]


@pytest.mark.parametrize(
    ("test", "body", "verdict"),
    [
        ("{args: [2], expected: 4}", "Возврат А * А;", "passed"),
        ("{args: [2], expected: 5}", "Возврат А * А;", "wrong"),
        ("{args: [2], expected: null}", "Сообщить(А);", "passed"),
        ("{args: [0.1], expected: 0.3}", "Возврат А + 0.2;", "passed"),
        ("{args: ['а'], expected: 'аа'}", "Возврат А + А;", "passed"),
        ("{args: [{__date__: '2026-01-31'}], expected: {__date__: '2026-02-28'}}", "Возврат ДобавитьМесяц(А, 1);", "passed"),
        ("{args: [[3, 1]], expected: [1, 3]}", "Б = Новый Массив;\nБ.Добавить(А[1]);\nБ.Добавить(А[0]);\nВозврат Б;", "passed"),
        ("{args: [{К: 1}], expected: {К: 1}}", 'А.Вставить("Л", 2);\nВозврат А;', "passed"),
        ("{args: [{К: 1}], expected: {М: 1}}", "Возврат А;", "wrong"),
        ("{args: [{__map__: [[1, а]]}], expected: {__map__: [[1, а]]}}", "Возврат А;", "passed"),
        ("{args: [{__table__: {columns: [К], rows: [[2], [1]]}}], expected: {__table__: {columns: [Х], rows: [[1], [2]]}}}", "Возврат А;", "passed"),
        ("{args: [{__table__: {columns: [К], rows: [[2]]}}], expected: 2}", "Возврат А[0].К;", "passed"),
        ("{args: [{__bsl__: 'Новый Массив(3)'}], expected: 3}", "Возврат А.Количество();", "passed"),
        ("{args: [[1, {__bsl__: '1 + 1'}, {__bsl__: '3'}]], expected: [1, 2, 3]}", "Возврат А;", "passed"),
        ("{args: [5], expected: {__bsl__: 'Цел(5.7) // пять'}}", "Возврат А;", "passed"),
        ("{args: [1], arrange: 'Х = 41;', expected: 1}", "Возврат А;", "passed"),
        ("{args: [{__bsl__: 'Х + 1'}], arrange: 'Х = 41;', expected: 42}", "Возврат А;", "passed"),
        ("{args: [2], check: 'Результат > 3 И Результат < 5'}", "Возврат А * А;", "passed"),
        ("{args: [2], check: 'Результат > 5'}", "Возврат А * А;", "wrong"),
        ("{args: [2], check: 'Результат.Количество() = 1'}", "Возврат А;", "wrong"),
        ("{args: [[1]], check: 'Аргумент1.Количество() = 2'}", "А.Добавить(2);", "passed"),
        ("{args: [1], check: 'Аргумент1 = 2'}", "А = 2;", "passed"),
        ("{args: [1], check: 'Удвоить(Результат) = 2'}", "Возврат А;", "passed"),
        ("{args: [1], raises: мало}", 'ВызватьИсключение "слишком мало";', "passed"),
        ("{args: [1], raises: много}", 'ВызватьИсключение "слишком мало";', "raised"),
        ("{args: [1], raises: мало}", "Возврат 1;", "wrong"),
        ("{args: [1], expected: 1}", "Возврат А.НетТакого();", "raised"),
        ("{args: [1], expected: 1}", "Возврат Новый НетТакого;", "raised"),
        ("{args: [], expected: 1}", "Возврат 1;", "raised"),
    ],
)
def test_the_notation_of_tests_decides_as_it_says(pipeline: Pipeline, test: str, body: str, verdict: str):
    helpers = "helpers: |\n  Функция Удвоить(Х)\n    Возврат Х * 2;\n  КонецФункции\n"
    assert verdicts(pipeline, function(body), bundle("A", f"{helpers}tests:\n  - {test}\n")) == [verdict]


SQUARE = bundle(
    "A",
    "tests:\n  - {args: [2], expected: 4}\n  - {args: [3], expected: 9}\n",
    perf__yaml='p_opt: 0\nsizes: [10, 40]\ngen: "Вход = {n};"\ncall: "{entry}(Вход);"\n',
)
LINEAR = "Сумма = 0;\nДля Сч = 1 По А Цикл\nСумма = Сумма + А;\nКонецЦикла;\nВозврат Сумма;"


def test_operations_of_the_input_do_not_count_and_those_of_the_answer_do(pipeline: Pipeline):
    result = pipeline.score(function(LINEAR), SQUARE)
    growth = result.evidence.growth
    assert isinstance(growth, Observed) and growth.facts.counts[0] < growth.facts.counts[1] < 40 * 10
    assert result.card.value("O") == 4
    assert pipeline.score(function("Возврат А * А;"), SQUARE).card.value("O") == 10


def test_one_budget_serves_all_tests_together():
    protocol = load_protocol()
    small = dataclasses.replace(protocol, meaning=dataclasses.replace(protocol.meaning, operations=20))
    with Pipeline.builtin(small) as tight:
        result = tight.score(function(LINEAR), SQUARE)
    facts = result.evidence.tests.facts
    assert [outcome.verdict for outcome in facts.outcomes] == ["passed", "not_run"]
    assert (facts.passed, facts.stopped.kind, result.card.value("M")) == (0, "limit_operations", 0)
    assert (result.fall.stage, result.fall.cause) == ("run", "time_out")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("", "empty"),
        ("Решение: просто возведите в квадрат.", "no_entry_point"),
        ("Процедура Ответ(А)\nКонецПроцедуры", "no_entry_point"),
        (function("Возврат НетТакойФункции(А);"), "does_not_compile"),
        (function("Возврат А А;"), "does_not_compile"),
    ],
)
def test_what_never_runs_is_the_answers_failure(pipeline: Pipeline, answer: str, kind: str):
    result = pipeline.score(answer, SQUARE)
    assert isinstance(result.evidence.tests, CandidateFailed) and result.evidence.tests.kind == kind
    assert result.card.value("M") == 0 and result.card.value("O") is None


def test_a_usage_example_after_the_routines_is_not_run_by_the_tests(pipeline: Pipeline):
    assert pipeline.score(function("Возврат А * А;") + "Сообщить(НетТакого);", SQUARE).card.value("M") == 10


def test_a_stray_character_after_the_last_routine_meets_what_follows_in_the_script(pipeline: Pipeline):
    evidence = pipeline.score(function("Возврат А * А;").rstrip() + ".", SQUARE).evidence.tests
    assert isinstance(evidence, CandidateFailed) and evidence.kind == "does_not_compile"


def test_what_an_answer_prints_is_only_text(pipeline: Pipeline):
    facts = pipeline.score(function('Сообщить("привет");\nВозврат А * А;'), SQUARE).evidence.tests.facts
    assert facts.printed.split() == ["привет", "привет"] and facts.passed == 2


def test_the_place_of_an_error_is_a_line_of_the_answer(pipeline: Pipeline):
    outcome = pipeline.score(function("Б = 1;\nВозврат А.Нет();"), SQUARE).evidence.tests.facts.outcomes[0]
    assert (outcome.error.at.line, outcome.error.kind) == (3, "not_object")


def test_a_task_whose_own_code_is_broken_measures_nothing(pipeline: Pipeline):
    broken = bundle("A", "tests:\n  - {args: [{__bsl__: 'НетТакого()'}], expected: 1}\n")
    assert isinstance(pipeline.score(function("Возврат 1;"), broken).evidence.tests, InstrumentFailed)
    failing = bundle("A", "tests:\n  - {args: [], arrange: 'ВызватьИсключение 1;', expected: 1}\n")
    assert isinstance(pipeline.score(function("Возврат 1;", ""), failing).evidence.tests, InstrumentFailed)
    assert pipeline.score(function("Возврат А * А;"), SQUARE).card.value("M") == 10


def test_stored_evidence_is_judged_to_the_same_card(pipeline: Pipeline):
    from scoring.evidence import from_data, to_data

    result = pipeline.score(function(LINEAR), SQUARE)
    assert judge(from_data(to_data(result.evidence)), pipeline.protocol, "A") == result.card


CONFIGURATION = """
catalogs:
  Товары: {attributes: {Вес: {type: Число, length: 10, precision: 3}}}
  Склады: {}
documents:
  Приход: {registers: [Запасы]}
accumulation_registers:
  Запасы:
    register_type: Balance
    dimensions: {Товар: {type: СправочникСсылка.Товары}, Склад: {type: СправочникСсылка.Склады}}
    resources: {Количество: {type: Число, length: 15, precision: 3}}
"""
FIXTURES = """
catalogs:
  Товары: [{ref: Гвоздь, Наименование: Гвоздь, Вес: 0.5}, {ref: Винт, Наименование: Винт}]
  Склады: [{ref: Главный, Наименование: Главный}]
register_records:
  Запасы:
    registrar: Приход
    records:
      - {Период: 2026-01-10, Товар: Гвоздь, Склад: Главный, Количество: 7}
      - {Период: 2026-01-11, Товар: Гвоздь, Склад: Главный, Количество: 2, ВидДвижения: Расход}
"""
GROW = """p_opt: 0
sizes: [10, 40]
call: 'КодКандидата.{{ENTRY}}(Спр("Товары", "Гвоздь"))'
grow:
  name_prefix: Склад
  catalog: {name: Склады}
  accumulation: {register: Запасы, registrar: Приход, record: {Товар: Гвоздь, Склад: $unit, Количество: 1, Период: 2026-02-01}}
"""
TESTS = """
tests:
  - {args: [{__bsl__: 'Спр("Товары", "Гвоздь")'}], expected: 5}
  - {args: [{__bsl__: 'Спр("Товары", "Винт")'}], expected: 0}
"""
SCRIPT = """
Функция ПрогнатьТест() Экспорт
    Пройдено = 0;
    Журнал = "";
    СоздатьФикстуры();
    Для Номер = 1 По 2 Цикл
        Попытка
            Имя = ?(Номер = 1, "Гвоздь", "Винт");
            Ждём = ?(Номер = 1, 5, 0);
            Получено = КодКандидата.{{ENTRY}}(Спр("Товары", Имя));
            Если Получено = Ждём Тогда
                Пройдено = Пройдено + 1;
            Иначе
                Журнал = Журнал + "тест" + Номер + " FAIL (" + Получено + "); ";
            КонецЕсли;
        Исключение
            Журнал = Журнал + "тест" + Номер + " ИСКЛЮЧЕНИЕ: " + ОписаниеОшибки() + "; ";
        КонецПопытки;
    КонецЦикла;
    Возврат "PASSED=" + Пройдено + ";TOTAL=2;" + Журнал;
КонецФункции
"""
STOCK = bundle("B", TESTS, config_spec__yaml=CONFIGURATION, fixtures__yaml=FIXTURES, perf__yaml=GROW)
SCRIPTED = bundle("B", "", config_spec__yaml=CONFIGURATION, fixtures__yaml=FIXTURES, tests__bsl=SCRIPT)

SET = """З = Новый Запрос("ВЫБРАТЬ СУММА(О.КоличествоОстаток) КАК К ИЗ РегистрНакопления.Запасы.Остатки(, Товар = &Т) КАК О");
З.УстановитьПараметр("Т", А);
В = З.Выполнить().Выбрать();
В.Следующий();
Возврат ?(В.К = Null, 0, В.К);"""
LOOP = """Итог = 0;
С = Справочники.Склады.Выбрать();
Пока С.Следующий() Цикл
З = Новый Запрос("ВЫБРАТЬ О.КоличествоОстаток КАК К ИЗ РегистрНакопления.Запасы.Остатки(, Товар = &Т И Склад = &С) КАК О");
З.УстановитьПараметр("Т", А);
З.УстановитьПараметр("С", С.Ссылка);
В = З.Выполнить().Выбрать();
Если В.Следующий() Тогда
Итог = Итог + В.К;
КонецЕсли;
КонецЦикла;
Возврат Итог;"""
INVENTED = SET.replace("О.КоличествоОстаток", "О.Остаточек")


@pytest.mark.parametrize("task", [STOCK, SCRIPTED], ids=["tests.yaml", "tests.bsl"])
@pytest.mark.parametrize(
    ("body", "meaning", "platform"),
    [(SET, "10", "10"), (INVENTED, "0", "0"), ("Возврат 5;", "5", "10"), ("Возврат А.Вес * 10;", "10", "10"), ("Возврат А.Цвет;", "0", "0")],
)
def test_both_formats_of_tests_see_meaning_and_platform(pipeline: Pipeline, task: TaskBundle, body: str, meaning: str, platform: str):
    card = pipeline.score(function(body), task).card
    assert (card.value("M"), card.value("P")) == (Decimal(meaning), Decimal(platform))


def test_accesses_grow_with_a_query_in_a_loop_and_not_with_one_for_the_set(pipeline: Pipeline):
    cards = [pipeline.score(function(body), STOCK).card for body in (SET, LOOP)]
    assert [card.value("M") for card in cards] == [10, 10]
    assert cards[0].value("O") == 10 and cards[1].value("O") <= 4


def test_the_authors_own_accesses_do_not_count(pipeline: Pipeline):
    counts = pipeline.score(function("Возврат А.Вес * 10;"), STOCK).evidence.growth.facts.counts
    assert counts == (1, 1)


def test_without_a_profile_static_antipatterns_decide(pipeline: Pipeline):
    bare = SET.replace("Остатки(, Товар = &Т)", "Остатки") + "\n"
    assert pipeline.score(function(SET), SCRIPTED).card.value("O") == 10
    wrong_but_half = pipeline.score(function(bare.replace("ИЗ Рег", "ИЗ  Рег")), SCRIPTED).card
    assert wrong_but_half.value("M") == 5 and wrong_but_half.value("O") == 6


def test_each_test_of_b_starts_from_the_same_state(pipeline: Pipeline):
    writes = "Т = А.ПолучитьОбъект();\nТ.Вес = Т.Вес + 1;\nТ.Записать();\nВозврат А.Вес;"
    args = "args: [{__bsl__: 'Спр(\"Товары\", \"Гвоздь\")'}], expected: 1.5"
    task = bundle("B", f"tests:\n  - {{{args}}}\n  - {{{args}}}\n", config_spec__yaml=CONFIGURATION, fixtures__yaml=FIXTURES)
    assert verdicts(pipeline, function(writes), task) == ["passed", "passed"]


def test_a_module_that_1c_does_not_compile_scores_zero_in_m_and_p(pipeline: Pipeline):
    result = pipeline.score(function("Возврат НетТакой;"), STOCK)
    assert [result.card.value(axis) for axis in "SMOP"] == [8, 0, None, 0]


def test_references_are_compared_by_identity(pipeline: Pipeline):
    expected = "expected: {__bsl__: 'Спр(\"Товары\", \"Гвоздь\")'}"
    task = bundle("B", f"tests:\n  - {{args: [], {expected}}}\n", config_spec__yaml=CONFIGURATION, fixtures__yaml=FIXTURES)
    for name, verdict in (("Гвоздь", "passed"), ("Винт", "wrong")):
        body = f'Возврат Справочники.Товары.НайтиПоНаименованию("{name}");'
        assert verdicts(pipeline, function(body, ""), task) == [verdict]


def test_faults_of_the_configuration_are_the_tasks(pipeline: Pipeline):
    odd = CONFIGURATION.replace("СправочникСсылка.Товары", "СправочникСсылка.Нет")
    task = bundle("B", TESTS, config_spec__yaml=odd, fixtures__yaml=FIXTURES)
    evidence = pipeline.score(function(SET), task).evidence.tests
    assert isinstance(evidence, InstrumentFailed) and "Нет" in evidence.detail
