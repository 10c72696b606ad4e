"""What the interpreter's benchmark runs: each case in BSL and in the Python that a person would write for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    size: int
    bsl: str
    python: Callable[[int], Any]


CASES: list[Case] = []


def case(name: str, size: int, bsl: str) -> Callable[[Callable[[int], Any]], Callable[[int], Any]]:
    def declare(python: Callable[[int], Any]) -> Callable[[int], Any]:
        CASES.append(Case(name, size, bsl, python))
        return python

    return declare


@case(
    "loop: sum of remainders",
    200_000,
    """
Функция Тест(Н) Экспорт
    Сумма = 0;
    Для Сч = 1 По Н Цикл
        Сумма = Сумма + Сч % 7;
    КонецЦикла;
    Возврат Сумма;
КонецФункции
""",
)
def loop_sum(n: int) -> int:
    total = 0
    for i in range(1, n + 1):
        total = total + i % 7
    return total


@case(
    "loop: nested with condition",
    400,
    """
Функция Тест(Н) Экспорт
    Пар = 0;
    Для А = 1 По Н Цикл
        Для Б = 1 По Н Цикл
            Если (А * Б) % 3 = 0 Тогда
                Пар = Пар + 1;
            ИначеЕсли А > Б Тогда
                Пар = Пар + 2;
            КонецЕсли;
        КонецЦикла;
    КонецЦикла;
    Возврат Пар;
КонецФункции
""",
)
def loop_nested(n: int) -> int:
    pairs = 0
    for a in range(1, n + 1):
        for b in range(1, n + 1):
            if (a * b) % 3 == 0:
                pairs = pairs + 1
            elif a > b:
                pairs = pairs + 2
    return pairs


@case(
    "loop: while, Collatz",
    3_000,
    """
Функция Тест(Н) Экспорт
    Всего = 0;
    Для Начало = 1 По Н Цикл
        Число = Начало;
        Пока Число <> 1 Цикл
            Если Число % 2 = 0 Тогда
                Число = Цел(Число / 2);
            Иначе
                Число = Число * 3 + 1;
            КонецЕсли;
            Всего = Всего + 1;
        КонецЦикла;
    КонецЦикла;
    Возврат Всего;
КонецФункции
""",
)
def collatz(n: int) -> int:
    total = 0
    for start in range(1, n + 1):
        number = start
        while number != 1:
            if number % 2 == 0:
                number = number // 2
            else:
                number = number * 3 + 1
            total = total + 1
    return total


@case(
    "recursion: Fibonacci",
    22,
    """
Функция Фиб(Н)
    Если Н < 2 Тогда
        Возврат Н;
    КонецЕсли;
    Возврат Фиб(Н - 1) + Фиб(Н - 2);
КонецФункции
Функция Тест(Н) Экспорт
    Возврат Фиб(Н);
КонецФункции
""",
)
def fibonacci(n: int) -> int:
    def fib(k: int) -> int:
        if k < 2:
            return k
        return fib(k - 1) + fib(k - 2)

    return fib(n)


@case(
    "recursion: towers, by reference",
    13,
    """
Процедура Ход(Н, Откуда, Куда, Через, Ходы)
    Если Н = 0 Тогда
        Возврат;
    КонецЕсли;
    Ход(Н - 1, Откуда, Через, Куда, Ходы);
    Ходы = Ходы + 1;
    Ход(Н - 1, Через, Куда, Откуда, Ходы);
КонецПроцедуры
Функция Тест(Н) Экспорт
    Ходы = 0;
    Ход(Н, "а", "б", "в", Ходы);
    Возврат Ходы;
КонецФункции
""",
)
def towers(n: int) -> int:
    def move(k: int, source: str, target: str, spare: str, moves: list[int]) -> None:
        if k == 0:
            return
        move(k - 1, source, spare, target, moves)
        moves[0] = moves[0] + 1
        move(k - 1, spare, target, source, moves)

    moves = [0]
    move(n, "а", "б", "в", moves)
    return moves[0]


@case(
    "calls: helper with default",
    60_000,
    """
Функция Квадрат(Знач Х, Добавка = 1)
    Возврат Х * Х + Добавка;
КонецФункции
Функция Тест(Н) Экспорт
    Сумма = 0;
    Для Сч = 1 По Н Цикл
        Сумма = Сумма + Квадрат(Сч);
    КонецЦикла;
    Возврат Сумма;
КонецФункции
""",
)
def helper_calls(n: int) -> int:
    def square(x: int, extra: int = 1) -> int:
        return x * x + extra

    total = 0
    for i in range(1, n + 1):
        total = total + square(i)
    return total


@case(
    "strings: building",
    5_000,
    """
