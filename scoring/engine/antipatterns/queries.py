"""Anti-patterns inside query texts. A text is a string literal of the module that begins with ВЫБРАТЬ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.walk import walk
from scoring.engine.errors import EngineError
from scoring.engine.query import tree
from scoring.engine.query.failures import QueryError
from scoring.engine.query.parser import parse
from scoring.engine.syntax import nodes

_BEGINS = re.compile(r"\s*(?://[^\n]*\n\s*)*(?:ВЫБРАТЬ|SELECT)\b", re.IGNORECASE)
_VIRTUAL = frozenset(
    ["остатки", "balance", "обороты", "turnovers", "остаткииобороты", "balanceandturnovers", "срезпоследних", "slicelast", "срезпервых", "slicefirst", "оборотыдткт", "drcrturnovers", "движенияссубконто", "recordswithextdimensions"]
)
_REFERENCE = frozenset({"ссылка", "ref"})
# Kind, register, virtual table.
_VIRTUAL_PARTS = 3
# alias.field is a column; one more segment is a join that nobody wrote.
_PLAIN_PARTS = 2

Rule = Callable[[tree.Query], Iterator[tuple[str, int]]]


def query_findings(module: nodes.Module) -> Iterator[AntiPattern]:
    for literal in walk([module.routines, module.body]):
        if isinstance(literal, nodes.Literal) and isinstance(literal.value, str) and _BEGINS.match(literal.value):
            yield from _text_findings(literal.value, literal)


def _text_findings(text: str, literal: nodes.Literal) -> Iterator[AntiPattern]:
    try:
        batch = parse(text)
    except (QueryError, EngineError, RecursionError):
        return
    found = list(walk(batch.statements))
    if any(isinstance(node, tree.Call) and not node.known for node in found):
        return  # a query with an unknown function does not parse for the diagnostics either
    for query in (node for node in found if isinstance(node, tree.Query)):
        for rule in _RULES:
            for code, at in rule(query):
                yield _placed(code, text, at, literal)


def _placed(code: str, text: str, at: int, literal: nodes.Literal) -> AntiPattern:
    line = text.count("\n", 0, at)
    column = at - text.rfind("\n", 0, at)
    return AntiPattern(code, literal.line + line, column if line else literal.column + at)


def _own(root: object) -> Iterator[tree.Node]:
    """Nodes of one query without those of the queries nested in it: they are visited by themselves."""
    return walk(root, lambda node: not isinstance(node, tree.Query))


def _virtual(source: tree.Node) -> bool:
    return (
        isinstance(source, tree.TableSource)
        and len(source.path.parts) == _VIRTUAL_PARTS
        and source.path.parts[-1].lower() in _VIRTUAL
    )


def _sources(query: tree.Query) -> Iterator[tree.Node]:
    for branch in query.branches:
        yield from _own(branch.sources)


def _bare_virtual_tables(query: tree.Query) -> Iterator[tuple[str, int]]:
    for source in _sources(query):
        if _virtual(source) and not any(parameter is not None for parameter in source.parameters or ()):  # type: ignore[attr-defined]
            yield "VirtualTableCallWithoutParameters", source.at


def _joins(query: tree.Query) -> Iterator[tuple[str, int]]:
    for source in _sources(query):
        if isinstance(source, tree.Join):
            for side in (source.left, source.right):
                if _virtual(side):
                    yield "JoinWithVirtualTable", side.at
                elif isinstance(side, tree.QuerySource):
                    yield "JoinWithSubQuery", side.at


def _or_in_where(query: tree.Query) -> Iterator[tuple[str, int]]:
    for branch in query.branches:
        for node in _own(branch.where):
            if isinstance(node, tree.Logic) and node.operator == "ИЛИ":
                yield "LogicalOrInTheWhereSectionOfQuery", node.at


def _top_without_order(query: tree.Query) -> Iterator[tuple[str, int]]:
    """ПЕРВЫЕ 1 asks for any row, and any row is what it gets."""
    tops = [branch for branch in query.branches if branch.top is not None and branch.top > 1]
    if tops and not query.order and not query.auto_order:
        yield "SelectTopWithoutOrderBy", tops[0].at


def _column_paths(query: tree.Query) -> Iterator[tree.Path]:
    """Paths that name columns: those of tables, of ЗНАЧЕНИЕ, of ТИП and of virtual tables' parameters are others."""
    tables = (tree.TableSource, tree.Query, tree.ValueOf, tree.TypeOf, tree.RefTest, tree.TypeName)
    for branch in query.branches:
        for node in walk(branch, lambda node: not isinstance(node, tables)):
            if isinstance(node, tree.Path):
                yield node
            elif isinstance(node, tree.RefTest) and isinstance(node.operand, tree.Path):
                yield node.operand


def _nested_fields(query: tree.Query) -> Iterator[tuple[str, int]]:
    for path in _column_paths(query):
        if len(path.parts) > _PLAIN_PARTS and not _is_reference(path.parts[1:]):
            yield "QueryNestedFieldsByDot", path.at


def _is_reference(parts: tuple[str, ...]) -> bool:
    return any(part.lower() in _REFERENCE for part in parts)


def _reference_overuse(query: tree.Query) -> Iterator[tuple[str, int]]:
    for path in _column_paths(query):
        if len(path.parts) > _PLAIN_PARTS and _is_reference(path.parts[1:]):
            yield "RefOveruse", path.at


_RULES: tuple[Rule, ...] = (
    _bare_virtual_tables,
    _joins,
    _or_in_where,
    _top_without_order,
    _nested_fields,
    _reference_overuse,
)
