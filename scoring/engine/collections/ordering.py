"""How collections sort.

OneScript sorts by .NET's introspective sort, which is *not* stable above 16 elements (nor at 3): equal elements come out in an
order that follows from the algorithm, so it is followed step by step wherever equal elements exist. Its comparers are not even
transitive for values of mixed types. 1C sorts stably by type, then by value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from scoring.engine.collections.faults import external, is_onescript
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.model import NULL
from scoring.engine.values.types import TypeValue, type_names

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime

T = TypeVar("T")
Comparison = Callable[[Any, Any], int]

# .NET leaves partitions of up to this many elements to insertion sort.
INSERTION_LIMIT = 16


# ── .NET's introspective sort ──────────────────────────────────────────────────────────────────────────────────────────


def introsort(items: list[Any], compare: Comparison) -> None:
    """Sort in place exactly as ``List<T>.Sort`` of .NET does."""
    if len(items) > 1:
        _intro(items, 0, len(items) - 1, 2 * len(items).bit_length(), compare)


def _intro(items: list[Any], low: int, high: int, depth: int, compare: Comparison) -> None:
    while high > low:
        size = high - low + 1
        if size <= INSERTION_LIMIT:
            _small(items, low, high, size, compare)
            return
        if depth == 0:
            _heapsort(items, low, high, compare)
            return
        depth -= 1
        pivot = _partition(items, low, high, compare)
        _intro(items, pivot + 1, high, depth, compare)
        high = pivot - 1


def _small(items: list[Any], low: int, high: int, size: int, compare: Comparison) -> None:
    if size == 2:
        _order(items, low, high, compare)
    elif size == 3:
        _order(items, low, high - 1, compare)
        _order(items, low, high, compare)
        _order(items, high - 1, high, compare)
    else:
        _insertion(items, low, high, compare)


def _order(items: list[Any], first: int, second: int, compare: Comparison) -> None:
    if compare(items[first], items[second]) > 0:
        items[first], items[second] = items[second], items[first]


def _insertion(items: list[Any], low: int, high: int, compare: Comparison) -> None:
    for last in range(low, high):
        moving = items[last + 1]
        place = last
        while place >= low and compare(moving, items[place]) < 0:
            items[place + 1] = items[place]
            place -= 1
        items[place + 1] = moving


def _partition(items: list[Any], low: int, high: int, compare: Comparison) -> int:
    middle = low + (high - low) // 2
    _order(items, low, middle, compare)
    _order(items, low, high, compare)
    _order(items, middle, high, compare)
    pivot = items[middle]
    items[middle], items[high - 1] = items[high - 1], pivot
    left, right = low, high - 1
    while left < right:
        left += 1
        while compare(items[left], pivot) < 0:
            left += 1
        right -= 1
        while compare(pivot, items[right]) < 0:
            right -= 1
        if left >= right:
            break
        items[left], items[right] = items[right], items[left]
    items[left], items[high - 1] = items[high - 1], items[left]
    return left


def _heapsort(items: list[Any], low: int, high: int, compare: Comparison) -> None:
    size = high - low + 1
    for root in range(size // 2, 0, -1):
        _sift(items, root, size, low, compare)
    for end in range(size, 1, -1):
        items[low], items[low + end - 1] = items[low + end - 1], items[low]
        _sift(items, 1, end - 1, low, compare)


def _sift(items: list[Any], root: int, size: int, low: int, compare: Comparison) -> None:
    moving = items[low + root - 1]
    while root <= size // 2:
        child = 2 * root
        if child < size and compare(items[low + child - 1], items[low + child]) < 0:
            child += 1
        if compare(moving, items[low + child - 1]) >= 0:
            break
        items[low + root - 1] = items[low + child - 1]
        root = child
    items[low + root - 1] = moving


# ── the same over ranks: most of the work done by CPython ─────────────────────────────────────────────────────────────


def introsort_ranks(ranks: list[int]) -> list[int]:
    """Positions in the order in which :func:`introsort` would leave elements of these ranks (not negative).

    Elements travel as ``rank * size + position``: a bound on the code compares ranks alone.
    """
    size = len(ranks)
    if len(set(ranks)) == size:  # no two are equal: any sort gives the same order
        return sorted(range(size), key=ranks.__getitem__)
    codes = [rank * size + position for position, rank in enumerate(ranks)]
    if size > 1:
        _intro_codes(codes, 0, size - 1, 2 * size.bit_length(), size, {})
    return [code % size for code in codes]


def _intro_codes(codes: list[int], low: int, high: int, depth: int, size: int, shuffles: dict[int, list[int]]) -> None:
    while high > low:
        count = high - low + 1
        if count <= INSERTION_LIMIT:
            if count == 3:
                _small(codes, low, high, count, lambda a, b: a // size - b // size)
            else:  # insertion sort is stable, as Python's is
                part = codes[low : high + 1]
                if min(part) // size != max(part) // size:
                    codes[low : high + 1] = sorted(part, key=size.__rfloordiv__)
            return
        if depth >= count.bit_length() and codes[low] // size == codes[high] // size:
            part = codes[low : high + 1]
            if min(part) // size == max(part) // size:
                codes[low : high + 1] = [part[position] for position in _shuffle(count, shuffles)]
                return
        if depth == 0:
            _heapsort(codes, low, high, lambda a, b: a // size - b // size)
            return
        depth -= 1
        pivot = _partition_codes(codes, low, high, size)
        _intro_codes(codes, pivot + 1, high, depth, size, shuffles)
        high = pivot - 1


def _shuffle(count: int, known: dict[int, list[int]]) -> list[int]:
    """Where ``count`` equal elements go: equal ones are halved step by step, whatever they are."""
    found = known.get(count)
    if found is None:
        found = list(range(count))
        if count > INSERTION_LIMIT:
            pivot = _partition_codes(found, 0, count - 1, count)
            left = [found[position] for position in _shuffle(pivot, known)]
            right = [found[pivot + 1 + position] for position in _shuffle(count - pivot - 1, known)]
            found = [*left, found[pivot], *right]
        known[count] = found
    return found


def _partition_codes(codes: list[int], low: int, high: int, size: int) -> int:
    middle = low + (high - low) // 2
    for first, second in ((low, middle), (low, high), (middle, high)):
        if codes[first] // size > codes[second] // size:
            codes[first], codes[second] = codes[second], codes[first]
    pivot = codes[middle]
    codes[middle], codes[high - 1] = codes[high - 1], pivot
    floor = pivot // size * size  # codes below it have a smaller rank
    ceiling = floor + size  # codes from it on have a greater one
    left, right = low + 1, high - 2
    while True:
        while (lower := codes[left]) < floor:
            left += 1
        while (upper := codes[right]) >= ceiling:
            right -= 1
        if left >= right:
            break
        codes[left], codes[right] = upper, lower
        left += 1
        right -= 1
    codes[left], codes[high - 1] = codes[high - 1], codes[left]
    return left


# ── keys: the fast road for columns of one type ────────────────────────────────────────────────────────────────────────


def plain_keys(rt: Runtime, values: Sequence[Any]) -> list[Any] | None:
    """Sortable keys where all values are of one ordered primitive type, else None."""
    kinds = set(map(type, values))
    if kinds == {str}:
        key_of = rt.dialect.sort_key_text
        known = {text: key_of(text) for text in set(values)}
        return [known[text] for text in values]
    if kinds <= {int, Decimal} or kinds == {datetime} or kinds == {bool}:
        return list(values)
    return None


def _ranks(keys: list[Any], descending: bool) -> list[int]:
    """Dense ranks of the keys from 0; reversed where descending."""
    place = {key: rank for rank, key in enumerate(sorted(set(keys), reverse=descending))}
    return [place[key] for key in keys]


def _composed(columns: list[list[int]]) -> list[int]:
    """One rank out of the ranks of several columns, the first column's being the weightiest."""
    composed = columns[0]
    for ranks in columns[1:]:
        width = max(ranks) + 1
        composed = [rank * width + finer for rank, finer in zip(composed, ranks, strict=True)]
    return composed


