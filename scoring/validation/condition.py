"""The condition against the tests: what they ask for and it does not say, and what it gives away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scoring.bundles.model import DataTests, ScriptTests, TaskBundle
from scoring.validation.junk import test_lines
from scoring.validation.report import Remark
from scoring.wire import Wire

# A line of the reference so long is no accident when it stands in the condition.
_LONG_LINE = 30
_NAME = r"[^\W\d]\w*"
_PROPERTY = re.compile(rf"\b(?:Результат|Result)\s*(?:\[[^\]]*\])?\s*\.\s*({_NAME})\b(?!\s*\()", re.IGNORECASE)
_ROW = re.compile(rf"\b(?:Строка|СтрокаТаблицы|Стр|Row)\s*\.\s*({_NAME})\b(?!\s*\()", re.IGNORECASE)
_COLUMN = re.compile(rf"Колонки\s*\.\s*(?:Найти\s*\(\s*\"({_NAME})\"|({_NAME})\b(?!\s*\())", re.IGNORECASE)
# What tables, structures and arrays have by themselves.
_OWN_PROPERTIES = frozenset({"колонки", "columns", "строки", "rows", "индексы", "indexes", "ключ", "значение", "key", "value"})

_SECTIONS = {
    "catalogs": ("справочник", "catalog"),
    "documents": ("документ", "document"),
    "accumulation_registers": ("регистрнакопления", "accumulationregister"),
    "information_registers": ("регистрсведений", "informationregister"),
    "accounting_registers": ("регистрбухгалтерии", "accountingregister"),
    "enums": ("перечисление", "enum"),
    "constants": ("константа", "константы", "constant"),
    "chart_of_characteristic_types": ("планвидовхарактеристик", "chartofcharacteristictypes"),
    "charts_of_accounts": ("плансчетов", "chartofaccounts"),
}
_KIND_OF = {word: section for section, words in _SECTIONS.items() for word in words}


@dataclass(frozen=True, slots=True)
class Asked:
    """A name or a message that a test wants: ``kind`` is ``column``, ``field`` or ``message``."""

    kind: str
    text: str
    test: int = -1


def condition_remarks(bundle: TaskBundle) -> list[Remark]:
    """Everything that the condition should say and does not, or says and should not."""
    return [*_unmentioned(bundle), *_leaks(bundle), *_unknown_objects(bundle)]


# -- what the tests ask for ---------------------------------------------------------------------------------------------


def asked_of(bundle: TaskBundle) -> Iterator[Asked]:
    """Names of columns and fields and texts of exceptions that the tests want."""
    if isinstance(bundle.tests, ScriptTests):
        yield from _in_code(bundle.tests.source, -1)
        return
    if not isinstance(bundle.tests, DataTests):
        return
    for case in bundle.tests.cases:
        yield from _in_value(case.expected, case.index)
        yield from _in_code(case.check, case.index)
        if case.raises:
            yield Asked("message", case.raises, case.index)
    yield from _in_code(bundle.tests.helpers, -1)


def _in_value(value: Wire, test: int) -> Iterator[Asked]:
    if not isinstance(value, list):
        return
    if value[0] == "s":
        for key, entry in value[1]:
            yield Asked("field", key, test)
            yield from _in_value(entry, test)
    elif value[0] == "a":
        for entry in value[1]:
            yield from _in_value(entry, test)
    elif value[0] == "t":
        # Columns are compared by their place: their names matter to a person, not to the test.
        for row in value[2]:
            for cell in row:
                yield from _in_value(cell, test)


def _in_code(code: str, test: int) -> Iterator[Asked]:
    for pattern, kind in ((_PROPERTY, "field"), (_ROW, "column"), (_COLUMN, "column")):
        for match in pattern.finditer(code):
            name = next(group for group in match.groups() if group)
            if name.lower() not in _OWN_PROPERTIES:
                yield Asked(kind, name, test)


def _unmentioned(bundle: TaskBundle) -> Iterator[Remark]:
    said = f"{bundle.prompt}\n{bundle.signature}".lower()
    lines = test_lines(bundle)
    seen = set()
    for asked in asked_of(bundle):
        if (asked.kind, asked.text.lower()) in seen:
            continue
        seen.add((asked.kind, asked.text.lower()))
        if not _mentioned(asked, said):
            params: dict[str, str | int] = {"kind": asked.kind, "text": asked.text, "test": asked.test + 1}
            file = "tests.yaml" if isinstance(bundle.tests, DataTests) else "tests.bsl"
            yield Remark("not_in_condition", "condition", "warning", file, lines.get(asked.test, 0), params)


def _mentioned(asked: Asked, said: str) -> bool:
    text = asked.text.lower()
    if asked.kind != "message":
        return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", said) is not None
    return " ".join(text.split()) in " ".join(said.split())


# -- what the condition gives away --------------------------------------------------------------------------------------


def _leaks(bundle: TaskBundle) -> Iterator[Remark]:
    said = " ".join(bundle.prompt.split()).lower()
    signature = " ".join(bundle.signature.split()).lower()
    for number, line in enumerate(bundle.canonical.split("\n"), 1):
        plain = " ".join(line.split()).lower()
        if len(plain) >= _LONG_LINE and plain in said and plain not in signature and not plain.startswith(("функция", "function")):
            yield Remark("reference_leaks", "condition", "error", "canonical.bsl", number, detail=line.strip())


def _unknown_objects(bundle: TaskBundle) -> Iterator[Remark]:
    for name in bundle.expected_objects:
        kind, _, rest = name.partition(".")
        section = _KIND_OF.get(kind.lower())
        if section is None or not _declared(bundle.configuration, section, rest.split(".")[0]):
            yield Remark("unknown_object", "condition", "error", "task.yaml", _line_of(bundle, name), {"name": name})


def _declared(configuration: Any, section: str, name: str) -> bool:
    known = configuration.get(section) or {}
    return any(str(entry).lower() == name.lower() for entry in known)


def _line_of(bundle: TaskBundle, text: str) -> int:
    lines = bundle.files.get("task.yaml", "").split("\n")
    return next((number for number, line in enumerate(lines, 1) if text in line), 0)
