"""The public side of cross-checks: figures with their engines and date, honest where none has run, and nothing private."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from scoring.models import CrossCheck, CrossCheckReason, JobState
from scoring.services import crosscheck

pytestmark = pytest.mark.django_db
SECRET = "КАНАРЕЙКА-7f31 canary"


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def row(**changes: Any) -> dict[str, Any]:
    return {"n": 40, "equal": 39, "share": 0.975, "not_measured": 2, "kinds": {"root causes 1 / 0": 1}} | changes


def report(**changes: Any) -> dict[str, Any]:
    facts = {"category": "A", "protocol": "1.2.0", "protocol_hash": "abc", "answers": 42, "questions": {"syntax": row()}}
    return facts | {"ours": {"syntax": "builtin 5"}, "theirs": {"syntax": "bsl_ls 0.29"}, "disagreements": []} | changes


def test_without_a_check_the_page_says_that_there_was_none(world, client):
    text = body(client, "/trust/")
    assert text.count("живой сверки в этой категории ещё не было") == 2
    assert client.get("/api/v1/fidelity").json()["cross_checks"] == []
    assert "has not compared engines live" in body(client, "/trust/?lang=en")


def test_the_last_check_is_shown_with_engines_date_and_kinds(world, client):
    body(client, "/trust/")
    crosscheck.keep(report(questions={"syntax": row(equal=1)}))
    kept = crosscheck.keep(report())
    text = body(client, "/trust/")
    assert "Живая сверка этой установки" in text and f"{kept.finished_at:%d.%m.%Y %H:%M} UTC" in text
    assert "builtin 5" in text and "bsl_ls 0.29" in text and "97.50" in text and "первопричин: 1 / 0" in text
    assert text.count("живой сверки в этой категории ещё не было") == 1
    found = client.get("/api/v1/fidelity").json()["cross_checks"]
    assert [(entry["category"], entry["questions"]["syntax"]["share"]) for entry in found] == [("A", 0.975)]


def test_nothing_measured_is_no_share(world, client):
    crosscheck.keep(report(questions={"syntax": row(n=0, equal=0, share=None, kinds={})}))
    assert "N/A" in body(client, "/trust/")
    assert client.get("/api/v1/fidelity").json()["cross_checks"][0]["questions"]["syntax"]["share"] is None


def test_a_failed_or_running_check_takes_no_finished_ones_place(world, client):
    crosscheck.keep(report())
    CrossCheck.objects.create(category="A", reason=CrossCheckReason.NIGHTLY, state=JobState.FAILED, error=SECRET, report=report(theirs={"syntax": "x 1"}))
    CrossCheck.objects.create(category="A", reason=CrossCheckReason.NIGHTLY, state=JobState.QUEUED, report=report(theirs={"syntax": "x 2"}))
    text = body(client, "/trust/")
    assert "bsl_ls 0.29" in text and "x 1" not in text and "x 2" not in text and SECRET not in text


def everywhere(secret: str) -> dict[str, Any]:
    """A report with the secret in every place that a task, an answer or an engine's word can reach."""
    entry = dict.fromkeys(("task", "model", "kind", "ours", "theirs"), secret) | {"question": "syntax", "answer": 1}
    kinds = {
        secret: 1, f"root causes 1 / {secret}": 1, f"passed / {secret}": 1, f"{secret} / runs": 1, f"10.0 / {secret}": 1,
        f"+{secret}": 1, f"-UsingModalWindows +{secret}": 1, "root causes 1 / 0\ncanary": 1,
    }  # fmt: skip
    questions = {name: row(kinds=kinds) for name in ("syntax", "tests", "work", "static", secret)}
    more = {"stock": secret, secret: secret}
    stacks = {side: dict.fromkeys(("syntax", "tests", "work", "static"), f"{side} 1") for side in ("ours", "theirs")}
    return report(questions=questions, disagreements=[entry], **stacks, **more)


@pytest.mark.parametrize("secret", [SECRET, "canary", "CanaryOfTask", "limit_canary"])
def test_nothing_of_a_private_task_reaches_a_public_page(small, client, secret):
    task = small.task("PRIVATE", is_private=True, prompt=SECRET)
    answer = small.scored(task, small.network("Secretive", slug="secretive")).answer
    crosscheck.keep(everywhere(secret) | {"error": secret})
    CrossCheck.objects.create(category="A", reason=CrossCheckReason.NIGHTLY, state=JobState.FAILED, error=secret)
    for address in ("/trust/", "/trust/?lang=en", "/api/v1/fidelity", "/", f"/answers/{answer.pk}/", "/api/v1/tasks"):
        text = body(client, address).lower()
        assert secret.lower() not in text, address
    kinds = client.get("/api/v1/fidelity").json()["cross_checks"][0]["questions"]
    assert set(kinds) == {"syntax", "tests", "work", "static"} and all(set(row["kinds"]) == {"other"} for row in kinds.values())


KNOWN = [
    ("syntax", "root causes 12 / 3"), ("syntax", "refused by one"), ("tests", "passed / raised"), ("tests", "does_not_compile / runs"),
    ("work", "10.0 / 8"), ("work", "time_out / 10"), ("static", "+query_in_loop"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "kind"), KNOWN)
def test_kinds_out_of_closed_lists_are_told(world, question, kind):
    code = next(iter(world.rules.optimization.static_weights))
    kind = kind.replace("query_in_loop", code)
    figures = crosscheck.public_figures(json.loads(json.dumps(report(questions={question: row(kinds={kind: 3})}))))
    assert figures["questions"][question]["kinds"] == {kind: 3}


def test_kinds_that_differ_in_the_code_itself_are_all_known():
    """Every verdict word that a comparison can name is in the list that the public sees, so that nothing of it turns into "other"."""
    from scoring.fidelity import cross

    assert cross._VERDICTS < crosscheck._TEST_WORDS and "runs" in crosscheck._TEST_WORDS
