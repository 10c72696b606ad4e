"""OneScript as an instrument: one start for all tests of an answer, one per size of the load ladder.

A genuine engine knows no budget of operations, so the clock stands for it: a run is given the seconds that the protocol's budget
takes at a pace any machine keeps, and what it stops has spent its budget. Counts that did come back are held to the budget itself.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from scoring.bundles.model import AlgorithmLoad, DataTests, TaskBundle, TestCase
from scoring.evidence import (
    CandidateFailed,
    GrowthEvidence,
    GrowthFacts,
    InstrumentFailed,
    Observed,
    SyntaxEvidence,
    TestEvidence,
    TestFacts,
)
from scoring.extract import Module, exported
from scoring.instruments.base import Availability
from scoring.instruments.judging import RawOutcome, judge_all
from scoring.instruments.onescript import script
from scoring.instruments.onescript.charges import metered
from scoring.instruments.onescript.launching import Launcher, Place, launcher_of
from scoring.instruments.onescript.reading import (
    CANDIDATE_FILE,
    CountsBroken,
    comparable,
    error_fact,
    read_counts,
    read_message,
    read_records,
    read_value,
    read_version,
    whole_number,
)
from scoring.instruments.processes import Ended, ProgramMissing, left_behind
from scoring.instruments.settings import EngineSettings
from scoring.protocol import Protocol

# How a program ends that somebody else killed.
KILLED = (-9, 137)
# Operations that the slowest machine in mind executes in a second, and what a start may take there.
PACE = 1_000_000
START_SECONDS = 20
_SELF_TEST = """Функция Проба(Х) Экспорт
    Если Х = 0 Тогда
        Возврат Строка(Истина) + ?("а" < "Б", "", ", by codes");
    КонецЕсли;
    Возврат Х * 2;
КонецФункции
"""
# What it gives for 0 where texts and the order of strings are as in the recorded runs.
_CULTURE = "True"


class RunBroken(Exception):
    """The engine could not be run, or left nothing to read: the instrument's fault."""


@dataclass(frozen=True, slots=True)
class Launched:
    """What a run left behind: how it ended and its private records by tag."""

    ended: Ended
    records: Mapping[str, Mapping[str, Any]]
    folder: Path


