"""What a child does: check texts, or run one answer. Replies hold what was seen, never a judgement.

A reply is one of: the facts asked for; ``{"candidate": {...}}``, the answer's own failure; ``{"unsupported": what}``;
``{"fault": text}``, a defect of this engine or of the task.
"""

from __future__ import annotations

import dataclasses
import gc
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from scoring.engine.antipatterns import find_antipatterns
from scoring.engine.errors import BslRuntimeError, CompileFailed, LimitReached, NotSupported
from scoring.engine.mutation import mutants_of, parameters_of
from scoring.engine.platform import build_database
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.engine.syntax.bsl_parser import analyse
from scoring.engine.syntax.check_modules import check_module
from scoring.sandbox.messages import ChannelClosed, Message, receive, send
from scoring.sandbox.worker import warmth
from scoring.sandbox.worker.prepared import CANDIDATE_NAMES, Prepared, TaskFault
from scoring.sandbox.worker.run import CandidateRaised, Run
from scoring.sandbox.worker.values import Room, cut, to_wire
from scoring.wire import Wire


def warm_up() -> None:
    """Use every part of the engine that runs a program, so that children inherit imported modules and filled caches.

    What only reading takes (see :class:`Checker`) stays out: every page of the parent makes each fork dearer.
    """
    for dialect in ("onescript", "onec"):
        for name in ("broken", "valid"):
            with suppress(CompileFailed, BslRuntimeError, NotSupported):
                run_sample(dialect, name, 3)
    with suppress(CompileFailed, BslRuntimeError, NotSupported):
        run_sample("onec", "platform", "Товар 1", build_database(warmth.CONFIGURATION, warmth.FIXTURES))


# Bytes; a sample returns a few values.
SAMPLE_REPLY = 1 << 20


def run_sample(dialect: str, name: str, argument: Any, database: Any = None) -> Wire:
    """Check, load and call a sample as a candidate's module is; the wire form of what it returns."""
    text = warmth.sample(name)
    check_text(dialect, text)
    session = Session(dialect, limits=Limits(operations=100_000), database=database)
    module = session.load(Source(text, CANDIDATE_NAMES[dialect]))
    return to_wire(session.runtime, session.call(module, "Проба", [argument]), Room(SAMPLE_REPLY))


def serve(channel: int, prepared: Prepared | None) -> None:
    """Answer requests until the host hangs up: as one answer's child, or without a task as the checker of texts."""
    worker = Checker() if prepared is None else Answer(prepared)
    with suppress(ChannelClosed):
        while True:
            send(channel, worker.handle(receive(channel)))


def check_text(dialect: str, text: str) -> Message:
    """S: errors and blockers of a whole text, by the dialect's own checker."""
    if dialect == "onescript":
        messages = analyse(text).messages
        found = [{"kind": m.kind, "message": cut(m.text), "line": m.line, "column": m.column} for m in messages]
    else:
        found = [{"kind": d.kind, "message": cut(d.message), "line": d.line, "column": d.column} for d in check_module(text)]
    return {"findings": found}


class Worker:
    """Does what a request's ``op`` says, and says whose fault it is when that fails."""

    def handle(self, request: Message) -> Message:
        try:
            work: Callable[[Message], Message] = getattr(self, f"_{request['op']}")
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


class Checker(Worker):
    """The child that reads texts of many answers and runs none.

    Before its first text of category A it reads programs from which its look-ahead learns: some 20 MB and a third of a second.
    """

    def __init__(self) -> None:
        self.learnt = False

    def _syntax(self, request: Message) -> Message:
        if request["dialect"] == "onescript" and not self.learnt:
            self._learn()
        return check_text(request["dialect"], request["code"])

    def _learn(self) -> None:
        self.learnt = True
        with suppress(Exception):  # a program that fails costs warmth, not the text's findings
            for text in warmth.programs():
                check_text("onescript", text)
        gc.freeze()

    def _static(self, request: Message) -> Message:
        found = find_antipatterns(request["code"])
        return {"findings": [{"code": f.code, "message": f.message, "line": f.line, "column": f.column} for f in found]}


    def _mutants(self, request: Message) -> Message:
        code, dialect = request["code"], request["dialect"]
        return {
            "mutants": [dataclasses.asdict(patch) for patch in mutants_of(code, dialect, request["most"])],
            "parameters": parameters_of(code, dialect, request["entry"]),
        }


class Answer(Worker):
    """One answer's child: the task's prepared data and the work asked of it."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.data = prepared.data
        self.dialect: str = self.data["dialect"]

    # -- M and P ---------------------------------------------------------------------------------------------------------

    def _tests(self, request: Message) -> Message:
        if not request.get("checked"):
            self._refuse_uncompilable(request["code"])
        run = Run(
            self.prepared,
            request["code"],
            request["entry"],
            request["budget"],
            self.prepared.databases.get(0),
            moment=request.get("moment"),
            seed=request.get("seed"),
        )
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
        run = Run(self.prepared, request["code"], request["entry"], request["budget"], self.prepared.databases.get(size))
        return run.work(self.prepared.loads[size], self.data["load"].get("count"))


def _compile_failure(failure: CompileFailed) -> Message:
    first = failure.diagnostics[0]
    return {
        "kind": "does_not_compile",
        "error_kind": first.kind,
        "message": cut(first.message),
        "line": first.line,
        "column": first.column,
    }


