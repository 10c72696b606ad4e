"""What a bundle's own answers must show: the reference passes, controls fail for their declared reason.

Pure judgement of results that the pipeline measured; the numbers are those of `metrics/bank.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path

from scoring.bundles.model import TaskBundle, Verdict
from scoring.evidence import CandidateFailed, InstrumentFailed, Observed, TestFacts
from scoring.findings import FaultyData, Finding
from scoring.protocol import METRICS
from scoring.scorecard import Scorecard, Scored
from scoring.strict_yaml import Fields, parse

AXES = ("S", "M", "O", "P")


@dataclass(frozen=True, slots=True)
class MutationRules:
    """``strong`` and ``fair`` are least strengths (0–1); the budget of operations is ``times`` × the reference's + ``more``."""

    most: int
    times: int
    more: int
    strong: Decimal
    fair: Decimal
    inputs: int

    def band(self, strength: float) -> str:
        """``strong``, ``fair`` or ``weak``."""
        value = Decimal(repr(strength))
        return "strong" if value >= self.strong else "fair" if value >= self.fair else "weak"


@dataclass(frozen=True, slots=True)
class Standards:
    """`reference`: axis → least value; `baseline_meaning` and `baseline_most`: what the slow baseline's M and O must be."""

    version: str
    reference: Mapping[str, Decimal]
    baseline_meaning: Decimal
    baseline_most: Decimal
    tests: int
    wrong_controls: int
    repeats: int
    mutation: MutationRules
    junk_below: Decimal
    junk_constants: int
    separation: Decimal
    least_answers: int
    low_grade: int


@lru_cache(maxsize=4)
def load_standards(folder: Path = METRICS) -> Standards:
    """Reads `bank.yaml`. Raises FaultyData."""
    findings: list[Finding] = []
    path = folder / "bank.yaml"
    fields = Fields(parse(path.read_text("utf-8"), str(path)), findings)
    fields.only(("version", "reference", "baseline", "tests", "wrong_controls", "repeats", "mutation", "junk", "load", "answers"))
    reference, baseline = fields.sub("reference", required=True), fields.sub("baseline", required=True)
    reference.only(AXES)
    baseline.only(("M", "O_at_most"))
    junk, load = fields.sub("junk", required=True), fields.sub("load", required=True)
    junk.only(("below", "constants"))
    load.only(("separation",))
    answers = fields.sub("answers", required=True)
    answers.only(("least", "low_grade"))
    standards = Standards(
        version=fields.text("version", required=True),
        reference={axis: Decimal(reference.number(axis, required=True)) for axis in AXES},
        baseline_meaning=Decimal(baseline.number("M", required=True)),
        baseline_most=Decimal(baseline.number("O_at_most", required=True)),
        tests=fields.whole("tests", required=True),
        wrong_controls=fields.whole("wrong_controls", required=True),
        repeats=fields.whole("repeats", required=True),
        mutation=_mutation(fields.sub("mutation", required=True)),
        junk_below=Decimal(junk.number("below", required=True)),
        junk_constants=junk.whole("constants", required=True),
        separation=_fraction(load, "separation"),
        least_answers=answers.whole("least", required=True),
        low_grade=answers.whole("low_grade", required=True),
    )
    if findings:
        raise FaultyData(findings)
    return standards


def _mutation(fields: Fields) -> MutationRules:
    fields.only(("most", "budget_times", "budget_more", "strong", "fair", "inputs"))
    return MutationRules(
        most=fields.whole("most", required=True),
        times=fields.whole("budget_times", required=True),
        more=fields.whole("budget_more", required=True),
        strong=_fraction(fields, "strong"),
        fair=_fraction(fields, "fair"),
        inputs=fields.whole("inputs", required=True),
    )


def _fraction(fields: Fields, key: str) -> Decimal:
    """A decimal that is written in quotes, so that nothing rounds it."""
    try:
        return Decimal(fields.text(key, required=True) or "0")
    except InvalidOperation:
        fields.fault((key,), "a decimal in quotes is expected")
        return Decimal(0)


@dataclass(frozen=True, slots=True)
class Measured:
    """A result as this module needs it: the scorecard and the evidence of the tests."""

    card: Scorecard
    tests: Observed[TestFacts] | CandidateFailed | InstrumentFailed


def reference_faults(result: Measured, bundle: TaskBundle, standards: Standards) -> list[str]:
    """Why the reference is none; empty = it holds. Without a load profile O is that of its anti-patterns (B), or does not apply (A)."""
    faults = []
    for axis, least in standards.reference.items():
        if bundle.category != "B" and (axis == "P" or axis == "O" and bundle.load is None):
            continue
        value = result.card.value(axis)
        if value is None or value < least:
            faults.append(f"{axis} is {shown(result.card, axis)}, the reference needs {least}" + failed_tests(result, axis))
    return faults


