"""By reference: which parameters are outputs, and which variables live in boxes."""

from __future__ import annotations

from scoring.engine.compiler.scopes import ModuleScope, RoutineScope


def share_by_reference(module: ModuleScope) -> None:
    """Decide which parameters are outputs and which variables need a box.

    A by-reference parameter is an output if its routine assigns it or hands it on as one. Where a call passes the same
    variable twice, or a module variable, all the parameters that see it must share it: they become outputs, too.
    """
    for scope in module.routines.values():
        for parameter in scope.info.parameters:
            parameter.out = not parameter.by_value and (parameter.key in scope.assigned or scope.has_dynamic)
    _share_aliases(module)
    while sum(_hand_on(module, scope) for scope in module.routines.values()):
        pass
    for scope in module.all_scopes():
        _box(module, scope)
    if module.has_dynamic:
        for variable in module.variables.values():
            variable.boxed = True


def _share_aliases(module: ModuleScope) -> None:
    for scope in module.all_scopes():
        seen: dict[tuple[str, str], int] = {}
        for key, callee, index in scope.passes:
            own = module.routines.get(callee)
            if own is None:
                continue
            is_module = key not in scope.locals and key in module.variables
            other = seen.setdefault((key, callee), index)
            if other != index and (own.info.parameters[index].out or own.info.parameters[other].out):
                own.info.parameters[index].out = own.info.parameters[other].out = True
            elif is_module and own.info.parameters[index].out:
                module.variables[key].boxed = True


def _hand_on(module: ModuleScope, scope: RoutineScope) -> bool:
    changed = False
    own = {p.key: p for p in scope.info.parameters}
    for key, callee, index in scope.passes:
        info = module.routine_info(callee)
        parameter = own.get(key)
        if info is None or parameter is None or parameter.by_value or parameter.out:
            continue
        if info.parameters[index].out:
            parameter.out = changed = True
    return changed


def _box(module: ModuleScope, scope: RoutineScope) -> None:
    for parameter in scope.info.parameters:
        if parameter.out:
            scope.locals[parameter.key].boxed = True
    for key, callee, index in scope.passes:
        info = module.routine_info(callee)
        variable = module.find(scope, key)
        if info is not None and variable is not None and info.parameters[index].out:
            variable.boxed = True
    if scope.has_dynamic:
        for variable in scope.locals.values():
            variable.boxed = True
