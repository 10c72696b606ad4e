"""``task.yaml``: what a network is asked, and how its routine is found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.findings import Finding
from scoring.strict_yaml import Document, Fields

KEYS = (
    "id", "name", "category", "difficulty", "prompt", "signature", "entry_point", "entry_point_patterns",
    "expected_objects", "tags",
)  # fmt: skip
DIFFICULTIES = ("easy", "medium", "hard")
TAG_KINDS = ("skill", "platform")
_ID = re.compile(r"[\w.\-]{1,64}")
# A pattern is the author's, yet it runs against strangers' names: keep it small.
MAX_PATTERN = 200


@dataclass(frozen=True, slots=True)
class TaskHead:
    id: str
    name: str
    category: str
    difficulty: str
    prompt: str
    signature: str
    entry_point: str
    patterns: tuple[str, ...]
    expected_objects: tuple[str, ...]
    tags: dict[str, tuple[str, ...]]


def read_task(document: Document, findings: list[Finding], categories: tuple[str, ...]) -> TaskHead:
    fields = Fields(document, findings)
    fields.only(KEYS)
    head = TaskHead(
        id=fields.text("id", required=True),
        name=fields.text("name", required=True),
        category=fields.text("category", required=True),
        difficulty=fields.text("difficulty", required=True),
        prompt=fields.text("prompt", required=True),
        signature=fields.text("signature"),
        entry_point=fields.text("entry_point"),
        patterns=read_patterns(fields),
        expected_objects=fields.texts("expected_objects"),
        tags=_tags(fields),
    )
    _check(fields, head, categories)
    return head


def _check(fields: Fields, head: TaskHead, categories: tuple[str, ...]) -> None:
    if head.id and not _ID.fullmatch(head.id):
        fields.fault(("id",), f"{head.id!r} is no valid id", "letters, digits, '_', '-' and '.', at most 64")
    if head.category and head.category not in categories:
        fields.fault(("category",), f"unknown category {head.category!r}", "one of " + ", ".join(categories))
    if head.difficulty and head.difficulty not in DIFFICULTIES:
        fields.fault(("difficulty",), f"unknown difficulty {head.difficulty!r}", "one of " + ", ".join(DIFFICULTIES))
    if head.entry_point and not re.fullmatch(r"[^\W\d]\w*", head.entry_point):
        fields.fault(("entry_point",), f"{head.entry_point!r} is no name of a routine")


def _tags(fields: Fields) -> dict[str, tuple[str, ...]]:
    tags = fields.sub("tags")
    tags.only(TAG_KINDS)
    return {kind: tags.texts(kind) for kind in TAG_KINDS if kind in tags.data}


def read_patterns(fields: Fields) -> tuple[str, ...]:
    """``entry_point_patterns``, each checked to be a regular expression."""
    patterns = []
    for index, pattern in enumerate(fields.texts("entry_point_patterns")):
        try:
            re.compile(pattern)
        except re.error as error:
            fields.fault(("entry_point_patterns", index), f"{pattern!r} is no regular expression: {error}")
            continue
        if len(pattern) > MAX_PATTERN:
            fields.fault(("entry_point_patterns", index), f"the pattern is longer than {MAX_PATTERN} characters")
            continue
        patterns.append(pattern)
    return tuple(patterns)
