"""A short session of `benchmarks/review_keyboard.py`: every way of the keyboard once, and nothing lost."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import review_keyboard  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not (shutil.which("chromium") and shutil.which("chromedriver")), reason="no Chromium with its driver on this machine"),
]


def test_what_is_typed_is_what_is_stored():
    found = review_keyboard.run(len(review_keyboard.WAYS))
    assert found["faults"] == [] and found["graded"] == len(review_keyboard.WAYS)
