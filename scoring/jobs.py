"""What the queue runs: each job loads and delegates."""

from __future__ import annotations

from scoring.services import generating, measuring, nightly, validating


def drain() -> int:
    """A wake-up call: score whatever is queued (see `scoring.services.work`)."""
    return measuring.drain()


def validate() -> int:
    """A wake-up call: validate whatever is queued (see `scoring.services.validating`)."""
    return validating.drain()


def generate(run_id: int) -> str:
    """A wake-up call: carry out a slice of a run of generation (see `scoring.services.generating`)."""
    return generating.carry_out_slice(run_id)


def cross_check() -> int:
    """A wake-up call: a slice of the oldest cross-check that waits (see `scoring.services.nightly`)."""
    return nightly.drain()
