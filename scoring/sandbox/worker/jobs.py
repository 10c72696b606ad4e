"""What a child does: check a module, run tests, count work. Replies hold what was seen, never a judgement.

A reply is one of: the facts asked for; ``{"candidate": {...}}``, the answer's own failure; ``{"unsupported": what}``;
``{"fault": text}``, a defect of this engine or of the task.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.bundles.growth import grown_fixtures
from scoring.engine.antipatterns import find_antipatterns
from scoring.engine.errors import BslRuntimeError, CompileFailed, LimitReached, NotSupported
from scoring.engine.platform import build_database
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.engine.syntax.bsl_parser import analyse
from scoring.engine.syntax.check_modules import check_module
from scoring.engine.values.members import MethodEntry
from scoring.engine.values.model import BslObject
from scoring.sandbox.messages import ChannelClosed, Message, receive, send
from scoring.sandbox.worker import driver, warmth
from scoring.sandbox.worker.values import expressions_of, to_engine, to_wire

# In a genuine run of OneScript the tests stand behind the candidate's text, in the same script: a stray character at its end
# meets them. An empty statement stands for them here; it executes nothing.
_AFTERWARDS = {"onescript": "\n;", "onec": ""}
_CANDIDATE_NAME = {"onescript": "<module>", "onec": "ОбщийМодуль.КодКандидата.Модуль"}
_TESTS_NAME = "ОбщийМодуль.Тесты.Модуль"


class TaskFault(Exception):
    """The author's part of a test does not work: nobody's score."""


class CandidateRaised(Exception):
    """The candidate's code raised where no test was looking (its module's body, the load call)."""

    def __init__(self, data: Message) -> None:
        self.data = {**data, "error_kind": data["kind"], "kind": "raised"}
        super().__init__(data["message"])


@dataclass
class Prepared:
    """A task's data, built once in the parent. ``databases``: by size of growth, 0 = the fixtures alone."""

    data: Message
    author: Source
    loads: dict[int, Source] = field(default_factory=dict)
    databases: dict[int, Any] = field(default_factory=dict)


def warm_up() -> None:
    """Use every part of the engine, so that children inherit imported modules and filled caches."""
    for text in warmth.programs():
        check_text("onescript", text)
    for dialect in ("onescript", "onec"):
        for name in ("broken", "valid"):
            with suppress(CompileFailed, BslRuntimeError, NotSupported):
                _run_sample(dialect, warmth.sample(name))


def _run_sample(dialect: str, text: str) -> None:
    check_text(dialect, text)
    session = Session(dialect, limits=Limits(operations=100_000))
    module = session.load(Source(text, _CANDIDATE_NAME[dialect]))
    to_wire(session.runtime, session.call(module, "Проба", [3]))


def prepare(data: Message) -> Prepared:
    """Compile the author's modules and build the databases. Raises :class:`TaskFault` for what is wrong with them."""
    sizes = data["load"]["sizes"] if data["load"] else []
    text = driver.driver_source(data) if data["script"] is None else driver.script_source(data)
    prepared = Prepared(data, Source(text, _TESTS_NAME))
    prepared.loads = {size: Source(driver.load_source(data, size), _TESTS_NAME) for size in sizes}
    if data["category"] == "B":
        prepared.databases = {size: _database(data, size) for size in (0, *sizes)}
    for source in (prepared.author, *prepared.loads.values()):
        _compile_author(data["dialect"], source, prepared.databases.get(0))
    return prepared


def _compile_author(dialect: str, source: Source, database: Any) -> None:
    """Compile a module of the author once, for every child to find in the engine's cache."""
    try:
        Session(dialect, database=database).load(source, counted=False, extra_names={driver.CANDIDATE: None}, run_body=False)
    except CompileFailed as failure:
        raise TaskFault(f"the task's own code does not compile: {failure}") from None


def _database(data: Message, size: int) -> Any:
    fixtures = revived(data["fixtures"])
    if size:
        fixtures = grown_fixtures(fixtures, revived(data["load"]["grow"]), size)
    return build_database(revived(data["configuration"]), fixtures)


def revived(value: Any) -> Any:
    """Plain data as the loader read it: ``["d", …]`` and ``["n", …]`` marks become dates and decimals again."""
    if isinstance(value, dict):
        return {key: revived(entry) for key, entry in value.items()}
    if isinstance(value, list):
        if len(value) == 2 and value[0] == "\x01d":
            return datetime.fromisoformat(value[1])
        if len(value) == 2 and value[0] == "\x01n":
            return Decimal(value[1])
        return [revived(entry) for entry in value]
    return value


def serve(channel: int, prepared: Prepared) -> None:
    """Answer requests until the host hangs up."""
    answer = Answer(prepared)
    try:
        while True:
            send(channel, answer.handle(receive(channel)))
    except ChannelClosed:
        return


def check_text(dialect: str, text: str) -> Message:
    """S: errors and blockers of a whole text, by the dialect's own checker."""
    if dialect == "onescript":
        messages = analyse(text).messages
        found = [{"kind": m.kind, "message": m.text, "line": m.line, "column": m.column} for m in messages]
    else:
        found = [{"kind": d.kind, "message": d.message, "line": d.line, "column": d.column} for d in check_module(text)]
    return {"findings": found}


