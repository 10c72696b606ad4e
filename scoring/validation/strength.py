"""Mutation strength: which small faults of the reference the hidden tests notice, and what tells the others apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scoring import wire
from scoring.bundles.model import DataTests, TaskBundle
from scoring.bundles.standards import Standards, told
from scoring.evidence import CandidateFailed, InstrumentFailed, Observed, TestEvidence
from scoring.instruments.builtin import BuiltinEngine, Circumstances, Mutant, Mutants
from scoring.instruments.judging import RawOutcome
from scoring.validation.bench import Bench
from scoring.validation.inputs import Probe, probes_of
from scoring.validation.report import Remark, Strength, Survivor

Fate = Literal["killed", "survived", "timed_out", "not_compiled", "equivalent", "not_measured"]
_CONTEXT_LINES = 3


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant and what became of it; ``failed``: indices of the tests that noticed it."""

    mutant: Mutant
    fate: Fate
    failed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Mutation:
    """Everything that the mutants told."""

    strength: Strength
    tried: tuple[Tried, ...]
    survivors: tuple[Survivor, ...]
    parameters: tuple[str, ...]
    remarks: tuple[Remark, ...]


def unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def mutate(
    bundle: TaskBundle, bench: Bench, standards: Standards, operations: int, tests: int, done: Callable[[float], None]
) -> Mutation:
    """Make mutants of the reference, run the tests on each. ``operations``: what the reference spends on all tests."""
    rules = standards.mutation
    module = bench.module(bundle.canonical, bundle)
    entry = module.entry.name if module.entry else ""
    made = bench.run([lambda engine: engine.mutants(bundle.canonical, bundle.category, entry, rules.most)])[0]
    if not isinstance(made, Mutants):
        remark = Remark("no_mutants", "strength", "warning", "canonical.bsl", detail=told(made))
        return Mutation(Strength(), (), (), (), (remark,))
    budget = Circumstances(operations=operations * rules.times + rules.more)
    text = unified(bundle.canonical)
    tried = _tried(made.mutants, text, bundle, bench, budget, tests, done)
    strength = _counted(tried)
    if strength.value is not None:
        strength = replace(strength, band=rules.band(strength.value))
    left = [entry.mutant for entry in tried if entry.fate == "survived"]
    survivors = tuple(told_apart(left, text, bundle, bench, rules.inputs, budget))
    remarks = (*_band_remark(strength), *map(_survivor_remark, survivors))
    return Mutation(strength, tuple(tried), survivors, made.parameters, remarks)


def _tried(
    mutants: Sequence[Mutant], text: str, bundle: TaskBundle, bench: Bench, budget: Circumstances, tests: int,
    done: Callable[[float], None],
) -> list[Tried]:  # fmt: skip
    open_ones = [mutant for mutant in mutants if not mutant.proof]
    finished = 0

    def step() -> None:
        nonlocal finished
        finished += 1
        done(finished / len(open_ones))

    evidence = bench.run([_running(mutant.apply(text), bundle, bench, budget) for mutant in open_ones], step)
    tried = [_fate(mutant, seen, tests) for mutant, seen in zip(open_ones, evidence, strict=True)]
    return tried + [Tried(mutant, "equivalent") for mutant in mutants if mutant.proof]


def _running(code: str, bundle: TaskBundle, bench: Bench, budget: Circumstances) -> Callable[[BuiltinEngine], TestEvidence]:
    module = bench.module(code, bundle)

    def job(engine: BuiltinEngine) -> TestEvidence:
        with engine.examine(module, bundle) as examination:
            return examination.run_tests(budget)

    return job


def _fate(mutant: Mutant, evidence: TestEvidence, tests: int) -> Tried:
    everything = frozenset(range(tests))
    if isinstance(evidence, CandidateFailed):
        if evidence.kind == "does_not_compile":
            return Tried(mutant, "not_compiled")
        return Tried(mutant, "timed_out") if evidence.kind.startswith("limit_") else Tried(mutant, "killed", everything)
    if isinstance(evidence, InstrumentFailed):
        return Tried(mutant, "timed_out" if evidence.reason == "clock" else "not_measured")
    facts = evidence.facts
    if facts.stopped is not None:
        return Tried(mutant, "timed_out")
    failed = frozenset(outcome.index for outcome in facts.outcomes if outcome.verdict != "passed")
    return Tried(mutant, "killed" if failed else "survived", failed)


def _counted(tried: Sequence[Tried]) -> Strength:
    count = Counter(entry.fate for entry in tried)
    return Strength(
        made=len(tried),
        killed=count["killed"],
        survived=count["survived"],
        timed_out=count["timed_out"],
        not_compiled=count["not_compiled"],
        equivalent=count["equivalent"],
        not_measured=count["not_measured"],
    )


