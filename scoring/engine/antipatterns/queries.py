"""Anti-patterns of a query's text."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.walk import walk
from scoring.engine.errors import EngineError
from scoring.engine.query import tree
from scoring.engine.query.failures import QueryError
from scoring.engine.query.parser import parse

VIRTUAL_TABLES = frozenset(
    """
    остатки balance обороты turnovers остаткииобороты balanceandturnovers срезпоследних slicelast срезпервых slicefirst
    оборотыдткт drcrturnovers движенияссубконто recordswithextdimensions субконто extdimensions границы boundaries
    задачипоисполнителю tasksbyperformer данныеграфика scheduledata фактическийпериоддействия actualactionperiod
    базаданные base
    """.split()
)
# ``Ref``, the platform's own English name, is not known to the rule.
_REFERENCE = re.compile(r"ссылка|reference", re.IGNORECASE)
METADATA_TYPES = frozenset(
    """
    справочник catalog документ document перечисление enum константа constant регистрсведений informationregister
    регистрнакопления accumulationregister регистрбухгалтерии accountingregister регистррасчета calculationregister
    плансчетов chartofaccounts планвидовхарактеристик chartofcharacteristictypes планвидоврасчета chartofcalculationtypes
    планобмена exchangeplan бизнеспроцесс businessprocess задача task журналдокументов documentjournal
    последовательность sequence критерийотбора filtercriterion внешнийисточникданных externaldatasource
    """.split()
)
FILTER_CRITERIA = frozenset({"критерийотбора", "filtercriterion"})
# Rules of the language server that look at a query even where its own grammar has no place for a part of it.
_WITHOUT_A_WHOLE_TREE = frozenset({"QueryNestedFieldsByDot", "LogicalOrInTheWhereSectionOfQuery"})
# What may be lacking at the end of a text that breaks off, in it and in the queries around it.
_ENDINGS = tuple(
    lacking + around
    for lacking in ("", " ИСТИНА", " Х", " ПО ИСТИНА", " КАК Х ПО ИСТИНА", " ИЗ Х КАК Х", " ВЫБРАТЬ 1 КАК Х", " ТОГДА 1 КОНЕЦ", " КОНЕЦ")
    for around in ("", ")", "))", ") КАК Х ПО ИСТИНА", ")))", ") КАК Х ПО ИСТИНА) КАК Х")
)
_NAMELESS_ALIAS = re.compile(r"\b(?:как|as)\s*$", re.IGNORECASE)
Sources = dict[str, bool]


def query_patterns(text: str, places: list[tuple[int, int]]) -> list[AntiPattern]:
    """Findings of the query ``text``; ``places``: where in the module each of its lines begins."""
    read = read_query(text)
    if read is None:
        return []
    batch, whole = read
    checker = _Checker(text, places)
    for statement in batch.statements:
        if isinstance(statement, tree.Query):
            checker.query(statement)
    if whole and all(map(_is_known, walk(batch.statements))) and not _stumbles(batch):
        return checker.found
    return [pattern for pattern in checker.found if pattern.code in _WITHOUT_A_WHOLE_TREE]


def read_query(text: str) -> tuple[tree.Batch, bool] | None:
    """The query's tree, and is it whole: a text that breaks off is read with a made-up end. None: the platform refuses it."""
    try:
        batch, whole = parse(text), True
    except QueryError as error:
        completed = _completed(text) if error.at is not None and error.at >= len(text.rstrip()) - 1 else None
        if completed is None:
            return None
        batch, ending = completed
        # The server's parser itself puts in a single closing bracket, and does not mind an alias without a name.
        whole = ending == ")" or (ending == " Х" and bool(_NAMELESS_ALIAS.search(text)))
    except (EngineError, RecursionError):
        return None
    return (batch, whole) if all(map(_runs, walk(batch.statements))) else None


def _completed(text: str) -> tuple[tree.Batch, str] | None:
    for ending in _ENDINGS:
        with contextlib.suppress(QueryError, EngineError, RecursionError):
            return parse(text + ending), ending
    return None