def baseline_faults(result: Measured, standards: Standards) -> list[str]:
    """Why the slow baseline is none; empty = it solves the task slowly."""
    faults = []
    meaning, work = result.card.value("M"), result.card.value("O")
    if meaning is None or meaning < standards.baseline_meaning:
        faults.append(f"M is {shown(result.card, 'M')}, the slow baseline must solve the task" + failed_tests(result, "M"))
    if work is None or work > standards.baseline_most:
        faults.append(f"O is {shown(result.card, 'O')}, the slow baseline needs at most {standards.baseline_most}")
    return faults


def control_faults(verdict: Verdict, result: Measured, standards: Standards) -> list[str]:
    """Why a control answer does not show its declared verdict; empty = it does."""
    return _DECLARED[verdict](result, standards)


def _accepted(result: Measured, standards: Standards) -> list[str]:
    if result.card.value("M") == standards.reference["M"]:
        return []
    return [f"M is {shown(result.card, 'M')}, declared accepted" + failed_tests(result, "M")]


def _wrong_answer(result: Measured, standards: Standards) -> list[str]:
    if not isinstance(result.tests, Observed):
        return [f"did not run ({told(result.tests)}), declared wrong_answer"]
    faults = []
    if result.card.value("M") == standards.reference["M"]:
        faults.append("passes every test, declared wrong_answer: a test is missing")
    elif not any(outcome.verdict == "wrong" for outcome in result.tests.facts.outcomes):
        faults.append("no test fails by value, declared wrong_answer" + failed_tests(result, "M"))
    return faults


def _run_time_error(result: Measured, standards: Standards) -> list[str]:
    if isinstance(result.tests, Observed):
        facts = result.tests.facts
        if facts.stopped or any(outcome.verdict == "raised" for outcome in facts.outcomes):
            return []
        return ["no test raises, declared run_time_error"]
    return [f"did not run ({told(result.tests)}), declared run_time_error"]


def _platform_error(result: Measured, standards: Standards) -> list[str]:
    value = result.card.value("P")
    if value is not None and value < standards.reference["P"]:
        return []
    return [f"P is {shown(result.card, 'P')}, declared platform_error"]


def _too_slow(result: Measured, standards: Standards) -> list[str]:
    spent = isinstance(result.tests, Observed) and result.tests.facts.stopped
    if spent and spent.kind == "limit_operations":
        return []
    return baseline_faults(result, standards)


def _does_not_compile(result: Measured, standards: Standards) -> list[str]:
    syntax = result.card.value("S")
    if syntax is not None and syntax < standards.reference["S"]:
        return []
    if isinstance(result.tests, CandidateFailed) and result.tests.kind == "does_not_compile":
        return []
    return [f"S is {shown(result.card, 'S')} and it compiles, declared does_not_compile"]


_DECLARED: Mapping[Verdict, Callable[[Measured, Standards], list[str]]] = {
    "accepted": _accepted,
    "wrong_answer": _wrong_answer,
    "run_time_error": _run_time_error,
    "platform_error": _platform_error,
    "too_slow": _too_slow,
    "does_not_compile": _does_not_compile,
}


def shown(card: Scorecard, axis: str) -> str:
    """A value for people, or why there is none."""
    result = card.axes[axis]
    if isinstance(result, Scored):
        return str(result.value)
    detail = getattr(result, "detail", "")
    return f"N/A ({result.reason}{': ' + detail if detail else ''})"


def told(failure: CandidateFailed | InstrumentFailed) -> str:
    """A failure in a few words."""
    if isinstance(failure, InstrumentFailed):
        return f"{failure.reason} {failure.detail}".strip()
    place = f" at line {failure.at.line}" if failure.at else ""
    return f"{failure.kind}: {failure.message}{place}"


def failed_tests(result: Measured, axis: str) -> str:
    """`: test 2 …` for the first failed tests, where the axis is about tests."""
    if axis not in ("M", "P"):
        return ""
    if not isinstance(result.tests, Observed):
        return f": {told(result.tests)}"
    facts = result.tests.facts
    if facts.stopped:
        return f": {told(facts.stopped)}"
    failed = [outcome for outcome in facts.outcomes if outcome.verdict != "passed"]
    texts = [
        f"test {outcome.index + 1}: {outcome.error.message}" if outcome.error
        else f"test {outcome.index + 1}: {outcome.actual} instead of {outcome.expected}"
        for outcome in failed[:3]
    ]  # fmt: skip
    return ": " + "; ".join(texts) if texts else ""
