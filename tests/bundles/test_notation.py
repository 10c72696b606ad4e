"""Values of tests.yaml on their way, and what equals what."""

from __future__ import annotations

import pytest

from scoring import wire
from scoring.bundles import load_files
from scoring.bundles.growth import grown_fixtures
from scoring.wire import same

TASK = "id: X\nname: x\ncategory: A\ndifficulty: easy\nprompt: x\n"


def value(text: str) -> wire.Wire:
    tests = f"tests:\n  - args: []\n    expected: {text}\n"
    return load_files({"task.yaml": TASK.encode(), "tests.yaml": tests.encode()}).required().tests.cases[0].expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("null", None),
        ("true", True),
        ("12", ["n", "12"]),
        ("0.10", ["n", "0.1"]),
        ("-0.0", ["n", "0"]),
        ("1e3", "1e3"),
        ("'12'", "12"),
        ("2026-02-01", ["d", "2026-02-01T00:00:00"]),
        ('{__date__: "2026-02-01"}', ["d", "2026-02-01T00:00:00"]),
        ('{__date__: "2026-02-01T10:30:00"}', ["d", "2026-02-01T10:30:00"]),
        ("[1, [да]]", ["a", [["n", "1"], ["a", ["да"]]]]),
        ("{Имя: 1, Б: null}", ["s", [["Имя", ["n", "1"]], ["Б", None]]]),
        ("{__map__: [[1, a], [2, b]]}", ["m", [[["n", "1"], "a"], [["n", "2"], "b"]]]),
        ("{__table__: {columns: [А, Б], rows: [[1, x]]}}", ["t", ["А", "Б"], [[["n", "1"], "x"]]]),
        ("{__bsl__: 'Новый Массив'}", ["e", "Новый Массив"]),
    ],
)
def test_the_notation_of_values(text: str, expected: wire.Wire):
    assert value(text) == expected


N1, N2 = ["n", "1"], ["n", "2"]


@pytest.mark.parametrize(
    ("expected", "actual", "equal"),
    [
        (None, None, True),
        (None, False, False),
        (True, N1, False),
        (N1, "1", False),
        (N1, True, False),
        ("а", "А", False),
        (["a", [N1, N2]], ["a", [N1, N2]], True),
        (["a", [N1, N2]], ["a", [N2, N1]], False),
        (["a", [N1]], ["a", [N1, N2]], False),
        (["a", [N1]], ["o", "ФиксированныйМассив", ""], False),
        (["s", [["Имя", N1]]], ["s", [["ИМЯ", N1], ["Ещё", N2]]], True),
        (["s", [["Имя", N1], ["Ещё", N2]]], ["s", [["Имя", N1]]], False),
        (["s", [["Имя", N1]]], ["m", [["Имя", N1]]], False),
        (["m", [["к", N1]]], ["m", [["к", N1]]], True),
        (["m", [["к", N1]]], ["m", [["к", N1], ["л", N2]]], False),
        (["m", [[N1, N1]]], ["m", [["1", N1]]], False),
        (["t", ["А"], [[N1], [N2]]], ["t", ["Б"], [[N2], [N1]]], True),
        (["t", ["А"], [[N1], [N1]]], ["t", ["А"], [[N1], [N2]]], False),
        (["t", ["А"], [[N1]]], ["t", ["А", "Б"], [[N1, N2]]], False),
        (["t", ["А"], [[["s", [["К", N1]]]], [N2]]], ["t", ["А"], [[N2], [["s", [["К", N1], ["Л", N2]]]]]], True),
        (["r", "СправочникСсылка.Т", "id1", "Гвоздь"], ["r", "СправочникСсылка.Т", "id1", "другое"], True),
        (["r", "СправочникСсылка.Т", "id1", "Гвоздь"], ["r", "СправочникСсылка.Т", "id2", "Гвоздь"], False),
        (["d", "2026-02-01T00:00:00"], ["d", "2026-02-01T00:00:00"], True),
        (["null"], None, False),
    ],
)
def test_what_equals_what(expected: wire.Wire, actual: wire.Wire, equal: bool):
    assert same(expected, actual) is equal


@pytest.mark.parametrize(
    ("wired", "shown"),
    [
        (None, "Неопределено"),
        (True, "Истина"),
        ('к"т', '"к""т"'),
        (["a", [N1, "б"]], '[1, "б"]'),
        (["s", [["К", N1]]], "{К: 1}"),
        (["m", [["к", N1]]], '{"к" → 1}'),
        (["t", ["А"], [[N1]]], "Таблица(А)[(1)]"),
        (["d", "2026-02-01T10:30:00"], "2026-02-01 10:30:00"),
        (["null"], "NULL"),
        (["o", "Запрос", "Запрос"], "Запрос"),
        (["r", "СправочникСсылка.Т", "id", "Гвоздь"], "Гвоздь (СправочникСсылка.Т)"),
    ],
)
def test_presentations_for_people(wired: wire.Wire, shown: str):
    assert wire.show(wired) == shown


def test_a_long_value_is_cut():
    assert len(wire.show(["a", [["n", str(i)] for i in range(10_000)]])) <= wire.SHOWN
    assert len(wire.show("я" * 10_000)) <= wire.SHOWN


def test_growth_adds_units_and_their_records_and_leaves_the_fixtures_alone():
    fixtures = {"catalogs": {"Партии": [{"ref": "П0"}]}, "register_records": {"Р": {"registrar": "Д", "records": [{"Партия": "П0"}]}}}
    grow = {
        "name_prefix": "Ещё",
        "catalog": {"name": "Партии", "owner": "К1", "attrs": {"Вес": 2}},
        "accumulation": {"register": "Р", "registrar": "Д", "record": {"Партия": "$unit", "Сумма": 5}},
        "information": {"register": "Цены", "record": {"Партия": "$unit", "Субконто": {"Вид": "$unit"}}},
    }
    grown = grown_fixtures(fixtures, grow, 2)
    units = [entry["ref"] for entry in grown["catalogs"]["Партии"]]
    assert len(set(units)) == 3 and len(fixtures["catalogs"]["Партии"]) == 1
    assert grown["catalogs"]["Партии"][1]["owner"] == "К1" and grown["catalogs"]["Партии"][1]["Вес"] == 2
    assert [record["Партия"] for record in grown["register_records"]["Р"]["records"]] == units
    assert grown["info_records"]["Цены"][1]["Субконто"]["Вид"] == units[2]
