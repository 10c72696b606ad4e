"""The bundle's own answers: reference, slow baseline, controls; how steady the reference is; how far the load ladder parts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial

from scoring.axes.optimization import exponent
from scoring.bundles.model import DataTests, TaskBundle
from scoring.bundles.standards import (
    Measured,
    Standards,
    baseline_faults,
    control_faults,
    reference_faults,
    shown,
    told,
)
from scoring.evidence import GrowthFacts, InstrumentFailed, Observed, TestEvidence
from scoring.instruments.builtin import BuiltinEngine, Circumstances
from scoring.pipeline import Result
from scoring.validation.bench import Bench
from scoring.validation.report import OwnAnswer, Remark, Section

# The clock of the second run stands so far from the usual one: another weekday, month, quarter and year.
_OTHER_MOMENT = datetime(2026, 1, 15, 12) + timedelta(days=431, hours=7, minutes=13)
_BASELINE = "baseline"
_NO_WRONG = ("accepted", "too_slow")


@dataclass(frozen=True, slots=True)
class Own:
    """An answer of the bundle's, where it stands and how its result is judged."""

    file: str
    declared: str
    code: str
    faults: Callable[[Measured], list[str]]


@dataclass(frozen=True, slots=True)
class Trialled:
    """The own answers with their results. ``reference`` is None where the bundle has none."""

    remarks: tuple[Remark, ...]
    answers: tuple[OwnAnswer, ...]
    reference: Result | None


def own_answers(bundle: TaskBundle, standards: Standards) -> Iterator[Own]:
    if bundle.canonical:
        yield Own("canonical.bsl", "reference", bundle.canonical, lambda seen: reference_faults(seen, bundle, standards))
    if bundle.baseline:
        yield Own("perf_baseline.bsl", _BASELINE, bundle.baseline, lambda seen: baseline_faults(seen, standards))
    for control in bundle.controls:
        file = f"submissions/{control.verdict}/{control.name}.bsl"
        yield Own(file, control.verdict, control.code, partial(control_faults, control.verdict, standards=standards))


def trial(bundle: TaskBundle, bench: Bench, standards: Standards, done: Callable[[], None]) -> Trialled:
    """Measure every own answer and judge it by what its place declares."""
    own = list(own_answers(bundle, standards))
    results = bench.score([(answer.code, bundle) for answer in own], done)
    remarks: list[Remark] = []
    answers = []
    for answer, result in zip(own, results, strict=True):
        found = _judged(answer, result)
        remarks += found
        answers.append(_shown(answer, result, not found))
    remarks += _few_wrong(own, standards)
    remarks += _separation(own, results, standards)
    return Trialled(tuple(remarks), tuple(answers), results[0] if bundle.canonical else None)


def _judged(answer: Own, result: Result) -> list[Remark]:
    section: Section = "reference" if answer.declared == "reference" else "controls"
    tests = result.evidence.tests
    if isinstance(tests, InstrumentFailed):
        return [Remark("not_measured", section, "error", answer.file, detail=told(tests))]
    code = {"reference": "reference_fails", _BASELINE: "baseline_fails"}.get(answer.declared, "control_differs")
    params = {"declared": answer.declared}
    return [
        Remark(code, section, "error", answer.file, params=params, detail=fault)
        for fault in answer.faults(Measured(result.card, tests))
    ]


def _shown(answer: Own, result: Result, holds: bool) -> OwnAnswer:
    values = {axis: shown(result.card, axis) for axis, found in result.card.axes.items() if type(found).__name__ != "NotApplicable"}
    grown = _exponent(result)
    return OwnAnswer(answer.file, answer.declared, values, holds, f"{grown:.2f}" if grown is not None else "")


def _few_wrong(own: list[Own], standards: Standards) -> list[Remark]:
    wrong = sum(answer.declared not in (*_NO_WRONG, "reference", _BASELINE) for answer in own)
    if wrong >= standards.wrong_controls:
        return []
    return [Remark("few_wrong_controls", "controls", "warning", "submissions", params={"have": wrong, "want": standards.wrong_controls})]


def _exponent(result: Result) -> Decimal | None:
    growth = result.evidence.growth
    if not isinstance(growth, Observed) or not isinstance(growth.facts, GrowthFacts):
        return None
    facts = growth.facts
    return exponent(facts) if len(facts.counts) > 1 and facts.counts[0] > 0 and facts.counts[-1] > 0 else None


