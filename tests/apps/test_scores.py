"""Scores: from request to row, recorded scores beside ours, and both formats back out."""

from __future__ import annotations

import json

import pytest
from django.db import IntegrityError, transaction

from scoring.findings import FaultyData
from scoring.models import Answer, AnswerStatus, AxisState, JobState, Score, ScoreJob, ShownStack, StackKind
from scoring.results import parse_experiment, parse_verdicts
from scoring.services import answers, bank, exporting, measuring, scores, stacks, verdicts, work

RIGHT = "Функция Сложить(А, Б) Экспорт\n\tВозврат А + Б;\nКонецФункции\n"
WRONG = RIGHT.replace("+", "-")


@pytest.fixture(autouse=True)
def no_queue(monkeypatch):
    """Wake-up calls go nowhere: these tests drain by hand."""
    monkeypatch.setattr("scoring.services.work.wake_workers", lambda *a, **k: 0)


@pytest.fixture
def stored(db, write_bundle):
    """A bank of one task with answers of four networks: right, wrong, failed, and one that is still planned."""
    bank.import_folder(write_bundle())
    data = {
        "experiment_name": "probe",
        "category": "A",
        "timestamp": "2026-01-02T03:04:05",
        "models_used": ["Right", "Wrong", "Failed", "Cut", "Late"],
        "task_results": [
            {"task_id": "SUM", "model_id": name.lower(), "model_name": name, "runs": [{"run_index": 0, **run}]}
            for name, run in {
                "Right": {"response": RIGHT, "success": True, "tokens_output": 7, "cost_total": 0.25},
                "Wrong": {"response": WRONG, "success": True},
                "Failed": {"response": "", "success": False, "error": "503"},
                "Cut": {"response": RIGHT[:30], "success": True, "finish_reason": "length"},
            }.items()
        ],
    }
    answers.store_experiment(parse_experiment(data, "probe.json"), "probe.json", "core", False)
    return data


def request(**options):
    given = Answer.objects.filter(is_current=True).select_related("task__bundle", "network")
    return measuring.request_scores(given, **options)


def score_of(network: str, **more: object) -> Score:
    return Score.objects.get(answer__network__name=network, **more)


def test_every_settled_cell_gets_a_row_and_only_answers_are_measured(stored, pretend):
    jobs = request()
    measuring.drain()

    assert len(jobs) == 5  # three controls and two answers
    right, failed, cut = score_of("Right"), score_of("Failed"), score_of("Cut")
    assert (right.m_value, right.m_step, right.m_state, right.solved) == (10.0, 10, AxisState.SCORED, True)
    assert (right.passed, right.total, right.stage) == (2, 2, "solved")
    assert score_of("Wrong").m_value == 5.0 and score_of("Wrong").cause == "wrong_value"
    assert (failed.m_value, failed.m_state, failed.m_reason) == (None, AxisState.NOT_MEASURED, "answer_failed")
    assert cut.s_reason == "answer_truncated" and cut.p_state == AxisState.NOT_APPLICABLE
    assert failed.q_value is None and not Score.objects.filter(answer__network__name="Late").exists()
    assert RIGHT[:30] not in pretend.measured


def test_asking_again_does_only_what_is_left(stored, pretend):
    request()
    measuring.drain()
    measured = len(pretend.measured)

    assert request() == []
    measuring.drain()
    assert len(pretend.measured) == measured

    request(again=True)
    measuring.drain()
    assert len(pretend.measured) == 2 * measured and Score.objects.count() == 7


def test_another_engine_version_scores_beside_the_old_one_and_takes_the_board_when_complete(stored, pretend):
    request()
    measuring.drain()
    old = stacks.shown_stack("A")

    pretend.version = "2"
    request()
    assert stacks.shown_stack("A") == old
    measuring.drain()

    assert stacks.shown_stack("A") != old and "pretend 2" in ShownStack.objects.get().stack.name
    assert Score.objects.filter(answer__network__name="Right").count() == 2


