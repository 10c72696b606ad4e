"""The host and its children: what a lost one means, and that nobody after it notices."""

from __future__ import annotations

import dataclasses
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.bundles import load_folder
from scoring.instruments.builtin import BuiltinEngine, task_data
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import Protocol, RunLimits, load_protocol
from scoring.sandbox.host import Child, ChildLost, Sandbox, SandboxBroken
from scoring.scorecard import NotMeasured

BUNDLE = load_folder(Path(__file__).parents[1] / "hostile" / "task").required()
HONEST = "Функция СуммаЦифр(Число) Экспорт\nС = 0;\nДля Сч = 1 По СтрДлина(Строка(Число)) Цикл\nС = С + Число(Сред(Строка(Число), Сч, 1));\nКонецЦикла;\nВозврат С;\nКонецФункции"
ENDLESS = "Функция СуммаЦифр(Число) Экспорт\nПока Истина Цикл\nЧисло = СтрДлина(Строка(Число) + НРег(\"Я\"));\nКонецЦикла;\nКонецФункции"


def limited(**limits: int) -> Protocol:
    protocol = load_protocol()
    return dataclasses.replace(protocol, limits=dataclasses.replace(protocol.limits, **limits))


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(load_protocol().limits) as made:
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
    protocol = load_protocol()
    unbounded = dataclasses.replace(protocol.meaning, operations=10**15)
    engine = BuiltinEngine(dataclasses.replace(protocol, meaning=unbounded))
    with Pipeline(Stack.of(engine), engine.protocol) as pipeline:
        engine.sandbox.limits = dataclasses.replace(protocol.limits, wall_seconds=1)
        assert pipeline.score(ENDLESS, BUNDLE).card.axes["M"].reason == "clock"
        # The same parent, and time enough for an honest answer on a starved machine.
        engine.sandbox.limits = protocol.limits
        assert pipeline.score(HONEST, BUNDLE).card.value("M") == 10


def test_the_clock_ends_a_request_before_the_bound_of_processor_time_does(sandbox: Sandbox):
    """Requests of one child share that bound: it must not end a loop by chance, nor long work spread over several requests."""
    with sandbox.answer("t", data) as child:
        assert "outcomes" in child.ask(ask_tests(HONEST))
        bounds = Path(f"/proc/{youngest_child(sandbox)}/limits").read_text()
        seconds = next(line.split()[3] for line in bounds.splitlines() if line.startswith("Max cpu time"))
        assert int(seconds) > 5 * sandbox.limits.wall_seconds


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


HUGE = 'С = "0123456789abcdef";\nДля Сч = 1 По 20 Цикл\nС = С + С;\nКонецЦикла;\n'


@pytest.mark.parametrize(
    "body",
    [
        HUGE + "Возврат С;",
        HUGE + "ВызватьИсключение С;",
        HUGE + "М = Новый Массив;\nМ.Добавить(С);\nВозврат М;",
        HUGE + "М = Новый Соответствие;\nМ.Вставить(С, 1);\nВозврат М;",
        'С = "";\nДля Сч = 1 По 1000 Цикл\nС = С + Символ(1);\nКонецЦикла;\nМ = Новый Массив(5000);\n'
        "Для Сч = 0 По 4999 Цикл\nМ[Сч] = С;\nКонецЦикла;\nВозврат М;",
    ],
)
def test_a_result_too_large_to_travel_is_a_wrong_one(body: str):
    with Pipeline.builtin() as pipeline:
        card = pipeline.score(f"Функция СуммаЦифр(Число) Экспорт\n{body}\nКонецФункции", BUNDLE).card
    assert card.value("M") == 0, card.axes["M"]


class Forger:
    """Stands for a child that somebody took over: what it sends is no honest reply."""

    def __init__(self, frame: bytes) -> None:
        self.frame = frame

    def ask(self, limits: RunLimits) -> dict[str, object]:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.sendall(len(self.frame).to_bytes(4, "big") + self.frame)
            return Child(ours, limits).ask({"op": "tests"})


@pytest.mark.parametrize("frame", [b"", b"{", b"[1]", b"\xff\xfe", b'{"a":' * 20_000, b"[" * 40_000 + b"]" * 40_000])
def test_a_frame_that_is_no_message_costs_one_answer(frame: bytes):
    with pytest.raises(ChildLost):
        Forger(frame).ask(load_protocol().limits)


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"outcomes": None, "stopped": None},
        {"outcomes": [1], "stopped": None, "operations": 1, "printed": ""},
        {"outcomes": [{"result": ["a"]}] * 4, "stopped": None, "operations": 1, "printed": ""},
        {"outcomes": [{"error": {"kind": 1}}], "stopped": None, "operations": 1, "printed": ""},
        {"outcomes": [], "stopped": {"kind": "x"}, "operations": 1, "printed": ""},
        {"candidate": 5},
        {"candidate": {}},
        {"counts": ["x"], "stopped": None},
        {"findings": [{}]},
    ],
)
def test_a_reply_of_another_shape_is_not_measured(reply: dict[str, object], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Child, "ask", lambda self, request: reply)
    with Pipeline.builtin() as pipeline:
        card = pipeline.score(HONEST, BUNDLE).card
    assert all(card.axes[axis].reason == "instrument" for axis in "SM")