class _Checker:
    """Walks a batch in order of the text, as the language server's own rules do with its tree."""

    def __init__(self, text: str, places: list[tuple[int, int]]) -> None:
        self.text = text
        self.places = places
        self.found: list[AntiPattern] = []
        # Within a parameter of a virtual table; a nested query there ends that for the rest of the parameter.
        self.in_parameter = False
        self.told: set[int] = set()

    def _add(self, code: str, at: int) -> None:
        line, column = self.places[self.text.count("\n", 0, at)]
        self.found.append(AntiPattern(code, line, column + at - self.text.rfind("\n", 0, at) - 1))

    # -- queries ----------------------------------------------------------------------------------------------------

    def query(self, query: tree.Query, outermost: Sources | None = None, around: Any = None) -> None:
        """Check a query. ``outermost``: the sources of the outermost query with fields around it; ``around``: what it stands in."""
        self._top(query, around or query)
        for branch in query.branches:
            self._select(branch, outermost)
        for part in (query.index, query.order, None if _loses_totals(query) else query.totals):
            self._fields(part)

    def _top(self, query: tree.Query, around: Any) -> None:
        """``ПЕРВЫЕ n`` without an order; a lone ``ПЕРВЫЕ 1`` is let through, in a union only with a condition."""
        union = len(query.branches) > 1
        if not union and _is_ordered(around):
            return
        for branch in query.branches:
            single = branch.top in (0, 1)
            if branch.top is not None and (not single or (union and branch.where is None)):
                self._add("SelectTopWithoutOrderBy", branch.top_at)

    def _select(self, select: tree.Select, outermost: Sources | None) -> None:
        self.in_parameter = False
        columns = list(_columns(select))
        if columns:
            own = _sources(select)
            sources = {**own, **(outermost or {})}
            outermost = own if outermost is None else outermost
            self._reference(columns, sources)
        self._nested(select.fields, outermost)
        for source in select.sources:
            self._source(source, outermost, joined=isinstance(source, tree.Join), around=source)
        for part in (select.where, select.group, select.grouping_sets, select.having):
            self._nested(part, outermost)
        for node in walk(select.where):
            if isinstance(node, tree.Logic) and node.operator == "ИЛИ":
                self._or(node)

    def _or(self, node: tree.Logic) -> None:
        """A condition of a nested query is part of the outer one: told once, by the first that has it."""
        for at in node.operators_at:
            if at not in self.told:
                self.told.add(at)
                self._add("LogicalOrInTheWhereSectionOfQuery", at)

    def _reference(self, columns: list[tree.Path], sources: Sources) -> None:
        for path in columns:
            over = _overuses_reference(path.parts, sources) if sources else len(path.parts) > 2 and bool(_REFERENCE.fullmatch(path.parts[-1]))
            if over:
                self._add("RefOveruse", path.at)

    # -- sources ----------------------------------------------------------------------------------------------------

    def _source(self, source: tree.Node, outermost: Sources | None, *, joined: bool, around: tree.Node) -> None:
        if isinstance(source, tree.Join):
            self._source(source.left, outermost, joined=True, around=around)
            self._source(source.right, outermost, joined=True, around=source.right)
            self._nested(source.condition, outermost)
        elif isinstance(source, tree.QuerySource):
            if joined:
                self._add("JoinWithSubQuery", source.query.branches[0].at)
            self.query(source.query, outermost, around)
        elif isinstance(source, tree.TableSource) and is_virtual(source):
            self._virtual(source, outermost, joined)

    def _virtual(self, source: tree.TableSource, outermost: Sources | None, joined: bool) -> None:
        if joined:
            self._add("JoinWithVirtualTable", source.at)
        parameters = list(source.parameters or [])
        criterion = source.path.parts[0].lower() in FILTER_CRITERIA
        if criterion or all(parameter is None for parameter in (parameters[1:] if len(parameters) > 1 else parameters)):
            self._add("VirtualTableCallWithoutParameters", source.at)
        for parameter in parameters:
            self.in_parameter = True
            self._nested(parameter, outermost)
            self.in_parameter = False

    # -- expressions --------------------------------------------------------------------------------------------------

    def _nested(self, part: Any, outermost: Sources | None) -> None:
        """Chains of points in an expression, and the queries within it."""
        for node in _own_nodes(part):
            if isinstance(node, tree.In) and node.query is not None:
                self.query(node.query, outermost, node)
            elif isinstance(node, tree.Path):
                if len(node.parts) > (1 if self.in_parameter else 2):
                    self._add("QueryNestedFieldsByDot", node.at)
            elif isinstance(node, tree.Dereference) and len(node.parts) > 1:
                self._add("QueryNestedFieldsByDot", node.at)

    def _fields(self, part: Any) -> None:
        """The same where no query can stand."""
        self._nested(part, None)


def is_virtual(source: tree.TableSource) -> bool:
    parts = source.path.parts
    if parts[0].lower() in FILTER_CRITERIA:
        return source.parameters is not None
    return len(parts) > 2 and parts[-1].lower() in VIRTUAL_TABLES


def _runs(node: Any) -> bool:
    """Not so with an unknown function, with a name longer than one of a type, a value or a table, nor with totals or a temporary
    table of a nested query: the platform refuses such a query."""
    if isinstance(node, tree.Call):
        return node.known
    if isinstance(node, (tree.QuerySource, tree.In)):
        return node.query is None or (node.query.totals is None and not node.query.into)
    return len(_type_name(node)) <= 2 and not (isinstance(node, (tree.ValueOf, tree.TableSource)) and len(node.path.parts) > 3)


