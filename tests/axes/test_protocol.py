"""The protocol's files: what they hold, and how loudly a broken one speaks."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from scoring.findings import FaultyData
from scoring.protocol import METRICS, load_protocol


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    return Path(shutil.copytree(METRICS, tmp_path / "metrics"))


def edit(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_shipped_protocol_is_version_1_2_0_and_gates_at_five():
    protocol = load_protocol()
    assert (protocol.version, protocol.constitution.version, protocol.rubric.version) == ("1.2.0", "1.2.0", "1.0.0")
    assert protocol.optimization.min_meaning == 5
    assert (protocol.meaning.operations, protocol.optimization.operations) == (60_000_000, 150_000_000)
    assert protocol.constitution.categories["B"].axes == ("S", "M", "O", "P")


def test_every_step_of_every_axis_has_words_in_both_languages():
    protocol = load_protocol()
    for axis in protocol.constitution.axes:
        for step in protocol.constitution.steps:
            assert all(protocol.rubric.criteria[axis][step][language].strip() for language in ("ru", "en"))


def test_quality_reads_as_published():
    constitution = load_protocol().constitution
    read = [constitution.reading(Decimal(value)).key for value in ("8", "7.99", "5", "4.99", "0")]
    assert read == ["high", "acceptable", "acceptable", "low", "low"]


def test_a_change_of_a_threshold_changes_the_hash_and_a_change_of_wording_for_experts_does_not(metrics: Path):
    before = load_protocol().hash
    edit(metrics, "smop_l2_expert.yaml", "собирается", "строится")
    assert load_protocol(metrics).hash == before
    load_protocol.cache_clear()
    edit(metrics, "smop_l1_auto.yaml", 'min_meaning: "5.0"', 'min_meaning: "4.0"')
    assert load_protocol(metrics).hash != before


@pytest.mark.parametrize(
    ("name", "old", "new", "spoken"),
    [
        ("smop_l1_auto.yaml", "cluster_gap: 3", "cluster_gab: 3", "cluster_gab"),
        ("smop_l1_auto.yaml", "cluster_gap: 3", "cluster_gap: three", "cluster_gap"),
        ("smop_l1_auto.yaml", "up_to: 1, score: 8", "up_to: 9, score: 8", "bands"),
        ("smop_l1_auto.yaml", "up_to: 1, score: 8", "up_to: 1, score: 7", "no step"),
        ("smop_l1_auto.yaml", "constitution: 1.2.0", "constitution: 1.1.0", "another constitution"),
        ("smop_l1_auto.yaml", "min_meaning", "# min_meaning", "min_meaning"),
        ("smop_l1_auto.yaml", 'RefOveruse: "1.0"', 'RefOveruse: "heavy"', "RefOveruse"),
        ("smop_l2_expert.yaml", "    8: {ru: \"Одна мелочь", "    7: {ru: \"Одна мелочь", "'7'"),
        ("failure_causes.yaml", "stage: compile", "stage: compyle", "compyle"),
        ("smop.yaml", "version: 1.2.0", "version: 1.2.0\nversion: 1", "twice"),
    ],
)
def test_a_broken_file_is_named_with_its_key(metrics: Path, name: str, old: str, new: str, spoken: str):
    edit(metrics, name, old, new)
    with pytest.raises(FaultyData) as caught:
        load_protocol(metrics)
    assert any(spoken in str(finding) and name in finding.file for finding in caught.value.findings)


def test_a_missing_file_is_named(metrics: Path):
    (metrics / "verified.yaml").unlink()
    with pytest.raises(FaultyData, match="verified.yaml"):
        load_protocol(metrics)
