"""Programs over the object model, each with the value or the error that the platform gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from shop import Shop


def programs() -> list[tuple[str, str, str]]:
    """(title, body, expected) of ``programs.txt``."""
    text = (Path(__file__).parent / "programs.txt").read_text("utf-8")
    result = []
    for part in text.split("\n== ")[1:]:
        title, _, rest = part.partition("\n")
        body, _, expected = rest.partition("\n=> ")
        result.append((title, body, expected.split("\n", 1)[0]))
    return result


@pytest.mark.parametrize(("title", "body", "expected"), programs(), ids=[item[0] for item in programs()])
def test_program(shop: Shop, title: str, body: str, expected: str) -> None:
    assert shop.run(body).rstrip("\n") == expected


def test_running_leaves_no_trace(shop: Shop) -> None:
    before = {path: list(table.rows()) for path, table in (shop.database.references | shop.database.registers).items()}
    for _, body, _ in programs():
        shop.run(body)
    after = {path: list(table.rows()) for path, table in (shop.database.references | shop.database.registers).items()}
    assert after == before
    assert not shop.database.journal
