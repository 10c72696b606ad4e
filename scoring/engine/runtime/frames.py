"""From Python's exceptions to the program's errors, and from tracebacks to BSL call stacks."""

from __future__ import annotations

import dis
import traceback
from types import FrameType, TracebackType
from typing import Any, Protocol

from scoring.engine.errors import (
    BslRuntimeError,
    CompileFailed,
    EngineFault,
    Frame,
    LimitReached,
    NotSupported,
)
from scoring.engine.values.members import CALLEES, ONEC


class CodeMap(Protocol):
    """What error frames need of a compiled program."""

    name: str
    names: dict[str, str]
    lines: tuple[str, ...]
    spellings: dict[tuple[int, str], str]
    has_lines: bool
    options: Any


# Generated code by its file name, as tracebacks show it.
PROGRAMS: dict[str, CodeMap] = {}

# Methods of BslObject that generated code calls on any value; primitive ones have none. What 1C calls that: OneScript says
# ``not_object`` of them all.
_OBJECT_PROTOCOL = {
    "get_property": "not_object",
    "set_property": "not_object",
    "get_index": "not_indexed",
    "set_index": "index_read_only",
    "iterate": "not_iterable",
}

NO_SOURCE = "<исходный код недоступен>"


def translate(error: BaseException, depth_limit: int = 0, memory_limit: int = 0) -> BaseException:
    """The engine's error that an exception out of generated code stands for."""
    if isinstance(error, BslRuntimeError | LimitReached | NotSupported | EngineFault | CompileFailed):
        return error
    if isinstance(error, RecursionError):
        return LimitReached("depth", depth_limit)
    if isinstance(error, MemoryError):
        return LimitReached("memory", memory_limit)
    fault = _fault_of_fast_path(error)
    if fault is not None:
        fault.__traceback__ = error.__traceback__
        return fault
    return EngineFault("".join(traceback.format_exception(error)))


def _fault_of_fast_path(error: BaseException) -> BslRuntimeError | None:
    """Generated code lets CPython find some of the program's errors: the exception then comes from its own frame."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    program = PROGRAMS.get(place.tb_frame.f_code.co_filename) if place is not None else None
    if program is None or place is None:
        return None
    if isinstance(error, IndexError):
        return BslRuntimeError("index")
    if isinstance(error, KeyError):
        key = error.args[0]
        return BslRuntimeError("no_property", name=program.spellings.get((place.tb_lineno, key), key), type=("Структура", "Structure"))
    if isinstance(error, AttributeError) and isinstance(error.name, str):
        if error.name in _OBJECT_PROTOCOL or error.name.startswith("§"):
            kind = _OBJECT_PROTOCOL.get(error.name, "not_object") if program.options.dialect == ONEC else "not_object"
            return BslRuntimeError(kind, name=_member_name(error.name, place))
    return None


def _member_name(attribute: str, place: TracebackType) -> str:
    """The member that the program asked of what is no object: part of a method's attribute, else the constant that the
    generated code was about to hand over."""
    if attribute.startswith("§"):
        return attribute.rpartition("·")[2]
    for instruction in dis.get_instructions(place.tb_frame.f_code):
        if instruction.offset > place.tb_lasti and instruction.opname == "LOAD_CONST":
            return instruction.argval if isinstance(instruction.argval, str) else ""
    return ""


def note_frames(error: BslRuntimeError, place: TracebackType | None, outer: FrameType | None = None) -> None:
    """Fill the error's frames, innermost first, from its traceback and from the callers of the frame that caught it; and
    note which built-in method or constructor the program had called when it was raised."""
    if error.frames:
        return
    found: list[Frame] = []
    callee: tuple[str, str] | None = None
    while place is not None:
        code = place.tb_frame.f_code
        program = PROGRAMS.get(code.co_filename)
        if program is not None:
            found.append(_frame(program, code.co_name, place.tb_lineno))
            callee = None
        elif callee is None:
            callee = CALLEES.get(code)
        place = place.tb_next
    if callee is not None and not {"method", "constructor"} & set(error.params):
        error.params = {**error.params, callee[0]: callee[1]}
    found.reverse()
    while outer is not None:
        program = PROGRAMS.get(outer.f_code.co_filename)
        if program is not None:
            found.append(_frame(program, outer.f_code.co_name, outer.f_lineno))
        outer = outer.f_back
    error.frames = found


def _frame(program: Any, function: str, line: int) -> Frame:
    if not program.has_lines:
        line = 0
    source = program.lines[line - 1] if 0 < line <= len(program.lines) else NO_SOURCE
    return Frame(program.name, program.names.get(function, ""), line, source)
