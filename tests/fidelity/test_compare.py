"""The fidelity report: what counts as equal, what is left out, and the figures that tie it together."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from scoring.fidelity.command import publish
from scoring.fidelity.compare import Cell, Failure, Side, compare, kendall_q, recorded, tau_b
from scoring.fidelity.document import Notes, read_notes, render
from scoring.fidelity.run import audit, read_quirks
from scoring.findings import FaultyData
from scoring.protocol import load_protocol
from scoring.results import ScoredRun

FUNNEL = load_protocol().funnel
SOLVED = Failure("solved", "none")


def side(s: str | None = "10", m: str | None = "10", o: str | None = "10", p: str | None = None, passed: int | None = 3, first: Failure = SOLVED) -> Side:
    values = {axis: None if value is None else Decimal(value) for axis, value in zip("SMOP", (s, m, o, p), strict=True)}
    return Side(values, passed, first)


def cell(ours: Side, theirs: Side, task: str = "T1", model: str = "м", left_out: tuple[str, ...] = ()) -> Cell:
    return Cell(task, model, model, 0, ours, theirs, frozenset(left_out), 0.01)


def test_shares_per_axis_and_the_list_of_disagreements():
    cells = [
        cell(side(), side()),
        cell(side(s="8", o=None), side(s="10", o=None)),
        cell(side(m="6.7", passed=2), side(m="10", passed=3)),
        cell(side(o="4"), side(o=None)),
    ]
    report = compare(cells, wall=1.5)
    assert {axis: (report[axis]["n"], report[axis]["equal"]) for axis in "SMO"} == {"S": (4, 3), "M": (4, 3), "O": (4, 3)}
    assert report["S"]["mean_abs_diff"] == 0.5 and report["M"]["mean_abs_diff"] == 0.825
    assert [(entry["axis"], entry["ours"], entry["theirs"]) for entry in report["disagreements"]] == [("S", 8.0, 10.0), ("M", 2, 3), ("O", 4.0, None)]
    assert "P" not in report and report["median_ms"] == 10.0 and report["wall_s"] == 1.5


def test_meaning_compares_by_tests_passed_and_not_measured_equals_only_itself():
    report = compare([cell(side(m=None, passed=None), side(m="0", passed=0)), cell(side(m=None, passed=None), side(m=None, passed=None))], wall=0)
    assert (report["M"]["n"], report["M"]["equal"]) == (2, 1)


def test_quirks_leave_cells_out_and_are_counted():
    report = compare([cell(side(s="8", m="0", passed=0), side(), left_out=("S", "M"))], wall=0)
    assert (report["S"]["n"], report["M"]["n"], report["O"]["n"], report["left_out"]) == (0, 0, 1, 2)
    assert report["S"]["share"] is None and report["disagreements"] == []


def test_texts_of_both_sides_come_only_when_asked_for():
    cells = [cell(side(first=Failure("run", "index", "секрет"), passed=1), side())]
    assert "секрет" not in json.dumps(compare(cells, wall=0), ensure_ascii=False)
    assert "секрет" in json.dumps(compare(cells, wall=0, details=True), ensure_ascii=False)


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        ([(1, 1), (2, 2), (3, 3)], 1.0),
        ([(1, 3), (2, 2), (3, 1)], -1.0),
        ([(1, 1), (2, 3), (3, 2)], 1 / 3),
        ([(1, 1), (1, 2), (2, 3)], 2 / 6**0.5),
        ([(1, 1), (1, 2)], None),
        ([], None),
    ],
)
def test_tau_b(pairs: list[tuple[int, int]], value: float | None):
    result = tau_b([(Fraction(x), Fraction(y)) for x, y in pairs])
    assert result == value or result == pytest.approx(value)


def test_rank_agreement_is_of_the_networks_means_without_what_was_left_out():
    cells = [
        cell(side(s="10"), side(s="10"), model="а"),
        cell(side(s="8"), side(s="8"), model="б"),
        cell(side(s="0"), side(s="10"), model="б", left_out=("S",), task="T2"),
    ]
    assert kendall_q(cells) == 1.0


@pytest.mark.parametrize(
    ("meaning", "stage", "cause"),
    [
        ({"passed": 3, "total": 3, "log": ""}, "solved", "none"),
        ({"passed": 0, "total": 0, "status": "candidate_error", "log": "Переменная не определена (Х)"}, "compile", "unknown_name"),
        ({"passed": 0, "total": 0, "status": "no_entry", "infra_detail": "не найдено ни одной функции"}, "compile", "no_entry_point"),
        ({"passed": 1, "total": 2, "status": "ok", "log": "тест2 FAIL (ожидалось 1);"}, "result", "wrong_value"),
        ({"passed": 0, "total": 2, "status": "ok", "log": "тест1 ИСКЛЮЧЕНИЕ: {М(1)}: Метод объекта не обнаружен (Х); тест2 FAIL;"}, "run", "no_method"),
        ({"passed": 0, "total": 2, "errors": ["compile_error: {Модуль / Symbol not found Х}"]}, "compile", "unknown_name"),
        ({"passed": 0, "total": 2, "errors": ["PRISM_ERR 0 {Модуль / Index is out of range}"]}, "run", "index"),
        ({"passed": 1, "total": 2, "errors": ["PRISM_FAIL 1"]}, "result", "wrong_value"),
        ({"passed": 0, "total": 2, "errors": ["таймаут исполнения"]}, "run", "time_out"),
    ],
)
def test_the_first_failure_of_a_recorded_run(meaning: dict[str, object], stage: str, cause: str):
    run = ScoredRun(0, "", {"S": Decimal(10), "M": Decimal(0)}, {"M": meaning})
    first = recorded(run, FUNNEL).first_failure
    assert (first.stage, first.cause) == (stage, cause)


TASK = "id: Z1\nname: x\ncategory: A\ndifficulty: easy\nprompt: x\nentry_point: Ф\n"
GOOD = "Функция Ф(А)\nВозврат А;\nКонецФункции"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks" / "Z1"
    folder.mkdir(parents=True)
    (folder / "task.yaml").write_text(TASK, "utf-8")
    (folder / "tests.yaml").write_text("tests:\n  - {args: [1], expected: 1}\n", "utf-8")
    answers = {"experiment_name": "e", "category": "A", "models_used": [], "task_results": []}
    verdicts = {"experiment_id": "e", "tasks": []}
    for model, text, passed in (("верная", GOOD, 1), ("пустая", "", 0), ("спорная", GOOD, 0)):
        answers["task_results"].append({"task_id": "Z1", "model_id": model, "model_name": model, "runs": [{"run_index": 0, "response": text, "success": False}]})
        score = {"S": 10, "M": passed * 10, "O": None, "P": None, "Q": 10}
        detail = {"M": {"passed": passed, "total": 1, "errors": [] if passed else ["PRISM_FAIL 0"]}}
        verdicts["tasks"].append({"task_id": "Z1", "model_id": model, "model_name": model, "runs": [{"run_index": 0, "scores": score, "detail": detail}]})
    (tmp_path / "answers.json").write_text(json.dumps(answers), "utf-8")
    (tmp_path / "verdicts.json").write_text(json.dumps(verdicts), "utf-8")
    (tmp_path / "quirks.yaml").write_text("- {task: Z1, model: пустая, axes: [O], why: x}\n", "utf-8")
    return tmp_path


def test_an_audit_scores_every_text_whatever_its_run_says(corpus: Path):
    report = audit(corpus / "tasks", corpus / "answers.json", corpus / "verdicts.json", corpus / "quirks.yaml", workers=1)
    assert (report["M"]["n"], report["M"]["equal"], report["S"]["equal"], report["O"]["n"]) == (3, 2, 3, 2)
    assert [(entry["model"], entry["ours"]) for entry in report["disagreements"] if entry["axis"] == "M"] == [("спорная", 1)]


def test_a_missing_task_is_named(corpus: Path):
    (corpus / "tasks" / "Z1" / "tests.yaml").unlink()
    with pytest.raises(FaultyData, match="Z1"):
        audit(corpus / "tasks", corpus / "answers.json", corpus / "verdicts.json")


def test_odd_quirks_are_named(tmp_path: Path):
    path = tmp_path / "quirks.yaml"
    path.write_text("- {task: A1, axes: [M]}\n- {task: A1, model: м, axis: [M]}\n", "utf-8")
    with pytest.raises(FaultyData, match="'model' is missing"):
        read_quirks(path)


def report_of(*cells: Cell) -> dict[str, object]:
    return {"category": "A", "engine": "e", "protocol": "1", **compare(list(cells), wall=0)}


def test_the_document_lists_every_disagreement_with_its_cause():
    report = report_of(cell(side(s="8"), side()), cell(side(o="4"), side(), model="н"))
    text = render([report], Notes({("T1", "м", "S"): "the harness"}, (("Запросы", ("факт",)),)))
    assert "| T1 | м | S | 8.0 | 10.0 | solved/none / solved/none | the harness |" in text
    assert "| unexplained |" in text and "- факт" in text


def test_a_cause_that_explains_nothing_is_an_error():
    with pytest.raises(FaultyData, match="no such disagreement"):
        render([report_of(cell(side(), side()))], Notes({("T1", "м", "S"): "x"}, ()))


def test_the_hand_kept_file_of_causes_is_readable():
    read_notes(Path(__file__).parents[2] / "docs" / "fidelity" / "causes.yaml")


def test_publishing_keeps_the_report_and_writes_the_document(corpus: Path):
    folder = corpus / "fidelity"
    folder.mkdir()
    (folder / "causes.yaml").write_text("disagreements:\n  - {task: Z1, model: спорная, axis: M, cause: проба}\n", "utf-8")
    report = audit(corpus / "tasks", corpus / "answers.json", corpus / "verdicts.json", workers=1)
    publish(report, folder)
    assert json.loads((folder / "category_A.json").read_text("utf-8"))["M"]["n"] == 3
    assert "| проба |" in (corpus / "fidelity.md").read_text("utf-8")
    detailed = audit(corpus / "tasks", corpus / "answers.json", corpus / "verdicts.json", workers=1, details=True)
    with pytest.raises(FaultyData, match="not for publication"):
        publish(detailed, folder)
