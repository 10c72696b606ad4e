"""Queries with the rows or the error they must give: ``cases/*.yaml``.

Values: references as ``@Name`` (``@`` is an empty one), dates as text, ``NULL``, decimals as ``=1.5``.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from params import parameters
from world import World

CASES = [
    pytest.param(case, id=f"{path.stem}-{number}")
    for path in sorted((Path(__file__).parent / "cases").glob("*.yaml"))
    for number, case in enumerate(yaml.safe_load(path.read_text("utf-8")), 1)
]


@pytest.mark.parametrize("case", CASES)
def test_query_gives_what_the_case_says(world: World, case: dict[str, Any]) -> None:
    if "error" in case:
        assert world.error(case["query"], **parameters(world)) == case["error"]
        return
    outcome = [found for found in world.outcomes(case["query"], **parameters(world)) if found is not None][-1]
    assert [info.name for info in outcome.fields] == case["columns"]
    assert [[written(world.shown(value)) for value in row] for row in outcome.rows] == case["rows"]


def written(value: Any) -> Any:
    return f"={value}" if isinstance(value, Decimal) else value