class Answer:
    """One answer's child: the task's prepared data and the work asked of it."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.data = prepared.data
        self.dialect: str = self.data["dialect"]

    def handle(self, request: Message) -> Message:
        work: Callable[[Message], Message] = getattr(self, f"_{request['op']}")
        try:
            return work(request)
        except CompileFailed as failure:
            return {"candidate": _compile_failure(failure)}
        except CandidateRaised as raised:
            return {"candidate": raised.data}
        except LimitReached as reached:
            return {"candidate": {"kind": f"limit_{reached.limit}", "message": str(reached)}}
        except MemoryError:
            return {"candidate": {"kind": "limit_memory", "message": "memory of the process"}}
        except NotSupported as lacking:
            return {"unsupported": lacking.what}
        except TaskFault as fault:
            return {"fault": str(fault)}
        except Exception as error:  # an engine's defect must not look like the answer's
            return {"fault": f"{type(error).__name__}: {error}", "trace": traceback.format_exc(limit=-4)}

    # -- S ---------------------------------------------------------------------------------------------------------------

    def _syntax(self, request: Message) -> Message:
        return check_text(self.dialect, request["code"])

    def _static(self, request: Message) -> Message:
        found = find_antipatterns(request["code"])
        return {"findings": [{"code": f.code, "message": f.message, "line": f.line, "column": f.column} for f in found]}

    # -- M and P ---------------------------------------------------------------------------------------------------------

    def _tests(self, request: Message) -> Message:
        self._refuse_uncompilable(request["code"])
        run = Run(self, request["code"], request["entry"], request["budget"], self.prepared.databases.get(0))
        reply = run.script() if self.data["script"] is not None else run.cases()
        return {**reply, "operations": run.session.counters.operations, "printed": "\n".join(run.session.runtime.output)}

    def _refuse_uncompilable(self, code: str) -> None:
        """A common module of 1C that its compiler refuses runs no routine at all."""
        if self.dialect == "onec":
            found = check_module(code)
            if found:
                raise CompileFailed(found)

    # -- O ---------------------------------------------------------------------------------------------------------------

    def _growth(self, request: Message) -> Message:
        counts: list[int] = []
        for size in self.data["load"]["sizes"]:
            try:
                counts.append(self._work_of_size(request, size))
            except CandidateRaised as raised:
                return {"counts": counts, "stopped": raised.data}
            except LimitReached as reached:
                return {"counts": counts, "stopped": {"kind": f"limit_{reached.limit}", "message": str(reached)}}
        return {"counts": counts, "stopped": None}

    def _work_of_size(self, request: Message, size: int) -> int:
        run = Run(self, request["code"], request["entry"], request["budget"], self.prepared.databases.get(size))
        return run.work(self.prepared.loads[size], self.data["load"].get("count"))


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

    def __init__(self, answer: Answer, code: str, entry: str, budget: int, database: Any) -> None:
        bounds = answer.data["limits"]
        limits = Limits(operations=budget, depth=bounds["depth"], memory=bounds["memory"], output=bounds["output"])
        self.answer = answer
        self.entry = entry
        self.database = database
        self.session = Session(answer.dialect, limits=limits, database=database)
        self.name = _CANDIDATE_NAME[answer.dialect]
        self.candidate = self._load(code)
        self.watched = Watched(self, entry)

    def _load(self, code: str) -> Any:
        try:
            return self.session.load(Source(code + _AFTERWARDS[self.answer.dialect], self.name))
        except BslRuntimeError as error:
            raise CandidateRaised(self._error(error)) from None

    def _load_author(self, source: Source) -> Any:
        return self.session.load(source, counted=False, extra_names={driver.CANDIDATE: self.watched})

    def cases(self) -> Message:
        """Every test of ``tests.yaml``; a spent budget ends the run."""
        author = self._load_author(self.answer.prepared.author)
        outcomes: list[Message] = []
        for case in self.answer.data["cases"]:
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
        try:
            result = self.session.call(self.candidate, self.entry, arguments)
        except BslRuntimeError as error:
            return {"error": self._error(error)}
        outcome: Message = {"result": to_wire(self.session.runtime, result)}
        if case["check"]:
            outcome |= self._check(author, case, result, arguments)
        if expressions_of(case["expected"]):
            wanted = self._author(author, driver.expectation_name(case), case)
            value = to_engine(self.session.runtime, case["expected"], iter(wanted))
            outcome["expected"] = to_wire(self.session.runtime, value)
        return outcome

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
            return {"check": False, "note": self.session.report(error).message}

    def script(self) -> Message:
        """A ``tests.bsl`` module: its report is a returned value, whatever anybody printed."""
        try:
            report = self.session.call(self._load_author(self.answer.prepared.author), driver.TESTS_CALL, [])
        except BslRuntimeError as error:
            raise TaskFault(f"tests.bsl failed: {self.session.report(error).message}") from None
        except LimitReached as reached:
            return {"report": None, "stopped": {"kind": f"limit_{reached.limit}", "message": str(reached)}}
        return {"report": report if isinstance(report, str) else "", "stopped": None}

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
            "message": report.message,
            "line": frame.line if frame else report.line,
            "column": report.column,
            "module": frame.module if frame else report.module,
            "source_line": frame.source_line if frame else report.source_line,
        }


def _compile_failure(failure: CompileFailed) -> Message:
    first = failure.diagnostics[0]
    return {
        "kind": "does_not_compile",
        "error_kind": first.kind,
        "message": first.message,
        "line": first.line,
        "column": first.column,
    }


