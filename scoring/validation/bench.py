"""Several sandboxes at work for one validation: jobs go in, results come out in order, a stop is heeded between jobs."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from scoring.bundles.model import TaskBundle
from scoring.extract import Module, module_of
from scoring.instruments.builtin import BuiltinEngine
from scoring.pipeline import Pipeline, Result, Stack
from scoring.protocol import Protocol

T = TypeVar("T")
Job = Callable[[BuiltinEngine], T]


class Stopped(Exception):
    """The validation was told to stop."""


class Bench:
    """``lanes`` engines, each used by one job at a time. Close it when done."""

    def __init__(self, protocol: Protocol, lanes: int, stop: Callable[[], bool] = lambda: False) -> None:
        self.protocol = protocol
        self.lanes = max(1, lanes)
        self.stop = stop
        self._engines = [BuiltinEngine(protocol) for _ in range(self.lanes)]
        self._free: queue.SimpleQueue[BuiltinEngine] = queue.SimpleQueue()
        for engine in self._engines:
            self._free.put(engine)
        self._pool = ThreadPoolExecutor(self.lanes)

    @property
    def version(self) -> str:
        return f"{self._engines[0].name} {self._engines[0].version()}"

    def warm(self) -> None:
        """Begin to start the sandboxes; comes back at once."""
        for _ in range(self.lanes):
            self._pool.submit(self._with_engine, lambda engine: engine.sandbox.start())

    def run(self, jobs: Iterable[Job[T]], done: Callable[[], None] = lambda: None) -> list[T]:
        """Every job's result, in order. ``done`` is called after each. Raises Stopped, or what a job raised."""
        futures = [self._pool.submit(self._with_engine, job) for job in jobs]
        results = []
        try:
            for future in futures:
                results.append(future.result())
                done()
        finally:
            for future in futures:
                future.cancel()
        return results

    def _with_engine(self, job: Job[T]) -> T:
        if self.stop():
            raise Stopped
        engine = self._free.get()
        try:
            return job(engine)
        finally:
            self._free.put(engine)

    def score(self, trials: Sequence[tuple[str, TaskBundle]], done: Callable[[], None] = lambda: None) -> list[Result]:
        """Answers through the whole method: (code, bundle) → result."""
        return self.run([self._scoring(code, bundle) for code, bundle in trials], done)

    def _scoring(self, code: str, bundle: TaskBundle) -> Job[Result]:
        return lambda engine: Pipeline(Stack.of(engine), self.protocol).score(code, bundle)

    def module(self, code: str, bundle: TaskBundle) -> Module:
        """``code`` read as an answer to the bundle's task."""
        return module_of(code, bundle.patterns, procedures=self.protocol.constitution.applies("P", bundle.category))

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        for engine in self._engines:
            engine.close()

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
