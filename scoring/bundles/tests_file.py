"""``tests.yaml``: hidden tests as data."""

from __future__ import annotations

from typing import Any

from scoring.bundles.model import DataTests, TestCase
from scoring.bundles.notation import read_value
from scoring.findings import Finding
from scoring.strict_yaml import Document, Fields

TOP_KEYS = ("tests", "helpers", "entry_point", "entry_point_patterns")
CASE_KEYS = ("args", "expected", "name", "arrange", "check", "raises")
DECIDERS = ("expected", "check", "raises")


def read_tests(document: Document, findings: list[Finding]) -> DataTests:
    """All cases; a file without any is a finding."""
    fields = Fields(document, findings)
    fields.only(TOP_KEYS)
    cases = tuple(_case(fields, index, entry) for index, entry in enumerate(fields.items("tests", required=True)))
    if fields.data.get("tests") == []:
        fields.fault(("tests",), "there are no hidden tests", "add at least one test")
    return DataTests(cases, fields.text("helpers"))


def _case(parent: Fields, index: int, entry: Any) -> TestCase:
    fields = Fields(parent.document, parent.findings, ("tests", index), {} if entry is None else entry)
    fields.only(CASE_KEYS)
    given = [key for key in DECIDERS if key in fields.data]
    if len(given) != 1:
        fields.fault((), f"a test needs exactly one of {', '.join(DECIDERS)}", f"this one has {', '.join(given) or 'none'}")
    raises = fields.text("raises") if "raises" in fields.data else None
    if raises is not None and not raises.strip():
        fields.fault(("raises",), "the text that the exception must contain is empty")
    return TestCase(
        index=index,
        name=fields.text("name"),
        args=tuple(read_value(fields, ("args", i), value) for i, value in enumerate(fields.items("args"))),
        expected=read_value(fields, ("expected",), fields.data.get("expected")),
        has_expected="expected" in fields.data,
        check=fields.text("check", required="check" in fields.data),
        raises=raises,
        arrange=fields.text("arrange"),
    )
