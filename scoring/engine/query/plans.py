"""What a planned query is made of, and how it runs: scan, join, filter, group, project, sort, unite.

Rows of a single source travel as they are; with more sources a row is a tuple of source rows. Functions of a branch are
compiled together (:class:`Unit`) and named here by their index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scoring.engine.errors import LimitReached
from scoring.engine.query.codegen import Unit
from scoring.engine.query.shapes import mixed_key
from scoring.engine.query.sorting import SortKey, sort_rows
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.model import NULL

if TYPE_CHECKING:
    from scoring.engine.query.execution import Execution
    from scoring.engine.query.origins import Origin

Rows = list[Any]
Functions = Sequence[Callable[..., Any]]


@dataclass(slots=True)
class Leaf:
    """One table of FROM; ``filters`` are functions of all rows, applied while scanning."""

    origin: Origin
    slot: int
    width: int
    wrap: bool
    filters: list[int] = field(default_factory=list)
    first: int = 0
    last: int = 0

    def rows(self, execution: Execution, functions: Functions) -> Rows:
        rows = self.origin.rows(execution)
        for index in self.filters:
            rows = functions[index](rows)
        if self.wrap:
            return [(row,) for row in rows]
        return rows if isinstance(rows, list) else list(rows)

    @property
    def nulls(self) -> tuple[Any, ...]:
        return ((NULL,) * self.width,)


@dataclass(slots=True)
class JoinStep:
    """``kind``: inner, left, right, full. Keys are functions rows → keys (NULL matches nothing); without keys every pair is
    tried. ``residual`` filters joined rows."""

    kind: str
    left: Leaf | JoinStep
    right: Leaf | JoinStep
    left_keys: int = -1
    right_keys: int = -1
    residual: int = -1
    first: int = 0
    last: int = 0

    @property
    def nulls(self) -> tuple[Any, ...]:
        return self.left.nulls + self.right.nulls

    def rows(self, execution: Execution, functions: Functions) -> Rows:
        left, right = self.left.rows(execution, functions), self.right.rows(execution, functions)
        if self.left_keys < 0:
            execution.charge_pairs(len(left) * len(right))
        room = execution.most_rows
        if self.kind == "right":
            return self._outer_rows(right, left, functions, room, swapped=True)
        return self._outer_rows(left, right, functions, room, swapped=False)

    def _outer_rows(self, driving: Rows, other: Rows, functions: Functions, room: int, swapped: bool) -> Rows:
        """Joined rows in the order of ``driving``, ``room`` at most; the left-hand columns always come first."""
        residual = functions[self.residual] if self.residual >= 0 else None
        matches = self._matcher(other, functions, swapped)
        keys = self._keys(driving, functions, swapped)
        keep = self.kind != "inner"
        nulls = self.left.nulls if swapped else self.right.nulls
        if residual is None and not swapped and self.kind != "full":
            return _plain_join(driving, keys, matches, nulls if keep else None, room)
        matched: set[int] = set()
        result: Rows = []
        for row, key in zip(driving, keys, strict=True):
            found = matches(key)
            pairs = [other_row + row for other_row in found] if swapped else [row + other_row for other_row in found]
            if residual is not None and pairs:
                pairs = residual(pairs)
            if len(result) > room:
                raise LimitReached("memory", room)
            if pairs:
                result += pairs
                if self.kind == "full":
                    width = len(row)
                    matched.update(id(pair[width]) for pair in pairs)
            elif keep:
                result.append(nulls + row if swapped else row + nulls)
        if self.kind == "full":
            missing = self.left.nulls
            result += [missing + row for row in other if id(row[0]) not in matched]
        return result

    def _keys(self, driving: Rows, functions: Functions, swapped: bool) -> Sequence[Any]:
        index = self.right_keys if swapped else self.left_keys
        return functions[index](driving) if index >= 0 else [None] * len(driving)

    def _matcher(self, other: Rows, functions: Functions, swapped: bool) -> Callable[[Any], Rows]:
        index = self.left_keys if swapped else self.right_keys
        if index < 0:
            return lambda key: other
        table: dict[Any, Rows] = {}
        for key, row in zip(functions[index](other), other, strict=True):
            if key is not NULL:
                bucket = table.get(key)
                if bucket is None:
                    table[key] = [row]
                else:
                    bucket.append(row)
        get = table.get
        nothing: Rows = []
        return lambda key: get(key, nothing)


def _plain_join(
    driving: Rows, keys: Sequence[Any], matches: Callable[[Any], Rows], nulls: tuple[Any, ...] | None, room: int
) -> Rows:
    """An inner or left join by keys alone; ``nulls`` stand for what a left join does not find."""
    result: Rows = []
    append = result.append
    for row, key in zip(driving, keys, strict=True):
        found = matches(key)
        if found:
            if len(result) > room:
                raise LimitReached("memory", room)
            for other in found:
                append(row + other)
        elif nulls is not None:
            append(row + nulls)
    return result


@dataclass(slots=True)
class Branch:
    """One SELECT. ``project`` gives tuples of the visible columns and then ``hidden`` ones that only sorting needs."""

    unit: Unit
    source: Leaf | JoinStep | None
    where: int
    group: list[tuple[int, int, int]]  # per grouping set: functions group, having (−1), project
    project: int
    columns: list[FieldInfo]
    hidden: int
    distinct: bool
    top: int | None
    single_group: bool = False

    def rows(self, execution: Execution) -> Rows:
        functions = execution.functions(self.unit)
        rows: Rows = self.source.rows(execution, functions) if self.source is not None else [()]
        if self.where >= 0:
            rows = functions[self.where](rows)
        if self.group:
            rows = self._grouped(rows, functions)
        else:
            rows = functions[self.project](rows)
        return distinct_rows(rows, len(self.columns)) if self.distinct else rows

    def _grouped(self, rows: Rows, functions: Functions) -> Rows:
        result: Rows = []
        for group, having, project in self.group:
            groups = functions[group](rows) if group >= 0 else [rows]
            if having >= 0:
                groups = functions[having](groups)
            result += functions[project](groups)
        return result


@dataclass(slots=True)
class QueryPlan:
    """Branches united, sorted, cut. ``columns`` are the visible ones."""

    branches: list[Branch]
    union_all: list[bool]
    columns: list[FieldInfo]
    order: list[SortKey]
    sorter: Unit | None = None  # computes sort keys over the columns of a union
    sorter_index: int = -1
    totals: Any = None
    paths: tuple[str, ...] = ()
    into: str = ""
    append: bool = False
    parameters: frozenset[str] = frozenset()

    def rows(self, execution: Execution) -> list[tuple[Any, ...]]:
        rows = self.branches[0].rows(execution)
        if len(self.branches) > 1:
            rows = self._united(rows, execution)
        width = len(self.columns)
        if self.sorter is not None:
            rows = execution.functions(self.sorter)[self.sorter_index](rows)
        if self.order:
            rows = sort_rows(rows, self.order)
        top = self.branches[0].top if len(self.branches) == 1 else None
        if top is not None:
            rows = rows[:top]
        if rows and len(rows[0]) > width:
            rows = [row[:width] for row in rows]
        return rows

    def _united(self, rows: Rows, execution: Execution) -> Rows:
        width = len(self.columns)
        rows = [row[:width] for row in rows[: self.branches[0].top]]
        for branch, keep_all in zip(self.branches[1:], self.union_all, strict=True):
            rows = rows + [row[:width] for row in branch.rows(execution)[: branch.top]]
            if not keep_all:
                rows = distinct_rows(rows, width)
        return rows


def distinct_rows(rows: Rows, width: int) -> Rows:
    """The first of equal rows; strings are equal whatever their case."""
    seen: dict[tuple[Any, ...], Any] = {}
    for row in rows:
        seen.setdefault(tuple([mixed_key(value) for value in row[:width]]), row)
    return list(seen.values())

