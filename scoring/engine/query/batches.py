"""Running query texts: parse, plan (both cached), execute the statements of a batch one after another."""

from __future__ import annotations

import decimal
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from scoring.engine.metadata.types import TypeDescription, string_type
from scoring.engine.query import tree
from scoring.engine.query.environment import Environment
from scoring.engine.query.execution import Execution
from scoring.engine.query.failures import QueryError
from scoring.engine.query.parameters import ParameterShape, shape_of_parameter
from scoring.engine.query.parser import parse
from scoring.engine.query.planner import plan_query
from scoring.engine.query.plans import QueryPlan
from scoring.engine.query.support import year_too_large
from scoring.engine.query.temporary import StoredResult, TemporaryTables
from scoring.engine.query.totals import Record
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.dates import ONEC_MAX_YEAR
from scoring.engine.values.types import NUMBER

# Sums and products inside a query are exact up to this many digits; 1C numbers have at most 38.
PRECISION = 200
# Plans kept per configuration; more texts than a run of candidates ever has at once.
MAX_PLANS = 4096


@dataclass(slots=True)
class Outcome:
    """What one statement gave: rows with columns, and records where the query has totals."""

    fields: list[FieldInfo]
    rows: list[tuple[Any, ...]]
    records: list[Record] | None = None
    groupings: tuple[str, ...] = ()
    stored: StoredResult | None = None  # what went into a temporary table; ``rows`` is then one row with their number


@dataclass(slots=True)
class PlannedBatch:
    """Statements in order; a drop is the table's name."""

    statements: list[QueryPlan | str]


_PLANS: WeakKeyDictionary[Any, dict[Any, PlannedBatch]] = WeakKeyDictionary()


def plan_batch(text: str, database: Any, parameters: dict[str, Any], temporary: TemporaryTables) -> PlannedBatch:
    """The plan of a text for these shapes of parameters and temporary tables; raises :class:`QueryError`."""
    batch = parse(text)
    named = {name.lower() for name in batch.parameters}
    signature = {key: shape_of_parameter(value) for key, value in parameters.items() if key in named}
    tables = {
        name: tuple((info.name, info.types) for info in result.fields) for name, result in temporary.tables.items()
    }
    key = (text, tuple(sorted(signature.items(), key=_name)), tuple(sorted(tables.items(), key=_name)))
    plans = _PLANS.setdefault(database.configuration, {})
    found = plans.get(key)
    if found is None:
        if len(plans) >= MAX_PLANS:
            plans.clear()
        found = plans[key] = _plan(batch, database, signature, temporary)
    return found


def _name(item: tuple[str, Any]) -> str:
    return item[0]


def _plan(
    batch: tree.Batch, database: Any, signature: dict[str, ParameterShape], temporary: TemporaryTables
) -> PlannedBatch:
    environment = Environment(database, signature, plan_query)
    environment.temporary = {name: list(result.fields) for name, result in temporary.tables.items()}
    statements: list[QueryPlan | str] = []
    for statement in batch.statements:
        if isinstance(statement, tree.Drop):
            _plan_drop(statement, environment)
            statements.append(statement.name)
        else:
            statements.append(_plan_statement(statement, environment))
    return PlannedBatch(statements)


def _plan_drop(statement: tree.Drop, environment: Environment) -> None:
    if environment.temporary.pop(statement.name.lower(), None) is None:
        raise QueryError(f'Таблица не найдена "{statement.name}"', statement.at)


def _plan_statement(statement: tree.Query, environment: Environment) -> QueryPlan:
    environment.used_parameters = set()
    plan = plan_query(statement, environment)
    plan.parameters = frozenset(environment.used_parameters)
    if not statement.into:
        plan.columns = [_shown_column(statement, place, info) for place, info in enumerate(plan.columns)]
    if statement.into:
        name = statement.into.lower()
        exists = name in environment.temporary
        if exists and not statement.append:
            raise QueryError(f'Временная таблица уже существует "{statement.into}"', statement.into_at)
        if not exists:
            environment.temporary[name] = list(plan.columns)
    return plan


def _shown_column(statement: tree.Query, place: int, info: FieldInfo) -> FieldInfo:
    """An empty string as a column of a result has length 0, which means unlimited to whoever writes into it later."""
    fields = statement.branches[0].fields
    literal = fields[place].expression if len(statement.branches) == 1 and len(fields) > place else None
    if isinstance(literal, tree.Literal) and type(literal.value) is str and not literal.value:
        return FieldInfo(info.name, info.english, string_type(0))
    return info


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Queries build many tuples and no cycles; walking them over and over made a join of 400,000 rows take 3.5 times as long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def run_batch(text: str, rt: Any, parameters: dict[str, Any], temporary: TemporaryTables) -> list[Outcome | None]:
    """Run all statements; None for a dropped table. ``parameters`` are keyed in lower case."""
    database = rt.database
    with decimal.localcontext() as context, _collector_paused():
        context.prec = PRECISION
        planned = plan_batch(text, database, parameters, temporary)
        outcomes: list[Outcome | None] = []
        for statement in planned.statements:
            if isinstance(statement, str):
                temporary.drop(statement)
                outcomes.append(None)
            else:
                outcomes.append(_run(statement, Execution(rt, database, parameters, temporary.tables), temporary))
    return outcomes


def _run(plan: QueryPlan, execution: Execution, temporary: TemporaryTables) -> Outcome:
    if not execution.check_dates(plan.parameters, ONEC_MAX_YEAR):
        raise year_too_large()
    _count(plan, execution.database)
    rows = plan.rows(execution)
    if plan.into:
        return _store(plan, rows, temporary)
    outcome = Outcome(plan.columns, rows)
    if plan.totals is not None:
        outcome.records = plan.totals.records(rows, execution, len(plan.columns))
        outcome.groupings = tuple(point.name for point in plan.totals.points)
    return outcome


def _count(plan: QueryPlan, database: Any) -> None:
    """One query, and one read for every register among the stored tables it names."""
    registers = [path for path in plan.paths if path.startswith("Регистр")]
    database.count_access("query", registers[0] if registers else "")
    for _ in registers[1:]:
        database.counters.register += 1


_COUNT_COLUMN = [FieldInfo("Количество", "Count", TypeDescription((NUMBER,), digits=10))]


def _store(plan: QueryPlan, rows: list[tuple[Any, ...]], temporary: TemporaryTables) -> Outcome:
    stored = StoredResult(list(plan.columns), list(rows))
    known = temporary.tables.get(plan.into.lower())
    if plan.append and known is not None:
        known.rows.extend(rows)
    else:
        temporary.put(plan.into, stored)
    return Outcome(_COUNT_COLUMN, [(len(rows),)], stored=stored)