def test_another_bundle_scores_beside_the_old_one(stored, pretend, write_bundle):
    request()
    measuring.drain()
    bank.import_folder(write_bundle(**{"tests.yaml": "tests:\n  - {args: [1, 1], expected: 2}\n"}))
    request()
    measuring.drain()
    versions = Score.objects.filter(answer__network__name="Right").values_list("bundle__number", flat=True)
    assert sorted(versions) == [1, 2]


def test_what_waits_for_a_former_stack_is_cancelled(stored, pretend):
    request()
    pretend.version = "2"
    request()
    assert ScoreJob.objects.filter(state=JobState.CANCELLED).count() == 5
    measuring.drain()
    assert not work.is_waiting()


def test_a_broken_instrument_is_not_measured_and_never_a_zero(stored, pretend):
    Answer.objects.filter(network__name="Right").update(response="СЛОМАЙСЯ")
    request()
    measuring.drain()
    score = score_of("Right")
    assert (score.m_value, score.m_state, score.m_reason) == (None, AxisState.NOT_MEASURED, "instrument")
    job = ScoreJob.objects.get(answer=score.answer)
    assert job.state == JobState.FAILED and "the instrument broke" in job.error


def test_a_failed_measurement_is_tried_again_on_demand(stored, pretend):
    Answer.objects.filter(network__name="Right").update(response="СЛОМАЙСЯ")
    request()
    measuring.drain()
    Answer.objects.filter(network__name="Right").update(response=RIGHT)
    assert len(request()) == 1
    measuring.drain()
    assert score_of("Right").m_value == 10.0


def test_an_instrument_that_gave_nothing_is_asked_again_on_demand(stored, pretend):
    Answer.objects.filter(network__name="Right").update(response="ОТКАЗ")
    request()
    measuring.drain()
    score = score_of("Right")
    assert (score.s_value, score.m_value, score.m_reason) == (10.0, None, "clock")
    assert ScoreJob.objects.get(answer=score.answer).state == JobState.FAILED
    Answer.objects.filter(network__name="Right").update(response=RIGHT)
    assert len(request()) == 1
    measuring.drain()
    assert score_of("Right").m_value == 10.0


def test_a_machine_that_cannot_measure_leaves_the_work_to_others(stored, pretend):
    jobs = request()
    pretend.missing = "no engine"
    with pytest.raises(measuring.InstrumentMissing, match="no engine"):
        measuring.drain()
    assert work.progress(jobs) == {JobState.QUEUED: len(jobs)} and not Score.objects.filter(answer__network__name="Right").exists()


def test_card_and_evidence_come_back_as_they_went_in(stored, pretend):
    request()
    measuring.drain()
    score = score_of("Wrong")
    card, evidence = scores.read_card(score), scores.read_evidence(score)
    assert str(card.value("M")) == "5.0" and evidence.tests.facts.passed == 1
    assert scores.build_score(score.answer, score.stack, score.bundle, card, scores.UNMEASURED, evidence).card == score.card


@pytest.mark.parametrize(
    "change",
    [
        {"m_value": 10.5},
        {"m_value": -0.1},
        {"m_value": None},
        {"m_state": AxisState.NOT_MEASURED},
        {"o_state": AxisState.SCORED, "o_value": None},
        {"q_value": 11},
        {"s_value": float("inf")},
    ],
)
def test_the_database_refuses_values_that_contradict_their_state(stored, pretend, change):
    request()
    measuring.drain()
    with pytest.raises(IntegrityError), transaction.atomic():
        Score.objects.filter(answer__network__name="Wrong").update(**change)


# -- recorded scores -----------------------------------------------------------------------------------------------------


def recorded(*cells):
    return {"experiment_id": "probe", "runner": "docker", "protocol_version": "1.2.0", "tasks": list(cells)}


def scored_cell(model, task="SUM", **values):
    run = {"run_index": 0, "scores": values, "detail": {"M": {"passed": 1, "total": 3}}}
    return {"task_id": task, "model_id": model.lower(), "model_name": model, "runs": [run]}


def store(data, name="auto.json"):
    return verdicts.store_verdicts(parse_verdicts(data, name), name, "core")


