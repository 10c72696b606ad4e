"""Rules that hold for the text of every template and for how dates are written."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils.translation import override

from scoring.natural import natural

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
PAGES = sorted(TEMPLATES.rglob("*.html"))
# A time of day is the same in both languages.
FORMATS = {"SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT", "H:i:s"}
MOMENT = datetime(2026, 2, 3, 14, 5, tzinfo=UTC)


def named(path: Path) -> str:
    return str(path.relative_to(TEMPLATES))


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_dates_are_left_to_the_language(path):
    assert set(re.findall(r"""\|(?:date|time):["']([^"']*)["']""", path.read_text("utf-8"))) <= FORMATS


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_caption_stays_in_sight_when_its_table_scrolls(path):
    assert not re.findall(r'<caption>(?!<span class="cap">)', path.read_text("utf-8"))


@pytest.mark.parametrize(("language", "day", "moment"), [("ru", "03.02.2026", "03.02.2026 14:05"), ("en", "3 Feb 2026", "3 Feb 2026, 14:05")])
def test_a_date_is_written_as_its_reader_writes_it(language, day, moment):
    with override(language):
        shown = Template('{{ at|date:"SHORT_DATE_FORMAT" }}|{{ at|date:"SHORT_DATETIME_FORMAT" }}').render(Context({"at": MOMENT}))
    assert shown == f"{day}|{moment}"


def test_keys_are_sorted_as_people_count():
    keys = ["A101", "A11", "A1", "A9", "B2", "A1b", "GAP", ""]
    assert sorted(keys, key=natural) == ["", "A1", "A1b", "A9", "A11", "A101", "B2", "GAP"]
