"""The bundle format: what is read, and that every fault is named with file, place and cure, all at once."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from scoring.bundles import load_files, load_folder, load_tree
from scoring.bundles.database_files import CONFIGURATION, FIXTURES
from scoring.bundles.load_file import GROW_KEYS
from scoring.bundles.loader import KNOWN_FILES
from scoring.bundles.model import VERDICTS, AlgorithmLoad, DatabaseLoad, DataTests, ScriptTests
from scoring.findings import FaultyData

TASK = """id: X1
name: Проба
category: A
difficulty: easy
entry_point: Удвоить
prompt: Удвоить число.
tags: {skill: [числа]}
"""
TESTS = """entry_point_patterns: ["Удв\\\\w*"]
tests:
  - {args: [1], expected: 2}
  - name: ноль
    args: [0]
    expected: 0
"""
PERF = 'p_opt: 0.5\nsizes: [10, 20]\ngen: "А = {n};"\ncall: "{entry}(А);"\n'
A = {"task.yaml": TASK, "tests.yaml": TESTS}
B = {
    "task.yaml": TASK.replace("category: A", "category: B") + "expected_objects: [Справочник.Товары]\n",
    "tests.yaml": "tests:\n  - {args: [], expected: 1}\n",
    "config_spec.yaml": "catalogs:\n  Товары:\n    hierarchical: true\n    attributes:\n      Вес: {type: Число, length: 10, precision: 3}\n",
    "fixtures.yaml": "catalogs:\n  Товары:\n    - {ref: Т1, Наименование: Гвоздь, Вес: 0.125}\nexpected: {что: угодно}\n",
}


def load(files: dict[str, str], **changes: str):
    return load_files({name: text.encode() for name, text in (files | changes).items()})


def faults(files: dict[str, str], **changes: str) -> list[str]:
    loaded = load(files, **{name.replace("__", "."): text for name, text in changes.items()})
    assert loaded.bundle is None
    return [str(finding) for finding in loaded.findings]


def test_a_bundle_of_category_a_is_read_whole():
    loaded = load(A | {"perf.yaml": PERF, "submissions/wrong_answer/x.bsl": "Функция", "README.md": "заметка"})
    bundle = loaded.required()
    assert (bundle.id, bundle.category, bundle.tags) == ("X1", "A", {"skill": ("числа",)})
    assert isinstance(bundle.tests, DataTests) and [case.name for case in bundle.tests.cases] == ["", "ноль"]
    assert bundle.load == AlgorithmLoad(Decimal("0.5"), (10, 20), "А = {n};", "{entry}(А);")
    assert bundle.patterns == ("Удвоить", "Удв\\w*")
    assert [(control.verdict, control.name) for control in bundle.controls] == [("wrong_answer", "x")]
    assert loaded.missing == ("canonical.bsl", "perf_baseline.bsl")


def test_a_bundle_of_category_b_is_read_whole():
    perf = 'p_opt: 0\nsizes: [1, 2]\ncount: register\ncall: "КодКандидата.{{ENTRY}}()"\ngrow: {catalog: {name: Товары}}\n'
    bundle = load(B | {"perf.yaml": perf}).required()
    assert isinstance(bundle.load, DatabaseLoad) and bundle.load.count == "register"
    assert bundle.fixtures == {"catalogs": {"Товары": [{"ref": "Т1", "Наименование": "Гвоздь", "Вес": Decimal("0.125")}]}}
    assert bundle.expected_objects == ("Справочник.Товары",)


def test_where_both_test_files_are_there_the_data_count():
    script = "Функция ПрогнатьТест() Экспорт\nКонецФункции"
    assert isinstance(load(B | {"tests.bsl": script}).required().tests, DataTests)
    only_script = {name: text for name, text in B.items() if name != "tests.yaml"} | {"tests.bsl": script}
    assert isinstance(load(only_script).required().tests, ScriptTests)


def test_bom_and_windows_line_ends_change_nothing():
    windows = {name: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() for name, text in A.items()}
    assert load_files(windows).required().hash == load(A).required().hash


def test_the_hash_knows_the_content_and_not_the_order():
    assert load(dict(reversed(A.items()))).required().hash == load(A).required().hash
    assert load(A, **{"tests.yaml": TESTS.replace("2}", "3}")}).required().hash != load(A).required().hash


@pytest.mark.parametrize(
    ("changes", "spoken"),
    [
        ({"tests__yaml": "tests: []\n"}, "no hidden tests"),
        ({"tests__yaml": "tests:\n  - {args: [1]}\n"}, "exactly one of expected, check, raises"),
        ({"tests__yaml": "tests:\n  - {args: [1], expected: 1, check: Истина}\n"}, "exactly one of"),
        ({"tests__yaml": "tests:\n  - {args: [1], expekted: 1}\n"}, "did you mean 'expected'"),
        ({"tests__yaml": "tests:\n  - {args: 1, expected: 1}\n"}, "'args' must be a list"),
        ({"tests__yaml": "tests:\n  - {args: [{__date__: morgen}], expected: 1}\n"}, "no ISO date"),
        ({"tests__yaml": "tests:\n  - {args: [{__table__: {columns: [А], rows: [[1, 2]]}}], expected: 1}\n"}, "a list of 1 values"),
        ({"tests__yaml": "tests:\n  - {args: [{__map__: [[1]]}], expected: 1}\n"}, "[key, value]"),
        ({"tests__yaml": "tests:\n  - {args: [{__bsl__: ''}], expected: 1}\n"}, "an expression of 1C"),
        ({"tests__yaml": "tests:\n  - {args: [{__odd__: 1}], expected: 1}\n"}, "__odd__"),
        ({"tests__yaml": "tests:\n  - {args: [], raises: ''}\n"}, "is empty"),
        ({"tests__yaml": "tests:\n  - {args: [{1: a}], expected: 1}\n"}, "no key of a structure"),
        ({"tests__yaml": "tests:\n  - {args: [], expected: {две части: a}}\n"}, "no key of a structure"),
        ({"tests__yaml": "tests:\n  - args: [1\n"}, "no valid YAML"),
        ({"tests__yaml": "a: &a [x]\nb: [*a, *a]\n"}, "alias"),
        ({"tests__yaml": "tests: !!python/object/apply:os.system [id]\n"}, "tag"),
        ({"tests__yaml": "tests: " + "[" * 100 + "]" * 100 + "\n"}, "nested too deeply"),
        ({"tests__yaml": TESTS + "helpers: 1\n"}, "'helpers' must be text"),
        ({"task__yaml": TASK + "difficulty: hard\n"}, "stands twice"),
        ({"task__yaml": TASK.replace("easy", "trivial")}, "unknown difficulty"),
        ({"task__yaml": TASK.replace("category: A", "category: C")}, "unknown category"),
        ({"task__yaml": TASK.replace("id: X1", "id: 'a b'")}, "no valid id"),
        ({"task__yaml": TASK.replace("name: Проба\n", "")}, "'name' is missing"),
        ({"task__yaml": TASK + "entry_point_patterns: ['(']\n"}, "no regular expression"),
        ({"task__yaml": TASK + "promt: x\n"}, "did you mean 'prompt'"),
        ({"task__yaml": TASK.replace("{skill", "{skil")}, "did you mean 'skill'"),
        ({"perf__yaml": PERF.replace("[10, 20]", "[20, 10]")}, "rising"),
        ({"perf__yaml": PERF.replace("[10, 20]", "[10]")}, "at least two"),
        ({"perf__yaml": PERF.replace("{entry}", "Удвоить")}, "does not name the candidate"),
        ({"perf__yaml": PERF + "grow: {}\n"}, "unknown key 'grow'"),
        ({"canonicl__bsl": "x"}, "did you mean 'canonical.bsl'"),
        ({"submissions/accpted/x__bsl": "x"}, "did you mean 'accepted'"),
        ({"tests__yaml": "x\0y: 1\n"}, "NUL"),
    ],
)
def test_faults_of_a_bundle_are_named(changes: dict[str, str], spoken: str):
    found = faults(A, **changes)
    name = next(iter(changes)).replace("__", ".")
    assert any(spoken in line and line.startswith(name) for line in found), found


@pytest.mark.parametrize(
    ("name", "text", "spoken"),
    [
        ("config_spec.yaml", "catalogues: {}\n", "did you mean 'catalogs'"),
        ("config_spec.yaml", "catalogs: {Т: {attributes: {Вес: {typ: Число}}}}\n", "did you mean 'type'"),
        ("config_spec.yaml", "catalogs: {Т: {attributes: {Вес: {type: 5}}}}\n", "name of a type"),
        ("config_spec.yaml", "enums: {Э: Один}\n", "list of names"),
        ("fixtures.yaml", "katalogs: {}\n", "did you mean 'catalogs'"),
        ("fixtures.yaml", "catalogs: {Т: {ref: 1}}\n", "list of records"),
        ("fixtures.yaml", "catalogs: {Т: [1]}\n", "a record"),
        ("fixtures.yaml", "register_records: {Р: {records: []}}\n", "'registrar' is missing"),
    ],
)
def test_faults_of_the_database_files_are_named(name: str, text: str, spoken: str):
    loaded = load(B, **{name: text})
    assert any(spoken in str(finding) and finding.file == name for finding in loaded.findings), loaded.findings


def test_all_faults_come_at_once_with_their_lines():
    loaded = load(A, **{"task.yaml": TASK.replace("easy", "x"), "tests.yaml": "tests:\n  - {args: [1]}\n  - {expected: 1, foo: 2}\n"})
    places = {(finding.file, finding.line) for finding in loaded.findings}
    assert {("task.yaml", 4), ("tests.yaml", 2), ("tests.yaml", 3)} <= places
    with pytest.raises(FaultyData):
        loaded.required()


def test_missing_files_are_named():
    assert any("tests.yaml" in line and "missing" in line for line in faults({"task.yaml": TASK}))
    without = {name: text for name, text in B.items() if name not in ("tests.yaml", "fixtures.yaml")}
    found = faults(without)
    assert any("fixtures.yaml" in line for line in found) and any("no hidden tests" in line for line in found)


def test_a_file_that_is_not_utf8_is_named():
    loaded = load_files({name: text.encode() for name, text in A.items()} | {"canonical.bsl": "Функция".encode("cp1251")})
    assert any("not UTF-8" in str(finding) for finding in loaded.findings)


def test_folders_links_and_twin_ids(tmp_path: Path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        for name, text in A.items():
            (tmp_path / folder / name).write_text(text, "utf-8")
    (tmp_path / "one" / ".DS_Store").write_bytes(b"\0")
    tree = load_tree(tmp_path)
    assert tree["one"].bundle is not None
    assert any("taken by one" in str(finding) for finding in tree["two"].findings)
    (tmp_path / "one" / "canonical.bsl").symlink_to("/etc/passwd")
    assert any("links" in str(finding) for finding in load_folder(tmp_path / "one").findings)
    assert load_folder(tmp_path / "none").bundle is None


def test_the_document_names_every_key_of_a_bundle():
    document = (Path(__file__).resolve().parents[2] / "docs" / "bundles.md").read_text("utf-8")
    keys = {*CONFIGURATION, *(key for keys in CONFIGURATION.values() for key in keys), *GROW_KEYS, *(key for keys in GROW_KEYS.values() for key in keys)}
    keys |= {*FIXTURES, *KNOWN_FILES, *VERDICTS, "p_opt", "sizes", "gen", "call", "count", "helpers", "arrange"}
    # A note for people that the reader passes over.
    keys -= {"expected"}
    assert sorted(key for key in keys if not re.search(rf"\b{re.escape(key)}\b", document)) == []
