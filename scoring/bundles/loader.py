"""From files to a :class:`TaskBundle`: every error at once, with file, place and cure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.bundles.database_files import read_configuration, read_fixtures
from scoring.bundles.load_file import read_load
from scoring.bundles.model import VERDICTS, Control, ScriptTests, TaskBundle
from scoring.bundles.task_file import TaskHead, read_patterns, read_task
from scoring.bundles.tests_file import read_tests
from scoring.findings import FaultyData, Finding, near_miss
from scoring.protocol import load_protocol
from scoring.strict_yaml import Document, Fields, parse

# One file of a bundle; generous for fixtures, small for memory.
MAX_FILE_BYTES = 4_000_000

SCORING_FILES = {"A": ("task.yaml", "tests.yaml"), "B": ("task.yaml", "config_spec.yaml", "fixtures.yaml")}
PUBLISHING_FILES = {
    "A": ("canonical.bsl", "perf.yaml", "perf_baseline.bsl"),
    "B": ("canonical.bsl",),
}
KNOWN_FILES = (
    "task.yaml", "tests.yaml", "tests.bsl", "canonical.bsl", "perf.yaml", "perf_baseline.bsl", "config_spec.yaml",
    "fixtures.yaml",
)  # fmt: skip
# Files that people keep beside a bundle and that mean nothing to it.
IGNORED_FILES = frozenset({"README.md", "README.ru.md", "LICENSE"})
_CONTROL = re.compile(r"submissions/(\w+)/([^/]+)\.bsl")


@dataclass(frozen=True, slots=True)
class Loaded:
    """``bundle`` is None where ``findings`` forbid it; ``missing`` lists files that publishing needs beyond scoring."""

    bundle: TaskBundle | None
    findings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()

    def required(self) -> TaskBundle:
        """The bundle, or :class:`FaultyData` with every finding."""
        if self.bundle is None:
            raise FaultyData(self.findings)
        return self.bundle


def load_folder(folder: Path) -> Loaded:
    """Read one bundle from a folder. Links are not followed, hidden files and other people's notes are skipped."""
    if not folder.is_dir():
        return Loaded(None, (Finding(str(folder), "there is no such folder"),))
    files, findings = {}, []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in path.relative_to(folder).parts) or path.is_dir():
            continue
        if path.is_symlink() or not path.is_file():
            findings.append(Finding(name, "links and special files are not allowed"))
        elif path.stat().st_size > MAX_FILE_BYTES:
            findings.append(Finding(name, f"the file is larger than {MAX_FILE_BYTES} bytes"))
        else:
            files[name] = path.read_bytes()
    return _load(files, findings, label=folder.name)


def load_files(files: Mapping[str, bytes], label: str = "") -> Loaded:
    """Read one bundle from files in memory: relative POSIX names → contents. ``label`` prefixes file names in findings."""
    return _load(dict(files), [], label)


def load_tree(folder: Path) -> dict[str, Loaded]:
    """Every bundle below ``folder`` (a folder that holds a ``task.yaml``), keyed by its path; ids must differ."""
    found = {}
    owners: dict[str, str] = {}
    for path in sorted(folder.rglob("task.yaml")):
        place = path.parent.relative_to(folder).as_posix()
        loaded = load_folder(path.parent)
        if loaded.bundle and owners.setdefault(loaded.bundle.id, place) != place:
            clash = Finding(f"{place}/task.yaml", f"the id {loaded.bundle.id!r} is taken by {owners[loaded.bundle.id]}", key="id")
            loaded = Loaded(None, (*loaded.findings, clash))
        found[place] = loaded
    return found


def _load(raw: dict[str, bytes], findings: list[Finding], label: str) -> Loaded:
    reader = _BundleReader(raw, findings)
    bundle = reader.read()
    places = tuple(_labelled(finding, label) for finding in reader.findings)
    category = reader.head.category if reader.head else ""
    missing = tuple(name for name in PUBLISHING_FILES.get(category, ()) if name not in reader.texts)
    return Loaded(None if places else bundle, places, missing)


def _labelled(finding: Finding, label: str) -> Finding:
    if not label:
        return finding
    return Finding(f"{label}/{finding.file}", finding.message, finding.line, finding.key, finding.cure)


