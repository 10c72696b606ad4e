"""The two results formats in the field: `experiment_*.json` (answers) and `auto/*_auto_l1.json` (scores), read strictly.

Reading collects every fault at once and raises :class:`~scoring.findings.FaultyData` naming file and place; nothing is
half-read. Further keys that the formats carry (seed, temperature, determinism, …) are tolerated, unknown axes are not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from scoring.findings import FaultyData, Finding, near_miss
from scoring.plain import plain_text

AXES = ("S", "M", "O", "P")
SCORE_KEYS = (*AXES, "Q")
CATEGORIES = ("A", "B")
LOWEST, HIGHEST = Decimal(0), Decimal(10)
# What the columns of every database hold.
MOST = 2**31 - 1
LONGEST = {"model_name": 120, "models_used": 120, "model_id": 200, "finish_reason": 40, "response_hash": 128}
# Faults beyond these say nothing new; the message counts them.
MOST_FINDINGS = 50


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """One response. `finish_reason` is what the provider said ("" where nothing was recorded)."""

    index: int
    response: str
    success: bool = True
    error: str = ""
    finish_reason: str = ""
    response_hash: str = ""
    tokens_input: int = 0
    tokens_output: int = 0
    elapsed_time: float = 0.0
    cost_total: float = 0.0


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """The responses of one network to one task."""

    task_id: str
    model_id: str
    model_name: str
    runs: tuple[AnswerRun, ...]
    task_name: str = ""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A file of answers. `models` are the planned networks by name, those without any answer too."""

    name: str
    category: str
    timestamp: str
    models: tuple[str, ...]
    cells: tuple[AnswerCell, ...]


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """Recorded scores of one response: axis → value, None = N/A; `detail` as recorded, per axis."""

    index: int
    response_hash: str
    scores: Mapping[str, Decimal | None]
    detail: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredCell:
    """Recorded scores of one network on one task."""

    task_id: str
    model_id: str
    model_name: str
    runs: tuple[ScoredRun, ...]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A file of scores; `facts` are its header's strings (runner, syntax_analyzer, protocol_version, …)."""

    experiment_id: str
    facts: Mapping[str, str]
    cells: tuple[ScoredCell, ...]


def read_experiment(path: Path) -> Experiment:
    """Answers out of a file. Raises FaultyData."""
    return parse_experiment(load_json(path), path.name)


def read_verdicts(path: Path) -> Verdicts:
    """Scores out of a file. Raises FaultyData."""
    return parse_verdicts(load_json(path), path.name)


def load_json(path: Path) -> Any:
    """JSON by the letter: UTF-8 (a BOM is accepted), no NaN or Infinity, no key twice. Raises FaultyData."""

    def refuse_constant(name: str) -> Any:
        raise ValueError(f"{name} is not a JSON value")

    def refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        whole = dict(pairs)
        if len(whole) != len(pairs):
            keys = [key for key, _ in pairs]
            twin = next(key for key in keys if keys.count(key) > 1)
            raise ValueError(f"the key {twin!r} stands twice in one object")
        return whole

    try:
        text = path.read_text("utf-8-sig")
        return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_twins)
    except json.JSONDecodeError as error:
        raise FaultyData([Finding(path.name, f"not JSON: {error.msg}", error.lineno)]) from None
    except RecursionError:
        raise FaultyData([Finding(path.name, "nested too deeply")]) from None
    except (OSError, ValueError) as error:
        raise FaultyData([Finding(path.name, str(error))]) from None


def parse_experiment(data: Any, file: str) -> Experiment:
    """Checks the shape of an experiment's JSON value."""
    reader = _Reader(file)
    top = reader.mapping(data, "")
    category = reader.choice(top, "category", "", CATEGORIES)
    cells = tuple(
        _answer_cell(reader, entry, f"task_results[{place}]")
        for place, entry in enumerate(reader.sequence(top, "task_results", ""))
    )
    _refuse_twins(reader, [(cell.task_id, cell.model_name, cell.model_id) for cell in cells], "task_results")
    named = reader.strings(top, "models_used", "")
    models = tuple(dict.fromkeys([*named, *(cell.model_name for cell in cells)]))
    experiment = Experiment(
        name=reader.text(top, "experiment_name", ""),
        category=category,
        timestamp=reader.text(top, "timestamp", "", default=""),
        models=models,
        cells=cells,
    )
    reader.finish()
    return experiment


