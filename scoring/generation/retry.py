"""Trying again, where it can help: growing delays on passing faults, none on refusals of key or payment."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from scoring.generation.catalogue import RetryRules
from scoring.generation.channels.base import ChannelFault

T = TypeVar("T")


def delay_before(attempt: int, rules: RetryRules, spread: float) -> float:
    """Seconds to wait before attempt ``attempt`` (2, 3, …): doubling, with up to a quarter added by ``spread`` in [0, 1)."""
    plain = min(rules.first_delay * 2 ** (attempt - 2), rules.longest_delay)
    return plain * (1 + spread / 4)


def persistently(
    ask: Callable[[], T], rules: RetryRules, wait: Callable[[float], bool], spread: Callable[[], float] = random.random
) -> T:
    """The result of ``ask``, tried up to ``rules.attempts`` times. ``wait(seconds)`` gives False to give up (cancelled).

    Raises the last :class:`ChannelFault`.
    """
    attempt = 1
    while True:
        try:
            return ask()
        except ChannelFault as fault:
            attempt += 1
            if not fault.retryable or attempt > rules.attempts:
                raise
            pause = max(delay_before(attempt, rules, spread()), fault.retry_after or 0)
            if not wait(pause):
                raise
