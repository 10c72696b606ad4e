"""Names of the server's global context that this engine does not implement.

A program that mentions one compiles, as with the genuine engine; using it is *not supported*, which is never the program's
fault. Registered after everything else, so that only what is really missing is filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from scoring.engine.errors import NotSupported
from scoring.engine.syntax.check_modules import known
from scoring.engine.values.members import (
    CONSTRUCTORS,
    GLOBAL_FUNCTIONS,
    GLOBAL_PROPERTIES,
    ONEC,
    ConstructorEntry,
    MethodEntry,
    PropertyEntry,
    lookup,
)

# Words that programs use as names of their own variables far more often than as what the list of known names means: an
# assignment to a property of the global context would fail, so these stay undeclared until assigned.
LEFT_TO_PROGRAMS = frozenset({"периодичность", "periodicity"})


def _refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(rt: Any, *arguments: Any) -> NoReturn:
        raise NotSupported(name)

    return refuse


def _function(name: str, english: str) -> MethodEntry:
    what = known.FUNCTIONS[name.lower()]
    return MethodEntry(
        name, english, _refusal(name), what.minimum, what.maximum, is_function=what.is_function, dialects=frozenset({ONEC})
    )


def _property(name: str, english: str) -> PropertyEntry:
    return PropertyEntry(name, english, _refusal(name), None, frozenset({ONEC}))


def _constructor(name: str, english: str) -> ConstructorEntry:
    return ConstructorEntry(name, english, _refusal(name), 0, None, frozenset({ONEC}))


def _fill(table: dict[str, list[Any]], names: Mapping[str, tuple[str, str]], missing: Callable[[str, str], Any]) -> None:
    """What the table has under one of two names it gets under the other, what it has under neither gets an entry."""
    for russian, english in sorted(set(names.values())):
        entry = lookup(table, russian, ONEC) or lookup(table, english, ONEC) or missing(russian, english)
        for key in {russian.lower(), english.lower()}:
            if lookup(table, key, ONEC) is None:
                table.setdefault(key, []).append(entry)


def register_lacking() -> None:
    """Give every known name without an implementation one that raises NotSupported. Harmless when called again."""
    functions = {key: (what.name, what.english) for key, what in known.FUNCTIONS.items()}
    properties = {**known.PROPERTIES, **known.ENUMS}
    _fill(GLOBAL_FUNCTIONS, functions, _function)
    _fill(
        GLOBAL_PROPERTIES,
        {key: names for key, names in properties.items() if key not in LEFT_TO_PROGRAMS},
        _property,
    )
    _fill(CONSTRUCTORS, known.TYPES, _constructor)
