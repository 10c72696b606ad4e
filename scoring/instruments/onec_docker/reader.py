"""A dump read back by an independent reader of 1C configurations, the one inside BSL Language Server, against the specification.

The library (mdclasses) is asked by ``ReadDump.java`` for every field that it offers. It offers no register's kind or periodicity, no
hierarchy and no predefined items, and makes up the type of an account's code: those are not compared.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.instruments.bsl_ls import Installed
from scoring.instruments.onec_docker import modules
from scoring.instruments.onec_docker.dump import assemble, write_dump
from scoring.instruments.onec_docker.expected import Facts, expected_facts
from scoring.instruments.onec_docker.probe import TESTS_STUB
from scoring.instruments.onec_docker.sample import SAMPLE
from scoring.instruments.processes import ProgramMissing, outer_walls, run_program

PROGRAM = Path(__file__).with_name("ReadDump.java")
START_SECONDS = 120.0
SECONDS_PER_DUMP = 10.0
_CHILDREN = ("attributes", "tabularSections", "dimensions", "resources", "enumValues")
_DATES = {"DATE": "(date)", "TIME": "(time)"}


class ReaderFailed(Exception):
    """The reader gave nothing that can be compared; the message tells what it said."""


@dataclass(frozen=True, slots=True)
class Difference:
    """``subject``: the object, as the platform's English names spell it. ``field`` is "" where the object itself is amiss."""

    subject: str
    field: str
    expected: Any
    read: Any

    def __str__(self) -> str:
        if not self.field:
            return f"{self.subject}: {'not read' if self.read is None else 'read, but not specified'}"
        return f"{self.subject}: {self.field} is {self.read!r}, expected {self.expected!r}"


def read_dumps(installed: Installed, folders: Sequence[Path]) -> list[Facts]:
    """What the reader finds in each folder, in one start. Raises :class:`ReaderFailed`, also where the reader complained."""
    if installed.missing:
        raise ReaderFailed(installed.missing)
    seconds = START_SECONDS + SECONDS_PER_DUMP * len(folders)
    with tempfile.TemporaryDirectory(prefix="prism-read-") as scratch:
        told = Path(scratch) / "told.jsonl"
        java = [installed.java, "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp", installed.class_path]
        try:
            ended = run_program(
                [*java, str(PROGRAM), str(told), *(str(folder.resolve()) for folder in folders)], seconds=seconds,
                folder=Path(scratch), environment={"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": scratch},
                walls=outer_walls(int(seconds) * 4 + 60, user=None),
            )  # fmt: skip
        except ProgramMissing as missing:
            raise ReaderFailed(str(missing)) from None
        complaints = _complaints(ended.said)
        if ended.timed_out or ended.code or complaints or not told.is_file():
            raise ReaderFailed("took too long" if ended.timed_out else complaints or f"exit code {ended.code}")
        # Not by `splitlines`: a synonym may hold a separator that Unicode has and JSON has not.
        read = [json.loads(line) for line in told.read_text("utf-8").split("\n") if line]
    if len(read) != len(folders):
        raise ReaderFailed(f"{len(folders)} dumps given, {len(read)} told")
    return [read_facts(one) for one in read]


def _complaints(said: str) -> str:
    """What the reader logged; the virtual machine's own warnings are about the library's means, not about the dump."""
    return "\n".join(line for line in said.splitlines() if line.strip() and not line.startswith("WARNING:"))[:2000]


def read_facts(told: Any) -> Facts:
    """The reader's words as facts, in the notation of the expected ones. Raises :class:`ReaderFailed`."""
    if isinstance(told, Mapping):
        raise ReaderFailed(str(told.get("failed")))
    facts: Facts = {}
    for entry in told:
        _entry(facts, entry)
    # Where there is nothing to read the library gives a configuration without a name.
    if not any(subject.startswith("Configuration.") for subject in facts):
        raise ReaderFailed("no configuration there")
    return facts


def _entry(facts: Facts, entry: Mapping[str, Any]) -> None:
    found: dict[str, Any] = {
        key: value
        for key, value in entry.items()
        if isinstance(value, (str, bool, int)) or (isinstance(value, list) and all(isinstance(item, str) for item in value))
    }
    if "valueType" in entry:
        found["type"] = _types(entry["valueType"])
    if entry.get("modules"):
        found["modules"] = [module["uri"] for module in entry["modules"]]
    facts[entry["mdoReference"]] = found
    for group in _CHILDREN:
        for child in entry.get(group) or ():
            _entry(facts, child)


def _types(description: Mapping[str, Any]) -> list[str]:
    qualified = {kind: rest for kind, *rest in description["qualifiers"]}
    return sorted(_type(name, qualified) for name in description["types"])


def _type(name: str, qualified: Mapping[str, Sequence[Any]]) -> str:
    if name == "Number" and "number" in qualified:
        digits, fraction, nonnegative = qualified["number"]
        return f"Number({digits},{fraction}{',nonnegative' if nonnegative else ''})"
    if name == "String" and "string" in qualified:
        length, allowed = qualified["string"]
        return f"String({length}{',fixed' if allowed == 'FIXED' else ''})"
    if name == "Date":
        return "Date" + _DATES.get(str(*qualified.get("date", [""])), "")
    return name


def differences(expected: Facts, read: Facts) -> list[Difference]:
    """Where the two part. Standard attributes and further fields that only the reader tells are its own knowledge of the platform."""
    found = []
    for subject, fields in expected.items():
        if subject not in read:
            found.append(Difference(subject, "", fields, None))
            continue
        found += [
            Difference(subject, field, value, read[subject].get(field))
            for field, value in fields.items()
            if read[subject].get(field) != value
        ]
    extra = (subject for subject in read if subject not in expected and ".StandardAttribute." not in subject)
    return found + [Difference(subject, "", None, read[subject]) for subject in extra]


def compare_dumps(installed: Installed, dumps: Iterable[tuple[Path, Mapping[str, Any], Mapping[str, bool]]]) -> list[list[Difference]]:
    """Differences of each dump: (folder, specification, modules: name → may the client call it). Raises :class:`ReaderFailed`."""
    given = list(dumps)
    read = read_dumps(installed, [folder for folder, _, _ in given])
    return [differences(expected_facts(spec, calls), facts) for (_, spec, calls), facts in zip(given, read, strict=True)]


def check_sample(installed: Installed) -> tuple[int, list[Difference]]:
    """Write a dump with something of every kind and read it back: (objects read and expected, differences).

    Raises :class:`ReaderFailed`.
    """
    texts = {modules.CANDIDATE: (False, modules.STUB), modules.TESTS: (True, TESTS_STUB)}
    calls = {name: call for name, (call, _) in texts.items()}
    with tempfile.TemporaryDirectory(prefix="prism-dump-") as place:
        write_dump(assemble(SAMPLE, texts, modules.START), Path(place))
        return len(expected_facts(SAMPLE, calls)), compare_dumps(installed, [(Path(place), SAMPLE, calls)])[0]


def dump_fault(installed: Installed) -> str:
    """The first thing that the reader finds amiss in such a dump; "" where all is as meant."""
    try:
        found = check_sample(installed)[1]
    except ReaderFailed as failed:
        return f"the dump was not read: {str(failed).splitlines()[0] if str(failed) else 'nothing said'}"
    return f"the dump is read otherwise than meant: {found[0]} ({len(found)} differences)" if found else ""
