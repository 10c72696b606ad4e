"""OneScript: what comes back in all its oddities, what built-ins are charged, and whole answers through a stand-in program."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.bundles import TaskBundle, load_files, load_folder
from scoring.evidence import CandidateFailed, InstrumentFailed, Observed
from scoring.instruments.builtin import BuiltinEngine
from scoring.instruments.onescript import OneScript
from scoring.instruments.onescript.charges import metered
from scoring.instruments.onescript.engine import Launched
from scoring.instruments.onescript.reading import (
    CountsBroken,
    comparable,
    error_fact,
    read_counts,
    read_message,
    read_records,
    read_value,
    read_version,
)
from scoring.instruments.onescript.script import Builder, Channel, quoted
from scoring.instruments.processes import Ended, decoded
from scoring.instruments.settings import EngineSettings
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import load_protocol

# -- messages --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "text", "line", "column"),
    [
        ("{Модуль /tmp/w/candidate.os / Error in line: 13 / Method not found (Взять)}", "Method not found (Взять)", 13, 0),
        ("{Модуль /tmp/w/candidate.os / Error in line 7,21 / Expecting symbol: Equal}", "Expecting symbol: Equal", 7, 21),
        ("{Модуль C:\\w\\candidate.os / Ошибка в строке: 5 / Деление на ноль}\n\tА = 1 / 0;", "Деление на ноль", 5, 0),
        ("{Module /w/candidate.os / Error in line: 2 / Индекс {0} велик}", "Индекс {0} велик", 2, 0),
        ("{Модуль /w/candidate.os / Error in line: 4 / Key has / inside}", "Key has / inside", 4, 0),
        ("{Модуль /w/candidate.os / Error in line: 9 / Method not fou", "Method not fou", 9, 0),
        ("\ufeff{Модуль /w/candidate.os / Error in line: 1 / x}", "x", 1, 0),
        ("{Модуль /w/candidate.os / Error in line 3,0 / Неизвестный символ }}", "Неизвестный символ }", 3, 0),
        ("Killed", "Killed", 0, 0),
        ("", "", 0, 0),
        ("{Модуль /w/candidate.os / Error in line: 6 / первая\nвторая}", "первая\nвторая", 6, 0),
    ],
)
def test_a_message_and_its_place(said: str, text: str, line: int, column: int):
    found = read_message(said)
    assert (found.text, found.line, found.column) == (text, line, column)


def test_an_error_shows_the_line_it_names():
    found = error_fact("{Модуль /w/candidate.os / Error in line: 2 / x}", "А = 1;\n  Б = 2;\n")
    assert found.at is not None and (found.at.line, found.at.source_line) == (2, "  Б = 2;")
    assert error_fact("нет места", "").at is None


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("2.0.1", "2.0.1"), ("1Script Execution Engine. Version 1.9.2.15\n\nUsage:", "1.9.2.15"), ("2.0.0-rc.9+133", "2.0.0-rc.9+133"),
        ("oscript: command not found", ""), ("", ""),
    ],
)  # fmt: skip
def test_the_version(said: str, version: str):
    assert read_version(said) == version


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Привет".encode(), "Привет"),
        ("Привет".encode("utf-8-sig"), "Привет"),
        ("Привет".encode("cp1251"), "Привет"),
        ("Привет".encode("utf-16"), "Привет"),
        ("Привет".encode()[:-1], "Приве"),
        (b"", ""),
    ],
)
def test_output_in_any_encoding_cut_anywhere(data: bytes, text: str):
    assert decoded(data) == text


# -- private records ---------------------------------------------------------------------------------------------------------

WORDS = {"aaa": "t0", "bbb": "t1"}


@pytest.mark.parametrize(
    ("data", "tags"),
    [
        (b"", set()),
        (b'aaa {"r":null}\nbbb {"r":1}\n', {"t0", "t1"}),
        ('\ufeffaaa {"r":"Ы"}\r\n'.encode(), {"t0"}),
        (b'aaa {"r":null}\nbbb {"r":', {"t0"}),
        (b'zzz {"r":null}\naaa {"r":1}\n', {"t0"}),
        (b"aaa\nbbb []\n", set()),
        (b'aaa{"r":1}\n', set()),
        (b'aaa {"r":' + b"[" * 200_000 + b'\nbbb {"r":1}\n', {"t1"}),
        (b'aaa {"r":' + b"9" * 9000 + b'}\nbbb {"r":1}\n', {"t1"}),
    ],
)
def test_records_are_known_by_their_secret_word(data: bytes, tags: set[str]):
    assert set(read_records(data, WORDS)) == tags


def test_the_first_record_of_a_test_counts():
    assert read_records(b'aaa {"r":1}\naaa {"r":2}\n', WORDS)["t0"] == {"r": 1}


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (["n", "1.50"], ["n", "1.5"]),
        (["n", "-0"], ["n", "0"]),
        (["a", [["n", "2.0"], None]], ["a", [["n", "2"], None]]),
        (["d", "2026-01-31T00:00:00"], ["d", "2026-01-31T00:00:00"]),
        (["s", [["К", ["fa", [True]]]]], ["s", [["К", ["o", "ФиксированныйМассив", ""]]]]),
        (["l", [[["n", "1"], "один", False]]], ["o", "СписокЗначений", ""]),
        (["dt", ["К"], [[["а"], []]]], ["o", "ДеревоЗначений", ""]),
    ],
)
def test_values_on_their_way(value: Any, read: Any):
    assert comparable(read_value(value)) == read


def deep(kind: str, levels: int) -> Any:
    value: Any = None
    for _ in range(levels):
        value = [kind, [value]]
    return value


NO_VALUES = [
    5, {}, [], [7], ["n", "x"], ["q", 1], ["n", None], ["n"], ["n", "NaN"], ["n", "Infinity"], ["n", "1E+999999999"], ["n", ["1"]],
    ["e", "ЗавершитьРаботу(0)"], ["a"], ["a", 5], ["s", [["К"]]], ["s", [5]], ["t", 5, []], ["t"], ["l", [[1]]], ["dt", [], [5]],
    ["d", "вчера"], ["d"], ["a", [["e", "1"]]], deep("a", 100_000),
]  # fmt: skip


@pytest.mark.parametrize("value", NO_VALUES, ids=lambda value: repr(value)[:40] if not isinstance(value, list) or value[:1] != ["a"] else None)
def test_what_is_no_value(value: Any):
    with pytest.raises(ValueError):
        read_value(value)


# -- statement counts ----------------------------------------------------------------------------------------------------------

COUNTS = {
    "/w/driver.os": {"#path": "/w/driver.os", "Нагрузка__": {"9": {"count": 100, "time": 3}}},
    "/w/candidate.os": {
        "#path": "/w/candidate.os", "Ф": {"2": {"count": 5, "time": 0}, "3": {"count": 7, "time": 0}}, "Г": {"6": {"count": 1, "time": 0}},
        "$entry": {"8": {"count": 40, "time": 0}},
    },
}  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251"])
def test_only_routines_of_the_candidate_are_counted(encoding: str):
    data = json.dumps(COUNTS, ensure_ascii=False).encode(encoding)
    assert read_counts(data, "/w/candidate.os", "/w/driver.os", 7) == 13
    assert read_counts(data, "/w/candidate.os", "/w/driver.os", 4) == 12
    assert read_counts(data, "/elsewhere/candidate.os", "/elsewhere/driver.os", 7) == 13


FOREIGN = {"Ф": {"900": {"count": 1000, "time": 0}}, "$entry": {"1": {"count": 30, "time": 0}}}


@pytest.mark.parametrize("path", ["/w/own.os", "/w/x/candidate.os", "/tmp/driver.os", "<string>", ""])
def test_work_done_in_modules_that_an_answer_loads_by_itself_counts_as_a_whole(path: str):
    data = json.dumps(COUNTS | {path: FOREIGN}).encode()
    assert read_counts(data, "/w/candidate.os", "/w/driver.os", 7) == 13 + 1030


def test_a_module_that_could_be_ours_or_not_makes_no_count():
    with pytest.raises(CountsBroken, match="several"):
        read_counts(json.dumps(COUNTS | {"/tmp/driver.os": FOREIGN}).encode(), "/w/candidate.os", "/elsewhere/driver.os", 7)


BROKEN_COUNTS = {
    "empty": b"", "blank": b"\x00\x00", "cut": b'{"/w/candidate.os": {', "no object": b"[]", "no text": b"\xff\xfe\x00",
    "a line that is none": b'{"/w/candidate.os": {"F": {"x": {"count": 1}}}}',
    "negative": b'{"/w/candidate.os": {"F": {"2": {"count": -1000000}}}}',
    "beyond all numbers": b'{"/w/candidate.os": {"F": {"2": {"count": 1e999}}}}',
    "true": b'{"/w/candidate.os": {"F": {"2": {"count": true}}}}',
    "digits without end": b'{"/w/candidate.os": {"F": {"2": {"count": ' + b"9" * 9000 + b"}}}}",
    "too deep": b'{"/w/candidate.os": ' + b"[" * 200_000,
    "deep and whole": b'{"/w/candidate.os": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
    "text for lines": b'{"/w/candidate.os": "F"}',
}  # fmt: skip


@pytest.mark.parametrize("data", BROKEN_COUNTS.values(), ids=BROKEN_COUNTS.keys())
def test_broken_counts_are_told(data: bytes):
    with pytest.raises(CountsBroken):
        read_counts(data, "/w/candidate.os", "/w/driver.os", 9)


# -- charges -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "rewritten"),
    [
        ("А = М.Найти(5);", "А = П.Найти1(М, 5);"),
        ("А = Т.Найти(5, \"К\");", "А = П.Найти2(Т, 5, \"К\");"),
        ("А = Т.НайтиСтроки(О)[0].К;", "А = П.НайтиСтроки1(Т, О)[0].К;"),
        ("а = м.find(5);", "а = П.Найти1(м, 5);"),
        ("М.Вставить(0, Х);", "П.Вставить2(М, 0, Х);"),
        ("М.Удалить(0);", "П.Удалить1(М, 0);"),
        ("Если С.Данные[К + 1].Найти(Ф(1, 2)) = Неопределено Тогда", "Если П.Найти1(С.Данные[К + 1], Ф(1, 2)) = Неопределено Тогда"),
        ("А = Новый Массив(3).Найти(1);", "А = П.Найти1(Новый Массив(3), 1);"),
        ("А = М.Найти(Н.Найти(1));", "А = П.Найти1(М, П.Найти1(Н, 1));"),
        ("А = Т.Найти(1, \"К\").Дети.Найти(2);", "А = П.Найти1(П.Найти2(Т, 1, \"К\").Дети, 2);"),
        ("А = Ф(Х).Найти(1);", "А = П.Найти1(Ф(Х), 1);"),
        ("А = (Б).Найти(1);", "А = П.Найти1((Б), 1);"),
        ("С = С + \"а\";", "С = П.Рост1(С) + \"а\";"),
        ("Если А Тогда С = с + 1; КонецЕсли;", "Если А Тогда С = П.Рост1(с) + 1; КонецЕсли;"),
        ("Функция Ф(С)\nС = С + 1;", "Функция Ф(С)\nС = П.Рост1(С) + 1;"),
    ],
)  # fmt: skip
def test_built_ins_that_hide_work_are_called_through_the_meter(code: str, rewritten: str):
    assert metered(code, "П") == rewritten


@pytest.mark.parametrize(
    "code",
    [
        "А = М.Найти();", "А = М.Найти(1, );", "А = М.Найти(1, 2, 3);", "А = Найти(М, 1);", "С.Х = С.Х + 1;", "А = Б + А;", "Если С = С + 1 Тогда",
        "А = \"М.Найти(1)\";", "// М.Найти(1)", "А = \"х\n|М.Найти(1)\";", "М.Найти(", "С = С - 1;", "М.Добавить(1);", "А['1'].",
    ],
)  # fmt: skip
def test_everything_else_stays_as_it_is(code: str):
    assert metered(code, "П") == code


@pytest.mark.parametrize("text", ["", "а", 'с "кавычкой"', "две\nстроки", "возврат\r\nкаретки", "a\rb", "\n", "'"])
def test_strings_as_literals_of_one_line(text: str):
    assert "\n" not in quoted(text) and "\r" not in quoted(text)


def test_arguments_are_built_and_nothing_else_is_told():
    builder = Builder()
    name = builder.build(["s", [["К", ["a", [["n", "-1"], ["d", "2026-01-31T10:00:00"]]]]]])
    assert builder.lines == [
        "З1__ = Новый Массив;", "З1__.Добавить((-1));", "З1__.Добавить('20260131100000');", "З2__ = Новый Структура;",
        'З2__.Вставить("К", З1__);',
    ]  # fmt: skip
    assert name == "З2__"


def test_words_of_records_tell_nothing_of_each_other():
    channel = Channel("/w/results.txt", "secret")
    words = {channel.word(tag) for tag in ("load", "t0", "t1", "done")}
    assert len(words) == 4 and "secret" not in channel.say("t0", '"{}"')


# -- whole answers, through a program that answers oscript's command lines -----------------------------------------------------------


pytestmark = pytest.mark.usefixtures("patient")


@pytest.fixture(scope="module")
def pipelines(engine: OneScript) -> Iterator[tuple[Pipeline, Pipeline]]:
    builtin = BuiltinEngine(engine.protocol)
    yield Pipeline(Stack.of(builtin), engine.protocol), Pipeline(Stack(builtin, engine, engine), engine.protocol)
    builtin.close()


def test_it_tells_its_version_and_passes_its_self_test(engine: OneScript):
    assert (engine.version(), engine.availability().ready, engine.self_test()) == ("2.0.1+stand-in", True, "")


@pytest.mark.parametrize("culture", ["True, by codes", "Да", "Да, by codes", None])
def test_the_self_test_tells_another_culture(local_engine: OneScript, monkeypatch: pytest.MonkeyPatch, culture: str | None):
    launched = Launched(Ended(0, "", ""), {"t0": {"r": ["n", "4"]}, "t1": {"r": culture}}, Path("/nowhere"))
    monkeypatch.setattr(local_engine, "run_cases", lambda *given: launched)
    assert "culture" in local_engine.self_test() and repr(culture) in local_engine.self_test()


def test_without_the_program_it_says_what_to_do():
    lacking = OneScript(load_protocol(), EngineSettings(oscript="/nowhere/oscript"))
    assert not lacking.availability().ready and "PRISM_ONESCRIPT" in lacking.availability().reason and lacking.version() == "?"


def task(tests: str, **files: str) -> TaskBundle:
    texts = {"task.yaml": "id: T1\nname: x\ncategory: A\ndifficulty: easy\nprompt: x\nentry_point: Ответ\n", "tests.yaml": tests}
    texts |= {name.replace("__", "."): text for name, text in files.items()}
    return load_files({name: text.encode() for name, text in texts.items()}).required()


MANY = task("""
helpers: |
  Функция Дерево()
    Д = Новый ДеревоЗначений;
    Д.Колонки.Добавить("К");
    С = Д.Строки.Добавить();
    С.К = 7;
    Возврат Д;
  КонецФункции
  Функция Первый(Д)
    Возврат Д.Строки[0].К;
  КонецФункции
