"""The catalogue is data: what is wrong with it is told at start, with file, line and key."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from scoring.findings import FaultyData
from scoring.generation.catalogue import load_catalogue
from tests.generation.kit import EDITIONS, NETWORKS, PRICES, write_catalogue


def findings(folder):
    with pytest.raises(FaultyData) as caught:
        load_catalogue(folder)
    return [str(finding) for finding in caught.value.findings]


def test_the_shipped_catalogue_is_sound():
    cards = load_catalogue()
    assert {"core", "blind", "rehearsal"} <= cards.editions.keys()
    assert all(card.channel in cards.channels for card in cards.networks.values())
    assert all(cards.prompts[category] for category in "AB")


def test_prices_are_those_in_force_on_the_day(tmp_path):
    cards = load_catalogue(write_catalogue(tmp_path))
    assert cards.price("Alpha", date(2025, 6, 1)).input == Decimal(1)
    assert cards.price("Alpha", date(2026, 6, 1)).input == Decimal(10)
    assert cards.price("Alpha", date(2024, 6, 1)) is None and cards.price("Beta", date(2026, 6, 1)) is None


FAULTS = {
    "unknown channel": ({"networks_yaml": NETWORKS.replace("channel: local", "channel: locl")}, "networks.yaml", "networks[0].channel", "local"),
    "misspelt key": ({"networks_yaml": NETWORKS.replace("vendor: Beta", "vender: Beta")}, "networks.yaml", "networks[1].vender", "vendor"),
    "network twice": ({"networks_yaml": NETWORKS.replace("name: Beta", "name: Alpha")}, "networks.yaml", "networks[1].name", "twice"),
    "no id": ({"networks_yaml": NETWORKS.replace("id: beta-1, ", "")}, "networks.yaml", "networks[1]", "'id'"),
    "release is no date": ({"networks_yaml": NETWORKS.replace("2026-01-01", "soon")}, "networks.yaml", "networks[0].released_on", "date"),
    "own parameter": ({"networks_yaml": NETWORKS.replace("top_k: 5", "stream: true")}, "networks.yaml", "networks[1].parameters.stream", "runner"),
    "unknown kind": ({"channels_yaml": "channels:\n  local: {kind: openai2}\n"}, "channels.yaml", "channels.local.kind", "openai"),
    "no address": ({"channels_yaml": "channels:\n  local: {kind: openai}\n"}, "channels.yaml", "channels.local", "base_url"),
    "no width": ({"channels_yaml": "channels:\n  local: {kind: replay, concurrency: 0}\n"}, "channels.yaml", "channels.local.concurrency", "one"),
    "a key in the file": ({"channels_yaml": "channels:\n  local: {kind: replay, key: abc}\n"}, "channels.yaml", "channels.local.key", "key"),
    "price of a stranger": ({"prices_yaml": PRICES.replace("Alpha", "Alfa")}, "prices.yaml", "prices.Alfa", "Alpha"),
    "negative price": ({"prices_yaml": PRICES.replace("input: 10,", "input: -10,")}, "prices.yaml", "prices.Alpha[0].input", "negative"),
    "undated price": ({"prices_yaml": PRICES.replace("since: 2025-01-01, ", "")}, "prices.yaml", "prices.Alpha[1]", "since"),
    "no currency": ({"prices_yaml": PRICES.replace("currency: USD", "")}, "prices.yaml", "", "currency"),
    "no assumption": ({"prices_yaml": PRICES.replace("A: {input: 1000, output: 2000}, ", "")}, "prices.yaml", "assumed", "'A'"),
    "edition without name": ({"editions_yaml": EDITIONS.replace("en: Blind", "")}, "editions.yaml", "editions.blind.name", "en"),
    "no rounds": ({"editions_yaml": EDITIONS.replace("rounds: 4", "rounds: 0")}, "editions.yaml", "tools.rounds", "at least 1"),
    "no attempt": ({"editions_yaml": EDITIONS.replace("attempts: 3", "attempts: 0")}, "editions.yaml", "retries.attempts", "one"),
    "no time": ({"editions_yaml": EDITIONS.replace("timeout: 120", "timeout: 0")}, "editions.yaml", "retries.timeout", "0"),
    "too many distractors": ({"editions_yaml": EDITIONS.replace("distractors: 4", "distractors: 4000")}, "distractors.yaml", "", "4000"),
    "empty prompt": ({"prompts__A_md": " \n"}, "prompts/A.md", "", "empty"),
    "broken YAML": ({"networks_yaml": "networks: ["}, "networks.yaml", "", "YAML"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_names_file_and_key(tmp_path, name):
    files, file, key, word = FAULTS[name]
    told = findings(write_catalogue(tmp_path, **files))
    assert any(line.startswith(file) and key in line and word in line for line in told), told


def test_every_fault_is_told_at_once(tmp_path):
    told = findings(
        write_catalogue(tmp_path, networks_yaml=NETWORKS.replace("channel: local", "channel: x"), prices_yaml=PRICES.replace("USD", "1"), prompts__B_md="")
    )
    assert {line.partition(":")[0] for line in told} >= {"networks.yaml", "prices.yaml", "prompts/B.md"}


def test_a_missing_file_is_a_finding(tmp_path):
    folder = write_catalogue(tmp_path)
    (folder / "channels.yaml").unlink()
    (folder / "prompts/A.md").unlink()
    told = findings(folder)
    assert any(line.startswith("channels.yaml") for line in told) and any(line.startswith("prompts/A.md") for line in told)


def test_the_check_at_start_tells_the_faults(tmp_path, monkeypatch):
    from scoring.checks import catalogue_is_sound
    from scoring.services import generation

    monkeypatch.setenv("PRISM_CATALOGUE", str(write_catalogue(tmp_path, networks_yaml="networks: [{name: A}]")))
    generation.catalogue.cache_clear()
    told = catalogue_is_sound(None)
    generation.catalogue.cache_clear()
    assert [error.id for error in told] == ["prism.E020"] * len(told) and any("networks[0]" in error.msg for error in told)
