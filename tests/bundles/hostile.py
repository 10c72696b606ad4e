"""A gallery of hostile uploads, made here byte by byte: each (name, bytes) must be refused with a reason."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator

TASK = b"id: X\nname: X\ncategory: A\ndifficulty: easy\nprompt: do\n"
TESTS = b"tests:\n  - {args: [1], expected: 1}\n"
LINK, FIFO, DEVICE = 0o120777, 0o010644, 0o020644


def packed(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, body in entries:
            archive.writestr(name, body)
    return target.getvalue()


def sound(**more: bytes) -> bytes:
    return packed(("task.yaml", TASK), ("tests.yaml", TESTS), *((name, body) for name, body in more.items()))


def with_mode(name: str, mode: int, body: bytes = b"x") -> bytes:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return packed(("task.yaml", TASK), (info, body))


def named(name: str) -> bytes:
    """An archive with an entry of that name, which Python's own writer would have cleaned."""
    stand_in = "N" * len(name.encode())
    return packed(("task.yaml", TASK), (stand_in, b"x")).replace(stand_in.encode(), name.encode())


def flipped(body: bytes, offset: int, value: bytes) -> bytes:
    return body[:offset] + value + body[offset + len(value) :]


def central(body: bytes, number: int = 0) -> int:
    """Offset of a record of the directory."""
    at = -1
    for _ in range(number + 1):
        at = body.index(b"PK\x01\x02", at + 1)
    return at


def field(offset: int, value: bytes, number: int = 0) -> bytes:
    body = sound()
    return flipped(body, central(body, number) + offset, value)


def many_entries(count: int) -> bytes:
    return packed(*((f"submissions/accepted/{number}.bsl", b"") for number in range(count)), method=zipfile.ZIP_STORED)


def bomb(size: int) -> bytes:
    return packed(("task.yaml", TASK), ("tests.yaml", b"\0" * size))


def many_big() -> bytes:
    """Files that are small enough each and too large together."""
    block = b"".join(struct.pack("<I", zlib.crc32(str(number).encode())) for number in range(16_000))
    return packed(*((f"submissions/accepted/{number}.bsl", block * 60) for number in range(16)))


def overlapping() -> bytes:
    """Two records of the directory over the same bytes."""
    target = packed(("task.yaml", TASK), ("tests.yaml", TESTS), method=zipfile.ZIP_STORED)
    second = central(target, 1)
    return flipped(target, second + 42, struct.pack("<I", 0))


def lying_size(size: int) -> bytes:
    body = packed(("task.yaml", TASK), ("tests.yaml", TESTS * 50))
    return flipped(body, central(body, 1) + 24, struct.pack("<I", size))


def quoted_lines(depth: int) -> bytes:
    return b"tests:\n" + b"".join(b"  " * level + b"- \n" for level in range(1, depth))


def aliases() -> bytes:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]" for number in range(1, 10)]
    return "\n".join(lines).encode()


