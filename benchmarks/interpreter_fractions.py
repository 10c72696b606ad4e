"""Cases of the interpreter's benchmark with fractions: exact ones, endless ones, and rounding.

The engine keeps up to 29 digits and 28 decimals, ``Decimal`` 28 digits: where quotients are endless, both results are rounded
before they are compared.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from benchmarks.interpreter_cases import case

SHOWN = Decimal("1E-10")
CENT = Decimal("0.01")


@case(
    "fractions: running sum",
    30_000,
    """
Функция Тест(Н) Экспорт
    Сумма = 0.5;
    Для Сч = 1 По Н Цикл
        Сумма = Сумма + 0.25;
        Если Сумма > 1000.75 Тогда
            Сумма = Сумма - 1000.5;
        КонецЕсли;
    КонецЦикла;
    Возврат Сумма;
КонецФункции
""",
)
def fraction_sum(n: int) -> Decimal:
    quarter, limit, step = Decimal("0.25"), Decimal("1000.75"), Decimal("1000.5")
    total = Decimal("0.5")
    for _ in range(n):
        total = total + quarter
        if total > limit:
            total = total - step
    return total


@case(
    "fractions: discount and division",
    20_000,
    """
Функция Тест(Н) Экспорт
    Итого = 0;
    Для Сч = 1 По Н Цикл
        Цена = Сч * 1.25;
        Итого = Итого + Цена * 0.9 - Сч / 4;
    КонецЦикла;
    Возврат Итого;
КонецФункции
""",
)
def fraction_division(n: int) -> Decimal:
    unit, discount = Decimal("1.25"), Decimal("0.9")
    total = Decimal(0)
    for i in range(1, n + 1):
        price = i * unit
        total = total + price * discount - Decimal(i) / 4
    return total


@case(
    "fractions: endless quotients",
    20_000,
    """
Функция Тест(Н) Экспорт
    Сумма = 0;
    Для К = 1 По Н Цикл
        Сумма = Сумма + К / 3;
    КонецЦикла;
    Возврат Окр(Сумма, 10);
КонецФункции
""",
)
def fraction_endless(n: int) -> Decimal:
    total = Decimal(0)
    for k in range(1, n + 1):
        total = total + Decimal(k) / 3
    return total.quantize(SHOWN, ROUND_HALF_UP)


@case(
    "fractions: mean of a series",
    20_000,
    """
Функция Тест(Н) Экспорт
    Среднее = 0;
    Для К = 1 По Н Цикл
        Среднее = Среднее + (К * 1.5 - Среднее) / К;
    КонецЦикла;
    Возврат Окр(Среднее, 10);
КонецФункции
""",
)
def fraction_mean(n: int) -> Decimal:
    half = Decimal("1.5")
    mean = Decimal(0)
    for k in range(1, n + 1):
        mean = mean + (k * half - mean) / k
    return mean.quantize(SHOWN, ROUND_HALF_UP)


@case(
    "fractions: compound interest",
    20_000,
    """
Функция Тест(Н) Экспорт
    Вклад = 1000;
    Для К = 1 По Н Цикл
        Вклад = Вклад * 1.00137;
        Если Вклад > 5000 Тогда
            Вклад = Вклад - 4000;
        КонецЕсли;
    КонецЦикла;
    Возврат Окр(Вклад, 5);
КонецФункции
""",
)
def fraction_interest(n: int) -> Decimal:
    rate = Decimal("1.00137")
    deposit = Decimal(1000)
    for _ in range(n):
        deposit = deposit * rate
        if deposit > 5000:
            deposit = deposit - 4000
    return deposit.quantize(Decimal("1E-5"), ROUND_HALF_UP)


@case(
    "fractions: remainders",
    20_000,
    """
Функция Тест(Н) Экспорт
    С = 1;
    Сумма = 0;
    Для К = 1 По Н Цикл
        С = Окр((С * 1.1 + К) % 1000, 3);
        Сумма = Сумма + К * 1.1 % 7;
    КонецЦикла;
    Возврат С + Сумма;
КонецФункции
""",
)
def fraction_remainders(n: int) -> Decimal:
    rate, places = Decimal("1.1"), Decimal("0.001")
    current = Decimal(1)
    total = Decimal(0)
    for k in range(1, n + 1):
        current = ((current * rate + k) % 1000).quantize(places, ROUND_HALF_UP)
        total = total + k * rate % 7
    return current + total


@case(
    "fractions: rounded totals",
    20_000,
    """
Функция Тест(Н) Экспорт
    Итого = 0;
    Для К = 1 По Н Цикл
        Итого = Итого + Окр(К * 3.337, 2);
    КонецЦикла;
    Возврат Итого;
КонецФункции
""",
)
def fraction_rounded(n: int) -> Decimal:
    price = Decimal("3.337")
    total = Decimal(0)
    for k in range(1, n + 1):
        total = total + (k * price).quantize(CENT, ROUND_HALF_UP)
    return total


@case(
    "fractions: square roots by Newton",
    400,
    """
Функция Корень2(Х)
    Значение = Х;
    Для Шаг = 1 По 30 Цикл
        Значение = (Значение + Х / Значение) / 2;
    КонецЦикла;
    Возврат Значение;
КонецФункции
Функция Тест(Н) Экспорт
    Сумма = 0;
    Для К = 1 По Н Цикл
        Сумма = Сумма + Корень2(К);
    КонецЦикла;
    Возврат Окр(Сумма, 10);
КонецФункции
""",
)
def fraction_newton(n: int) -> Decimal:
    def root(x: int) -> Decimal:
        value = Decimal(x)
        for _ in range(30):
            value = (value + x / value) / 2
        return value

    total = Decimal(0)
    for k in range(1, n + 1):
        total = total + root(k)
    return total.quantize(SHOWN, ROUND_HALF_UP)