def parse_verdicts(data: Any, file: str) -> Verdicts:
    """Checks the shape of a scores file's JSON value."""
    reader = _Reader(file)
    top = reader.mapping(data, "")
    cells = tuple(
        _scored_cell(reader, entry, f"tasks[{place}]") for place, entry in enumerate(reader.sequence(top, "tasks", ""))
    )
    _refuse_twins(reader, [(cell.task_id, cell.model_name, cell.model_id) for cell in cells], "tasks")
    facts = {key: value for key, value in top.items() if isinstance(value, str)}
    verdicts = Verdicts(reader.text(top, "experiment_id", "", default=""), facts, cells)
    reader.finish()
    return verdicts


def _answer_cell(reader: _Reader, entry: Any, place: str) -> AnswerCell:
    cell = reader.mapping(entry, place)
    runs = tuple(
        _answer_run(reader, run, f"{place}.runs[{number}]", number)
        for number, run in enumerate(reader.sequence(cell, "runs", place))
    )
    _refuse_twins(reader, [run.index for run in runs], f"{place}.runs")
    return AnswerCell(
        task_id=reader.text(cell, "task_id", place),
        model_id=reader.text(cell, "model_id", place),
        model_name=reader.text(cell, "model_name", place),
        runs=runs,
        task_name=reader.text(cell, "task_name", place, default=""),
    )


def _answer_run(reader: _Reader, entry: Any, place: str, number: int) -> AnswerRun:
    run = reader.mapping(entry, place)
    success = reader.flag(run, "success", place, default=True)
    return AnswerRun(
        index=reader.count(run, "run_index", place, default=number),
        response=reader.text(run, "response", place, default=None if success else ""),
        success=success,
        error=reader.text(run, "error", place, default=""),
        finish_reason=reader.text(run, "finish_reason", place, default=""),
        response_hash=reader.text(run, "response_hash", place, default=""),
        tokens_input=reader.count(run, "tokens_input", place, default=0),
        tokens_output=reader.count(run, "tokens_output", place, default=0),
        elapsed_time=reader.amount(run, "elapsed_time", place),
        cost_total=reader.amount(run, "cost_total", place),
    )


def _scored_cell(reader: _Reader, entry: Any, place: str) -> ScoredCell:
    cell = reader.mapping(entry, place)
    runs = tuple(
        _scored_run(reader, run, f"{place}.runs[{number}]", number)
        for number, run in enumerate(reader.sequence(cell, "runs", place))
    )
    _refuse_twins(reader, [run.index for run in runs], f"{place}.runs")
    return ScoredCell(
        task_id=reader.text(cell, "task_id", place),
        model_id=reader.text(cell, "model_id", place),
        model_name=reader.text(cell, "model_name", place),
        runs=runs,
    )


def _scored_run(reader: _Reader, entry: Any, place: str, number: int) -> ScoredRun:
    run = reader.mapping(entry, place)
    scores = reader.mapping(run.get("scores"), f"{place}.scores")
    for key in scores.keys() - set(SCORE_KEYS):
        reader.fault(f"{place}.scores.{key}", f"unknown axis {key!r}", near_miss(key, SCORE_KEYS))
    detail = run.get("detail", {})
    parts = reader.mapping(detail if detail is not None else {}, f"{place}.detail")
    return ScoredRun(
        index=reader.count(run, "run_index", place, default=number),
        response_hash=reader.text(run, "response_hash", place, default=""),
        scores={axis: reader.score(scores, axis, f"{place}.scores") for axis in SCORE_KEYS if axis in scores},
        detail={axis: part for axis, part in parts.items() if isinstance(part, dict)},
    )