def hostile() -> Iterator[tuple[str, bytes]]:
    """Every hostile upload by name."""
    good = sound()
    yield from {
        "nothing": b"",
        "no zip": b"hello, this is text",
        "a picture": b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        "a gzip": b"\x1f\x8b\x08\x00" + b"\0" * 60,
        "a rar": b"Rar!\x1a\x07\x00" + b"\0" * 60,
        "a 7z": b"7z\xbc\xaf\x27\x1c" + b"\0" * 60,
        "a program": b"MZ" + b"\0" * 2000,
        "a program before the zip": b"MZ" + b"\0" * 100 + good,
        "only the mark of a zip": b"PK\x03\x04",
        "an empty zip": packed(),
        "cut in half": good[: len(good) // 2],
        "cut before the directory": good[: central(good)],
        "cut in the directory": good[: central(good) + 20],
        "without its last byte": good[:-1],
        "with a tail": good + b"tail",
        "two zips in one": good + good,
        "a comment that lies": flipped(good, len(good) - 2, b"\xff\xff"),
        "a directory elsewhere": flipped(good, len(good) - 6, struct.pack("<I", 7)),
        "zip64 numbers": flipped(good, len(good) - 12, b"\xff\xff"),
        "too many bytes": b"PK\x03\x04" + b"\0" * 20_000_001,
        "1,001 entries": many_entries(1001),
        "5,000 entries": many_entries(5000),
        "a bomb of 30 MB": bomb(30_000_000),
        "a bomb of 3 MB": bomb(3_000_000),
        "a file of 5 MB": packed(("task.yaml", TASK), ("tests.yaml", bytes(range(256)) * 20_000), method=zipfile.ZIP_STORED),
        "61 MB in 16 files": many_big(),
        "overlapping entries": overlapping(),
        "a size too small": lying_size(3),
        "a size too large": lying_size(3_999_999),
        "an enormous size": lying_size(0xFFFFFFFE),
        "a wrong checksum": flipped(good, central(good) + 16, b"\1\2\3\4"),
        "an encrypted entry": field(8, b"\x01\x00"),
        "a strongly encrypted entry": field(8, b"\x41\x00"),
        "an unknown method": field(10, b"\x63\x00"),
        "bzip2": packed(("task.yaml", TASK), method=zipfile.ZIP_BZIP2),
        "lzma": packed(("task.yaml", TASK), method=zipfile.ZIP_LZMA),
        "a header elsewhere": field(42, struct.pack("<I", 5), 1),
        "a header beyond the end": field(42, struct.pack("<I", 0x7FFFFFFF), 1),
        "another name in the local header": good.replace(b"tests.yaml", b"other.yaml", 1),
        "damaged data": flipped(good, 40, b"\xff\xff\xff\xff\xff"),
    }.items()
    for name in (
        "../task.yaml", "../../etc/passwd", "a/../../b.bsl", "a/..", "./task.yaml", "/etc/passwd", "\\windows\\x.bsl",
        "C:/x.bsl", "c:x.bsl", "..\\x.bsl", "a\\b.bsl", "a//b.bsl", "submissions/accepted/\x01.bsl", "task\x7f.yaml",
        "new\nline.bsl", "tab\t.bsl", "task\u202elmay.bsl", "zero\u200bwidth.bsl", "line\u2028.bsl", "~/x.bsl", "con.bsl",
        "x" * 300 + ".bsl", "a/b/c/d/e/f/g/h.bsl",
    ):  # fmt: skip
        yield f"the name {name[:40]!r}", named(name)
    yield from {
        "a name with a zero byte": named("task.bsl").replace(b"task.bsl", b"ta\0k.bsl"),
        "a link": with_mode("canonical.bsl", LINK, b"/etc/passwd"),
        "a pipe": with_mode("canonical.bsl", FIFO),
        "a device": with_mode("canonical.bsl", DEVICE),
        "twice the same name": _twice("task.yaml", "task.yaml"),
        "names that differ in case": packed(("task.yaml", TASK), ("TASK.yaml", TASK)),
        "names that differ in writing": packed(("task.yaml", TASK), ("\u0439.bsl", b""), ("\u0438\u0306.bsl", b"")),
        "a name with a dot behind": packed(("task.yaml", TASK), ("task.yaml.", TASK)),
        "a file that is a folder, too": packed(("task.yaml", TASK), ("task.yaml/x.bsl", b"")),
        "an alias bomb": packed(("task.yaml", TASK), ("tests.yaml", aliases())),
        "a YAML tag": packed(("task.yaml", TASK), ("tests.yaml", b"tests: !!python/object/apply:os.system [id]")),
        "deep YAML": packed(("task.yaml", TASK), ("tests.yaml", b"tests: " + b"[" * 5000 + b"]" * 5000)),
        "a YAML merge": packed(("task.yaml", TASK), ("tests.yaml", b"a: &a {x: 1}\ntests: [{<<: *a}]")),
        "YAML of another kind": packed(("task.yaml", TASK), ("tests.yaml", b"tests: [2026-13-45, !!binary aGk=]")),
        "no text": packed(("task.yaml", TASK), ("tests.yaml", bytes(range(128, 256)))),
        "UTF-16": packed(("task.yaml", TASK.decode().encode("utf-16")), ("tests.yaml", TESTS)),
        "a zero byte in a text": packed(("task.yaml", TASK + b"\0"), ("tests.yaml", TESTS)),
        "a zip in the zip": packed(("task.yaml", TASK), ("tests.yaml", TESTS), ("inner.zip", sound())),
        "a program beside": packed(("task.yaml", TASK), ("tests.yaml", TESTS), ("run.sh", b"#!/bin/sh")),
        "an unknown verdict": packed(("task.yaml", TASK), ("tests.yaml", TESTS), ("submissions/perfect/a.bsl", b"")),
        "two bundles": packed(("one/task.yaml", TASK), ("two/task.yaml", TASK)),
        "only leftovers": packed(("__MACOSX/._task.yaml", b"x"), (".DS_Store", b"x")),
        "only folders": packed(("a/", b""), ("b/", b"")),
    }.items()


def _twice(first: str, second: str) -> bytes:
    stand_in = "T" * len(second)
    return packed((first, TASK), (stand_in, TASK)).replace(stand_in.encode(), second.encode())


Maker = Callable[[], bytes]
