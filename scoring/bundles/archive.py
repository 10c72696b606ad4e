"""A bundle out of an uploaded zip: every limit is counted while reading, nothing touches the disk, every refusal says why.

A bundle may lie flat or under one top folder; what desktops leave behind (``__MACOSX``, ``.DS_Store``) is skipped.
"""

from __future__ import annotations

import io
import re
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable
from typing import IO

from scoring.findings import FaultyData, Finding

MAX_ARCHIVE_BYTES = 20_000_000
MAX_ENTRIES = 1_000
MAX_UNPACKED_BYTES = 50_000_000
# A file of a bundle (see the loader); a larger one is refused before it is unpacked to its end.
MAX_FILE_BYTES = 4_000_000
MAX_NAME = 200
MAX_DEPTH = 6
# How much text of a bundle packs into one byte at most; repetitive fixtures stay far below.
MAX_RATIO = 200
# Below this size the ratio says nothing.
_RATIO_FROM = 100_000

_CHUNK = 1 << 16
_DRIVE = re.compile(r"^[A-Za-z]:")
_LEFT_BEHIND = re.compile(r"(?:^|/)(?:__MACOSX(?:/|$)|\.DS_Store$|\.git(?:/|$)|Thumbs\.db$|desktop\.ini$|\._[^/]*$)", re.IGNORECASE)
_LINK, _REGULAR, _FOLDER, _KIND = 0o120000, 0o100000, 0o040000, 0o170000
_STORED, _DEFLATED = 0, 8
_ENCRYPTED = 0x1
_END_OF_DIRECTORY = b"PK\x05\x06"
_LOCAL_HEADER = b"PK\x03\x04"


def read_archive(data: bytes | IO[bytes], label: str = "archive") -> dict[str, bytes]:
    """Names → contents of the bundle in a zip. Raises :class:`FaultyData` with the reason for what is refused.

    ``data`` is read up to :data:`MAX_ARCHIVE_BYTES` and one byte more.
    """
    raw = data if isinstance(data, bytes) else data.read(MAX_ARCHIVE_BYTES + 1)
    if len(raw) > MAX_ARCHIVE_BYTES:
        raise _refused(label, f"the archive is larger than {MAX_ARCHIVE_BYTES // 1_000_000} MB")
    _refuse_strangers(raw, label)
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return _unpacked(archive, raw, label)
    except zipfile.BadZipFile as error:
        raise _refused(label, f"the archive is damaged: {error}", "pack it again") from None
    except (zlib.error, EOFError, struct.error, NotImplementedError, RuntimeError, OSError, ValueError, OverflowError, UnicodeError):
        raise _refused(label, "the archive is damaged or packed in an unknown way", "pack it again as a plain zip") from None


def _refused(file: str, message: str, cure: str = "") -> FaultyData:
    return FaultyData([Finding(file, message, cure=cure)])


def _refuse_strangers(raw: bytes, label: str) -> None:
    if not raw:
        raise _refused(label, "the file is empty")
    if not raw.startswith((_LOCAL_HEADER, _END_OF_DIRECTORY)):
        raise _refused(label, "this is no zip archive", "pack the folder of the task as .zip")
    end = raw.rfind(_END_OF_DIRECTORY)
    if end < 0 or len(raw) - end < 22:
        raise _refused(label, "the archive is cut off: its directory is missing", "upload it again")
    entries, size, start, comment = struct.unpack("<HIIH", raw[end + 10 : end + 22])
    if entries == 0xFFFF or size == 0xFFFFFFFF or start == 0xFFFFFFFF:
        raise _refused(label, "the archive is of the zip64 kind", "a bundle fits into a plain zip")
    if entries > MAX_ENTRIES:
        raise _refused(label, f"the archive has more than {MAX_ENTRIES} entries")
    # What stands before the archive or behind it belongs to something else that hides in the same file.
    if start + size != end or end + 22 + comment != len(raw):
        raise _refused(label, "the archive's directory lies about its place", "pack it again as a plain zip")
    # Counted here and not by the header, which may lie.
    if raw.count(b"PK\x01\x02", start, end) > MAX_ENTRIES:
        raise _refused(label, f"the archive has more than {MAX_ENTRIES} entries")


def _unpacked(archive: zipfile.ZipFile, raw: bytes, label: str) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise _refused(label, f"the archive has more than {MAX_ENTRIES} entries")
    faults = [fault for entry in entries for fault in _entry_faults(entry)]
    wanted = [entry for entry in entries if not entry.is_dir() and not _LEFT_BEHIND.search(entry.filename)]
    faults += _clashes(entry.filename for entry in wanted)
    faults += _overlaps(wanted, raw)
    if faults:
        raise FaultyData(faults[:50])
    if not wanted:
        raise _refused(label, "the archive holds no files")
    left = MAX_UNPACKED_BYTES
    files = {}
    for entry in wanted:
        body = _body(archive, entry, left)
        left -= len(body)
        files[entry.filename] = body
    return _without_top(files)


