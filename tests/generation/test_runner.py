"""Many answers at once: width, retries, budget, stop, and what breaks."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import SimpleNamespace

import pytest

from scoring.generation import runner as runner_module
from scoring.generation.budget import Budget, Measured, cost_of, estimate
from scoring.generation.catalogue import RetryRules
from scoring.generation.channels import ChannelFault, Reply
from scoring.generation.dialogue import Brief, Cell
from scoring.generation.retry import delay_before, persistently
from scoring.generation.runner import Runner, Stop

RULES = RetryRules(4, 1.0, 5.0, 300.0)
# How long one thread waits for another: far beyond any load.
PATIENCE = 120


class Scripted:
    """A line whose `ask` is a function."""

    def __init__(self, ask):
        self.ask = ask

    def close(self):
        return


def run(cards, ask, count=12, *, cap=None, cost=1.0, stop=None, save=None, tick=lambda: None, channel="local"):
    """(stored attempts by cell number, runner) of a run over one scripted line."""
    network = next(card for card in cards.networks.values() if card.channel == channel)
    cells = [Cell(Brief(f"T{n}", "A", "Условие", ""), network, cards.editions["core"], 0, 0, n) for n in range(count)]
    stored = {}

    def keep(arrived):
        stored.update((cell.key, attempt) for cell, attempt in arrived)

    runner = Runner(
        cards, {channel: Scripted(ask)}, save or keep, lambda cell, attempt: cost, Budget(cap), stop or Stop(), tick
    )
    runner.run(cells)
    return stored, runner


def test_every_cell_is_answered_once_and_no_more_than_the_width_at_a_time(cards):
    width = cards.channels["local"].concurrency
    busy, widest, lock, together = 0, 0, threading.Lock(), threading.Barrier(width)

    def ask(request):
        nonlocal busy, widest
        with lock:
            busy += 1
            widest = max(widest, busy)
        # Nobody goes on before as many are under way as the channel bears.
        together.wait(PATIENCE)
        with lock:
            busy -= 1
        return Reply("код", "stop")

    stored, _ = run(cards, ask, 10 * width)
    assert sorted(stored) == list(range(10 * width)) and {attempt.status for attempt in stored.values()} == {"answered"}
    assert widest == width


@pytest.mark.parametrize("kind", ["rate", "server", "timeout", "network"])
def test_passing_faults_are_tried_again(cards, kind):
    tries = []

    def ask(request):
        tries.append(request)
        if len(tries) < 3:
            raise ChannelFault(kind, "later")
        return Reply("код", "stop")

    stored, _ = run(cards, ask, 1)
    assert stored[0].status == "answered" and len(tries) == 3


def test_faults_that_stay_become_failed_answers_and_the_run_goes_on(cards):
    tries = []

    def ask(request):
        tries.append(request.cell[0])
        if request.cell[0] == "T1":
            raise ChannelFault("server", "HTTP 500")
        return Reply("код", "stop")

    stored, _ = run(cards, ask, 3)
    assert [stored[n].status for n in range(3)] == ["answered", "failed", "answered"]
    assert tries.count("T1") == cards.retries.attempts and stored[1].error == "server: HTTP 500"


@pytest.mark.parametrize("kind", ["request", "refused"])
def test_faults_of_the_question_are_not_tried_again(cards, kind):
    tries = []

    def ask(request):
        tries.append(request)
        raise ChannelFault(kind, "no")

    stored, _ = run(cards, ask, 1)
    assert len(tries) == 1 and stored[0].status == {"request": "failed", "refused": "refused"}[kind]


@pytest.mark.parametrize("kind", ["auth", "payment"])
def test_key_and_payment_close_the_channel_and_leave_the_cells_for_later(cards, kind):
    # Numbered one by one: requests that start together must not count each other.
    tries, numbers = [], itertools.count(1)

    def ask(request):
        tries.append(request)
        if next(numbers) > 2:
            raise ChannelFault(kind, "HTTP 40x")
        return Reply("код", "stop")

    stored, runner = run(cards, ask, 40)
    assert len(tries) <= 2 + cards.channels["local"].concurrency and len(stored) == 2
    assert runner.closed == {"local": "HTTP 40x"}


def test_the_cap_stops_new_answers(cards):
    asked = []

    def ask(request):
        asked.append(request)
        return Reply("код", "stop")

    stored, runner = run(cards, ask, 100, cap=Decimal(10))
    assert len(stored) == len(asked) and 10 <= len(asked) <= 10 + cards.channels["local"].concurrency
    assert not runner.budget.allows()


def test_a_cap_of_nothing_asks_nothing(cards):
    stored, _ = run(cards, lambda request: Reply("код", "stop"), 5, cap=Decimal(0))
    assert stored == {}


def test_what_is_in_flight_counts_against_the_cap():
    budget = Budget(Decimal(10))
    assert budget.take()
    budget.give_back(4)
    assert budget.take() and budget.take()
    # 4 spent and two in flight at 4 each: a fourth would go past the cap.
    assert not budget.take()
    budget.give_back(None)
    assert budget.take() and budget.spent == 4


def test_a_stop_takes_in_what_is_in_flight_and_asks_no_more(cards):
    stop, asked = Stop(), []

    def ask(request):
        asked.append(request)
        stop.ask()
        return Reply("код", "stop")

    stored, _ = run(cards, ask, 50, stop=stop)
    assert len(stored) == len(asked) <= cards.channels["local"].concurrency


def test_a_stop_does_not_wait_for_the_pause_between_attempts(cards):
    slow, stop = replace(cards, retries=RetryRules(5, 3600.0, 3600.0, 1.0)), Stop()

    def ask(request):
        stop.ask()
        raise ChannelFault("rate", "HTTP 429", 600.0)

    started = time.monotonic()
    stored, _ = run(slow, ask, 5, stop=stop)
    # The pause is 600 seconds: it was not waited for, however slow this machine is.
    assert stored == {} and time.monotonic() - started < 300


def test_a_store_that_breaks_once_loses_only_that_and_says_so(cards):
    stored, broken = {}, []

    def save(arrived):
        if not broken:
            broken.append([cell.key for cell, _ in arrived])
            raise OSError("disk full")
        stored.update((cell.key, attempt) for cell, attempt in arrived)

    asked = []

    def ask(request):
        asked.append(request)
        return Reply("код", "stop")

    # However late the storing thread comes to its turn, no more than WAITING answers pile up before it.
    with pytest.raises(OSError, match="disk full"):
        run(cards, ask, 500, save=save)
    assert len(asked) < 500, "nothing stopped the run"
    assert len(stored) + len(broken[0]) == len(asked)


def test_a_fault_of_our_own_stops_the_run_and_is_raised(cards):
    def ask(request):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(cards, ask, 50)


def test_the_caller_is_heard_while_nothing_comes(cards):
    ticks, heard = [], threading.Event()

    def tick():
        ticks.append(1)
        if len(ticks) == 2:
            heard.set()

    def ask(request):
        assert heard.wait(PATIENCE), "nobody was heard before the answer came"
        return Reply("код", "stop")

    stored, _ = run(cards, ask, 1, tick=tick)
    assert stored[0].status == "answered"


class Timed(Stop):
    """A stop whose pauses take no time but move the clock."""

    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def wait(self, seconds):
        self.clock[0] += seconds
        return True


def test_seconds_are_the_providers_without_our_pauses(cards, monkeypatch):
    clock, tries = [100.0], []
    monkeypatch.setattr(runner_module, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    def ask(request):
        tries.append(request)
        clock[0] += 2.5
        if len(tries) == 1:
            raise ChannelFault("rate", "later", 300.0)
        return Reply("код", "stop")

    stored, _ = run(cards, ask, 1, stop=Timed(clock))
    assert stored[0].seconds == 2.5 and clock[0] == 405.0


# -- delays and sums ------------------------------------------------------------------------------------------------------


def test_delays_double_to_the_longest():
    assert [delay_before(n, RULES, 0.0) for n in range(2, 7)] == [1, 2, 4, 5, 5]
    assert delay_before(2, RULES, 0.5) == 1.125


def test_the_provider_is_obeyed_where_it_says_how_long_to_wait():
    waits = []

    def ask():
        if len(waits) < 3:
            raise ChannelFault("rate", "later", [30.0, None, 0.5][len(waits)])
        return "ok"

    assert persistently(ask, RULES, lambda seconds: waits.append(seconds) or True, lambda: 0.0) == "ok"
    assert waits == [30.0, 2.0, 4.0]


def test_a_cancelled_pause_gives_up_with_the_fault():
    def ask():
        raise ChannelFault("server", "HTTP 500")

    with pytest.raises(ChannelFault):
        persistently(ask, RULES, lambda seconds: False)


def test_cost_by_the_price_of_the_day(cards):
    assert cost_of(cards, "Alpha", 1_000_000, 500_000, date(2026, 5, 1)) == Decimal(60)
    assert cost_of(cards, "Beta", 1, 1, date(2026, 5, 1)) is None


def test_an_estimate_says_what_it_rests_on(cards):
    plan = {("Alpha", "A"): 10, ("Alpha", "B"): 2, ("Beta", "A"): 5, ("Beta", "B"): 1}
    measured = {("Alpha", "A"): Measured(Decimal(100), Decimal(200), 4)}
    found = estimate(cards, plan, measured, date(2026, 5, 1))
    assert [line.basis for line in found.lines] == ["own", "assumed", "others", "assumed"]
    assert [(line.tokens_input, line.tokens_output) for line in found.lines] == [(1000, 2000), (10000, 6000), (500, 1000), (5000, 3000)]
    assert found.lines[0].cost == Decimal("0.21") and found.lines[1].cost == Decimal("0.7")
    assert found.total == Decimal("0.91") and found.unpriced == ("Beta",) and found.answers == 18
