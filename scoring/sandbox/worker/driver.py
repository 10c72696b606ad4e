"""The author's side of a test as a module of the engine: helpers, preparations, checks, load inputs.

It is compiled apart from the candidate's module, which it reaches as the common module ``КодКандидата`` and which can
neither see nor redefine anything here.
"""

from __future__ import annotations

from typing import Any

from scoring.extract import routines
from scoring.sandbox.worker.values import expressions_of

CANDIDATE = "КодКандидата"
# The candidate's routine under a name of its own, so that one compiled module serves every answer.
ENTRY = "ТочкаВходаКандидата"
LOAD_CALL = "ВыполнитьНагрузку"
TESTS_CALL = "ПрогнатьТест"
DESCRIPTION_FINDER = """
Функция Спр(ИмяСправочника, Наименование) Экспорт
    Возврат Справочники[ИмяСправочника].НайтиПоНаименованию(Наименование, Истина);
КонецФункции
"""
# The fixtures stand before any test begins: to create them once more changes nothing.
FIXTURES_MAKER = """
Процедура СоздатьФикстуры() Экспорт
КонецПроцедуры
"""


def driver_source(data: dict[str, Any]) -> str:
    """The module of a task with ``tests.yaml``: per test a preparation and, where it has one, a check."""
    parts = [DESCRIPTION_FINDER if data["category"] == "B" else "", data["helpers"]]
    for case in data["cases"]:
        parts.append(_preparation(case))
        if case["check"]:
            parts.append(_check(case))
        wanted = expressions_of(case["expected"])
        if wanted:
            parts.append(_function(expectation_name(case), "", [], wanted))
    return "\n".join(parts)


def preparation_name(case: dict[str, Any]) -> str:
    return f"ПодготовитьТест{case['index']}"


def check_name(case: dict[str, Any]) -> str:
    return f"ПроверитьТест{case['index']}"


def expectation_name(case: dict[str, Any]) -> str:
    return f"ОжидаемоеТеста{case['index']}"


def needs_preparation(case: dict[str, Any]) -> bool:
    return bool(case["arrange"].strip() or any(map(expressions_of, case["args"])))


def _preparation(case: dict[str, Any]) -> str:
    if not needs_preparation(case):
        return ""
    wanted = [text for value in case["args"] for text in expressions_of(value)]
    return _function(preparation_name(case), case["arrange"], [], wanted)


def _function(name: str, before: str, parameters: list[str], wanted: list[str]) -> str:
    lines = [f"Функция {name}({', '.join(parameters)}) Экспорт", before, "ЗначенияТеста__ = Новый Массив;"]
    # Each expression ends its own line, so that a comment in it hides nothing.
    lines += [f"ЗначенияТеста__.Добавить(\n{text}\n);" for text in wanted]
    return "\n".join([*lines, "Возврат ЗначенияТеста__;", "КонецФункции"])


def _check(case: dict[str, Any]) -> str:
    parameters = ["Результат", *(f"Аргумент{number}" for number in range(1, len(case["args"]) + 1))]
    return f"Функция {check_name(case)}({', '.join(parameters)}) Экспорт\nВозврат\n{case['check']}\n;\nКонецФункции"


def load_source(data: dict[str, Any], size: int) -> str:
    """The module that builds the input of ``size`` and makes the load call; the same for every answer."""
    load = data["load"]
    if data["category"] == "A":
        body = load["generate"] + "\n" + load["call"]
        body = body.replace("{n}", str(size)).replace("{entry}", f"{CANDIDATE}.{ENTRY}")
        head = ""
    else:
        body = load["call"].replace("{{ENTRY}}", ENTRY)
        head = DESCRIPTION_FINDER
    return f"{head}\nПроцедура {LOAD_CALL}() Экспорт\n{body}\n;\nКонецПроцедуры"


def script_source(data: dict[str, Any]) -> str:
    """A ``tests.bsl`` module with what the fixtures provide; the same for every answer."""
    text = data["script"].replace("{{ENTRY}}", ENTRY)
    declared = {routine.name.lower() for routine in routines(text)}
    provided = {"спр": DESCRIPTION_FINDER, "создатьфикстуры": FIXTURES_MAKER}
    return text + "".join(source for name, source in provided.items() if name not in declared)
