"""Decimal arithmetic against exact fractions: whatever .NET's rules say of a result must hold for any operands."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest

from scoring.engine.errors import BslRuntimeError
from scoring.engine.session import Session, Source
from scoring.engine.values import numbers
from scoring.engine.values.numbers import NET_MAX, NET_SCALE, Number

ROUNDS = 4000


def exact(value: Number) -> Fraction:
    return Fraction(value)


def random_number(source: random.Random) -> Number:
    digits = source.choice((1, 2, 5, 10, 20, 28, 29))
    mantissa = min(source.randrange(10**digits), NET_MAX)
    scale = source.choice((0, 0, 1, 2, 5, 14, 28))
    number = numbers.join(mantissa if source.random() < 0.6 else -mantissa, scale)
    return number


def operands(seed: int) -> list[tuple[Number, Number]]:
    source = random.Random(seed)
    return [(random_number(source), random_number(source)) for _ in range(ROUNDS)]


def half_even(value: Fraction, scale: int) -> int:
    scaled = value * 10**scale
    whole, rest = divmod(abs(scaled.numerator), scaled.denominator)
    twice = 2 * rest
    whole += twice > scaled.denominator or (twice == scaled.denominator and whole % 2 == 1)
    return -whole if scaled < 0 else whole


def check_nearest(result: Number, wanted: Fraction) -> None:
    """The result fits, and is the nearest number with its scale; an inexact one could not have had one decimal more."""
    mantissa, scale = numbers.parts(result)
    assert abs(mantissa) <= NET_MAX
    assert 0 <= scale <= NET_SCALE
    if exact(result) == wanted:
        return
    assert mantissa == half_even(wanted, scale) or exact(result) == Fraction(half_even(wanted, NET_SCALE), 10**NET_SCALE)
    finer = half_even(wanted, scale + 1)
    assert scale == NET_SCALE or abs(finer) > NET_MAX or finer % 10 == 0


def check_operation(
    operation: Callable[[Number, Number], Number], truth: Callable[[Fraction, Fraction], Fraction], seed: int
) -> None:
    for left, right in operands(seed):
        wanted = truth(exact(left), exact(right))
        try:
            result = operation(left, right)
        except BslRuntimeError as error:
            assert error.kind == "overflow"
            assert abs(half_even(wanted, 0)) > NET_MAX
            continue
        check_nearest(result, wanted)


def test_sums_are_nearest() -> None:
    check_operation(numbers.net_add, lambda a, b: a + b, 1)


def test_differences_are_nearest() -> None:
    check_operation(numbers.net_subtract, lambda a, b: a - b, 2)


def test_products_are_nearest() -> None:
    check_operation(numbers.net_multiply, lambda a, b: a * b, 3)


def test_quotients_are_nearest() -> None:
    for left, right in operands(4):
        if right == 0:
            continue
        wanted = exact(left) / exact(right)
        try:
            check_nearest(numbers.net_divide(left, right), wanted)
        except BslRuntimeError as error:
            assert error.kind == "overflow"
            assert abs(half_even(wanted, 0)) > NET_MAX


def test_remainders_are_exact_and_take_the_sign_of_the_dividend() -> None:
    for left, right in operands(5):
        if right == 0:
            continue
        a, b = exact(left), exact(right)
        wanted = abs(a) % abs(b)
        assert exact(numbers.net_remainder(left, right)) == (-wanted if a < 0 else wanted)


def test_exact_sums_keep_the_greater_scale() -> None:
    for left, right in operands(6):
        (a, a_scale), (b, b_scale) = numbers.parts(left), numbers.parts(right)
        scale = max(a_scale, b_scale)
        total = a * 10 ** (scale - a_scale) + b * 10 ** (scale - b_scale)
        if abs(total) > NET_MAX:
            continue
        result = numbers.net_add(left, right)
        if 0 <= exact(result) <= 9 and exact(result).denominator == 1:
            assert type(result) is int
        else:
            assert numbers.parts(result) == (total, scale)


@pytest.mark.parametrize("digits", range(6))
def test_rounding_goes_away_from_zero_at_halves(digits: int) -> None:
    source = random.Random(digits)
    for _ in range(500):
        number = numbers.join(source.randrange(-(10**7), 10**7), source.choice((1, 2, 3, 6)))
        scaled = abs(exact(number)) * 10**digits
        wanted = (scaled + Fraction(1, 2)).__floor__()
        result = numbers.round_half_away(number, digits)
        assert exact(result) == Fraction(wanted, 10**digits) * (-1 if number < 0 else 1)
        assert numbers.parts(result)[1] <= max(digits, 0)


def test_doubles_keep_fifteen_digits() -> None:
    source = random.Random(7)
    for _ in range(2000):
        value = source.uniform(-1, 1) * 10 ** source.randrange(-8, 20)
        result = numbers.from_double(value)
        assert len(str(numbers.parts(result)[0]).lstrip("-").rstrip("0")) <= 15
        assert abs(exact(result) - Fraction(value)) <= abs(Fraction(value)) * Fraction(1, 10**14)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (2.718281828459045, "2.71828182845904"), (1e28, "10000000000000000000000000000"), (1e-29, "0"),
     (1 / 3, "0.333333333333333"), (-123456789.5, "-123456789.5"), (0.0, "0")],
)  # fmt: skip
def test_a_double_becomes_a_decimal(value: float, text: str) -> None:
    assert numbers.plain_text(numbers.from_double(value)) == text


@pytest.mark.parametrize("value", [1e29, float("inf"), float("nan"), -1e40])
def test_what_no_decimal_holds_overflows(value: float) -> None:
    with pytest.raises(BslRuntimeError, match="overflow"):
        numbers.from_double(value)


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [("10", "4", "2.5"), ("10.00", "4", "2.50"), ("1.00", "8", "0.125"), ("100", "2.5", "40"), ("7.50", "2.5", "3"),
     ("0.5", "0.0001", "5000"), ("30.0", "3", "10.0"), ("1", "3000", "0.0003333333333333333333333333")],
)  # fmt: skip
def test_an_exact_quotient_keeps_the_difference_of_scales(left: str, right: str, text: str) -> None:
    assert numbers.plain_text(numbers.net_divide(Decimal(left), Decimal(right))) == text


@pytest.mark.parametrize("left", ["-12345678901234567890123456", "1234567890123456789012345678"])
def test_a_quotient_by_a_small_fraction_is_whole(left: str) -> None:
    quotient = numbers.net_divide(int(left), Decimal("0.1"))
    assert type(quotient) is int
    assert str(quotient) == left + "0"


@pytest.mark.parametrize("dialect", ["onescript", "onec"])
def test_operands_known_to_be_numbers_give_what_any_operands_give(dialect: str) -> None:
    """What is known to be a number takes a road that asks for no types."""
    results = "(А + Б), (А - Б), (А * Б), (А * 1.25), (0.1 + Б), (А - 3.5), (А % 7), (А / 8)"
    known = f"""
    Функция Тест(Первое, Второе) Экспорт
        А = Число(Первое); Б = Число(Второе);
        М = Новый Массив;
        {" ".join(f"М.Добавить({result.strip('()')});" for result in results.split("), "))}
        Возврат М;
    КонецФункции
    """
    unknown = known.replace("А = Число(Первое); Б = Число(Второе);", "А = Первое; Б = Второе;")
    session = Session(dialect)
    modules = [session.load(Source(text)) for text in (known, unknown)]
    checked = 0
    for left, right in operands(31)[:800]:
        outcomes = []
        for module in modules:
            try:
                outcomes.append([(type(x), str(x)) for x in session.call(module, "Тест", [left, right]).items])
            except BslRuntimeError as error:
                outcomes.append([error.kind])
        assert outcomes[0] == outcomes[1], (left, right)
        checked += len(outcomes[0]) > 1
    assert checked > 200


def test_1c_sums_and_products_are_exact() -> None:
    source = random.Random(8)
    for _ in range(1000):
        left = numbers.onec_normal(random_number(source))
        right = numbers.onec_normal(random_number(source))
        assert exact(numbers.onec_add(left, right)) == exact(left) + exact(right)
        assert exact(numbers.onec_multiply(left, right)) == exact(left) * exact(right)
        if right:
            error = exact(numbers.onec_divide(left, right)) - exact(left) / exact(right)
            assert abs(error) <= Fraction(1, 2 * 10**27)


def test_the_road_for_long_numbers_gives_what_the_quick_one_gives():
    """After a long number the next operations take the other road: a run in between shows in no result."""
    source = """
    Функция Тест(А, Б, Длинное) Экспорт
        Если Длинное Тогда
            Ничто = 1 / 3 + 1000.5 * (2 / 7);
        КонецЕсли;
        Возврат "" + (А + Б) + " " + (А - Б) + " " + (А * Б);
    КонецФункции
    """
    checked = 0
    for left, right in operands(12)[:1500]:
        results = []
        for long in (False, True):
            session = Session("onescript")
            module = session.load(Source(source))
            try:
                results.append(session.call(module, "Тест", [left, right, long]))
            except BslRuntimeError as error:
                results.append(error.kind)
        assert results[0] == results[1], (left, right)
        checked += results[0] != "overflow"
    assert checked > 500


@pytest.mark.parametrize(("left", "right"), [(1, 3), (-7, 3), (2, Decimal("0.7")), (Decimal("1E-20"), 7), (10**29, 7), (5, 8)])
def test_quotients_of_1c_keep_27_decimals_rounded_half_away(left: Number, right: Number):
    quotient = exact(left) / exact(right)
    scaled = abs(quotient) * 10**27
    whole = int(scaled + Fraction(1, 2))
    wanted = Fraction(whole if quotient >= 0 else -whole, 10**27)
    assert exact(numbers.onec_divide(left, right)) == wanted
