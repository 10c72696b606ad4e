"""Static kinds of variables and of what routines give back, settled over the whole module."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.engine.compiler import kinds
from scoring.engine.compiler.scopes import ModuleScope, RoutineScope
from scoring.engine.syntax import nodes

EMPTY: Mapping[str, int] = MappingProxyType({})


class Counter(nodes.Expression):
    """What a ``Для`` stores in its variable: numbers of the start's kind."""

    def __init__(self, start: nodes.Expression) -> None:
        super().__init__(start.line, start.column)
        self.start = start


def settle_all(module: ModuleScope) -> None:
    """Kinds of all variables and of what each routine gives back, which depend on one another."""
    returns = dict.fromkeys(module.outer.routines, kinds.ANY) | dict.fromkeys(module.routines, 0)
    scopes = module.all_scopes()
    for scope in scopes:
        scope.returns = returns
    changed = True
    while changed:
        changed = False
        for scope in scopes:
            settle_kinds(scope)
            kind = returns.get(scope.info.key, kinds.ANY)
            found = kinds.NONE if scope.ends else 0
            for result in scope.results:
                found |= kinds.infer(result, scope.kind_of)
            if scope.info.key in returns and found | kind != kind:
                returns[scope.info.key] = found | kind
                changed = True


def settle_kinds(scope: RoutineScope, assumed: Mapping[str, int] = EMPTY) -> None:
    """Join, for each local, the kinds of all that is ever stored in it, until nothing changes. ``assumed`` holds kinds of
    parameters that a version of the routine takes for granted."""
    for variable in scope.locals.values():
        if variable.boxed or scope.has_goto or variable in scope.parameters:
            variable.kind = assumed.get(variable.key, kinds.ANY)
        else:
            variable.kind = kinds.NONE if variable.maybe_undefined else 0
    changed = True
    while changed:
        changed = False
        for key, source in scope.sources:
            variable = scope.locals[key]
            if variable.kind & kinds.ANY != kinds.ANY:
                joined = variable.kind | _source_kind(scope, source)
                if joined != variable.kind:
                    variable.kind = joined
                    changed = True


def _source_kind(scope: RoutineScope, source: nodes.Expression | int) -> int:
    if isinstance(source, int):
        return source
    if isinstance(source, Counter):
        start = kinds.infer(source.start, scope.kind_of)
        # Counting on from a small number never leaves the small ones: the budget of operations ends long before.
        return start if kinds.is_int(start) else kinds.ANY
    return kinds.infer(source, scope.kind_of)
