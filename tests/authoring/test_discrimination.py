"""What answers say of tests: everyone, nobody, the better half; experts who see what the tests do not."""

from __future__ import annotations

import pytest

from authoring import discrimination
from scoring.evidence import CandidateFailed, Evidence, Observed, SyntaxFacts, TestFacts, TestOutcome, to_data
from scoring.models import Answer, AnswerStatus, Edition, Score, Stack, Task, TaskBundle
from scoring.services import reviewing, stacks
from scoring.services.answers import get_network

pytestmark = pytest.mark.django_db
# Per network: which of four tests it passes.
PASSED = {"а": (0,), "б": (0,), "в": (0, 1), "г": (0, 1), "д": (0, 1, 2), "е": (0, 1, 2)}


@pytest.fixture
def task(db):
    task = Task.objects.create(key="T", category="A", name="T", prompt="p")
    task.bundle = TaskBundle.objects.create(task=task, number=1, digest="d", files={})
    task.save()
    edition = Edition.objects.create(slug="default", name="x")
    stack = Stack.objects.create(key="s", name="s", protocol_version="1")
    stacks.show_stack("A", stack)
    for name, passed in PASSED.items():
        answer = Answer.objects.create(edition=edition, task=task, network=get_network(name), status=AnswerStatus.ANSWERED)
        outcomes = tuple(TestOutcome(number, f"т{number}", "passed" if number in passed else "wrong") for number in range(4))
        put(answer, stack, Observed(TestFacts("Ф", outcomes)), solved=name == "е")
    broken = Answer.objects.create(edition=edition, task=task, network=get_network("ж"), status=AnswerStatus.ANSWERED)
    put(broken, stack, CandidateFailed("does_not_compile"))
    return task


def put(answer, stack, tests, solved=False):
    states = {f"{axis}_state": "not_measured" for axis in "smop"}
    evidence = to_data(Evidence(Observed(SyntaxFacts()), tests))
    Score.objects.create(answer=answer, stack=stack, bundle=answer.task.bundle, evidence=evidence, solved=solved, **states)


def test_tests_that_everyone_or_nobody_passes_are_named(task):
    found = discrimination.of_task(task)
    assert found.answers == 7
    assert [test.everyone for test in found.tests] == [True, False, False, False]
    assert [test.nobody for test in found.tests] == [False, False, False, True]
    assert [round(test.rate, 2) for test in found.tests] == [1.0, 0.67, 0.33, 0.0]
    # The better half (г, д, е) against the worse one (а, б, в).
    assert [round(test.tells, 2) for test in found.tests] == [0.0, 0.67, 0.67, 0.0]


def test_an_answer_that_experts_doubt_is_named_only_where_it_passed_everything(task, monkeypatch):
    answers = {answer.network.name: answer.pk for answer in Answer.objects.select_related("network")}
    grades = {answers["е"]: (4, 6), answers["а"]: (2,)}
    monkeypatch.setattr(reviewing, "_meanings", [lambda task: grades])
    found = discrimination.of_task(task)
    assert [(one.network, one.grades) for one in found.doubtful] == [("е", (4, 6))]


def test_without_answers_there_is_nothing_to_say(db):
    assert discrimination.of_task(Task.objects.create(key="U", category="A", name="U", prompt="p")) is None