class _BundleReader:
    def __init__(self, raw: dict[str, bytes], findings: list[Finding]) -> None:
        self.findings = findings
        self.texts = {name: text for name, data in raw.items() if (text := self._decode(name, data)) is not None}
        self.raw = raw
        self.head: TaskHead | None = None

    def read(self) -> TaskBundle | None:
        self._strange_files()
        categories = tuple(load_protocol().constitution.categories)
        self.head = self._yaml("task.yaml", lambda document, found: read_task(document, found, categories))
        category = self.head.category if self.head else ""
        self._required(category)
        parts = self._parts(category)
        return self._bundle(self.head, parts) if self.head else None

    def _decode(self, name: str, data: bytes) -> str | None:
        if not (name.endswith((".yaml", ".bsl")) or name in IGNORED_FILES):
            return ""
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            self.findings.append(Finding(name, "the file is not UTF-8", line, cure="save it as UTF-8"))
            return None
        if "\0" in text:
            self.findings.append(Finding(name, "the file is no text (it holds a NUL)"))
            return None
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _strange_files(self) -> None:
        for name in self.raw:
            control = _CONTROL.fullmatch(name)
            if control and control.group(1) not in VERDICTS:
                self._fault(name, f"unknown verdict {control.group(1)!r}", near_miss(control.group(1), VERDICTS))
            elif not control and name not in KNOWN_FILES and name not in IGNORED_FILES:
                self._fault(name, "this file belongs to no bundle", near_miss(name, KNOWN_FILES))

    def _required(self, category: str) -> None:
        for name in SCORING_FILES.get(category, ("task.yaml",)):
            if name not in self.raw:
                self._fault(name, "the file is missing", f"category {category or 'A or B'} needs it")
        if category == "B" and not {"tests.yaml", "tests.bsl"} & self.raw.keys():
            self._fault("tests.yaml", "there are no hidden tests", "add tests.yaml or tests.bsl")

    def _parts(self, category: str) -> dict[str, Any]:
        parts: dict[str, Any] = {"tests": self._yaml("tests.yaml", read_tests), "more_patterns": ()}
        tests = self._document("tests.yaml", silent=True)
        if tests is not None:
            head = Fields(tests, self.findings)
            parts["more_patterns"] = read_patterns(head)
            parts["entry_point"] = head.text("entry_point")
        if parts["tests"] is None and "tests.bsl" in self.texts:
            parts["tests"] = self._script(self.texts["tests.bsl"])
        parts["load"] = self._yaml("perf.yaml", lambda document, found: read_load(document, found, category))
        if category == "B":
            parts["configuration"] = self._yaml("config_spec.yaml", read_configuration)
            parts["fixtures"] = self._yaml("fixtures.yaml", read_fixtures)
        return parts

    def _script(self, source: str) -> ScriptTests:
        if not re.search(r"Функция\s+ПрогнатьТест\s*\(\s*\)\s*Экспорт", source, re.IGNORECASE):
            self._fault("tests.bsl", "the module exports no function ПрогнатьТест()")
        return ScriptTests(source)

    def _bundle(self, head: TaskHead, parts: dict[str, Any]) -> TaskBundle:
        return TaskBundle(
            id=head.id,
            name=head.name,
            category=head.category,
            difficulty=head.difficulty,
            prompt=head.prompt,
            hash=content_hash(self.raw),
            signature=head.signature,
            entry_point=head.entry_point or parts.get("entry_point", ""),
            entry_point_patterns=head.patterns + tuple(parts["more_patterns"]),
            expected_objects=head.expected_objects,
            tags=head.tags,
            tests=parts["tests"],
            load=parts["load"],
            canonical=self.texts.get("canonical.bsl", ""),
            baseline=self.texts.get("perf_baseline.bsl", ""),
            configuration=parts.get("configuration") or {},
            fixtures=parts.get("fixtures") or {},
            controls=tuple(self._controls()),
            files=dict(self.texts),
        )

    def _controls(self) -> Iterable[Control]:
        for name, text in sorted(self.texts.items()):
            match = _CONTROL.fullmatch(name)
            if match and match.group(1) in VERDICTS:
                yield Control(match.group(1), match.group(2), text)  # type: ignore[arg-type]

    def _document(self, name: str, *, silent: bool = False) -> Document | None:
        if name not in self.texts:
            return None
        try:
            return parse(self.texts[name], name)
        except FaultyData as error:
            if not silent:
                self.findings.extend(error.findings)
            return None

    def _yaml(self, name: str, read: Callable[[Document, list[Finding]], Any]) -> Any:
        document = self._document(name)
        return None if document is None else read(document, self.findings)

    def _fault(self, name: str, message: str, cure: str = "") -> None:
        self.findings.append(Finding(name, message, cure=cure))


def content_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents, independent of order, BOM and line ends."""
    digest = hashlib.sha256()
    for name in sorted(files):
        if name in IGNORED_FILES:
            continue
        body = files[name].removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        digest.update(f"{name}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.hexdigest()
