"""One answer scored by two stacks, through the settings: both scores stay, the board shows one stack and names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from leaderboard.cache import forget
from scoring import queue
from scoring.instruments.settings import read_settings
from scoring.models import Answer, Edition, Network, Score, ShownStack, Task
from scoring.services import bank, measuring, stacks

pytestmark = pytest.mark.django_db
CODE = "Функция Сложить(А, Б) Экспорт\n\tВозврат А + Б;\nКонецФункции\n"
FILES = {
    "task.yaml": "id: SUM\nname: Сумма\ncategory: A\ndifficulty: easy\nentry_point: Сложить\nprompt: Сложите.\ntags: {skill: [числа]}\n",
    "tests.yaml": "tests:\n  - {args: [1, 2], expected: 3}\n  - {args: [0, 5], expected: 5}\n",
    "canonical.bsl": CODE,
}
BOARD = "/board/A/?controls=no"


@pytest.fixture
def switch(settings: Any, oscript: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`switch(PRISM_ENGINE_A_M="onescript")` is a start under these settings, followed by the command `score`."""
    monkeypatch.setattr("scoring.services.work.wake_workers", lambda *given: 0)
    monkeypatch.setattr(queue, "ensure", lambda: False)

    def start(**env: str) -> Any:
        measuring.close_pipeline()
        settings.PRISM_ENGINES = read_settings({"PRISM_ONESCRIPT": oscript, **env}, tmp_path)
        call_command("score", workers=0, no_wait=True, verbosity=0)
        measuring.drain()
        call_command("score", workers=0, verbosity=0)
        forget()
        return measuring.current_stack("A")

    yield start
    measuring.close_pipeline()


@pytest.fixture
def answer(db: None, tmp_path: Path) -> Answer:
    folder = tmp_path / "bank" / "SUM"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    bank.import_folder(tmp_path / "bank", publish=True)
    edition, _ = Edition.objects.get_or_create(slug="core", defaults={"name": "core"})
    cell = {"edition": edition, "task": Task.objects.get(), "network": Network.objects.create(name="Net", slug="net")}
    return Answer.objects.create(**cell, status="answered", response=CODE, code=CODE)


def shown(client: Client) -> tuple[str, float]:
    """The stack's name on the board's page, and the network's M in the board's data."""
    data = client.get("/api/v1/boards/A?controls=no").json()
    name = ShownStack.objects.select_related("stack").get(category="A").stack.name
    page = client.get(BOARD, follow=True).content.decode()
    assert page.count('class="stack"') == 1 and f"<b>{name}</b>" in page
    return name, data["rows"][0]["figures"]["M"]["value"]


def test_both_scores_stay_and_the_setting_chooses_whose_are_shown(switch, answer, client):
    own = switch()
    # The stand-in runs our engine, so that both say the same: a mark tells the rows apart.
    Score.objects.filter(answer=answer, stack=own).update(m_value=2.0, m_step=2)
    forget()
    assert shown(client) == (own.name, 2.0)

    other = switch(PRISM_ENGINE_A_M="onescript")
    assert other != own and "onescript 2.0.1+stand-in" in other.name and other.instruments["syntax"].startswith("builtin")
    assert set(Score.objects.filter(answer=answer).values_list("stack", "m_value")) == {(own.pk, 2.0), (other.pk, 10.0)}
    assert shown(client) == (other.name, 10.0)

    assert switch() == own and shown(client) == (own.name, 2.0)
    assert Score.objects.filter(answer=answer).count() == 2


def test_an_engine_that_is_missing_takes_no_board_and_replaces_nothing(switch, answer, client):
    own = switch()
    before = shown(client)
    with pytest.raises(Exception, match="onescript can't measure here"):
        switch(PRISM_ENGINE_A_M="onescript", PRISM_ONESCRIPT="/nowhere/oscript")
    assert shown(client) == before and Score.objects.filter(answer=answer).count() == 1
    assert stacks.shown_stack("A") == own
