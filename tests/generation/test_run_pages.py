"""The maintainers' pages, and what the public sees of how an answer came about."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from accounts.models import AuditEvent
from leaderboard.cache import forget
from runs.templatetags.runs import money
from scoring.generation.runner import Stop
from scoring.models import Answer, GenerationRun, RunState
from scoring.services import generating, generation, measuring
from scoring.services.generation import Order
from tests.generation.kit import CODE, KEY
from tests.generation.provider import completion, fault

pytestmark = pytest.mark.django_db
FORM = {"edition": "core", "networks": ["Alpha"], "tasks": ["A1", "B1"], "answers": "2", "cap": "", "seed": "0"}


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Neither scoring nor a queue: both have their own tests. No page of another test's data."""
    forget()
    monkeypatch.setattr(measuring, "request_scores", lambda *args, **options: [])
    monkeypatch.setattr(generating, "wake", lambda: 0)


@pytest.fixture
def bank(cards, make_task):
    make_task("A1")
    make_task("B1", "B")
    make_task("P1", is_private=True, prompt="ТАЙНОЕ УСЛОВИЕ")


@pytest.fixture
def olga(client):
    user = get_user_model().objects.create_user("olga", password="a long enough word")
    user.groups.add(Group.objects.get(name="maintainer"))
    client.force_login(user)
    return client


def text(response) -> str:
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def ran(provider, answer=None, **given) -> GenerationRun:
    provider.answer = answer or (lambda body, number: completion(CODE))
    return generating.carry_out(generation.place_order(Order(**{"networks": ["Alpha"], "tasks": ["A1", "B1"], **given})), Stop())


# -- who may ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [None, "expert", "author"])
def test_only_maintainers_see_or_do_anything(client, bank, provider, role):
    run = ran(provider)
    if role:
        user = get_user_model().objects.create_user("ivan")
        user.groups.add(Group.objects.get(name=role))
        client.force_login(user)
    for path in ("/runs/", "/runs/new/", f"/runs/{run.pk}/", f"/runs/{run.pk}/live/"):
        assert client.get(path).status_code == (403 if role else 302), path
    for path in ("/runs/new/", "/runs/estimate/", f"/runs/{run.pk}/cancel/", f"/runs/{run.pk}/resume/"):
        assert client.post(path, FORM | {"do": "start"}).status_code == (403 if role else 302), path
    assert GenerationRun.objects.count() == 1


def test_a_get_starts_cancels_and_resumes_nothing(olga, bank, provider):
    run = ran(provider)
    for path in ("cancel", "resume"):
        assert olga.get(f"/runs/{run.pk}/{path}/").status_code == 405
    assert olga.get("/runs/estimate/").status_code == 405


# -- ordering -----------------------------------------------------------------------------------------------------------


def test_the_form_offers_the_catalogue_and_the_bank(olga, bank):
    page = text(olga.get("/runs/new/"))
    for word in ("Alpha", "Beta", "без инструментов", "Задача A1", "Задача B1", "закрытая", "10 / 100 USD", "цена неизвестна"):
        assert word in page, word
    assert "rehearsal" not in page and KEY not in page


def test_the_estimate_is_that_of_the_command_and_stores_nothing(olga, bank):
    page = text(olga.post("/runs/estimate/", FORM))
    plan = generation.plan_order(Order("core", ["Alpha"], ["A1", "B1"], 2))
    assert f"{money(generation.estimate_plan(plan).total)}\u00a0USD" in page and "ответов спросить: 4" in page
    assert "Beta" in text(olga.post("/runs/estimate/", FORM | {"networks": ["Beta"]}))
    assert "Потолок ниже оценки" in text(olga.post("/runs/estimate/", FORM | {"cap": "0.01"}))
    assert not GenerationRun.objects.exists() and not Answer.objects.exists()


@pytest.mark.parametrize(
    "change", [{"networks": []}, {"tasks": []}, {"networks": ["Nobody"]}, {"tasks": ["A9"]}, {"answers": "0"}, {"cap": "-1"}, {"edition": "rehearsal"}, {"seed": "x"}]
)
def test_a_faulty_order_starts_nothing_and_says_why(olga, bank, change):
    page = text(olga.post("/runs/new/", FORM | {"do": "start"} | change))
    assert 'role="alert"' in page and not GenerationRun.objects.exists()


def test_start_places_the_order_and_hands_it_to_the_queue(olga, bank):
    response = olga.post("/runs/new/", FORM | {"do": "start", "cap": "5"})
    run = GenerationRun.objects.get()
    assert response.status_code == 302 and response["Location"] == f"/runs/{run.pk}/"
    assert (run.state, run.by_queue, run.cap, run.ordered_by.username) == (RunState.RUNNING, True, 5, "olga")
    assert generation.cells_of(run).count() == 4
    assert AuditEvent.objects.get(action="run.started").target == str(run.pk)


def test_a_faulty_catalogue_is_told_instead_of_an_error(olga, tmp_path, monkeypatch):
    monkeypatch.setenv("PRISM_CATALOGUE", str(tmp_path / "nowhere"))
    generation.catalogue.cache_clear()
    response = olga.get("/runs/new/")
    generation.catalogue.cache_clear()
    assert response.status_code == 503 and "networks.yaml" in response.content.decode()


