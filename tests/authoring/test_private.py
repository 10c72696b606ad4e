"""A private task's secrets are in no public response: every address that a visitor can reach is fetched and searched."""

from __future__ import annotations

import re
from collections import deque

import pytest
from django.test import Client
from django.urls import reverse

from authoring import drafts, publishing
from authoring.skeletons import skeleton
from scoring.models import Answer, AnswerStatus, Edition, Score, Task
from scoring.services import measuring, scores, stacks, validating
from scoring.services.answers import DEFAULT_EDITION, get_network
from tests.authoring.conftest import validated

pytestmark = pytest.mark.django_db
# Unmistakable pieces of the private bundle: condition, tests, reference, controls.
SECRETS = ("Тайна-условия", "Тайна-теста", "Тайна-эталона", "тайнапеременная", "987654321")
MOST_PAGES = 1500
_LINK = re.compile(r"""(?:href|src|action)=["']([^"'#]+)""")
_IN_JSON = re.compile(r'"(/[A-Za-z0-9/_.\-?=&%]+)"')


def private_files():
    files = skeleton("A", "SECRET", "Закрытая задача")
    files["task.yaml"] = files["task.yaml"].replace("Дан массив", "Тайна-условия. Дан массив")
    files["tests.yaml"] += "  - {name: Тайна-теста, args: [[0, 987654321]], expected: 987654321}\n"
    files["canonical.bsl"] = files["canonical.bsl"].replace("Промежуток", "ТайнаяПеременная") + "// Тайна-эталона\n"
    return files


@pytest.fixture
def task(anna, mira):
    """A private task on the board, with a network's answer that failed the secret test, and scores of everything."""
    draft = validated(drafts.create(anna, private_files(), is_private=True), anna)
    assert draft.validation.publishable
    publishing.submit(anna, draft)
    task = publishing.publish(mira, draft)
    open_draft = validated(drafts.create(anna, skeleton("A", "OPEN", "Открытая задача")), anna)
    publishing.submit(anna, open_draft)
    other = publishing.publish(mira, open_draft)
    edition = Edition.objects.get(slug=DEFAULT_EDITION)
    wrong = "Функция НаибольшийПромежуток(А) Экспорт\n\tВозврат А[0];\nКонецФункции"
    for each in (task, other):
        Answer.objects.create(
            edition=edition, task=each, network=get_network("Прилежная сеть"), status=AnswerStatus.ANSWERED, response=wrong, code=wrong
        )
    stack = measuring.current_stack()
    for answer in Answer.objects.filter(is_current=True).select_related("task__bundle"):
        result = measuring.pipeline().score(answer.response, measuring.bank.read_bundle(answer.task.bundle))
        scores.build_score(answer, stack, answer.task.bundle, result.card, result.fall, result.evidence).save()
    stacks.show_stack("A", stack)
    measuring.close_pipeline()
    return task


def beginnings(task):
    yield from ("/", "/tasks/", f"/tasks/{task.key}/", "/api/openapi.json", f"/authoring/tasks/{task.key}/", "/authoring/", "/healthz", "/readyz")
    yield from (f"/api/v1/tasks/{task.key}", "/api/v1/tasks", "/api/v1/summary", "/api/v1/boards/A", "/api/v1/boards/B")
    for pk in Answer.objects.values_list("pk", flat=True):
        yield from (f"/answers/{pk}/", f"/api/v1/answers/{pk}")
    for pk in Score.objects.values_list("pk", flat=True):
        yield f"/answers/{pk}/?stack={pk}"


def crawled(client, first):
    """(address, response's text) of everything that can be reached from these addresses."""
    waiting, seen = deque(first), set()
    while waiting and len(seen) < MOST_PAGES:
        address = waiting.popleft()
        if address in seen or address.startswith(("http", "data:", "//", "/static/")):
            continue
        seen.add(address)
        reply = client.get(address)
        body = b"".join(reply.streaming_content) if reply.streaming else reply.content
        text = body.decode("utf-8", "replace") + str(reply.headers)
        yield address, reply.status_code, text
        base = address.split("?")[0]
        for link in [*_LINK.findall(text), *_IN_JSON.findall(text)]:
            link = link.replace("&amp;", "&")
            waiting.append(base + link if link.startswith("?") else link)


def test_nothing_of_a_private_task_is_in_any_public_response(task):
    mark = validating.canary("SECRET")
    assert mark in task.bundle.files["tests.yaml"] and mark in task.bundle.files["canonical.bsl"]
    found, pages, errors = [], 0, []
    for address, status, text in crawled(Client(), beginnings(task)):
        pages += 1
        if status >= 500 and address != "/readyz":  # no worker serves this test's queue
            errors.append(address)
        found += [(address, secret) for secret in (mark, *SECRETS) if secret.lower() in text.lower()]
    assert pages > 50
    assert errors == []
    assert found == []
    assert all("PRISM-CANARY" not in text for text in Task.objects.get(key="OPEN").bundle.files.values())


def test_an_author_of_other_tasks_sees_no_more_than_a_visitor(task, boris, logged_in):
    mark = validating.canary("SECRET")
    for address, _status, text in crawled(logged_in(boris), ["/authoring/", f"/authoring/tasks/{task.key}/"]):
        assert mark not in text, address
    assert logged_in(boris).get(reverse("authoring:versions", args=[task.key])).status_code == 404


def test_a_private_task_stays_private(anna):
    task = Task.objects.create(key="SECRET", category="A", name="x", prompt="x", is_private=True)
    draft = drafts.create(anna, private_files(), task=task)
    assert draft.is_private and validating.canary("SECRET") in draft.files["tests.yaml"]
    assert drafts.save(anna, draft, 1, private_files(), is_private=False).is_private
