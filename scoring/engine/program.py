"""Compiled modules as the compiler leaves them and the runtime takes them up."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import CodeType
from typing import Any


@dataclass(slots=True)
class Variable:
    """A variable of a module or of a routine.

    ``boxed``: its value lives in a one-element list, because a by-reference parameter or dynamic code shares it.
    ``python`` is its name in the generated code.
    """

    name: str
    key: str
    python: str
    boxed: bool = False
    export: bool = False
    is_module: bool = False
    kind: int = 0
    maybe_undefined: bool = False
    outer: bool = False  # of dynamic code: belongs to its surroundings


@dataclass(slots=True)
class ParameterInfo:
    """A parameter as callers see it. ``out``: by reference and assigned to, so callers hand over a box."""

    name: str
    key: str
    by_value: bool
    default: object = None
    has_default: bool = False
    out: bool = False


@dataclass(slots=True)
class RoutineInfo:
    """A routine's face: all that callers, in this module or another, need."""

    name: str
    key: str
    python: str
    is_function: bool
    export: bool
    parameters: list[ParameterInfo]
    line: int = 0

    @property
    def required(self) -> int:
        """How many arguments a call must reach: up to the last parameter without a default."""
        count = 0
        for index, parameter in enumerate(self.parameters, 1):
            if not parameter.has_default:
                count = index
        return count

    @property
    def has_out(self) -> bool:
        return any(parameter.out for parameter in self.parameters)


@dataclass(frozen=True, slots=True)
class Options:
    """How a module is compiled. ``profile`` is the line profile, which replaces counting."""

    dialect: str
    counted: bool = True
    profile: bool = False
    extra: frozenset[str] = frozenset()


@dataclass(slots=True)
class Program:
    """A compiled module, free of any run's state."""

    name: str
    filename: str
    code: CodeType  # of the factory
    bound: tuple[str, ...]  # names of the abi that the factory takes
    extra: tuple[str, ...]  # keys of session names that it takes
    functions: tuple[str, ...]  # keys of another module's routines that it takes (dynamic code)
    constants: tuple[Any, ...]
    routines: dict[str, RoutineInfo]
    variables: dict[str, Variable]
    options: Options
    lines: tuple[str, ...]
    spellings: dict[tuple[int, str], str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # Python function name → routine's name
    profiled: dict[str, set[int]] = field(default_factory=dict)
    has_dynamic: bool = False
    has_lines: bool = True  # a lone expression has none: errors in it show line 0
