"""What the queue runs for authors: each job loads and delegates."""

from __future__ import annotations

from authoring import comparing


def compare(draft_id: int, digest: str) -> None:
    comparing.compare(draft_id, digest)
