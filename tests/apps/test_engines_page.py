"""The maintainers' pages of engines: who may see them, what they tell, how disagreements are found, and "compare now"."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent, Role
from scoring.models import CrossCheck, CrossCheckReason, JobState
from scoring.services import crosscheck, nightly

pytestmark = pytest.mark.django_db
ADDRESSES = ["/engines/", "/engines/live/", "/engines/cross-checks/1/"]


def person(users: Any, role: str) -> Client:
    user = users.objects.create_user(role, password="a long enough password")
    user.groups.add(Group.objects.get_or_create(name=role)[0])
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def vera(django_user_model: Any, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(nightly, "wake", lambda: None)
    return person(django_user_model, Role.MAINTAINER)


def entry(task: str = "A101", question: str = "syntax", kind: str = "root causes 1 / 2", **more: Any) -> dict[str, Any]:
    return {"task": task, "model": "Сеть", "question": question, "kind": kind, "ours": "<b>наше</b>", "theirs": "их", **more}


def report(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    row = {"n": 30, "equal": 20, "share": 0.666667, "not_measured": 4, "kinds": {"root causes 1 / 2": 10}}
    stacks = {"ours": {"syntax": "builtin 1", "tests": "builtin 1"}, "theirs": {"syntax": "bsl_ls 0.29", "tests": "onescript 2"}}
    questions = {"syntax": row, "tests": {**row, "kinds": {"passed / raised": 10}}}
    facts = {"category": "A", "protocol": "1.2.0", "protocol_hash": "abc", "answers": 30, "questions": questions, **stacks}
    return facts | {"disagreements": list(entries)} | changes


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def test_strangers_are_sent_to_the_door(client: Client):
    for address in ADDRESSES:
        assert client.get(address).status_code == 302
    assert client.post("/engines/cross-checks/", {"category": "A"}).status_code == 302 and not CrossCheck.objects.exists()


@pytest.mark.parametrize("role", [Role.EXPERT, Role.AUTHOR])
def test_other_people_may_not(django_user_model, role):
    crosscheck.keep(report(entry()))
    client = person(django_user_model, role)
    for address in [*ADDRESSES[:2], reverse("engines_report", args=[CrossCheck.objects.get().pk])]:
        assert client.get(address).status_code == 403
    assert client.post("/engines/cross-checks/", {"category": "A"}).status_code == 403 and CrossCheck.objects.count() == 1


def test_a_maintainer_reads_engines_figures_and_history(vera):
    assert "Сверок ещё не было" in body(vera, "/engines/")
    crosscheck.keep(report(entry()))
    crosscheck.keep(report(theirs={"syntax": "bsl_ls 0.30", "tests": "onescript 2"}))
    text = body(vera, "/engines/")
    assert "onescript" in text and "builtin 1" in text and "20/30" in text and "первопричин: 1 / 2" in text
    assert "bsl_ls 0.29 → <b>bsl_ls 0.30</b>" in text and 'id="trend-A"' in text and "cross-check" in text


def test_the_page_speaks_english(vera):
    crosscheck.keep(report(entry()))
    text = body(vera, "/engines/?lang=en")
    assert "Compare now" in text and "root causes: 1 / 2" in text and "Последняя сверка" not in text


def test_disagreements_stand_side_by_side_and_lead_to_the_answer(vera):
    row = crosscheck.keep(report(entry(answer=77), entry("A102", "tests", "passed / raised", theirs="ю" * 300)))
    text = body(vera, reverse("engines_report", args=[row.pk]))
    assert "&lt;b&gt;наше" in text and "<b>наше" not in text and 'href="/answers/77/"' in text
    assert "пройден / ошибка исполнения" in text and "ю" * 300 + "…" in text


@pytest.mark.parametrize(
    ("query", "found"),
    [("question=tests", {"A102"}), ("kind=root causes 1 / 2", {"A101"}), ("task=A102", {"A102"}), ("task=A102&question=syntax", set()), ("page=99", {"A101", "A102"}), ("task=<b>", set())],
)  # fmt: skip
def test_filters_narrow_by_question_kind_and_task(vera, query, found):
    row = crosscheck.keep(report(entry(), entry("A102", "tests", "passed / raised")))
    response = vera.get(reverse("engines_report", args=[row.pk]) + f"?{query}")
    assert {difference.task for difference in response.context["differences"]} == found


def test_many_disagreements_come_in_pages_that_keep_the_filter(vera):
    row = crosscheck.keep(report(*(entry(f"A{n}") for n in range(95))))
    address = reverse("engines_report", args=[row.pk])
    text = body(vera, f"{address}?question=syntax&page=2")
    assert "A40<" in text and "A39<" not in text and "?question=syntax&amp;page=3" in text


def test_a_report_whose_words_are_gone_says_so(vera):
    bare = entry()
    del bare["ours"], bare["theirs"]
    row = crosscheck.keep(report(bare))
    assert "хранятся только у последних" in body(vera, reverse("engines_report", args=[row.pk]))


@pytest.mark.parametrize("pk", [0, 10**12, 10**30])
def test_what_is_no_report_is_not_found(vera, pk):
    assert vera.get(f"/engines/cross-checks/{pk}/").status_code == 404


def test_a_check_without_a_report_is_not_found(vera):
    row, _ = nightly.request("A")
    assert vera.get(reverse("engines_report", args=[row.pk])).status_code == 404


def test_compare_now_queues_one_check_and_says_who_asked(vera):
    text = vera.post("/engines/cross-checks/", {"category": "A"}, follow=True).content.decode()
    assert "поставлена в очередь" in text and "disabled" in text and 'data-open="1"' in text
    text = vera.post("/engines/cross-checks/", {"category": "A"}, follow=True).content.decode()
    row = CrossCheck.objects.get()
    assert "уже идёт" in text and (row.category, row.reason, row.state) == ("A", "request", "queued")
    assert AuditEvent.objects.filter(action="cross_check.requested").count() == 1
    assert vera.post("/engines/cross-checks/", {"category": "X"}).status_code == 404
    assert vera.get("/engines/cross-checks/").status_code == 405


def test_progress_is_shown_while_it_runs(vera):
    assert 'data-is-open="0"' in body(vera, "/engines/live/")
    CrossCheck.objects.create(category="A", reason=CrossCheckReason.NIGHTLY, state=JobState.CLAIMED, token="x", subjects=[*range(50)], done=20)
    text = body(vera, "/engines/live/")
    assert 'data-is-open="1"' in text and "20 / 50" in text and 'value="20" max="50"' in text and "ночная" in text


def test_an_error_is_shown_whole(vera):
    CrossCheck.objects.create(category="A", reason=CrossCheckReason.NIGHTLY, state=JobState.FAILED, error="Traceback\nValueError: <i>боль</i>")
    text = body(vera, "/engines/")
    assert "не удалась" in text and "ValueError: &lt;i&gt;боль" in text
