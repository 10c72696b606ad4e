"""Virtual tables of random registers against an evaluator that follows the definitions word by word."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from scoring.engine.metadata.system_enums import EXPENSE, RECEIPT
from scoring.engine.platform import build_database
from scoring.engine.storage.database import Database

SPEC: dict[str, Any] = {
    "catalogs": {"Т": None},
    "documents": {"Д": {"registers": ["Р"]}},
    "accumulation_registers": {
        "Р": {
            "dimensions": {"А": {"type": "СправочникСсылка.Т"}, "Б": {"type": "Число"}, "В": {"type": "Строка", "length": 3}},
            "resources": {"К": {"type": "Число", "length": 15, "precision": 2}, "С": {"type": "Число", "length": 15}},
        }
    },
    "information_registers": {
        "И": {
            "periodicity": "Day",
            "dimensions": {"А": {"type": "СправочникСсылка.Т"}, "В": {"type": "Строка", "length": 3}},
            "resources": {"К": {"type": "Число"}},
        }
    },
}
START = datetime(2026, 1, 1)
DIMENSIONS = ("А", "Б", "В")


def make(seed: int) -> tuple[Database, list[dict[str, Any]], random.Random]:
    """A database and its movements as plain mappings."""
    source = random.Random(seed)
    items = [{"ref": f"т{number}"} for number in range(4)]
    records = [
        {
            "Период": START + timedelta(hours=source.randrange(24 * 60)),
            "ВидДвижения": source.choice(["Приход", "Расход"]),
            "А": f"т{source.randrange(4)}",
            "Б": source.randrange(3),
            "В": source.choice(["x", "X", "y"]),
            "К": source.randrange(-500, 500) / 100,
            "С": source.randrange(3),
        }
        for _ in range(60)
    ]
    prices = [
        {"Период": record["Период"], "А": record["А"], "В": record["В"], "К": number} for number, record in enumerate(records)
    ]
    fixtures = {
        "catalogs": {"Т": items},
        "register_records": {"Р": {"registrar": "Д", "records": records}},
        "info_records": {"И": prices},
    }
    database = build_database(SPEC, fixtures)
    rows = [
        dict(zip(("Период", "Регистратор", "Строка", "Активность", "Вид", *DIMENSIONS, "К", "С"), row, strict=True))
        for row in database.registers["РегистрНакопления.Р"].rows()
    ]
    return database, rows, source


def folded(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def result(database: Database, name: str, arguments: list[Any], dimensions: list[str], measures: list[str]) -> dict[Any, Any]:
    table: Any = database.relation(f"РегистрНакопления.Р.{name}")
    bound = table.bind([item if isinstance(item, str) else None for item in arguments])
    used = frozenset(field.lower() for field in [*dimensions, *measures])
    places = {info.name: place for place, info in enumerate(bound.fields)}
    found = {}
    for row in bound.compute(arguments, used):
        key = tuple(folded(row[places[field]]) for field in dimensions)
        assert key not in found
        found[key] = tuple(row[places[field]] for field in measures)
    return found


def grouped(rows: list[dict[str, Any]], dimensions: list[str]) -> dict[Any, list[dict[str, Any]]]:
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(folded(row[name]) for name in dimensions), []).append(row)
    return groups


def total(rows: list[dict[str, Any]], resource: str, kind: Any = None) -> Any:
    """Signed sum, or the sum of one kind of movement."""
    if kind is not None:
        return sum((row[resource] for row in rows if row["Вид"] is kind), Decimal(0))
    return total(rows, resource, RECEIPT) - total(rows, resource, EXPENSE)


def conditions(source: random.Random) -> Any:
    """None, or a condition on all dimensions together with its twin over mappings."""
    number, text = source.randrange(3), source.choice(["x", "y"])
    return source.choice(
        [
            (None, lambda row: True),
            (lambda row: row[1] == number, lambda row: row["Б"] == number),
            (lambda row: row[2].lower() == text or row[1] > 1, lambda row: folded(row["В"]) == text or row["Б"] > 1),
        ]
    )


@pytest.mark.parametrize("seed", range(25))
def test_balances_and_turnovers(seed: int) -> None:
    database, rows, source = make(seed)
    for _ in range(6):
        dimensions = source.sample(DIMENSIONS, source.randrange(4))
        condition, twin = conditions(source)
        first = START + timedelta(hours=source.randrange(24 * 60))
        last = first + timedelta(hours=source.randrange(24 * 30))
        kept = [row for row in rows if twin(row)]
        before = [row for row in kept if row["Период"] < first]
        inside = [row for row in kept if first <= row["Период"] <= last]

        expected: dict[Any, Any] = {key: (total(part, "К"),) for key, part in grouped(before, dimensions).items()}
        expected = {key: value for key, value in expected.items() if value[0] != 0}
        assert result(database, "Остатки", [first, condition], dimensions, ["КОстаток"]) == expected

        expected = {
            key: (total(part, "К", RECEIPT), total(part, "К", EXPENSE), total(part, "С"))
            for key, part in grouped(inside, dimensions).items()
        }
        measures = ["КПриход", "КРасход", "СОборот"]
        assert result(database, "Обороты", [first, last, None, condition], dimensions, measures) == expected

        expected = {}
        opening, moved = grouped(before, dimensions), grouped(inside, dimensions)
        for key in opening.keys() | moved.keys():
            old, new = opening.get(key, []), moved.get(key, [])
            figures = (total(old, "К"), total(new, "К", RECEIPT), total(new, "К", EXPENSE), total(old + new, "К"))
            others = (total(old, "С"), total(new, "С", RECEIPT), total(new, "С", EXPENSE))
            if any(figures) or any(others):
                expected[key] = figures
        measures = ["КНачальныйОстаток", "КПриход", "КРасход", "ККонечныйОстаток"]
        arguments = [first, last, None, None, condition]
        assert result(database, "ОстаткиИОбороты", arguments, dimensions, measures) == expected


@pytest.mark.parametrize("seed", range(10))
def test_a_run_of_days_is_continuous(seed: int) -> None:
    database, rows, source = make(seed)
    first, last = START + timedelta(days=10), START + timedelta(days=40)
    measures = ["КНачальныйОстаток", "КОборот", "ККонечныйОстаток"]
    found = result(database, "ОстаткиИОбороты", [first, last, "День", None, None], ["А", "Период"], measures)
    for item in {key[0] for key in found}:
        own = [row for row in rows if row["А"] is item]
        days = sorted(key[1] for key in found if key[0] is item)
        balance = total([row for row in own if row["Период"] < first], "К")
        for day in days:
            opening, turnover, closing = found[item, day]
            moved = [row for row in own if max(first, day) <= row["Период"] <= min(last, day + timedelta(hours=23, minutes=59))]
            assert (opening, turnover) == (balance, total(moved, "К"))
            assert closing == opening + turnover
            balance = closing
        assert balance == total([row for row in own if row["Период"] <= last], "К")


@pytest.mark.parametrize("seed", range(10))
def test_slices(seed: int) -> None:
    database, _, source = make(seed)
    rows = database.registers["РегистрСведений.И"].rows()
    assert len({(row[0], row[1], row[2].lower()) for row in rows}) == len(rows)
    moment = START + timedelta(hours=source.randrange(24 * 60))
    table: Any = database.relation("РегистрСведений.И.СрезПоследних")
    found = {(row[1], row[2].lower()): row for row in table.compute([moment, None], frozenset())}
    keys = {(row[1], row[2].lower()) for row in rows if row[0] <= moment}
    assert found.keys() == keys
    for key, row in found.items():
        assert row[0] == max(other[0] for other in rows if (other[1], other[2].lower()) == key and other[0] <= moment)
