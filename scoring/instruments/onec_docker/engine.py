"""1C in Docker as an instrument: a database per task, cached and copied; one container per answer.

A platform that fails (no licence, a step that ends with an error, a run without records) is *not measured*, never 0: whose fault
it is must be certain before a candidate pays for it.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from scoring.bundles.growth import grown_fixtures
from scoring.bundles.model import DatabaseLoad, DataTests, ScriptTests, TaskBundle, TestCase
from scoring.evidence import (
    CandidateFailed,
    ErrorFact,
    GrowthEvidence,
    GrowthFacts,
    InstrumentFailed,
    Observed,
    SyntaxEvidence,
    SyntaxFacts,
    SyntaxFinding,
    TestEvidence,
    TestFacts,
)
from scoring.extract import Module
from scoring.instruments.base import Availability
from scoring.instruments.bsl_ls import find_installed
from scoring.instruments.judging import RawOutcome, judge_all, read_report
from scoring.instruments.onec_docker import modules, steps
from scoring.instruments.onec_docker.dump import assemble, write_dump
from scoring.instruments.onec_docker.fixtures import fixtures_module
from scoring.instruments.onec_docker.reader import dump_fault
from scoring.instruments.onec_docker.reading import Accesses, LogBroken, error_fact, read_findings, read_journal
from scoring.instruments.onescript.reading import comparable, read_records, read_value
from scoring.instruments.onescript.script import RESULTS_FILE, Channel, needs_question
from scoring.instruments.processes import FILE_BYTES, NOBODY, decoded, left_behind
from scoring.instruments.settings import EngineSettings
from scoring.protocol import Protocol
from scoring.sandbox.containers import Bounds, Containers, DockerMissing, Finished, Mount

# A change of how a task's database is made makes a new one.
LAYOUT = "2"
VERSION_LABEL = "prism.onec.version"
STAND_IN_LABEL = "prism.stand-in"
MEMORY = 2 << 30
PROCESSES = 512
CURE = "build one with docker/onec.Dockerfile (see docs/engines.md) and name it in PRISM_ONEC_IMAGE"


# What an answer is told that ended its test's transaction and wrote behind it.
DATA_CHANGED = "Тест изменил данные вне своей транзакции: остальные тесты не выполнялись"


class PlatformFailed(Exception):
    """The platform did not do a step: nobody's score."""


@dataclass(frozen=True, slots=True)
class Session:
    """What a container left in its folder."""

    folder: Path
    finished: Finished

    def code(self, step: str) -> int | None:
        """The step's exit code; None where it was never reached."""
        text = self._text(f"{step}.code").strip()
        return int(text) if text.lstrip("-").isdigit() else None

    def log(self, step: str) -> bytes:
        return left_behind(self.folder / "out" / f"{step}.log") or b""

    def _text(self, name: str) -> str:
        return decoded(left_behind(self.folder / "out" / name) or b"")

    def require(self, step: str) -> None:
        """Raises :class:`PlatformFailed` where the step did not end well."""
        code = self.code(step)
        if code == 0:
            return
        if self.finished.timed_out:
            raise PlatformFailed("the container outlived its time and was killed")
        if self.finished.memory_spent:
            raise PlatformFailed("the container spent its memory")
        said = decoded(self.log(step)).strip() or self._text(f"{step}.said").strip() or self.finished.output.strip()
        reached = {None: "was never reached", 124: "took too long", 137: "took too long"}.get(code, f"ended with {code}")
        raise PlatformFailed(f"{step} {reached}: {said.splitlines()[-1][:200] if said else 'nothing said'}")


