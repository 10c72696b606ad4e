"""Anti-patterns of the module's own tree: queries executed in loops, the clock of the wrong machine."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.walk import walk
from scoring.engine.syntax import nodes

_QUERY_TYPES = frozenset({"запрос", "query", "построительзапроса", "querybuilder", "построительотчета", "reportbuilder"})
_EXECUTORS = frozenset({"выполнить", "execute", "выполнитьпакет", "executebatch"})
_CURRENT_DATE = frozenset({"текущаядата", "currentdate"})


def module_findings(module: nodes.Module) -> Iterator[AntiPattern]:
    for body in (*(routine.body for routine in module.routines), module.body):
        queries = _query_variables(body)
        for node in walk(body):
            if isinstance(node, nodes.Call) and nodes.key(node.name) in _CURRENT_DATE:
                yield AntiPattern("DeprecatedCurrentDate", node.line, node.column)
        yield from {(place.line, place.column): place for place in _in_loops(body, queries)}.values()


def _query_variables(body: list[nodes.Statement]) -> frozenset[str]:
    """Names that a query is assigned to anywhere in the routine."""
    return frozenset(
        nodes.key(node.target.name)
        for node in walk(body)
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name) and _makes_query(node.value)
    )


def _makes_query(value: nodes.Expression) -> bool:
    return isinstance(value, nodes.New) and nodes.key(value.type_name) in _QUERY_TYPES


def _in_loops(body: list[nodes.Statement], queries: frozenset[str]) -> Iterator[AntiPattern]:
    for node in walk(body):
        if isinstance(node, (nodes.For, nodes.ForEach, nodes.While)):
            repeated = [*node.body, node.condition] if isinstance(node, nodes.While) else node.body
            for inner in walk(repeated):
                if isinstance(inner, nodes.MethodCall) and _executes(inner, queries):
                    yield AntiPattern("CreateQueryInCycle", inner.line, inner.column)


def _executes(call: nodes.MethodCall, queries: frozenset[str]) -> bool:
    if nodes.key(call.name) not in _EXECUTORS:
        return False
    target = call.target
    return _makes_query(target) or (isinstance(target, nodes.Name) and nodes.key(target.name) in queries)
