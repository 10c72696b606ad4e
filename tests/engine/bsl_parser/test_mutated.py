"""Any text gets an answer: no exception, no endless loop, places inside the text."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from scoring.engine.syntax.bsl_parser import analyse

_SPEC = importlib.util.spec_from_file_location("mutate", Path(__file__).with_name("mutate.py"))
assert _SPEC is not None and _SPEC.loader is not None
mutate = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(mutate)


def test_damaged_programs_are_answered_with_places_inside_them() -> None:
    for text in mutate.many(3000, seed=2026):
        lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        for message in analyse(text).messages:
            assert 1 <= message.line <= lines
            assert message.column >= 1


def test_our_own_programs_are_free_of_errors() -> None:
    for text in mutate.seed_programs():
        assert analyse(text).messages == (), text
