"""СравнениеЗначений: 1C only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.engine.collections.base import Collection
from scoring.engine.collections.faults import is_onescript
from scoring.engine.collections.ordering import typed_key
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import ONEC, constructor, member
from scoring.engine.values.model import MISSING

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime


class ValueComparison(Collection):
    """СравнениеЗначений."""

    __slots__ = ()
    type_name = ("СравнениеЗначений", "CompareValues")

    @member("Сравнить", "Compare", dialects=(ONEC,))
    def compare(self, rt: Runtime, left: Any, right: Any) -> int:
        """-1, 0 or 1: by type first, then by value."""
        first, second = typed_key(rt, left), typed_key(rt, right)
        return (first > second) - (first < second)


def check_comparer(rt: Runtime, comparer: Any, number: int) -> None:
    """1C takes nothing else for an order than this object (``number`` is the argument's place); OneScript ignores it."""
    if comparer is MISSING or comparer is None or isinstance(comparer, ValueComparison) or is_onescript(rt):
        return
    raise BslRuntimeError("argument_type", number=number)


@constructor("СравнениеЗначений", "CompareValues", dialects=(ONEC,))
def construct_comparison(rt: Runtime) -> ValueComparison:
    return ValueComparison()
