"""The engine's door: what sandbox and commands rely on."""

from __future__ import annotations

import pytest

from scoring.engine.errors import BslRuntimeError, CompileFailed, EngineFault, LimitReached, NotSupported
from scoring.engine.program import Program
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source
from tests.engine.language.fuzz import fuzz

SUM = """
Перем Вызовов Экспорт;
Функция Сумма(А, Знач Б = 2) Экспорт
    Вызовов = Вызовов + 1;
    А = А + Б;
    Б = 0;
    Возврат А;
КонецФункции
Вызовов = 0;
"""


def session(**limits: int) -> Session:
    return Session("onescript", limits=Limits(**limits))


def test_by_reference_arguments_come_back_in_the_list() -> None:
    run = session()
    arguments = [5, 3]
    assert run.call(run.load(Source(SUM)), "сумма", arguments) == 8
    assert arguments == [8, 3]


def test_by_reference_arguments_come_back_even_after_an_error() -> None:
    run = session()
    module = run.load(Source("Процедура П(А)\nА = 2;\nА = А / 0;\nКонецПроцедуры"))
    arguments = [1]
    with pytest.raises(BslRuntimeError):
        run.call(module, "П", arguments)
    assert arguments == [2]


def test_each_instance_has_its_own_variables_and_one_program() -> None:
    run = session()
    first, second = run.load(Source(SUM)), run.load(Source(SUM))
    run.call(first, "Сумма", [1])
    assert (first.get_property(run.runtime, "Вызовов"), second.get_property(run.runtime, "вызовов")) == (1, 0)
    assert first.program is second.program


def test_compiling_is_deterministic() -> None:
    def instructions(program: Program) -> list[bytes]:
        codes, found = [program.code], []
        while codes:
            code = codes.pop()
            found.append(code.co_code)
            codes += [constant for constant in code.co_consts if hasattr(constant, "co_code")]
        return found

    once = session().load(Source(SUM + "// раз")).program
    again = session().load(Source(SUM + "// два")).program
    assert instructions(once) == instructions(again)
    assert (once.bound, once.constants) == (again.bound, again.constants)


def test_uncounted_modules_cost_nothing_but_what_they_call_does() -> None:
    run = session()
    candidate = run.load(Source("Функция Ф() Экспорт\nВозврат 1;\nКонецФункции"))
    author = Source("Функция Т() Экспорт\nА = 1;\nБ = К.Ф();\nВозврат Б;\nКонецФункции")
    helper = run.load(author, counted=False, extra_names={"К": candidate})
    run.counters.reset()
    assert run.call(helper, "Т", []) == 1
    assert run.counters.operations == 2


def test_methods_of_another_module_write_by_reference_parameters() -> None:
    run = session()
    other = run.load(Source("Процедура П(А) Экспорт\nА = А + 1;\nКонецПроцедуры"))
    names = {"Другой": other, "Х": 1}
    run.execute("Другой.П(1);", names)
    assert names["Х"] == 1
    with pytest.raises(BslRuntimeError) as error:
        run.execute("Другой.П();", names)
    assert error.value.kind == "too_few_arguments"


def test_evaluate_and_execute_share_names_with_python() -> None:
    run = session()
    module = run.load(Source(SUM))
    names: dict[str, object] = {"Х": 4}
    run.execute("Для К = 1 По 3 Цикл Х = Х + К; КонецЦикла; Новая = Новый Массив;", names)
    assert names["Х"] == 10
    assert {"К", "Новая"} <= names.keys()
    assert run.evaluate("Сумма(Х) * 2", names, [module]) == 24
    assert names["Х"] == 12
    with pytest.raises(CompileFailed):
        run.evaluate("Нету + 1", {})


