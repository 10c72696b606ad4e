"""Uploads: odd but honest archives are read, hostile ones refused with a reason, and nothing is left behind."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scoring.bundles import load_files
from scoring.bundles.archive import read_archive, write_archive
from scoring.findings import FaultyData
from tests.bundles.hostile import TASK, TESTS, hostile, packed, sound

GALLERY = [] if os.environ.get("PRISM_NO_GALLERY") else list(hostile())
MOST_MEMORY_MB = 300


def findings_of(body: bytes) -> list[str]:
    """What is said of an upload; empty = it would be stored as a bundle."""
    try:
        files = read_archive(body)
    except FaultyData as error:
        return [str(finding) for finding in error.findings]
    return [str(finding) for finding in load_files(files).findings]


def test_the_gallery_is_large_enough():
    assert len(GALLERY) >= 60
    assert len({name for name, _ in GALLERY}) == len(GALLERY)


@pytest.mark.parametrize("name, body", GALLERY, ids=[name for name, _ in GALLERY])
def test_a_hostile_upload_is_refused_with_a_reason(name: str, body: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    said = findings_of(body)
    assert said and all(text.strip() for text in said)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "body",
    [
        sound(),
        packed(("my task/task.yaml", TASK), ("my task/tests.yaml", TESTS)),
        packed(("t/task.yaml", TASK), ("t/tests.yaml", TESTS), ("__MACOSX/t/._task.yaml", b"\0\1"), ("t/.DS_Store", b"\0\1")),
        packed(("task.yaml", b"\xef\xbb\xbf" + TASK), ("tests.yaml", TESTS.replace(b"\n", b"\r\n"))),
        packed(("task.yaml", TASK), ("tests.yaml", TESTS), method=zipfile.ZIP_STORED),
        packed(("t/", b""), ("t/task.yaml", TASK), ("t/tests.yaml", TESTS), ("t/submissions/", b"")),
        packed(("задача/task.yaml", TASK), ("задача/tests.yaml", TESTS), ("задача/submissions/accepted/другой.bsl", b"")),
    ],
    ids=["flat", "one top folder", "leftovers of desktops", "BOM and CRLF", "stored", "with folders", "Russian names"],
)
def test_an_honest_upload_is_read(body: bytes):
    files = read_archive(body)
    loaded = load_files(files)
    assert loaded.bundle is not None and loaded.bundle.id == "X", loaded.findings


def test_equal_content_is_one_version_however_it_was_packed():
    one = load_files(read_archive(packed(("a/task.yaml", TASK), ("a/tests.yaml", TESTS)))).required()
    two = load_files(read_archive(packed(("tests.yaml", TESTS.replace(b"\n", b"\r\n")), ("task.yaml", b"\xef\xbb\xbf" + TASK)))).required()
    assert one.hash == two.hash


def test_what_is_downloaded_can_be_uploaded():
    files = {"task.yaml": TASK.decode(), "tests.yaml": TESTS.decode(), "submissions/accepted/x.bsl": "// да\n"}
    body = write_archive(files, "X")
    assert {name: text.decode() for name, text in read_archive(body).items()} == files
    assert body == write_archive(dict(reversed(files.items())), "X")


def test_a_stream_is_read_no_further_than_its_limit():
    class Endless(io.RawIOBase):
        given = 0

        def read(self, size: int = -1) -> bytes:
            assert size > 0
            self.given += size
            return b"PK\x03\x04".ljust(size, b"\0")

    stream = Endless()
    with pytest.raises(FaultyData, match="larger than 20 MB"):
        read_archive(stream)  # type: ignore[arg-type]
    assert stream.given <= 20_000_001


PEAK = """
import re, sys
from pathlib import Path
from tests.bundles.test_archive import findings_of
for path in sorted(Path(sys.argv[1]).iterdir()):
    assert findings_of(path.read_bytes()), path
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) // 1024)
"""


def test_the_gallery_stays_within_its_memory(tmp_path: Path):
    for number, (_name, body) in enumerate(GALLERY):
        (tmp_path / f"{number}.zip").write_bytes(body)
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", PEAK, str(tmp_path)]
    # The module builds the gallery when it is imported: not in the process that is measured.
    environment = {**os.environ, "PYTHONPATH": str(root), "PRISM_NO_GALLERY": "1"}
    ended = subprocess.run(command, cwd=root, capture_output=True, text=True, env=environment)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert int(ended.stdout) <= MOST_MEMORY_MB