class OnecDocker:
    """Runs category B in containers of the user's own image."""

    name = "onec"
    batches = False

    def __init__(self, protocol: Protocol, settings: EngineSettings, containers: Containers | None = None, stand_in: bool = False) -> None:
        self.protocol = protocol
        self.settings = settings
        self.image = settings.onec_image
        self.cache = settings.cache / "onec"
        self.containers = containers or Containers()
        # Tests drive the whole path with an image that holds no platform; settings can't.
        self.stand_in = stand_in

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        return dict(self.containers.client.images.get(self.image).labels or {})

    def version(self) -> str:
        """The platform's version, as the image's label tells it."""
        try:
            return str(self._labels.get(VERSION_LABEL) or "?") if self.image else "?"
        except Exception:  # no daemon, no image: availability says which
            return "?"

    def availability(self) -> Availability:
        if not self.image:
            return Availability(False, f"no image of 1C: {CURE}")
        missing = self.containers.reach()
        if missing:
            return Availability(False, missing)
        try:
            if not self.containers.image_id(self.image):
                return Availability(False, f"the daemon has no image {self.image!r}: {CURE}")
        except DockerMissing as lost:
            return Availability(False, str(lost))
        if self._labels.get(STAND_IN_LABEL) and not self.stand_in:
            return Availability(False, f"{self.image!r} is test material that runs the built-in engine, no genuine 1C: {CURE}")
        return Availability(True)

    def self_test(self) -> str:
        """Load and check an empty configuration: needs the platform, its libraries and its licence. Where BSL Language Server is
        installed, its reader must first find in a dump what is meant to be there."""
        reader = find_installed(self.settings)
        fault = "" if reader.missing else dump_fault(reader)
        return fault or self._loads_nothing()

    def _loads_nothing(self) -> str:
        with work_folder() as folder:
            texts = {modules.CANDIDATE: (False, modules.STUB), modules.TESTS: (True, "Процедура НачатьСеанс(Режим) Экспорт\nКонецПроцедуры\n")}
            write_dump(assemble({}, texts, modules.START), folder / "dump")
            planned = [steps.create(), steps.load("load"), steps.update("update"), steps.check("check")]
            try:
                session = self.run(folder, planned, ["create", "load", "update"])
                for step in ("create", "load", "update", "check"):
                    session.require(step)
                return "" if not read_findings(session.log("check")) else "an empty configuration has errors"
            except (PlatformFailed, DockerMissing) as failed:
                return str(failed)

    def prepare(self, texts: Iterable[str]) -> None:
        """Every answer has a container of its own."""

    @contextlib.contextmanager
    def examine(self, module: Module, bundle: TaskBundle) -> Iterator[OnecExamination]:
        with work_folder() as folder:
            yield OnecExamination(self, module, bundle, folder)

    def close(self) -> None:
        """Containers end with their run."""

    def run(self, folder: Path, planned: Sequence[steps.Step], stop_after: Sequence[str], cached: Path | None = None) -> Session:
        """Run the steps in a container over ``folder`` (seen as /work; ``cached`` as /cached, read-only)."""
        (folder / "run.sh").write_text(steps.script(planned, stop_after=stop_after), "utf-8")
        (folder / "logcfg.xml").write_text(steps.LOG_SETTINGS, "utf-8")
        mounts = [Mount(folder, steps.WORK, writable=True)] + ([Mount(cached, "/cached")] if cached else [])
        bounds = Bounds(steps.seconds_of(planned), MEMORY, 1.0, PROCESSES)
        owner = own_tree(folder)
        finished = self.containers.run(
            self.image, ["/bin/sh", f"{steps.WORK}/run.sh"], bounds, mounts=mounts, user=owner, folder=steps.WORK
        )
        return Session(folder, finished)

    # -- databases of tasks ----------------------------------------------------------------------------------------------

    def databases(self, bundle: TaskBundle) -> Path:
        """The folder with the task's databases (``base0``: the fixtures, ``base80``: grown by 80), made once per image and
        task. Raises :class:`PlatformFailed`."""
        key = hashlib.sha256(f"{LAYOUT}:{self.containers.image_id(self.image)}:{bundle.hash}".encode()).hexdigest()[:24]
        place = self.cache / key
        self.cache.mkdir(parents=True, exist_ok=True)
        with open(self.cache / f"{key}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not place.is_dir():
                self._make_databases(bundle, place)
        return place

    def _make_databases(self, bundle: TaskBundle, place: Path) -> None:
        part = place.with_suffix(f".{secrets.token_hex(4)}.part")
        part.mkdir()
        try:
            sizes = bundle.load.sizes if isinstance(bundle.load, DatabaseLoad) else ()
            for size in (0, *sizes):
                with work_folder() as folder:
                    self._make_database(bundle, size, folder)
                    shutil.copytree(folder / "base", part / f"base{size}")
            part.rename(place)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def _make_database(self, bundle: TaskBundle, size: int, folder: Path) -> None:
        channel = Channel(f"{steps.WORK}/{RESULTS_FILE}", secrets.token_hex(12))
        fixtures = bundle.fixtures
        if size and isinstance(bundle.load, DatabaseLoad):
            fixtures = grown_fixtures(fixtures, bundle.load.grow, size)
        empty = Module(modules.STUB, modules.STUB, None)
        texts = self._texts(bundle, empty, modules.STUB, channel, fixtures_module(bundle.configuration, fixtures))
        write_dump(assemble(bundle.configuration, texts, modules.START), folder / "dump")
        planned = [steps.create(), steps.load("load"), steps.update("update"), steps.enterprise("fill", "fixtures")]
        session = self.run(folder, planned, ["create", "load", "update"])
        for step in ("create", "load", "update"):
            session.require(step)
        records = read_results(folder, channel, ["ready", "fault"])
        if "fault" in records:
            raise PlatformFailed(f"the fixtures were not written: {records['fault'].get('fault')}")
        if "ready" not in records:
            session.require("fill")
            raise PlatformFailed("the session that writes the fixtures left no record: is the platform licensed in the image?")

    def _texts(
        self, bundle: TaskBundle, module: Module, code: str, channel: Channel, fixtures: str
    ) -> dict[str, tuple[bool, str]]:
        texts = {
            modules.CANDIDATE: (False, code),
            modules.TESTS: (True, modules.tests_module(bundle, module, channel)),
            modules.FIXTURES: (False, fixtures),
        }
        if isinstance(bundle.tests, ScriptTests):
            texts[modules.AUTHOR] = (False, modules.author_module(bundle, module))
        return texts

    def dump(self, bundle: TaskBundle, module: Module, code: str, channel: Channel) -> dict[str, str]:
        """The configuration with one answer in it, as files."""
        texts = self._texts(bundle, module, code, channel, fixtures_module(bundle.configuration, {}))
        return assemble(bundle.configuration, texts, modules.START)


def own_tree(folder: Path) -> str:
    """Give the folder to the user that the container runs as, and name that user: ourselves, or nobody where we are root."""
    if os.geteuid() != 0:
        return f"{os.geteuid()}:{os.getegid()}"
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return f"{NOBODY}:{NOBODY}"


def read_results(folder: Path, channel: Channel, tags: Iterable[str]) -> dict[str, dict[str, Any]]:
    return read_records(left_behind(folder / RESULTS_FILE) or b"", {channel.word(tag): tag for tag in tags})


@contextlib.contextmanager
def work_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="prism-1c-", ignore_cleanup_errors=True) as place:
        yield Path(place)


