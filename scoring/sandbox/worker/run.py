"""One run: a session with the candidate's module loaded, the author's module beside it, and what came of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from scoring.engine.errors import BslRuntimeError, LimitReached
from scoring.engine.runtime.context import Clock, Limits
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.engine.values.members import MethodEntry
from scoring.engine.values.model import BslObject
from scoring.sandbox.messages import Message
from scoring.sandbox.worker import driver
from scoring.sandbox.worker.prepared import CANDIDATE_NAMES, Prepared, TaskFault
from scoring.sandbox.worker.values import Room, cut, expressions_of, to_engine, to_wire

# In a genuine run of OneScript the tests stand behind the candidate's text, in the same script: a stray character at its end
# meets them. An empty statement stands for them here; it executes nothing.
_AFTERWARDS = {"onescript": "\n;", "onec": ""}


# Characters of a test module's report; its figures stand in front, its log quotes whatever the candidate raised.
MAX_REPORT = 200_000


class CandidateRaised(Exception):
    """The candidate's code raised where no test was looking (its module's body, the load call)."""

    def __init__(self, data: Message) -> None:
        self.data = {**data, "error_kind": data["kind"], "kind": "raised"}
        super().__init__(data["message"])


class Watched(BslObject):
    """The candidate's module as the author's code sees it; counts accesses to data made inside its calls."""

    type_name = ("ОбщийМодуль", "CommonModule")

    def __init__(self, run: Run, entry: str) -> None:
        self.run = run
        self.entry = entry
        self.accesses = {"sdbl": 0, "register": 0}

    def find_method(self, rt: Any, name: str) -> MethodEntry:
        module = self.run.candidate
        wanted = module.routine(self.entry) if name == driver.ENTRY else module.routine(name, exported=True)
        outputs = frozenset(index for index, parameter in enumerate(wanted.parameters) if parameter.out)

        def call(self: Watched, rt: Any, *arguments: Any) -> Any:
            with self.counting():
                return module.invoke(rt, wanted, list(arguments))

        return MethodEntry(name, name, call, wanted.required, len(wanted.parameters), outputs, None, wanted.is_function)

    @contextmanager
    def counting(self) -> Iterator[None]:
        database = self.run.database
        if database is None:
            yield
            return
        before = {kind: getattr(database.counters, kind) for kind in self.accesses}
        try:
            yield
        finally:
            for kind, count in before.items():
                self.accesses[kind] += getattr(database.counters, kind) - count


class Run:
    """One session with the candidate's module loaded, over one database."""

    def __init__(
        self,
        prepared: Prepared,
        code: str,
        entry: str,
        budget: int,
        database: Any,
        *,
        moment: str | None = None,
        seed: int | None = None,
    ) -> None:
        """``moment`` (ISO) and ``seed`` replace the usual clock and chance: for those who ask whether a result hangs on them."""
        bounds = prepared.data["limits"]
        limits = Limits(operations=budget, depth=bounds["depth"], memory=bounds["memory"], output=bounds["output"])
        self.data = prepared.data
        self.prepared = prepared
        self.dialect: str = self.data["dialect"]
        self.entry = entry
        self.database = database
        unusual: dict[str, Any] = {} if seed is None else {"seed": seed}
        clock = Clock(datetime.fromisoformat(moment)) if moment else None
        self.session = Session(self.dialect, limits=limits, clock=clock, database=database, **unusual)
        # Half of the reply for what the candidate returns, a quarter for what the author expects; errors are cut short.
        self.room, self.expected_room = Room(bounds["reply"] // 2), Room(bounds["reply"] // 4)
        self.name = CANDIDATE_NAMES[self.dialect]
        self.candidate = self._load(code)
        self.watched = Watched(self, entry)

    def _load(self, code: str) -> Any:
        try:
            return self.session.load(Source(code + _AFTERWARDS[self.dialect], self.name))
        except BslRuntimeError as error:
            raise CandidateRaised(self._error(error)) from None

    def _load_author(self, source: Source) -> Any:
        return self.session.load(source, counted=False, extra_names={driver.CANDIDATE: self.watched})

    def cases(self) -> Message:
        """Every test of ``tests.yaml``; a spent budget ends the run."""
        author = self._load_author(self.prepared.author)
        outcomes: list[Message] = []
        for case in self.data["cases"]:
            before = self.session.counters.operations
            try:
                outcome = self._case(author, case)
            except LimitReached as reached:
                stopped = {"kind": f"limit_{reached.limit}", "message": str(reached)}
                return {"outcomes": outcomes, "stopped": stopped}
            outcome["operations"] = self.session.counters.operations - before
            outcomes.append(outcome)
        return {"outcomes": outcomes, "stopped": None}

    def _case(self, author: Any, case: Message) -> Message:
        if self.database is None:
            return self._run_case(author, case)
        self.database.savepoint()
        try:
            return self._run_case(author, case)
        finally:
            self.database.rollback()

    def _run_case(self, author: Any, case: Message) -> Message:
        arguments = self._arguments(author, case)
        # Before the call: what the candidate does to data or arguments must not move what is expected, nor make it fail.
        expected = self._expected(author, case)
        try:
            result = self.session.call(self.candidate, self.entry, arguments)
        except BslRuntimeError as error:
            return {"error": self._error(error)}
        outcome: Message = {"result": to_wire(self.session.runtime, result, self.room)}
        if case["check"]:
            outcome |= self._check(author, case, result, arguments)
        return outcome | expected

    def _expected(self, author: Any, case: Message) -> Message:
        """The value of the author's expected expressions, where there are any."""
        if not expressions_of(case["expected"]):
            return {}
        wanted = self._author(author, driver.expectation_name(case), case)
        value = to_engine(self.session.runtime, case["expected"], iter(wanted))
        return {"expected": to_wire(self.session.runtime, value, self.expected_room)}

    def _arguments(self, author: Any, case: Message) -> list[Any]:
        values = self._author(author, driver.preparation_name(case), case) if driver.needs_preparation(case) else []
        computed = iter(values)
        return [to_engine(self.session.runtime, value, computed) for value in case["args"]]

    def _author(self, author: Any, routine: str, case: Message) -> list[Any]:
        try:
            return list(self.session.call(author, routine, []).iterate(self.session.runtime))
        except BslRuntimeError as error:
            report = self.session.report(error)
            raise TaskFault(f"test {case['index'] + 1}: {report.message}") from None

    def _check(self, author: Any, case: Message, result: Any, arguments: list[Any]) -> Message:
        """The author's check. One that fails on what the candidate returned is not met."""
        try:
            met = self.session.call(author, driver.check_name(case), [result, *arguments])
            return {"check": self.session.runtime.boolean(met)}
        except BslRuntimeError as error:
            return {"check": False, "note": cut(self.session.report(error).message)}

    def script(self) -> Message:
        """A ``tests.bsl`` module: its report is a returned value, whatever anybody printed."""
        try:
            report = self.session.call(self._load_author(self.prepared.author), driver.TESTS_CALL, [])
        except BslRuntimeError as error:
            raise TaskFault(f"tests.bsl failed: {self.session.report(error).message}") from None
        except LimitReached as reached:
            return {"report": None, "stopped": {"kind": f"limit_{reached.limit}", "message": str(reached)}}
        return {"report": report[:MAX_REPORT] if isinstance(report, str) else "", "stopped": None}

    def work(self, load: Source, count: str | None) -> int:
        """Make the load call. Operations of the candidate's module (``count`` None), or accesses to data made within it."""
        loaded = self._load_author(load)
        try:
            self.session.call(loaded, driver.LOAD_CALL, [])
        except BslRuntimeError as error:
            raise CandidateRaised(self._error(error)) from None
        return self.session.counters.operations if count is None else self.watched.accesses[count]

    def _error(self, error: BslRuntimeError) -> Message:
        """The error, placed where it left the candidate's module."""
        report = self.session.report(error)
        frame = next((frame for frame in report.frames if frame.module == self.name), None)
        return {
            "kind": report.kind,
            "message": cut(report.message),
            "line": frame.line if frame else report.line,
            "column": report.column,
            "module": frame.module if frame else report.module,
            "source_line": cut(frame.source_line if frame else report.source_line),
        }