Функция Тест(Н) Экспорт
    Текст = "";
    Для Сч = 1 По Н Цикл
        Текст = Текст + Строка(Сч) + ";";
    КонецЦикла;
    Возврат СтрДлина(Текст);
КонецФункции
""",
)
def string_building(n: int) -> int:
    text = ""
    for i in range(1, n + 1):
        text = text + str(i) + ";"
    return len(text)


@case(
    "strings: scanning",
    100_000,
    """
Функция Тест(Н) Экспорт
    Текст = СтрСоединить(Новый Массив(Н), "");
    Образец = "абракадабра и ещё немного букв";
    Гласных = 0;
    Длина = СтрДлина(Образец);
    Для Круг = 1 По Цел(Н / 30) Цикл
        Для Сч = 1 По Длина Цикл
            Буква = Сред(Образец, Сч, 1);
            Если СтрНайти("аеёиоуыэюя", Буква) > 0 Тогда
                Гласных = Гласных + 1;
            КонецЕсли;
        КонецЦикла;
    КонецЦикла;
    Возврат Гласных;
КонецФункции
""",
)
def string_scanning(n: int) -> int:
    sample = "абракадабра и ещё немного букв"
    vowels = 0
    length = len(sample)
    for _ in range(1, n // 30 + 1):
        for i in range(1, length + 1):
            letter = sample[i - 1 : i]
            if "аеёиоуыэюя".find(letter) + 1 > 0:
                vowels = vowels + 1
    return vowels


@case(
    "arrays: sieve",
    60_000,
    """
Функция Тест(Н) Экспорт
    Простое = Новый Массив;
    Для Сч = 0 По Н Цикл
        Простое.Добавить(Истина);
    КонецЦикла;
    Сч = 2;
    Пока Сч * Сч <= Н Цикл
        Если Простое[Сч] Тогда
            Кратное = Сч * Сч;
            Пока Кратное <= Н Цикл
                Простое[Кратное] = Ложь;
                Кратное = Кратное + Сч;
            КонецЦикла;
        КонецЕсли;
        Сч = Сч + 1;
    КонецЦикла;
    Всего = 0;
    Для Сч = 2 По Н Цикл
        Если Простое[Сч] Тогда
            Всего = Всего + 1;
        КонецЕсли;
    КонецЦикла;
    Возврат Всего;
КонецФункции
""",
)
def sieve(n: int) -> int:
    prime: list[bool] = []
    for _ in range(n + 1):
        prime.append(True)
    i = 2
    while i * i <= n:
        if prime[i]:
            multiple = i * i
            while multiple <= n:
                prime[multiple] = False
                multiple = multiple + i
        i = i + 1
    total = 0
    for i in range(2, n + 1):
        if prime[i]:
            total = total + 1
    return total


@case(
    "arrays: bubble sort",
    250,
    """
Функция Тест(Н) Экспорт
    М = Новый Массив;
    Х = 12345;
    Для Сч = 1 По Н Цикл
        Х = (Х * 48271) % 2147483647;
        М.Добавить(Х % 1000);
    КонецЦикла;
    Для А = 0 По М.ВГраница() Цикл
        Для Б = 0 По М.ВГраница() - А - 1 Цикл
            Если М[Б] > М[Б + 1] Тогда
                В = М[Б];
                М[Б] = М[Б + 1];
                М[Б + 1] = В;
            КонецЕсли;
        КонецЦикла;
    КонецЦикла;
    Возврат М[0] * 1000000 + М[М.ВГраница()];
КонецФункции
""",
)
def bubble_sort(n: int) -> int:
    items: list[int] = []
    x = 12345
    for _ in range(n):
        x = (x * 48271) % 2147483647
        items.append(x % 1000)
    for a in range(len(items)):
        for b in range(len(items) - 1 - a):
            if items[b] > items[b + 1]:
                c = items[b]
                items[b] = items[b + 1]
                items[b + 1] = c
    return items[0] * 1000000 + items[len(items) - 1]


@case(
    "arrays: walk and append",
    60_000,
    """
Функция Тест(Н) Экспорт
    М = Новый Массив;
    Для Сч = 1 По Н Цикл
        М.Добавить(Сч * 2);
    КонецЦикла;
    Сумма = 0;
    Для Каждого Х Из М Цикл
        Сумма = Сумма + Х;
    КонецЦикла;
    Возврат Сумма + М.Количество();
