"""`bsl run FILE`, `bsl check FILE`: the engine for people, a free interpreter of 1C code with real diagnostics."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.engine.collections.array import FixedArray
from scoring.engine.errors import BslRuntimeError, CompileFailed, Diagnostic, EngineFault, LimitReached, NotSupported
from scoring.engine.session import Limits, Session
from scoring.engine.source import Source

DIALECTS = ("onescript", "onec")
ARGUMENTS = "АргументыКоманднойСтроки"
DEFAULT_OPERATIONS = 1_000_000_000
# What a shell is told: the program failed, it does not compile, a limit was reached, the engine lacks something.
FAILED, BROKEN, STOPPED, LACKING = 1, 2, 3, 4


class Command(BaseCommand):
    help = "Runs or checks a module of the 1C language. Ends with 0, 1 (error), 2 (does not compile), 3 (limit), 4 (not supported)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        run = actions.add_parser("run", help="run the module's body, then what --eval asks for")
        check = actions.add_parser("check", help="list what the compiler says")
        for action in (run, check):
            action.add_argument("file", help="path to the module, '-' = standard input")
            action.add_argument("--dialect", choices=DIALECTS, default="onescript", help="whose rules and messages: %(default)s (default), or onec for the platform")
        run.add_argument("arguments", nargs="*", help="what the program finds in АргументыКоманднойСтроки")
        run.add_argument("--eval", action="append", default=[], metavar="EXPR", help="print the value of an expression, e.g. 'Факт(5)'")
        run.add_argument("--counters", action="store_true", help="print the operations spent")
        run.add_argument("--profile", action="store_true", help="print how often each line was executed")
        run.add_argument("--limit", type=int, default=DEFAULT_OPERATIONS, help="operations allowed (default: %(default)s)")

    def handle(self, *args: Any, action: str, file: str, dialect: str, **options: Any) -> None:
        source = Source(read_module(file), "<stdin>" if file == "-" else Path(file).name)
        if action == "check":
            self._check(source, dialect)
        else:
            self._run(source, dialect, **options)

    def _check(self, source: Source, dialect: str) -> None:
        found = Session(dialect).check(source)
        for diagnostic in found:
            self.stdout.write(worded(source, diagnostic))
        if found:
            raise CommandError(f"{len(found)} error{'s' * (len(found) != 1)}", returncode=BROKEN)
        self.stdout.write("compiles")

    def _run(self, source: Source, dialect: str, **options: Any) -> None:
        session = Session(dialect, limits=Limits(operations=options["limit"], output=sys.maxsize))
        try:
            self._execute(session, source, options)
        except CompileFailed as failure:
            told = "\n".join(worded(source, diagnostic) for diagnostic in failure.diagnostics)
            raise CommandError(told, returncode=BROKEN) from None
        except BslRuntimeError as error:
            raise CommandError(traced(session, error), returncode=FAILED) from None
        except LimitReached as reached:
            raise CommandError(f"{reached} (see --limit)", returncode=STOPPED) from None
        except NotSupported as lacking:
            raise CommandError(str(lacking), returncode=LACKING) from None
        except EngineFault as fault:
            raise CommandError(f"a defect of the engine, please report it:\n{fault}", returncode=LACKING) from None
        finally:
            self._report(session, options)

    def _execute(self, session: Session, source: Source, options: dict[str, Any]) -> None:
        names = {ARGUMENTS: FixedArray(list(options["arguments"]))}
        module = session.load(source, profile=options["profile"], extra_names=names)
        for expression in options["eval"]:
            value = session.evaluate(expression, {}, [module], counted=True)
            session.runtime.output.append(session.runtime.text(value))

    def _report(self, session: Session, options: dict[str, Any]) -> None:
        for line in session.runtime.output:
            self.stdout.write(line)
        if options["counters"]:
            self.stderr.write(f"operations: {session.counters.operations}")
        if options["profile"]:
            self.stderr.write(json.dumps(session.line_counts(), ensure_ascii=False, indent=1))


def read_module(file: str) -> str:
    """The text of a module. Raises CommandError for one that is not there or no UTF-8."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise CommandError(f"{file}: not UTF-8") from None
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from None


def worded(source: Source, diagnostic: Diagnostic) -> str:
    """`file:line:column: message`, the line, and a mark below the place."""
    lines = source.text.rstrip().split("\n")
    # OneScript may name a line after the last one: where it noticed that the text had ended.
    line = min(max(diagnostic.line, 1), len(lines))
    text = lines[line - 1]
    place = f"{source.name}:{line}" + (f":{diagnostic.column}" if diagnostic.column else "")
    told = [f"{place}: {diagnostic.message}"]
    if text.strip():
        told.append(f"    {text.expandtabs(4)}")
    if text.strip() and diagnostic.column:
        indent = len(text[: diagnostic.column - 1].expandtabs(4))
        told.append("    " + " " * indent + "^")
    return "\n".join(told)


def traced(session: Session, error: BslRuntimeError) -> str:
    """The error as the dialect words it, then where it happened, innermost first."""
    report = session.report(error)
    told = [report.message]
    for frame in report.frames:
        told.append(f"  {frame.module}:{frame.line}" + (f" {frame.routine}" if frame.routine else ""))
        if frame.source_line.strip():
            told.append(f"    {frame.source_line.strip()}")
    return "\n".join(told)