class OneScript:
    """Runs tests and counts work of category A. S needs a parser that goes on after an error: see ``bsl_ls``."""

    name = "onescript"
    batches = False

    def __init__(self, protocol: Protocol, settings: EngineSettings, launcher: Launcher | None = None) -> None:
        self.protocol = protocol
        self.launcher = launcher or launcher_of(settings)
        self._version = ""
        self._last_words = ""

    def version(self) -> str:
        """Asked of the engine once; ``?`` where it does not say."""
        if not self._version and not self.launcher.missing:
            for arguments in (["-version"], []):
                self._version = self._version or read_version(self._said(arguments))
        return self._version or "?"

    def _said(self, arguments: Sequence[str]) -> str:
        try:
            with self._place() as (place, _):
                ended = self._start(arguments, place, START_SECONDS)
        except RunBroken as broken:
            self._last_words = str(broken)
            return ""
        self._last_words = f"not ended within {START_SECONDS} s" if ended.timed_out else last_line(ended)
        return ended.said

    def availability(self) -> Availability:
        if self.launcher.missing:
            return Availability(False, self.launcher.missing)
        if self.version() == "?":
            told = f"OneScript does not tell its version ({self._last_words}): does {self.launcher.setting} name OneScript 2?"
            return Availability(False, told)
        return Availability(True)

    def self_test(self) -> str:
        """Double a number, order strings and count; "" where all came out right."""
        try:
            cases = [TestCase(0, "", (["n", "2"],)), TestCase(1, "", (["n", "0"],))]
            launched = self.run_cases(_SELF_TEST, "Проба", cases, "", START_SECONDS)
            doubled, culture = (launched.records.get(tag, {}).get("r") for tag in ("t0", "t1"))
            if doubled != ["n", "4"]:
                return f"the test program gave {dict(launched.records)}: {last_line(launched.ended)}"
            if culture != _CULTURE:
                return f"it runs under another culture than the invariant one of ICU: {culture!r} instead of {_CULTURE!r}"
            load = AlgorithmLoad(Decimal(0), (1,), "А = {n};", "{entry}(А);")
            count = self.count(_SELF_TEST, "Проба", load, 1)
        except (RunBroken, CountsBroken) as broken:
            return str(broken)
        return "" if isinstance(count, int) and count > 0 else f"no statements were counted: {count}"

    def prepare(self, texts: Iterable[str]) -> None:
        """Every answer has a start of its own: none may see another's state."""

    @contextlib.contextmanager
    def examine(self, module: Module, bundle: TaskBundle) -> Iterator[OneScriptExamination]:
        yield OneScriptExamination(self, module, bundle)

    def close(self) -> None:
        """Nothing outlives a run."""

    # -- runs ------------------------------------------------------------------------------------------------------------

    def _start(self, arguments: Sequence[str], place: Place, seconds: float) -> Ended:
        try:
            return self.launcher.launch(arguments, place, seconds)
        except ProgramMissing as missing:
            raise RunBroken(str(missing)) from None

    def _launch(
        self, name: str, text: str, place: Place, channel: script.Channel, tags: Iterable[str], seconds: float, *flags: str
    ) -> Launched:
        """Write the script, run it, read the private records."""
        ended = self._start([*flags, place.write(name, text)], place, seconds)
        data = left_behind(place.folder / script.RESULTS_FILE) or b""
        return Launched(ended, read_records(data, {channel.word(tag): tag for tag in tags}), place.folder)

    @contextlib.contextmanager
    def _place(self) -> Iterator[tuple[Place, script.Channel]]:
        try:
            with self.launcher.place() as place:
                yield place, script.Channel(f"{place.inside}/{script.RESULTS_FILE}", secrets.token_hex(12))
        except (OSError, ProgramMissing) as error:
            raise RunBroken(f"no place for the run: {error}") from None

    def run_cases(self, code: str, entry: str, cases: Sequence[TestCase], helpers: str, seconds: float) -> Launched:
        """Call the entry point once per case in one start."""
        with self._place() as (place, channel):
            candidate = place.write(CANDIDATE_FILE, code + script.AFTERWARDS)
            own = f"{place.inside}/{script.DRIVER_FILE}"
            text = script.driver(cases, helpers, entry, candidate, channel, own)
            tags = ["load", "loaded", "done", *(f"t{case.index}" for case in cases)]
            return self._launch(script.DRIVER_FILE, text, place, channel, tags, seconds)

    def ask_author(self, questions: Sequence[script.Question], helpers: str, seconds: float) -> Launched:
        """Evaluate the author's checks and expressions, without the candidate."""
        with self._place() as (place, channel):
            text = script.checks(questions, helpers, channel)
            tags = ["done", *(f"t{question.case.index}" for question in questions)]
            return self._launch(script.CHECKS_FILE, text, place, channel, tags, seconds)

    def compiles(self, code: str) -> Ended:
        """``-check``: what the compiler says of the module."""
        with self._place() as (place, _):
            return self._start(["-check", place.write(CANDIDATE_FILE, code + script.AFTERWARDS)], place, START_SECONDS)

    def count(self, code: str, entry: str, load: AlgorithmLoad, size: int) -> int | CandidateFailed:
        """Operations of the candidate's routines on the input of one size. Raises RunBroken, CountsBroken."""
        seconds = START_SECONDS + self.protocol.optimization.operations / PACE
        with self._place() as (place, channel):
            meter = f"Счетчик{secrets.token_hex(6)}"
            candidate = place.write(CANDIDATE_FILE, metered(code, meter) + script.AFTERWARDS)
            own = f"{place.inside}/{script.DRIVER_FILE}"
            text = script.load(load, size, entry, candidate, channel, own, meter)
            flag = f"-codestat={place.inside}/{script.COUNTS_FILE}"
            launched = self._launch(script.DRIVER_FILE, text, place, channel, ["load", "error", "charged"], seconds, flag)
            return self._counted(launched, code, candidate, own)

    def _counted(self, launched: Launched, code: str, candidate: str, own: str) -> int | CandidateFailed:
        if launched.ended.timed_out:
            return spent("the load run was stopped by the clock")
        failed = launched.records.get("load") or launched.records.get("error")
        if failed:
            error = error_fact(str(failed.get("error")), code)
            return CandidateFailed("raised", error.message, error.at, error.kind)
        charged = launched.records.get("charged")
        if charged is None:
            return CandidateFailed("raised", f"the load run ended by itself: {last_line(launched.ended)}", None, "exception")
        counts = left_behind(launched.folder / script.COUNTS_FILE)
        if counts is None:
            raise CountsBroken(f"no statement counts: {last_line(launched.ended)}")
        return read_counts(counts, candidate, own, code.count("\n") + 1) + whole_number(charged.get("charged"))


def spent(message: str) -> CandidateFailed:
    return CandidateFailed("limit_operations", message)


def last_line(ended: Ended) -> str:
    lines = ended.said.strip().splitlines()
    return (lines[-1] if lines else f"exit code {ended.code}")[:300]


