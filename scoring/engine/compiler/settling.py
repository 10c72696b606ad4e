"""Static kinds of variables and of what routines give back, settled over the whole module."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.engine.compiler import kinds
from scoring.engine.compiler.elements import Element, first_elements, track_elements
from scoring.engine.compiler.scopes import ModuleScope, RoutineScope, Version
from scoring.engine.compiler.versions import assumptions
from scoring.engine.syntax import nodes

EMPTY: Mapping[str, int] = MappingProxyType({})


class Counter(nodes.Expression):
    """What a ``Для`` stores in its variable: numbers of the start's kind."""

    def __init__(self, start: nodes.Expression) -> None:
        super().__init__(start.line, start.column)
        self.start = start


def settle_all(module: ModuleScope) -> None:
    """Kinds of all variables and of what each routine gives back, which depend on one another."""
    for scope in module.all_scopes():
        track_elements(scope)
    _settle_returns(module)
    versions = _versions(module)
    if versions:
        for scope in module.all_scopes():
            scope.versions = versions
        if not module.called.isdisjoint(versions):
            _settle_versions(module, versions)
            _settle_returns(module)


def _settle_returns(module: ModuleScope) -> None:
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
            found = _result_kind(scope)
            if scope.info.key in returns and found | kind != kind:
                returns[scope.info.key] = found | kind
                changed = bool(module.called)  # else nothing depends on it


def _versions(module: ModuleScope) -> dict[str, Version]:
    assumed = {key: assumptions(scope) for key, scope in module.routines.items()}
    return {key: Version(kept, module.routines[key].info.parameters, kinds.ANY) for key, kept in assumed.items() if kept}


def _settle_versions(module: ModuleScope, versions: dict[str, Version]) -> None:
    """What the versions give back, where calls that fit are calls of versions."""
    for version in versions.values():
        version.returns = 0
    changed = True
    while changed:
        changed = False
        for key, version in versions.items():
            scope = module.routines[key]
            settle_kinds(scope, version.assumed)
            found = version.returns | _result_kind(scope)
            if found != version.returns:
                version.returns = found
                changed = True


def _result_kind(scope: RoutineScope) -> int:
    found = kinds.NONE if scope.ends else 0
    for result in scope.results:
        found |= kinds.infer(result, scope)
    return found


def settle_kinds(scope: RoutineScope, assumed: Mapping[str, int] = EMPTY) -> None:
    """Join, for each local, the kinds of all that is ever stored in it, until nothing changes. ``assumed`` holds kinds of
    parameters that a version of the routine takes for granted."""
    for variable in scope.locals.values():
        if variable.boxed or scope.has_goto or variable in scope.parameters:
            variable.kind = assumed.get(variable.key, kinds.ANY)
        else:
            variable.kind = kinds.NONE if variable.maybe_undefined else 0
    if scope.elements:
        first_elements(scope)
    changed = True
    while changed:
        changed = bool(scope.elements) and _settle_elements(scope)
        for key, source in scope.sources:
            variable = scope.locals[key]
            if variable.kind & kinds.ANY != kinds.ANY:
                joined = variable.kind | _source_kind(scope, source)
                if joined != variable.kind:
                    variable.kind = joined
                    changed = True


def _settle_elements(scope: RoutineScope) -> bool:
    changed = False
    for key, source in scope.stores:
        kind = scope.elements.get(key)
        if kind is not None:
            joined = kind | _source_kind(scope, source)
            if joined != kind:
                scope.elements[key] = joined
                changed = True
    return changed


def _source_kind(scope: RoutineScope, source: nodes.Expression | int) -> int:
    if isinstance(source, int):
        return source
    if isinstance(source, Element):
        return scope.element_of(source.key)
    if isinstance(source, Counter):
        start = kinds.infer(source.start, scope)
        # Counting on from a small number never leaves the small ones: the budget of operations ends long before.
        return start if kinds.is_int(start) else kinds.ANY
    return kinds.infer(source, scope)
