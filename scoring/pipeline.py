"""The method, in the order it is told: read the answer, check it, run the hidden tests, count the work, judge.

    with Pipeline.builtin() as pipeline:
        result = pipeline.score(answer, bundle)
        result.card.quality, result.card.value("M"), result.evidence, result.fall

Instruments measure and axes judge; this module only says what follows what. Nothing here knows a number.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType

from scoring.axes.meaning import score_meaning
from scoring.axes.optimization import gate, score_optimization
from scoring.axes.platform import invented, score_platform
from scoring.axes.syntax import score_syntax
from scoring.bundles.model import TaskBundle
from scoring.evidence import CandidateFailed, Evidence, InstrumentFailed, TestEvidence
from scoring.extract import Module, code_of, module_of
from scoring.funnel import Fall, classify
from scoring.instruments.base import Examination, Instrument
from scoring.instruments.choice import Engines
from scoring.instruments.settings import CHOICES
from scoring.protocol import Protocol, load_protocol
from scoring.scorecard import AxisResult, NotApplicable, NotMeasured, Scorecard, quality


@dataclass(frozen=True, slots=True)
class Result:
    """One answer's result. ``elapsed`` in seconds of wall time, for reports only: no score depends on it."""

    card: Scorecard
    evidence: Evidence
    fall: Fall
    elapsed: float


@dataclass(frozen=True, slots=True)
class Stack:
    """Which instrument answers which question; often one for all. ``static`` (None = ``work``) answers O where a task has no load
    profile; ``notes`` say where the built-in engine stands in for a genuine one."""

    syntax: Instrument
    tests: Instrument
    work: Instrument
    static: Instrument | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, instrument: Instrument) -> Stack:
        return cls(instrument, instrument, instrument)

    @classmethod
    def chosen(cls, engines: Engines, category: str) -> Stack:
        """The stack that the settings choose for a category."""
        chosen = {question: engines.choose(category, question) for (owner, question) in CHOICES if owner == category}
        instruments = {question: choice.instrument for question, choice in chosen.items()}
        return cls(**instruments, notes=tuple(dict.fromkeys(choice.note for choice in chosen.values() if choice.note)))

    @property
    def instruments(self) -> tuple[Instrument, ...]:
        """Each instrument once."""
        parts = (self.syntax, self.tests, self.work, self.static or self.work)
        return tuple({id(part): part for part in parts}.values())

    def describe(self) -> dict[str, str]:
        """``{"syntax": "builtin 1.0", …}``: what a score's stack is known by."""
        roles = {"syntax": self.syntax, "tests": self.tests, "work": self.work}
        if self.static is not None and self.static is not self.work:
            roles["static"] = self.static
        return {role: f"{instrument.name} {instrument.version()}" for role, instrument in roles.items()}


class Pipeline:
    """Scores answers one after another with one stack. Not for several threads at once: one pipeline each."""

    def __init__(self, stack: Stack, protocol: Protocol) -> None:
        self.stack = stack
        self.protocol = protocol
        self._cleanup = ExitStack()

    @classmethod
    def builtin(cls, protocol: Protocol | None = None) -> Pipeline:
        """A pipeline over the built-in engine, with a sandbox of its own that closes with it."""
        from scoring.instruments.builtin import BuiltinEngine

        rules = protocol or load_protocol()
        engine = BuiltinEngine(rules)
        pipeline = cls(Stack.of(engine), rules)
        pipeline._cleanup.callback(engine.close)
        return pipeline

    def prepare(self, answers: Iterable[str]) -> None:
        """These answers come soon: engines with a dear start look at all of them at once."""
        codes = [code_of(answer) for answer in answers]
        for instrument in self.stack.instruments:
            instrument.prepare(codes)

    def score(self, answer: str, bundle: TaskBundle) -> Result:
        """Measure and judge one answer. Never raises for the answer's sake."""
        started = time.perf_counter()
        module = module_of(answer, bundle.patterns, procedures=self.protocol.constitution.applies("P", bundle.category))
        evidence = self._measure(module, bundle)
        card = judge(evidence, self.protocol, bundle.category)
        fall = classify(evidence, self.protocol.funnel)
        return Result(card, evidence, fall, time.perf_counter() - started)

    def _measure(self, module: Module, bundle: TaskBundle) -> Evidence:
        with ExitStack() as stack:
            opened: dict[int, Examination] = {}

            def examination(instrument: Instrument) -> Examination:
                if id(instrument) not in opened:
                    opened[id(instrument)] = stack.enter_context(instrument.examine(module, bundle))
                return opened[id(instrument)]

            syntax = examination(self.stack.syntax).check()
            tests = self._tests(module, examination)
            shut = gate(score_meaning(tests, self.protocol), self.protocol)
            counter = self.stack.static if self.stack.static and bundle.load is None else self.stack.work
            growth = None if shut else examination(counter).count_work()
        made_up = invented(tests, self.protocol) if self.protocol.constitution.applies("P", bundle.category) else ()
        return Evidence(syntax, tests, growth, module.entry.name if module.entry else "", made_up)

    def _tests(self, module: Module, examination: object) -> TestEvidence:
        if not module.whole.strip():
            return CandidateFailed("empty")
        if module.entry is None:
            return CandidateFailed("no_entry_point")
        return examination(self.stack.tests).run_tests()  # type: ignore[operator]

    def close(self) -> None:
        self._cleanup.close()

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def judge(evidence: Evidence, protocol: Protocol, category: str) -> Scorecard:
    """Evidence × protocol → scorecard: all of the judging, pure, so that stored evidence can be judged anew."""
    meaning = score_meaning(evidence.tests, protocol)
    results: dict[str, AxisResult] = {
        "S": score_syntax(evidence.syntax, protocol, category),
        "M": meaning,
        "O": score_optimization(evidence.growth, meaning, protocol, category),
        "P": score_platform(evidence.tests, protocol, category),
    }
    axes = {
        axis: results[axis] if protocol.constitution.applies(axis, category) else NotApplicable()
        for axis in protocol.constitution.axes
    }
    required = [axes[axis] for axis in protocol.constitution.quality_requires]
    return Scorecard(axes, quality(axes.values(), protocol.constitution.quality_decimals, required))


def unanswered(reason: str, protocol: Protocol, category: str) -> Scorecard:
    """The card of a cell without an answer to score: ``reason`` is ``answer_failed`` or ``answer_truncated``."""
    absent = NotMeasured(reason)
    axes: dict[str, AxisResult] = {
        axis: absent if protocol.constitution.applies(axis, category) else NotApplicable()
        for axis in protocol.constitution.axes
    }
    return Scorecard(axes, None)


def unanswered_evidence(reason: str) -> Evidence:
    """Evidence to store beside :func:`unanswered`."""
    failed = InstrumentFailed(reason)
    return Evidence(failed, failed)
