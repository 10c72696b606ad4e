"""Shared by the tests of the Django side: small bundles written on the spot, and a pipeline that measures nothing real."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scoring.evidence import Evidence, InstrumentFailed, Observed, SyntaxFacts, TestFacts, TestOutcome
from scoring.funnel import classify
from scoring.instruments.base import Availability
from scoring.pipeline import Result, judge
from scoring.protocol import load_protocol
from scoring.services import measuring

TASK = """\
id: {key}
name: Сумма двух чисел
category: A
difficulty: easy
entry_point: Сложить
signature: "Функция Сложить(А, Б) Экспорт"
prompt: |
  Верните сумму двух чисел.
tags:
  skill: [числа]
"""
TESTS = """\
tests:
  - {args: [1, 2], expected: 3}
  - {args: [0, 0], expected: 0}
  - {args: [-5, 5], expected: 0}
"""
PERF = """\
p_opt: 0.0
sizes: [10, 20, 40]
gen: |
  Х = {n};
call: |
  {entry}(Х, Х);
"""
REFERENCE = "Функция Сложить(А, Б) Экспорт\n\tВозврат А + Б;\nКонецФункции\n"
SLOW = """\
Функция Сложить(А, Б) Экспорт
\tСумма = А;
\tДля Сч = 1 По Б Цикл
\t\tСумма = Сумма + 1;
\tКонецЦикла;
\tВозврат ?(Б < 0, А + Б, Сумма);
КонецФункции
"""
WRONG = "Функция Сложить(А, Б) Экспорт\n\tВозврат А - Б;\nКонецФункции\n"


@pytest.fixture
def write_bundle(tmp_path: Path) -> Callable[..., Path]:
    """Writes a sound bundle of category A below `tmp_path/bank`; keywords replace files (None leaves one out)."""

    def write(key: str = "SUM", **changes: str | None) -> Path:
        folder = tmp_path / "bank" / key
        files: dict[str, str | None] = {
            "task.yaml": TASK.format(key=key),
            "tests.yaml": TESTS,
            "perf.yaml": PERF,
            "canonical.bsl": REFERENCE,
            "perf_baseline.bsl": SLOW,
            "submissions/wrong_answer/minus.bsl": WRONG,
        }
        files.update({name.replace("__", "/"): text for name, text in changes.items()})
        for name, text in files.items():
            path = folder / (name if name.endswith((".yaml", ".bsl")) else f"{name}.yaml")
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink(missing_ok=True)
            else:
                path.write_text(text, "utf-8")
        return tmp_path / "bank"

    return write


class PretendPipeline:
    """Stands in for the engine where the subject is bookkeeping: an answer that adds passes, any other fails a test."""

    def __init__(self) -> None:
        self.protocol = load_protocol()
        self.version = "1"
        self.measured: list[str] = []
        self.stack = self
        self.syntax = self.tests = self.work = self
        self.instruments, self.notes, self.batches = (self,), (), False
        self.name = "pretend"
        self.missing = ""

    def availability(self) -> Availability:
        return Availability(not self.missing, self.missing)

    def describe(self) -> dict[str, str]:
        return {"tests": f"pretend {self.version}"}

    def score(self, answer: str, bundle: object) -> Result:
        if "СЛОМАЙСЯ" in answer:
            raise RuntimeError("the instrument broke")
        self.measured.append(answer)
        if "ОТКАЗ" in answer:
            lost = InstrumentFailed("clock", "no reply")
            evidence = Evidence(Observed(SyntaxFacts()), lost)
            return Result(judge(evidence, self.protocol, "A"), evidence, classify(evidence, self.protocol.funnel), 0.001)
        right = "+" in answer
        outcomes = (TestOutcome(0, "", "passed"), TestOutcome(1, "", "passed" if right else "wrong"))
        evidence = Evidence(Observed(SyntaxFacts()), Observed(TestFacts("Сложить", outcomes)))
        return Result(judge(evidence, self.protocol, "A"), evidence, classify(evidence, self.protocol.funnel), 0.001)

    def close(self) -> None:
        return


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendPipeline]:
    """The services' pipeline is the pretended one."""
    pipeline = PretendPipeline()
    monkeypatch.setattr(measuring, "pipeline", lambda category="A": pipeline)
    yield pipeline
