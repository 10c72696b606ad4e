"""Runs in the database: order, carry out, resume, cancel; no answer lost, none paid for twice, none out of the count."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.utils import timezone

from scoring.findings import FaultyData
from scoring.generation.channels import ChannelUnavailable
from scoring.generation.dialogue import Attempt, record_digest
from scoring.generation.runner import Stop
from scoring.models import Answer, Edition, Exchange, GenerationRun, Network, RunState
from scoring.services import generating, generation, measuring, work
from scoring.services.generation import Order
from tests.generation.kit import CODE, KEY
from tests.generation.provider import completion, fault

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def scoring(monkeypatch):
    """What is handed on to scoring, without measuring it."""
    asked = []
    monkeypatch.setattr(measuring, "request_scores", lambda answers, again=False, workers=0: asked.extend(answer.pk for answer in answers) or [])
    return asked


@pytest.fixture
def tasks(make_task):
    return [make_task(f"T{number}") for number in range(6)]


def place(**given):
    return generation.place_order(Order(**{"networks": ["Alpha"], **given}))


def states(run):
    return Counter(generation.cells_of(run).values_list("status", flat=True))


def condition(body):
    return body["messages"][1]["content"]


# -- ordering -----------------------------------------------------------------------------------------------------------


def test_an_order_plans_every_cell_and_twice_the_same_plans_none_anew(cards, tasks):
    run = place(networks=["Alpha", "Beta"], answers_per_task=2)
    assert states(run) == {"planned": 24} and run.tasks == [f"T{n}" for n in range(6)] and run.catalogue_digest
    place(networks=["Alpha", "Beta"], answers_per_task=2)
    assert Answer.objects.count() == 24
    alpha = Network.objects.get(name="Alpha")
    assert (alpha.vendor, alpha.open_weights, str(alpha.released_on)) == ("Альфа", True, "2026-01-01")
    assert Edition.objects.get(slug="core").conditions["parameters"] == {"temperature": 0.1, "max_tokens": 100}


def test_what_the_catalogue_leaves_open_stays_as_it_is_known(cards, tasks):
    Network.objects.create(name="Beta", slug="beta", vendor="Old", open_weights=False)
    place(networks=["Beta"])
    beta = Network.objects.get(name="Beta")
    assert (beta.vendor, beta.open_weights) == ("Beta", False)


def test_unknown_names_are_all_told_at_once(cards, tasks):
    with pytest.raises(FaultyData) as caught:
        place(edition="cor", networks=["Alfa"], tasks=["T0", "T99"], answers_per_task=0, cap=Decimal(-1))
    text = str(caught.value)
    assert all(word in text for word in ("'cor'", "'core'", "'Alfa'", "'Alpha'", "'T99'", "[answers]", "[cap]"))
    assert not GenerationRun.objects.exists() and not Answer.objects.exists()


def test_an_order_without_names_takes_the_whole_catalogue_and_bank(cards, tasks, make_task):
    make_task("DRAFT", status="draft")
    plan = generation.plan_order(Order())
    assert [card.name for card in plan.networks] == ["Alpha", "Beta"] and len(plan.tasks) == 6 and plan.left == 12


# -- carrying out -------------------------------------------------------------------------------------------------------


def test_a_run_stores_everything_that_was_said(cards, tasks, provider, scoring):
    provider.answer = lambda body, number: completion(CODE)
    run = generating.carry_out(place(), Stop())
    assert run.state == RunState.DONE and states(run) == {"answered": 6} and run.token == "" and run.lease_until is None
    answer = Answer.objects.select_related("exchange").get(task=tasks[0])
    assert answer.code.startswith("Функция Сложить") and answer.response == CODE and answer.model_id == "served-model-2026"
    assert (answer.tokens_input, answer.tokens_output, answer.finish_reason) == (100, 50, "stop")
    assert answer.cost == pytest.approx((100 * 10 + 50 * 100) / 1e6) and answer.exchange.cost_basis == "price"
    assert answer.answered_at and answer.elapsed_seconds > 0 and answer.source == f"run {run.pk}"
    exchange = answer.exchange
    assert [message["role"] for message in exchange.messages] == ["system", "user", "assistant"]
    assert exchange.parameters == {"temperature": 0.1, "max_tokens": 100} and exchange.requests == 1
    assert exchange.digest == record_digest(exchange.messages, answer.response, exchange.parameters)
    assert run.spent == Decimal("0.036") and sorted(scoring) == sorted(Answer.objects.values_list("pk", flat=True))


def test_what_the_provider_charged_goes_before_the_list_price(cards, tasks, provider):
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2, "cost": 0.5}
    provider.answer = lambda body, number: completion(CODE, usage=usage)
    run = generating.carry_out(place(), Stop())
    assert run.spent == Decimal(3) and set(Exchange.objects.values_list("cost_basis", flat=True)) == {"provider"}


def test_an_unknown_price_is_not_a_cost_of_nothing(cards, tasks, provider):
    generating.carry_out(place(networks=["Beta"]), Stop())
    assert set(Exchange.objects.values_list("cost_basis", flat=True)) == {"unknown"}


ENDS = {
    "T0": (completion(CODE), "answered"),
    "T1": (completion(" "), "empty"),
    "T2": (completion("Функ", finish="length"), "truncated"),
    "T3": (completion(None, finish="content_filter"), "refused"),
    "T4": (fault(500), "failed"),
    "T5": (fault(400, "filtered", code="content_filter"), "refused"),
}


def test_every_end_has_its_own_state_and_none_leaves_the_count(cards, tasks, provider, scoring):
    provider.answer = lambda body, number: ENDS[condition(body).split()[1]][0]
    run = generating.carry_out(place(), Stop())
    found = dict(generation.cells_of(run).values_list("task__key", "status"))
    assert found == {key: status for key, (_outcome, status) in ENDS.items()}
    progress = generation.progress_of(run)
    assert progress.total == 6 and sum(progress.states.values()) == 6 and progress.left == progress.failed == 1
    assert run.state == RunState.DONE and Answer.objects.get(task__key="T4").error.startswith("server: HTTP 500")
    assert len(scoring) == 6, "cells without an answer get their N/A as well"


def test_a_tool_loop_has_its_own_state_and_its_whole_trace(cards, make_task, provider):
    make_task("B1", "B")
    provider.answer = lambda body, number: completion(None, calls=[("list_objects", "{}")])
    run = generating.carry_out(place(), Stop())
    assert states(run) == {"tool_loop": 1}
    exchange = Exchange.objects.get()
    assert [entry["name"] for entry in exchange.trace] == ["list_objects"] * 3 and [entry["ok"] for entry in exchange.trace] == [True, True, False]
    assert exchange.requests == 3 and Answer.objects.get().tokens_input == 300


def test_look_ups_are_counted_and_results_kept(cards, make_task, provider):
    make_task("B1", "B")
    turns = [
        completion(None, calls=[("search_objects", '{"query": "товар"}'), ("get_object_structure", '{"name": "Нет"}')]),
        completion(None, calls=[("get_object_structure", '{"name": "Товары"}'), ("finish_research", '{"summary": "всё"}')]),
        completion(CODE),
    ]  # fmt: skip
    provider.answer = lambda body, number: turns[number]
    generating.carry_out(place(), Stop())
    exchange = Exchange.objects.get()
    assert exchange.lookups == 2 and exchange.requests == 3 and len(exchange.trace) == 4
    assert exchange.trace[2]["object"] == "Справочник.Товары" and "Вес" in exchange.trace[2]["result"]
    sent = provider.requests[-1].body["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "tool", "assistant", "tool", "tool"]


def test_the_same_seed_shows_the_same_schema_and_runs_differ(cards, make_task, provider):
    make_task("B1", "B")
    provider.answer = lambda body, number: completion(None, calls=[("list_objects", "{}")]) if len(body["messages"]) == 2 else completion(CODE)

    def shown(**given):
        Answer.objects.all().delete()
        generating.carry_out(place(answers_per_task=2, **given), Stop())
        return list(Exchange.objects.order_by("answer__run_index").values_list("trace__0__result", flat=True))

    first, again, other = shown(seed=1), shown(seed=1), shown(seed=9)
    assert first == again and first[0] != first[1] and first != other


# -- resume, never twice ------------------------------------------------------------------------------------------------


def test_a_resumed_run_asks_only_for_what_is_missing_and_keeps_the_failed_attempt(cards, tasks, provider):
    provider.answer = lambda body, number: fault(500) if "T3" in condition(body) else completion(CODE)
    run = generating.carry_out(place(), Stop())
    failed = Answer.objects.get(task__key="T3")
    before = provider.count
    provider.answer = lambda body, number: completion(CODE)
    generating.carry_out(run, Stop())
    assert provider.count == before + 1 and states(run) == {"answered": 6} and run.state == RunState.DONE
    failed.refresh_from_db()
    assert not failed.is_current and failed.status == "failed" and failed.exchange.messages
    assert Answer.objects.get(task__key="T3", is_current=True).revision == 2
    generating.carry_out(run, Stop())
    assert provider.count == before + 1, "an answer was paid for twice"


def test_an_answer_that_came_in_elsewhere_is_not_overwritten_but_paid(cards, tasks, provider):
    run = place(tasks=["T0"])
    pk = generation.left_of(run).get().pk
    assert generating.store(pk, run, Attempt("answered", "первый"), 1.0, "price") == pk
    assert generating.store(pk, run, Attempt("answered", "второй"), 1.0, "price") is None
    generating.pay(run, [1.0, None, 1.0])
    run.refresh_from_db()
    assert Answer.objects.get(pk=pk).response == "первый" and run.spent == 2


def test_a_wrong_key_stops_the_run_and_leaves_the_cells_planned(cards, tasks, provider):
    provider.answer = lambda body, number: fault(401, f"bad key {KEY}")
    run = generating.carry_out(place(), Stop())
    assert run.state == RunState.STOPPED and states(run) == {"planned": 6}
    assert "401" in run.note and KEY not in run.note and provider.count <= 4


def test_no_money_in_mid_research_keeps_what_was_paid(cards, make_task, provider):
    make_task("B1", "B")
    provider.answer = lambda body, number: completion(None, calls=[("list_objects", "{}")]) if number == 0 else fault(402, "no credits")
    run = generating.carry_out(place(), Stop())
    assert run.state == RunState.STOPPED and states(run) == {"cancelled": 1} and run.spent > 0
    provider.answer = lambda body, number: completion(CODE)
    generating.carry_out(run, Stop())
    assert states(run) == {"answered": 1} and Answer.objects.filter(is_current=False).count() == 1


def test_a_channel_without_key_does_not_keep_the_others_from_answering(cards, tasks, provider, monkeypatch):
    monkeypatch.delenv("TEST_PROVIDER_KEY")
    run = generating.carry_out(place(networks=["Alpha", "Beta"]), Stop())
    assert states(run) == {"answered": 6, "planned": 6} and run.state == RunState.STOPPED and "TEST_PROVIDER_KEY" in run.note


def test_without_any_channel_nothing_runs_and_the_run_says_why(cards, tasks, monkeypatch):
    monkeypatch.delenv("TEST_PROVIDER_KEY")
    run = place()
    with pytest.raises(ChannelUnavailable, match="TEST_PROVIDER_KEY"):
        generating.carry_out(run, Stop())
    run.refresh_from_db()
    assert run.state == RunState.FAILED and not generating.is_held(run)


def test_the_cap_holds_over_resumes(cards, tasks, provider):
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2, "cost": 1.0}
    provider.answer = lambda body, number: completion(CODE, usage=usage)
    run = place(cap=Decimal("0.5"))
    generating.carry_out(run, Stop())
    answered = states(run)["answered"]
    assert 1 <= answered <= 4 and run.state == RunState.STOPPED and "budget" in run.note
    generating.carry_out(run, Stop())
    assert states(run)["answered"] == answered


# -- who holds a run ----------------------------------------------------------------------------------------------------


def dead_token() -> str:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return work.new_token().replace(f":{os.getpid()}:", f":{ended.pid}:")


def test_one_process_holds_a_run_at_a_time(cards, tasks):
    run = place()
    generating.claim(run)
    with pytest.raises(generating.RunIsHeldError):
        generating.claim(run)


def test_runs_over_the_same_cells_do_not_run_at_once(cards, tasks):
    first, second, apart = place(), place(tasks=["T1"]), place(networks=["Beta"])
    generating.claim(first)
    with pytest.raises(generating.RunIsHeldError, match=f"run {first.pk}"):
        generating.claim(second)
    generating.claim(apart)


def test_a_killed_holder_of_this_machine_is_not_waited_for(cards, tasks, provider):
    run = place()
    GenerationRun.objects.filter(pk=run.pk).update(token=dead_token(), lease_until=timezone.now() + timedelta(hours=1), state="running")
    assert generating.carry_out(run, Stop()).state == RunState.DONE


def test_a_holder_elsewhere_is_left_to_its_lease(cards, tasks):
    run = place()
    GenerationRun.objects.filter(pk=run.pk).update(token="elsewhere:1:ab", lease_until=timezone.now() + timedelta(seconds=30))
    with pytest.raises(generating.RunIsHeldError):
        generating.claim(run)
    GenerationRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert generating.claim(run)


# -- stop and cancel ----------------------------------------------------------------------------------------------------


def test_a_cancel_from_a_page_is_heard_and_what_is_left_says_so(make_catalogue, make_task, provider, monkeypatch):
    make_catalogue(width=1)
    for number in range(20):
        make_task(f"T{number}")
    monkeypatch.setattr(generating, "LOOK_SECONDS", 0.0)
    run = place()
    stop = Stop()
    heard = []

    def told(attempt, cost):
        heard.append(attempt)
        if len(heard) == 3:
            generating.ask_to_stop(GenerationRun.objects.get(pk=run.pk))

    def answer(body, number):
        # The fourth request is in flight until the holder has heard of the cancel, however slow this machine is.
        if number == 3:
            assert stop.event.wait(120)
        return completion(CODE)

    provider.answer = answer
    generating.carry_out(run, stop, told=told)
    assert run.state == RunState.STOPPED and states(run) == {"answered": 4, "cancelled": 16}
    assert generation.progress_of(run).total == 20
    generating.carry_out(run, Stop())
    assert states(run) == {"answered": 20} and provider.count == 20
    assert not Answer.objects.filter(is_current=False).exists(), "cells that were never asked have no former attempt"


def test_a_run_that_nobody_holds_is_cancelled_at_once(cards, tasks):
    run = place()
    generating.ask_to_stop(run)
    assert run.state == RunState.STOPPED and states(run) == {"cancelled": 6}


def test_a_signal_leaves_the_rest_planned(cards, tasks, provider):
    stop = Stop()
    stop.ask()
    run = generating.carry_out(place(), stop)
    assert run.state == RunState.STOPPED and states(run) == {"planned": 6} and provider.count == 0


def waiting_run(**fields):
    """A run that waits for a worker."""
    run = place()
    GenerationRun.objects.filter(pk=run.pk).update(**{"by_queue": True, "state": "running", "started_at": timezone.now(), **fields})
    run.refresh_from_db()
    return run


def test_a_cancel_while_a_worker_takes_the_run_is_not_lost(cards, tasks, provider, monkeypatch):
    run, carry_out = waiting_run(), generating.carry_out

    def cancelled_meanwhile(given, *arguments, **options):
        generating.ask_to_stop(GenerationRun.objects.get(pk=run.pk))
        return carry_out(given, *arguments, **options)

    monkeypatch.setattr(generating, "carry_out", cancelled_meanwhile)
    assert "waits for no worker" in generating.carry_out_slice(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.STOPPED and run.token == "" and states(run) == {"cancelled": 6} and provider.count == 0


def test_a_stop_that_was_asked_for_while_the_run_changed_hands_asks_nothing_more(cards, tasks, provider, calls):
    run = waiting_run(stop_asked=True)
    assert generating.carry_out_slice(run.pk) == "stopped"
    assert states(run) == {"cancelled": 6} and provider.count == 0 and calls == []


def test_a_stop_written_between_reading_and_claiming_stays(cards, tasks):
    """As two connections may do it where the database lets them: the stop is stored just before the claim is."""
    run, asked = waiting_run(), []

    def asked_meanwhile(execute, sql, params, many, context):
        if sql.startswith("UPDATE") and not asked:
            asked.append(sql)
            GenerationRun.objects.filter(pk=run.pk).update(stop_asked=True)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(asked_meanwhile):
        generating.claim(run)
    assert asked and run.stop_asked


def test_a_stop_after_the_last_look_of_a_slice_is_heard(make_catalogue, make_task, provider, calls, monkeypatch):
    make_catalogue(width=1)
    for number in range(8):
        make_task(f"T{number}")
    monkeypatch.setattr(generating, "LOOK_SECONDS", 1e9)
    run, stop = waiting_run(), Stop()

    def told(attempt, cost):
        if not stop.asked:
            generating.ask_to_stop(GenerationRun.objects.get(pk=run.pk))

    def answer(body, number):
        assert number == 0 or stop.event.wait(120)
        return completion(CODE)

    provider.answer = answer
    generating.carry_out(run, stop, told=told, seconds=0.0)
    found = states(run)
    assert run.state == RunState.STOPPED and found["cancelled"] == 8 - provider.count and found["answered"] == provider.count <= 2


# -- the queue ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def calls(monkeypatch):
    sent = []

    class Calls:
        def get_jobs(self):
            return []

        def enqueue(self, name, *args, **options):
            sent.append((name, *args))

    monkeypatch.setattr(generating.queue, "queue", lambda name: Calls())
    return sent


def test_a_run_started_from_a_page_goes_through_the_queue(cards, tasks, provider, calls, django_capture_on_commit_callbacks):
    run = place()
    with django_capture_on_commit_callbacks(execute=True):
        generating.start_in_queue(run)
    assert calls == [("scoring.jobs.generate", run.pk)] and run.state == RunState.RUNNING
    from scoring import jobs

    assert jobs.generate(run.pk) == "done" and states(run) == {"answered": 6}
    assert jobs.generate(run.pk) == "nothing to do" and provider.count == 6


def test_a_worker_leaves_after_its_slice_and_the_next_goes_on(make_catalogue, make_task, provider, calls, monkeypatch):
    make_catalogue(width=1)
    for number in range(8):
        make_task(f"T{number}")
    stops, served = [], []

    def noted():
        stops.append(Stop())
        return stops[-1]

    def answer(body, number):
        # The second request of a slice is in flight until that slice is to end, however slow this machine is.
        if served and served[-1] is stops[-1]:
            assert stops[-1].event.wait(120)
        served.append(stops[-1])
        return completion(CODE)

    monkeypatch.setattr(generating, "Stop", noted)
    provider.answer = answer
    run = place()
    GenerationRun.objects.filter(pk=run.pk).update(by_queue=True, state="running", started_at=timezone.now())
    monkeypatch.setattr(generating, "SLICE_SECONDS", 0.0)
    rounds = 0
    while generating.carry_out_slice(run.pk) == "running":
        rounds += 1
        assert rounds < 200
    run.refresh_from_db()
    assert run.state == RunState.DONE and states(run) == {"answered": 8} and provider.count == 8
    assert rounds >= 3 and len(calls) == rounds


def test_slices_do_not_ask_forever_for_what_fails(cards, tasks, provider, calls, monkeypatch):
    provider.answer = lambda body, number: fault(404, "no such model")
    run = place()
    GenerationRun.objects.filter(pk=run.pk).update(by_queue=True, state="running", started_at=timezone.now())
    monkeypatch.setattr(generating, "SLICE_SECONDS", 0.0)
    rounds = 0
    while generating.carry_out_slice(run.pk) == "running":
        rounds += 1
        assert rounds < 200
    assert provider.count == 6 and states(run) == {"failed": 6}


def test_the_run_of_a_dead_worker_is_called_for_again(cards, tasks, calls):
    run, other = place(), place(networks=["Beta"])
    GenerationRun.objects.filter(pk=run.pk).update(by_queue=True, state="running", token=dead_token(), lease_until=timezone.now() + timedelta(hours=1))
    GenerationRun.objects.filter(pk=other.pk).update(by_queue=False, state="running", token=dead_token(), lease_until=timezone.now())
    assert generating.wake() == 1 and calls == [("scoring.jobs.generate", run.pk)]


# -- estimates ----------------------------------------------------------------------------------------------------------


def test_an_estimate_before_the_order_stores_nothing_and_counts_what_is_there(cards, tasks, provider):
    generating.carry_out(place(tasks=["T0", "T1"]), Stop())
    plan = generation.plan_order(Order(networks=["Alpha"]))
    found = generation.estimate_plan(plan)
    assert plan.left == 4 and plan.cells == 6 and Answer.objects.count() == 2
    assert [(line.answers, line.basis, line.tokens_input, line.tokens_output) for line in found.lines] == [(4, "own", 400, 200)]


def test_messages_are_stored_as_they_were_sent(cards, tasks, provider):
    generating.carry_out(place(tasks=["T0"]), Stop())
    sent = provider.requests[0].body["messages"]
    assert json.loads(json.dumps(Exchange.objects.get().messages))[:2] == sent