def _sort_distinct(items: list[T], keys: list[Any], descending: bool) -> list[T]:
    """Without equal keys any sort gives the same order."""
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=descending)
    return [items[position] for position in order]


def _sort_by_ranks(items: list[T], ranks: list[int]) -> list[T]:
    """``items`` in .NET's order of the given ranks."""
    return [items[position] for position in introsort_ranks(ranks)]


# ── OneScript ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _by_text(rt: Runtime, left: Any, right: Any) -> int:
    a, b = rt.text(left), rt.text(right)
    if a == b:
        return 0
    first, second = rt.dialect.sort_key_text(a), rt.dialect.sort_key_text(b)
    return (first > second) - (first < second)


def compare_cells(rt: Runtime, left: Any, right: Any) -> int:
    """Cells of a table: values of one type by value, of two types by their texts."""
    if type_names(left) == type_names(right):
        return rt.dialect.compare(rt, left, right)  # type: ignore[attr-defined]
    return _by_text(rt, left, right)


def compare_values(rt: Runtime, left: Any, right: Any) -> int:
    """Values of a list: by value where they can be compared, else by their texts."""
    try:
        return rt.dialect.compare(rt, left, right)  # type: ignore[attr-defined]
    except BslRuntimeError:
        return _by_text(rt, left, right)


