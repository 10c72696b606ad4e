"""The compile check of a 1C server module: line and wording of every error, in the compiler's order."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.engine.session import Session, Source
from scoring.engine.syntax.check_modules import check_module

CASES = Path(__file__).with_name("cases.txt").read_text("utf-8")


def read_cases() -> list[tuple[str, str, list[str]]]:
    cases = []
    for block in CASES.split("== ")[1:]:
        title, _, rest = block.partition("\n")
        code, _, expected = rest.partition("\n--\n") if "\n--\n" in rest else rest.partition("\n--")
        cases.append((title, code, [line for line in expected.splitlines() if line.strip()]))
    return cases


@pytest.mark.parametrize(("title", "code", "expected"), read_cases(), ids=[case[0] for case in read_cases()])
def test_findings(title: str, code: str, expected: list[str]) -> None:
    assert [f"{found.line}: {found.message}" for found in check_module(code)] == expected


@pytest.mark.parametrize("tail", ["Если", "Для", "(", "[", '"', "'", "&", "#", "?", "Новый", "~", "А.", "А = "])
@pytest.mark.parametrize(
    "head",
    [
        "", "Процедура П(", "Процедура П()\n", "Процедура П()\nЕсли А Тогда\n", "#Если Клиент Тогда\n",
        "Процедура П()\n#Если Клиент Тогда\nА = 1;\n", 'Процедура П()\nА = "а"\n#Если Клиент Тогда\n',
    ],
)  # fmt: skip
def test_a_text_cut_anywhere_is_only_an_error(head: str, tail: str) -> None:
    assert check_module(head + tail)


FAULTLESS = [case for case in read_cases() if not case[2]]


@pytest.mark.parametrize(("title", "code", "expected"), FAULTLESS, ids=[case[0] for case in FAULTLESS])
def test_what_is_faultless_compiles_to_be_run(title: str, code: str, expected: list[str]) -> None:
    assert Session("onec").check(Source(code)) == expected
