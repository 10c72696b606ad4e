"""Whatever stands in a text, the checkers of both dialects come to an end with findings."""

from __future__ import annotations

import random

import pytest

from scoring.engine.errors import NotSupported
from scoring.engine.session import Session, Source
from scoring.engine.syntax.bsl_parser import analyse
from scoring.engine.syntax.check_modules import check_module

WORDS = (
    "Если Тогда Иначе ИначеЕсли КонецЕсли Для Каждого Из По Цикл КонецЦикла Пока Процедура Функция КонецПроцедуры КонецФункции "
    "Перем Экспорт Знач Возврат Прервать Попытка Исключение КонецПопытки ВызватьИсключение Новый Выполнить Перейти Асинх Ждать И "
    "Или Не Истина Null А Б Сред Дата ТекущаяДата СтрНайти Массив Число ( ) [ ] . , ; = <> + - * / % ? ~М ~М: & && ! \" \"а\" '' "
    "'20260101' 1 1.5 @ # #Если #Иначе #КонецЕсли #Область | // {} “"
).split()
LINES = ("\n#Если Клиент Тогда\n", "\n#Если Сервер И Тогда\n", "\n#Иначе\n", "\n#КонецЕсли\n", "\n&НаСервере(\n", "\n&НаСервере\n", "\n")


def soup(seed: int) -> str:
    rng = random.Random(seed)
    head = "Функция Ф(А)\n" if rng.random() < 0.7 else ""
    words = [rng.choice(LINES) if rng.random() < 0.1 else rng.choice(WORDS) + rng.choice("  \n") for _ in range(rng.randrange(1, 60))]
    return head + "".join(words)


@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_no_text_breaks_a_checker(first: int) -> None:
    sessions = [Session("onec"), Session("onescript")]
    for seed in range(first, first + 100):
        text = soup(seed)
        for finding in check_module(text):
            assert 1 <= finding.line <= text.count("\n") + 1, (seed, finding)
        analyse(text)
        for session in sessions:
            try:
                session.check(Source(text))
            except NotSupported:
                pass


@pytest.mark.parametrize("text", ["&НаСервере(\n(А", "&НаСервере(", "#Если Не (\n", '#Если Клиент Тогда\n"а"'])
def test_what_breaks_off_is_an_error(text: str) -> None:
    assert check_module(text)
    for dialect in ("onec", "onescript"):
        assert Session(dialect).check(Source(text))
