"""Method calls of compiled code.

``object.Метод(x)`` compiles to an attribute of a marked name, ``object.§of11·Метод(rt, x)``, so that CPython's own attribute
cache does the dispatch. The mark tells the dialect, function from procedure use, counted from uncounted code, and the number of
arguments, because these decide which Python function stands behind the name. The compiler asks for each name that it uses
(:func:`require_method`); then every class that has the method gets the function, and all others inherit the long way from
``BslObject``, which asks the object (``find_method``) and raises the errors, after the arguments were evaluated, as the genuine
engines do. (``__getattr__`` would do the same with less code, but classes that have it lose CPython's cache.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import CLASS_HOOKS, ONEC, ONESCRIPT, MethodEntry
from scoring.engine.values.model import BslObject

_DIALECT_MARKS = {ONESCRIPT: "o", ONEC: "c"}
_DIALECTS = {mark: name for name, mark in _DIALECT_MARKS.items()}
_SEPARATOR = "·"

# Methods that walk their collection: steps of work (see Runtime.work) an element. The charges of axis O are another matter.
HEAVY = {
    "Сортировать": 500, "СортироватьПоЗначению": 500, "СортироватьПоПредставлению": 500, "Свернуть": 700,
    "Скопировать": 150, "ЗаполнитьЗначения": 100, "Итог": 100, "ВыгрузитьКолонку": 50, "ЗагрузитьКолонку": 50,
    "ВыгрузитьЗначения": 30, "ЗаполнитьПометки": 30, "НайтиПоИдентификатору": 30, "Индекс": 10, "Сдвинуть": 10,
}  # fmt: skip

_required: set[str] = set()


def require_method(dialect: str, name: str, given: int, statement: bool, counted: bool) -> str:
    """The attribute for a call of ``name``, spelled as in the source, with ``given`` arguments; every class has it then."""
    attribute = f"§{_DIALECT_MARKS[dialect]}{'p' if statement else 'f'}{int(counted)}{given}{_SEPARATOR}{name}"
    if attribute not in _required:
        _required.add(attribute)
        setattr(BslObject, attribute, _long_way(name, statement, counted))
        for cls in _subclasses(BslObject):
            _attach(cls, attribute)
    return attribute


def _subclasses(cls: type) -> list[type]:
    found: list[type] = []
    direct: type
    for direct in cls.__subclasses__():
        found.append(direct)
        found += _subclasses(direct)
    return found


def _attach(cls: Any, attribute: str) -> None:
    mark, _, name = attribute.partition(_SEPARATOR)
    statement, counted, given = mark[2] == "p", mark[3] == "1", int(mark[4:])
    entry = cls.bsl_methods.get(name.lower())
    if cls.find_method is not BslObject.find_method:
        setattr(cls, attribute, _long_way(name, statement, counted))
    elif entry is not None and _DIALECTS[mark[1]] in entry.dialects:
        fits = entry.takes(given)
        setattr(cls, attribute, _function_of(entry, statement, counted) if fits else _long_way(name, statement, counted))


def _attach_all(cls: type) -> None:
    for attribute in _required:
        _attach(cls, attribute)


CLASS_HOOKS.append(_attach_all)


def _long_way(name: str, statement: bool, counted: bool) -> Callable[..., Any]:
    def call_late(self: Any, rt: Any, *arguments: Any) -> Any:
        return call_method(rt, self, name, not statement, arguments, counted)

    return call_late


def _function_of(entry: MethodEntry, statement: bool, counted: bool) -> Callable[..., Any]:
    function = entry.function
    if not entry.is_function and not statement:
        return _refused
    steps = HEAVY.get(entry.name)
    if steps:
        function = _weighed(function, steps)
    if entry.cost is None or not counted:
        return function
    cost = entry.cost

    def charged(self: Any, rt: Any, *arguments: Any) -> Any:
        rt.charge(cost(self, *arguments))
        return function(self, rt, *arguments)

    return charged


def _weighed(function: Callable[..., Any], steps: int) -> Callable[..., Any]:
    def weighed(self: Any, rt: Any, *arguments: Any) -> Any:
        rt.work(_size(self) * steps)
        return function(self, rt, *arguments)

    return weighed


def _size(target: Any) -> int:
    """Elements of a collection."""
    items = getattr(target, "items", None)
    return len(items) if isinstance(items, list | dict) else 0


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
    if entry.name in HEAVY:
        rt.work(_size(target) * HEAVY[entry.name])
    return entry.function(target, rt, *arguments)
