"""Virtual tables of a random accounting register against an evaluator that follows the definitions word by word."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest

from scoring.engine.metadata.system_enums import ACTIVE, PASSIVE
from scoring.engine.platform import build_database
from scoring.engine.storage.database import Database

SPEC: dict[str, Any] = {
    "catalogs": {"А": None, "Б": None},
    "documents": {"Д": {"accounting_registers": ["Р"]}},
    "chart_of_characteristic_types": {"В": {"value_types": ["СправочникСсылка.А", "СправочникСсылка.Б"]}},
    "charts_of_accounts": {"П": {"ext_dimension_types": "В", "max_ext_dimension_count": 2}},
    "accounting_registers": {"Р": {"chart_of_accounts": "П", "correspondence": True, "dimensions": {"И": {"type": "Число"}}}},
}
START = datetime(2026, 1, 1)
KINDS = {"вА": "а", "вБ": "б"}  # kind → prefix of its values
ACCOUNTS = {"п1": [], "п2": ["вА"], "п3": ["вБ", "вА"], "п4": ["вА", "вБ"], "п5": []}
TYPES = ["Активный", "Пассивный", "АктивноПассивный", "Активный", "АктивноПассивный"]


def make(seed: int) -> tuple[Database, list[dict[str, Any]], random.Random]:
    source = random.Random(seed)

    def side(account: str) -> dict[str, str]:
        return {kind: f"{KINDS[kind]}{source.randrange(3)}" for kind in ACCOUNTS[account]}

    records = []
    for _ in range(50):
        debit, credit = source.choice(list(ACCOUNTS)), source.choice(list(ACCOUNTS))
        records.append(
            {
                "Период": START + timedelta(hours=source.randrange(24 * 50)),
                "СчетДт": debit,
                "СчетКт": credit,
                "Сумма": source.randrange(1, 50),
                "И": source.randrange(2),
                "СубконтоДт": side(debit),
                "СубконтоКт": side(credit),
            }
        )
    fixtures = {
        "catalogs": {name: [{"ref": f"{name.lower()}{n}"} for n in range(3)] for name in ("А", "Б")},
        "characteristics": {
            "В": [
                {"ref": "вА", "Наименование": "А", "ТипЗначения": "СправочникСсылка.А"},
                {"ref": "вБ", "Наименование": "Б", "ТипЗначения": "СправочникСсылка.Б"},
            ]
        },
        "accounts": {
            "П": [
                {"ref": name, "Код": name, "Вид": kind, "subconto": kinds}
                for (name, kinds), kind in zip(ACCOUNTS.items(), TYPES, strict=True)
            ]
        },
        "accounting_records": {"Р": {"registrar": "Д", "records": records}},
    }
    return build_database(SPEC, fixtures), records, source


def entries(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Both sides of every record as names: account, ext. dimensions by kind, the other account, debit, credit."""
    result = []
    for record in records:
        for own, other, debit in (("Дт", "Кт", True), ("Кт", "Дт", False)):
            result.append(
                {
                    "Период": record["Период"],
                    "Счет": record[f"Счет{own}"],
                    "КорСчет": record[f"Счет{other}"],
                    "И": record["И"],
                    "виды": record[f"Субконто{own}"],
                    "Дт": record["Сумма"] if debit else 0,
                    "Кт": 0 if debit else record["Сумма"],
                }
            )
    return result


def with_ext(rows: list[dict[str, Any]], kinds: list[str] | None) -> list[dict[str, Any]]:
    """Entries with Субконто1 and Субконто2 by position, or by ``kinds`` (entries that lack one of them fall out)."""
    result = []
    for row in rows:
        order = ACCOUNTS[row["Счет"]] if kinds is None else kinds
        if kinds is not None and not set(kinds) <= set(row["виды"]):
            continue
        values = [row["виды"][kind] for kind in order] + [None, None]
        result.append(row | {"Субконто1": values[0], "Субконто2": values[1]})
    return result


def grouped(rows: list[dict[str, Any]], fields: list[str]) -> dict[Any, list[dict[str, Any]]]:
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in fields), []).append(row)
    return groups


def result(
    database: Database, name: str, arguments: list[Any], fields: list[str], measures: list[str]
) -> dict[Any, tuple[Any, ...]]:
    """Rows of the table, references written by their names in the fixtures and NULL as None."""
    names = {ref: name for name, ref in database.fixture_names.items()}
    table: Any = database.relation(f"РегистрБухгалтерии.Р.{name}")
    places = {info.name: place for place, info in enumerate(table.fields)}
    found = {}
    for row in table.compute(arguments, frozenset(item.lower() for item in fields + measures)):
        values = [row[places[field]] for field in fields]
        key = tuple(names.get(value, value if type(value) is int else None) for value in values)
        assert key not in found
        found[key] = tuple(row[places[field]] for field in measures)
    return found


