"""Loops over pairs whose variable is only asked for ``Ключ`` and ``Значение``: no object needs to be made of a pair."""

from __future__ import annotations

from collections.abc import Callable

from scoring.engine.compiler.scopes import RoutineScope
from scoring.engine.compiler.versions import walk
from scoring.engine.syntax import nodes

# Where a pair of a walk, a tuple, has its two properties.
PAIR_SLOTS = {"ключ": 0, "key": 0, "значение": 1, "value": 1}


def bare_variables(scope: RoutineScope, is_quiet: Callable[[list[nodes.Statement]], bool]) -> frozenset[str]:
    """Keys of the locals that only hold what quiet walks give, each read in its loop alone, and nothing but a pair's parts."""
    loops: dict[str, list[nodes.ForEach]] = {}
    for loop in scope.walks:
        assert isinstance(loop.variable, nodes.Name)
        loops.setdefault(nodes.key(loop.variable.name), []).append(loop)
    for key, variable in scope.locals.items():
        if variable.boxed or variable in scope.parameters or scope.has_goto or not all(
            is_quiet(loop.body) for loop in loops.get(key, ())
        ):
            loops.pop(key, None)
    if not loops:
        return frozenset()
    allowed = {id(loop.variable) for walks in loops.values() for loop in walks}
    for key, walks in loops.items():
        for loop in walks:
            allowed |= {id(node.target) for node in walk(loop.body) if _reads_a_part(node, key)}
    names = [node for node in walk(scope.body) if isinstance(node, nodes.Name)]
    escaping = {nodes.key(node.name) for node in names if id(node) not in allowed}
    return frozenset(key for key in loops if key in scope.locals and key not in escaping)


def _reads_a_part(node: nodes.Node, key: str) -> bool:
    if not (isinstance(node, nodes.Member) and isinstance(node.target, nodes.Name)):
        return False
    return nodes.key(node.target.name) == key and nodes.key(node.name) in PAIR_SLOTS
