"""BSL Language Server: the oracle of S in category A, and of the static anti-patterns of O in B.

A start costs seconds and a file milliseconds, so texts are analysed in batches: :meth:`BslLanguageServer.prepare` takes as
many as are known beforehand, and what it learnt is remembered by text. The JSON report is all that is read; a text that the
report does not name was not measured.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from scoring.balance import pair_counts
from scoring.bundles.model import TaskBundle
from scoring.evidence import (
    GrowthEvidence,
    InstrumentFailed,
    Observed,
    Place,
    StaticFacts,
    StaticFinding,
    SyntaxEvidence,
    SyntaxFacts,
    SyntaxFinding,
    TestEvidence,
)
from scoring.extract import Module
from scoring.instruments.base import Availability
from scoring.instruments.processes import ProgramMissing, decoded, outer_walls, run_program
from scoring.instruments.settings import EngineSettings
from scoring.protocol import Protocol

LAUNCHER = "com.github._1c_syntax.bsl.languageserver.BSLLSPLauncher"
PARSE_ERROR = "ParseError"
# The class files of 0.29 are Java 21's.
OLDEST_JAVA = 21
OLDEST_VERSION = (0, 29)
START_SECONDS = 120.0
SECONDS_PER_TEXT = 1.0
# A batch larger than this brings the report into hundreds of megabytes.
LARGEST_BATCH = 2000
# Texts remembered with their diagnostics, oldest out first.
REMEMBERED = 20_000
REPORT = "bsl-json.json"
_VERSION = re.compile(r"bsl-language-server-(\d[\w.+-]*?)(?:-exec)?\.jar$")
_JAVA_HOMES = ("/usr/lib/jvm", "/opt/java", "/opt")
_SELF_TEST = "Функция Ф(А)\n\tА += 1;\nКонецФункции\nПроцедура П()\n\tВозврат 5;\nКонецПроцедуры\n"


class ReportBroken(Exception):
    """The server gave no report, or one that can't be read: the instrument's fault."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One entry of the report; ``line`` and ``column`` from 1."""

    code: str
    message: str
    line: int
    column: int


# -- the report ----------------------------------------------------------------------------------------------------------


def read_report(data: bytes, named: str = "path") -> dict[str, tuple[Diagnostic, ...]]:
    """Diagnostics by file name (no folders), or by the object of metadata (``named="mdoRef"``) where a configuration was read.

    Raises :class:`ReportBroken` for a text that is no whole report.
    """
    text = decoded(data).strip().strip("\x00")
    if not text:
        raise ReportBroken("the report is empty")
    try:
        report = json.loads(text)
        return {_file_name(entry[named]): tuple(map(_diagnostic, entry["diagnostics"])) for entry in report["fileinfos"]}
    except json.JSONDecodeError as error:
        raise ReportBroken(f"the report is cut or no JSON: {error}") from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ReportBroken(f"the report has another form than expected: {type(error).__name__} {error}") from None


def _file_name(path: str) -> str:
    return unquote(path).replace("\\", "/").rsplit("/", 1)[-1]


def _diagnostic(entry: Mapping[str, Any]) -> Diagnostic:
    code = entry["code"]
    # Older reports wrote the code as {"left": …, "right": …} (either a text or a number).
    if isinstance(code, Mapping):
        code = code.get("left") or code.get("right")
    start = entry["range"]["start"]
    return Diagnostic(str(code), str(entry["message"]), int(start["line"]) + 1, int(start["character"]) + 1)


def configuration(codes: Iterable[str], root: Path | None = None) -> dict[str, Any]:
    """The server's settings: these diagnostics and no others, in Russian; ``root``: the dump of the modules' configuration."""
    parameters = dict.fromkeys(codes, True)
    place = {"configurationRoot": str(root)} if root else {}
    return {"language": "ru", "diagnostics": {"mode": "only", "parameters": parameters}, **place}


# -- what is installed ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Installed:
    """What was found; ``missing`` says what is not there and what to do, "" where all is."""

    java: str = ""
    class_path: str = ""
    version: str = ""
    missing: str = ""


def find_installed(settings: EngineSettings) -> Installed:
    """Jars and Java as the settings name them, or where they usually are."""
    jars = _jars(settings.bsl_ls)
    named = [(match.group(1), jar) for jar in jars if (match := _VERSION.search(jar.name))]
    if not named:
        where = settings.bsl_ls
        return Installed(missing=f"no bsl-language-server jar at {where}: run `make bsl_ls`, or name a folder or a jar in PRISM_BSL_LS")
    version, _ = max(named, key=lambda entry: _numbers(entry[0]))
    if _numbers(version)[:2] < OLDEST_VERSION:
        return Installed(version=version, missing=f"version {version} is older than 0.29: run `make bsl_ls`")
    java = _java(settings.java)
    if not java:
        return Installed(version=version, missing=f"no Java of version {OLDEST_JAVA} or newer: install one, or name it in PRISM_JAVA")
    return Installed(java, os.pathsep.join(map(str, jars)), version)


