"""The host's comparison: what came back from a run against what the task expects.

Expected values never reach the process that runs a candidate (only expressions of the author's do, which need an engine to
have a value). ``RawOutcome`` is what any instrument hands over per test.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scoring import wire
from scoring.bundles.model import TestCase
from scoring.evidence import ErrorFact, TestOutcome
from scoring.wire import Wire

_REPORT = re.compile(r"PASSED=(\d+);TOTAL=(\d+);(.*)", re.DOTALL)
_ENTRY = re.compile(r"тест(\d+) (FAIL|ИСКЛЮЧЕНИЕ:)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RawOutcome:
    """One test as it ran: a ``result`` or an ``error``. ``check``: what the author's check said (None = it has none);
    ``expected``: the value of the author's expected expression, where there is one. ``note`` says why a check failed."""

    result: Wire = None
    error: ErrorFact | None = None
    check: bool | None = None
    expected: Wire = None
    note: str = ""
    operations: int = 0


def judge(case: TestCase, raw: RawOutcome) -> TestOutcome:
    """The verdict of one test."""
    if case.raises is not None:
        return _judge_raises(case, raw)
    expected = raw.expected if wire.expressions(case.expected) else case.expected
    wanted = case.check or wire.show(expected)
    if raw.error is not None:
        return _outcome(case, raw, "raised", "", wanted)
    met = bool(raw.check) if case.check else wire.same(expected, raw.result)
    actual = wire.show(raw.result) + (f" ({raw.note})" if raw.note else "")
    return _outcome(case, raw, "passed" if met else "wrong", actual, wanted)


def _judge_raises(case: TestCase, raw: RawOutcome) -> TestOutcome:
    wanted = f"исключение: {case.raises}"
    if raw.error is None:
        return _outcome(case, raw, "wrong", wire.show(raw.result), wanted)
    met = (case.raises or "") in raw.error.message
    return _outcome(case, raw, "passed" if met else "raised", "", wanted)


def _outcome(case: TestCase, raw: RawOutcome, verdict: str, actual: str, expected: str) -> TestOutcome:
    return TestOutcome(
        index=case.index,
        name=case.name,
        verdict=verdict,  # type: ignore[arg-type]
        actual=actual,
        expected=expected,
        error=raw.error,
        operations=raw.operations,
        wants_error=case.raises is not None,
    )


def not_run(case: TestCase) -> TestOutcome:
    return TestOutcome(case.index, case.name, "not_run", wants_error=case.raises is not None)


def judge_all(cases: Sequence[TestCase], raws: Sequence[RawOutcome]) -> tuple[TestOutcome, ...]:
    """Verdicts in order; cases beyond the last outcome were not run."""
    done = tuple(judge(case, raw) for case, raw in zip(cases, raws, strict=False))
    return done + tuple(not_run(case) for case in cases[len(raws) :])


def read_report(report: str) -> tuple[TestOutcome, ...]:
    """The outcome of a ``tests.bsl`` module from its report ``PASSED=n;TOTAL=m;<log>``.

    Raises ``ValueError`` for a text that is no such report. The log names failed tests; as many as the count says failed
    are taken from it, the numbers of the others are whatever is left.
    """
    match = _REPORT.fullmatch(report)
    if match is None:
        raise ValueError("the test module gave no report PASSED=…;TOTAL=…")
    passed, total = int(match.group(1)), int(match.group(2))
    if total == 0 or passed > total:
        raise ValueError(f"the test module reports {passed} of {total}")
    failed = _failures(match.group(3), total, total - passed)
    return tuple(failed.get(i) or TestOutcome(i, f"тест{i + 1}", "passed") for i in range(total))


def _failures(log: str, total: int, count: int) -> dict[int, TestOutcome]:
    found: dict[int, TestOutcome] = {}
    entries = list(_ENTRY.finditer(log))
    for position, match in enumerate(entries):
        end = entries[position + 1].start() if position + 1 < len(entries) else len(log)
        index = int(match.group(1)) - 1
        if 0 <= index < total and index not in found and len(found) < count:
            found[index] = _failure(index, match.group(2), log[match.end() : end].strip(" ;\n"))
    # A test that failed without an entry of its own still failed: the last unnamed ones.
    for index in range(total - 1, -1, -1):
        if len(found) >= count:
            break
        found.setdefault(index, TestOutcome(index, f"тест{index + 1}", "wrong"))
    return found


def _failure(index: int, kind: str, text: str) -> TestOutcome:
    if kind.upper() == "FAIL":
        return TestOutcome(index, f"тест{index + 1}", "wrong", actual=text[: wire.SHOWN])
    return TestOutcome(index, f"тест{index + 1}", "raised", error=ErrorFact("exception", text))
