"""СравнениеЗначений: 1C only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.engine.collections.base import Collection
from scoring.engine.collections.ordering import typed_key
from scoring.engine.values.members import ONEC, constructor, member

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


@constructor("СравнениеЗначений", "CompareValues", dialects=(ONEC,))
def construct_comparison(rt: Runtime) -> ValueComparison:
    return ValueComparison()
