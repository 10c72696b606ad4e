"""Hidden tests, references, fixtures, controls and canaries: every byte that goes out is searched for them."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from django.conf import settings

from scoring.generation.runner import Stop
from scoring.models import Answer, Exchange, GenerationRun, Task
from scoring.services import bank, generating, generation, measuring
from scoring.services.generation import Order
from tests.generation.kit import HIDDEN, KEY
from tests.generation.provider import completion

pytestmark = pytest.mark.django_db

# What a network may learn: the condition, the signature, and the metadata.
OPEN_FILES = {"task.yaml", "config_spec.yaml"}
# Shorter lines say nothing: `Возврат Результат;` stands in any code.
SHORTEST = 24


@pytest.fixture(autouse=True)
def unscored(monkeypatch):
    monkeypatch.setattr(measuring, "request_scores", lambda *args, **options: [])


def curious(body, number):
    """A network that reads whatever it is offered, then writes its code."""
    messages = body["messages"]
    if not body.get("tools") or body.get("tool_choice") == "none":
        return completion("код")
    results = [json.loads(message["content"]) for message in messages if message["role"] == "tool"]
    if not results:
        return completion(None, calls=[("list_objects", "{}")])
    if len(results) == 1:
        calls = [("get_object_structure", json.dumps({"name": path}, ensure_ascii=False)) for path in results[0]["objects"]]
        return completion(None, calls=[*calls, ("search_objects", '{"query": "а е и о"}')])
    return completion(None, calls=[("finish_research", '{"summary": "прочитано всё"}')])


def everything_sent(provider) -> str:
    """Paths, headers and bodies; JSON's escapes undone, so that a search finds the letters."""
    parts = []
    for request in provider.requests:
        parts += [request.path, str(dict(request.headers)), json.dumps(request.body, ensure_ascii=False), request.raw.decode("utf-8", "replace")]
        parts += [str(message.get("content")) for message in request.body["messages"]]
    return "\n".join(parts)


def hidden_lines(files: dict[str, str]) -> set[str]:
    """Lines of the hidden files that stand in no open one."""
    shown = "\n".join(text for name, text in files.items() if name in OPEN_FILES)
    return {
        line.strip()
        for name, text in files.items() if name not in OPEN_FILES
        for line in text.splitlines()
        if len(line.strip()) >= SHORTEST and line.strip() not in shown
    }  # fmt: skip


def test_nothing_hidden_of_our_own_bank_is_sent(make_catalogue, provider):
    make_catalogue(networks_yaml='networks:\n  - {name: Alpha, id: a, channel: local, tools: true}\n', width=8)
    bank.import_folder(Path(settings.PRISM_TASKS_DIR))
    provider.answer = curious
    generating.carry_out(generation.place_order(Order()), Stop())
    sent = everything_sent(provider)
    tasks = list(Task.objects.select_related("bundle").filter(bundle__isnull=False))
    assert len(tasks) >= 40 and provider.count > len(tasks), "nothing was researched"
    secrets = {line: task.key for task in tasks for line in hidden_lines(task.bundle.files)}
    assert len(secrets) > 1000
    assert {line: key for line, key in secrets.items() if line in sent} == {}


def test_planted_canaries_are_sent_nowhere(cards, make_task, provider):
    for key, category in (("A1", "A"), ("B1", "B")):
        make_task(key, category, is_private=True)
    provider.answer = curious
    generating.carry_out(generation.place_order(Order(networks=["Alpha"])), Stop())
    sent = everything_sent(provider)
    words = [word for text in HIDDEN.values() for word in text.replace(",", " ").replace("]", " ").split() if "СКРЫТ" in word]
    planted = [word.strip("[]{}") for word in words]
    assert len(planted) >= 6 and "Справочник.Товары" in sent
    assert [word for word in planted if word in sent] == []


def test_the_condition_is_sent_as_it_stands(cards, make_task, provider):
    make_task("A1", prompt="Ровно это.", signature="Функция Ф(А) Экспорт")
    generating.carry_out(generation.place_order(Order(networks=["Alpha"])), Stop())
    assert provider.requests[0].body["messages"] == [
        {"role": "system", "content": "Пиши код."},
        {"role": "user", "content": "Ровно это.\n\nСигнатура: Функция Ф(А) Экспорт"},
    ]


def test_the_key_is_in_no_row_log_or_export(cards, make_task, provider, caplog, capsys):
    from scoring.services.exporting import export_answers
    from tests.generation.provider import fault

    caplog.set_level(logging.DEBUG)
    make_task("A1")
    make_task("A2")
    provider.answer = lambda body, number: fault(400, f"your key {KEY}") if "A2" in str(body) else completion(f"код {len(KEY)}")
    run = generating.carry_out(generation.place_order(Order(networks=["Alpha"])), Stop())
    rows = [*Answer.objects.values(), *Exchange.objects.values(), *GenerationRun.objects.values()]
    printed = capsys.readouterr()
    for text in (str(rows), json.dumps(export_answers("A")), caplog.text, printed.out, printed.err, repr(run)):
        assert KEY not in text
    assert provider.requests and all(KEY in str(dict(request.headers)) for request in provider.requests)
