"""Uploads that are too large are turned away before their body is read."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

from scoring.bundles.archive import MAX_ARCHIVE_BYTES

# The other fields of the form, and what multipart adds.
_ROOM = 100_000


class UploadQuota(FileUploadHandler):
    """Stands before the usual handlers; refuses by the announced length, and by the counted one where that lied."""

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.received = 0

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, boundary: Any, encoding: Any = None) -> None:  # noqa: N803
        if content_length > MAX_ARCHIVE_BYTES + _ROOM:
            raise RequestDataTooBig(f"an upload may have {MAX_ARCHIVE_BYTES} bytes")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.received > MAX_ARCHIVE_BYTES + _ROOM:
            raise RequestDataTooBig(f"an upload may have {MAX_ARCHIVE_BYTES} bytes")
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