FIELDS = ["Счет", "Субконто1", "Субконто2", "И"]


@pytest.mark.parametrize("seed", range(25))
def test_balances(seed: int) -> None:
    database, records, source = make(seed)
    accounts = {name: database.fixture_names[name] for name in ACCOUNTS}
    for _ in range(5):
        fields = ["Счет", *source.sample(FIELDS[1:], source.randrange(4))]
        moment = START + timedelta(hours=source.randrange(24 * 60))
        kinds = source.choice([None, ["вА"], ["вБ"], ["вБ", "вА"]])
        chosen = source.sample(list(ACCOUNTS), 3)
        references = {accounts[name] for name in chosen}
        kept = [row for row in entries(records) if row["Период"] < moment and row["Счет"] in chosen]
        expected = {}
        for key, rows in grouped(with_ext(kept, kinds), fields).items():
            balance = sum(row["Дт"] - row["Кт"] for row in rows)
            kind = accounts[key[0]].value(accounts[key[0]].table.meta.positions["вид"])
            if kind is ACTIVE:
                sides = (balance, 0)
            elif kind is PASSIVE:
                sides = (0, -balance)
            else:
                sides = (max(balance, 0), max(-balance, 0))
            if balance:
                expected[key] = (balance, *sides)
        wanted = None if kinds is None else [database.fixture_names[name] for name in kinds]
        arguments = [moment, lambda row, references=references: row[0] in references, wanted, None]
        measures = ["СуммаОстаток", "СуммаОстатокДт", "СуммаОстатокКт"]
        assert result(database, "Остатки", arguments, fields, measures) == expected


@pytest.mark.parametrize("seed", range(25))
def test_turnovers(seed: int) -> None:
    database, records, source = make(seed)
    for _ in range(5):
        fields = source.sample([*FIELDS, "КорСчет"], source.randrange(1, 5))
        first = START + timedelta(hours=source.randrange(24 * 40))
        last = first + timedelta(hours=source.randrange(24 * 20))
        number = source.randrange(2)
        kept = [row for row in entries(records) if first <= row["Период"] <= last and row["И"] == number]
        expected = {
            key: (sum(row["Дт"] for row in rows), sum(row["Кт"] for row in rows))
            for key, rows in grouped(with_ext(kept, None), fields).items()
        }
        table: Any = database.relation("РегистрБухгалтерии.Р.Обороты")
        place = [info.name for info in table.view].index("И")
        condition = lambda row, place=place, number=number: row[place] == number  # noqa: E731
        arguments = [first, last, None, None, None, condition, None, None]
        assert result(database, "Обороты", arguments, fields, ["СуммаОборотДт", "СуммаОборотКт"]) == expected


@pytest.mark.parametrize("seed", range(10))
def test_balances_and_turnovers_agree_with_their_parts(seed: int) -> None:
    database, _, source = make(seed)
    first = START + timedelta(hours=source.randrange(24 * 40))
    last = first + timedelta(hours=source.randrange(24 * 20))
    fields = ["Счет", *source.sample(FIELDS[1:], 2)]
    opening = result(database, "Остатки", [first], fields, ["СуммаОстаток"])
    moved = result(database, "Обороты", [first, last], fields, ["СуммаОборотДт", "СуммаОборотКт"])
    measures = ["СуммаНачальныйОстаток", "СуммаОборотДт", "СуммаОборотКт", "СуммаКонечныйОстаток"]
    found = result(database, "ОстаткиИОбороты", [first, last], fields, measures)
    expected = {}
    for key in opening.keys() | moved.keys():
        start, (debit, credit) = opening.get(key, (0,))[0], moved.get(key, (0, 0))
        if start or debit or credit:
            expected[key] = (start, debit, credit, start + debit - credit)
    assert found == expected


@pytest.mark.parametrize("seed", range(10))
def test_entries_by_both_accounts(seed: int) -> None:
    database, records, source = make(seed)
    fields = source.sample(["СчетДт", "СчетКт", "И"], 2)
    expected = {key: (sum(row["Сумма"] for row in rows),) for key, rows in grouped(records, fields).items()}
    assert result(database, "ОборотыДтКт", [], fields, ["СуммаОборот"]) == expected
    rows = list(database.relation("РегистрБухгалтерии.Р.ДвиженияССубконто").compute([], frozenset()))  # type: ignore[union-attr]
    assert len(rows) == len(records)
    assert sum(len(row["СубконтоДт"]) + len(row["СубконтоКт"]) for row in records) == len(
        list(database.relation("РегистрБухгалтерии.Р.Субконто").rows())  # type: ignore[union-attr]
    )