class OnecExamination:
    """One answer under 1C: one container checks both texts and runs the tests, a second one the load ladder."""

    def __init__(self, engine: OnecDocker, module: Module, bundle: TaskBundle, folder: Path) -> None:
        self.engine = engine
        self.module = module
        self.bundle = bundle
        self.folder = folder
        self.channel = Channel(f"{steps.WORK}/{RESULTS_FILE}", secrets.token_hex(12))
        self._session: Session | InstrumentFailed | None = None

    # -- S -----------------------------------------------------------------------------------------------------------------

    def check(self) -> SyntaxEvidence:
        session = self._ran()
        if isinstance(session, InstrumentFailed):
            return session
        try:
            session.require("load_whole")
            return Observed(SyntaxFacts(errors=self._findings(session, "check_whole")))
        except (PlatformFailed, LogBroken) as failed:
            return InstrumentFailed("instrument", f"1C: {failed}")

    def _findings(self, session: Session, step: str) -> tuple[SyntaxFinding, ...]:
        """Errors in the candidate's module. ``/CheckModules`` ends with another code than 0 where it found any."""
        found = read_findings(session.log(step))
        others = {module: entries for module, entries in found.items() if module != modules.CANDIDATE}
        if not found:
            session.require(step)
        if others and modules.CANDIDATE not in found:
            module, entries = next(iter(others.items()))
            raise LogBroken(f"the module {module} of the task does not compile: {entries[0].message}")
        return found.get(modules.CANDIDATE, ())

    # -- M and P -----------------------------------------------------------------------------------------------------------

    def run_tests(self) -> TestEvidence:
        session = self._ran()
        if isinstance(session, InstrumentFailed):
            return session
        try:
            step = "check_tested" if session.code("check_tested") is not None else "check_whole"
            found = self._findings(session, step)
            if found:
                return CandidateFailed("does_not_compile", found[0].message, found[0].at)
            return self._outcomes(session)
        except (PlatformFailed, LogBroken) as failed:
            return InstrumentFailed("instrument", f"1C: {failed}")
        except ValueError as error:
            return InstrumentFailed("instrument", str(error))

    def _outcomes(self, session: Session) -> TestEvidence:
        tests = self.bundle.tests
        cases = tests.cases if isinstance(tests, DataTests) else ()
        records = read_results(self.folder, self.channel, ["done", "report", "fault", modules.BROKEN, *(f"t{case.index}" for case in cases)])
        for tag, record in records.items():
            if "fault" in record:
                raise PlatformFailed(f"{tag}: {record['fault']}")
        entry = self.module.entry.name if self.module.entry else ""
        if session.code("run") == 124 or session.finished.timed_out:
            # Time is no budget here: what the clock stops is not measured.
            return InstrumentFailed("clock", "1C: the tests outlived their time")
        if isinstance(tests, ScriptTests):
            if "report" not in records:
                session.require("run")
                raise PlatformFailed("the test module left no report")
            return Observed(TestFacts(entry, read_report(str(records["report"]["report"]))))
        if "done" not in records:
            session.require("run")
            raise PlatformFailed("the tests left no records: is the platform licensed in the image?")
        raws = [self._raw(case, records[f"t{case.index}"]) for case in cases if f"t{case.index}" in records]
        if modules.BROKEN in records:
            raws = self._until_broken(cases, raws, int(records[modules.BROKEN]["after"]))
        return Observed(TestFacts(entry, judge_all(cases, raws)))

    def _until_broken(self, cases: Sequence[TestCase], raws: list[RawOutcome], after: int) -> list[RawOutcome]:
        """Outcomes up to the test that changed the data for good: itself failed, those behind it were not run."""
        position = next(number for number, case in enumerate(cases) if case.index == after)
        kept = raws[:position]
        if cases[position].raises is None:
            kept.append(RawOutcome(error=ErrorFact("exception", DATA_CHANGED)))
        return kept

    def _raw(self, case: Any, record: Mapping[str, Any]) -> RawOutcome:
        if "error" in record:
            return RawOutcome(error=error_fact(str(record["error"]), self.module.tested))
        result = comparable(read_value(record.get("r")))
        expected = comparable(read_value(record["expected"])) if needs_question(case) and not case.check else None
        note = error_fact(str(record.get("note", "")), "").message
        return RawOutcome(result, check=record.get("check"), expected=expected, note=note)

    def _ran(self) -> Session | InstrumentFailed:
        """The one container that checks and tests; asked for by whichever question comes first."""
        if self._session is None:
            try:
                self._session = self._run()
            except (PlatformFailed, DockerMissing) as failed:
                self._session = InstrumentFailed("instrument", f"1C: {failed}")
            except ValueError as odd:
                self._session = InstrumentFailed("not_supported", f"1C: {odd}")
        return self._session

    def _run(self) -> Session:
        cached = self.engine.databases(self.bundle)
        whole, tested = self.module.whole, self.module.tested
        same = whole == tested
        write_dump(self.engine.dump(self.bundle, self.module, whole, self.channel), self.folder / "dump_whole")
        write_dump(self.engine.dump(self.bundle, self.module, tested, self.channel), self.folder / "dump")
        base, whole_base = steps.BASE, f"{steps.WORK}/base_whole"
        planned = [
            steps.copy("copy_whole", "/cached/base0", whole_base),
            steps.load("load_whole", f"{steps.WORK}/dump_whole", whole_base),
            steps.check("check_whole", whole_base),
            steps.copy("copy", "/cached/base0", base),
            steps.load("load"),
        ]
        planned += [] if same else [steps.check("check_tested")]
        # Texts of tests and secret words leave before the candidate runs.
        planned += [steps.update("update"), steps.remove("forget", f"{steps.WORK}/dump_whole", steps.DUMP, whole_base)]
        planned.append(steps.enterprise("run", "tests"))
        return self.engine.run(self.folder, planned, ["copy_whole", "load_whole", "copy", "load", "update", "forget"], cached)

    # -- O -----------------------------------------------------------------------------------------------------------------

    def count_work(self) -> GrowthEvidence:
        load = self.bundle.load
        if not isinstance(load, DatabaseLoad):
            return InstrumentFailed("not_supported", "1C counts accesses only; anti-patterns are read by bsl_ls or builtin")
        counts: list[int] = []
        try:
            cached = self.engine.databases(self.bundle)
            for size in load.sizes:
                found = self._count(load, size, cached)
                if isinstance(found, CandidateFailed):
                    return Observed(GrowthFacts("accesses", str(load.optimum), load.sizes, tuple(counts), found))
                counts.append(getattr(found, load.count))
        except (PlatformFailed, DockerMissing) as failed:
            return InstrumentFailed("instrument", f"1C: {failed}")
        return Observed(GrowthFacts("accesses", str(load.optimum), load.sizes, tuple(counts)))

    def _count(self, load: DatabaseLoad, size: int, cached: Path) -> Accesses | CandidateFailed:
        """Accesses of the load call on the base of one size, by the journal of that session alone."""
        with work_folder() as folder:
            write_dump(self.engine.dump(self.bundle, self.module, self.module.tested, self.channel), folder / "dump")
            planned = [
                steps.copy("copy", f"/cached/base{size}", steps.BASE), steps.load("load"), steps.update("update"),
                steps.remove("forget", steps.DUMP), *steps.journal_on(), steps.enterprise("run", f"load{size}"), steps.journal_off(),
            ]  # fmt: skip
            session = self.engine.run(folder, planned, ["copy", "load", "update", "forget"], cached)
            session.require("update")
            if session.code("run") == 124 or session.finished.timed_out:
                return CandidateFailed("limit_operations", f"1C: the load run of size {size} outlived its time")
            tag = f"load{size}"
            records = read_results(folder, self.channel, [tag, "fault"])
            if tag not in records:
                session.require("run")
                raise PlatformFailed(f"the load run left no record: {records.get('fault', {}).get('fault', '')}")
            if "error" in records[tag]:
                error = error_fact(str(records[tag]["error"]), self.module.tested)
                return CandidateFailed("raised", error.message, error.at, error.kind)
            return _journal(folder / "journal")


def _journal(folder: Path) -> Accesses:
    files = sorted(folder.rglob("*.log"))
    if not files:
        raise PlatformFailed("the technological journal is empty: is logcfg.xml read by this platform?")
    total = Accesses()
    for file in files:
        total += read_journal(left_behind(file, FILE_BYTES) or b"")
    return total
