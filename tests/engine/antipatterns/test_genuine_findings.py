"""Our anti-patterns against recorded findings of the genuine BSL Language Server.

``genuine.jsonl``: our own answers, changed by ``mutate.py``, with what BSL Language Server 0.29.0-rc.1 found: [diagnostic, line]; written
by ``compare_genuine.py --write``.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from scoring.engine.antipatterns import find_antipatterns
from scoring.engine.antipatterns.findings import MESSAGES

RECORDS = [json.loads(line) for line in Path(__file__).with_name("genuine.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_records_have_many_findings_of_every_diagnostic() -> None:
    kinds = Counter(code for record in RECORDS for code, _ in record["genuine"])
    assert len(RECORDS) >= 300
    assert set(kinds) == set(MESSAGES) and min(kinds.values()) >= 20
    assert sum(not record["genuine"] for record in RECORDS) >= 10


@pytest.mark.parametrize("start", range(0, len(RECORDS), 25))
def test_every_finding_is_the_genuine_one(start: int) -> None:
    for record in RECORDS[start : start + 25]:
        assert sorted([found.code, found.line] for found in find_antipatterns(record["text"])) == record["genuine"], record["text"]
