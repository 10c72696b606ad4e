"""Many answers at once: per channel as many requests as it bears, every finished answer handed over at once.

The runner keeps nothing itself: ``save`` stores an answer the moment it is there, so a killed run loses only what was in flight.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from scoring.generation.budget import Budget
from scoring.generation.catalogue import Catalogue
from scoring.generation.channels.base import ChannelFault, Line, Reply, Request
from scoring.generation.dialogue import Attempt, Cell, Dialogue
from scoring.generation.retry import persistently

# Faults that every further request of the channel would meet as well.
_CLOSING = frozenset({"auth", "payment"})


@dataclass
class Stop:
    """Asked for by a person or by a signal; waiting threads notice it at once."""

    event: threading.Event = field(default_factory=threading.Event)

    def ask(self) -> None:
        self.event.set()

    @property
    def asked(self) -> bool:
        return self.event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep; False when the stop came meanwhile."""
        return not self.event.wait(seconds)


# Answers that wait for being stored while requests go on; more would only hold memory.
WAITING = 64
# How often the caller's ``tick`` runs while no answer comes, in seconds.
TICK = 0.5


class Runner:
    """Asks for the cells of a plan. ``lines``: channel id → open line. ``save`` and ``tick`` run in the thread of ``run``."""

    def __init__(
        self,
        catalogue: Catalogue,
        lines: Mapping[str, Line],
        save: Callable[[Cell, Attempt], None],
        price: Callable[[Cell, Attempt], float | None],
        budget: Budget,
        stop: Stop,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.catalogue = catalogue
        self.lines = lines
        self.save = save
        self.price = price
        self.budget = budget
        self.stop = stop
        self.tick = tick
        self.closed: dict[str, str] = {}  # channel → why no further request goes to it
        self._finished: queue.Queue[tuple[Cell, Attempt]] = queue.Queue(WAITING)
        self._faults: list[BaseException] = []

    def run(self, cells: Iterable[Cell]) -> None:
        """Until every cell is answered, the budget is spent, or a stop was asked for. Raises what broke a thread."""
        by_channel: dict[str, list[Cell]] = {}
        for cell in cells:
            by_channel.setdefault(cell.network.channel, []).append(cell)
        threads = [
            threading.Thread(target=self._guarded, args=(channel, iter(waiting)), daemon=True)
            for channel, waiting in by_channel.items()
        ]
        for thread in threads:
            thread.start()
        self._store_while(threads)
        if self._faults:
            raise self._faults[0]

    def _store_while(self, threads: Iterable[threading.Thread]) -> None:
        alive = list(threads)
        while alive or not self._finished.empty():
            try:
                self.save(*self._finished.get(timeout=TICK))
            except queue.Empty:
                alive = [thread for thread in alive if thread.is_alive()]
            self.tick()

    def _guarded(self, channel: str, waiting: Iterator[Cell]) -> None:
        try:
            self._channel(channel, waiting)
        except BaseException as error:  # handed to the caller of run
            self._faults.append(error)

    def _channel(self, channel: str, waiting: Iterator[Cell]) -> None:
        """Keep ``concurrency`` requests of one channel in flight; never more futures than that, so memory stays flat."""
        width = self.catalogue.channels[channel].concurrency
        running: set[Future[None]] = set()
        with ThreadPoolExecutor(max_workers=width, thread_name_prefix=channel) as pool:
            for cell in waiting:
                if not self._may_ask(channel):
                    break
                running.add(pool.submit(self._one, cell))
                if len(running) >= width:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    _raise_faults(done)
            done, _ = wait(running)
            _raise_faults(done)

    def _may_ask(self, channel: str) -> bool:
        return not self.stop.asked and channel not in self.closed and self.budget.allows()

    def _one(self, cell: Cell) -> None:
        if not self._may_ask(cell.network.channel):
            return
        attempt = self._attempt(cell)
        if attempt is None:
            return
        self.budget.add(self.price(cell, attempt))
        self._finished.put((cell, attempt))

    def _attempt(self, cell: Cell) -> Attempt | None:
        """The cell's answer, or its failure; None when the run was stopped before there was either."""
        line = self.lines[cell.network.channel]

        def ask(request: Request) -> Reply:
            return persistently(lambda: line.ask(request), self.catalogue.retries, self.stop.wait)

        dialogue = Dialogue(cell, self.catalogue.prompts[cell.brief.category], self.catalogue.tools, ask)
        try:
            return dialogue.run()
        except ChannelFault as fault:
            if fault.kind in _CLOSING:
                self.closed[cell.network.channel] = str(fault)
                return None
            if self.stop.asked:
                return None
            return Attempt(
                "failed", error=f"{fault.kind}: {fault}", tokens_input=dialogue.tokens_input,
                tokens_output=dialogue.tokens_output, cost=dialogue.cost, messages=tuple(dialogue.messages),
                trace=tuple(dialogue.desk.trace) if dialogue.desk else (), parameters=dict(cell.edition.parameters),
            )  # fmt: skip


def _raise_faults(done: Iterable[Future[None]]) -> None:
    for future in done:
        future.result()