def test_recorded_scores_stand_beside_ours_and_never_take_the_board(stored, pretend):
    request()
    measuring.drain()
    assert store(recorded(scored_cell("Right", S=8, M=3.3, O=None, P=None, Q=5.65))) == 1

    row = score_of("Right", stack__kind=StackKind.RECORDED)
    assert (row.s_value, row.s_step, row.m_value, row.m_step, row.q_value) == (8.0, 8, 3.3, 2, 5.65)
    assert (row.o_state, row.o_reason, row.p_state) == (AxisState.NOT_MEASURED, "unspecified", AxisState.NOT_APPLICABLE)
    assert (row.passed, row.total) == (1, 3)
    assert stacks.shown_stack("A").kind == StackKind.MEASURED


def test_recorded_scores_alone_are_shown(stored):
    store(recorded(scored_cell("Right", S=8, M=10, Q=9)))
    assert stacks.shown_stack("A").kind == StackKind.RECORDED and score_of("Right").solved


def test_the_same_recorded_file_again_doubles_nothing(stored):
    for _ in range(2):
        store(recorded(scored_cell("Right", S=8, M=10, Q=9)))
    assert Score.objects.count() == 1


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (scored_cell("Right", S="10"), "scores.S"),
        (scored_cell("Right", X=10), "unknown axis 'X'"),
        (scored_cell("Right", S=10, s=9), "unknown axis 's'"),
        (scored_cell("Right", M=True), "scores.M"),
        (scored_cell("Right", M=10.1), "between 0 and 10"),
        (scored_cell("Right", M=-1), "between 0 and 10"),
        (scored_cell("Right", M=[1]), "scores.M"),
        (scored_cell("Nobody", M=1), "no answer of 'Nobody'"),
        (scored_cell("Right", "SUN", M=1), "'SUN'"),
        ({**scored_cell("Right"), "runs": [{"scores": None}]}, "runs[0].scores"),
        ({**scored_cell("Right"), "runs": [{"scores": {}, "detail": 5}]}, "runs[0].detail"),
    ],
)
def test_a_faulty_scores_file_is_told_with_its_place_and_stores_nothing(stored, cell, told):
    with pytest.raises(FaultyData) as caught:
        store(recorded(scored_cell("Wrong", S=10), cell))
    assert told in str(caught.value) and "tasks[1]" in str(caught.value) and not Score.objects.exists()


# -- export --------------------------------------------------------------------------------------------------------------


def test_what_goes_out_comes_back_in_as_it_was(stored, pretend):
    request()
    measuring.drain()
    out = json.loads(json.dumps(exporting.export_answers("A")))
    back = parse_experiment(out, "out.json")
    was = parse_experiment(stored, "probe.json")
    key = lambda cell: cell.model_name  # noqa: E731
    for cell, former in zip(sorted(back.cells, key=key), sorted(was.cells, key=key), strict=True):
        assert cell.model_id == former.model_id
        assert answers.status_of(cell.runs[0]) == answers.status_of(former.runs[0])
        assert (cell.runs[0].response, cell.runs[0].cost_total) == (former.runs[0].response, former.runs[0].cost_total)
    assert set(back.models) == set(was.models)

    told = parse_verdicts(json.loads(json.dumps(exporting.export_scores("A", stacks.shown_stack("A")))), "auto.json")
    values = {cell.model_name: cell.runs[0].scores for cell in told.cells}
    assert str(values["Wrong"]["M"]) == "5.0" and values["Failed"]["M"] is None and values["Right"]["P"] is None
    assert "control/reference" not in values


def test_private_tasks_leave_only_on_demand(stored, pretend):
    Answer.objects.get(network__name="Right").task.__class__.objects.update(is_private=True)
    assert exporting.export_answers("A")["task_results"] == []
    assert len(exporting.export_answers("A", private=True)["task_results"]) == 4


def test_planned_cells_are_told_by_name_alone(stored):
    out = exporting.export_answers("A")
    assert "Late" in out["models_used"] and "Late" not in {cell["model_name"] for cell in out["task_results"]}
    assert Answer.objects.get(network__name="Late").status == AnswerStatus.PLANNED
