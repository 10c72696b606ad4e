"""Ordering of unions: expressions over the columns of the result."""

from __future__ import annotations

from scoring.engine.query import tree
from scoring.engine.query.codegen import Unit
from scoring.engine.query.environment import Environment
from scoring.engine.query.plans import QueryPlan
from scoring.engine.query.scope import Scope, Source, index_fields
from scoring.engine.query.shapes import shape_of
from scoring.engine.query.sorting import SortKey
from scoring.engine.query.translate import Translator


class ResultOrigin:
    """The origin of rows that are a query's result."""

    nullable_fields = True


def result_scope(plan: QueryPlan, environment: Environment, unit: Unit) -> Scope:
    """A scope whose only table is the result itself."""
    scope = Scope(environment, unit)
    scope.sources.append(Source((), plan.columns, 0, ResultOrigin(), index_fields(plan.columns)))
    return scope


def plan_union_order(query: tree.Query, plan: QueryPlan, environment: Environment) -> None:
    """Give the plan of a union its sort keys; an expression that is no column becomes a hidden one."""
    unit = Unit()
    translator = Translator(environment, result_scope(plan, environment, unit))
    hidden: list[str] = []
    for item in query.order:
        code = translator.value(item.expression)
        index = next((place for place in range(len(plan.columns)) if code.text == f"r[{place}]"), -1)
        if index < 0:
            index = len(plan.columns) + len(hidden)
            hidden.append(code.text)
        natural = query.auto_order and shape_of(code.types) in "rm"
        plan.order.append(SortKey(index, item.descending, item.hierarchy, natural))
    if query.auto_order and not query.order:
        plan.order = [
            SortKey(place, natural=True)
            for place, column in enumerate(plan.columns)
            if shape_of(column.types) in "rm"
        ]
    if hidden:
        plan.sorter_index = unit.function("rows", f"return [(*r, {', '.join(hidden)}) for r in rows]")
        unit.finish()
        plan.sorter = unit