def _refuse_twins(reader: _Reader, keys: Sequence[Any], place: str) -> None:
    seen: dict[Any, int] = {}
    for number, key in enumerate(keys):
        if key in seen:
            reader.fault(f"{place}[{number}]", f"the same cell as {place}[{seen[key]}]")
        seen.setdefault(key, number)


class _Reader:
    """Takes typed values out of JSON objects and notes each fault with its dotted place."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.findings: list[Finding] = []

    def fault(self, place: str, message: str, cure: str = "") -> None:
        self.findings.append(Finding(self.file, message, key=place, cure=cure))

    def finish(self) -> None:
        if not self.findings:
            return
        shown = self.findings[:MOST_FINDINGS]
        hidden = len(self.findings) - len(shown)
        if hidden:
            shown.append(Finding(self.file, f"and {hidden} further faults"))
        raise FaultyData(shown)

    def mapping(self, value: Any, place: str) -> Mapping[str, Any]:
        if isinstance(value, dict):
            return value
        self.fault(place, f"expected an object, found {_kind(value)}")
        return {}

    def sequence(self, owner: Mapping[str, Any], key: str, place: str) -> Sequence[Any]:
        value = owner.get(key)
        if isinstance(value, list):
            return value
        self.fault(_join(place, key), f"expected a list, found {_kind(value)}" if key in owner else "missing")
        return ()

    def strings(self, owner: Mapping[str, Any], key: str, place: str) -> Sequence[str]:
        value = owner.get(key, [])
        longest = LONGEST.get(key, sys.maxsize)
        if isinstance(value, list) and all(isinstance(entry, str) and len(entry) <= longest for entry in value):
            return value
        bound = f" of at most {longest} letters" if key in LONGEST else ""
        self.fault(_join(place, key), f"expected a list of strings{bound}")
        return ()

    def text(self, owner: Mapping[str, Any], key: str, place: str, default: str | None = None) -> str:
        value = owner.get(key)
        if isinstance(value, str):
            longest = LONGEST.get(key, len(value))
            if len(value) > longest:
                self.fault(_join(place, key), f"longer than {longest} letters")
            return plain_text(value)
        if value is None and default is not None:
            return default
        self.fault(_join(place, key), "missing" if key not in owner else f"expected a string, found {_kind(value)}")
        return ""

    def choice(self, owner: Mapping[str, Any], key: str, place: str, known: Sequence[str]) -> str:
        value = self.text(owner, key, place)
        if value and value not in known:
            self.fault(_join(place, key), f"unknown value {value!r}", "known here: " + ", ".join(known))
        return value

    def flag(self, owner: Mapping[str, Any], key: str, place: str, default: bool) -> bool:
        value = owner.get(key, default)
        if isinstance(value, bool):
            return value
        self.fault(_join(place, key), f"expected true or false, found {_kind(value)}")
        return default

    def count(self, owner: Mapping[str, Any], key: str, place: str, default: int) -> int:
        value = owner.get(key)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST:
            return value
        self.fault(_join(place, key), f"expected a whole number from 0 to {MOST}, found {_kind(value)}")
        return default

    def amount(self, owner: Mapping[str, Any], key: str, place: str) -> float:
        value = owner.get(key)
        if value is None:
            return 0.0
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max:
            return float(value)
        self.fault(_join(place, key), f"expected a number from 0, found {_kind(value)}")
        return 0.0

    def score(self, owner: Mapping[str, Any], axis: str, place: str) -> Decimal | None:
        value = owner[axis]
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.fault(f"{place}.{axis}", f"a score is a number or null, found {_kind(value)}")
            return None
        number = Decimal(str(value))
        if not LOWEST <= number <= HIGHEST:
            self.fault(f"{place}.{axis}", f"a score lies between {LOWEST} and {HIGHEST}, found {value}")
            return None
        return number


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: f"the string {str(value)[:30]!r}", bool: str(value).lower()}
    if value is None:
        return "null"
    return names.get(type(value)) or f"the number {str(value)[:30]}"
