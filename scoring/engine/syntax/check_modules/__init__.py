"""``DESIGNER /CheckModules`` for a server common module, in pure Python (axis S of category B).

Lines decide (axis S clusters them); the wording is for the reader. Rules: ``docs/fidelity.md``.
"""

from __future__ import annotations

from collections.abc import Iterable

from scoring.engine.errors import Diagnostic
from scoring.engine.syntax.check_modules.names import Names
from scoring.engine.syntax.check_modules.parser import ModuleChecker

__all__ = ["check_module"]


def check_module(text: str, extra_names: Iterable[str] = ()) -> list[Diagnostic]:
    """Everything that the 1C compiler finds in ``text``, in its order; empty where the module compiles.

    ``extra_names`` are further names of the global context (the configuration's common modules). ``line`` of every
    diagnostic counts from 1, ``column`` is 0: the compiler gives none.
    """
    names = Names(extra_names)
    checker = ModuleChecker(text, names.type_known)
    checker.run()
    if not checker.findings:
        return names.undeclared(checker)
    return checker.findings