def _type_name(node: Any) -> tuple[str, ...]:
    if isinstance(node, tree.RefTest):
        return node.table.parts
    return node.path.parts if isinstance(node, (tree.TypeName, tree.TypeOf)) and node.path else ()


def _is_known(node: Any) -> bool:
    """The language server's grammar has parameters for its virtual tables alone (not for bases of calculation registers)."""
    return not isinstance(node, tree.TableSource) or node.parameters is None or is_virtual(node)


def _stumbles(batch: tree.Batch) -> bool:
    """Lost totals are a fault to it, but at the very end of several queries."""
    alone = len(batch.statements) == 1
    checked = batch.statements if alone else batch.statements[:-1]
    return any(isinstance(one, tree.Query) and _loses_totals(one) for one in checked)


def _loses_totals(query: tree.Query) -> bool:
    """The language server takes the word ИТОГИ, where ПО follows, for the alias of a table or field that has none."""
    last = query.branches[-1]
    if query.totals is None or query.totals.fields or query.order or query.index or query.auto_order or last.for_update:
        return False
    later = (last.where, last.group, last.grouping_sets, last.having)
    ending = last.sources[-1] if last.sources else last.fields[-1]
    bare = isinstance(ending, (tree.TableSource, tree.ParameterSource, tree.SelectField)) and not ending.alias
    return bare and all(part is None for part in later)


def _is_ordered(part: Any) -> bool:
    return any(isinstance(node, tree.Query) and node.order for node in walk(part))


def _overuses_reference(parts: tuple[str, ...], sources: Sources) -> bool:
    if len(parts) < 2:
        return False
    if parts[0].lower() in METADATA_TYPES and len(parts) > 2:
        # The language server takes the first name for a metadata type, and loses its place in the chain.
        return any(_REFERENCE.fullmatch(part) for part in parts[2:-1])
    places = [index for index, part in enumerate(parts) if _REFERENCE.fullmatch(part)]
    last = places[-1] if places else 0
    if last == len(parts) - 1 and last:
        return parts[last - 1] not in sources
    if last == 1:
        return not sources.get(parts[0], False)
    return last > 1


def _sources(select: tree.Select) -> Sources:
    """Alias → is it a virtual or temporary table or a tabular section; of the query's own FROM."""
    found: Sources = {}
    for alias, special in _aliases(select.sources):
        found.setdefault(alias, special)
    return found


def _aliases(sources: list[tree.Node]) -> Iterator[tuple[str, bool]]:
    for source in sources:
        if isinstance(source, tree.Join):
            yield from _aliases([source.left, source.right])
        elif isinstance(source, tree.TableSource):
            parts = source.path.parts
            yield source.alias or (parts[0] if len(parts) == 1 else ""), len(parts) != 2 or is_virtual(source)
        elif isinstance(source, tree.QuerySource):
            yield source.alias, False
        elif isinstance(source, tree.ParameterSource):
            yield source.alias or f"&{source.name}", False


def _columns(part: Any) -> Iterator[tree.Path]:
    """The fields that a query names itself: not those of nested queries, nor of nested tables."""
    if isinstance(part, tree.Select):
        for inner in (part.fields, part.sources, part.where, part.group, part.grouping_sets, part.having):
            yield from _columns(inner)
    elif isinstance(part, tree.TableSource):
        yield from _columns(part.parameters)
    elif isinstance(part, tree.Join):
        for inner in (part.left, part.right, part.condition):
            yield from _columns(inner)
    elif isinstance(part, (list, tuple)):
        for item in part:
            yield from _columns(item)
    elif isinstance(part, tree.QuerySource):
        # The order of a nested query stands in the outer one, as the language server sees it.
        yield from _columns(part.query.order)
    else:
        for node in _own_nodes(part, nested_tables=False):
            if isinstance(node, tree.Path):
                yield node
            elif isinstance(node, tree.In) and node.query is not None:
                yield from _columns(node.query.order)


def _own_nodes(part: Any, nested_tables: bool = True) -> Iterator[tree.Node]:
    """The nodes of an expression in order of the text; a nested query is not entered. Names of tables and types are no fields."""
    if isinstance(part, (tree.Query, tree.ValueOf, tree.TypeOf, tree.TypeName)):
        return
    if isinstance(part, tree.NestedTable) and not nested_tables:
        return
    if isinstance(part, tree.RefTest):
        yield from _own_nodes(part.operand, nested_tables)
    elif isinstance(part, tree.In):
        # The operand stands before the query.
        for inner in (part.operand, part.items):
            yield from _own_nodes(inner, nested_tables)
        yield part
    elif isinstance(part, tree.Node):
        yield part
        for name in part.__dataclass_fields__:
            yield from _own_nodes(getattr(part, name), nested_tables)
    elif isinstance(part, (list, tuple)):
        for item in part:
            yield from _own_nodes(item, nested_tables)
