"""Which parameters a routine is worth a version of its own for.

A parameter that is used as a number or an array again and again, and never assigned, costs a guard at each use. Two versions of
the body behind one test at the entry cost that test alone: the one for whole numbers and arrays has no guards, the general one
stays as it is. Only short routines, and those of middle length that loop or call themselves, are doubled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from scoring.engine.compiler import kinds
from scoring.engine.compiler.scopes import RoutineScope
from scoring.engine.syntax import nodes

MOST_STATEMENTS = 40
SHORT = 6
# Uses as a number or as an array that make a parameter worth it.
WORTH = 2
MOST_PARAMETERS = 3

_ARITHMETIC = frozenset({"-", "*", "/", "%", "<", "<=", ">", ">="})
_PRODUCTS = frozenset({"-", "*", "/", "%"})
_ARRAY_METHODS = frozenset({"добавить", "add", "вграница", "ubound"})
_FIELDS: dict[type, tuple[str, ...]] = {}


def assumptions(scope: RoutineScope) -> dict[str, int]:
    """Parameter key → the kind that the special version takes for granted; empty where none is worth while."""
    free = {
        v.key for v in scope.parameters if not (v.boxed or v.outer or v.key in scope.assigned)
    }
    if not free or scope.has_dynamic or scope.has_goto:
        return {}
    numbers: Counter[str] = Counter()
    arrays: Counter[str] = Counter()
    statements, busy = 0, False
    for node in walk(scope.body):
        statements += isinstance(node, nodes.Statement)
        busy = busy or isinstance(node, nodes.While | nodes.For | nodes.ForEach)
        busy = busy or (isinstance(node, nodes.Call) and nodes.key(node.name) == scope.info.key)
        _vote(node, numbers, arrays)
    if statements > MOST_STATEMENTS or (statements > SHORT and not busy):
        return {}
    wanted = [(count, key, kinds.WHOLE) for key, count in numbers.items() if key in free and not arrays[key]]
    wanted += [(count, key, kinds.ARRAY) for key, count in arrays.items() if key in free and not numbers[key]]
    wanted = sorted(wanted, reverse=True)[:MOST_PARAMETERS]
    if not wanted or wanted[0][0] < WORTH:
        return {}
    # Beside a parameter that is worth it others come along, where there is little code that could take them for something else.
    wanted = [entry for entry in wanted if entry[0] >= WORTH or statements <= SHORT]
    return {key: kind for _, key, kind in sorted(wanted, key=lambda entry: entry[1])}


def _vote(node: Any, numbers: Counter[str], arrays: Counter[str]) -> None:
    if isinstance(node, nodes.Binary):
        if node.operator in _ARITHMETIC or (node.operator in "+=" and (_is_number(node.left) or _is_number(node.right))):
            for side in (node.left, node.right):
                if isinstance(side, nodes.Name):
                    numbers[nodes.key(side.name)] += 1
    elif isinstance(node, nodes.Index) and isinstance(node.target, nodes.Name):
        if not (isinstance(node.index, nodes.Literal) and type(node.index.value) is str):
            arrays[nodes.key(node.target.name)] += 1
    elif isinstance(node, nodes.MethodCall) and isinstance(node.target, nodes.Name):
        if nodes.key(node.name) in _ARRAY_METHODS:
            arrays[nodes.key(node.target.name)] += 1


def _is_number(node: nodes.Expression) -> bool:
    if isinstance(node, nodes.Binary):
        return node.operator in _PRODUCTS
    return isinstance(node, nodes.Literal) and type(node.value) is int


def walk(statements: list[nodes.Statement]) -> Iterator[Any]:
    """All nodes below, without recursion: sums may nest thousands deep."""
    waiting: list[Any] = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, nodes.Node):
            yield node
            names = _FIELDS.get(type(node))
            if names is None:
                names = _FIELDS[type(node)] = tuple(f.name for f in fields(node) if f.name not in ("line", "column"))
            for name in names:
                inner = getattr(node, name)
                if isinstance(inner, list | nodes.Node):
                    waiting.append(inner)