# -- watching -----------------------------------------------------------------------------------------------------------


def test_a_run_shows_every_state_with_its_number(olga, bank, provider):
    run = ran(provider, lambda body, number: fault(500, f"key {KEY}") if "A1" in str(body) else completion("Функ", finish="length"))
    page = text(olga.get(f"/runs/{run.pk}/"))
    assert "сбой провайдера</span> <b>1</b>" in page and "оборван</span> <b>1</b>" in page and "HTTP 500" in page
    assert KEY not in page and 'data-open="0"' in page and "Продолжить" in page
    assert 'data-is-open="0"' in text(olga.get(f"/runs/{run.pk}/live/"))


def test_a_run_that_goes_on_says_so_and_can_be_cancelled(olga, bank):
    olga.post("/runs/new/", FORM | {"do": "start"})
    run = GenerationRun.objects.get()
    page = text(olga.get(f"/runs/{run.pk}/"))
    assert 'data-open="1"' in page and "ждёт свободного работника" in page and "Остановить прогон" in page
    olga.post(f"/runs/{run.pk}/cancel/")
    run.refresh_from_db()
    assert run.state == RunState.STOPPED and set(generation.cells_of(run).values_list("status", flat=True)) == {"cancelled"}
    page = text(olga.get(f"/runs/{run.pk}/"))
    assert "отменён</span> <b>4</b>" in page and "Продолжение спросит ответов: 4" in page
    olga.post(f"/runs/{run.pk}/resume/")
    run.refresh_from_db()
    assert run.state == RunState.RUNNING and not run.stop_asked


def test_queries_of_the_pages_do_not_grow_with_the_answers(olga, bank, provider, django_assert_max_num_queries):
    run = ran(provider, answers_per_task=12)
    with django_assert_max_num_queries(20):
        olga.get(f"/runs/{run.pk}/")
    with django_assert_max_num_queries(14):
        olga.get("/runs/")


def test_english_pages_have_no_russian_of_ours(olga, bank, provider):
    run = ran(provider, lambda body, number: fault(500) if number % 2 else completion(CODE))
    data = {"Задача", "Русский", "Альфа"}
    for path in ("/runs/", "/runs/new/", f"/runs/{run.pk}/"):
        page = re.sub(r"<(script|code)[^>]*>.*?</\1>", "", text(olga.get(f"{path}?lang=en")), flags=re.DOTALL)
        assert set(re.findall("[А-Яа-яЁё]{2,}", page)) <= data, path


# -- what the public sees -----------------------------------------------------------------------------------------------


def test_an_answers_page_tells_what_was_asked_read_and_said(client, bank, provider):
    turns = [
        completion(None, calls=[("list_objects", "{}"), ("get_object_structure", '{"nam": "Товары"}')]),
        completion(None, calls=[("get_object_structure", '{"name": "Товары"}')]),
        completion(CODE),
    ]  # fmt: skip
    run = ran(provider, lambda body, number: turns[number], tasks=["B1"])
    page = text(client.get(f"/answers/{Answer.objects.get().pk}/"))
    for word in ("Как получен ответ", "обращений к схеме: 3", "Справочник.Товары", "РегистрНакопления.Остатки", "temperature = 0.1",
                 "токены × цена", "served-model-2026", f"прогон {run.pk}", Answer.objects.get().exchange.digest[:16], "Пиши код модуля."):  # fmt: skip
        assert word in page, word


def test_of_a_private_task_nothing_that_was_said_is_public(client, bank, provider):
    ran(provider, lambda body, number: completion("```bsl\n// ТАЙНЫЙ ОТВЕТ\n```"), tasks=["P1"])
    pk = Answer.objects.get().pk
    for path in (f"/answers/{pk}/", f"/api/v1/answers/{pk}", "/board/A/?edition=core", "/costs/"):
        page = client.get(path).content.decode()
        assert "ТАЙН" not in page and "Как получен ответ" not in page, path


def test_an_imported_answer_has_no_such_part(client, bank, provider):
    ran(provider, tasks=["A1"])
    answer = Answer.objects.get()
    answer.exchange.delete()
    assert "Как получен ответ" not in text(client.get(f"/answers/{answer.pk}/"))


def test_an_unknown_cost_is_not_shown_as_nothing(client, bank, provider):
    ran(provider, networks=["Beta"], tasks=["A1"])
    page = text(client.get(f"/answers/{Answer.objects.get().pk}/"))
    assert re.search(r"Стоимость</dt><dd>N/A", page) and "неизвестна" in page


def test_former_attempts_stay_readable(client, bank, provider):
    run = ran(provider, lambda body, number: fault(500), tasks=["A1"])
    provider.answer = lambda body, number: completion(CODE)
    generating.carry_out(run, Stop())
    page = text(client.get(f"/answers/{Answer.objects.get(is_current=True).pk}/"))
    assert "Прежняя попытка" in page and "server: HTTP 500" in page
