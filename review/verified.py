"""When a score may carry the mark Verified: the rule of `metrics/verified.yaml` over one axis's report. Pure.

Every condition is told with its value and its threshold, met or not. Nothing is rounded before it is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from review.agreement import Agreement, Bootstrap, Figure
from review.reporting import AxisReport
from review.tables import STEPS

VERIFIED, PROVISIONAL, REFUSED = "verified", "provisional", "refused"
AT_LEAST, AT_MOST = ">=", "<="
# The one condition that a provisional mark may miss.
MAIN = "kappa_quadratic"


@dataclass(frozen=True, slots=True)
class Condition:
    """`value` is None where the figure does not exist, and then the condition is not met. `at`: a machine step, or None."""

    key: str
    value: float | None
    threshold: float
    sign: str = AT_LEAST
    at: int | None = None

    @property
    def met(self) -> bool:
        if self.value is None:
            return False
        return self.value >= self.threshold if self.sign == AT_LEAST else self.value <= self.threshold


@dataclass(frozen=True, slots=True)
class Decision:
    status: str
    conditions: tuple[Condition, ...]

    @property
    def failed(self) -> tuple[Condition, ...]:
        return tuple(condition for condition in self.conditions if not condition.met)


def bootstrap_of(rule: Mapping[str, Any], seed: int) -> Bootstrap:
    """How the rule wants its intervals made."""
    return Bootstrap(draws=int(rule["interval"]["draws"]), level=float(rule["interval"]["level"]), seed=seed)


def decide(report: AxisReport, rule: Mapping[str, Any]) -> Decision:
    """Verified, provisional or refused, with every condition."""
    conditions = (*_sample(report, rule["sample"]), *_agreement(report.raw, rule["agreement"]), *_experts(report, rule))
    failed = {condition.key for condition in conditions if not condition.met}
    if not failed:
        return Decision(VERIFIED, conditions)
    main = report.raw.kappa["quadratic"].value
    nearly = failed == {MAIN} and main is not None and main >= float(rule["provisional"]["kappa_quadratic"])
    return Decision(PROVISIONAL if nearly else REFUSED, conditions)


def _sample(report: AxisReport, rule: Mapping[str, Any]) -> Iterable[Condition]:
    experts = len({pair.expert for pair in report.pairs})
    yield Condition("answers", report.raw.answers, float(rule["answers"]))
    yield Condition("tasks", report.raw.tasks, float(rule["tasks"]))
    yield Condition("experts", experts, float(rule["experts"]))


def _agreement(found: Agreement, rule: Mapping[str, Any]) -> Iterable[Condition]:
    quadratic = found.kappa["quadratic"]
    yield Condition(MAIN, quadratic.value, float(rule["kappa_quadratic"]))
    yield Condition("kappa_quadratic_lower", quadratic.low, float(rule["kappa_quadratic_lower"]))
    yield Condition("kappa_plain", found.kappa["plain"].value, float(rule["kappa_plain"]))
    yield Condition("ac2", found.ac2.value, float(rule["ac2"]))
    for entry in found.by_step:
        if entry.grades >= int(rule["step_difference"]["grades"]):
            limit = float(rule["step_difference"]["limit"])
            yield Condition("step_difference", abs(entry.difference), limit, AT_MOST, entry.step)
    population = found.population["kappa_quadratic"].value
    yield Condition("kappa_quadratic_population", population, float(rule["kappa_quadratic_population"]))
    yield Condition("distinct_grades", found.distinct_grades, float(rule["distinct_grades"]))
    yield Condition("distinct_steps", found.distinct_steps, float(rule["distinct_grades"]))


def _experts(report: AxisReport, rule: Mapping[str, Any]) -> Iterable[Condition]:
    among: Figure = report.expert_kappa["quadratic"]
    yield Condition("expert_kappa_quadratic", among.value, float(rule["experts"]["kappa_quadratic"]))


# -- tasks -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """`pairs`: (expert's grade, machine's step) of the task's graded answers on every axis; `answers`: how many answers."""

    answers: int
    pairs: Sequence[tuple[int, int]]
    disputed: int


def decide_task(evidence: TaskEvidence, rule: Mapping[str, Any]) -> Decision:
    """A task is verified when its own answers agree within one step often enough and nothing about it is disputed."""
    gap = STEPS[1] - STEPS[0]
    near = sum(abs(grade - step) <= gap for grade, step in evidence.pairs)
    share = near / len(evidence.pairs) if evidence.pairs else None
    conditions = (
        Condition("answers", evidence.answers, float(rule["task"]["answers"])),
        Condition("within_one_step", share, float(rule["task"]["within_one_step"])),
        Condition("disputed", evidence.disputed, 0.0, AT_MOST),
    )
    return Decision(VERIFIED if all(condition.met for condition in conditions) else REFUSED, conditions)


def decision_value(decision: Decision) -> dict[str, Any]:
    """As plain JSON values."""
    return {
        "status": decision.status,
        "conditions": [{**asdict(condition), "met": condition.met} for condition in decision.conditions],
    }


# -- what takes a mark away --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Basis:
    """What was verified: the protocol, the stack, the bundles and the machine's steps of the sample (answer → axis step)."""

    protocol_hash: str
    stack: str
    bundles: Mapping[str, str]
    steps: Mapping[str, int | None]


def changes(old: Basis, new: Basis) -> dict[str, Any]:
    """Why the mark can't stand any longer, by kind; empty where it can.

    Another engine version alone changes nothing: only one that gives an answer of the sample another step does.
    """
    found: dict[str, Any] = {}
    if old.protocol_hash != new.protocol_hash:
        found["protocol"] = {"from": old.protocol_hash, "to": new.protocol_hash}
    bundles = {key: [digest, new.bundles.get(key, "")] for key, digest in old.bundles.items() if new.bundles.get(key) != digest}
    if bundles:
        found["bundles"] = bundles
    if old.stack != new.stack:
        moved = {
            answer: [step, new.steps[answer]] for answer, step in old.steps.items() if answer in new.steps and new.steps[answer] != step
        }
        if moved:
            found["engine"] = {"from": old.stack, "to": new.stack, "steps": moved}
    return found
