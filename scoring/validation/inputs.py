"""Inputs to try beyond the tests: their arguments recombined and bent a little."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scoring import wire
from scoring.bundles.model import DataTests, TaskBundle, TestCase
from scoring.wire import Wire

_SEED = 20260723
# Attempts per input wanted: many recombinations are equal.
_ATTEMPTS = 8


@dataclass(frozen=True, slots=True)
class Probe:
    """A case without expectation, and its arguments for people."""

    case: TestCase
    shown: str


def probes_of(bundle: TaskBundle, most: int) -> list[Probe]:
    """At most ``most`` different inputs, the same ones each time. None for a test module: it makes its inputs itself."""
    if not isinstance(bundle.tests, DataTests):
        return []
    cases = [case for case in bundle.tests.cases if case.args]
    chance = random.Random(_SEED)
    found: dict[str, Probe] = {}
    for _ in range(most * _ATTEMPTS):
        if not cases or len(found) >= most:
            break
        base = chance.choice(cases)
        args = tuple(_argument(place, base, cases, chance) for place in range(len(base.args)))
        shown = ", ".join(map(wire.show, args))
        case = TestCase(len(found), "", args, arrange=base.arrange)
        found.setdefault(shown, Probe(case, shown))
    return list(found.values())


def _argument(place: int, base: TestCase, cases: list[TestCase], chance: random.Random) -> Wire:
    """The base's own argument, another case's at this place, or either bent."""
    pool = [case.args[place] for case in cases if len(case.args) > place and not (case.arrange and case is not base)]
    value = chance.choice(pool) if pool and chance.random() < 0.5 else base.args[place]
    return bent(value, chance) if chance.random() < 0.6 else value


def bent(value: Wire, chance: random.Random) -> Wire:
    """A neighbour of the value; expressions of the author stay as they are."""
    if value is None or isinstance(value, bool):
        return not value if isinstance(value, bool) else value
    if isinstance(value, str):
        return chance.choice(list(_texts(value)))
    bend = _BENDERS.get(value[0])
    return bend(value, chance) if bend else value


def _texts(value: str) -> Iterator[str]:
    yield ""
    yield value + value
    yield value[::-1]
    yield value[1:]
    yield value[:-1]
    yield value.upper()
    yield " " + value
    yield value[:1]


def _number(value: Wire, chance: random.Random) -> Wire:
    number = Decimal(value[1])
    return wire.number(chance.choice([number + 1, number - 1, -number, Decimal(0), Decimal(1), number * 2, number + Decimal("0.5")]))


def _array(value: Wire, chance: random.Random) -> Wire:
    return ["a", _sequence(value[1], chance)]


def _sequence(items: list[Any], chance: random.Random) -> list[Any]:
    if not items:
        return items
    place = chance.randrange(len(items))
    choices: list[Callable[[], list[Any]]] = [
        lambda: items[:place] + items[place + 1 :],
        lambda: items[:place] + [items[place]] + items[place:],
        lambda: items[::-1],
        list,
        lambda: items[: place + 1],
        lambda: items[:place] + [bent(items[place], chance)] + items[place + 1 :],
        lambda: items[:place] + [bent(items[place], chance)] + items[place + 1 :],
    ]
    return chance.choice(choices)()


def _keyed(value: Wire, chance: random.Random) -> Wire:
    pairs = value[1]
    if not pairs:
        return value
    place = chance.randrange(len(pairs))
    key, content = pairs[place]
    return [value[0], [*pairs[:place], [key, bent(content, chance)], *pairs[place + 1 :]]]


def _table(value: Wire, chance: random.Random) -> Wire:
    columns, rows = value[1], value[2]
    if rows and columns and chance.random() < 0.5:
        row, cell = chance.randrange(len(rows)), chance.randrange(len(columns))
        changed = [*rows[row][:cell], bent(rows[row][cell], chance), *rows[row][cell + 1 :]]
        return ["t", columns, [*rows[:row], changed, *rows[row + 1 :]]]
    place = chance.randrange(len(rows)) if rows else 0
    return ["t", columns, chance.choice([rows[:place] + rows[place + 1 :], rows[::-1], rows + rows[place : place + 1]])]


_BENDERS: dict[str, Callable[[Wire, random.Random], Wire]] = {
    "n": _number, "a": _array, "s": _keyed, "m": _keyed, "t": _table,
}  # fmt: skip
