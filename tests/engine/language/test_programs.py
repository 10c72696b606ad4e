"""Programs of ``programs.txt``, each with what it gives, raises, costs or is refused for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scoring.engine.errors import BslRuntimeError, CompileFailed, NotSupported
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session
from scoring.engine.source import Source
from scoring.engine.values.notation import notation

DATA = Path(__file__).with_name("programs.txt")
CALL = re.compile(r"(\w+)\((.*?)\) (->|!>|#) (.*)")


@dataclass
class Program:
    name: str
    dialect: str
    text: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)


def programs() -> list[Program]:
    found: list[Program] = []
    for line in DATA.read_text(encoding="utf-8").split("\n"):
        if line.startswith("=== "):
            name = line[4:]
            dialect = "onec" if name.endswith(" onec") else "onescript"
            found.append(Program(name.removesuffix(" onec"), dialect))
        elif line.startswith("--- "):
            found[-1].checks.append(line[4:])
        elif found and not line.startswith("#") and not found[-1].checks:
            found[-1].text.append(line)
    return found


CASES = [(program, check) for program in programs() for check in program.checks]


@pytest.mark.parametrize(("program", "check"), CASES, ids=[f"{p.name}: {c}" for p, c in CASES])
def test_a_program_does_what_it_should(program: Program, check: str) -> None:
    session = Session(program.dialect, limits=Limits(operations=1_000_000))
    source = Source("\n".join(program.text))
    if check == "unsupported":
        with pytest.raises(NotSupported):
            session.load(source)
    elif check.startswith("compile"):
        kind, line = re.fullmatch(r"compile !> (\w+) @ (\d+)", check).groups()
        with pytest.raises(CompileFailed) as failure:
            session.load(source)
        first = failure.value.diagnostics[0]
        assert (first.kind, first.line) == (kind, int(line))
        assert session.check(source) == failure.value.diagnostics
    else:
        _check_call(session, source, check)


def _check_call(session: Session, source: Source, check: str) -> None:
    routine, arguments, sign, expected = CALL.fullmatch(check).groups()
    values = [session.evaluate(text, {}) for text in arguments.split(", ") if text]
    module = session.load(source)
    session.counters.reset()
    if sign == "->":
        assert notation(session.call(module, routine, values), session.runtime) == expected
    elif sign == "#":
        session.call(module, routine, values)
        assert session.counters.operations == int(expected)
    else:
        kind, line = re.fullmatch(r"(\w+) @ (\d+)", expected).groups()
        with pytest.raises(BslRuntimeError) as error:
            session.call(module, routine, values)
        assert (error.value.kind, session.report(error.value).line) == (kind, int(line))