class OneScriptExamination:
    """One answer under OneScript."""

    def __init__(self, engine: OneScript, module: Module, bundle: TaskBundle) -> None:
        self.engine = engine
        self.module = module
        self.bundle = bundle

    @property
    def _entry(self) -> str:
        return self.module.entry.name if self.module.entry else ""

    def check(self) -> SyntaxEvidence:
        return InstrumentFailed("not_supported", "OneScript stops at the first error: let bsl_ls or builtin answer S")

    def run_tests(self) -> TestEvidence:
        tests = self.bundle.tests
        if not isinstance(tests, DataTests):
            return InstrumentFailed("not_supported", "OneScript runs tests.yaml only")
        try:
            return self._run(tests)
        except RunBroken as broken:
            return InstrumentFailed("instrument", f"OneScript: {broken}")
        except ValueError as error:
            return InstrumentFailed("instrument", f"OneScript sent what is no value: {error}")

    def _run(self, tests: DataTests) -> TestEvidence:
        seconds = START_SECONDS + self.engine.protocol.meaning.operations / PACE
        launched = self.engine.run_cases(self.module.tested, self._entry, tests.cases, tests.helpers, seconds)
        for case in tests.cases:
            fault = launched.records.get(f"t{case.index}", {}).get("fault")
            if fault is not None:
                return InstrumentFailed("instrument", f"test {case.index + 1}: {read_message(str(fault)).text}")
        if "loaded" not in launched.records and not launched.ended.timed_out:
            return self._not_loaded(launched, tests)
        raws = self._raws(tests.cases, launched.records)
        stopped = spent("the tests were stopped by the clock") if launched.ended.timed_out else None
        if stopped is None:
            raws = self._asked(tests, raws, launched.records)
        outcomes = judge_all(tests.cases, raws)
        return Observed(TestFacts(self._entry, outcomes, 0, stopped, launched.ended.output))

    def _not_loaded(self, launched: Launched, tests: DataTests) -> TestEvidence:
        """The module did not load: does it not compile, did its body raise, or end the run?"""
        if "load" not in launched.records:
            return self._no_records(launched.ended, tests)
        said = str(launched.records["load"].get("error"))
        compiled = self.engine.compiles(self.module.tested)
        error = error_fact(said, self.module.tested)
        if compiled.code != 0 and not compiled.timed_out:
            told = error_fact(compiled.said, self.module.tested)
            better = told if told.at else error
            return CandidateFailed("does_not_compile", better.message, better.at)
        return CandidateFailed("raised", error.message, error.at, error.kind)

    def _no_records(self, ended: Ended, tests: DataTests) -> TestEvidence:
        """Whose doing is a run without any record? The same script with an empty module in the answer's place tells."""
        if not ended.memory_spent and ended.code in KILLED:
            raise RunBroken("the run was killed from outside")
        control = self.engine.run_cases("", self._entry, tests.cases, tests.helpers, START_SECONDS)
        if "loaded" not in control.records:
            raise RunBroken(f"no records: {last_line(ended)}")
        if ended.memory_spent:
            return CandidateFailed("limit_memory", "memory of the process")
        return CandidateFailed("raised", f"the run ended before the first test: {last_line(ended)}", None, "exception")

    def _raws(self, cases: Sequence[TestCase], records: Mapping[str, Mapping[str, Any]]) -> list[RawOutcome]:
        """Outcomes up to the first test that left no record."""
        raws = []
        for case in cases:
            record = records.get(f"t{case.index}")
            if record is None:
                break
            raws.append(self._raw(record))
        return raws

    def _raw(self, record: Mapping[str, Any]) -> RawOutcome:
        if "error" in record:
            return RawOutcome(error=error_fact(str(record["error"]), self.module.tested))
        return RawOutcome(result=comparable(read_value(record.get("r"))))

    def _asked(
        self, tests: DataTests, raws: list[RawOutcome], records: Mapping[str, Mapping[str, Any]]
    ) -> list[RawOutcome]:
        """The author's checks and expected expressions, evaluated by a run of their own."""
        pairs = list(zip(tests.cases, raws, strict=False))
        questions = [
            self._question(case, records[f"t{case.index}"])
            for case, raw in pairs
            if raw.error is None and script.needs_question(case)
        ]
        if not questions:
            return raws
        launched = self.engine.ask_author(questions, tests.helpers, START_SECONDS * 2)
        if "done" not in launched.records:
            raise RunBroken(f"the author's checks did not run: {last_line(launched.ended)}")
        return [self._answered(case, raw, launched.records.get(f"t{case.index}")) for case, raw in pairs]

    def _question(self, case: TestCase, record: Mapping[str, Any]) -> script.Question:
        return script.Question(case, read_value(record.get("r")), tuple(map(read_value, record.get("a", ()))))

    def _answered(self, case: TestCase, raw: RawOutcome, answer: Mapping[str, Any] | None) -> RawOutcome:
        if answer is None:
            return raw
        if case.check:
            note = read_message(str(answer["error"])).text if "error" in answer else ""
            return replace(raw, check=bool(answer.get("check", False)), note=note)
        return replace(raw, expected=comparable(read_value(answer.get("expected"))))

    def count_work(self) -> GrowthEvidence:
        load = self.bundle.load
        if not isinstance(load, AlgorithmLoad):
            return InstrumentFailed("no_profile" if load is None else "not_supported", "OneScript knows no database")
        budget = self.engine.protocol.optimization.operations
        code = exported(self.module.whole, self.module.entry) if self.module.entry else self.module.whole
        counts: list[int] = []
        stopped: CandidateFailed | None = None
        try:
            for size in load.sizes:
                count = self.engine.count(code, self._entry, load, size)
                if isinstance(count, int) and count > budget:
                    count = spent(f"{count} operations, {budget} allowed")
                if isinstance(count, CandidateFailed):
                    stopped = count
                    break
                counts.append(count)
        except (RunBroken, CountsBroken) as broken:
            return InstrumentFailed("instrument", f"OneScript: {broken}")
        return Observed(GrowthFacts("operations", str(load.optimum), load.sizes, tuple(counts), stopped))

