"""People and a scored bank for review's tests: rows are written directly, nothing is measured."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import Client

from review.models import Round
from review.services import rounds
from scoring.evidence import Evidence, Observed, SyntaxFacts, TestFacts, TestOutcome
from scoring.evidence import to_data as evidence_data
from scoring.models import Answer, AnswerStatus, Edition, Network, Score, Stack, Task, TaskBundle
from scoring.services import stacks

CODE = "Функция Ответ{n}(А) Экспорт\n\t// canary-code-{n}\n\tВозврат А + {n};\nКонецФункции"
BUNDLE = {
    "task.yaml": "id: {key}\nname: Задача\ncategory: {category}\ndifficulty: easy\nentry_point: Ответ\nsignature: Функция Ответ(А) Экспорт\nprompt: Условие\n",
    "tests.yaml": "tests:\n  - {args: [1], expected: 1}\n",
}
STEPS = {"S": [10, 10, 10, 8, 6, 0], "M": [10, 10, 8, 6, 2, 0], "O": [10, 10, 8, 4, 2], "P": [10, 10, 6, 0]}


def person(name: str, *roles: str) -> Any:
    """A user with roles and a password that tests know."""
    user = get_user_model().objects.create_user(name, password="a long enough secret 17")
    # The migrations' roles are gone where a test emptied the database before.
    user.groups.add(*(Group.objects.get_or_create(name=role)[0] for role in roles))
    return user


def visitor(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def write_bank(tasks: int = 16, networks: int = 6, category: str = "A", seed: int = 1) -> Stack:
    """Tasks × networks answers, each with a score whose steps are chosen by `seed`."""
    chance = random.Random(seed)
    edition, _ = Edition.objects.get_or_create(slug="core", defaults={"name": "core"})
    axes = "SMO" if category == "A" else "SMOP"
    stack = stacks.measured_stack({"tests": "pretend 1"}, stacks.protocol())
    makers = [
        Network.objects.get_or_create(name=f"canary-network-{n}", defaults={"slug": f"canary-network-{n}"})[0] for n in range(networks)
    ]
    made = Task.objects.bulk_create(
        [Task(key=f"{category}T{n}", category=category, name=f"Задача {n}", prompt=f"Условие {n}") for n in range(tasks)]
    )
    for task in made:
        task.bundle = TaskBundle(task=task, number=1, digest=f"digest-{task.key}", files=BUNDLE | {"task.yaml": BUNDLE["task.yaml"].format(key=task.key, category=category)})
    TaskBundle.objects.bulk_create([task.bundle for task in made if task.bundle])
    Task.objects.bulk_update(made, ["bundle"])
    answers = Answer.objects.bulk_create([_answer(task, maker, edition) for task in made for maker in makers])
    for answer in answers:
        answer.code = CODE.format(n=answer.pk)
        answer.response = f"Вот решение от canary-network:\n```bsl\n{answer.code}\n```"
    Answer.objects.bulk_update(answers, ["code", "response"])
    Score.objects.bulk_create([_score(answer, stack, axes, chance) for answer in answers])
    stacks.show_stack(category, stack)
    return stack


def _answer(task: Task, maker: Network, edition: Edition) -> Answer:
    return Answer(task=task, network=maker, edition=edition, status=AnswerStatus.ANSWERED)


def _score(answer: Answer, stack: Stack, axes: str, chance: random.Random) -> Score:
    steps = {axis: chance.choice(STEPS[axis]) for axis in axes}
    if steps["M"] < 6:
        steps.pop("O")
    outcomes = (TestOutcome(0, f"canary-test-{answer.pk}", "passed"), TestOutcome(1, "", "wrong", "canary-actual", "canary-expected"))
    evidence = Evidence(Observed(SyntaxFacts()), Observed(TestFacts("Ответ", outcomes)))
    score = Score(answer=answer, stack=stack, bundle=answer.task.bundle, evidence=evidence_data(evidence), passed=1, total=2, stage="tests")
    for axis in "SMOP":
        low = axis.lower()
        if axis in steps:
            setattr(score, f"{low}_value", float(steps[axis]))
            setattr(score, f"{low}_step", steps[axis])
            setattr(score, f"{low}_state", "scored")
        else:
            setattr(score, f"{low}_state", "not_measured" if axis in axes else "not_applicable")
            setattr(score, f"{low}_reason", "gated_by_meaning" if axis in axes else "category")
    score.q_value = 7.77
    return score


@pytest.fixture(autouse=True)
def quick_hashes(settings: Any) -> None:
    """Passwords of tests are no secrets."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def bank(db: None) -> Stack:
    cache.clear()
    return write_bank()


@pytest.fixture
def anna(db: None) -> Any:
    return person("anna", "maintainer")


@pytest.fixture
def boris(db: None) -> Any:
    return person("boris", "expert")


@pytest.fixture
def vera(db: None) -> Any:
    return person("vera", "expert")


@pytest.fixture
def make_round(bank: Stack, anna: Any, boris: Any, vera: Any) -> Callable[..., Round]:
    """A round over the bank with Boris and Vera as graders; keywords change it, `opened=False` leaves it in preparation."""

    def make(opened: bool = True, experts: Any = None, **changes: Any) -> Round:
        values: dict[str, Any] = {
            "title": "Раунд", "category": "A", "axes": ["S", "M", "O"], "size": 60, "graders": 2, "overlap": 1.0, "repeats": 0.0, "seed": 7,
        } | changes  # fmt: skip
        made = rounds.create(anna, values, experts or [boris, vera])
        return rounds.open_round(anna, made) if opened else made

    return make


@pytest.fixture
def tools() -> Any:
    """The helpers above, for tests that pytest imports by path."""
    import sys

    return sys.modules[__name__]
