"""Method calls of compiled code.

``object.Метод(x)`` compiles to an attribute of a marked name, ``object.§of11·Метод(rt, x)``, so that CPython's own attribute
cache does the dispatch. The mark tells the dialect, function from procedure use, counted from uncounted code, and the number of
arguments, because these decide which Python function stands behind the name. The first use on a class goes through ``BslObject.__getattr__``, which
puts the function on the class. Objects whose methods are only known at run time (modules, managers) are asked each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import ONEC, ONESCRIPT, MethodEntry
from scoring.engine.values.model import BslObject

_DIALECT_MARKS = {ONESCRIPT: "o", ONEC: "c"}
_DIALECTS = {mark: name for name, mark in _DIALECT_MARKS.items()}
_SEPARATOR = "·"


def method_attribute(dialect: str, name: str, given: int, statement: bool, counted: bool) -> str:
    """The attribute under which compiled code calls method ``name``, spelled as in the source, with ``given`` arguments."""
    return f"§{_DIALECT_MARKS[dialect]}{'p' if statement else 'f'}{int(counted)}{given}{_SEPARATOR}{name}"


def attach_method(target: BslObject, attribute: str) -> Any:
    """What the attribute means for ``target``; raises no BSL error before it is called (arguments come first)."""
    mark, _, name = attribute.partition(_SEPARATOR)
    statement, counted, given = mark[2] == "p", mark[3] == "1", int(mark[4:])
    cls = type(target)
    if cls.find_method is BslObject.find_method:
        entry = cls.bsl_methods.get(name.lower())
        if entry is not None and _DIALECTS[mark[1]] in entry.dialects and entry.takes(given):
            setattr(cls, attribute, _function_of(entry, statement, counted))
            return getattr(target, attribute)

    def call_late(rt: Any, *arguments: Any) -> Any:
        return call_method(rt, target, name, not statement, arguments, counted)

    return call_late


def _function_of(entry: MethodEntry, statement: bool, counted: bool) -> Callable[..., Any]:
    function = entry.function
    if not entry.is_function and not statement:
        return _refused
    if entry.cost is None or not counted:
        return function
    cost = entry.cost

    def charged(self: Any, rt: Any, *arguments: Any) -> Any:
        rt.charge(cost(self, *arguments))
        return function(self, rt, *arguments)

    return charged


def _refused(self: Any, rt: Any, *arguments: Any) -> Any:
    raise BslRuntimeError("procedure_as_function")


def call_method(
    rt: Any, target: Any, name: str, as_function: bool, arguments: tuple[Any, ...], counted: bool = True
) -> Any:
    """The long way: every check at run time. Raises ``not_object``, ``no_method``, errors of count and of use."""
    if not isinstance(target, BslObject):
        raise BslRuntimeError("not_object")
    entry = target.find_method(rt, name)
    given = len(arguments)
    if entry.maximum is not None and given > entry.maximum:
        raise BslRuntimeError("too_many_arguments", name=name)
    if given < entry.minimum:
        raise BslRuntimeError("too_few_arguments", name=name)
    if as_function and not entry.is_function:
        raise BslRuntimeError("procedure_as_function", name=name)
    if entry.cost is not None and counted:
        rt.charge(entry.cost(target, *arguments))
    return entry.function(target, rt, *arguments)
