"""The host and its children: what a lost one means, and that nobody after it notices."""

from __future__ import annotations

import dataclasses
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.bundles import load_folder
from scoring.instruments.builtin import BuiltinEngine, task_data
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import Protocol, load_protocol
from scoring.sandbox.host import ChildLost, Sandbox, SandboxBroken
from scoring.scorecard import NotMeasured

BUNDLE = load_folder(Path(__file__).parents[1] / "hostile" / "task").required()
HONEST = "Функция СуммаЦифр(Число) Экспорт\nС = 0;\nДля Сч = 1 По СтрДлина(Строка(Число)) Цикл\nС = С + Число(Сред(Строка(Число), Сч, 1));\nКонецЦикла;\nВозврат С;\nКонецФункции"
ENDLESS = "Функция СуммаЦифр(Число) Экспорт\nПока Истина Цикл\nЧисло = СтрДлина(Строка(Число) + НРег(\"Я\"));\nКонецЦикла;\nКонецФункции"


def limited(**limits: int) -> Protocol:
    protocol = load_protocol()
    return dataclasses.replace(protocol, limits=dataclasses.replace(protocol.limits, **limits))


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limited(wall_seconds=20).limits) as made:
        yield made


def data() -> dict[str, object]:
    return task_data(BUNDLE, load_protocol())


def youngest_child(sandbox: Sandbox) -> int:
    """The process id of the parent's last child, as the kernel tells it."""
    parent = sandbox._process.pid
    return int(Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[-1])


def ask_tests(code: str) -> dict[str, object]:
    return {"op": "tests", "code": code, "entry": "СуммаЦифр", "budget": 10**12}


def test_what_the_safety_net_stops_is_not_measured_and_the_next_answer_is():
    protocol = limited(wall_seconds=1)
    unbounded = dataclasses.replace(protocol.meaning, operations=10**15)
    with Pipeline.builtin(dataclasses.replace(protocol, meaning=unbounded)) as pipeline:
        assert pipeline.score(ENDLESS, BUNDLE).card.axes["M"].reason == "clock"
        assert pipeline.score(HONEST, BUNDLE).card.value("M") == 10


def test_a_reply_over_its_bound_is_not_measured():
    with Pipeline.builtin(limited(reply_bytes=100)) as pipeline:
        card = pipeline.score(HONEST, BUNDLE).card
        assert isinstance(card.axes["M"], NotMeasured) and card.axes["M"].reason == "instrument"


def test_memory_of_the_process_is_the_answers_own_limit():
    eater = "Функция СуммаЦифр(Число) Экспорт\nА = Новый Массив;\nДля Сч = 1 По 3000000 Цикл\nА.Добавить(Строка(Сч) + \"строка\");\nКонецЦикла;\nКонецФункции"
    with Pipeline.builtin(limited(process_memory_bytes=48 * 2**20)) as pipeline:
        result = pipeline.score(eater, BUNDLE)
        assert (result.card.value("M"), result.fall.cause) == (0, "resources")
        assert pipeline.score(HONEST, BUNDLE).card.value("M") == 10


def test_a_child_that_dies_costs_one_answer(sandbox: Sandbox):
    with sandbox.answer("t", data) as child:
        assert "outcomes" in child.ask(ask_tests(HONEST))
        os.killpg(youngest_child(sandbox), signal.SIGKILL)
        with pytest.raises(ChildLost, match="died"):
            child.ask(ask_tests(HONEST))
    with sandbox.answer("t", data) as child:
        assert "outcomes" in child.ask(ask_tests(HONEST))


def test_a_parent_that_dies_is_started_again(sandbox: Sandbox):
    sandbox.start()
    sandbox._process.kill()
    sandbox._process.wait()
    with pytest.raises(SandboxBroken), sandbox.answer("t", data) as child:
        child.ask(ask_tests(HONEST))
    with sandbox.answer("t", data) as child:
        assert "outcomes" in child.ask(ask_tests(HONEST))


def test_an_unknown_request_is_a_fault_and_not_the_end(sandbox: Sandbox):
    with sandbox.answer("t", data) as child:
        assert "fault" in child.ask({"op": "surprise"})
        assert "outcomes" in child.ask(ask_tests(HONEST))
    assert "fault" in sandbox.check({"op": "tests", "code": ""})
    assert sandbox.check({"op": "syntax", "dialect": "onescript", "code": "А = ;"})["findings"]


def test_no_child_outlives_its_answer(sandbox: Sandbox):
    with sandbox.answer("t", data) as child:
        child.ask(ask_tests(HONEST))
        pid = youngest_child(sandbox)
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_pipeline_names_its_stack():
    engine = BuiltinEngine(load_protocol())
    assert set(Stack.of(engine).describe().values()) == {f"builtin {engine.version()}"}
    assert engine.availability().ready
    engine.close()