def test_operations_stop_the_run_and_no_attempt_sees_it() -> None:
    text = """
Функция Бесконечно() Экспорт
    Пока Истина Цикл
        Попытка
            Пока Истина Цикл
            КонецЦикла;
        Исключение
            Возврат "поймано";
        КонецПопытки;
    КонецЦикла;
КонецФункции
Функция Строкой() Экспорт
    Пока Истина Цикл КонецЦикла;
КонецФункции
Функция Счетно() Экспорт
    Для К = 1 По 100000000000000000000 Цикл
        А = К;
    КонецЦикла;
КонецФункции
Функция Вглубь() Экспорт
    Попытка
        Возврат Вглубь();
    Исключение
        Возврат "поймано";
    КонецПопытки;
КонецФункции
Функция Текст() Экспорт
    Т = "ab";
    Пока Истина Цикл
        Б = Т + Т;
        Т = Б;
    КонецЦикла;
КонецФункции
Функция Динамика() Экспорт
    Выполнить("Пока Истина Цикл КонецЦикла;");
КонецФункции
"""
    for routine, limit in (
        ("Бесконечно", "operations"),
        ("Строкой", "operations"),
        ("Счетно", "operations"),
        ("Вглубь", "depth"),
        ("Текст", "memory"),
        ("Динамика", "operations"),
    ):
        run = session(operations=50_000, depth=500, memory=1_000_000)
        module = run.load(Source(text))
        with pytest.raises(LimitReached) as reached:
            run.call(module, routine, [])
        assert reached.value.limit == limit, routine


OUTER_LOOP = """
Функция Ф(Н) Экспорт
    Для А = 1 По Н Цикл
        Х = 0;
        Если А > 2 Тогда
            Х = 1;
        КонецЕсли;
        Для Б = 1 По {stop} Цикл
            Х = А;
            Если Б > 1 Тогда
                Х = Б;
                Х = А;
            КонецЕсли;
        КонецЦикла;
    КонецЦикла;
    Возврат Х;
КонецФункции
"""


@pytest.mark.parametrize("stop", ["Н", "0", "1.5"])
def test_any_budget_too_small_stops_nested_loops(stop: str) -> None:
    """Wherever the budget ends, the first round of the inner loop included: the limit is what the run reports."""
    source = Source(OUTER_LOOP.format(stop=stop))
    free = session()
    module = free.load(source)
    free.counters.reset()
    free.call(module, "Ф", [6])
    for budget in range(1, free.counters.operations - 10):
        run = session(operations=budget)
        with pytest.raises(LimitReached, match="operations"):
            run.call(run.load(source), "Ф", [6])


def test_a_long_loop_broken_by_an_error_gives_back_what_it_did_not_use() -> None:
    run = session(operations=1_000)
    text = """
Функция Тест() Экспорт
    М = Новый Массив(5);
    Попытка
        Обойти(М);
    Исключение
        Возврат "край";
    КонецПопытки;
КонецФункции
Процедура Обойти(М)
    Для К = 0 По 1000000 Цикл
        А = М[К];
    КонецЦикла;
КонецПроцедуры
"""
    module = run.load(Source(text))
    run.counters.reset()
    assert run.call(module, "Тест", []) == "край"
    assert run.counters.operations < 40


def test_recursion_is_as_deep_as_allowed() -> None:
    run = session(depth=3_000)
    text = "Функция Ф(Н) Экспорт\nЕсли Н = 0 Тогда\nВозврат 0;\nКонецЕсли;\nВозврат 1 + Ф(Н - 1);\nКонецФункции"
    module = run.load(Source(text))
    assert run.call(module, "Ф", [2_900]) == 2_900
    with pytest.raises(LimitReached):
        run.call(module, "Ф", [4_000])


def test_what_python_raises_unexpectedly_is_the_engines_fault_and_is_not_caught() -> None:
    class Broken:
        type_name = ("Сломанный", "Broken")

        @property
        def get_property(self) -> object:
            raise ZeroDivisionError("defect")

    run = session()
    text = "Функция Ф(Х) Экспорт\nПопытка\nВозврат Х.Поле;\nИсключение\nВозврат 1;\nКонецПопытки;\nКонецФункции"
    with pytest.raises(EngineFault, match="defect"):
        run.call(run.load(Source(text)), "Ф", [Broken()])


def test_reports_hold_place_source_and_callers() -> None:
    run = session()
    text = "Процедура А() Экспорт\n  Б();\nКонецПроцедуры\nПроцедура Б()\n  Х = 1 / 0;\nКонецПроцедуры"
    with pytest.raises(BslRuntimeError) as error:
        run.call(run.load(Source(text, "Мой")), "А", [])
    report = run.report(error.value)
    assert (report.kind, report.module, report.line, report.source_line) == ("divide_by_zero", "Мой", 5, "  Х = 1 / 0;")
    assert [(frame.routine, frame.line) for frame in report.frames] == [("Б", 5), ("А", 2)]


