"""Mutated programs through parser, compiler and runner: whatever happens must be one of the engine's own errors.

``python -m tests.engine.language.fuzz --count 20000 --seed 1`` prints what escaped, with the program that did it.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter

from scoring.engine.errors import BslRuntimeError, CompileFailed, LimitReached, NotSupported
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source

EXPECTED = (CompileFailed, BslRuntimeError, LimitReached, NotSupported)
LIMITS = Limits(operations=20_000, depth=200, memory=1_000_000, output=1_000)

SEEDS = (
    """
Перем Счетчик;
Функция Факт(Знач Н)
    Если Н <= 1 Тогда
        Возврат 1;
    КонецЕсли;
    Возврат Н * Факт(Н - 1);
КонецФункции
Процедура Прибавить(А, Б = 2)
    А = А + Б;
    Счетчик = ?(Счетчик = Неопределено, 0, Счетчик) + 1;
КонецПроцедуры
Функция Тест(Н) Экспорт
    Сумма = 0.5;
    М = Новый Массив;
    Для К = 1 По Н Цикл
        М.Добавить(К * 2);
        Сумма = Сумма + М[К - 1] / 3;
        Прибавить(Сумма);
    КонецЦикла;
    Возврат Сумма + Факт(5);
КонецФункции
""",
    """
Функция Тест(Н) Экспорт
    С = Новый Структура("а, б", 1, "х");
    Соотв = Новый Соответствие;
    Текст = "";
    Для Каждого КЗ Из С Цикл
        Текст = Текст + КЗ.Ключ + "=" + КЗ.Значение + ";";
        Соотв[КЗ.Ключ] = КЗ.Значение;
    КонецЦикла;
    Попытка
        С.а = С.а / 0;
    Исключение
        Текст = Текст + ОписаниеОшибки();
        ВызватьИсключение;
    КонецПопытки;
    Пока Истина Цикл
        Если СтрДлина(Текст) > 5 И НЕ Ложь ИЛИ Н = 3 Тогда
            Прервать;
        ИначеЕсли Н > 2 Тогда
            Продолжить;
        Иначе
            Текст = Сред(Текст, 1, 2);
        КонецЕсли;
    КонецЦикла;
    Возврат Соотв["а"];
КонецФункции
""",
    """
Функция Тест(Н) Экспорт
    А = 1;
    Выполнить("А = А + " + Н + ";");
    Т = Новый ТаблицаЗначений;
    Т.Колонки.Добавить("К");
    Т.Колонки.Добавить("Л");
    Стр = Т.Добавить();
    Стр.К = Вычислить("А * 2");
    Стр.Л = '20240131' + 86400;
    Найдено = Неопределено;
    С = Новый Структура("К", 4);
    Если С.Свойство("К", Найдено) Тогда
        Возврат Т.НайтиСтроки(С).Количество() + Найдено;
    КонецЕсли;
    Возврат Макс(1, 2, Н) + СтрНайти("абв", "б") - Цел(Н / 2) % 3;
