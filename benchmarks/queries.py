"""Queries over a large register beside the same plan hand-written in SQLite:
``python -m benchmarks.queries [--rows 100000] [--json FILE]``.

Both sides hold the same rows and must give the same numbers; our side gets whole query texts, planned before the clock starts,
as a second execution of one text is. Growth: the same queries over ten times the rows, as a ratio of times (10 = linear).
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sqlite3
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from scoring.engine.dialects import get_dialect
from scoring.engine.metadata.configuration import Configuration
from scoring.engine.metadata.system_enums import EXPENSE, RECEIPT
from scoring.engine.platform.references import reference_class
from scoring.engine.query.batches import run_batch
from scoring.engine.query.temporary import TemporaryTables
from scoring.engine.runtime.context import Runtime
from scoring.engine.storage.database import Database

GOODS, STORES, CITIES = 1_000, 20, 50
ROWS_PER_DOCUMENT = 100
REPEATS = 5
START = datetime(2026, 1, 1)
NUMBER = {"type": "Число", "length": 15, "precision": 3}
SPEC: dict[str, Any] = {
    "catalogs": {
        "Города": {},
        "Товары": {"attributes": {"Город": {"type": "СправочникСсылка.Города"}, "Вес": NUMBER}},
        "Склады": {},
    },
    "documents": {"Ввод": {"registers": ["Запасы"]}},
    "accumulation_registers": {
        "Запасы": {
            "register_type": "Balance",
            "dimensions": {"Склад": {"type": "СправочникСсылка.Склады"}, "Товар": {"type": "СправочникСсылка.Товары"}},
            "resources": {"Количество": NUMBER},
        }
    },
}

# name, our text, SQL; both give (key, number) rows or one number
CASES = (
    (
        "balances with a condition",
        "ВЫБРАТЬ О.Товар КАК Т, О.КоличествоОстаток КАК К ИЗ РегистрНакопления.Запасы.Остатки(, Склад = &Склад) КАК О ГДЕ О.КоличествоОстаток > 0",
        "SELECT good, SUM(CASE kind WHEN 0 THEN quantity ELSE -quantity END) AS q FROM stock WHERE store = 1 GROUP BY good HAVING q > 0",
    ),
    (
        "join with dereference",
        "ВЫБРАТЬ Г.Наименование КАК Н, З.Количество КАК К ИЗ РегистрНакопления.Запасы КАК З ВНУТРЕННЕЕ СОЕДИНЕНИЕ Справочник.Города КАК Г ПО З.Товар.Город = Г.Ссылка ГДЕ З.Количество > 50",
        "SELECT city.name, quantity FROM stock JOIN good ON good.id = stock.good JOIN city ON city.id = good.city WHERE quantity > 50",
    ),
    (
        "group by two dimensions",
        "ВЫБРАТЬ З.Склад КАК С, З.Товар КАК Т, СУММА(З.Количество) КАК К ИЗ РегистрНакопления.Запасы КАК З СГРУППИРОВАТЬ ПО З.Склад, З.Товар",
        "SELECT store, good, SUM(quantity) FROM stock GROUP BY store, good",
    ),
    (
        "group by a dereferenced field, ordered",
        "ВЫБРАТЬ З.Товар.Город.Наименование КАК Н, СУММА(З.Количество * З.Товар.Вес) КАК К ИЗ РегистрНакопления.Запасы КАК З СГРУППИРОВАТЬ ПО З.Товар.Город.Наименование УПОРЯДОЧИТЬ ПО К",
        "SELECT city.name, SUM(quantity * good.weight) AS q FROM stock JOIN good ON good.id = stock.good JOIN city ON city.id = good.city GROUP BY city.name ORDER BY q",
    ),
)


class Both:
    """The same register on both sides."""

    def __init__(self, rows: int) -> None:
        rng = random.Random(20260723)
        self.database = Database(Configuration.from_spec(SPEC), reference_class)
        self.runtime = Runtime(get_dialect("onec"), database=self.database)
        self.sqlite = sqlite3.connect(":memory:")
        self.sqlite.executescript(
            "CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE good (id INTEGER PRIMARY KEY, city INTEGER, weight INTEGER);"
            "CREATE TABLE stock (period TEXT, kind INTEGER, store INTEGER, good INTEGER, quantity INTEGER);"
        )
        cities = [self.add("Справочник.Города", Наименование=f"Город {n}") for n in range(CITIES)]
        self.stores = [self.add("Справочник.Склады", Наименование=f"Склад {n}") for n in range(STORES)]
        self.sqlite.executemany("INSERT INTO city VALUES (?, ?)", [(n, f"Город {n}") for n in range(CITIES)])
        goods = []
        for n in range(GOODS):
            city, weight = rng.randrange(CITIES), rng.randrange(1, 9)
            goods.append(self.add("Справочник.Товары", Наименование=f"Товар {n}", Город=cities[city], Вес=weight))
            self.sqlite.execute("INSERT INTO good VALUES (?, ?, ?)", (n, city, weight))
        for number in range(rows // ROWS_PER_DOCUMENT):
            self.record(rng, START + timedelta(minutes=number), goods)

    def add(self, path: str, **values: Any) -> Any:
        table = self.database.references[path]
        ref = table.new_reference()
        given = {name.lower(): value for name, value in values.items()}
        rest = [given.get(info.name.lower(), self.database.default(info.types)) for info in table.meta.fields[1:]]
        table.store(ref, (ref, *rest))
        return ref

    def record(self, rng: random.Random, period: datetime, goods: list[Any]) -> None:
        document = self.add("Документ.Ввод", Дата=period)
        plain = [
            (rng.randrange(2), rng.randrange(STORES), rng.randrange(GOODS), rng.randrange(100)) for _ in range(ROWS_PER_DOCUMENT)
        ]
        self.database.registers["РегистрНакопления.Запасы"].replace(  # type: ignore[attr-defined]
            document,
            tuple(
                (period, document, line, True, EXPENSE if kind else RECEIPT, self.stores[store], goods[good], quantity)
                for line, (kind, store, good, quantity) in enumerate(plain, 1)
            ),
        )
        self.sqlite.executemany("INSERT INTO stock VALUES (?, ?, ?, ?, ?)", [(str(period), *row) for row in plain])

    def ours(self, text: str) -> list[tuple[Any, ...]]:
        outcome = run_batch(text, self.runtime, {"склад": self.stores[1]}, TemporaryTables())[-1]
        assert outcome is not None
        return outcome.rows

    def theirs(self, sql: str) -> list[tuple[Any, ...]]:
        return self.sqlite.execute(sql).fetchall()


def best(run: Callable[[], Any]) -> float:
    run()
    fastest = float("inf")
    gc.collect()
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        fastest = min(fastest, time.process_time() - start)
    return fastest


def measure(rows: int) -> dict[str, dict[str, float]]:
    """Milliseconds of both sides per case; raises ``AssertionError`` where the results differ."""
    both = Both(rows)
    result = {}
    for name, text, sql in CASES:
        mine, other = both.ours(text), both.theirs(sql)
        assert sorted(row[-1] for row in mine) == sorted(row[-1] for row in other), name
        ours, theirs = best(lambda: both.ours(text)), best(lambda: both.theirs(sql))  # noqa: B023  (called at once)
        result[name] = {"ours_ms": round(ours * 1000, 2), "sqlite_ms": round(theirs * 1000, 2), "ratio": round(ours / theirs, 2)}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    small, large = measure(options.rows // 10), measure(options.rows)
    for name, figures in large.items():
        figures["growth_by_10"] = round(figures["ours_ms"] / max(small[name]["ours_ms"], 0.001), 1)
        print(f"{name:<42}{figures['ours_ms']:>10} ms{figures['sqlite_ms']:>10} ms SQLite  ×{figures['ratio']:<7}growth ×{figures['growth_by_10']}")
    if options.json:
        options.json.write_text(json.dumps({"rows": options.rows, "cases": large}, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
