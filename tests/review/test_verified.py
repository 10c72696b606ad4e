"""The rule of Verified: each condition alone can refuse, and a certificate decides again."""

from __future__ import annotations

import copy
import json
import random

import pytest

from review.certificate import axis_certificate, differences, main, plain, task_certificate
from review.reporting import GradeRow, axis_report
from review.tables import STEPS
from review.verified import Basis, TaskEvidence, bootstrap_of, changes, decide, decide_task
from scoring.protocol import load_protocol

RULE = plain(load_protocol().verified)
FACTS = {"subject": "A:S", "round": {}, "basis": {}}


def rows(grade=lambda machine, chance: machine, answers=120, tasks=20, experts=(1, 2), seed=1, probability=lambda step: 0.5):
    """A round whose machine uses all steps evenly; `grade` is what an expert gives."""
    chance = random.Random(seed)
    return [
        GradeRow(n, n % tasks, expert, "S", grade(STEPS[n % 6], chance), STEPS[n % 6], probability(STEPS[n % 6]))
        for n in range(answers)
        for expert in experts
    ]


def decided(found):
    return decide(axis_report("S", found, STEPS, bootstrap_of(RULE, 1)), RULE)


def near(share):
    def grade(machine, chance):
        return machine if chance.random() < share else max(0, min(10, machine + chance.choice([-2, 2])))

    return grade


def test_a_sound_round_is_verified():
    found = decided(rows(near(0.95)))
    assert found.status == "verified" and not found.failed


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        ({"answers": 96}, "answers"),
        ({"tasks": 12}, "tasks"),
        ({"experts": (1,)}, "experts"),
        ({"grade": lambda machine, chance: 10}, "kappa_plain"),
        ({"grade": lambda machine, chance: chance.choice(STEPS)}, "kappa_quadratic"),
        ({"grade": lambda machine, chance: min(10, machine + 2)}, "step_difference"),
        ({"grade": lambda machine, chance: 10}, "distinct_grades"),
        ({"grade": near(0.45)}, "kappa_plain"),
    ],
)
def test_each_condition_can_refuse(change, failed):
    found = decided(rows(**{"grade": near(0.95), **change}))
    assert found.status == "refused"
    assert failed in {condition.key for condition in found.failed}


def test_the_bounds_themselves_are_enough():
    """100 answers over 15 tasks by two experts; one answer less is not."""
    assert decided(rows(near(0.97), answers=105, tasks=15)).status == "verified"
    assert {c.key for c in decided(rows(near(0.97), answers=99, tasks=15)).failed} == {"answers"}


def test_the_population_figure_can_refuse_alone():
    """A step that is common in the population and misjudged there, though rare in the sample."""

    def grade(machine, chance):
        return machine if machine != 6 or chance.random() < 0.55 else chance.choice([4, 8])

    found = decided(rows(grade, answers=600, probability=lambda step: 0.0005 if step == 6 else 1.0))
    assert "kappa_quadratic_population" in {condition.key for condition in found.failed}


def test_experts_who_differ_among_themselves_refuse():
    found = decided([
        GradeRow(n, n % 20, expert, "S", STEPS[n % 6] if expert == 1 or n % 3 else STEPS[(n * 7 + 3) % 6], STEPS[n % 6])
        for n in range(120) for expert in (1, 2)
    ])  # fmt: skip
    assert any(c.key == "expert_kappa_quadratic" and c.threshold == 0.6 for c in found.conditions)


def test_between_the_bounds_it_is_provisional():
    strict = copy.deepcopy(RULE)
    strict["agreement"]["kappa_quadratic"] = 0.999
    report = axis_report("S", rows(near(0.9)), STEPS, bootstrap_of(strict, 1))
    assert decide(report, strict).status == "provisional"


def test_an_undefined_figure_meets_nothing():
    found = decided(rows(lambda machine, chance: 10, experts=(1,)))
    by_key = {condition.key: condition for condition in found.conditions}
    assert by_key["expert_kappa_quadratic"].value is None and not by_key["expert_kappa_quadratic"].met


@pytest.mark.parametrize(
    ("answers", "pairs", "disputed", "status"),
    [
        (5, [(10, 8)] * 10, 0, "verified"),
        (4, [(10, 10)] * 8, 0, "refused"),
        (5, [(10, 10)] * 8 + [(10, 4)] * 2, 0, "refused"),
        (5, [(10, 10)] * 9 + [(10, 4)], 0, "verified"),
        (5, [(10, 10)] * 10, 1, "refused"),
        (5, [], 0, "refused"),
    ],
)
def test_tasks(answers, pairs, disputed, status):
    assert decide_task(TaskEvidence(answers, pairs, disputed), RULE).status == status


# -- certificates ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate():
    return axis_certificate(FACTS, rows(near(0.9)), RULE, STEPS, 7)


def test_a_certificate_survives_its_file_and_decides_again(certificate, tmp_path, capsys):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(certificate, ensure_ascii=False), "utf-8")
    assert differences(json.loads(path.read_text("utf-8"))) == []
    assert main([str(path)]) == 0
    assert "A:S: verified" in capsys.readouterr().out


@pytest.mark.parametrize("forge", ["grade", "status", "figure", "rule"])
def test_a_forged_certificate_does_not_hold(certificate, forge, tmp_path):
    forged = copy.deepcopy(certificate)
    if forge == "grade":
        forged["grades"][0][3] = 0 if forged["grades"][0][3] else 10
    elif forge == "status":
        forged["result"]["status"] = "provisional"
    elif forge == "figure":
        forged["result"]["figures"]["kappa"]["plain"]["value"] += 0.01
    else:
        forged["rule"]["sample"]["answers"] = 1
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(forged), "utf-8")
    assert differences(forged) and main([str(path)]) == 1


def test_task_certificates_hold_too():
    made = task_certificate({**FACTS, "subject": "task:X"}, TaskEvidence(5, [(10, 8)] * 6, 0), RULE)
    assert made["result"]["status"] == "verified" and differences(made) == []


# -- what takes a mark away --------------------------------------------------------------------------------------------

OLD = Basis("p1", "s1", {"T": "d1"}, {"1:S": 10, "2:S": None})


@pytest.mark.parametrize(
    ("new", "kinds"),
    [
        (OLD, set()),
        (Basis("p2", "s1", {"T": "d1"}, {}), {"protocol"}),
        (Basis("p1", "s1", {"T": "d2"}, {}), {"bundles"}),
        (Basis("p1", "s1", {}, {}), {"bundles"}),
        (Basis("p1", "s2", {"T": "d1"}, {"1:S": 10, "2:S": None}), set()),
        (Basis("p1", "s2", {"T": "d1"}, {"1:S": 8, "2:S": None}), {"engine"}),
        (Basis("p1", "s2", {"T": "d1"}, {"1:S": 10, "2:S": 4}), {"engine"}),
        (Basis("p1", "s2", {"T": "d1"}, {}), set()),
    ],
)
def test_changes(new, kinds):
    assert set(changes(OLD, new)) == kinds
