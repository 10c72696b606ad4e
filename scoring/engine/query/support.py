"""What generated code calls: arithmetic with NULL, comparisons of mixed values, aggregates, functions of the language.

NULL in, NULL out, and NULL for a value of a wrong type (only fields of composite types can hold one: static types are checked
before): stated once, by :func:`strict`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from functools import wraps
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.query import dates, shapes
from scoring.engine.query.collate import fold, sort_text
from scoring.engine.query.failures import QueryError, execution_error
from scoring.engine.values.dates import ONEC_MAX_YEAR, week_of_year
from scoring.engine.values.model import NULL
from scoring.engine.values.numbers import (
    Number,
    from_double,
    onec_add,
    onec_divide,
    onec_multiply,
    onec_normal,
    onec_subtract,
    round_half_away,
    to_double,
)
from scoring.engine.values.types import type_of


def strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function gives NULL where any argument is NULL or of a type that it does not take."""

    @wraps(function)
    def guarded(*arguments: Any) -> Any:
        for argument in arguments:
            if argument is NULL:
                return NULL
        try:
            return function(*arguments)
        except (TypeError, AttributeError, ValueError):
            return NULL

    return guarded


# -- arithmetic --------------------------------------------------------------------------------------------------------


@strict
def add(left: Any, right: Any) -> Any:
    return left + right if type(left) is str else onec_add(left, right)


@strict
def subtract(left: Number, right: Number) -> Any:
    return onec_subtract(left, right)


@strict
def multiply(left: Number, right: Number) -> Any:
    return onec_multiply(left, right)


@strict
def divide(left: Number, right: Number) -> Any:
    if right == 0:
        raise execution_error("Деление на 0")
    return onec_divide(left, right)


@strict
def negate(value: Number) -> Any:
    return -value


def normal(value: Any) -> Any:
    """A number without superfluous zeros; anything else as it is."""
    return onec_normal(value) if type(value) is Decimal else value


# -- aggregates over the values of a group -----------------------------------------------------------------------------


def total(values: Sequence[Any]) -> Any:
    """СУММА: NULL over nothing. Exact: queries run with a wide decimal context."""
    if not values:
        return NULL
    try:
        return sum(values)
    except TypeError:
        return total(numbers_among(values))


def average(values: Sequence[Any]) -> Any:
    numbers = numbers_among(values)
    return onec_divide(sum(numbers), len(numbers)) if numbers else NULL


def numbers_among(values: Sequence[Any]) -> list[Any]:
    """A field of a composite type adds up only its numbers."""
    return [value for value in values if type(value) is int or type(value) is Decimal]


def smallest(values: Sequence[Any]) -> Any:
    return min(values, key=shapes.order_key) if values else NULL


def largest(values: Sequence[Any]) -> Any:
    return max(values, key=shapes.order_key) if values else NULL


def plain_smallest(values: Sequence[Any]) -> Any:
    """МИНИМУМ of numbers or dates."""
    return min(values) if values else NULL


def plain_largest(values: Sequence[Any]) -> Any:
    return max(values) if values else NULL


def unique(values: Iterable[Any]) -> list[Any]:
    """Values without repetition, as РАЗЛИЧНЫЕ sees them."""
    return list({shapes.mixed_key(value): value for value in values}.values())


# -- functions of dates --------------------------------------------------------------------------------------------------


def _date_part(read: Callable[[datetime], int]) -> Callable[..., Any]:
    return strict(read)


