"""The conformance report: reading facts, judging, totals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.conformance import BadFacts, Fact, Outcome, conformance, disagreement_lines, judge, main, table


def fact(**given: Any) -> Fact:
    record = {"id": "x-1", "area": "a", "form": "body", "code": "Возврат 1;", "kind": "value", "result": "1"} | given
    return Fact(**record)


def facts_file(folder: Path, *records: dict[str, Any]) -> None:
    base = {"id": "x", "area": "a", "form": "body", "code": "Возврат 1;", "kind": "value", "result": "1"}
    lines = [json.dumps(base | record, ensure_ascii=False) for record in records]
    (folder / "sample.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_the_same_value_is_equal_and_another_is_not() -> None:
    assert judge(fact(), Outcome("value", "1")).equal
    assert not judge(fact(), Outcome("value", "2")).equal
    assert not judge(fact(), Outcome("runtime_error", message="1")).equal


def test_an_error_of_the_same_kind_is_equal_whatever_its_text() -> None:
    recorded = fact(kind="runtime_error", result="", message="М", line=2)
    verdict = judge(recorded, Outcome("runtime_error", message="Н", line=2))
    assert (verdict.equal, verdict.same_message, verdict.same_line) == (True, False, True)
    assert not judge(recorded, Outcome("compile_error", message="М", line=2)).equal


def test_a_line_that_was_not_recorded_is_not_compared() -> None:
    recorded = fact(kind="runtime_error", result="", message="М")
    assert judge(recorded, Outcome("runtime_error", message="М", line=9)).same_line


def test_executed_lines_are_compared_without_ends_of_blocks() -> None:
    code = "Функция Ф()\nЕсли 1 Тогда\nА = 1;\nКонецЕсли;\nКонецФункции"
    recorded = fact(form="module", code=code, kind="codestat", result="", counts={"Ф": {"2": 3, "3": 3, "5": 0}})
    same = {"Ф": {"2": 3, "3": 3, "4": 3, "5": 3}}
    other = {"Ф": {"2": 3, "3": 2}}
    assert judge(recorded, Outcome("codestat", counts=same)).equal
    assert not judge(recorded, Outcome("codestat", counts=other)).equal


def test_the_report_counts_per_file_and_lists_disagreements(tmp_path: Path) -> None:
    facts_file(tmp_path, {}, {"result": "2"}, {"kind": "runtime_error", "message": "М", "line": 1})
    answers = iter([Outcome("value", "1"), Outcome("value", "1"), Outcome("runtime_error", message="М", line=3)])
    report = conformance(tmp_path, lambda _: next(answers))
    totals = report.files["sample"]
    assert (totals.facts, totals.equal, totals.errors, totals.same_message, totals.same_line) == (3, 2, 1, 1, 0)
    assert report.total.shares()["equal_share"] == 0.6667
    assert len(report.disagreements) == 2
    assert "100.00%" in table(report)[1]
    assert any("genuine: value 2" in line for line in disagreement_lines(report))


def test_recorded_texts_never_reach_the_json(tmp_path: Path) -> None:
    facts_file(tmp_path, {"result": '"секрет"', "code": "Возврат ТайныйКод;"})
    brief = json.dumps(conformance(tmp_path, lambda _: Outcome("value", "1")).as_dict(), ensure_ascii=False)
    assert "секрет" not in brief and "ТайныйКод" not in brief


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "line 1: not JSON"), ("[]", "line 1: not an object"), ('{"id": "x"}', "no text under area, form, code, kind")],
)
def test_unreadable_facts_name_file_and_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "bad.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadFacts, match="bad.jsonl") as caught:
        conformance(tmp_path, lambda _: Outcome("value"))
    assert told in str(caught.value)


def test_a_folder_without_facts_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--facts", str(tmp_path)]) == 2
    assert "no *.jsonl" in capsys.readouterr().err


def test_the_built_in_engine_runs_facts_of_every_kind(tmp_path: Path) -> None:
    facts_file(
        tmp_path,
        {"code": "Возврат 2 + 3;", "result": "5"},
        {"code": "\nВозврат 1 / 0;", "kind": "runtime_error", "message": "Divide by zero", "line": 2},
        {"code": "Возврат 1 1;", "kind": "compile_error", "message": "?", "line": 1},
        {"form": "module", "code": "Сообщить(3);\nСообщить(4);", "kind": "compiles", "result": "3\n4\n"},
        {
            "form": "module",
            "code": "Процедура П()\nА = 1;\nКонецПроцедуры\nДля К = 1 По 2 Цикл\nП();\nКонецЦикла;",
            "kind": "codestat",
            "counts": {"П": {"2": 2}, "$entry": {"4": 3, "5": 2}},
        },
    )
    report = conformance(tmp_path)
    assert report.files["sample"].equal == 5
    assert report.files["sample"].same_line == 2
