"""A progress bar: one line redrawn on a terminal; elsewhere a line per tenth, and one where it was silent for long."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

WIDTH = 32
REDRAW_SECONDS = 0.1
SILENT_SECONDS = 5.0


class Progress:
    """`with Progress("scoring", total) as bar: bar.show(done)`."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None) -> None:
        self.label = label
        self.total = total
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()
        self.started = time.monotonic()
        self.drawn_at = 0.0
        self.tenth = -1
        self.done = 0

    def __enter__(self) -> Progress:
        self.show(0)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.live:
            self._draw(end="\n")

    def step(self) -> None:
        """One more is done."""
        self.show(self.done + 1)

    def show(self, done: int) -> None:
        """`done` of `total` are done."""
        self.done = done
        now = time.monotonic()
        if self.live:
            if done >= self.total or now - self.drawn_at >= REDRAW_SECONDS:
                self.drawn_at = now
                self._draw()
            return
        tenth = 10 * done // self.total if self.total else 10
        if tenth > self.tenth or now - self.drawn_at >= SILENT_SECONDS:
            self.tenth, self.drawn_at = tenth, now
            self.stream.write(f"{self._text()}\n")
            self.stream.flush()

    def _draw(self, end: str = "") -> None:
        filled = WIDTH * self.done // self.total if self.total else WIDTH
        bar = "█" * filled + "░" * (WIDTH - filled)
        self.stream.write(f"\r{bar} {self._text()}\x1b[K{end}")
        self.stream.flush()

    def _text(self) -> str:
        seconds = time.monotonic() - self.started
        left = f", about {seconds / self.done * (self.total - self.done):.0f} s left" if 0 < self.done < self.total else ""
        return f"{self.label}: {self.done} of {self.total}, {seconds:.1f} s{left}"
