"""The tests among themselves: duplicates, tests that no mutant needs, tests copied from the condition, too coarse a scale."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from scoring import wire
from scoring.bundles.model import DataTests, TaskBundle, TestCase
from scoring.bundles.standards import Standards
from scoring.scorecard import rounded
from scoring.validation.junk import test_lines
from scoring.validation.report import Remark, TestFigure
from scoring.validation.strength import Tried
from scoring.wire import Wire

# What makes a value recognisable in the condition's text.
_TELLING_TEXT, _TELLING_DIGITS = 3, 3


def few_tests(bundle: TaskBundle, total: int, standards: Standards) -> list[Remark]:
    """Too few tests leave the scale of M with gaps."""
    if total >= standards.tests:
        return []
    reach = ", ".join(str(rounded(10 * passed / Fraction(total), 1)) for passed in range(total + 1)) if total else "0"
    params: dict[str, str | int] = {"have": total, "want": standards.tests, "reach": reach}
    return [Remark("few_tests", "tests", "error", _file(bundle), params=params)]


def figures(names: Sequence[str], tried: Sequence[Tried], junk: Mapping[int, int]) -> tuple[TestFigure, ...]:
    """What each test is worth among the others."""
    killed = [entry.failed for entry in tried if entry.fate == "killed"]
    return tuple(
        TestFigure(
            index,
            name,
            sum(index in failed for failed in killed),
            sum(failed == {index} for failed in killed),
            junk.get(index, 0),
        )
        for index, name in enumerate(names)
    )


def needless(bundle: TaskBundle, tests: Sequence[TestFigure], tried: Sequence[Tried]) -> list[Remark]:
    """Tests that notice no mutant, and how few would notice all that are noticed."""
    if not any(entry.fate == "killed" for entry in tried):
        return []
    lines = test_lines(bundle)
    found = [
        Remark("test_kills_nothing", "tests", "warning", _file(bundle), lines.get(test.index, 0), {"test": test.index + 1, "name": test.name})
        for test in tests
        if test.kills == 0
    ]
    enough = cover([entry.failed for entry in tried if entry.fate == "killed"])
    if len(enough) < len(tests):
        params: dict[str, str | int] = {"enough": ", ".join(str(index + 1) for index in sorted(enough)), "count": len(enough), "total": len(tests)}
        found.append(Remark("tests_that_suffice", "tests", "note", _file(bundle), params=params))
    return found


def cover(killed: Sequence[frozenset[int]]) -> set[int]:
    """A small set of tests that together notice every noticed mutant (greedy, so not always the smallest)."""
    left = list(killed)
    chosen: set[int] = set()
    while left:
        counts: dict[int, int] = {}
        for failed in left:
            for index in failed:
                counts[index] = counts.get(index, 0) + 1
        best = min(counts, key=lambda index: (-counts[index], index))
        chosen.add(best)
        left = [failed for failed in left if best not in failed]
    return chosen


def duplicates(bundle: TaskBundle) -> list[Remark]:
    """Tests that ask the same thing again, and tests that the condition gives away."""
    if not isinstance(bundle.tests, DataTests):
        return []
    lines = test_lines(bundle)
    seen: dict[str, int] = {}
    found = []
    for case in bundle.tests.cases:
        what = repr((case.args, case.arrange, case.expected, case.check, case.raises))
        if what in seen:
            params: dict[str, str | int] = {"test": case.index + 1, "other": seen[what] + 1}
            found.append(Remark("test_duplicate", "tests", "warning", "tests.yaml", lines.get(case.index, 0), params))
        seen.setdefault(what, case.index)
        if in_condition(case, bundle.prompt):
            params = {"test": case.index + 1, "name": case.name}
            found.append(Remark("test_in_condition", "tests", "warning", "tests.yaml", lines.get(case.index, 0), params))
    return found


def in_condition(case: TestCase, prompt: str) -> bool:
    """Do all the values of the test stand in the condition, and is the input or the result recognisable?"""
    if not case.has_expected:
        return False
    atoms = [atom for value in (*case.args, case.expected) for atom in _atoms(value)]
    telling = [atom for atom in atoms if _is_telling(atom)]
    return bool(telling) and all(_stands_in(atom, prompt) for atom in atoms)


def _atoms(value: Wire) -> list[str]:
    if value is None or isinstance(value, bool):
        return []
    if isinstance(value, str):
        return [value] if value else []
    kind = value[0]
    if kind == "n":
        return [str(value[1])]
    if kind == "a":
        return [atom for entry in value[1] for atom in _atoms(entry)]
    if kind in ("s", "m"):
        return [atom for pair in value[1] for atom in _atoms(pair[1])]
    if kind == "t":
        return [atom for row in value[2] for cell in row for atom in _atoms(cell)]
    return [wire.show(value)]


def _is_telling(atom: str) -> bool:
    digits = sum(char.isdigit() for char in atom)
    return len(atom) >= _TELLING_TEXT and (digits >= _TELLING_DIGITS or not atom.replace(".", "").lstrip("-").isdigit())


def _stands_in(atom: str, prompt: str) -> bool:
    return re.search(r"(?<!\w)" + re.escape(atom) + r"(?!\w)", prompt) is not None


def _file(bundle: TaskBundle) -> str:
    return "tests.yaml" if isinstance(bundle.tests, DataTests) else "tests.bsl"
