"""Module instances: a program with its own variables, callable from Python and from other modules."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any

from scoring.engine import abi
from scoring.engine.errors import BslRuntimeError
from scoring.engine.program import Program, RoutineInfo
from scoring.engine.runtime.context import Runtime
from scoring.engine.values.members import MethodEntry
from scoring.engine.values.model import MISSING, BslObject, Ref


def link(program: Program, helpers: dict[str, Any], left: CellType, extra: dict[str, Any], functions: dict[str, Any]) -> Any:
    """Run the program's factory: ``left`` is the countdown's cell, the rest the values of its parameters."""
    closure = (left,) if program.code.co_freevars else None
    factory = FunctionType(program.code, abi.GLOBALS, "factory", None, closure)
    arguments = [helpers[name] for name in program.bound]
    arguments += [extra[key] for key in program.extra]
    arguments += [functions[key] for key in program.functions]
    return factory(*arguments, *program.constants)


class ModuleInstance(BslObject):
    """A loaded module. As a value of the language it has the exported routines as methods, the exported variables as
    properties."""

    __slots__ = ("body", "boxes", "doors", "functions", "program", "ran")
    type_name = ("Сценарий", "Script")

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: dict[str, Any] = {}
        self.doors: dict[str, Any] = {}
        self.body: Any = None
        self.ran = False

    def start(self, helpers: dict[str, Any], left: CellType, extra: dict[str, Any]) -> None:
        """Make the module's functions and variables; the body is not run."""
        functions, doors = link(self.program, helpers, left, extra, {})
        self.functions = dict(zip(self.program.routines, functions, strict=False))
        self.body = functions[-1]
        self.doors = dict(zip(self.program.variables, doors, strict=True))

    # ── calls from Python ──────────────────────────────────────────────────────────────────────────────────────────

    def routine(self, name: str, exported: bool = False) -> RoutineInfo:
        """The routine ``name``; raises ``no_method`` where the module has none (``exported``: none to the outside)."""
        info = self.program.routines.get(name.lower())
        if info is None or (exported and not info.export):
            raise BslRuntimeError("no_method", name=name, type=self.type_name)
        return info

    def invoke(self, rt: Runtime, info: RoutineInfo, arguments: list[Any]) -> Any:
        """Call a routine. By-reference arguments come back in the list; a :class:`Ref` among them is written to."""
        if len(arguments) > len(info.parameters):
            raise BslRuntimeError("too_many_arguments", name=info.name)
        if len(arguments) < info.required:
            raise BslRuntimeError("too_few_arguments", name=info.name)
        passed: list[Any] = []
        for index, parameter in enumerate(info.parameters):
            value = arguments[index] if index < len(arguments) else MISSING
            if isinstance(value, Ref):
                value = value.value
            if value is MISSING:
                value = parameter.default
            passed.append([value] if parameter.out else value)
        try:
            return self.functions[info.key](*passed)
        finally:
            if info.has_out:
                self._give_back(info, arguments, passed)

    @staticmethod
    def _give_back(info: RoutineInfo, arguments: list[Any], passed: list[Any]) -> None:
        for index in range(len(arguments)):
            if info.parameters[index].out:
                if isinstance(arguments[index], Ref):
                    arguments[index].value = passed[index][0]
                else:
                    arguments[index] = passed[index][0]

    # ── the module as a value ──────────────────────────────────────────────────────────────────────────────────────

    def find_method(self, rt: Runtime, name: str) -> MethodEntry:
        info = self.routine(name, exported=True)

        def call(self: ModuleInstance, rt: Runtime, *arguments: Any) -> Any:
            return self.invoke(rt, info, list(arguments))

        outputs = frozenset(index for index, parameter in enumerate(info.parameters) if parameter.out)
        return MethodEntry(
            info.name, info.name, call, info.required, len(info.parameters), outputs, None, info.is_function
        )

    def get_property(self, rt: Runtime, name: str) -> Any:
        door = self._door(name)
        return door[0] if type(door) is list else door[0]()

    def set_property(self, rt: Runtime, name: str, value: Any) -> None:
        door = self._door(name)
        if type(door) is list:
            door[0] = value
        else:
            door[1](value)

    def _door(self, name: str) -> Any:
        variable = self.program.variables.get(name.lower())
        if variable is None or not variable.export:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        return self.doors[variable.key]

    def property_names(self, rt: Runtime) -> list[str]:
        return [variable.name for variable in self.program.variables.values() if variable.export]
