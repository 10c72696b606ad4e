"""The dump read back by BSL Language Server's reader of configurations: every task of the bank, a sample of every kind, faults on purpose."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from scoring.bundles import load_folder
from scoring.engine.platform import build_database
from scoring.instruments.bsl_ls import BslLanguageServer, Installed, find_installed
from scoring.instruments.onec_docker import OnecDocker, modules
from scoring.instruments.onec_docker.dump import assemble, write_dump
from scoring.instruments.onec_docker.expected import expected_facts
from scoring.instruments.onec_docker.probe import TESTS_STUB, probe, probe_module
from scoring.instruments.onec_docker.reader import ReaderFailed, compare_dumps, differences, dump_fault, read_dumps, read_facts
from scoring.instruments.onec_docker.sample import SAMPLE
from scoring.instruments.settings import EngineSettings
from scoring.protocol import load_protocol

ROOT = Path(__file__).resolve().parents[3]
TASKS = sorted((ROOT / "tasks" / "b").iterdir())
SETTINGS = EngineSettings(bsl_ls=ROOT / "var" / "bsl_ls")
INSTALLED = find_installed(SETTINGS)
genuine = pytest.mark.skipif(bool(INSTALLED.missing), reason=INSTALLED.missing)
TEXTS = {modules.CANDIDATE: (False, modules.STUB), modules.TESTS: (True, TESTS_STUB)}
CALLS = {name: call for name, (call, _) in TEXTS.items()}
MD = "{http://v8.1c.ru/8.3/MDClasses}"
V8 = "{http://v8.1c.ru/8.1/data/core}"


def dumped(specification: dict[str, Any], folder: Path) -> Path:
    write_dump(assemble(specification, TEXTS, modules.START), folder)
    return folder


# -- the genuine reader ------------------------------------------------------------------------------------------------------


@genuine
def test_every_task_of_the_bank_is_read_as_it_is_specified(tmp_path: Path):
    specifications = [load_folder(task).required().configuration for task in TASKS]
    dumps = [(dumped(one, tmp_path / str(number)), one, CALLS) for number, one in enumerate(specifications)]
    found = compare_dumps(INSTALLED, dumps)
    assert len(found) == len(TASKS) > 20
    assert [str(difference) for one in found for difference in one] == []


@genuine
def test_something_of_every_kind_is_read_as_it_is_specified():
    assert dump_fault(INSTALLED) == ""


@genuine
def test_texts_of_any_letters_come_back_as_they_were(tmp_path: Path):
    """Some of these end a line for Python, some in JSON must be escaped."""
    specification = copy.deepcopy(SAMPLE)
    odd = "<а> & \"б\" 'в' \\ {г}\t\u0085\u2028\u2029\u00a0\ufeff😀"
    specification["catalogs"]["Товары"]["synonym"] = odd
    (found,) = compare_dumps(INSTALLED, [(dumped(specification, tmp_path), specification, CALLS)])
    assert [str(difference) for difference in found] == []


CHANGES: list[tuple[tuple[str, ...], Any, str]] = [
    (("catalogs", "Товары", "attributes", "Вес", "length"), 11, "Catalog.Товары.Attribute.Вес: type is ['Number(10,3,nonnegative)']"),
    (("catalogs", "Товары", "synonym"), "Иное", "Catalog.Товары: synonym is 'Товары и услуги'"),
    (("catalogs", "Склады", "code_length"), 6, "Catalog.Склады.StandardAttribute.Code: type is ['Number(5,0)']"),
    (("catalogs", "Цены", "owners"), ["Склады"], "Catalog.Цены: owners is ['Catalog.Товары']"),
    (("documents", "Заказ", "registers"), ["Запасы"], "Document.Заказ: registerRecords is ['AccumulationRegister.Запасы'"),
    (("enums", "Виды"), ["Товар"], "Enum.Виды.EnumValue.Услуга: read, but not specified"),
    (("enums", "Виды"), ["Товар", "Услуга", "Набор"], "Enum.Виды.EnumValue.Набор: not read"),
    (("constants", "ОсновнойСклад", "type"), "СправочникСсылка.Товары", "Constant.ОсновнойСклад: type is ['CatalogRef.Склады']"),
]  # fmt: skip


@genuine
def test_what_differs_is_named_by_object_and_field(tmp_path: Path):
    folder = dumped(SAMPLE, tmp_path)
    changed = []
    for path, value, _ in CHANGES:
        other = copy.deepcopy(SAMPLE)
        node = other
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = value
        changed.append(other)
    read = read_dumps(INSTALLED, [folder])[0]
    for other, (_, _, told) in zip(changed, CHANGES, strict=True):
        found = [str(one) for one in differences(expected_facts(other, CALLS), read)]
        assert found and found[0].startswith(told)
    calls = [str(one) for one in differences(expected_facts(SAMPLE, CALLS | {modules.CANDIDATE: True}), read)]
    assert calls == [f"CommonModule.{modules.CANDIDATE}: serverCall is False, expected True"]


@genuine
def test_a_dump_that_is_none_or_lacks_a_file_is_told(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReaderFailed):
        read_dumps(INSTALLED, [tmp_path / "empty"])
    folder = dumped(SAMPLE, tmp_path / "lacking")
    (folder / "Catalogs" / "Склады.xml").unlink()
    try:
        found = [str(one) for one in compare_dumps(INSTALLED, [(folder, SAMPLE, CALLS)])[0]]
    except ReaderFailed as failed:
        found = [str(failed)]
    assert any("Склады" in one for one in found)


@genuine
def test_the_server_knows_every_table_of_the_dump_and_no_other(tmp_path: Path):
    assert probe(BslLanguageServer(load_protocol(), SETTINGS), SAMPLE, tmp_path) == []


# -- without it --------------------------------------------------------------------------------------------------------------


def test_without_the_server_the_reason_is_told_and_the_self_test_goes_on(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ReaderFailed, match="make bsl_ls"):
        read_dumps(Installed(missing="run `make bsl_ls`"), [])
    engine = OnecDocker(load_protocol(), EngineSettings(bsl_ls=Path("/nowhere")))
    monkeypatch.setattr(engine, "_loads_nothing", lambda: "asked")
    assert engine.self_test() == "asked"


def test_a_reader_that_fails_is_no_finding():
    with pytest.raises(ReaderFailed, match="no configuration"):
        read_facts({"failed": "no configuration"})


def test_the_probe_asks_for_every_table_and_beside_each_kind_for_one_that_is_not_there():
    text, expected = probe_module(SAMPLE)
    for section in SAMPLE.values():
        assert all(f".{name} КАК Т" in text for name in section)
    assert len(expected) == len(SAMPLE) + 1


def test_the_sample_is_a_specification_for_the_built_in_engine_too():
    build_database(SAMPLE, {})


# -- what the platform would refuse --------------------------------------------------------------------------------------------


def field(**options: Any) -> dict[str, Any]:
    return {"catalogs": {"Т": {"attributes": {"А": options}}}}


def typed(specification: dict[str, Any]) -> ET.Element:
    root = ET.fromstring(assemble(specification, {}, "")["Catalogs/Т.xml"].lstrip("\ufeff"))
    found = root.find(f".//{MD}Attribute/{MD}Properties/{MD}Type")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("specification", "told"),
    [
        (field(type="Число", length=39), "at most 38 digits"),
        (field(type="Строка", length=1025), "at most 1024 characters"),
        (field(type=["Строка", "Число"]), "no string of unbounded length"),
        ({"information_registers": {"Р": {"dimensions": {"А": {"type": "Строка"}}}}}, "a dimension holds no string of unbounded length"),
        ({"charts_of_accounts": {"П": {"code_type": "Число"}}}, "codes of charts are strings"),
        ({"chart_of_characteristic_types": {"П": {"code_type": "number"}}}, "codes of charts are strings"),
        ({"catalogs": {"Т": {"predefined": {"А": {"Вес": 1}}}}}, "no attributes of predefined items"),
        ({"catalogs": {"Т": {"predefined": {"А": {"Родитель": "Б"}}}}}, "unknown parent"),
    ],
)
def test_what_no_configuration_can_hold_is_not_supported(specification: dict[str, Any], told: str):
    with pytest.raises(ValueError, match=told):
        assemble(specification, {}, "")


def test_a_length_shared_by_strings_and_numbers_stays_within_the_numbers_bounds():
    found = typed(field(type=["Число", "Строка"], length=50))
    assert found.findtext(f"{V8}NumberQualifiers/{V8}Digits") == "38"
    assert found.findtext(f"{V8}StringQualifiers/{V8}Length") == "50"


def test_numbers_of_a_chart_of_characteristics_are_as_wide_as_the_platform_allows():
    text = assemble(SAMPLE, {}, "")["ChartsOfCharacteristicTypes/Свойства.xml"]
    assert "<v8:Digits>38</v8:Digits>" in text and "<CodeType>" not in text


def test_all_values_of_characteristics_are_a_set_of_types():
    found = typed(field(type="Характеристика.Свойства"))
    assert [(one.tag, one.text) for one in found] == [(f"{V8}TypeSet", "cfg:Characteristic.Свойства")]


def test_the_configuration_lists_kinds_in_the_platforms_order():
    root = ET.fromstring(assemble(SAMPLE, TEXTS, "")["Configuration.xml"].lstrip("\ufeff"))
    kinds = list(dict.fromkeys(child.tag.removeprefix(MD) for child in root[0].find(f"{MD}ChildObjects") or ()))
    assert kinds == [
        "Language", "CommonModule", "Constant", "Catalog", "Document", "Enum", "InformationRegister", "AccumulationRegister",
        "ChartOfCharacteristicTypes", "ChartOfAccounts", "AccountingRegister",
    ]  # fmt: skip


def test_predefined_items_are_part_of_the_dump():
    files = assemble(SAMPLE, {}, "")
    items = ET.fromstring(files["Catalogs/Товары/Ext/Predefined.xml"].lstrip("\ufeff"))
    predef = "{http://v8.1c.ru/8.3/xcf/predef}"
    (group,) = items
    assert group.findtext(f"{predef}Name") == "Услуги" and group.findtext(f"{predef}Description") == "Наши услуги"
    assert group.findtext(f"{predef}IsFolder") == "true"
    assert group.findtext(f"{predef}ChildItems/{predef}Item/{predef}Code") == "000000007"
    account = ET.fromstring(files["ChartsOfAccounts/Рабочий/Ext/Predefined.xml"].lstrip("\ufeff"))[0]
    assert account.findtext(f"{predef}AccountType") == "Active"
    assert [name for name in files if name.endswith("Predefined.xml")] == [
        "Catalogs/Склады/Ext/Predefined.xml", "Catalogs/Товары/Ext/Predefined.xml",
        "ChartsOfCharacteristicTypes/Свойства/Ext/Predefined.xml", "ChartsOfAccounts/Рабочий/Ext/Predefined.xml",
    ]  # fmt: skip
