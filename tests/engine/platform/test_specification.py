"""Reading specifications and fixtures: strict, every finding at once, each with its path."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from shop import FIXTURES, SPEC, Shop

from scoring.engine.metadata.configuration import Configuration, SpecificationError
from scoring.engine.metadata.types import (
    TypeDescription,
    fit_number,
    fit_string,
    number_type,
    parse_date,
    parse_number,
    string_type,
)
from scoring.engine.platform import build_database
from scoring.engine.values.types import DATE, NUMBER, STRING


def problems(spec: dict[str, Any]) -> list[str]:
    with pytest.raises(SpecificationError) as caught:
        Configuration.from_spec(spec)
    return caught.value.problems


CATALOG = {"Товары": None}
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"каталоги": {}}, "каталоги: unknown section"),
    ({"catalogs": {"1Товары": None}}, "catalogs.1Товары: '1Товары' is not a name"),
    ({"catalogs": {"Товары": {"colour": 1}}}, "catalogs.Товары.colour: unknown key"),
    ({"catalogs": {"Товары": {"hierarchical": "yes"}}}, "catalogs.Товары.hierarchical: must be true or false"),
    ({"catalogs": {"Товары": {"owners": ["Нет"]}}}, "catalogs.Товары.owners: unknown catalog 'Нет'"),
    ({"catalogs": {"Т": {"attributes": {"А": {"type": "Чсло"}}}}}, "catalogs.Т.attributes.А.type: unknown type 'Чсло'"),
    ({"catalogs": {"Т": {"attributes": {"А": {}}}}}, "catalogs.Т.attributes.А.type: type is missing"),
    ({"catalogs": {"Т": {"attributes": {"Код": {"type": "Число"}}}}}, "catalogs.Т.attributes.Код: the name is taken"),
    (
        {"catalogs": {"Т": {"attributes": {"А": {"type": "Число", "length": 2, "precision": 3}}}}},
        "catalogs.Т.attributes.А.precision: is greater than the length",
    ),
    ({"documents": {"Д": {"registers": ["Р"]}}}, "documents.Д.registers: unknown register 'Р'"),
    ({"enums": {"Виды": ["Один", "один"]}}, "enums.Виды: a value is named twice"),
    ({"accumulation_registers": {"Р": {}}}, "accumulation_registers.Р: no document writes this register"),
    (
        {"information_registers": {"Р": {"periodicity": "Weekly"}}},
        "information_registers.Р.periodicity: unknown value 'Weekly'",
    ),
    ({"accounting_registers": {"Б": {}}}, "accounting_registers.Б.chart_of_accounts: no such chart of accounts"),
    (
        {"documents": {"Д": {"registers": ["Р"]}}, "accumulation_registers": {"Р": {"resources": {"А": {"type": "Строка"}}}}},
        "accumulation_registers.Р.resources.А: resources of this register are numbers",
    ),
]


@pytest.mark.parametrize(("spec", "expected"), FAULTS, ids=[text for _, text in FAULTS])
def test_a_fault_is_named_with_its_path(spec: dict[str, Any], expected: str) -> None:
    assert [text for text in problems(spec) if text.startswith(expected)]


def test_all_faults_come_at_once() -> None:
    spec = {"catalogs": {"Т": {"colour": 1, "attributes": {"А": {"type": "Чсло"}}}}, "enums": {"В": ["а", "а"]}}
    assert len(problems(spec)) == 3


FIXTURE_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"товары": {}}, "fixtures.товары: unknown section"),
    ({"catalogs": {"Нет": []}}, "fixtures.catalogs.Нет: not in the configuration"),
    ({"catalogs": {"Лица": [{"ref": "А"}, {"ref": "А"}]}}, "fixtures.catalogs.Лица[1].ref: 'А' is taken"),
    ({"catalogs": {"Лица": [{"Цвет": 1}]}}, "fixtures.catalogs.Лица[0].Цвет: Справочник.Лица has no such attribute"),
    ({"catalogs": {"Партии": [{"owner": "Х"}]}}, "fixtures.catalogs.Партии[0].owner: unknown reference 'Х'"),
    ({"catalogs": {"Лица": [{"parent": "Х"}]}}, "fixtures.catalogs.Лица[0].parent: unknown reference 'Х'"),
    ({"catalogs": {"Товары": [{"Вид": "Нет"}]}}, "fixtures.catalogs.Товары[0].Вид: unknown reference 'Нет'"),
    (
        {"register_records": {"Сделки": {"registrar": "Операция", "records": []}}},
        "fixtures.register_records.Сделки.registrar: 'Операция' does not write this register",
    ),
    (
        {"register_records": {"Сделки": {"registrar": "Поставка", "records": [{"Цвет": 1}]}}},
        "fixtures.register_records.Сделки[0].Цвет: РегистрНакопления.Сделки has no such field",
    ),
    (
        {"register_records": {"Сделки": {"registrar": "Поставка", "records": [{"Период": "завтра"}]}}},
        "fixtures.register_records.Сделки[0].Период: 'завтра' is not a date",
    ),
    ({"info_records": {"Курсы": []}}, "fixtures.info_records.Курсы: no such independent register in the configuration"),
    ({"constants": {"Нет": 1}}, "fixtures.constants.Нет: not in the configuration"),
]


@pytest.mark.parametrize(("fixtures", "expected"), FIXTURE_FAULTS, ids=[text for _, text in FIXTURE_FAULTS])
def test_a_fault_of_the_fixtures_is_named_with_its_path(fixtures: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecificationError) as caught:
        build_database(SPEC, fixtures)
    assert expected in caught.value.problems


def test_the_same_data_give_the_same_database(shop: Shop) -> None:
    other = build_database(copy.deepcopy(SPEC), copy.deepcopy(FIXTURES))
    for path, table in (shop.database.references | shop.database.registers).items():
        twin = (other.references | other.registers)[path]
        assert repr(list(twin.rows())) == repr(list(table.rows()))
    assert [ref.uuid for ref in other.references["Справочник.Товары"].refs] == [
        ref.uuid for ref in shop.database.references["Справочник.Товары"].refs
    ]


def test_a_record_without_period_and_kind_is_a_receipt_of_now() -> None:
    fixtures = {
        "catalogs": {"Товары": [{"ref": "Т"}]},
        "register_records": {"Запасы": {"registrar": "Поставка", "records": [{"Товар": "Т", "Вес": 2, "Место": "x"}]}},
    }
    row = build_database(SPEC, fixtures).registers["РегистрНакопления.Запасы"].rows()[0]
    assert row[0].isoformat() == "2026-01-15T11:59:59"
    assert row[4].english == "Receipt"
    document = row[1]
    assert document.row[document.table.meta.positions["дата"]] == row[0]


def test_a_text_that_spells_a_reference_stays_text_in_a_field_of_texts() -> None:
    database = build_database(SPEC, {"catalogs": {"Лица": [{"ref": "Иван", "Наименование": "Иван", "Почта": "Иван"}]}})
    row = database.fixture_names["Иван"].row
    assert row is not None and row[-1] == "Иван"


def test_the_registrar_is_known_inside_its_record() -> None:
    spec = {
        "documents": {"Приход": {"registers": ["Партии"]}},
        "accumulation_registers": {
            "Партии": {
                "dimensions": {"Партия": {"type": "ДокументСсылка.Приход"}},
                "resources": {"Вес": {"type": "Число"}},
            }
        },
    }
    records = [{"Период": "2026-01-01", "Партия": "$регистратор", "Вес": 1}]
    database = build_database(spec, {"register_records": {"Партии": {"registrar": "Приход", "records": records}}})
    row = database.registers["РегистрНакопления.Партии"].rows()[0]
    assert row[1] is row[5]


TYPE_NAMES = [
    ("СправочникСсылка.Товары", ("СправочникСсылка.Товары", "CatalogRef.Товары")),
    ("catalogref.товары", ("СправочникСсылка.Товары", "CatalogRef.Товары")),
    ("ДокументОбъект.Поставка", ("ДокументОбъект.Поставка", "DocumentObject.Поставка")),
    ("EnumRef.ВидыТоваров", ("ПеречислениеСсылка.ВидыТоваров", "EnumRef.ВидыТоваров")),
    ("ChartOfAccountsRef.План", ("ПланСчетовСсылка.План", "ChartOfAccountsRef.План")),
    ("РегистрСведенийНаборЗаписей.Цены", ("РегистрСведенийНаборЗаписей.Цены", "InformationRegisterRecordSet.Цены")),
    ("number", NUMBER),
    ("СправочникСсылка.Нет", None),
    ("Справочник.Товары", None),
]


@pytest.mark.parametrize(("text", "expected"), TYPE_NAMES)
def test_names_of_types(shop: Shop, text: str, expected: Any) -> None:
    assert shop.database.configuration.type_names(text) == expected


def test_sets_of_types(shop: Shop) -> None:
    configuration = shop.database.configuration
    assert len(configuration.expand_type("СправочникСсылка").names) == 4  # type: ignore[union-attr]
    assert len(configuration.expand_type("AnyRef").names) == 10  # type: ignore[union-attr]
    assert len(configuration.expand_type("DefinedType.Участник").names) == 2  # type: ignore[union-attr]
    assert configuration.expand_type("ОпределяемыйТип.Нет") is None


NUMBERS = [
    ("12.345", 5, 2, "12.35"),
    ("-12.345", 5, 2, "-12.35"),
    ("0.005", 5, 2, "0.01"),
    ("99999", 5, 2, "999.99"),
    ("-99999", 5, 2, "-999.99"),
    ("2.5", 3, 0, "3"),
    ("1000", 3, 0, "999"),
    ("1.23456789", 0, 0, "1.23456789"),
]


@pytest.mark.parametrize(("value", "digits", "fraction", "expected"), NUMBERS)
def test_numbers_are_rounded_and_clipped(value: str, digits: int, fraction: int, expected: str) -> None:
    fitted = fit_number(parse_number(value) or 0, number_type(digits, fraction))
    assert fitted == parse_number(expected)


def test_a_nonnegative_number_is_never_below_zero() -> None:
    assert fit_number(-5, TypeDescription((NUMBER,), digits=5, nonnegative=True)) == 0


def test_strings_are_cut_and_padded() -> None:
    assert fit_string("абвгд", string_type(3)) == "абв"
    assert fit_string("аб", TypeDescription((STRING,), length=4, fixed_length=True)) == "аб  "
    assert fit_string("а" * 500, string_type(0)) == "а" * 500


def test_numbers_and_dates_in_texts() -> None:
    assert [parse_number(text) for text in ("1\u00a0000,5", "7", "-0.50", "x", "", "NaN")][:2] == [parse_number("1000.5"), 7]
    assert [parse_number(text) for text in ("x", "", "NaN", "Infinity")] == [None] * 4
    assert str(parse_date("20260131")) == "2026-01-31 00:00:00"
    assert [parse_date(text) for text in ("20261301", "2026", "")] == [None] * 3


def test_descriptions_of_types_unite() -> None:
    united = number_type(5, 2).united(number_type(4, 3)).united(string_type(7)).united(TypeDescription((DATE,)))
    assert united.names == (NUMBER, STRING, DATE)
    assert (united.digits, united.fraction, united.length) == (6, 3, 7)
    assert string_type(5).united(string_type(0)).unlimited_string
