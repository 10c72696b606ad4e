"""Which engine answers which question: settings, what is really there, and whose stack a score names."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.instruments.base import Availability
from scoring.instruments.choice import Engines
from scoring.instruments.settings import (
    BSL_LS,
    BUILTIN,
    CHOICES,
    GENUINE,
    ONEC,
    ONESCRIPT,
    EngineSettings,
    OddSetting,
    read_settings,
)
from scoring.pipeline import Stack
from scoring.protocol import load_protocol

VAR = Path("/nowhere")


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        ({}, {}),
        ({"PRISM_ENGINE_A": "builtin"}, {}),
        ({"PRISM_ENGINE_A": "OneScript"}, {("A", "syntax"): BSL_LS, ("A", "tests"): ONESCRIPT, ("A", "work"): ONESCRIPT}),
        ({"PRISM_ENGINE_B": "onec", "PRISM_ENGINE_B_S": "builtin"},
         {("B", "syntax"): BUILTIN, ("B", "tests"): ONEC, ("B", "work"): ONEC, ("B", "static"): BSL_LS}),
        ({"PRISM_ENGINE_A_S": "bsl_ls"}, {("A", "syntax"): BSL_LS}),
        ({"PRISM_ENGINE_B_STATIC": "genuine"}, {("B", "static"): GENUINE}),
        ({"PRISM_ENGINE_B": "genuine"}, {key: GENUINE for key in CHOICES if key[0] == "B"}),
    ],
)  # fmt: skip
def test_settings_say_who_answers(env: dict[str, str], wanted: dict[tuple[str, str], str]):
    assert read_settings(env, VAR).wanted == wanted


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"PRISM_ENGINE_A": "onec"}, "PRISM_ENGINE_A"),
        ({"PRISM_ENGINE_A_S": "onescript"}, "PRISM_ENGINE_A_S"),
        ({"PRISM_ENGINE_B": "stand-in"}, "PRISM_ENGINE_B"),
        ({"PRISM_ENGINE_A_STATIC": "bsl_ls"}, "no such choice"),
        ({"PRISM_SANDBOX": "vm"}, "PRISM_SANDBOX"),
        ({"PRISM_ENGINE_A": "x", "PRISM_ENGINE_B": "y"}, "PRISM_ENGINE_B"),
    ],
)
def test_odd_settings_are_refused_by_name(env: dict[str, str], told: str):
    with pytest.raises(OddSetting, match=told):
        read_settings(env, VAR)


class Pretended:
    batches = False

    def __init__(self, name: str, ready: bool = True) -> None:
        self.name, self.ready, self.asked, self.closed = name, ready, 0, False

    def version(self) -> str:
        return "7"

    def availability(self) -> Availability:
        self.asked += 1
        return Availability(self.ready, "" if self.ready else "not installed: install it")

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, Pretended]:
    engines = {BUILTIN: Pretended(BUILTIN), BSL_LS: Pretended(BSL_LS), ONESCRIPT: Pretended(ONESCRIPT, False), ONEC: Pretended(ONEC, False)}
    makers = {name: (lambda protocol, settings, engine=engine: engine) for name, engine in engines.items()}
    monkeypatch.setattr("scoring.instruments.choice.MAKERS", makers)
    return engines


def stack(env: dict[str, str], category: str) -> Stack:
    return Stack.chosen(Engines(load_protocol(), read_settings(env, VAR)), category)


def test_genuine_where_available_else_built_in_and_the_reason_is_kept(made: dict[str, Pretended]):
    found = stack({"PRISM_ENGINE_A": "genuine"}, "A")
    assert found.describe() == {"syntax": "bsl_ls 7", "tests": "builtin 7", "work": "builtin 7"}
    assert found.notes == ("onescript: not installed: install it",) and made[ONESCRIPT].asked == 1


def test_an_engine_named_outright_is_never_replaced(made: dict[str, Pretended]):
    found = stack({"PRISM_ENGINE_B": "onec"}, "B")
    assert found.tests is made[ONEC] and found.describe()["static"] == "bsl_ls 7" and found.notes == ()


def test_the_usual_stack_is_one_engine_and_is_described_as_ever(made: dict[str, Pretended]):
    for category in "AB":
        found = stack({}, category)
        assert found.instruments == (made[BUILTIN],)
        assert found.describe() == {"syntax": "builtin 7", "tests": "builtin 7", "work": "builtin 7"}


def test_engines_are_shared_and_closed_together(made: dict[str, Pretended]):
    engines = Engines(load_protocol(), EngineSettings())
    assert engines.get(BUILTIN) is engines.get(BUILTIN)
    engines.close()
    assert made[BUILTIN].closed and not made[BSL_LS].closed
