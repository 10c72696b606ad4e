"""What expert review asks of the public pages: graded answers stay hidden while their averages stay, marks are shown."""

from __future__ import annotations

import pytest

from leaderboard.cache import forget
from leaderboard.queries import board
from scoring.models import Answer, Exchange, Task
from scoring.services import reviewing
from scoring.services.reviewing import Marks
from scoring.services.versions import data_changed

pytestmark = pytest.mark.django_db


@pytest.fixture
def review(small, monkeypatch):
    """Sets what the review tells; nothing of it is left afterwards."""

    def tell(withheld: frozenset[int] = frozenset(), marks: Marks | None = None) -> None:
        monkeypatch.setattr(reviewing, "_withheld", [lambda: withheld])
        monkeypatch.setattr(reviewing, "_marks", [lambda: marks or Marks()])
        forget()
        data_changed()

    return tell


def graded() -> Answer:
    return Answer.objects.get(network__slug="middling", task__key="A1")


def test_a_withheld_answer_shows_nothing_of_its_own_anywhere(review, client):
    answer = graded()
    Answer.objects.filter(pk=answer.pk).update(code="// СКРЫТО-91", response="// СКРЫТО-91")
    Exchange.objects.create(answer=answer, messages=[{"role": "assistant", "content": "СКРЫТО-91"}], digest="d")
    before = client.get("/board/A/").content
    assert "СКРЫТО-91" in client.get(f"/answers/{answer.pk}/").content.decode()
    review(frozenset({answer.pk}))
    page = client.get(f"/answers/{answer.pk}/").content.decode()
    assert "вслепую оценивают эксперты" in page and "СКРЫТО-91" not in page and "тестов пройдено" not in page
    value = client.get(f"/api/v1/answers/{answer.pk}").json()
    assert value["withheld"] and value["code"] is None and value["tests"] == [] and value["quality"] is None
    assert {axis["value"] for axis in value["axes"]} == {None}
    assert client.get("/board/A/").content == before


def test_its_cell_is_masked_in_every_list_and_counted_in_every_mean(review, client):
    answer = graded()
    means = board("A").mean("M", answer.network_id)
    review(frozenset({answer.pk}))
    data = board("A")
    assert data.mean("M", answer.network_id) == means
    (cell,) = [cell for cell in data.by_network[answer.network_id] if cell.answer == answer.pk]
    assert cell.state == "withheld" and cell.values == {} and cell.passed is None
    told = [
        next(cell for cell in client.get("/api/v1/tasks/A1").json()["answers"] if cell["answer"] == answer.pk),
        next(cell for cell in client.get("/api/v1/networks/middling").json()["categories"]["A"]["answers"] if cell["answer"] == answer.pk),
    ]
    assert all(set(entry["scores"].values()) == {None} and entry["state"] == "withheld" for entry in told)
    text = client.get("/compare/?a=strong&b=middling").content.decode()
    row = text.split('href="/tasks/A1/"')[1].split("</tr>")[0]
    # The strong one's S, M, O, Q are shown; of the other one nothing is, nor is the difference.
    assert row.count("N/A") == 4 and row.count("10.0") == 4 and "—" in row


def test_the_funnel_keeps_counting_it(review, client):
    before = client.get("/api/v1/networks/middling").json()["categories"]["A"]["funnel"]
    review(frozenset({graded().pk}))
    assert client.get("/api/v1/networks/middling").json()["categories"]["A"]["funnel"] == before


def test_marks_are_shown_where_axis_and_task_both_have_them(review, client):
    verified, other = Task.objects.get(key="A0"), Task.objects.get(key="A1")
    review(marks=Marks({("A", "M"): "verified", ("A", "S"): "provisional"}, frozenset({verified.pk}), frozenset({other.pk})))
    page = client.get("/board/A/").content.decode()
    assert "M: проверено экспертами" in page and "S: предварительно" in page and "только проверенные" in page
    first, second = (Answer.objects.get(network__slug="strong", task=task).pk for task in (verified, other))
    assert client.get(f"/api/v1/answers/{first}").json()["verified_axes"] == ["M"]
    assert client.get(f"/api/v1/answers/{second}").json()["verified_axes"] == []
    assert "под вопросом" in client.get(f"/answers/{second}/").content.decode()
    assert "под вопросом" not in client.get(f"/answers/{first}/").content.decode()
    assert "проверено" in client.get("/tasks/A0/").content.decode()


def test_the_board_can_be_limited_to_the_verified_part(review, client):
    tasks = frozenset(Task.objects.filter(key__in=["A0", "A2"]).values_list("pk", flat=True))
    review(marks=Marks({("A", "M"): "verified"}, tasks))
    value = client.get("/api/v1/boards/A?verified=yes").json()
    assert value["tasks"] == 2 and value["filters"]["verified"] is True
    middling = next(row for row in value["rows"] if row["network"]["slug"] == "middling")
    # Tasks 0 and 2 passed 2 and 4 of 4 tests; the place is that of the whole board.
    assert middling["figures"]["M"]["value"] == 7.5 and middling["standing"]["rank"] == 2


def test_a_board_without_review_has_no_marks(small, client):
    page = client.get("/board/A/").content.decode()
    assert "проверено экспертами" not in page and "только проверенные" not in page
