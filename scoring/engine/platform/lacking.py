"""Names of the server's global context that this engine does not implement.

A program that mentions one compiles, as with the genuine engine; using it is *not supported*, which is never the program's
fault. Registered after everything else, so that only what is really missing is filled in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from scoring.engine.errors import NotSupported
from scoring.engine.syntax.check_modules import known
from scoring.engine.values.members import (
    CONSTRUCTORS,
    GLOBAL_FUNCTIONS,
    GLOBAL_PROPERTIES,
    ONEC,
    builtin,
    constructor,
    global_property,
    lookup,
)

# Words that programs use as names of their own variables far more often than as what the list of known names means: an
# assignment to a property of the global context would fail, so these stay undeclared until assigned.
LEFT_TO_PROGRAMS = frozenset(
    {"периодичность", "periodicity", "видпериода", "представлениетипов", "рабочаядата", "workingdate", "видыдоступа"}
)


def _refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(rt: Any, *arguments: Any) -> NoReturn:
        raise NotSupported(name)

    return refuse


def register_lacking() -> None:
    """Give every known name without an implementation one that raises NotSupported. Harmless when called again."""
    for name in sorted(known.FUNCTIONS):
        if lookup(GLOBAL_FUNCTIONS, name, ONEC) is None:
            builtin(name, name, dialects=(ONEC,))(_refusal(name))
    for name in sorted((known.PROPERTIES | known.ENUMS) - LEFT_TO_PROGRAMS):
        if lookup(GLOBAL_PROPERTIES, name, ONEC) is None:
            global_property(name, name, dialects=(ONEC,))(_refusal(name))
    for name in sorted(known.TYPES):
        if lookup(CONSTRUCTORS, name, ONEC) is None:
            constructor(name, name, dialects=(ONEC,))(_refusal(name))
