"""Queries of the tree → plans. The order of checks is the genuine engine's: the tables of FROM, WHERE, joins, the select list,
grouping, ordering, and last the parameters of virtual tables: their number, then one by one names and kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scoring.engine.query import tree
from scoring.engine.query.codegen import Code, Unit
from scoring.engine.query.conditions import NotBoolean
from scoring.engine.query.environment import Environment
from scoring.engine.query.failures import QueryError, wrong_parameters
from scoring.engine.query.joins import JoinPlanner, conjuncts
from scoring.engine.query.ordering import plan_union_order
from scoring.engine.query.plans import Branch, QueryPlan
from scoring.engine.query.projection import ProjectionPlanner
from scoring.engine.query.scope import Scope
from scoring.engine.query.sources import JoinShape, SourceBuilder
from scoring.engine.query.totals import plan_totals
from scoring.engine.query.translate import Translator, joined_types
from scoring.engine.storage.relations import FieldInfo

if TYPE_CHECKING:
    Capture = Callable[[tree.Path, Unit], Code | None]

TYPE_NOT_SELECTABLE = "Тип не может быть выбран в запросе"


def plan_query(query: tree.Query, environment: Environment, outer: Capture | None = None) -> QueryPlan:
    """The plan of a query or a subquery; raises :class:`QueryError` as the genuine engine words it."""
    alone = len(query.branches) == 1
    planners = [BranchPlanner(query, select, environment, outer, alone) for select in query.branches]
    branches = [planner.plan() for planner in planners]
    columns = _united_columns(query, branches)
    plan = QueryPlan(branches, query.union_all, columns, planners[0].order if alone else [])
    plan.paths = tuple(path for planner in planners for path in planner.paths)
    if not alone:
        plan_union_order(query, plan, environment)
    if query.totals is not None:
        plan.totals = plan_totals(query, plan, environment)
    plan.into, plan.append = query.into, query.append
    _check_index(query, plan)
    return plan


def _united_columns(query: tree.Query, branches: list[Branch]) -> list[FieldInfo]:
    """Names of the first branch, types of all."""
    columns = branches[0].columns
    for number, branch in enumerate(branches[1:], 1):
        if len(branch.columns) != len(columns):
            raise QueryError("Количество полей в объединяемых запросах не совпадает", query.branches[number].at)
        columns = [
            FieldInfo(one.name, one.english, _united(one, other), one.nested)
            for one, other in zip(columns, branch.columns, strict=True)
        ]
    return columns


def _united(one: FieldInfo, other: FieldInfo) -> object:
    return joined_types(one.types, other.types)


def _check_index(query: tree.Query, plan: QueryPlan) -> None:
    """ИНДЕКСИРОВАТЬ ПО names columns of the temporary table; indexes themselves change nothing here."""
    names = {column.name.lower() for column in plan.columns}
    for node in query.index:
        if isinstance(node, tree.Path) and node.parts[-1].lower() not in names:
            raise QueryError(f'Поле не найдено "{node.text}"', node.at)


class BranchPlanner:
    """Plans one SELECT."""

    def __init__(
        self, query: tree.Query, select: tree.Select, environment: Environment, outer: Capture | None, alone: bool
    ) -> None:
        self.query = query
        self.select = select
        self.environment = environment
        self.alone = alone
        self.unit = Unit()
        self.scope = Scope(environment, self.unit)
        self.scope.outer = outer
        self.translator = Translator(environment, self.scope)
        self.paths: list[str] = []
        self.order: list = []  # type: ignore[type-arg]

    def plan(self) -> Branch:
        builder = SourceBuilder(self.environment, self.scope, self.select, bool(self.query.into))
        shapes = builder.build()
        self.paths = builder.paths
        self.scope.leaf = len(self.scope.sources) == 1
        where = conjuncts(self.select.where)
        self._check(where, shapes)
        projection = ProjectionPlanner(self.query, self.select, self.translator, self.alone, builder.external)
        projection.plan()
        self.order = projection.order
        if builder.deferred:
            raise builder.deferred[0]
        source, filter_index = JoinPlanner(self.translator, shapes, where).plan()
        self.unit.finish()
        return Branch(
            self.unit,
            source,
            filter_index,
            projection.groups,
            projection.project,
            projection.columns,
            projection.hidden,
            self.select.distinct,
            self.select.top,
        )

    def _check(self, where: list[tree.Node], shapes: list[JoinShape]) -> None:
        """Translate all conditions once for their errors, before anything else is looked at."""
        for condition in where:
            self._check_condition(condition, "ГДЕ")
        for shape in shapes:
            self._check_joins(shape)

    def _check_joins(self, shape: JoinShape) -> None:
        if shape.condition is None:
            return
        assert shape.left is not None and shape.right is not None
        self._check_joins(shape.left)
        self._check_joins(shape.right)
        self.scope.visible = shape.first, shape.last
        self._check_condition(shape.condition, "ПО")
        self.scope.visible = None

    def _check_condition(self, node: tree.Node, clause: str) -> None:
        try:
            self.translator.truth(node)
        except NotBoolean as refused:
            raise wrong_parameters(clause, refused.at or node.at) from None
