"""Mutants that provably do what the original does: they compile to the same program."""

from __future__ import annotations

from types import CodeType
from typing import Any

from scoring.engine.compiler.module import compile_module
from scoring.engine.program import Options
from scoring.engine.source import Source
from scoring.engine.syntax.parser import parse_module


def program_print(text: str, dialect: str, extra: frozenset[str] = frozenset()) -> Any:
    """What a module's compiled program does, wherever its lines stand. Raises CompileFailed."""
    source = Source(text)
    options = Options(dialect, counted=False, extra=extra)
    program = compile_module(parse_module(source, dialect), source.name, "<mutant>", source.lines, options)
    return _print(program.code), repr(program.constants)


def _print(code: CodeType) -> Any:
    """The code without positions: instructions, names and constants, inner functions alike."""
    constants = tuple(
        _print(constant) if isinstance(constant, CodeType) else (type(constant).__name__, repr(constant))
        for constant in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, constants
