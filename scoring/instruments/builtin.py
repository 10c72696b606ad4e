"""The built-in engine as an instrument: PRISM's own implementation of the language, in the sandbox."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from scoring import wire
from scoring.balance import pair_counts
from scoring.bundles.model import AlgorithmLoad, DatabaseLoad, DataTests, ScriptTests, TaskBundle
from scoring.evidence import (
    CandidateFailed,
    ErrorFact,
    GrowthEvidence,
    GrowthFacts,
    InstrumentFailed,
    Observed,
    Place,
    StaticFacts,
    StaticFinding,
    SyntaxEvidence,
    SyntaxFacts,
    SyntaxFinding,
    TestEvidence,
    TestFacts,
)
from scoring.extract import Module
from scoring.instruments.base import Availability
from scoring.instruments.judging import RawOutcome, judge_all, read_report
from scoring.protocol import Protocol
from scoring.sandbox import sources
from scoring.sandbox.carriage import carried
from scoring.sandbox.host import Child, ChildLost, Sandbox, SandboxBroken
from scoring.sandbox.messages import Message

_log = logging.getLogger(__name__)

F = TypeVar("F")

# Names of the checker's findings → the diagnostics that the protocol speaks of.
_BLOCKER_NAMES = {"procedure_returns_value": "ProcedureReturnsValue"}
# Dialects whose compiler is axis S's checker: what it finds, nothing of the module runs.
_REFUSING = frozenset({"onec"})


def engine_version() -> str:
    """A digest of the engine's sources: any change of it may change a verdict."""
    return sources.digest(("engine",))


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a run may be put under to see whether it matters. None = as ever; ``operations`` bounds all tests together."""

    operations: int | None = None
    seed: int | None = None
    moment: datetime | None = None


@dataclass(frozen=True, slots=True)
class Mutant:
    """A small change of a reference (see `scoring.engine.mutation`): offsets count in the text with LF line ends.

    ``proof`` says why it changes nothing, where that is known."""

    operator: str
    start: int
    end: int
    replacement: str
    proof: str = ""

    def apply(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]


@dataclass(frozen=True, slots=True)
class Mutants:
    """A reference's mutants in order of the text, and the names of its routine's parameters."""

    mutants: tuple[Mutant, ...]
    parameters: tuple[str, ...]


USUAL = Circumstances()


class BuiltinEngine:
    """One sandbox, used by one thread. Close it when done."""

    name = "builtin"
    batches = False

    def __init__(self, protocol: Protocol, sandbox: Sandbox | None = None) -> None:
        """``sandbox``: another than the usual one, closed with the engine."""
        self.protocol = protocol
        self.sandbox = sandbox or Sandbox(protocol.limits)

    def version(self) -> str:
        return engine_version()

    def availability(self) -> Availability:
        """Ready wherever the worker starts; the reason names walls that this kernel does not grant."""
        try:
            self.sandbox.start()
        except SandboxBroken as broken:
            return Availability(False, str(broken))
        missing = self.sandbox.walls.missing() if self.sandbox.walls else ()
        return Availability(True, "without: " + ", ".join(missing) if missing else "")

    def self_test(self) -> str:
        """Have a text with one known fault read by the checker."""
        reply = _asked(self.sandbox.check, {"op": "syntax", "dialect": "onescript", "code": "Функция Ф(А)\n\tА += 1;\nКонецФункции\n"})
        if not isinstance(reply, dict):
            return str(reply)
        return "" if {entry["line"] for entry in reply["findings"]} == {2} else f"unexpected findings: {reply['findings']}"

    def prepare(self, texts: Iterable[str]) -> None:
        """A text costs milliseconds: nothing to gain beforehand."""

    @contextlib.contextmanager
    def examine(self, module: Module, bundle: TaskBundle) -> Iterator[BuiltinExamination]:
        with contextlib.ExitStack() as stack:
            yield BuiltinExamination(self.protocol, module, bundle, self.sandbox, stack)

    def mutants(self, code: str, category: str, entry: str, most: int) -> Mutants | CandidateFailed | InstrumentFailed:
        """At most ``most`` mutants of ``code``, made in the sandbox: the text is a stranger's."""
        dialect = self.protocol.constitution.categories[category].dialect
        request = {"op": "mutants", "dialect": dialect, "code": code, "entry": entry, "most": most}
        reply = _asked(self.sandbox.check, request)
        if not isinstance(reply, dict):
            return reply
        return Mutants(tuple(Mutant(**entry) for entry in reply["mutants"]), tuple(reply["parameters"]))

    def close(self) -> None:
        self.sandbox.close()


