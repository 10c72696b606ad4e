"""Our parser against recorded answers of the genuine one.

``genuine.jsonl``: our own programs, damaged by ``mutate.py``, with what bsl-parser 0.31.0 (BSL Language Server 0.29)
answered; written by ``compare_genuine.py --write``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.engine.syntax.bsl_parser import analyse

RECORDS = [json.loads(line) for line in Path(__file__).with_name("genuine.jsonl").read_text(encoding="utf-8").splitlines()]
KINDS = ("parse_error", "missing_token", "procedure_returns_value")


def _ours(text: str) -> str:
    messages = analyse(text).messages
    groups = ([(m.line, m.column - 1) for m in messages if m.kind == kind] for kind in KINDS)
    return "|".join(",".join(f"{line}:{column}" for line, column in group) for group in groups)


def test_there_are_enough_records_with_and_without_findings() -> None:
    clean = sum(record["genuine"] == "||" for record in RECORDS)
    assert len(RECORDS) > 300
    assert 30 < clean < len(RECORDS) - 200


@pytest.mark.parametrize("start", range(0, len(RECORDS), 25))
def test_every_place_is_the_genuine_one(start: int) -> None:
    for record in RECORDS[start : start + 25]:
        assert _ours(record["text"]) == record["genuine"], record["text"]
