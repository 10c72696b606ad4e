"""Answers: every planned cell gets a row with a state, and a faulty file leaves no trace."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scoring.findings import FaultyData
from scoring.models import Answer, AnswerStatus, Edition, Network
from scoring.results import AnswerCell, AnswerRun, parse_experiment, parse_verdicts
from scoring.services import answers, bank

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]

CODE = "```bsl\nФункция Сложить(А, Б) Экспорт\n\tВозврат А + Б;\nКонецФункции\n```"


def run(response: str | None = CODE, **more: Any) -> dict[str, Any]:
    return {"run_index": 0, "response": response, "success": True, **more}


def experiment(*cells: dict[str, Any], models: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "experiment_name": "probe",
        "category": "A",
        "timestamp": "2026-01-02T03:04:05",
        "models_used": list(models),
        "task_results": list(cells),
    }


def cell(task: str = "SUM", model: str = "Net One", *runs: dict[str, Any]) -> dict[str, Any]:
    return {"task_id": task, "model_id": model.lower(), "model_name": model, "runs": list(runs or [run()])}


@pytest.fixture
def load(tmp_path, write_bundle):
    """Imports the bank, then experiments out of a file."""
    bank.import_folder(write_bundle())

    def load_one(data: Any, **options: Any) -> answers.ImportCounts:
        path = tmp_path / "experiment.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return answers.import_answers(path, **options)

    return load_one


def networks_answers():
    return Answer.objects.filter(network__is_control=False)


def test_an_answer_keeps_its_text_its_code_and_where_it_came_from(load):
    load(experiment(cell()))
    answer = networks_answers().get()
    assert answer.status == AnswerStatus.ANSWERED and answer.response == CODE
    assert answer.code.startswith("Функция Сложить") and "```" not in answer.code
    assert (answer.network.name, answer.model_id, answer.source) == ("Net One", "net one", "probe")
    assert answer.answered_at.year == 2026


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({}, AnswerStatus.ANSWERED),
        ({"response": "  \n"}, AnswerStatus.EMPTY),
        ({"finish_reason": "length"}, AnswerStatus.TRUNCATED),
        ({"finish_reason": "max_tokens", "success": False}, AnswerStatus.TRUNCATED),
        ({"finish_reason": "stop"}, AnswerStatus.ANSWERED),
        ({"finish_reason": "content_filter"}, AnswerStatus.REFUSED),
        ({"finish_reason": "tool_loop"}, AnswerStatus.TOOL_LOOP),
        ({"finish_reason": "cancelled"}, AnswerStatus.CANCELLED),
        ({"success": False, "response": "", "error": "503"}, AnswerStatus.FAILED),
        ({"success": False}, AnswerStatus.FAILED),
    ],
)
def test_what_the_provider_said_decides_the_state(given, status):
    assert answers.status_of(AnswerRun(**{"index": 0, "response": CODE, **given})) == status


def test_planned_cells_without_an_answer_are_rows_of_their_own(load, write_bundle):
    bank.import_folder(write_bundle("TWO"))
    counts = load(experiment(cell(), cell("TWO", "Net Two"), models=("Net One", "Net Two", "Net Three")))
    states = {(a.task.key, a.network.name): a.status for a in networks_answers().select_related("task", "network")}
    assert len(states) == 6 and counts.planned == 4 and counts.created == 2
    assert states["SUM", "Net Three"] == AnswerStatus.PLANNED and states["TWO", "Net Two"] == AnswerStatus.ANSWERED


def test_a_planned_cell_is_filled_later_without_asking(load):
    load(experiment(cell(), models=("Net One", "Net Two")))
    load(experiment(cell(), cell(model="Net Two")))
    current = networks_answers().get(network__name="Net Two", is_current=True)
    assert current.status == AnswerStatus.ANSWERED


def test_the_same_file_again_changes_nothing(load):
    load(experiment(cell()))
    assert load(experiment(cell())).unchanged == 1 and networks_answers().count() == 1


def test_another_text_is_refused_unless_it_is_to_replace(load):
    load(experiment(cell()))
    other = experiment(cell("SUM", "Net One", run("other")))
    with pytest.raises(FaultyData, match=r"task_results\[0\].runs\[0\].*--replace"):
        load(other)
    assert networks_answers().get().response == CODE

    assert load(other, replace=True).replaced == 1
    revisions = networks_answers().order_by("revision").values_list("response", "is_current")
    assert list(revisions) == [(CODE, False), ("other", True)]


def test_several_runs_of_a_cell_are_several_answers(load):
    load(experiment(cell("SUM", "Net One", run("a", run_index=0), run("b", run_index=1))))
    assert set(networks_answers().values_list("run_index", "response")) == {(0, "a"), (1, "b")}


def test_editions_do_not_mix(load):
    load(experiment(cell()))
    load(experiment(cell("SUM", "Net One", run("other"))), edition="tools")
    assert networks_answers().filter(is_current=True).count() == 2
    assert Edition.objects.count() == 2


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("{", "experiment.json:1"),
        ('{"category": "A", "category": "B"}', "stands twice"),
        ('{"category": NaN}', "NaN"),
        ([], "expected an object"),
        ({**experiment(), "category": "C"}, "category"),
        ({**experiment(), "task_results": None}, "task_results"),
        (experiment(cell("SUN")), "did you mean 'SUM'"),
        (experiment({"task_id": "SUM", "model_id": "x"}), "task_results[0].runs"),
        (experiment(cell("SUM", "N", run(None))), "task_results[0].runs[0].response"),
        (experiment(cell("SUM", "N", run(17))), "expected a string"),
        (experiment(cell("SUM", "N", run(success="yes"))), "success"),
        (experiment(cell("SUM", "N", run(tokens_input=-1))), "tokens_input"),
        (experiment(cell("SUM", "N", run(tokens_output=True))), "tokens_output"),
        (experiment(cell("SUM", "N", run(cost_total="free"))), "cost_total"),
        (experiment(cell(), cell()), "the same cell"),
        (experiment(cell("SUM", "N", run(), run())), "the same cell"),
        ({**experiment(), "models_used": ["a", 1]}, "models_used"),
        (experiment(cell(), cell("SUM", "M", run(5))), "task_results[1]"),
        # What a database's column would refuse, some of them with a failure in the middle.
        (experiment(cell("SUM", "N", run(run_index=2**31))), "run_index"),
        (experiment(cell("SUM", "N", run(tokens_input=10**30))), "tokens_input"),
        (experiment(cell("SUM", "N", run(elapsed_time=10**400))), "elapsed_time"),
        (experiment(cell("SUM", "N", run(cost_total=10**400))), "cost_total"),
        (experiment(cell("SUM", "N" * 121)), "model_name"),
        ({**experiment(cell()), "models_used": ["N" * 121]}, "models_used"),
        (experiment({**cell(), "model_id": "N" * 201}), "model_id"),
        (experiment(cell("SUM", "N", run(finish_reason="N" * 41))), "finish_reason"),
        (experiment(cell("SUM", "N", run(response_hash="N" * 129))), "response_hash"),
        ({**experiment(cell()), "timestamp": "2026-02-30T00:00:00"}, "timestamp"),
        ({**experiment(cell()), "timestamp": "0001-01-01T00:00:00+23:59"}, "timestamp"),
        ('{"category": ' + "9" * 5000 + "}", "experiment.json"),
    ],
)
def test_a_faulty_file_is_told_with_its_place_and_stores_nothing(load, data, told):
    with pytest.raises(FaultyData) as caught:
        load(data)
    assert told in str(caught.value) and "experiment.json" in str(caught.value)
    assert not networks_answers().exists() and not Network.objects.filter(is_control=False).exists()


def test_all_faults_are_told_at_once(load):
    with pytest.raises(FaultyData) as caught:
        load(experiment(cell("SUM", "N", run(1, success=2)), cell("SUM", "M", run(3))))
    assert len(caught.value.findings) == 3


def test_networks_of_alike_names_get_addresses_of_their_own(db):
    one, two, three = (answers.get_network(name) for name in ("GPT-5.5", "GPT-5 5", "Сеть № 1"))
    assert one.slug == "gpt-5-5" and two.slug == "gpt-5-5-2" and three.slug == "сеть-no-1"
    assert answers.get_network("GPT-5.5") == one


# -- what people are told ----------------------------------------------------------------------------------------------


def test_an_import_says_how_much_came_otherwise_than_whole(load):
    told = str(load(experiment(cell("SUM", "Whole"), cell("SUM", "Cut", run(finish_reason="length")), cell("SUM", "Gone", run("", success=False)))))
    assert told == "3 answers stored, 0 replaced, 0 known already, 0 cells without an answer; 1 failed, 1 truncated: not to be scored"
    assert "scored" not in str(load(experiment(cell("SUM", "Whole"))))


def test_the_documented_examples_are_read_as_the_document_says():
    blocks = re.findall(r"^```json\n(.*?)^```", (ROOT / "docs/answers.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    answered, scored = map(json.loads, blocks)
    runs = [one for part in parse_experiment(answered, "doc").cells for one in part.runs]
    assert [answers.status_of(one) for one in runs] == [AnswerStatus.ANSWERED, AnswerStatus.TRUNCATED, AnswerStatus.FAILED]
    assert parse_verdicts(scored, "doc").cells[0].runs[0].scores["O"] is None


def test_the_document_names_every_key_that_is_read():
    document = (ROOT / "docs/answers.md").read_text("utf-8")
    keys = [item.name for kind in (AnswerRun, AnswerCell) for item in dataclasses.fields(kind)]
    renamed = {"index": "run_index", "task_name": "task_id"}
    assert [key for key in keys if f"`{renamed.get(key, key)}`" not in document] == []
    assert [word for word in answers.STATUS_OF_FINISH if f"`{word}`" not in document] == []