КонецФункции
""",
)
def walk(n: int) -> int:
    items: list[int] = []
    for i in range(1, n + 1):
        items.append(i * 2)
    total = 0
    for x in items:
        total = total + x
    return total + len(items)


@case(
    "arrays: matrix product",
    40,
    """
Функция Матрица(Н)
    М = Новый Массив(Н, Н);
    Для А = 0 По Н - 1 Цикл
        Для Б = 0 По Н - 1 Цикл
            М[А][Б] = А + Б;
        КонецЦикла;
    КонецЦикла;
    Возврат М;
КонецФункции
Функция Тест(Н) Экспорт
    Л = Матрица(Н);
    П = Матрица(Н);
    Р = Новый Массив(Н, Н);
    Для А = 0 По Н - 1 Цикл
        Для Б = 0 По Н - 1 Цикл
            Сумма = 0;
            Для В = 0 По Н - 1 Цикл
                Сумма = Сумма + Л[А][В] * П[В][Б];
            КонецЦикла;
            Р[А][Б] = Сумма;
        КонецЦикла;
    КонецЦикла;
    Возврат Р[Н - 1][Н - 1];
КонецФункции
""",
)
def matrix(n: int) -> int:
    def build() -> list[list[Any]]:
        rows: list[list[Any]] = [[None] * n for _ in range(n)]
        for a in range(n):
            for b in range(n):
                rows[a][b] = a + b
        return rows

    left, right = build(), build()
    result: list[list[Any]] = [[None] * n for _ in range(n)]
    for a in range(n):
        for b in range(n):
            total = 0
            for c in range(n):
                total = total + left[a][c] * right[c][b]
            result[a][b] = total
    return int(result[n - 1][n - 1])


@case(
    "maps: counting words",
    50_000,
    """
Функция Тест(Н) Экспорт
    Слова = СтрРазделить("раз два три раз пять два раз семь восемь", " ");
    Счет = Новый Соответствие;
    Для Сч = 0 По Н - 1 Цикл
        Слово = Слова[Сч % 9];
        Было = Счет[Слово];
        Если Было = Неопределено Тогда
            Счет.Вставить(Слово, 1);
        Иначе
            Счет[Слово] = Было + 1;
        КонецЕсли;
    КонецЦикла;
    Сумма = 0;
    Для Каждого КЗ Из Счет Цикл
        Сумма = Сумма + КЗ.Значение * СтрДлина(КЗ.Ключ);
    КонецЦикла;
    Возврат Сумма;
КонецФункции
""",
)
def counting(n: int) -> int:
    words = ["раз", "два", "три", "раз", "пять", "два", "раз", "семь", "восемь"]
    count: dict[str, int] = {}
    for i in range(n):
        word = words[i % 9]
        before = count.get(word)
        if before is None:
            count[word] = 1
        else:
            count[word] = before + 1
    return sum(value * len(key) for key, value in count.items())


@case(
    "maps: numbers as keys",
    50_000,
    """
Функция Тест(Н) Экспорт
    Кэш = Новый Соответствие;
    Сумма = 0;
    Для Сч = 1 По Н Цикл
        Ключ = (Сч * Сч) % 1000;
        Найдено = Кэш.Получить(Ключ);
        Если Найдено = Неопределено Тогда
            Найдено = Ключ * 3;
            Кэш.Вставить(Ключ, Найдено);
        КонецЕсли;
        Сумма = Сумма + Найдено;
    КонецЦикла;
    Возврат Сумма;
КонецФункции
""",
)
def number_keys(n: int) -> int:
    cache: dict[int, int] = {}
    total = 0
    for i in range(1, n + 1):
        key = (i * i) % 1000
        found = cache.get(key)
        if found is None:
            found = key * 3
            cache[key] = found
        total = total + found
    return total


@case(
    "structures: fields",
    50_000,
    """
Функция Тест(Н) Экспорт
    Точка = Новый Структура("Х, У, Шагов", 0, 0, 0);
    Для Сч = 1 По Н Цикл
        Точка.Х = Точка.Х + Сч % 3;
        Точка.У = Точка.У + Точка.Х % 5;
        Точка.Шагов = Точка.Шагов + 1;
    КонецЦикла;
    Возврат Точка.Х + Точка.У + Точка.Шагов;
КонецФункции
""",
)
def fields(n: int) -> int:
    point = {"x": 0, "y": 0, "steps": 0}
    for i in range(1, n + 1):
        point["x"] = point["x"] + i % 3
        point["y"] = point["y"] + point["x"] % 5
        point["steps"] = point["steps"] + 1
    return point["x"] + point["y"] + point["steps"]


@case(
    "tables: fill and sum",
    8_000,
    """
