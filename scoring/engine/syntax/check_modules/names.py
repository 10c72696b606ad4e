"""The compiler's second pass: names that nobody declared. It runs only over modules without any other error."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.engine.errors import Diagnostic
from scoring.engine.syntax.check_modules import known
from scoring.engine.syntax.check_modules.compiled import COMPILED_FUNCTIONS
from scoring.engine.syntax.check_modules.parser import ModuleChecker
from scoring.engine.syntax.check_modules.walker import RoutineScope, Use
from scoring.engine.values.members import CONSTRUCTORS, GLOBAL_FUNCTIONS, GLOBAL_PROPERTIES, ONEC, lookup

NO_VARIABLE = "Переменная не определена ({name})"
NO_ROUTINE = "Процедура или функция с указанным именем не определена ({name})"
NOT_A_FUNCTION = "Обращение к процедуре как к функции ({name})"
TOO_MANY = "Слишком много фактических параметров ({name})"
TOO_FEW = "Недостаточно фактических параметров ({name})"


def _engine_registries() -> None:
    """Fill the registries: the checker must know every name that the engine implements."""
    import scoring.engine.collections  # noqa: F401
    import scoring.engine.runtime.builtins  # noqa: F401


class Names:
    """What the global context of the server knows."""

    def __init__(self, extra: Iterable[str] = ()) -> None:
        _engine_registries()
        self.extra = frozenset(name.lower() for name in extra)

    def type_known(self, name: str) -> bool:
        return lookup(CONSTRUCTORS, name, ONEC) is not None or name.lower() in known.TYPES

    def property_known(self, name: str) -> bool:
        key = name.lower()
        if key in self.extra or key in known.PROPERTIES or key in known.ENUMS:
            return True
        return lookup(GLOBAL_PROPERTIES, key, ONEC) is not None

    def function_known(self, name: str) -> bool:
        key = name.lower()
        if key in known.CLIENT_ONLY:
            return False
        return key in known.FUNCTIONS or lookup(GLOBAL_FUNCTIONS, key, ONEC) is not None

    def undeclared(self, checker: ModuleChecker) -> list[Diagnostic]:
        """Undeclared variables grouped by name, then routines, then calls that don't fit the routine called."""
        variables = self._group(NO_VARIABLE, self._unknown_reads(checker))
        routines = self._group(NO_ROUTINE, self._unknown_calls(checker))
        return variables + routines + self._misfits(checker)

    def _unknown_reads(self, checker: ModuleChecker) -> Iterable[Use]:
        for scope in checker.routines:
            for use in scope.reads:
                key = use.name.lower()
                if key not in scope.declared and not self.property_known(key):
                    yield use

    def _unknown_calls(self, checker: ModuleChecker) -> Iterable[Use]:
        own = {scope.name.lower() for scope in checker.routines}
        for scope in checker.routines:
            for use in scope.calls:
                if use.name.lower() not in own and not self.function_known(use.name):
                    yield use

    def _misfits(self, checker: ModuleChecker) -> list[Diagnostic]:
        own: dict[str, RoutineScope] = {scope.name.lower(): scope for scope in checker.routines}
        found = []
        for scope in checker.routines:
            for use in scope.calls:
                routine = own.get(use.name.lower())
                message = _misfit(use, routine) if routine else _global_misfit(use)
                if message:
                    found.append(Diagnostic("compile", message.format(name=use.name), use.line, token=use.name))
        return found

    @staticmethod
    def _group(template: str, uses: Iterable[Use]) -> list[Diagnostic]:
        groups: dict[str, list[Use]] = {}
        for use in uses:
            groups.setdefault(use.name.lower(), []).append(use)
        return [
            Diagnostic("undeclared", template.format(name=use.name), use.line, token=use.name)
            for group in groups.values()
            for use in group
        ]


def _misfit(use: Use, routine: RoutineScope) -> str:
    if use.arguments > routine.maximum:
        return TOO_MANY
    if use.arguments < routine.minimum:
        return TOO_FEW
    if use.as_function and not routine.is_function:
        return NOT_A_FUNCTION
    return ""


def _global_misfit(use: Use) -> str:
    """Calls of the global context are checked like those of own routines (documented, not observed)."""
    key = use.name.lower()
    entry = known.FUNCTIONS.get(key) or lookup(GLOBAL_FUNCTIONS, key, ONEC)
    if entry is None or key in COMPILED_FUNCTIONS or key in known.CLIENT_ONLY:
        return ""
    if entry.maximum is not None and use.arguments > entry.maximum:
        return TOO_MANY
    if use.arguments < entry.minimum:
        return TOO_FEW
    return NOT_A_FUNCTION if use.as_function and not entry.is_function else ""
