"""The board's own numbers, read from `metrics/board.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from scoring.findings import FaultyData, Finding
from scoring.strict_yaml import Fields, parse

FILE = "board.yaml"


@dataclass(frozen=True, slots=True)
class BoardRules:
    """`level` of intervals, `draws` and `seed` of the bootstrap; `least_tasks` an interval needs; `sort` the usual column;

    `coverage`: least measured share of tasks for a place; `least_networks` that a task's discrimination needs.
    """

    version: str
    level: float
    draws: int
    seed: int
    least_tasks: int
    sort: str
    coverage: float
    least_networks: int


def board_rules() -> BoardRules:
    """The rules in force. Raises FaultyData."""
    return read_rules(settings.PRISM_METRICS_DIR / FILE)


@lru_cache(maxsize=4)
def read_rules(path: Path) -> BoardRules:
    """The rules of a file. Raises FaultyData with every fault."""
    findings: list[Finding] = []
    fields = Fields(parse(path.read_text("utf-8"), FILE), findings)
    fields.only(("version", "interval", "sort", "coverage", "discrimination"))
    interval = fields.sub("interval", required=True)
    interval.only(("level", "draws", "seed", "tasks"))
    rules = BoardRules(
        version=fields.text("version", required=True),
        level=_share(interval, "level"),
        draws=interval.whole("draws", required=True),
        seed=interval.whole("seed", required=True),
        least_tasks=interval.whole("tasks", required=True),
        sort=fields.text("sort", required=True),
        coverage=_share(fields, "coverage"),
        least_networks=fields.whole("discrimination", required=True),
    )
    if findings:
        raise FaultyData(findings)
    return rules


def _share(fields: Fields, key: str) -> float:
    text = fields.text(key, required=True)
    try:
        value = Decimal(text)
    except ArithmeticError:
        value = Decimal(-1)
    if not 0 < value < 1:
        fields.fault((key,), f"{text!r} is no share between 0 and 1")
    return float(value)