Функция Тест(Н) Экспорт
    Т = Новый ТаблицаЗначений;
    Т.Колонки.Добавить("Код");
    Т.Колонки.Добавить("Сумма");
    Для Сч = 1 По Н Цикл
        Строка = Т.Добавить();
        Строка.Код = Сч % 10;
        Строка.Сумма = Сч;
    КонецЦикла;
    Итого = 0;
    Для Каждого Строка Из Т Цикл
        Если Строка.Код = 3 Тогда
            Итого = Итого + Строка.Сумма;
        КонецЕсли;
    КонецЦикла;
    Возврат Итого;
КонецФункции
""",
)
def table_fill(n: int) -> int:
    rows: list[dict[str, Any]] = []
    for i in range(1, n + 1):
        row: dict[str, Any] = {"code": None, "sum": None}
        rows.append(row)
        row["code"] = i % 10
        row["sum"] = i
    total = 0
    for row in rows:
        if row["code"] == 3:
            total = total + row["sum"]
    return total


@case(
    "tables: sort and group",
    4_000,
    """
Функция Тест(Н) Экспорт
    Т = Новый ТаблицаЗначений;
    Т.Колонки.Добавить("Группа");
    Т.Колонки.Добавить("Сумма");
    Х = 7;
    Для Сч = 1 По Н Цикл
        Х = (Х * 48271) % 2147483647;
        Строка = Т.Добавить();
        Строка.Группа = Х % 50;
        Строка.Сумма = Х % 1000;
    КонецЦикла;
    Т.Свернуть("Группа", "Сумма");
    Т.Сортировать("Сумма Убыв");
    Возврат Т[0].Сумма * 1000 + Т.Количество();
КонецФункции
""",
)
def table_group(n: int) -> int:
    rows: list[dict[str, int]] = []
    x = 7
    for _ in range(n):
        x = (x * 48271) % 2147483647
        rows.append({"group": x % 50, "sum": x % 1000})
    groups: dict[int, dict[str, int]] = {}
    for row in rows:
        found = groups.get(row["group"])
        if found is None:
            groups[row["group"]] = {"group": row["group"], "sum": row["sum"]}
        else:
            found["sum"] = found["sum"] + row["sum"]
    ordered = sorted(groups.values(), key=lambda row: row["sum"], reverse=True)
    return ordered[0]["sum"] * 1000 + len(ordered)


@case(
    "tables: sort with many ties",
    6_000,
    """
Функция Тест(Н) Экспорт
    Т = Новый ТаблицаЗначений;
    Т.Колонки.Добавить("Цех");
    Т.Колонки.Добавить("Номер");
    Для Сч = 1 По Н Цикл
        Строка = Т.Добавить();
        Строка.Цех = Сч * 7 % 5;
        Строка.Номер = Сч;
    КонецЦикла;
    Для Круг = 1 По 5 Цикл
        Т.Сортировать("Цех Убыв");
        Т.Сортировать("Цех, Номер Убыв");
    КонецЦикла;
    Возврат Т[0].Номер * 1000000 + Т[Н - 1].Номер;
КонецФункции
""",
)
def table_ties(n: int) -> int:
    rows: list[dict[str, Any]] = []
    for i in range(1, n + 1):
        row: dict[str, Any] = {"shop": None, "number": None}
        rows.append(row)
        row["shop"] = i * 7 % 5
        row["number"] = i
    for _ in range(5):
        rows.sort(key=lambda row: row["shop"], reverse=True)
        rows.sort(key=lambda row: (row["shop"], -row["number"]))
    return int(rows[0]["number"] * 1000000 + rows[n - 1]["number"])


@case(
    "maps: walking many pairs",
    40_000,
    """
Функция Тест(Н) Экспорт
    Остатки = Новый Соответствие;
    Для Сч = 1 По Н Цикл
        Остатки.Вставить(Сч, Сч % 100);
    КонецЦикла;
    Всего = 0;
    Для Круг = 1 По 3 Цикл
        Для Каждого Пара Из Остатки Цикл
            Если Пара.Значение > 50 Тогда
                Всего = Всего + Пара.Ключ;
            КонецЕсли;
        КонецЦикла;
    КонецЦикла;
    Возврат Всего;
КонецФункции
""",
)
def map_walk(n: int) -> int:
    stock: dict[int, int] = {}
    for i in range(1, n + 1):
        stock[i] = i % 100
    total = 0
    for _ in range(3):
        for key, value in stock.items():
            if value > 50:
                total = total + key
    return total