def _entry_faults(entry: zipfile.ZipInfo) -> Iterable[Finding]:
    # `orig_filename` is the name before anything was cut off or turned round in it.
    name = entry.orig_filename
    shown = ascii(name)[1:-1][:80]
    kind = (entry.external_attr >> 16) & _KIND
    checks = (
        (entry.flag_bits & _ENCRYPTED, "the entry is encrypted", "pack it without a password"),
        (entry.compress_type not in (_STORED, _DEFLATED), "the entry is packed in an unknown way", "use plain zip compression"),
        (kind == _LINK, "links are not allowed", "put the file itself into the archive"),
        (kind not in (0, _LINK, _REGULAR, _FOLDER), "special files are not allowed", ""),
        (any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in name), "the name has control characters", "rename it"),
        (name.startswith(("/", "\\")) or _DRIVE.match(name), "the path is absolute", "pack relative paths"),
        ("\\" in name, "the path has a backslash", "pack it with / between folders"),
        (any(part in ("..", ".") for part in name.split("/")), "the path leaves its folder or turns in it", "pack plain paths"),
        ("//" in name or not name.strip("/ "), "the path has an empty part", ""),
        (len(name) > MAX_NAME or name.count("/") > MAX_DEPTH, "the path is too long or too deep", ""),
        (entry.file_size > MAX_FILE_BYTES and not _LEFT_BEHIND.search(name), f"the file is larger than {MAX_FILE_BYTES} bytes", ""),
        (_is_bomb(entry), "the entry unpacks to far more than it holds", ""),
    )
    for met, message, cure in checks:
        if met:
            yield Finding(shown, message, cure=cure)


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > _RATIO_FROM and entry.file_size > MAX_RATIO * max(1, entry.compress_size)


def _clashes(names: Iterable[str]) -> Iterable[Finding]:
    """Names that are one file on some file systems: equal, or equal but for case or the writing of their letters."""
    seen: dict[str, str] = {}
    folders: set[str] = set()
    for name in names:
        plain = unicodedata.normalize("NFC", name).casefold().rstrip(". ")
        if plain in seen:
            yield Finding(ascii(name)[1:-1][:80], f"the name collides with {ascii(seen[plain])[1:-1][:80]!r}", cure="keep one of them")
        seen.setdefault(plain, name)
        folders.update(plain[: at.start()] for at in re.finditer("/", plain))
    for plain in folders & seen.keys():
        yield Finding(ascii(seen[plain])[1:-1][:80], "the name is a file and a folder at once", cure="keep one of them")


def _overlaps(entries: list[zipfile.ZipInfo], raw: bytes) -> Iterable[Finding]:
    """Entries that share their bytes, as bombs without nesting do, and local headers that tell another story."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        header = raw[entry.header_offset : entry.header_offset + 30]
        shown = ascii(entry.filename)[1:-1][:80]
        if len(header) < 30 or not header.startswith(_LOCAL_HEADER):
            yield Finding(shown, "the entry's header is missing")
            continue
        flags, method = struct.unpack("<HH", header[6:10])
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        start = entry.header_offset + 30 + name_length + extra_length
        name = raw[entry.header_offset + 30 : entry.header_offset + 30 + name_length]
        if entry.header_offset < end:
            yield Finding(shown, "entries of the archive overlap")
        if method != entry.compress_type or flags & _ENCRYPTED or not _same_name(name, entry.orig_filename, flags):
            yield Finding(shown, "the entry's header differs from the directory", cure="pack it again as a plain zip")
        end = max(end, start + entry.compress_size)


def _same_name(raw: bytes, name: str, flags: int) -> bool:
    try:
        return raw.decode("utf-8" if flags & 0x800 else "cp437") == name
    except UnicodeDecodeError:
        return False


def _body(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    """The entry's content, counted as it comes: what headers say about sizes is not believed."""
    parts = []
    size = 0
    with archive.open(entry) as source:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > MAX_FILE_BYTES:
                raise _refused(entry.filename[:80], f"the file is larger than {MAX_FILE_BYTES} bytes")
            if size > left:
                raise _refused(entry.filename[:80], f"the archive unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB")
            parts.append(chunk)
    if size != entry.file_size:
        raise _refused(entry.filename[:80], "the entry's size is not what its header says")
    return b"".join(parts)


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files without the one folder that all of them lie in."""
    tops = {name.split("/", 1)[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files) and not {"submissions"} & tops:
        return {name.split("/", 1)[1]: body for name, body in files.items()}
    return files


def write_archive(files: dict[str, str], top: str) -> bytes:
    """A zip of a bundle's texts under one folder, the same bytes for the same texts."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(f"{top}/{name}"), files[name].encode(), compress_type=zipfile.ZIP_DEFLATED)
    return target.getvalue()
