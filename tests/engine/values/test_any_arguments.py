"""Built-ins, constructors, members and operators with arguments of every kind: nothing leaves the family of errors."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from scoring.engine.collections import new_array, new_map, new_structure
from scoring.engine.errors import EngineError
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.values.enums import EnumType
from scoring.engine.values.members import CONSTRUCTORS, GLOBAL_FUNCTIONS, lookup
from scoring.engine.values.model import MISSING, NULL, BslObject
from scoring.engine.values.type_description import TypeDescription
from scoring.engine.values.types import TypeValue
from scoring.engine.values.uuid import EMPTY_UUID, Uuid

DIALECTS = ("onescript", "onec")
PER_FUNCTION = 25
TEXTS = (
    "", " ", "абв", "12", "-3.5", "20240131", "%1", '{"a": 1}', "[1, 2]", '<a b="1">t</a>', "ЧДЦ=2; ЧЦ=5", 'ДФ="dd MMM yyyy"',
    "ru='x'; en='y'", "(a+)*b", "a\nb", "\0", "😀", "x" * 1000,
)  # fmt: skip
NUMBERS = (
    0, 1, -1, 2, 5, 28, 29, -100, 10**5, 2**31, 2**63, 2**96 - 1, Decimal("0.5"), Decimal("-2.50"), Decimal("1E-28"),
    Decimal("12345678901234567890.123456789"),
)  # fmt: skip
PLAIN = (True, False, None, NULL, MISSING, datetime(2024, 2, 29, 12, 34, 56), datetime.min, datetime(9999, 12, 31))
OBJECTS = ("ЧтениеJSON", "ЗаписьJSON", "ЧтениеXML", "ЗаписьXML", "ТекстовыйДокумент", "СписокЗначений", "ТаблицаЗначений")


@pytest.fixture(params=DIALECTS)
def rt(request: pytest.FixtureRequest) -> Any:
    return Session(request.param, limits=Limits(memory=1_000_000)).runtime


def some_values(rt: Any) -> list[Any]:
    made = [lookup(CONSTRUCTORS, name, rt.dialect.name).function(rt) for name in OBJECTS]  # type: ignore[union-attr]
    kinds = [TypeValue.of(names) for names in (("Число", "Number"), ("Строка", "String"), ("Массив", "Array"))]
    enums = [enum.values[-1] for enum in set(EnumType.all.values())]
    collections = [new_array([1, "a", None]), new_structure([("а", 1)]), new_map(rt, [(1, 2)])]
    return [*TEXTS, *NUMBERS, *PLAIN, *made, *kinds, *enums[:12], *collections, TypeDescription(), Uuid(EMPTY_UUID)]


class Attempts:
    """Calls things and notes whatever escapes."""

    def __init__(self, rt: Any, seed: int) -> None:
        self.rt = rt
        self.source = random.Random(seed)
        self.escaped: list[str] = []

    def arguments(self, values: list[Any], minimum: int, maximum: int | None) -> list[Any]:
        count = self.source.randint(minimum, minimum + 2 if maximum is None else maximum)
        return [self.source.choice(values) for _ in range(count)]

    def call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except EngineError:
            return None
        except Exception:
            self.escaped.append(f"{name}{arguments[1:]!r}: {traceback.format_exc(limit=-1)}")
            return None


def entries(table: dict[str, list[Any]], dialect: str) -> list[Any]:
    unique = {id(entry): entry for found in table.values() for entry in found if dialect in entry.dialects}
    return list(unique.values())


def test_global_functions(rt: Any) -> None:
    attempts = Attempts(rt, 1)
    for entry in entries(GLOBAL_FUNCTIONS, rt.dialect.name):
        values = some_values(rt)
        for _ in range(PER_FUNCTION):
            attempts.call(entry.name, entry.function, rt, *attempts.arguments(values, entry.minimum, entry.maximum))
    assert not attempts.escaped, attempts.escaped[:3]


def test_constructors_and_members(rt: Any) -> None:
    attempts = Attempts(rt, 2)
    for entry in entries(CONSTRUCTORS, rt.dialect.name):
        values = some_values(rt)
        for _ in range(PER_FUNCTION):
            made = attempts.call(
                f"Новый {entry.name}", entry.function, rt, *attempts.arguments(values, entry.minimum, entry.maximum)
            )
            if isinstance(made, BslObject):
                use_members(attempts, made, values)
    assert not attempts.escaped, attempts.escaped[:3]


def use_members(attempts: Attempts, made: BslObject, values: list[Any]) -> None:
    rt = attempts.rt
    methods = [m for m in made.bsl_methods.values() if rt.dialect.name in m.dialects and not m.byref]
    for method in attempts.source.sample(methods, min(3, len(methods))):
        given = attempts.arguments(values, method.minimum, method.maximum)
        attempts.call(f"{made!r}.{method.name}", method.function, made, rt, *given)
    for entry in made.bsl_properties.values():
        if rt.dialect.name in entry.dialects and entry.getter is not None:
            attempts.call(f"{made!r}.{entry.name}", entry.getter, made, rt)
    attempts.call(f"text of {made!r}", rt.text, made)


def test_operators(rt: Any) -> None:
    attempts = Attempts(rt, 3)
    dialect, values = rt.dialect, some_values(rt)
    for operator in (
        dialect.add, dialect.subtract, dialect.multiply, dialect.divide, dialect.modulo, dialect.equal, dialect.less,
        dialect.less_or_equal, dialect.greater, dialect.greater_or_equal,
    ):  # fmt: skip
        for left in values:
            for right in values:
                attempts.call(operator.__name__, operator, rt, left, right)
    assert not attempts.escaped, attempts.escaped[:3]