def _jars(place: Path) -> list[Path]:
    # The server starts in a folder of its own.
    place = place.absolute()
    if place.is_file():
        return [place]
    return sorted(place.glob("*.jar")) if place.is_dir() else []


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _java(named: str) -> str:
    """The program named, if it is new enough; without a name the newest that is found."""
    if named:
        return named if java_version(named) >= OLDEST_JAVA else ""
    found = {str(path) for home in _JAVA_HOMES for path in Path(home).glob("*/bin/java")}
    for folder in (os.environ.get("JAVA_HOME", ""),):
        found |= {str(Path(folder) / "bin" / "java")} if folder else set()
    on_path = shutil.which("java")
    best = max(sorted(found | ({on_path} if on_path else set())), key=java_version, default="")
    return best if best and java_version(best) >= OLDEST_JAVA else ""


@lru_cache(maxsize=32)
def java_version(program: str) -> int:
    """The major version of a Java, by the ``release`` file beside it or by asking it; 0 where there is none."""
    release = Path(program).resolve().parent.parent / "release"
    text = release.read_text("utf-8", "replace") if release.is_file() else ""
    match = re.search(r'JAVA_VERSION="?(\d+)', text)
    if match is None:
        try:
            match = re.search(r'version "(\d+)', run_program([program, "-version"], seconds=30).said)
        except ProgramMissing:
            return 0
    return int(match.group(1)) if match else 0


# -- the instrument --------------------------------------------------------------------------------------------------------


