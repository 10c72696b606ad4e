"""The rest of OneScript's global context: the console, arguments of the command line, housekeeping, paths."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import ONESCRIPT, builtin, global_property, member, prop
from scoring.engine.values.model import MISSING, BslObject


class Console(BslObject):
    """``Консоль``: what is written goes where messages go; there is nobody to read from."""

    __slots__ = ()
    type_name = ("Консоль", "Console")

    @member("ВывестиСтроку", "WriteLine", procedure=True)
    def write_line(self, rt: Any, text: Any = MISSING) -> None:
        rt.print("" if text is MISSING else rt.text(text))

    @member("Вывести", "Write", procedure=True)
    def write(self, rt: Any, text: Any) -> None:
        rt.print(rt.text(text))

    @member("ПрочитатьСтроку", "ReadLine")
    def read_line(self, rt: Any) -> str:
        raise BslRuntimeError("forbidden", what="Консоль.ПрочитатьСтроку")

    @member("Прочитать", "Read")
    def read(self, rt: Any) -> int:
        raise BslRuntimeError("forbidden", what="Консоль.Прочитать")

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Any) -> None:
        """There is no screen."""


_CONSOLE = Console()


@global_property("Консоль", "Console", dialects=(ONESCRIPT,))
def console(rt: Any) -> Console:
    return _CONSOLE


@global_property("АргументыКоманднойСтроки", "CommandLineArguments", dialects=(ONESCRIPT,))
def command_line_arguments(rt: Any) -> Any:
    from scoring.engine.collections import FixedArray

    return FixedArray([])


@builtin("ОсвободитьОбъект", "FreeObject", procedure=True, dialects=(ONESCRIPT,))
def free_object(rt: Any, value: Any) -> None:
    """Nothing to free: objects hold no outside resources here."""


@builtin("ВыполнитьСборкуМусора", "RunGarbageCollection", procedure=True, dialects=(ONESCRIPT,))
def run_garbage_collection(rt: Any) -> None:
    """Memory is the engine's own business."""


@builtin("Сигнал", "Beep", procedure=True, dialects=(ONESCRIPT,))
def beep(rt: Any) -> None:
    """There is no speaker."""


@builtin("ОбъединитьПути", "CombinePath", dialects=(ONESCRIPT,))
def combine_path(rt: Any, first: Any, second: Any, third: Any = MISSING, fourth: Any = MISSING) -> str:
    """``Path.Combine``: a part that begins with a slash starts anew."""
    path = ""
    for part in (first, second, third, fourth):
        if part is MISSING:
            continue
        text = rt.text(part)
        if not path or text.startswith("/"):
            path = text
        elif text:
            path += text if path.endswith("/") else "/" + text
    return path


class ScriptInformation(BslObject):
    """What a program may know of its own text: nothing of the place where it lies."""

    __slots__ = ()
    type_name = ("ИнформацияОСценарии", "ScriptInformation")

    @prop("Источник", "Source")
    def source(self, rt: Any) -> str:
        return ""

    @prop("Каталог", "Path")
    def path(self, rt: Any) -> str:
        return ""


@builtin("ТекущийСценарий", "CurrentScript", dialects=(ONESCRIPT,))
def current_script(rt: Any) -> ScriptInformation:
    return ScriptInformation()


@builtin("СтартовыйСценарий", "EntryScript", dialects=(ONESCRIPT,))
def entry_script(rt: Any) -> ScriptInformation:
    return ScriptInformation()
