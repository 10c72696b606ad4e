from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from shop import Shop


@pytest.fixture(scope="session")
def shop() -> Shop:
    return Shop()
