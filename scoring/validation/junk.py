"""Candidates that do nothing: an empty routine, each constant of the tests, an echo of each argument, an exception.

Hidden tests that let one of them reach a passing mark measure nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from scoring import wire
from scoring.bundles.model import DataTests, TaskBundle
from scoring.bundles.standards import Standards
from scoring.evidence import Observed
from scoring.validation.bench import Bench
from scoring.validation.report import Remark
from scoring.wire import Wire

# Values that any test may happen to want, as expressions.
_USUAL = (
    "Неопределено", "Истина", "Ложь", "0", "1", '""', "Новый Массив", "Новый Структура", "Новый Соответствие",
    "Новый ТаблицаЗначений",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Junk:
    """A candidate: ``kind`` is ``empty``, ``constant``, ``echo`` or ``exception``; ``what`` is the value for people."""

    kind: str
    what: str
    code: str


@dataclass(frozen=True, slots=True)
class JunkFound:
    """Remarks, and per test the number of junk candidates that pass it."""

    remarks: tuple[Remark, ...]
    passed: dict[int, int]


def junk_of(bundle: TaskBundle, entry: str, parameters: Sequence[str], constants: int) -> Iterator[Junk]:
    """Every candidate for a routine of that name and those parameters."""

    def code(body: str) -> str:
        return f"Функция {entry}({', '.join(parameters)}) Экспорт\n{body}\nКонецФункции\n"

    yield Junk("empty", "", code(""))
    yield Junk("exception", "", code('\tВызватьИсключение "не готово";'))
    for name in parameters:
        yield Junk("echo", name, code(f"\tВозврат {name};"))
    expressions = dict.fromkeys((*_expected(bundle), *_USUAL))
    for expression in list(expressions)[:constants]:
        yield Junk("constant", expression, code(f"\tВозврат {expression};"))


def _expected(bundle: TaskBundle) -> Iterator[str]:
    """The expected values that an expression can give."""
    if isinstance(bundle.tests, DataTests):
        for case in bundle.tests.cases:
            if case.has_expected and (expression := expression_of(case.expected)) is not None:
                yield expression


def expression_of(value: Wire) -> str | None:
    """An expression of 1C for the value; None for one that takes statements."""
    if value is None:
        return "Неопределено"
    if isinstance(value, bool):
        return "Истина" if value else "Ложь"
    if isinstance(value, str):
        return '"' + value.replace('"', '""').replace("\n", '" + Символы.ПС + "') + '"'
    if value[0] == "n":
        return str(value[1])
    if value[0] == "d":
        return "'" + "".join(char for char in value[1] if char.isdigit()) + "'"
    return "Новый Массив" if value[0] == "a" and not value[1] else None


def try_junk(
    bundle: TaskBundle, bench: Bench, standards: Standards, parameters: Sequence[str], done: Callable[[], None]
) -> JunkFound:
    """Run every junk candidate; too good a mark is an error, a test that one passes is named."""
    module = bench.module(bundle.canonical, bundle)
    if module.entry is None:
        return JunkFound((), {})
    candidates = list(junk_of(bundle, module.entry.name, parameters, standards.junk_constants))
    results = bench.score([(junk.code, bundle) for junk in candidates], done)
    remarks: list[Remark] = []
    passers: dict[int, list[Junk]] = defaultdict(list)
    for junk, result in zip(candidates, results, strict=True):
        meaning = result.card.value("M") or Decimal(0)
        if meaning >= standards.junk_below:
            params = {"kind": junk.kind, "what": junk.what, "mark": str(meaning), "below": str(standards.junk_below)}
            remarks.append(Remark("junk_scores", "junk", "error", _file(bundle), params=params))
        tests = result.evidence.tests
        if isinstance(tests, Observed) and tests.facts.stopped is None:
            for outcome in tests.facts.outcomes:
                if outcome.verdict == "passed":
                    passers[outcome.index].append(junk)
    lines = test_lines(bundle)
    passers = {index: telling for index, found in passers.items() if (telling := _telling(bundle, index, found))}
    remarks += [_named(index, found, lines.get(index, 0), bundle) for index, found in sorted(passers.items())]
    return JunkFound(tuple(remarks), {index: len(found) for index, found in passers.items()})


def _telling(bundle: TaskBundle, index: int, passers: Sequence[Junk]) -> list[Junk]:
    """The passers without the constant that is the test's own expected value: that one says nothing of the test."""
    own = None
    if isinstance(bundle.tests, DataTests) and bundle.tests.cases[index].has_expected:
        own = expression_of(bundle.tests.cases[index].expected)
    return [junk for junk in passers if junk.kind != "constant" or junk.what != own]


def _named(index: int, passers: Sequence[Junk], line: int, bundle: TaskBundle) -> Remark:
    first = passers[0]
    params: dict[str, str | int] = {"test": index + 1, "kind": first.kind, "what": first.what, "more": len(passers) - 1}
    return Remark("junk_pass_test" if len(passers) > 1 else "junk_passes_test", "junk", "note", _file(bundle), line, params)


def _file(bundle: TaskBundle) -> str:
    return "tests.yaml" if isinstance(bundle.tests, DataTests) else "tests.bsl"


def test_lines(bundle: TaskBundle) -> dict[int, int]:
    """Index of a test → its line in ``tests.yaml``; empty for a test module."""
    from scoring.strict_yaml import parse

    if not isinstance(bundle.tests, DataTests) or "tests.yaml" not in bundle.files:
        return {}
    document = parse(bundle.files["tests.yaml"], "tests.yaml")
    return {case.index: document.line(("tests", case.index)) for case in bundle.tests.cases}


def shown_arguments(args: Sequence[Wire]) -> str:
    return ", ".join(map(wire.show, args))