class BslLanguageServer:
    """Analyses texts; runs none. Not for several threads at once."""

    name = "bsl_ls"
    batches = True

    def __init__(self, protocol: Protocol, settings: EngineSettings) -> None:
        self.protocol = protocol
        self.installed = find_installed(settings)
        weights = protocol.optimization.static_weights
        self.codes = (PARSE_ERROR, *protocol.syntax.blockers, *weights)
        self._known: OrderedDict[str, tuple[Diagnostic, ...] | InstrumentFailed] = OrderedDict()

    def version(self) -> str:
        return self.installed.version or "?"

    def availability(self) -> Availability:
        return Availability(not self.installed.missing, self.installed.missing)

    def self_test(self) -> str:
        """Analyse a text with two known faults; "" where both are found, else what went wrong."""
        if self.installed.missing:
            return self.installed.missing
        found = self.diagnostics(_SELF_TEST)
        if isinstance(found, InstrumentFailed):
            return found.detail
        seen = {(entry.code, entry.line) for entry in found}
        return "" if {(PARSE_ERROR, 2), ("ProcedureReturnsValue", 5)} <= seen else f"unexpected diagnostics: {sorted(seen)}"

    def prepare(self, texts: Iterable[str]) -> None:
        """Analyse all of these in as few starts as possible; asking about one of them later costs nothing."""
        unknown = list(dict.fromkeys(text for text in texts if _key(text) not in self._known))
        for start in range(0, len(unknown), LARGEST_BATCH):
            self._learn(unknown[start : start + LARGEST_BATCH])

    def diagnostics(self, text: str) -> tuple[Diagnostic, ...] | InstrumentFailed:
        """Everything the server says about a text, in order of place."""
        self.prepare([text])
        return self._known[_key(text)]

    @contextlib.contextmanager
    def examine(self, module: Module, bundle: TaskBundle) -> Iterator[BslLsExamination]:
        yield BslLsExamination(self, module, bundle)

    def close(self) -> None:
        self._known.clear()

    def _learn(self, texts: Sequence[str]) -> None:
        try:
            found = self._analyse(texts)
        except ReportBroken as broken:
            if len(texts) == 1:
                self._remember(texts[0], InstrumentFailed("instrument", f"BSL Language Server: {broken}"))
                return
            # One text may have broken the whole start: the others must not pay for it.
            half = len(texts) // 2
            self._learn(texts[:half])
            self._learn(texts[half:])
            return
        for index, text in enumerate(texts):
            absent = InstrumentFailed("instrument", "BSL Language Server: the report does not name this text")
            self._remember(text, found.get(_name(index), absent))

    def _remember(self, text: str, found: tuple[Diagnostic, ...] | InstrumentFailed) -> None:
        if not isinstance(found, InstrumentFailed):
            found = tuple(sorted(found, key=lambda entry: (entry.line, entry.column)))
        self._known[_key(text)] = found
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def _analyse(self, texts: Sequence[str]) -> dict[str, tuple[Diagnostic, ...]]:
        if self.installed.missing:
            raise ReportBroken(self.installed.missing)
        with tempfile.TemporaryDirectory(prefix="prism-ls-") as place:
            folder = Path(place)
            sources, report = folder / "src", folder / "out"
            sources.mkdir()
            report.mkdir()
            for index, text in enumerate(texts):
                (sources / _name(index)).write_bytes(text.encode("utf-8", "replace"))
            settings = folder / "conf.json"
            settings.write_text(json.dumps(configuration(self.codes)), "utf-8")
            return self._start(["-c", str(settings), "-s", str(sources), "-o", str(report)], folder, len(texts))

    def in_configuration(self, root: Path, codes: Iterable[str]) -> dict[str, tuple[Diagnostic, ...]]:
        """What these diagnostics say about the modules of a dump, read as a configuration; by object (``CommonModule.Тесты``).

        Raises :class:`ReportBroken`.
        """
        if self.installed.missing:
            raise ReportBroken(self.installed.missing)
        with tempfile.TemporaryDirectory(prefix="prism-ls-") as place:
            folder = Path(place)
            (folder / "out").mkdir()
            settings = folder / "conf.json"
            settings.write_text(json.dumps(configuration(codes, root.resolve())), "utf-8")
            arguments = ["-c", str(settings), "-w", str(root.resolve()), "-s", str(root.resolve()), "-o", str(folder / "out")]
            return self._start(arguments, folder, 100, "mdoRef")

    def _start(self, arguments: list[str], folder: Path, count: int, named: str = "path") -> dict[str, tuple[Diagnostic, ...]]:
        java = [self.installed.java, "-Xmx1g", "-XX:TieredStopAtLevel=1", "-cp", self.installed.class_path]
        seconds = START_SECONDS + SECONDS_PER_TEXT * count
        try:
            ended = run_program(
                [*java, LAUNCHER, "analyze", *arguments, "-r", "json", "-q"], seconds=seconds, folder=folder,
                environment={"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(folder)},
                walls=outer_walls(int(seconds) * 4 + 60, user=None),
            )  # fmt: skip
        except ProgramMissing as missing:
            raise ReportBroken(str(missing)) from None
        file = folder / "out" / REPORT
        if ended.timed_out:
            raise ReportBroken(f"no report within {seconds:g} s")
        if not file.is_file():
            last = (ended.said.splitlines() or ["nothing said"])[-1]
            raise ReportBroken(f"no report, exit code {ended.code}: {last[:300]}")
        return read_report(file.read_bytes(), named)


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _name(index: int) -> str:
    return f"{index:05d}.bsl"


class BslLsExamination:
    """One answer: its errors, or the anti-patterns in it."""

    def __init__(self, server: BslLanguageServer, module: Module, bundle: TaskBundle) -> None:
        self.server = server
        self.module = module
        self.bundle = bundle

    def check(self) -> SyntaxEvidence:
        found = self.server.diagnostics(self.module.whole)
        if isinstance(found, InstrumentFailed):
            return found
        rules = self.server.protocol.syntax
        return Observed(
            SyntaxFacts(
                errors=tuple(_finding(entry) for entry in found if entry.code == PARSE_ERROR),
                blockers=tuple(_finding(entry) for entry in found if entry.code in rules.blockers),
                balance=pair_counts(self.module.whole, rules.pairs),
            )
        )

    def run_tests(self) -> TestEvidence:
        return InstrumentFailed("not_supported", "BSL Language Server runs no code")

    def count_work(self) -> GrowthEvidence:
        rules = self.server.protocol.optimization
        if self.bundle.load is not None:
            return InstrumentFailed("not_supported", "BSL Language Server runs no code")
        if self.bundle.category not in rules.static_categories:
            return InstrumentFailed("no_profile")
        found = self.server.diagnostics(self.module.whole)
        if isinstance(found, InstrumentFailed):
            return found
        chosen = (entry for entry in found if entry.code in rules.static_weights)
        return Observed(StaticFacts(tuple(StaticFinding(e.code, e.message, Place(e.line, e.column)) for e in chosen)))


def _finding(entry: Diagnostic) -> SyntaxFinding:
    kind = "parse_error" if entry.code == PARSE_ERROR else entry.code
    return SyntaxFinding(kind, entry.message, Place(entry.line, entry.column))
