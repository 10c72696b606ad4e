"""What the schema tools tell, and what they refuse."""

from __future__ import annotations

import json

import pytest

from scoring.generation.catalogue import ToolLimits, load_catalogue
from scoring.generation.schema import SchemaBook, objects_of
from scoring.generation.tools import DEFINITIONS, ToolCall, ToolDesk
from scoring.strict_yaml import parse
from tests.generation.kit import SPEC

STORE = load_catalogue().distractors
CONFIGURATION = parse(SPEC, "spec").root


def book(seed="1:T", count=4):
    return SchemaBook.of(CONFIGURATION, STORE, count, seed)


def desk(**limits):
    given = {"rounds": 4, "objects": 5, "characters": 4000, "same_call": 3, "distractors": 4, **limits}
    return ToolDesk(book(), ToolLimits(**given))


def ask(at, name, arguments="{}"):
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return json.loads(at.serve(ToolCall("1", name, text)))


def test_the_same_seed_draws_the_same_objects_in_every_process():
    own = {item.path for item in objects_of(CONFIGURATION)}
    drawn = [sorted({item.path for item in book(seed).objects} - own) for seed in ("1:T", "1:T", "2:T", "1:U")]
    assert drawn[0] == drawn[1] and len(drawn[0]) == 4
    assert drawn[0] != drawn[2] and drawn[0] != drawn[3]
    # Written down: a draw that changes with Python or the platform would change what networks were asked.
    assert sorted(item.name for item in book("7:B101").objects if item.path not in own) == EXPECTED_DRAW


EXPECTED_DRAW = ["БанковскиеСчета", "ВидыТоплива", "ТопливоВБаках", "ТорговыеТочки"]


def test_distractors_never_bear_the_name_of_an_own_object():
    taken = {"catalogs": {item.name: {} for item in STORE}}
    assert SchemaBook.of(taken, STORE, 6, "1:T").objects == tuple(sorted(objects_of(taken), key=lambda item: (item.kind, item.name)))


def test_kinds_that_the_task_uses_come_first():
    kinds = {item.kind for item in objects_of(CONFIGURATION)}
    assert all(item.kind in kinds for item in book(count=4).objects)


@pytest.mark.parametrize("name", ["Справочник.Товары", "справочники.товары", "Catalogs.Товары", "Товары", " Catalog.ТОВАРЫ "])
def test_an_object_is_found_by_any_of_its_names(name):
    found = ask(desk(), "get_object_structure", {"name": name})
    assert found["object"] == "Справочник.Товары" and found["Реквизиты"] == {"Вес": "Число(10, 3)"}


def test_listing_by_kind_in_any_of_its_names():
    own = ask(desk(), "list_objects", {"kind": "РегистрыНакопления"})["objects"]
    assert "РегистрНакопления.Остатки" in own and all(path.startswith("РегистрНакопления.") for path in own)
    assert "виды в базе" in ask(desk(), "list_objects", {"kind": "Отчет"})["error"]


def test_search_looks_into_fields():
    assert "Справочник.Товары" in ask(desk(), "search_objects", {"query": "вес"})["objects"]
    assert ask(desk(), "search_objects", {"query": "жирафы"})["objects"] == []


def test_values_of_enums_and_facts_of_registers_are_told():
    at = desk()
    assert ask(at, "get_object_structure", {"name": "Перечисление.Виды"})["Значения"] == ["Первый", "Второй"]
    found = ask(at, "get_object_structure", {"name": "РегистрНакопления.Остатки"})
    assert found["ВидРегистра"] == "Остатки" and found["Измерения"] == {"Товар": "СправочникСсылка.Товары"}


MALFORMED = {
    "not JSON": ("get_object_structure", "{name: Товары", "JSON"),
    "no object": ("get_object_structure", '["Товары"]', "объектом"),
    "nothing": ("get_object_structure", "", "name"),
    "missing": ("search_objects", "{}", "query"),
    "of another kind": ("search_objects", '{"query": 5}', "строкой"),
    "too many": ("list_objects", '{"kind": "", "limit": "5"}', "limit"),
    "empty": ("search_objects", '{"query": "  "}', "пуст"),
    "unknown object": ("get_object_structure", '{"name": "Справочник.Жирафы"}', "list_objects"),
    "unknown tool": ("drop_table", "{}", "list_objects"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_calls_get_a_useful_error(name):
    at = desk()
    tool, arguments, word = MALFORMED[name]
    assert word in ask(at, tool, arguments)["error"]
    assert at.trace[-1].ok is False and not at.loop and not at.finished


def test_the_same_call_three_times_is_a_loop_even_when_written_differently():
    at = desk()
    ask(at, "get_object_structure", '{"name": "Товары"}')
    ask(at, "get_object_structure", '{ "name":"Товары" }')
    assert not at.loop
    ask(at, "get_object_structure", '{"name": "Товары"}')
    assert at.loop


def test_malformed_calls_repeated_are_a_loop_as_well():
    at = desk()
    for _ in range(3):
        ask(at, "list_objects", "{{")
    assert at.loop


def test_rounds_are_limited_and_calls_after_the_end_are_refused():
    at = desk(rounds=1)
    at.begin_round()
    assert "objects" in ask(at, "list_objects")
    at.begin_round()
    assert at.finished and "верни код" in ask(at, "list_objects")["error"]
    for _ in range(3):
        at.begin_round()
    assert at.loop


def test_objects_are_limited_and_the_same_one_counts_once():
    at = desk(objects=1)
    assert "object" in ask(at, "get_object_structure", {"name": "Товары"})
    assert "object" in ask(at, "get_object_structure", {"name": "Справочник.Товары"})
    assert "слишком много" in ask(at, "get_object_structure", {"name": "Остатки"})["error"]


def test_characters_are_limited():
    assert "слишком много" in ask(desk(characters=10), "list_objects")["error"]


def test_the_end_of_research_is_told():
    at = desk()
    assert ask(at, "finish_research", {"summary": "всё"})["status"] == "ok" and at.finished


def test_definitions_are_valid_for_strict_gateways():
    for tool in DEFINITIONS:
        schema = tool["function"]["parameters"]
        assert tool["type"] == "function" and schema["type"] == "object" and set(schema["required"]) <= schema["properties"].keys()
    assert [tool["function"]["name"] for tool in DEFINITIONS] == ["list_objects", "search_objects", "get_object_structure", "finish_research"]
