"""Work that built-ins do by themselves is bounded by the budget of operations, and shows in no counter."""

from __future__ import annotations

import random

import pytest

from scoring.engine.errors import LimitReached
from scoring.engine.runtime.builtins import strings
from scoring.engine.session import Limits, Session, Source

LONG = 'С = "0123456789абвгде";\nДля Сч = 1 По 12 Цикл\nС = С + С;\nКонецЦикла;\n'
ROWS = 'Т = Новый ТаблицаЗначений;\nТ.Колонки.Добавить("а");\nДля Сч = 1 По 500 Цикл\nТ.Добавить().а = Сч % 7;\nКонецЦикла;\n'
LIST = "Т = Новый СписокЗначений;\nДля Сч = 1 По 500 Цикл\nТ.Добавить(Сч % 7);\nКонецЦикла;\n"


def run(body: str, operations: int) -> Session:
    session = Session("onescript", limits=Limits(operations=operations))
    module = session.load(Source(f"Функция Ф() Экспорт\n{body}\nКонецФункции", "М"))
    session.call(module, "Ф", [])
    return session


@pytest.mark.parametrize(
    ("before", "call"),
    [
        (LONG, "Х = ВРег(С)"),
        (LONG, "Х = ТРег(С)"),
        (LONG, 'Х = СокрЛП(" " + С)'),
        (LONG, 'Х = СтрРазделить(С, "0")'),
        (LONG, 'Х = СтрЗаменить(С, "0", "я")'),
        (LONG, 'Х = СтрНайти(С, "я")'),
        (LONG, "Х = СтрПолучитьСтроку(С, 1)"),
        (LONG, 'Х = СтрШаблон("%1%1%1%1", С)'),
        (LONG, "Х = Сред(С, 2)"),
        (LONG, 'Х = С < Лев(С, 100) + "я"'),
        (LONG, 'Х = СтрСравнить(С, С + "я")'),
        (LONG, 'Х = "я" + С'),
        (LONG, 'Х = Новый РегулярноеВыражение("."); Х.Заменить(С, "$0$0")'),
        (LONG, "Х = Новый ХешированиеДанных(ХешФункция.SHA256); Х.Добавить(С); У = Х.ХешСуммаСтрокой"),
        (LONG, "Х = Base64Строка(ПолучитьДвоичныеДанныеИзСтроки(С))"),
        ("", 'Х = Формат(1, "ЧЦ=9000; ЧВН=")'),
        ("", "Х = Новый Массив(100000)"),
        (ROWS, 'Т.Сортировать("а")'),
        (ROWS, "Х = Т.Скопировать()"),
        (ROWS, 'Т.Свернуть("а"); Для Й = 1 По 500 Цикл Т.Добавить(); КонецЦикла'),
        (ROWS, 'Х = Т.ВыгрузитьКолонку("а")'),
        (ROWS, 'Т.ЗаполнитьЗначения(1, "а")'),
        (ROWS, 'Х = Т.Итог("а")'),
        (LIST, "Т.СортироватьПоЗначению()"),
        (LIST, "Х = Т.ВыгрузитьЗначения()"),
    ],
)
def test_a_loop_over_heavy_calls_ends_long_before_its_statements_do(before: str, call: str):
    with pytest.raises(LimitReached) as reached:
        run(f"{before}Для Номер = 1 По 1000000 Цикл\n{call};\nКонецЦикла;", 3_000_000)
    assert reached.value.limit == "operations"


def test_work_is_no_operation():
    short = run('А = ВРег("абв");', 100_000)
    long = run("А = ВРег(Б);".replace("Б", '"' + "абв" * 1000 + '"'), 100_000)
    assert short.counters.operations == long.counters.operations


def test_the_limit_is_reached_at_the_same_place_every_time():
    def spent() -> int:
        session = Session("onescript", limits=Limits(operations=300_000))
        module = session.load(Source(f"Функция Ф() Экспорт\n{LONG}Пока Истина Цикл\nХ = ВРег(С);\nКонецЦикла;\nКонецФункции", "М"))
        with pytest.raises(LimitReached):
            session.call(module, "Ф", [])
        return session.counters.operations

    assert spent() == spent()


def test_a_long_needle_is_found_backwards_as_a_short_one_is():
    chance = random.Random(7)
    for _ in range(2000):
        haystack = "".join(chance.choices("аб", k=chance.randint(1, 30)))
        needle = "".join(chance.choices("аб", k=chance.randint(1, 4)))
        start, number = chance.randrange(len(haystack)), chance.randint(1, 4)
        ends = [i for i in range(len(haystack)) if haystack.startswith(needle, i) and i + len(needle) <= start + 1]
        found, last = [], None
        for i in reversed(ends):
            if last is None or i + len(needle) <= last:
                found.append(i + 1)
                last = i
        wanted = found[number - 1] if len(found) >= number else 0
        assert strings._find_long_backwards(haystack, needle, start, number) == wanted, (haystack, needle, start, number)


@pytest.mark.parametrize("dialect", ["onescript", "onec"])
@pytest.mark.parametrize("digits", [50, 5_000, 100_000])
def test_a_literal_of_any_length_is_the_programs_error(dialect: str, digits: int):
    findings = Session(dialect).check(Source(f"Функция Ф()\nВозврат {'9' * digits};\nКонецФункции", "М"))
    assert len(findings) == 1
