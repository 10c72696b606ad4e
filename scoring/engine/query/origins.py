"""Where the rows of a source come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from scoring.engine.query.failures import wrong_parameters
from scoring.engine.query.parameters import table_rows
from scoring.engine.storage.relations import ArgumentError

if TYPE_CHECKING:
    from scoring.engine.query.execution import Execution
    from scoring.engine.query.plans import QueryPlan

class Origin(Protocol):
    nullable_fields: bool

    def rows(self, execution: Execution) -> Iterable[Sequence[Any]]: ...


@dataclass(slots=True)
class StoredOrigin:
    path: str
    nullable_fields: bool

    def rows(self, execution: Execution) -> Iterable[Sequence[Any]]:
        return execution.database.relation(self.path).rows()  # type: ignore[no-any-return]


@dataclass(slots=True)
class VirtualOrigin:
    """``arguments`` give the values for an execution; ``keywords`` are the literal ones (periodicity …)."""

    path: str
    title: str
    keywords: list[str | None]
    arguments: list[Callable[[Execution], Any] | None]
    positions: list[int]
    mentioned: set[str]
    nullable_fields: bool

    def rows(self, execution: Execution) -> Iterable[Sequence[Any]]:
        values = [argument(execution) if argument else None for argument in self.arguments]
        pairs = list(zip(self.keywords, values, strict=True))
        table = execution.database.relation(self.path)
        try:
            table = table.bind([keyword for keyword, _ in pairs])
            execution.database.count_access(table.operation, table.register_path)
            arguments = [value if keyword is None else keyword for keyword, value in pairs]
            return list(table.compute(arguments, frozenset(self.mentioned)))
        except ArgumentError as wrong:
            raise wrong_parameters(f"{self.title}, {wrong.parameter}", self.positions[wrong.parameter]) from None


@dataclass(slots=True)
class TemporaryOrigin:
    name: str
    nullable_fields: bool = True

    def rows(self, execution: Execution) -> Iterable[Sequence[Any]]:
        return execution.temporary[self.name].rows


@dataclass(slots=True)
class QueryOrigin:
    plan: QueryPlan
    nullable_fields: bool = True

    def rows(self, execution: Execution) -> Iterable[Sequence[Any]]:
        return self.plan.rows(execution)


@dataclass(slots=True)
class ParameterOrigin:
    """A value table as the source of a temporary one; values that do not fit a column's type become NULL."""

    name: str
    nullable_fields: bool = True

    def rows(self, execution: Execution) -> Iterable[Sequence[Any]]:
        return table_rows(execution.parameters[self.name])

