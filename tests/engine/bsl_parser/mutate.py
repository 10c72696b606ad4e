"""Damages programs the way language models and typing people do; everything is fixed by the seed of the generator."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

SEEDS = Path(__file__).with_name("seeds.bsl.txt")

_TOKEN = re.compile(r'"(?:[^"\n]|"")*"?|//[^\n]*|\w+|[ \t]+|\n|<=|>=|<>|.', re.DOTALL)

WORDS = """
Функция Процедура КонецФункции КонецПроцедуры Если Тогда ИначеЕсли Иначе КонецЕсли Для Каждого Из По Цикл КонецЦикла Пока
Попытка Исключение КонецПопытки Возврат ВызватьИсключение Прервать Продолжить Новый И Или Не Истина Ложь Неопределено
Перем Экспорт Знач Выполнить Перейти ДобавитьОбработчик Асинх Ждать Null If Then EndIf For Each In Do EndDo While Return
Function EndFunction Procedure EndProcedure Try Except EndTry Var Export New And Or Not True False Undefined Await Async
Каждое Каждой Конец ИначеЕсли Elif Elseif Шаг Step Mod Div Xor КонецДля Возвратить Вернуть Тогда: Массив Строка x i
Комментарий Это функция возвращает сумму
""".split()  # noqa: SIM905

SIGNS = """
+= -= *= /= ++ -- := == != && || ! { } [ ] ( ) [] {} , ; : . .. ... => -> <- ? ?. ?? \\ @ $ ^ % & ~ # | ' " ` ``` ""
1 0.5 .5 1. 1e5 0x1F '20240101' "строка" "" // /* */ <= >= <> < > = + - * / « » – — … № ² ½ é 漢 \u00a0 \u200b \r \t \f \v
""".split(" ")  # noqa: SIM905

SNIPPETS = [
    "```bsl\n", "```\n", "```1c\n", "Вот решение задачи:\n", "def f(x):\n    return x\n", "x => x + 1", "(а, б) -> а > б",
    "А += 1;\n", "А++;\n", "++А;\n", "А -= Б;\n", "Массив = [1, 2, 3];\n", "С = {\"а\": 1};\n", "М[i, j] = 5;\n",
    "А = М[1][2, 3];\n", "Если А == Б Тогда\n", "Если А != Б Тогда\n", "Если (А && Б) || В Тогда\n", "!А",
    "Для И = 0 По 10 Цикл\n    А = И + 1;\n    Сообщить(И);\nКонецЦикла;\n", "И = 1;\n", "Б[И] = И;\n",
    "Для Н = 10 По 1 Шаг -1 Цикл\nКонецЦикла;\n", "Для Каждое Строка Из Строки Цикл\nКонецЦикла;\n",
    "Для каждого (Ключ, Знач) Из М Цикл\nКонецЦикла;\n", "Для Н = 1 До 5 Цикл\nКонецЦикла;\n", "А := 5;\n",
    "Функция Внутри(А)\n    Возврат А;\nКонецФункции\n", "Процедура В()\n    Возврат 5;\nКонецПроцедуры\n",
    "Возврат А, Б;\n", "А, Б = Б, А;\n", "Перем А = 5;\n", "Функция Ф(А: Число, Б: Строка): Булево\n", "Функция Ф(А Тип Число)\n",
    "Если А Тогда Возврат 1\n", "Возврат ?(А, Б);\n", "А = А ? Б : В;\n", "А = Если Б Тогда 1 Иначе 2;\n", "А = \"незакрытая\n",
    "А = \"первая\nвторая\";\n", "А = \"первая\n|вторая\n", "ВызватьИсключение Новый Исключение(\"текст\");\n", "А = Б mod 2;\n",
    "А = Б div 2;\n", "А = Б \\ 2;\n", "А = Новый Массив();\n", "А = Новый Массив(3)(4);\n", "#Область Имя\n", "#КонецОбласти\n",
    "#Если Сервер Тогда\n", "#КонецЕсли\n", "#Иначе\n", "&НаКлиенте\n", "&\n", "&Знач(1)\n", "#\n", "~М:\n", "Перейти ~М;\n",
    "Асинх Процедура АП()\n    Ждать А();\nКонецПроцедуры\n", "Выполнить(\"1\");\n", "Выполнить А, Б;\n", "А.Б.В();\n", "А.Б.В;\n", "А;\n", "А Б;\n",
    "А().Б;\n", "А[1];\n", "А = ;\n", "= 5;\n", "Если Тогда КонецЕсли;\n", "Пока Цикл КонецЦикла;\n", "Для Цикл\n", "Иначе Если А Тогда\n",
    "ИначеЕсли А = 1\n", "Исключение\n", "КонецПопытки\n", "КонецФункции;\n", "Конец;\n", "А = Б В = Г;\n", "Сообщить \"текст\";\n",
    "Сообщить(\"а\" + Строка(1) + ;\n", "А = (Б + (В - 1);\n", "А = Б));\n", "А = СтрШаблон(\"%1\", 1));\n", "А = Ф(,,);\n", "#Использовать a-b\n",
    "#Удаление\nА\n", "#КонецУдаления\n", "#Вставка\n", "А = Не Не Б;\n", "А = --Б;\n", "А = Б = В;\n", "А = Б < В < Г;\n", "А.И = 1;\n", "А.Если.Тогда();\n",
    "А = Б.\nВ = 1;\n", "А = .Б;\n", "Перем;\n", "Перем А,;\n", "Возврат\n", "Прервать\n", "ОбработкаПрерыванияПользователя();\n", "/* комментарий */\n", "# комментарий\n",
    "-- комментарий\n", "| строка\n", "Попытка А(); Исключение Б(); КонецПопытки\n", "Новый Массив;\n", "А = Новый;\n", "А = Новый (Б);\n", "Знач А = 1;\n", "А = Тип(Число;\n",
]  # fmt: skip


def seed_programs() -> list[str]:
    return SEEDS.read_text(encoding="utf-8").split("----\n")


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _place(rng: random.Random, parts: list[str]) -> int:
    return rng.randrange(len(parts)) if parts else 0


def _delete(rng: random.Random, parts: list[str]) -> None:
    if parts:
        start = _place(rng, parts)
        del parts[start : start + rng.choice((1, 1, 1, 2, 3))]


def _insert_word(rng: random.Random, parts: list[str]) -> None:
    parts.insert(_place(rng, parts), f" {rng.choice(WORDS)} ")


def _insert_sign(rng: random.Random, parts: list[str]) -> None:
    parts.insert(_place(rng, parts), rng.choice(SIGNS))


def _insert_snippet(rng: random.Random, parts: list[str]) -> None:
    at = _place(rng, parts)
    if rng.random() < 0.8:
        while at < len(parts) and parts[at] != "\n":
            at += 1
        parts.insert(at, "\n" + rng.choice(SNIPPETS))
    else:
        parts.insert(at, rng.choice(SNIPPETS))


def _replace(rng: random.Random, parts: list[str]) -> None:
    if parts:
        parts[_place(rng, parts)] = rng.choice(WORDS if rng.random() < 0.5 else SIGNS)


def _swap(rng: random.Random, parts: list[str]) -> None:
    if len(parts) > 1:
        first, second = _place(rng, parts), _place(rng, parts)
        if rng.random() < 0.7:
            second = min(first + rng.choice((1, 2)), len(parts) - 1)
        parts[first], parts[second] = parts[second], parts[first]


def _double(rng: random.Random, parts: list[str]) -> None:
    at = _place(rng, parts)
    length = rng.choice((1, 1, 2, 5, 20))
    parts[at:at] = parts[at : at + length]


def _inflect(rng: random.Random, parts: list[str]) -> None:
    words = [index for index, part in enumerate(parts) if part.isalpha() and len(part) > 1]
    if words:
        at = rng.choice(words)
        parts[at] = rng.choice((parts[at][:-1], parts[at] + "е", parts[at].upper(), parts[at].lower(), parts[at] + "1"))


def _drop_line(rng: random.Random, parts: list[str]) -> None:
    lines = "".join(parts).split("\n")
    del lines[rng.randrange(len(lines))]
    parts[:] = tokens("\n".join(lines))


def _cut(rng: random.Random, parts: list[str]) -> None:
    if rng.random() < 0.3:
        del parts[_place(rng, parts) :]


def _join_lines(rng: random.Random, parts: list[str]) -> None:
    breaks = [index for index, part in enumerate(parts) if part == "\n"]
    if breaks:
        parts[rng.choice(breaks)] = " "


DAMAGES: tuple[Callable[[random.Random, list[str]], None], ...] = (
    _delete, _delete, _insert_word, _insert_word, _insert_sign, _insert_sign, _insert_snippet, _insert_snippet,
    _replace, _replace, _swap, _double, _inflect, _drop_line, _cut, _join_lines,
)  # fmt: skip


def mutated(rng: random.Random, programs: list[str]) -> str:
    """One program out of ``programs`` with one to six damages."""
    parts = tokens(rng.choice(programs))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4, 6))):
        rng.choice(DAMAGES)(rng, parts)
    return "".join(parts).replace("\0", "")


def many(count: int, seed: int, programs: list[str] | None = None) -> list[str]:
    """``count`` damaged programs, the same for the same ``seed``."""
    rng = random.Random(seed)
    programs = programs or seed_programs()
    return [mutated(rng, programs) for _ in range(count)]
