"""Child processes of a command: started together, restarted when they die, ended together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

GRACE_SECONDS = 10.0
# A child that dies sooner than this after its start is broken, not unlucky. One that ends with an error tells so itself, however long
# a busy machine takes to come to it.
QUICK_DEATH_SECONDS = 2.0
QUICK_ERROR_SECONDS = 60.0
MOST_QUICK_DEATHS = 3


class ChildKeepsDying(RuntimeError):
    """A child ended at once several times in a row; the message holds its command."""


class Supervisor:
    """`with Supervisor() as children: children.start([...], count=2)`; leaving ends them all."""

    def __init__(self) -> None:
        self.children: list[_Child] = []

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self, command: Sequence[str], count: int = 1) -> None:
        """Starts `count` processes of the command."""
        self.children += [_Child(command) for _ in range(count)]

    def start_manage(self, *arguments: str, count: int = 1) -> None:
        """Starts `manage.py` with the arguments."""
        manage = Path(settings.BASE_DIR) / "manage.py"
        self.start([sys.executable, str(manage), *arguments], count)

    def tend(self) -> int:
        """Restarts whatever died; returns how many. Raises ChildKeepsDying."""
        return sum(child.restart_if_dead() for child in self.children)

    def alive(self) -> int:
        """How many run."""
        return sum(child.process.poll() is None for child in self.children)

    def stop(self) -> None:
        """Asks all to leave, then insists."""
        for child in self.children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        for child in self.children:
            try:
                child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.signal(signal.SIGKILL)
                child.process.wait()
        self.children.clear()


class _Child:
    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.quick_deaths = 0
        self._launch()

    def _launch(self) -> None:
        self.started = time.monotonic()
        # A session of its own: Ctrl+C reaches the supervisor alone, which then ends the children in order.
        self.process = subprocess.Popen(self.command, start_new_session=True)

    def restart_if_dead(self) -> bool:
        if self.process.poll() is None:
            return False
        bound = QUICK_ERROR_SECONDS if self.process.returncode > 0 else QUICK_DEATH_SECONDS
        quick = time.monotonic() - self.started < bound
        self.quick_deaths = self.quick_deaths + 1 if quick else 0
        if self.quick_deaths >= MOST_QUICK_DEATHS:
            raise ChildKeepsDying(f"ended with {self.process.returncode} at once, again and again: {' '.join(self.command)}")
        self._launch()
        return True

    def signal(self, number: signal.Signals) -> None:
        if self.process.poll() is not None:
            return
        try:
            # A worker asked to leave finishes its answer, so its own children must not be asked; a kill takes them along.
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)
        except ProcessLookupError:
            pass
