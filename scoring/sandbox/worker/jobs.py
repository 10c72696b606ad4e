"""What a child does: check a module, run tests, count work. Replies hold what was seen, never a judgement.

A reply is one of: the facts asked for; ``{"candidate": {...}}``, the answer's own failure; ``{"unsupported": what}``;
``{"fault": text}``, a defect of this engine or of the task.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scoring.bundles.growth import grown_fixtures
from scoring.engine.errors import BslRuntimeError, CompileFailed, LimitReached, NotSupported
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.sandbox.messages import ChannelClosed, Message, receive, send
from scoring.sandbox.worker import driver
from scoring.sandbox.worker.values import expressions_of, to_engine, to_wire

_CANDIDATE_NAME = {"onescript": "<module>", "onec": "ОбщийМодуль.КодКандидата.Модуль"}
_TESTS_NAME = "ОбщийМодуль.Тесты.Модуль"


class TaskFault(Exception):
    """The author's part of a test does not work: nobody's score."""


@dataclass
class Prepared:
    """A task's data, built once in the parent. ``databases``: by size of growth, 0 = the fixtures alone."""

    data: Message
    driver: Source | None = None
    databases: dict[int, Any] = field(default_factory=dict)


def warm_up() -> None:
    """Use every part of the engine once, so that children inherit imported modules and filled caches."""
    sample = (
        "Функция Проба(Знач А, Б) Экспорт\nСумма = 0;\nДля Сч = 1 По А Цикл\nСумма = Сумма + Сч / 2;\nКонецЦикла;\n"
        'М = Новый Массив;\nМ.Добавить(Строка(Сумма));\nС = Новый Структура("Поле", М);\nТ = Новый ТаблицаЗначений;\n'
        'Т.Колонки.Добавить("К");\nТ.Добавить().К = С.Поле[0];\nПопытка\nВызватьИсключение "x";\nИсключение\n'
        "Б = ОписаниеОшибки();\nКонецПопытки;\nВозврат Т;\nКонецФункции\n"
    )
    for dialect in ("onescript", "onec"):
        session = Session(dialect, limits=Limits(operations=10_000))
        check_text(dialect, sample + "Если А Тогда ;")
        module = session.load(Source(sample, _CANDIDATE_NAME[dialect]))
        to_wire(session.runtime, session.call(module, "Проба", [3, None]))


def prepare(data: Message) -> Prepared:
    """Compile the author's module and build the databases. Raises whatever is wrong with them."""
    prepared = Prepared(data)
    if data["script"] is None and data["cases"]:
        prepared.driver = Source(driver.driver_source(data), _TESTS_NAME)
    if data["category"] == "B":
        for size in (0, *(data["load"]["sizes"] if data["load"] else ())):
            prepared.databases[size] = _database(data, size)
    return prepared


def _database(data: Message, size: int) -> Any:
    from scoring.engine.platform import build_database

    fixtures = revived(data["fixtures"])
    if size:
        fixtures = grown_fixtures(fixtures, revived(data["load"]["grow"]), size)
    return build_database(revived(data["configuration"]), fixtures)


def revived(value: Any) -> Any:
    """Plain data as the loader read it: ``["d", …]`` and ``["n", …]`` marks become dates and decimals again."""
    from datetime import datetime
    from decimal import Decimal

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
        from scoring.engine.syntax.bsl_parser import analyse

        messages = analyse(text).messages
        found = [{"kind": m.kind, "message": m.text, "line": m.line, "column": m.column} for m in messages]
    else:
        from scoring.engine.syntax.check_modules import check_module

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
        from scoring.engine.syntax.antipatterns import find_antipatterns

        found = find_antipatterns(request["code"])
        return {"findings": [{"code": f.code, "message": f.message, "line": f.line, "column": f.column} for f in found]}

    # -- M and P ---------------------------------------------------------------------------------------------------------

    def _tests(self, request: Message) -> Message:
        run = Run(self, request["code"], request["entry"], request["budget"], self.prepared.databases.get(0))
        reply = run.script() if self.data["script"] is not None else run.cases()
        return {**reply, "operations": run.session.counters.operations, "printed": "\n".join(run.session.runtime.output)}

    # -- O ---------------------------------------------------------------------------------------------------------------

    def _growth(self, request: Message) -> Message:
        counts: list[int] = []
        for size in self.data["load"]["sizes"]:
            database = self.prepared.databases.get(size)
            try:
                counts.append(self._work_of_size(request, size, database))
            except BslRuntimeError as error:
                return {"counts": counts, "stopped": {"kind": "raised", "message": str(error.text or error.kind)}}
            except LimitReached as reached:
                return {"counts": counts, "stopped": {"kind": f"limit_{reached.limit}", "message": str(reached)}}
        return {"counts": counts, "stopped": None}

    def _work_of_size(self, request: Message, size: int, database: Any) -> int:
        run = Run(self, request["code"], request["entry"], request["budget"], database)
        load = run.session.load(Source(driver.load_source(self.data, request["entry"], size), _TESTS_NAME), counted=False)
        return run.measure(load, self.data["load"].get("count", "operations"))


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
        self.candidate = self.session.load(Source(code, self.name))
        self.session.runtime.globals_extra[driver.CANDIDATE.lower()] = self.candidate

    def cases(self) -> Message:
        """Every test of ``tests.yaml``; a spent budget ends the run."""
        author = self.session.load(self.answer.prepared.driver, counted=False)
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
        source = Source(driver.script_source(self.answer.data, self.entry), _TESTS_NAME)
        try:
            author = self.session.load(source, counted=False)
            report = self.session.call(author, "ПрогнатьТест", [])
        except CompileFailed as failure:
            raise TaskFault(f"tests.bsl does not compile: {failure}") from None
        except BslRuntimeError as error:
            raise TaskFault(f"tests.bsl failed: {self.session.report(error).message}") from None
        except LimitReached as reached:
            return {"report": None, "stopped": {"kind": f"limit_{reached.limit}", "message": str(reached)}}
        return {"report": report if isinstance(report, str) else "", "stopped": None}

    def measure(self, load: Any, count: str) -> int:
        """Make the load call; operations of the candidate's module, or accesses to data from within it."""
        self.session.call(load, "ВыполнитьНагрузку", [])
        return self.session.counters.operations

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


