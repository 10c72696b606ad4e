"""Generated code stays inside the list of names that ``abi`` allows."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType

import pytest

from scoring.engine import abi
from scoring.engine.runtime.context import Limits
from scoring.engine.runtime.operators import bind
from scoring.engine.session import Session
from scoring.engine.source import Source
from tests.engine.language.test_programs import programs


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def load_all(counted: bool) -> list[CodeType]:
    found = []
    for program in programs():
        if any(check.startswith(("compile", "unsupported")) for check in program.checks):
            continue
        session = Session(program.dialect, limits=Limits(operations=1_000_000))
        module = session.load(Source("\n".join(program.text)), counted=counted, run_body=False)
        found += list(codes(module.program.code))
    return found


@pytest.mark.parametrize("counted", [True, False])
def test_globals_of_generated_code_are_the_static_names(counted: bool) -> None:
    used = {
        instruction.argval
        for code in load_all(counted)
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "STORE_NAME", "IMPORT_NAME")
    }
    assert used <= set(abi.STATIC)
    assert "Array" in used


def test_parameters_of_factories_are_bound_names_or_constants() -> None:
    for code in load_all(counted=True):
        if code.co_name == "factory":
            names = set(code.co_varnames[: code.co_argcount])
            assert {name for name in names if name[1:].isdigit() is False} <= abi.BOUND


def test_every_bound_name_is_provided() -> None:
    session = Session("onescript")
    provided = set(bind(session.runtime)) | {"this_object", "evaluate", "execute", "hit"}
    assert provided == abi.BOUND


def test_python_builtins_are_out_of_reach() -> None:
    assert abi.GLOBALS["__builtins__"] == {}