DATE_PARTS: dict[str, Callable[..., Any]] = {
    "ГОД": _date_part(lambda moment: moment.year),
    "КВАРТАЛ": _date_part(lambda moment: (moment.month - 1) // 3 + 1),
    "МЕСЯЦ": _date_part(lambda moment: moment.month),
    "ДЕНЬГОДА": _date_part(lambda moment: moment.timetuple().tm_yday),
    "ДЕНЬ": _date_part(lambda moment: moment.day),
    "НЕДЕЛЯ": _date_part(week_of_year),
    "ДЕНЬНЕДЕЛИ": _date_part(lambda moment: moment.weekday() + 1),
    "ЧАС": _date_part(lambda moment: moment.hour),
    "МИНУТА": _date_part(lambda moment: moment.minute),
    "СЕКУНДА": _date_part(lambda moment: moment.second),
}
PERIOD_BEGIN = {part: strict(cut) for part, cut in dates.BEGIN.items()}
PERIOD_END = {part: strict(cut) for part, cut in dates.END.items()}


def shifter(part: str) -> Callable[..., Any]:
    """ДОБАВИТЬКДАТЕ for one kind of period."""

    @strict
    def shift(moment: datetime, count: Number) -> Any:
        try:
            shifted = dates.add(moment, part, int(count))
        except (OverflowError, BslRuntimeError):
            raise execution_error("Выход за границы допустимого диапазона дат.") from None
        if shifted.year > ONEC_MAX_YEAR:
            raise execution_error("Выход за границы допустимого диапазона дат.")
        return shifted

    return shift


def counter(part: str) -> Callable[..., Any]:
    """РАЗНОСТЬДАТ for one kind of period."""
    return strict(lambda first, second: dates.difference(first, second, part))


def year_too_large() -> QueryError:
    return execution_error("Номер года в литерале типа 'Дата' превышает 3999.")


@strict
def make_date(*parts: Any) -> datetime:
    """ДАТАВРЕМЯ; raises the run's error for a year above 3999 or a day that does not exist."""
    numbers = [int(part) for part in parts]
    if numbers[0] > ONEC_MAX_YEAR:
        raise year_too_large()
    try:
        return datetime(*numbers)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        raise execution_error("Неправильная дата в литерале типа 'Дата'.") from None


# -- functions of strings ------------------------------------------------------------------------------------------------


@strict
def substring(text: str, start: Number, length: Number) -> Any:
    begin = int(start) - 1
    end = begin + max(int(length), 0)
    return text[max(begin, 0) : max(end, 0)]


@strict
def left_part(text: str, length: Number) -> Any:
    return text[: max(int(length), 0)]


@strict
def right_part(text: str, length: Number) -> Any:
    count = max(int(length), 0)
    return text[-count:] if count else ""


@strict
def find(text: str, wanted: str) -> Any:
    return fold(text).find(wanted.lower()) + 1 if wanted else 0


@strict
def replace(text: str, old: str, new: str) -> Any:
    """СТРЗАМЕНИТЬ, ignoring case as all string work of queries does."""
    if not old:
        return text
    lowered, target = text.lower(), old.lower()
    pieces, position = [], 0
    while (found := lowered.find(target, position)) >= 0:
        pieces += [text[position:found], new]
        position = found + len(old)
    return "".join(pieces) + text[position:]


STRINGS: dict[str, Callable[..., Any]] = {
    "ДЛИНАСТРОКИ": strict(len),
    "СОКРЛ": strict(lambda text: text.lstrip()),
    "СОКРП": strict(lambda text: text.rstrip()),
    "СОКРЛП": strict(lambda text: text.strip()),
    "ВРЕГ": strict(lambda text: text.upper()),
    "НРЕГ": strict(lambda text: text.lower()),
}

# -- functions of numbers ------------------------------------------------------------------------------------------------


@strict
def round_number(value: Number, digits: Number = 0) -> Any:
    return onec_normal(round_half_away(value, int(digits)))


@strict
def whole(value: Number) -> Any:
    return int(value)


def _real(function: Callable[..., float]) -> Callable[..., Any]:
    @strict
    def compute(*arguments: Number) -> Any:
        try:
            return onec_normal(from_double(function(*[to_double(argument) for argument in arguments])))
        except (ValueError, OverflowError, ZeroDivisionError, BslRuntimeError):
            raise execution_error("Недопустимое значение аргумента функции.") from None

    return compute


REALS: dict[str, Callable[..., Any]] = {
    "ACOS": _real(math.acos), "ASIN": _real(math.asin), "ATAN": _real(math.atan), "COS": _real(math.cos),
    "SIN": _real(math.sin), "TAN": _real(math.tan), "EXP": _real(math.exp), "LOG": _real(math.log),
    "LOG10": _real(math.log10), "POW": _real(math.pow), "SQRT": _real(math.sqrt),
}  # fmt: skip


# -- other ---------------------------------------------------------------------------------------------------------------


def value_type(value: Any) -> Any:
    """ТИПЗНАЧЕНИЯ: the type of NULL is Null."""
    return type_of(value)


def row_of(reference: Any, missing: Sequence[Any]) -> Sequence[Any]:
    """The stored row behind a reference; a row of NULLs for NULL, Неопределено, broken references and other values."""
    return getattr(reference, "row", None) or missing


def section_rows(value: Any) -> Sequence[Any]:
    """The rows of a tabular section; none for a row that an outer join left out."""
    return value if isinstance(value, (list, tuple)) else ()


NAMESPACE: dict[str, Any] = {
    "NULL": NULL,
    "add": add, "subtract": subtract, "multiply": multiply, "divide": divide, "negate": negate, "normal": normal,
    "total": total, "average": average, "smallest": smallest, "largest": largest, "unique": unique,
    "plain_smallest": plain_smallest, "plain_largest": plain_largest,
    "fold": fold, "sort_text": sort_text, "string_key": shapes.string_key, "mixed_key": shapes.mixed_key,
    "equal": shapes.equal, "unequal": shapes.unequal, "less": shapes.less, "less_or_equal": shapes.less_or_equal,
    "order_key": shapes.order_key, "object_order": shapes.object_order, "row_of": row_of,
    "section_rows": section_rows,
    "onec_add": onec_add,
}  # fmt: skip
