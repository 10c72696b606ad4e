"""The engine's only door.

    session = Session("onescript", limits=Limits(operations=1_000_000))
    findings = session.check(Source(text))            # list[Diagnostic], empty = compiles
    module = session.load(Source(text, "<module>"))   # raises CompileFailed; runs the body of an OneScript module
    value = session.call(module, "Имя", [arguments])  # BslRuntimeError | LimitReached | NotSupported
    session.counters.operations                        # spent so far

Texts are compiled once per process and instantiated as often as they are loaded. A call's list of arguments holds the final
values of by-reference parameters afterwards. Whatever Python raises unexpectedly leaves as EngineFault.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CellType
from typing import Any

import scoring.engine.collections
import scoring.engine.query.objects  # (importing registers the global context)
import scoring.engine.runtime.builtins  # noqa: F401  (the same)
from scoring.engine.compiler.module import compile_dynamic, compile_module
from scoring.engine.compiler.scopes import Outer
from scoring.engine.dialects import get_dialect
from scoring.engine.errors import BslRuntimeError, CompileFailed, Diagnostic, ErrorReport, LimitReached, NotSupported
from scoring.engine.platform.lacking import register_lacking
from scoring.engine.program import Options, Program, RoutineInfo
from scoring.engine.runtime import frames
from scoring.engine.runtime.context import Clock, Limits, Runtime
from scoring.engine.runtime.instances import ModuleInstance, link
from scoring.engine.runtime.operators import bind
from scoring.engine.source import Source
from scoring.engine.syntax.parser import parse_expression, parse_module, parse_statements
from scoring.engine.values.members import ONESCRIPT

__all__ = ["Clock", "Counters", "Limits", "ModuleInstance", "Session", "Source"]

register_lacking()

# Compiled programs kept, oldest out first.
CACHE_SIZE = 512
# Python frames that an engine call may need above and between the program's own.
FRAMES_BESIDE = 400

# Operations that compiling dynamic code is charged, whether or not the text was compiled before: at once, and a character.
DYNAMIC_BASE = 1000
DYNAMIC_STEP = 10
# What OneScript says of an expression that has no text at all.
_NO_FIRST_LINE = "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')"

_numbers = itertools.count(1)
_programs: OrderedDict[tuple[Any, ...], Program] = OrderedDict()


class Counters:
    """Operations of the session. The countdown itself is a cell that generated code lowers."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.left = CellType(budget)

    @property
    def operations(self) -> int:
        """Spent since the beginning or the last reset."""
        spent: int = self.budget - self.left.cell_contents
        return spent

    def reset(self, budget: int | None = None) -> None:
        """Start again, with another budget if one is given."""
        if budget is not None:
            self.budget = budget
        self.left.cell_contents = self.budget

    def charge(self, operations: int) -> None:
        self.left.cell_contents -= operations