def _separation(own: list[Own], results: list[Result], standards: Standards) -> list[Remark]:
    """The load ladder must part the reference from what is slow, and end within its budget."""
    pairs = list(zip(own, results, strict=True))
    growth = next((result.evidence.growth for answer, result in pairs if answer.declared == "reference"), None)
    if not isinstance(growth, Observed) or not isinstance(growth.facts, GrowthFacts):
        return []
    if growth.facts.stopped is not None:
        return [Remark("load_over_budget", "load", "error", "perf.yaml", detail=told(growth.facts.stopped))]
    reference = next(_exponent(result) for answer, result in pairs if answer.declared == "reference")
    slow = {
        answer.file: found
        for answer, result in pairs
        if answer.declared in (_BASELINE, "too_slow") and (found := _exponent(result)) is not None
    }
    if reference is None:
        return [Remark("load_not_counted", "load", "error", "perf.yaml")]
    return [
        Remark("load_separates_little", "load", "warning", "perf.yaml",
               params={"file": file, "reference": f"{reference:.2f}", "slow": f"{found:.2f}", "want": str(standards.separation)})
        for file, found in slow.items()
        if found - reference < standards.separation
    ]  # fmt: skip


# -- steadiness ----------------------------------------------------------------------------------------------------------


def steadiness(bundle: TaskBundle, bench: Bench, standards: Standards, done: Callable[[], None]) -> list[Remark]:
    """The reference again and again with another chance each time, by another clock, and with the tests in reverse order."""
    module = bench.module(bundle.canonical, bundle)

    def under(circumstances: Circumstances, on: TaskBundle) -> Callable[[BuiltinEngine], TestEvidence]:
        def job(engine: BuiltinEngine) -> TestEvidence:
            with engine.examine(module, on) as examination:
                return examination.run_tests(circumstances)

        return job

    repeated = [under(Circumstances(seed=number), bundle) for number in range(1, standards.repeats + 1)]
    other_clock = under(Circumstances(moment=_OTHER_MOMENT), bundle)
    turned = reversed_tests(bundle)
    jobs = [*repeated, other_clock, *([under(Circumstances(), turned)] if turned else [])]
    results = bench.run(jobs, done)
    found = []
    verdicts = [_verdicts(evidence) for evidence in results[: standards.repeats]]
    if len(set(verdicts)) > 1:
        params = {"times": standards.repeats, "kinds": len(set(verdicts))}
        found.append(Remark("reference_unsteady", "reference", "error", "canonical.bsl", params=params))
    if verdicts and _verdicts(results[standards.repeats]) != verdicts[0]:
        failed = _changed(verdicts[0], _verdicts(results[standards.repeats]))
        found.append(Remark("clock_matters", "tests", "warning", _tests_file(bundle), params={"tests": failed}))
    if turned and verdicts and _verdicts(results[-1])[::-1] != verdicts[0]:
        failed = _changed(verdicts[0], _verdicts(results[-1])[::-1])
        found.append(Remark("order_matters", "tests", "warning", "tests.yaml", params={"tests": failed}))
    return found


def reversed_tests(bundle: TaskBundle) -> TaskBundle | None:
    """The bundle with its tests in reverse order; None for a test module, whose order is its own."""
    if not isinstance(bundle.tests, DataTests):
        return None
    return replace(bundle, tests=replace(bundle.tests, cases=bundle.tests.cases[::-1]), hash=bundle.hash + ":reversed")


def _verdicts(evidence: TestEvidence) -> tuple[str, ...]:
    if not isinstance(evidence, Observed):
        return (told(evidence),)
    return tuple(outcome.verdict for outcome in evidence.facts.outcomes)


def _changed(usual: tuple[str, ...], other: tuple[str, ...]) -> str:
    if len(usual) != len(other):
        return "; ".join(other)
    return ", ".join(str(number) for number, (one, two) in enumerate(zip(usual, other, strict=True), 1) if one != two)


def _tests_file(bundle: TaskBundle) -> str:
    return "tests.yaml" if isinstance(bundle.tests, DataTests) else "tests.bsl"