class BuiltinExamination:
    """One answer. Its text is read by the sandbox's checker, its code runs in a child of its own, forked when first needed; a
    child that was lost makes every later question about the run "not measured"."""

    def __init__(
        self, protocol: Protocol, module: Module, bundle: TaskBundle, sandbox: Sandbox, stack: contextlib.ExitStack
    ) -> None:
        self.protocol = protocol
        self.module = module
        self.bundle = bundle
        self.sandbox = sandbox
        self.stack = stack
        self.dialect = protocol.constitution.categories[bundle.category].dialect
        self.child: Child | None = None
        self.broken: InstrumentFailed | None = None
        self.findings: dict[str, Message | CandidateFailed | InstrumentFailed] = {}

    def check(self) -> SyntaxEvidence:
        reply = self._findings(self.module.whole)
        if not isinstance(reply, dict):
            return reply
        return _read(reply, self._syntax_facts)

    def _findings(self, code: str) -> Message | CandidateFailed | InstrumentFailed:
        """The checker's reply for a text, asked for once."""
        if code not in self.findings:
            request = {"op": "syntax", "dialect": self.dialect, "code": code}
            self.findings[code] = _asked(self.sandbox.check, request)
        return self.findings[code]

    def _syntax_facts(self, reply: Message) -> SyntaxFacts:
        blockers = self.protocol.syntax.blockers
        found = [_syntax_finding(entry) for entry in reply["findings"]]
        return SyntaxFacts(
            errors=tuple(finding for finding in found if finding.kind not in blockers),
            blockers=tuple(finding for finding in found if finding.kind in blockers),
            balance=pair_counts(self.module.whole, self.protocol.syntax.pairs),
        )

    def run_tests(self, circumstances: Circumstances = USUAL) -> TestEvidence:
        reply = self._run_tests(circumstances)
        if not isinstance(reply, dict):
            return reply
        return _read(reply, self._test_facts)

    def probe(self, circumstances: Circumstances = USUAL) -> tuple[RawOutcome, ...] | CandidateFailed | InstrumentFailed:
        """What the cases of the bundle give, unjudged; fewer than there are cases where a budget ended the run."""
        reply = self._run_tests(circumstances)
        return tuple(_raw(entry) for entry in reply["outcomes"]) if isinstance(reply, dict) else reply

    def _refusal(self) -> Observed[CandidateFailed | None] | CandidateFailed | InstrumentFailed:
        """Why no routine of the text can run, by the checker's findings: a common module of 1C with any does not compile."""
        if self.dialect not in _REFUSING:
            return Observed(None)
        reply = self._findings(self.module.tested)
        return _read(reply, _refusal) if isinstance(reply, dict) else reply

    def _run_tests(self, circumstances: Circumstances) -> Message | CandidateFailed | InstrumentFailed:
        refusal = self._refusal()
        if isinstance(refusal, Observed) and refusal.facts is not None:
            return refusal.facts
        moment = circumstances.moment
        return self._ask(
            {
                "op": "tests",
                "code": self.module.tested,
                "entry": self._entry,
                "budget": circumstances.operations or self.protocol.meaning.operations,
                "seed": circumstances.seed,
                "moment": moment.isoformat() if moment else None,
                # Where the checker could not say, the child looks itself.
                "checked": isinstance(refusal, Observed),
            }
        )

    def count_work(self) -> GrowthEvidence:
        load = self.bundle.load
        if load is None:
            return self._static()
        reply = self._ask(
            {"op": "growth", "code": self.module.whole, "entry": self._entry, "budget": self.protocol.optimization.operations}
        )
        if not isinstance(reply, dict):
            return reply
        unit = "operations" if isinstance(load, AlgorithmLoad) else "accesses"

        def facts(reply: Message) -> GrowthFacts:
            return GrowthFacts(unit, str(load.optimum), load.sizes, tuple(map(int, reply["counts"])), _stop(reply["stopped"]))

        return _read(reply, facts)

    @property
    def _entry(self) -> str:
        return self.module.entry.name if self.module.entry else ""

    def _test_facts(self, reply: Message) -> TestFacts:
        tests = self.bundle.tests
        stopped = _stop(reply["stopped"])
        if isinstance(tests, ScriptTests):
            outcomes = read_report(reply["report"]) if stopped is None else ()
        else:
            cases = tests.cases if isinstance(tests, DataTests) else ()
            outcomes = judge_all(cases, [_raw(entry) for entry in reply["outcomes"]])
        return TestFacts(self._entry, outcomes, reply["operations"], stopped, reply["printed"])

    def _static(self) -> GrowthEvidence:
        if self.bundle.category not in self.protocol.optimization.static_categories:
            return InstrumentFailed("no_profile")
        reply = _asked(self.sandbox.check, {"op": "static", "code": self.module.whole})
        if not isinstance(reply, dict):
            return reply
        return _read(reply, _static_facts)

    def _ask(self, request: Message) -> Message | CandidateFailed | InstrumentFailed:
        """Ask the answer's own child; once lost, it stays lost."""
        if self.broken is not None:
            return self.broken
        reply = _asked(self._run, request)
        if isinstance(reply, InstrumentFailed):
            self.broken = reply
        return reply

    def _run(self, request: Message) -> Message:
        if self.child is None:
            data = partial(task_data, self.bundle, self.protocol)
            self.child = self.stack.enter_context(self.sandbox.answer(self.bundle.hash, data))
        return self.child.ask(request)


