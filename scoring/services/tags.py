"""Labels of task tags in both languages, from the bank's `tags.yaml`. A tag without a label is shown as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from scoring.findings import FaultyData, Finding
from scoring.protocol import Label
from scoring.strict_yaml import Fields, parse

FILE = "tags.yaml"


@lru_cache(maxsize=4)
def tag_labels(bank: Path) -> Mapping[str, Label]:
    """Tag → label per language; empty where the bank has no such file. Raises FaultyData for a broken one."""
    path = bank / FILE
    if not path.is_file():
        return {}
    findings: list[Finding] = []
    fields = Fields(parse(path.read_text("utf-8-sig"), FILE), findings)
    fields.only(("skill", "platform"))
    labels = {}
    for group in ("skill", "platform"):
        for tag, entry in fields.subs(group):
            entry.only(("ru", "en"))
            labels[tag] = {language: entry.text(language, required=True) for language in ("ru", "en")}
    if findings:
        raise FaultyData(findings)
    return labels


def label_of(tag: str) -> Label:
    """The labels of a tag of the installation's bank; the tag itself where it has none."""
    return tag_labels(Path(settings.PRISM_TASKS_DIR)).get(tag) or {"ru": tag.replace("-", " ")}