КонецФункции
""",
)

TOKEN = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|[\w.]+|\s+|.', re.DOTALL)

VOCABULARY = ["Если", "Тогда", "ИначеЕсли", "Иначе", "КонецЕсли", "Для", "Каждого", "Из", "По", "Цикл", "КонецЦикла", "Пока", "Попытка", "Исключение", "КонецПопытки", "ВызватьИсключение", "Возврат", "Прервать", "Продолжить", "Новый", "Массив", "Соответствие", "Структура", "Выполнить", "Вычислить", "Перем", "Экспорт", "Знач", "Функция", "КонецФункции", "Процедура", "КонецПроцедуры", "Истина", "Ложь", "Неопределено", "NULL", "И", "ИЛИ", "НЕ", "Перейти", "~М:", "~М", "Асинх", "Ждать", "А", "М", "Н", "С", "Текст", "Сумма", "Тест", "Факт", "0", "1", "2", "1.5", "79228162514264337593543950335", '"х"', '""', "'20240101'", "+", "-", "*", "/", "%", "=", "<>", "<", ">", "<=", ">=", "(", ")", "[", "]", ",", ";", ".", "?", "?(", "{", "}", "!", "#Если", "#КонецЕсли", "&", "|", "//", "СтрДлина", "Сред", "Строка", "Число", "ЭтотОбъект", "Символы", "ТекущаяДата"]


def mutated(text: str, generator: random.Random) -> str:
    """One to six changes of tokens: dropped, doubled, swapped, replaced by a word of the language or of another place."""
    tokens = TOKEN.findall(text)
    for _ in range(generator.randint(1, 6)):
        at = generator.randrange(len(tokens))
        change = generator.randrange(6)
        if change == 0:
            del tokens[at]
        elif change == 1:
            tokens.insert(at, tokens[at])
        elif change == 2:
            other = generator.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif change == 3:
            tokens[at] = generator.choice(tokens)
        elif change == 4:
            tokens.insert(at, " " + generator.choice(VOCABULARY) + " ")
        else:
            tokens[at] = generator.choice(VOCABULARY)
        if not tokens:
            return ""
    return "".join(tokens)


WORDS = {word.lower() for word in VOCABULARY if word[0].isalpha()} - {"а", "м", "н", "с", "текст", "сумма", "тест", "факт"}
OPERATORS = ("+", "-", "*", "/", "%", "=", "<>", "<", ">", "<=", ">=")


def gently_mutated(text: str, generator: random.Random) -> str:
    """One to three changes that mostly keep the program in shape: an operand for an operand, an operator for an operator."""
    tokens = TOKEN.findall(text)
    operands = [i for i, token in enumerate(tokens) if _is_operand(token)]
    operators = [i for i, token in enumerate(tokens) if token in OPERATORS]
    for _ in range(generator.randint(1, 3)):
        if generator.random() < 0.7:
            tokens[generator.choice(operands)] = generator.choice([*(tokens[i] for i in operands[-30:]), *LITERALS])
        else:
            tokens[generator.choice(operators)] = generator.choice(OPERATORS)
    return "".join(tokens)


LITERALS = ("0", "-1", "0.5", '"12"', '""', "Неопределено", "Истина", "79228162514264337593543950335", "'20240131'", "Null")


def _is_operand(token: str) -> bool:
    return (token[0].isalnum() or token[0] in "\"'_") and token.lower() not in WORDS


def outcome(text: str, dialect: str) -> str:
    """What became of the program: the name of the engine's error, ``value``, or raises what escaped."""
    session = Session(dialect, limits=LIMITS)
    try:
        module = session.load(Source(text))
        routines = list(module.program.routines.values())
        if routines:
            last = routines[-1]
            session.call(module, last.name, [3] * len(last.parameters))
    except EXPECTED as error:
        return type(error).__name__
    return "value"


def fuzz(count: int, seed: int) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Outcomes by kind, and (program, what escaped) for whatever was not expected."""
    generator = random.Random(seed)
    seen: Counter[str] = Counter()
    escaped: list[tuple[str, str]] = []
    for number in range(count):
        change = mutated if number % 3 == 0 else gently_mutated
        text = change(generator.choice(SEEDS), generator)
        try:
            seen[outcome(text, "onec" if number % 4 == 0 else "onescript")] += 1
        except Exception as error:
            seen[f"ESCAPED {type(error).__name__}"] += 1
            escaped.append((text, f"{type(error).__name__}: {error}"))
    return seen, escaped


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    start = time.perf_counter()
    seen, escaped = fuzz(options.count, options.seed)
    print(f"{options.count} programs in {time.perf_counter() - start:.1f} s: {dict(seen)}")
    for text, what in escaped[: options.show]:
        print("─" * 80, text, "─" * 80, what[-1500:], sep="\n")
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