class Session:
    """One run of one dialect: modules, limits, clock, counters. ``database`` is the 1C database of category B."""

    def __init__(
        self,
        dialect: str,
        *,
        limits: Limits | None = None,
        clock: Clock | None = None,
        seed: int = 20260723,
        database: Any = None,
    ) -> None:
        self.dialect = get_dialect(dialect)
        limits = limits or Limits()
        self.counters = Counters(limits.operations)
        self.runtime = Runtime(
            self.dialect,
            limits=limits,
            clock=clock or Clock(),
            seed=seed,
            database=database,
            session=self,
            charge=self.counters.charge,
        )
        self.lines: dict[tuple[str, int], int] = {}  # line profile: (routine, line) → executions
        self._helpers = bind(self.runtime)
        self._helpers["hit"] = self._hit

    # ── compiling ──────────────────────────────────────────────────────────────────────────────────────────────────

    def check(self, source: Source) -> list[Diagnostic]:
        """The compiler's findings, in the order in which the genuine one comes to them; empty = compiles."""
        try:
            self._compile(source, Options(self.dialect.name, extra=self._extra_keys({})))
        except CompileFailed as failure:
            return failure.diagnostics
        return []

    def _extra_keys(self, extra_names: Mapping[str, Any]) -> frozenset[str]:
        return frozenset(self.runtime.globals_extra) | frozenset(name.lower() for name in extra_names)

    def _compile(self, source: Source, options: Options) -> Program:
        def build(filename: str) -> Program:
            tree = parse_module(source, self.dialect.name)
            return compile_module(tree, source.name, filename, source.lines, options)

        return _cached(("module", source.text, source.name, options), build, self._depth)

    def load(
        self,
        source: Source,
        *,
        counted: bool = True,
        extra_names: Mapping[str, Any] | None = None,
        run_body: bool = True,
        profile: bool = False,
    ) -> ModuleInstance:
        """A fresh instance of the module. An uncounted one adds nothing to the counters. Raises :class:`CompileFailed`
        and, where the body of an OneScript module runs, whatever it raises."""
        names = {name.lower(): value for name, value in (extra_names or {}).items()}
        options = Options(self.dialect.name, counted and not profile, profile, self._extra_keys(names))
        program = self._compile(source, options)
        module = ModuleInstance(program)
        helpers = dict(self._helpers)
        helpers["this_object"] = module
        helpers["evaluate"] = self._evaluate_inside
        helpers["execute"] = self._execute_inside
        module.start(helpers, self.counters.left, {**self.runtime.globals_extra, **names})
        if profile:
            self._list_lines(program)
        if run_body and self.dialect.name == ONESCRIPT:
            self.run(module)
        return module

    # ── running ────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, module: ModuleInstance) -> None:
        """Run the module's body, once."""
        if not module.ran:
            module.ran = True
            with self._guarded():
                module.body()

    def call(self, module: ModuleInstance, routine: str, arguments: list[Any]) -> Any:
        """Call any routine of the module by its name; ``arguments`` receives by-reference results."""
        with self._guarded():
            return module.invoke(self.runtime, module.routine(routine), arguments)

    def evaluate(
        self, text: str, names: Mapping[str, Any], modules: Sequence[ModuleInstance] = (), *, counted: bool = False
    ) -> Any:
        """The value of an expression amid ``names`` and the routines of ``modules``."""
        boxes = {name: [value] for name, value in names.items()}
        with self._guarded():
            try:
                return self._dynamic(text, boxes, list(modules), expression=True, counted=counted)()
            finally:
                if isinstance(names, dict):
                    names.update((name, box[0]) for name, box in boxes.items())

    def execute(
        self, text: str, names: dict[str, Any], modules: Sequence[ModuleInstance] = (), *, counted: bool = False
    ) -> None:
        """Run statements amid ``names``, which receives changed and new variables."""
        boxes = {name: [value] for name, value in names.items()}
        with self._guarded():
            run = self._dynamic(text, boxes, list(modules), expression=False, counted=counted, keep_locals=True)
            try:
                boxes.update(run() or {})
            finally:
                names.update((name, box[0]) for name, box in boxes.items())

    @property
    def _depth(self) -> int:
        return self.runtime.limits.depth

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Room for the program's recursion; only the engine's own errors come out, with their frames."""
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, self._depth + FRAMES_BESIDE + _stack_height()))
        try:
            yield
        except Exception as error:
            found = frames.translate(error, self._depth, self.runtime.limits.memory)
            if isinstance(found, BslRuntimeError):
                frames.note_frames(found, error.__traceback__)
            if found is error:
                raise
            raise found from (None if isinstance(found, BslRuntimeError | LimitReached) else error)
        finally:
            sys.setrecursionlimit(before)

    def report(self, error: BslRuntimeError) -> ErrorReport:
        """A runtime error worded by the dialect and placed by its innermost frame."""
        report = ErrorReport(error.kind, self.dialect.render(error), frames=list(error.frames))
        if error.frames:
            innermost = error.frames[0]
            report.module, report.line = innermost.module, innermost.line
            report.source_line = innermost.source_line
        return report

    # ── dynamic code ───────────────────────────────────────────────────────────────────────────────────────────────

    def _evaluate_inside(self, text: Any, module: ModuleInstance, boxes: dict[str, Any]) -> Any:
        return self._inside(text, module, boxes, expression=True)

    def _execute_inside(self, text: Any, module: ModuleInstance, boxes: dict[str, Any]) -> None:
        self._inside(text, module, boxes, expression=False)

    def _inside(self, text: Any, module: ModuleInstance, boxes: dict[str, Any], *, expression: bool) -> Any:
        """``Вычислить``/``Выполнить``: faults of the text are runtime errors of the program."""
        source = self.runtime.text(text)
        counted = module.program.options.counted
        self._charge_compiling(source)
        if expression and not source and self.dialect.name == ONESCRIPT:
            raise BslRuntimeError("external", exception="System.ArgumentOutOfRangeException", message=_NO_FIRST_LINE)
        try:
            run = self._dynamic(source, boxes, [module], expression=expression, counted=counted)
        except CompileFailed as failure:
            first = failure.diagnostics[0]
            raise BslRuntimeError("dynamic_compile", first.message, message=first.message) from None
        return run()

    def _charge_compiling(self, text: str) -> None:
        """Compiling takes time that no statement stands for: without a price a loop over Выполнить would outrun its budget."""
        self.counters.charge(DYNAMIC_BASE + DYNAMIC_STEP * len(text))
        if self.counters.operations > self.counters.budget:
            raise LimitReached("operations", self.counters.budget)

    def _dynamic(
        self,
        text: str,
        boxes: dict[str, Any],
        modules: list[ModuleInstance],
        *,
        expression: bool,
        counted: bool,
        keep_locals: bool = False,
    ) -> Callable[[], Any]:
        routines: dict[str, RoutineInfo] = {}
        functions: dict[str, Any] = {}
        for module in modules:
            routines.update(module.program.routines)
            functions.update(module.functions)
        options = Options(self.dialect.name, counted, extra=self._extra_keys({}))
        names = tuple(boxes)

        def build(filename: str) -> Program:
            source = Source(text, "")
            parse = parse_expression if expression else parse_statements
            tree = parse(source, self.dialect.name)
            outer = Outer(names, routines)
            return compile_dynamic(tree, filename, source.lines, options, outer, keep_locals)

        faces = tuple((module.program.filename, module.program.options) for module in modules)
        key = ("dynamic", text, names, faces, options, expression, keep_locals)
        program = _cached(key, build, self._depth)
        helpers = dict(self._helpers)
        helpers["this_object"] = modules[-1] if modules else None
        helpers["evaluate"] = self._evaluate_inside
        helpers["execute"] = self._execute_inside
        function = link(program, helpers, self.counters.left, self.runtime.globals_extra, functions)
        return lambda: function(*boxes.values())

    # ── line profile ───────────────────────────────────────────────────────────────────────────────────────────────

    def _hit(self, before: int, line: int, routine: str) -> int:
        """OneScript counts a line when execution comes to it from another line of the same call."""
        if line != before:
            self.lines[routine, line] = self.lines.get((routine, line), 0) + 1
        return line

    def _list_lines(self, program: Program) -> None:
        for routine, lines in program.profiled.items():
            for line in lines:
                self.lines.setdefault((routine, line), 0)

    def line_counts(self) -> dict[str, dict[int, int]]:
        """Routine (``$entry`` = the body) → line → executions, of modules loaded with ``profile``."""
        result: dict[str, dict[int, int]] = {}
        for (routine, line), count in sorted(self.lines.items()):
            result.setdefault(routine, {})[line] = count
        return result


def _stack_height() -> int:
    height, frame = 0, sys._getframe()
    while frame is not None:
        height, frame = height + 1, frame.f_back  # type: ignore[assignment]
    return height


def _cached(key: tuple[Any, ...], build: Callable[[str], Program], depth: int) -> Program:
    program = _programs.get(key)
    if program is not None:
        _programs.move_to_end(key)
        return program
    digest = hashlib.sha1(repr(key[:3]).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    filename = f"<bsl {digest} {next(_numbers)}>"
    program = _build(build, filename)
    _programs[key] = program
    frames.PROGRAMS[filename] = program
    if len(_programs) > CACHE_SIZE:
        _, dropped = _programs.popitem(last=False)
        frames.PROGRAMS.pop(dropped.filename, None)
    return program


def _build(build: Callable[[str], Program], filename: str) -> Program:
    """Compile with room for CPython's recursion; what it can't take is this engine's limit.

    Trees are all alive until the end, so that collecting garbage in between costs a fifth of the time and finds nothing.
    """
    before = sys.getrecursionlimit()
    collecting = gc.isenabled()
    gc.disable()
    sys.setrecursionlimit(max(before, 6000 + _stack_height()))
    try:
        return build(filename)
    except RecursionError:
        raise NotSupported("a module nested too deeply to compile") from None
    finally:
        sys.setrecursionlimit(before)
        if collecting:
            gc.enable()
