"""Every record of the data files gives what it says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from runner import Snippet, observe, snippets  # noqa: E402


@pytest.mark.parametrize("snippet", snippets(), ids=lambda snippet: snippet.name)
def test_snippet(snippet: Snippet) -> None:
    seen = observe(snippet)
    assert seen.outcome == snippet.expected, seen
    if snippet.message is not None:
        assert seen.message == snippet.message
    if snippet.line is not None:
        assert seen.line == snippet.line