tests:
  - {args: [1, 2.5], expected: 3.5}
  - {args: ["а\\"б\\nв\\tг", "\\\\"], expected: "а\\"б\\nв\\tг\\\\"}
  - {args: [{__date__: "2026-01-31T10:20:30"}, 5], expected: {__date__: "2026-01-31T10:20:35"}}
  - {args: [[1, [2, {К: ложь}]], 0], check: 'Результат[1][1].К = "ложь" И Аргумент1.Количество() = 3'}
  - {args: [{__map__: [[1, а]]}, 0], expected: {__map__: [[1, а]]}}
  - {args: [{__table__: {columns: [К, Л], rows: [[1, а], [2, б]]}}, 0], expected: {__table__: {columns: [Х, У], rows: [[2, б], [1, а]]}}}
  - {args: [{__bsl__: "Дерево()"}, 0], check: "Первый(Результат) = 7"}
  - {args: [{__bsl__: "Дерево()"}, 0], check: "Первый(Результат) = 8"}
  - {args: [{__bsl__: "Дерево()"}, 0], check: "Нет(Результат)"}
  - {args: ["бросить", 0], raises: мало}
  - {args: ["бросить", 0], raises: много}
  - {args: [2, 3], arrange: "Х = 1;", expected: {__bsl__: "2 + 3"}}
  - {args: [2], expected: 2}
  - {args: [null, true], expected: null}
""".replace("Нет(Результат)", "Первый(0) = 1"))  # fmt: skip
ANSWER = """Функция Ответ(А, Б) Экспорт
    Если ТипЗнч(А) = Тип("Строка") И А = "бросить" Тогда
        ВызватьИсключение "слишком мало";
    КонецЕсли;
    Если ТипЗнч(А) = Тип("Массив") Тогда
        А.Добавить(1);
        Возврат А;
    КонецЕсли;
    Если ТипЗнч(А) = Тип("Число") Или ТипЗнч(А) = Тип("Строка") Или ТипЗнч(А) = Тип("Дата") Тогда
        Возврат А + Б;
    КонецЕсли;
    Возврат А;
КонецФункции
"""


def verdicts(result: Any) -> Any:
    tests = result.evidence.tests
    if not isinstance(tests, Observed):
        return tests
    return [
        (o.verdict, o.actual, o.expected, o.error and o.error.message, o.error and (o.error.at.line if o.error.at else 0)) for o in tests.facts.outcomes
    ]


def test_every_kind_of_test_ends_as_under_the_built_in_engine(pipelines: tuple[Pipeline, Pipeline]):
    ours, theirs = (pipeline.score(ANSWER, MANY) for pipeline in pipelines)
    found = verdicts(theirs)
    assert [entry[0] for entry in found] == [entry[0] for entry in verdicts(ours)]
    assert [entry[2:] for entry in found] == [entry[2:] for entry in verdicts(ours)]


ONE = "tests:\n  - {args: [2], expected: 4}\n  - {args: [3], expected: 9}\n"
SQUARE = task(ONE, perf__yaml='p_opt: 1\nsizes: [20, 40]\ngen: "Вход = {n};"\ncall: "{entry}(Вход);"\n')


UNCOMPILED = {
    "a name": ("Функция Ответ(А) Экспорт\n\tВозврат Б;\nКонецФункции", 2),
    "an operator": ("Функция Ответ(А) Экспорт\n\tА += 1;\nКонецФункции", 2),
    "no end": ("Функция Ответ(А) Экспорт\n\tЕсли А Тогда\n", 3),
    "twice": ("Перем Х;\nФункция Ответ(А) Экспорт\n\tВозврат 1;\nКонецФункции\nФункция Ответ(А)\nКонецФункции", 5),
}
# A container for every start is dear: one answer of a kind tells whether it is the same evidence there.
PATHS = [*(("local", name) for name in UNCOMPILED), ("image", "twice")]


@pytest.mark.parametrize(("engine", "name"), PATHS, indirect=["engine"])
def test_what_does_not_compile_is_the_candidates_and_has_a_place(engine: OneScript, name: str):
    code, line = UNCOMPILED[name]
    with engine.examine(dataclasses.replace(_module(code)), SQUARE) as examination:
        found = examination.run_tests()
    assert isinstance(found, CandidateFailed) and found.kind == "does_not_compile", found
    assert found.at is not None and line <= found.at.line <= line + 2, found


def _module(code: str) -> Any:
    from scoring.extract import module_of

    return module_of(code, ["Ответ"], procedures=False)


def test_a_body_that_raises_is_no_fault_of_compiling(local_engine: OneScript):
    module = _module("Функция Ответ(А) Экспорт\nКонецФункции")
    body = dataclasses.replace(module, tested=module.tested + "\nВызватьИсключение \"рано\";")
    with local_engine.examine(body, SQUARE) as examination:
        found = examination.run_tests()
    assert isinstance(found, CandidateFailed) and (found.kind, found.message) == ("raised", "рано")


BODIES = {
    "constant": "Возврат А * А;",
    "a string that grows": "С = \"\";\nДля Н = 1 По А Цикл\nС = С + \"а\";\nКонецЦикла;\nВозврат А * А;",
    "an array that shifts": "М = Новый Массив;\nДля Н = 1 По А Цикл\nМ.Вставить(0, Н);\nКонецЦикла;\nК = М.Найти(1);\nВозврат А * А;",
}


@pytest.mark.parametrize(("engine", "name"), [*(("local", name) for name in BODIES), ("image", "an array that shifts")], indirect=["engine"])
def test_growth_is_counted_with_what_built_ins_hide(pipelines: tuple[Pipeline, Pipeline], name: str):
    code = f"Функция Ответ(А) Экспорт\n{BODIES[name]}\nКонецФункции"
    ours, theirs = (pipeline.score(code, SQUARE) for pipeline in pipelines)
    assert ours.card.value("O") == theirs.card.value("O"), (ours.evidence.growth, theirs.evidence.growth)
    counts = theirs.evidence.growth.facts.counts
    # Counted by lines, where the built-in engine counts statements: the same but for the ends of blocks.
    pairs = list(zip(ours.evidence.growth.facts.counts, counts, strict=True))
    assert all(-2 <= our - their <= 0.4 * our + 2 for our, their in pairs), pairs


def test_a_run_that_never_ends_is_stopped_by_the_clock(engine: OneScript, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("scoring.instruments.onescript.engine.START_SECONDS", 2)
    monkeypatch.setattr("scoring.instruments.onescript.engine.PACE", 10**12)
    code = "Функция Ответ(А) Экспорт\nПока Истина Цикл\nКонецЦикла;\nКонецФункции"
    with engine.examine(_module(code), SQUARE) as examination:
        tests, work = examination.run_tests(), examination.count_work()
    assert isinstance(tests, Observed) and tests.facts.stopped is not None and tests.facts.passed == 0
    assert isinstance(work, Observed) and work.facts.stopped.kind == "limit_operations" and work.facts.counts == ()


def test_a_run_that_leaves_early_keeps_what_it_proved(engine: OneScript):
    code = "Функция Ответ(А) Экспорт\nЕсли А = 3 Тогда\nЗавершитьРаботу(0);\nКонецЕсли;\nВозврат А * А;\nКонецФункции"
    with engine.examine(_module(code), SQUARE) as examination:
        tests, work = examination.run_tests(), examination.count_work()
    assert isinstance(tests, Observed) and [o.verdict for o in tests.facts.outcomes] == ["passed", "not_run"]
    assert isinstance(work, Observed)


@pytest.mark.parametrize(
    ("engine", "place", "which"),
    [("local", "a/A101_pair_sum", slice(3)), ("local", "a/A118_left_join", slice(3)), ("image", "a/A101_pair_sum", slice(1))], indirect=["engine"],
)  # fmt: skip
def test_a_task_of_the_bank_scores_alike(pipelines: tuple[Pipeline, Pipeline], place: str, which: slice):
    bundle = load_folder(Path(__file__).parents[3] / "tasks" / place).required()
    for code in (bundle.baseline, bundle.canonical, bundle.controls[0].code)[which]:
        ours, theirs = (pipeline.score(code, bundle) for pipeline in pipelines)
        assert [ours.card.value(axis) for axis in "SMO"] == [theirs.card.value(axis) for axis in "SMO"]
        assert verdicts(ours) == verdicts(theirs)


def test_s_and_databases_are_not_its_business(local_engine: OneScript):
    with local_engine.examine(_module("Функция Ответ(А)\nКонецФункции"), SQUARE) as examination:
        syntax = examination.check()
    assert isinstance(syntax, InstrumentFailed) and syntax.reason == "not_supported"