def _asked(ask: Callable[[Message], Message], request: Message) -> Message | CandidateFailed | InstrumentFailed:
    """The reply's facts, or whose fault it is that there are none."""
    try:
        reply = ask(request)
    except SandboxBroken as broken:
        return InstrumentFailed("instrument", str(broken))
    except ChildLost as lost:
        return InstrumentFailed("clock" if lost.reason == "clock" else "instrument", lost.detail)
    if "candidate" in reply:
        read = _read(reply["candidate"], _failure)
        return read.facts if isinstance(read, Observed) else read
    if "unsupported" in reply:
        return InstrumentFailed("not_supported", reply["unsupported"])
    if "fault" in reply:
        _log.warning("the built-in engine failed: %s\n%s", reply["fault"], reply.get("trace", ""))
        return InstrumentFailed("instrument", reply["fault"])
    return reply


def _read(reply: Message, facts: Callable[[Message], F]) -> Observed[F] | InstrumentFailed:
    """The facts of a reply. One of another shape comes from a child that is no longer itself: nobody's score."""
    try:
        return Observed(facts(reply))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return InstrumentFailed("instrument", f"a reply that cannot be read: {error}")


def _failure(data: Message) -> CandidateFailed:
    place = Place(data["line"], data.get("column", 0), source_line=data.get("source_line", "")) if "line" in data else None
    return CandidateFailed(data["kind"], data["message"], place, data.get("error_kind", ""))


def _refusal(reply: Message) -> CandidateFailed | None:
    findings = reply["findings"]
    if not findings:
        return None
    first = findings[0]
    return CandidateFailed("does_not_compile", first["message"], Place(first["line"], first["column"]), first["kind"])


def _stop(data: Message | None) -> CandidateFailed | None:
    return None if data is None else _failure(data)


def _raw(entry: Message) -> RawOutcome:
    error = entry.get("error")
    return RawOutcome(
        result=entry.get("result"),
        error=_error(error) if error else None,
        check=entry.get("check"),
        expected=entry.get("expected"),
        note=entry.get("note", ""),
        operations=entry.get("operations", 0),
    )


def _error(data: Message) -> ErrorFact:
    at = Place(data["line"], data["column"], data["module"], data["source_line"])
    return ErrorFact(data["kind"], data["message"], at)


def _static_facts(reply: Message) -> StaticFacts:
    return StaticFacts(tuple(StaticFinding(f["code"], f["message"], Place(f["line"], f["column"])) for f in reply["findings"]))


def _syntax_finding(entry: Message) -> SyntaxFinding:
    kind = _BLOCKER_NAMES.get(entry["kind"]) or str(entry["kind"])
    return SyntaxFinding(kind, entry["message"], Place(entry["line"], entry["column"]))


# -- a task's data for the worker's parent -----------------------------------------------------------------------------


def task_data(bundle: TaskBundle, protocol: Protocol) -> Message:
    """What the parent builds a task from. Expected values are not in it, expressions of the author are."""
    cases = bundle.tests.cases if isinstance(bundle.tests, DataTests) else ()
    return {
        "category": bundle.category,
        "dialect": protocol.constitution.categories[bundle.category].dialect,
        "helpers": bundle.tests.helpers if isinstance(bundle.tests, DataTests) else "",
        "script": bundle.tests.source if isinstance(bundle.tests, ScriptTests) else None,
        "cases": [_case_data(case) for case in cases],
        "load": _load_data(bundle.load),
        "configuration": carried(bundle.configuration),
        "fixtures": carried(bundle.fixtures),
        "limits": {
            "depth": protocol.limits.depth,
            "memory": protocol.limits.memory_bytes,
            "output": protocol.limits.output_characters,
            "reply": protocol.limits.reply_bytes,
        },
    }


def _case_data(case: Any) -> Message:
    return {
        "index": case.index,
        "args": list(case.args),
        "arrange": case.arrange,
        "check": case.check,
        "expected": case.expected if wire.expressions(case.expected) else None,
    }


def _load_data(load: AlgorithmLoad | DatabaseLoad | None) -> Message | None:
    if load is None:
        return None
    if isinstance(load, AlgorithmLoad):
        return {"sizes": list(load.sizes), "generate": load.generate, "call": load.call}
    return {"sizes": list(load.sizes), "call": load.call, "count": load.count, "grow": carried(load.grow)}