def comparer_failed() -> BslRuntimeError:
    """What .NET makes of an exception inside a comparer."""
    return external("InvalidOperationException", "Failed to compare two elements in the array.")


Rule = tuple[Callable[[Any], Any], bool]  # value of an element, descending?


def sorted_by_rules(
    rt: Runtime, items: list[T], rules: list[Rule], columns_of: Callable[[], list[list[Any]]] | None = None
) -> list[T]:
    """Rows in order of several columns, as the dialect sorts them. ``columns_of`` gives each rule's values of all items, where
    that costs less than asking the rule for one after another."""
    if len(items) < 2:
        return list(items)
    if not is_onescript(rt):
        return _sorted_stably(rt, items, rules)
    values = columns_of() if columns_of is not None else [list(map(value_of, items)) for value_of, _ in rules]
    columns = [plain_keys(rt, column) for column in values]
    if len(columns) == 1 and columns[0] is not None and len(set(columns[0])) == len(items):
        return _sort_distinct(items, columns[0], rules[0][1])
    if all(keys is not None for keys in columns):
        ranks = [_ranks(keys or [], down) for keys, (_, down) in zip(columns, rules, strict=True)]
        return _sort_by_ranks(items, _composed(ranks))
    return _sorted_mixed(rt, items, rules)


def _sorted_mixed(rt: Runtime, items: list[T], rules: list[Rule]) -> list[T]:
    def compare(left: T, right: T) -> int:
        for value_of, descending in rules:
            result = compare_cells(rt, value_of(left), value_of(right))
            if result:
                return -result if descending else result
        return 0

    result = list(items)
    try:
        introsort(result, compare)
    except BslRuntimeError:
        raise comparer_failed() from None
    except IndexError:
        raise external("ArgumentException", "Unable to sort because the IComparer.Compare() method returns "
                       "inconsistent results.") from None
    return result


def sorted_by_value(rt: Runtime, items: list[T], value_of: Callable[[T], Any], descending: bool) -> list[T]:
    """Items of a value list in order of one of their properties."""
    if not is_onescript(rt):
        return _sorted_stably(rt, items, [(value_of, descending)])
    keys = plain_keys(rt, [value_of(item) for item in items])
    if keys is not None:
        return _sort_by_ranks(items, _ranks(keys, descending))
    sign = -1 if descending else 1
    result = list(items)
    introsort(result, lambda a, b: sign * compare_values(rt, value_of(a), value_of(b)))
    return result


# ── 1C ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

_TYPE_ORDER = {bool: 2, int: 3, Decimal: 3, str: 4, datetime: 5, TypeValue: 6}
_OBJECTS = 7


def typed_key(rt: Runtime, value: Any) -> tuple[int, Any]:
    """A key that orders values of any types: by type first (Неопределено, NULL, Булево, Число, Строка, Дата, Тип, objects),
    objects by their presentation."""
    if value is None:
        return 0, 0
    if value is NULL:
        return 1, 0
    rank = _TYPE_ORDER.get(type(value), _OBJECTS)
    if rank == 4:
        return rank, rt.dialect.sort_key_text(value)
    return rank, rt.dialect.sort_key_text(rt.text(value)) if rank >= 6 else value


def _sorted_stably(rt: Runtime, items: list[T], rules: list[Rule]) -> list[T]:
    result = list(items)
    for value_of, descending in reversed(rules):
        keys = {id(item): typed_key(rt, value_of(item)) for item in result}
        result.sort(key=lambda item: keys[id(item)], reverse=descending)
    return result
