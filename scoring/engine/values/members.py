"""Where every method, property, constructor and global function of the language is registered.

One declaration holds both names, the arity (read off the Python signature), the output parameters, the hidden cost for
axis O and the dialects that have it::

    class Array(BslObject):
        @member("Вставить", "Insert", cost=lambda self, index, *_: max(0, len(self.items) - index))
        def insert(self, rt, index, value=MISSING): ...

    @builtin("СтрДлина", "StrLen")
    def str_len(rt, text): ...

Every callable takes the :class:`~scoring.engine.runtime.context.Runtime` as ``rt`` (after ``self``). Parameters without a
default are required; ``MISSING`` marks a skipped one. ``cost`` gets the same arguments without ``rt``, is asked *before* the
call and gives the number of operations to charge beside the statement.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeVar

ONESCRIPT = "onescript"
ONEC = "onec"
BOTH = frozenset({ONESCRIPT, ONEC})

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """A method or a global function. ``maximum`` is None for an open list of arguments."""

    name: str
    english: str
    function: Callable[..., Any]
    minimum: int
    maximum: int | None
    byref: frozenset[int] = frozenset()
    cost: Callable[..., int] | None = None
    is_function: bool = True
    dialects: frozenset[str] = BOTH

    def takes(self, given: int) -> bool:
        """May it be called with so many arguments?"""
        return self.minimum <= given and (self.maximum is None or given <= self.maximum)


@dataclass(frozen=True, slots=True)
class PropertyEntry:
    name: str
    english: str
    getter: Callable[..., Any] | None
    setter: Callable[..., Any] | None
    dialects: frozenset[str] = BOTH


@dataclass(frozen=True, slots=True)
class ConstructorEntry:
    """``Новый name(…)``. ``function(rt, *arguments)`` gives the new value."""

    name: str
    english: str
    function: Callable[..., Any]
    minimum: int
    maximum: int | None
    dialects: frozenset[str] = BOTH


# Both names of each, in lower case → entries. A name may have one entry per dialect.
GLOBAL_FUNCTIONS: dict[str, list[MethodEntry]] = {}
GLOBAL_PROPERTIES: dict[str, list[PropertyEntry]] = {}
CONSTRUCTORS: dict[str, list[ConstructorEntry]] = {}
BYREF_METHODS: dict[str, frozenset[int]] = {}
# Called with every new class of values, once its members are collected.
CLASS_HOOKS: list[Callable[[type], None]] = []
# Code of a registered Python function → ("method" | "constructor", its Russian name): 1C names the callee in its messages.
CALLEES: dict[CodeType, tuple[str, str]] = {}


def _arity(function: Callable[..., Any], skip: int) -> tuple[int, int | None]:
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    minimum, maximum = 0, 0
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            return minimum, None
        if parameter.kind is parameter.KEYWORD_ONLY:
            continue
        maximum += 1
        if parameter.default is parameter.empty:
            minimum += 1
    return minimum, maximum


def member(
    name: str,
    english: str,
    *,
    byref: tuple[int, ...] = (),
    cost: Callable[..., int] | None = None,
    procedure: bool = False,
    dialects: frozenset[str] | tuple[str, ...] = BOTH,
) -> Callable[[F], F]:
    """Declare a method under its Russian and English names; ``byref`` = indexes of output parameters."""

    def declare(function: F) -> F:
        minimum, maximum = _arity(function, skip=2)
        entry = MethodEntry(
            name, english, function, minimum, maximum, frozenset(byref), cost, not procedure, frozenset(dialects)
        )
        function.__dict__.setdefault("bsl_members", []).append(entry)
        CALLEES[function.__code__] = ("method", name)
        return function

    return declare


def prop(
    name: str,
    english: str,
    *,
    writable: Callable[..., None] | bool = False,
    dialects: frozenset[str] | tuple[str, ...] = BOTH,
) -> Callable[[F], F]:
    """Declare a property by its getter ``(self, rt)``; ``writable`` is the setter ``(self, rt, value)``."""

    def declare(function: F) -> F:
        setter = writable if callable(writable) else None
        function.__dict__.setdefault("bsl_members", []).append(
            PropertyEntry(name, english, function, setter, frozenset(dialects))
        )
        return function

    return declare


def collect_members(cls: type) -> None:
    """Gather a class's declared members (own ones over inherited ones) into its lookup tables."""
    methods: dict[str, MethodEntry] = {}
    properties: dict[str, PropertyEntry] = {}
    for base in reversed(cls.__mro__):
        for attribute in vars(base).values():
            for entry in getattr(attribute, "bsl_members", ()):
                if isinstance(entry, MethodEntry):
                    table: dict[str, Any] = methods
                    if entry.byref:
                        for spelled in (entry.name, entry.english):
                            key = spelled.lower()
                            BYREF_METHODS[key] = BYREF_METHODS.get(key, frozenset()) | entry.byref
                else:
                    table = properties
                table[entry.name.lower()] = entry
                table[entry.english.lower()] = entry
    cls.bsl_methods = methods  # type: ignore[attr-defined]
    cls.bsl_properties = properties  # type: ignore[attr-defined]


def _register(table: dict[str, list[Any]], entry: Any) -> None:
    for spelled in {entry.name.lower(), entry.english.lower()}:
        table.setdefault(spelled, []).append(entry)


def builtin(
    name: str,
    english: str,
    *,
    cost: Callable[..., int] | None = None,
    procedure: bool = False,
    dialects: frozenset[str] | tuple[str, ...] = BOTH,
) -> Callable[[F], F]:
    """Register a function of the global context."""

    def declare(function: F) -> F:
        minimum, maximum = _arity(function, skip=1)
        _register(
            GLOBAL_FUNCTIONS,
            MethodEntry(
                name, english, function, minimum, maximum, frozenset(), cost, not procedure, frozenset(dialects)
            ),
        )
        CALLEES[function.__code__] = ("method", name)
        return function

    return declare


def global_property(
    name: str, english: str, *, dialects: frozenset[str] | tuple[str, ...] = BOTH
) -> Callable[[F], F]:
    """Register a property of the global context by its getter ``(rt)``; all of them are read-only to programs."""

    def declare(function: F) -> F:
        _register(GLOBAL_PROPERTIES, PropertyEntry(name, english, function, None, frozenset(dialects)))
        return function

    return declare


def constructor(
    name: str, english: str, *, dialects: frozenset[str] | tuple[str, ...] = BOTH
) -> Callable[[F], F]:
    """Register ``Новый name`` by a function ``(rt, *arguments)``."""

    def declare(function: F) -> F:
        minimum, maximum = _arity(function, skip=1)
        _register(CONSTRUCTORS, ConstructorEntry(name, english, function, minimum, maximum, frozenset(dialects)))
        CALLEES[function.__code__] = ("constructor", name)
        return function

    return declare


def lookup(table: dict[str, list[Any]], name: str, dialect: str) -> Any | None:
    """The entry that ``dialect`` has under ``name`` (any case, either language), or None."""
    for entry in table.get(name.lower(), ()):
        if dialect in entry.dialects:
            return entry
    return None
