"""Texts as every database and spreadsheet takes them: candidates and networks may leave NUL, halves of surrogate pairs or a formula
in what they say.
"""

from __future__ import annotations

import re
from typing import Any

# What this many digits make may be more than a column of whole numbers holds.
MOST_DIGITS = 19
_ODD = re.compile("[\0\ud800-\udfff]")
# Spreadsheets take a text that starts with one of these for a formula, some in spite of blanks before it. Where the semicolon parts
# cells (as in Russian), quotes around a comma's cell are letters, and a new cell begins within it.
_FORMULA = re.compile("(^|[;\t\r\n])(?=[ \u00a0]*[=+@\t\r\uff1d\uff0b\uff0d\uff20-])")


def plain_text(text: str) -> str:
    """``text`` with surrogate pairs joined, and U+FFFD for their halves and for NUL."""
    if not _ODD.search(text):
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\0", "\ufffd")


def plain_data(data: Any) -> Any:
    """The same for every text (and key) inside data of JSON's kinds."""
    if isinstance(data, str):
        return plain_text(data)
    if isinstance(data, list | tuple):
        return [plain_data(entry) for entry in data]
    if isinstance(data, dict):
        return {plain_data(key): plain_data(entry) for key, entry in data.items()}
    return data


def whole_number(text: str | None) -> int | None:
    """The number that plain digits make, small enough for a database; None for anything else that somebody may send."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < MOST_DIGITS else None


def spreadsheet_cell(value: Any) -> Any:
    """``value`` as a CSV may hold it: nothing for None, and an apostrophe before whatever would be a formula."""
    if value is None:
        return ""
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