def test_frames_name_a_routine_by_whatever_road_it_was_called() -> None:
    text = """Функция Б(К)
        Если К = 0 Тогда
            ВызватьИсключение "дно";
        КонецЕсли;
        Возврат Б(К - 1) * 2;
    КонецФункции
    Функция А(К) Экспорт
        Возврат Б(?(К, 2, 1.0 + 1));
    КонецФункции
    Функция В() Экспорт
        Возврат Б(2);
    КонецФункции"""
    for routine, arguments, line in (("А", [True], 8), ("А", [False], 8), ("В", [], 11)):
        run = session()
        with pytest.raises(BslRuntimeError) as error:
            run.call(run.load(Source(text)), routine, arguments)
        frames = [(frame.routine, frame.line) for frame in run.report(error.value).frames]
        assert frames == [("Б", 3), ("Б", 5), ("Б", 5), (routine, line)]


def test_the_line_profile_counts_lines_of_each_routine() -> None:
    run = session()
    text = "Функция Ф(Н)\nДля К = 1 По Н Цикл\nА = К;\nКонецЦикла;\nЕсли Ложь Тогда\nБ = 1;\nКонецЕсли;\nВозврат А;\nКонецФункции\nФ(3);"
    run.load(Source(text), profile=True)
    assert run.line_counts() == {"$entry": {10: 1}, "Ф": {2: 4, 3: 3, 4: 3, 5: 1, 6: 0, 7: 1, 8: 1, 9: 0}}


@pytest.mark.parametrize(
    "expression",
    [
        " + ".join(["1"] * 5_000),
        " + ".join(['"a"'] * 5_000),
        " И ".join(["Истина"] * 5_000),
        "А" + ".Б" * 5_000,
        "(" * 150 + "1" + ")" * 150,
        "(" * 5_000 + "1" + ")" * 5_000,
        "-" * 3_000 + "1",
        "НЕ " * 3_000 + "Истина",
        "?(Истина, " * 300 + "1" + ", 2)" * 300,
        "М[" * 300 + "0" + "]" * 300,
        "Строка(" * 300 + "1" + ")" * 300,
    ],
    ids=lambda text: f"{text[:12]}…{len(text)}",
)
def test_huge_expressions_give_a_value_or_one_of_the_engines_errors(expression: str) -> None:
    run = session(operations=100_000)
    text = f"Функция Ф() Экспорт\nА = 1;\nМ = 2;\nВозврат {expression};\nКонецФункции"
    try:
        run.call(run.load(Source(text)), "Ф", [])
    except (CompileFailed, NotSupported, BslRuntimeError):
        pass


def test_long_sums_are_exact() -> None:
    run = session()
    text = f"Функция Ф() Экспорт\nВозврат {' + '.join(map(str, range(3_000)))};\nКонецФункции"
    assert run.call(run.load(Source(text)), "Ф", []) == sum(range(3_000))


@pytest.mark.parametrize("depth", [5, 17, 60, 190])
def test_nested_blocks_work_or_are_the_engines_limit(depth: int) -> None:
    opening = "".join(f"Для К{n} = 1 По 1 Цикл\n" for n in range(depth))
    text = f"Функция Ф() Экспорт\nР = 0;\n{opening}Р = Р + 1;\n{'КонецЦикла;' * depth}\nВозврат Р;\nКонецФункции"
    run = session()
    try:
        assert run.call(run.load(Source(text)), "Ф", []) == 1
    except NotSupported:
        assert depth > 10


def test_nested_conditions_are_no_blocks_of_pythons() -> None:
    depth = 90
    text = f"Функция Ф() Экспорт\n{'Если Истина Тогда ' * depth}\nВозврат 7;\n{'КонецЕсли;' * depth}\nКонецФункции"
    run = session()
    assert run.call(run.load(Source(text)), "Ф", []) == 7


def test_many_branches() -> None:
    branches = "".join(f"ИначеЕсли Х = {n} Тогда\nВозврат {n * 2};\n" for n in range(1, 300))
    text = f"Функция Ф(Х) Экспорт\nЕсли Х = 0 Тогда\nВозврат 0;\n{branches}КонецЕсли;\nКонецФункции"
    run = session()
    assert run.call(run.load(Source(text)), "Ф", [299]) == 598


def test_mutated_programs_stay_in_the_error_family() -> None:
    _, escaped = fuzz(1_500, seed=20260723)
    assert not escaped, escaped[0]