def _band_remark(strength: Strength) -> tuple[Remark, ...]:
    if strength.value is None:
        return (Remark("strength_unknown", "strength", "warning", "canonical.bsl"),)
    severity: Literal["warning", "note"] = "warning" if strength.band == "weak" else "note"
    params = {"percent": round(strength.value * 100), "killed": strength.killed, "survived": strength.survived}
    return (Remark(f"strength_{strength.band}", "strength", severity, "canonical.bsl", params=params),)


def _survivor_remark(survivor: Survivor) -> Remark:
    code = "survivor_with_input" if survivor.input else "survivor"
    params: dict[str, str | int] = {"operator": survivor.operator, "input": survivor.input}
    detail = f"− {survivor.before}\n+ {survivor.after}"
    return Remark(code, "strength", "warning", "canonical.bsl", survivor.line, params, detail)


# -- what would tell them apart -------------------------------------------------------------------------------------------


def told_apart(
    mutants: Sequence[Mutant], text: str, bundle: TaskBundle, bench: Bench, inputs: int, budget: Circumstances
) -> list[Survivor]:
    """The survivors, each with an input that the reference and it answer differently, where one of ``inputs`` does."""
    probes = probes_of(bundle, inputs) if mutants else []
    if not probes:
        return [_survivor(mutant, text) for mutant in mutants]
    asked = replace(bundle, tests=DataTests(tuple(probe.case for probe in probes), _helpers(bundle)), hash=bundle.hash + ":probes")
    jobs = [_probing(code, asked, bench, budget) for code in (text, *(mutant.apply(text) for mutant in mutants))]
    usual, *others = bench.run(jobs)
    if not isinstance(usual, tuple):
        return [_survivor(mutant, text) for mutant in mutants]
    return [_compared(mutant, text, probes, usual, other) for mutant, other in zip(mutants, others, strict=True)]


def _helpers(bundle: TaskBundle) -> str:
    return bundle.tests.helpers if isinstance(bundle.tests, DataTests) else ""


Raws = tuple[RawOutcome, ...] | CandidateFailed | InstrumentFailed


def _probing(code: str, bundle: TaskBundle, bench: Bench, budget: Circumstances) -> Callable[[BuiltinEngine], Raws]:
    module = bench.module(code, bundle)

    def job(engine: BuiltinEngine) -> Raws:
        with engine.examine(module, bundle) as examination:
            return examination.probe(budget)

    return job


def _compared(mutant: Mutant, text: str, probes: Sequence[Probe], usual: tuple[RawOutcome, ...], other: Raws) -> Survivor:
    plain = _survivor(mutant, text)
    if not isinstance(other, tuple):
        return plain
    for strict in (False, True):
        for probe, one, two in zip(probes, usual, other, strict=False):
            if one.error is None and _differ(one, two, strict):
                return replace(
                    plain, input=probe.shown, reference=_result(one), mutant=_result(two), order_only=strict and two.error is None
                )
    return plain


def _differ(one: RawOutcome, two: RawOutcome, strict: bool) -> bool:
    if two.error is not None:
        return True
    return one.result != two.result if strict else not (wire.same(one.result, two.result) and wire.same(two.result, one.result))


def _result(outcome: RawOutcome) -> str:
    return f"исключение: {outcome.error.message}" if outcome.error else wire.show(outcome.result)


def _survivor(mutant: Mutant, text: str) -> Survivor:
    """The lines that the mutant changes, before and after."""
    start = text.rfind("\n", 0, mutant.start) + 1
    end = text.find("\n", max(mutant.start, mutant.end - (text[mutant.end - 1 : mutant.end] == "\n")))
    end = len(text) if end < 0 else end
    before = text[start:end]
    after = text[start : mutant.start] + mutant.replacement + text[mutant.end : end]
    return Survivor(mutant.operator, text.count("\n", 0, mutant.start) + 1, _cut(before), _cut(after))


def _cut(text: str) -> str:
    lines = text.strip("\n").split("\n")
    return "\n".join([*lines[:_CONTEXT_LINES], "…"] if len(lines) > _CONTEXT_LINES + 1 else lines)


def evidence_of(result: object) -> TestEvidence:
    """The tests' evidence of a result."""
    return result.evidence.tests  # type: ignore[attr-defined,no-any-return]


def operations_of(evidence: TestEvidence) -> int:
    """Operations that a run of all tests took, 0 where it did not take place."""
    return evidence.facts.operations if isinstance(evidence, Observed) else 0
