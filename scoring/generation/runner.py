"""Many answers at once: per channel as many requests as it bears, every finished answer handed over at once.

The runner keeps nothing itself: ``save`` stores an answer the moment it is there, so a killed run loses only what was in flight.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace

from scoring.generation.budget import Budget
from scoring.generation.catalogue import Catalogue
from scoring.generation.channels.base import CLOSING, ChannelFault, Line, Reply, Request
from scoring.generation.dialogue import Attempt, Cell, Dialogue
from scoring.generation.retry import persistently

Save = Callable[[list[tuple[Cell, Attempt]]], None]


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
# How many of those that wait are stored together.
TOGETHER = 16
# How often the caller's ``tick`` runs while no answer comes, in seconds.
TICK = 0.5


class Runner:
    """Asks for the cells of a plan. ``lines``: channel id → open line. ``save`` and ``tick`` run in the thread of ``run``.

    ``save`` gets the answers that are there, usually one; it never waits for more.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        lines: Mapping[str, Line],
        save: Save,
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
        """What breaks here stops the run, but what is in flight is still taken in and stored if it can be."""
        alive = list(threads)
        while alive or not self._finished.empty():
            alive = [thread for thread in alive if thread.is_alive()]
            arrived = self._arrived(bool(alive))
            try:
                if arrived:
                    self.save(arrived)
                self.tick()
            except BaseException as error:  # raised by run once the threads have ended
                self._faults.append(error)
                self.stop.ask()

    def _arrived(self, patient: bool) -> list[tuple[Cell, Attempt]]:
        """Everything that waits, up to TOGETHER; with ``patient`` a first one is waited for."""
        found: list[tuple[Cell, Attempt]] = []
        try:
            found.append(self._finished.get(timeout=TICK) if patient else self._finished.get_nowait())
            while len(found) < TOGETHER:
                found.append(self._finished.get_nowait())
        except queue.Empty:
            pass
        return found

    def _guarded(self, channel: str, waiting: Iterator[Cell]) -> None:
        try:
            self._channel(channel, waiting)
        except BaseException as error:  # handed to the caller of run
            self._faults.append(error)
            self.stop.ask()

    def _channel(self, channel: str, waiting: Iterator[Cell]) -> None:
        """Keep ``concurrency`` requests of one channel in flight; never more futures than that, so memory stays flat."""
        width = self.catalogue.channels[channel].concurrency
        running: set[Future[None]] = set()
        with ThreadPoolExecutor(max_workers=width, thread_name_prefix=channel) as pool:
            for cell in waiting:
                if self.stop.asked or channel in self.closed or not self.budget.take():
                    break
                running.add(pool.submit(self._one, cell))
                if len(running) >= width:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    _raise_faults(done)
            done, _ = wait(running)
            _raise_faults(done)

    def _one(self, cell: Cell) -> None:
        attempt = None
        try:
            if not self.stop.asked and cell.network.channel not in self.closed:
                attempt = self._attempt(cell)
        finally:
            self.budget.give_back(self.price(cell, attempt) if attempt else None)
        if attempt is not None:
            self._finished.put((cell, attempt))

    def _attempt(self, cell: Cell) -> Attempt | None:
        """The cell's answer, or its failure; None when nothing was paid for and a later run may ask as if never before."""
        dialogue = Dialogue(
            cell, self.catalogue.prompts[cell.brief.category], self.catalogue.tools, self._asking(cell), self.catalogue.distractors
        )
        try:
            return dialogue.run()
        except ChannelFault as fault:
            if fault.kind in CLOSING:
                self.closed[cell.network.channel] = str(fault)
            if fault.kind == "refused":
                return dialogue.broken("refused", str(fault))
            is_interrupted = fault.kind in CLOSING or (self.stop.asked and fault.retryable)
            if is_interrupted and not dialogue.turn:
                return None
            return dialogue.broken("cancelled" if is_interrupted else "failed", f"{fault.kind}: {fault}")

    def _asking(self, cell: Cell) -> Callable[[Request], Reply]:
        line = self.lines[cell.network.channel]

        def ask(request: Request) -> Reply:
            started = time.monotonic()
            reply = line.ask(request)
            return reply if reply.seconds else replace(reply, seconds=time.monotonic() - started)

        return lambda request: persistently(lambda: ask(request), self.catalogue.retries, self.stop.wait)


def _raise_faults(done: Iterable[Future[None]]) -> None:
    for future in done:
        future.result()
