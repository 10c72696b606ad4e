"""The method's numbers, read once from ``metrics/*.yaml``, frozen, with version and hash.

Nothing in code repeats a threshold, a weight or a label: scorers get a :class:`Protocol` and read it. Loading is loud: a file
that lacks a key, has a strange one or contradicts another raises :class:`~scoring.findings.FaultyData` with every fault.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scoring.findings import FaultyData, Finding, near_miss
from scoring.strict_yaml import Document, Fields, parse

METRICS = Path(__file__).resolve().parent.parent / "metrics"
Label = Mapping[str, str]  # language code → text


@dataclass(frozen=True, slots=True)
class Band:
    """``score`` for values up to and including ``up_to``; None = whatever is left."""

    up_to: Decimal | None
    score: int


@dataclass(frozen=True, slots=True)
class ShareStep:
    """``step`` for shares ≥ ``bound`` (``strict``: > ``bound``)."""

    bound: Decimal
    strict: bool
    step: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A paired keyword: ``words`` by language: (opening, closing)."""

    key: str
    words: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SyntaxRules:
    cluster_gap: int
    bands: tuple[Band, ...]
    blockers: frozenset[str]
    balance_categories: frozenset[str]
    balance_score: int
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class MeaningRules:
    decimals: int
    steps: tuple[ShareStep, ...]
    operations: int


@dataclass(frozen=True, slots=True)
class OptimizationRules:
    bands: tuple[Band, ...]
    min_meaning: Decimal
    operations: int
    decimals: int
    time_out: Mapping[str, int | None]
    static_categories: frozenset[str]
    static_bands: tuple[Band, ...]
    static_weights: Mapping[str, Decimal]
    static_labels: Mapping[str, Label]


@dataclass(frozen=True, slots=True)
class Invention:
    """How the text of an error names something that does not exist: ``pattern``'s first group is its name."""

    kind: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class PlatformRules:
    decimals: int
    steps: tuple[ShareStep, ...]
    error_marks: tuple[str, ...]
    inventions: tuple[Invention, ...]


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Bounds of a run beside the operation budgets. ``wall_seconds`` is a safety net: what it stops is not measured."""

    depth: int
    memory_bytes: int
    output_characters: int
    wall_seconds: int
    process_memory_bytes: int
    reply_bytes: int


@dataclass(frozen=True, slots=True)
class Axis:
    key: str
    name: Label
    question: Label
    unit: Label
    categories: tuple[str, ...]
    fine: bool


@dataclass(frozen=True, slots=True)
class Category:
    key: str
    name: Label
    axes: tuple[str, ...]
    dialect: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How Q reads from ``bound`` on."""

    bound: Decimal
    key: str
    label: Label


@dataclass(frozen=True, slots=True)
class Constitution:
    version: str
    steps: tuple[int, ...]
    minimum: int
    maximum: int
    axes: Mapping[str, Axis]
    categories: Mapping[str, Category]
    quality_decimals: int
    quality_requires: tuple[str, ...]
    readings: tuple[Reading, ...]
    not_measured: Mapping[str, Label]
    not_applicable: Mapping[str, Label]

    def applies(self, axis: str, category: str) -> bool:
        return axis in self.categories[category].axes

    def reading(self, quality: Decimal) -> Reading:
        """How a Q is read: the first reading whose bound it reaches."""
        return next(reading for reading in self.readings if quality >= reading.bound)


@dataclass(frozen=True, slots=True)
class Cause:
    """A kind of cause in the failure funnel; ``otherwise`` takes what no other cause of its stage took."""

    key: str
    stage: str
    label: Label
    kinds: frozenset[str]
    marks: tuple[str, ...]
    otherwise: bool


@dataclass(frozen=True, slots=True)
class Funnel:
    version: str
    stages: Mapping[str, Label]
    causes: tuple[Cause, ...]

    def cause(self, key: str) -> Cause:
        return next(cause for cause in self.causes if cause.key == key)


@dataclass(frozen=True, slots=True)
class Rubric:
    """L2: per axis, per step (an int of the scale), the criterion in words."""

    version: str
    criteria: Mapping[str, Mapping[int, Label]]


@dataclass(frozen=True, slots=True)
class Protocol:
    """Everything that judgement needs. ``hash`` covers every file; equal hashes give equal scores from equal evidence."""

    version: str
    hash: str
    constitution: Constitution
    syntax: SyntaxRules
    meaning: MeaningRules
    optimization: OptimizationRules
    platform: PlatformRules
    limits: RunLimits
    funnel: Funnel
    rubric: Rubric
    verified: Mapping[str, Any] = field(repr=False)


@lru_cache(maxsize=8)
def load_protocol(folder: Path = METRICS) -> Protocol:
    """Read and check all files of ``folder``. Raises :class:`FaultyData`."""
    reader = _Reader(folder)
    constitution = _constitution(reader.fields("smop"))
    auto = reader.fields("smop_l1_auto")
    protocol = Protocol(
        version=_version(auto),
        hash="",
        constitution=constitution,
        syntax=_syntax(auto.sub("S", required=True), constitution),
        meaning=_meaning(auto.sub("M", required=True), constitution),
        optimization=_optimization(auto.sub("O", required=True), constitution),
        platform=_platform(auto.sub("P", required=True), constitution),
        limits=_limits(auto.sub("limits", required=True)),
        funnel=_funnel(reader.fields("failure_causes")),
        rubric=_rubric(reader.fields("smop_l2_expert"), constitution),
        verified=_frozen(reader.fields("verified").data),
    )
    auto.only(("version", "constitution", "S", "M", "O", "P", "limits"))
    _same_constitution(reader, constitution)
    if reader.findings:
        raise FaultyData(reader.findings)
    return _with_hash(protocol, reader)


class _Reader:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings: list[Finding] = []
        self.documents: dict[str, Document] = {}

    def fields(self, name: str) -> Fields:
        return Fields(self._document(name), self.findings)

    def _document(self, name: str) -> Document:
        if name not in self.documents:
            path = self.folder / f"{name}.yaml"
            try:
                self.documents[name] = parse(path.read_text("utf-8"), str(path))
            except OSError as error:
                self.findings.append(Finding(str(path), f"cannot be read: {error.strerror}"))
                self.documents[name] = Document(str(path), {}, {})
            except FaultyData as error:
                self.findings.extend(error.findings)
                self.documents[name] = Document(str(path), {}, {})
        return self.documents[name]


def _with_hash(protocol: Protocol, reader: _Reader) -> Protocol:
    # What an expert is shown and when Verified is granted have versions of their own and change no score.
    scoring = {name: document.root for name, document in reader.documents.items() if name in ("smop", "smop_l1_auto")}
    text = json.dumps(scoring, sort_keys=True, ensure_ascii=False, default=str)
    return dataclasses.replace(protocol, hash=hashlib.sha256(text.encode()).hexdigest())


def _same_constitution(reader: _Reader, constitution: Constitution) -> None:
    for name in ("smop_l1_auto", "smop_l2_expert", "verified"):
        fields = reader.fields(name)
        if fields.text("constitution") != constitution.version:
            fields.fault(("constitution",), f"written for another constitution than {constitution.version}")


def _version(fields: Fields) -> str:
    return fields.text("version", required=True)


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(entry) for key, entry in value.items()})
    return tuple(_frozen(entry) for entry in value) if isinstance(value, list) else value


def _label(fields: Fields, key: str) -> Label:
    inner = fields.sub(key, required=True)
    inner.only(("ru", "en"))
    return MappingProxyType({language: inner.text(language, required=True) for language in ("ru", "en")})


def _exact(fields: Fields, key: str, *, required: bool = False) -> Decimal | None:
    """A decimal written as text or as a number; None where it is missing."""
    value = fields.data.get(key)
    if value is None:
        if required:
            fields.fault((), f"{key!r} is missing")
        return None
    try:
        if isinstance(value, (bool, list, dict)):
            raise InvalidOperation
        return Decimal(str(value))
    except InvalidOperation:
        fields.fault((key,), f"{key!r} must be a number")
        return None


def _list_of(fields: Fields, key: str) -> list[Fields]:
    entries = fields.items(key, required=True)
    return [Fields(fields.document, fields.findings, (*fields.path, key, i), entry) for i, entry in enumerate(entries)]


def _constitution(fields: Fields) -> Constitution:
    fields.only(("version", "steps", "scale", "axes", "categories", "quality", "absent"))
    scale, quality, absent = fields.sub("scale", required=True), fields.sub("quality"), fields.sub("absent")
    return Constitution(
        version=_version(fields),
        steps=tuple(step for step in fields.items("steps", required=True) if isinstance(step, int)),
        minimum=scale.whole("minimum", required=False),
        maximum=scale.whole("maximum", required=True),
        axes=MappingProxyType({key: _axis(key, inner) for key, inner in fields.subs("axes")}),
        categories=MappingProxyType({key: _category(key, inner) for key, inner in fields.subs("categories")}),
        quality_decimals=quality.whole("decimals", required=True),
        quality_requires=_required_axes(quality, fields),
        readings=tuple(_reading(entry) for entry in _list_of(quality, "reads")),
        not_measured=_labels(absent, "not_measured"),
        not_applicable=_labels(absent, "not_applicable"),
    )


def _required_axes(quality: Fields, fields: Fields) -> tuple[str, ...]:
    named = quality.texts("requires")
    for axis in named:
        if axis not in fields.sub("axes").data:
            quality.fault(("requires",), f"no axis is called {axis!r}", near_miss(axis, fields.sub("axes").data))
    return named


def _labels(fields: Fields, key: str) -> Mapping[str, Label]:
    inner = fields.sub(key, required=True)
    return MappingProxyType({name: _label(inner, name) for name in inner.data})


def _axis(key: str, fields: Fields) -> Axis:
    fields.only(("name", "question", "unit", "categories", "fine"))
    texts = (_label(fields, "name"), _label(fields, "question"), _label(fields, "unit"))
    return Axis(key, *texts, fields.texts("categories", required=True), fields.flag("fine"))


def _category(key: str, fields: Fields) -> Category:
    fields.only(("name", "axes", "dialect"))
    return Category(key, _label(fields, "name"), fields.texts("axes", required=True), fields.text("dialect", required=True))


def _reading(fields: Fields) -> Reading:
    fields.only(("from", "key", "label"))
    return Reading(_exact(fields, "from", required=True) or Decimal(0), fields.text("key", required=True), _label(fields, "label"))


def _bands(fields: Fields, key: str, constitution: Constitution) -> tuple[Band, ...]:
    bands = []
    for entry in _list_of(fields, key):
        entry.only(("up_to", "score"))
        score = entry.whole("score", required=True)
        if score not in constitution.steps:
            entry.fault(("score",), f"{score} is no step of the scale")
        bands.append(Band(_exact(entry, "up_to"), score))
    bounds = [band.up_to for band in bands]
    given = [bound for bound in bounds[:-1] if bound is not None]
    if not bands or bounds[-1] is not None or len(given) != len(bounds) - 1 or given != sorted(given):
        fields.fault((key,), "bands must rise and end with one without a bound")
    return tuple(bands)


def _share_steps(fields: Fields, constitution: Constitution) -> tuple[ShareStep, ...]:
    steps = []
    for entry in _list_of(fields, "steps"):
        entry.only(("from", "above", "step"))
        step = entry.whole("step", required=True)
        if step not in constitution.steps:
            entry.fault(("step",), f"{step} is no step of the scale")
        above = _exact(entry, "above")
        bound = above if above is not None else _exact(entry, "from") or Decimal(0)
        steps.append(ShareStep(bound, above is not None, step))
    if not steps or steps[-1].bound or steps[-1].strict or [s.bound for s in steps] != sorted((s.bound for s in steps), reverse=True):
        fields.fault(("steps",), "steps must fall and end with one without a bound")
    return tuple(steps)


def _syntax(fields: Fields, constitution: Constitution) -> SyntaxRules:
    fields.only(("cluster_gap", "bands", "blockers", "balance"))
    balance = fields.sub("balance", required=True)
    balance.only(("categories", "score", "pairs"))
    return SyntaxRules(
        cluster_gap=fields.whole("cluster_gap", required=True),
        bands=_bands(fields, "bands", constitution),
        blockers=frozenset(fields.texts("blockers")),
        balance_categories=frozenset(balance.texts("categories")),
        balance_score=balance.whole("score"),
        pairs=tuple(_pair(entry) for entry in _list_of(balance, "pairs")),
    )


def _pair(fields: Fields) -> Pair:
    fields.only(("key", "ru", "en"))
    words = {}
    for language in ("ru", "en"):
        both = fields.texts(language, required=True)
        if len(both) != 2:
            fields.fault((language,), "an opening and a closing keyword are expected")
            both = ("", "")
        words[language] = (both[0], both[1])
    return Pair(fields.text("key", required=True), MappingProxyType(words))


def _meaning(fields: Fields, constitution: Constitution) -> MeaningRules:
    fields.only(("decimals", "steps", "operations"))
    return MeaningRules(
        fields.whole("decimals", required=True), _share_steps(fields, constitution), fields.whole("operations", required=True)
    )


def _optimization(fields: Fields, constitution: Constitution) -> OptimizationRules:
    fields.only(("decimals", "bands", "min_meaning", "operations", "time_out", "static"))
    static = fields.sub("static", required=True)
    static.only(("categories", "bands", "weights", "labels"))
    weights = static.sub("weights", required=True)
    return OptimizationRules(
        bands=_bands(fields, "bands", constitution),
        min_meaning=_exact(fields, "min_meaning", required=True) or Decimal(0),
        operations=fields.whole("operations", required=True),
        decimals=fields.whole("decimals", required=True),
        time_out=MappingProxyType(dict(fields.sub("time_out", required=True).data)),
        static_categories=frozenset(static.texts("categories")),
        static_bands=_bands(static, "bands", constitution),
        static_weights=MappingProxyType({code: _exact(weights, code) or Decimal(0) for code in weights.data}),
        static_labels=_labels(static, "labels"),
    )


def _platform(fields: Fields, constitution: Constitution) -> PlatformRules:
    fields.only(("decimals", "steps", "error_marks", "invented"))
    return PlatformRules(
        decimals=fields.whole("decimals", required=True),
        steps=_share_steps(fields, constitution),
        error_marks=fields.texts("error_marks", required=True),
        inventions=tuple(_invention(entry) for entry in _list_of(fields, "invented")),
    )


def _invention(fields: Fields) -> Invention:
    fields.only(("kind", "pattern"))
    try:
        pattern = re.compile(fields.text("pattern", required=True))
    except re.error as error:
        fields.fault(("pattern",), f"no regular expression: {error}")
        pattern = re.compile("")
    if pattern.groups != 1:
        fields.fault(("pattern",), "exactly one group is expected: the name")
    return Invention(fields.text("kind", required=True), pattern)


def _limits(fields: Fields) -> RunLimits:
    names = ("depth", "memory_bytes", "output_characters", "wall_seconds", "process_memory_bytes", "reply_bytes")
    fields.only(names)
    return RunLimits(**{name: fields.whole(name, required=True) for name in names})


def _funnel(fields: Fields) -> Funnel:
    fields.only(("version", "stages", "causes"))
    stages = {entry.text("key", required=True): _label(entry, "label") for entry in _list_of(fields, "stages")}
    causes = []
    for entry in _list_of(fields, "causes"):
        entry.only(("key", "stage", "label", "kinds", "marks", "otherwise"))
        stage = entry.text("stage", required=True)
        if stage not in stages:
            entry.fault(("stage",), f"unknown stage {stage!r}")
        kinds, marks = frozenset(entry.texts("kinds")), entry.texts("marks")
        causes.append(Cause(entry.text("key", required=True), stage, _label(entry, "label"), kinds, marks, entry.flag("otherwise")))
    for stage in stages:
        if not any(cause.otherwise for cause in causes if cause.stage == stage):
            fields.fault(("causes",), f"stage {stage!r} has no cause for the rest (otherwise: true)")
    return Funnel(_version(fields), MappingProxyType(stages), tuple(causes))


def _rubric(fields: Fields, constitution: Constitution) -> Rubric:
    fields.only(("version", "constitution", "axes"))
    criteria = {}
    for axis, inner in fields.subs("axes"):
        if axis not in constitution.axes:
            inner.fault((), f"unknown axis {axis!r}")
        inner.only(str(step) for step in constitution.steps)
        criteria[axis] = MappingProxyType({step: _label(inner, str(step)) for step in constitution.steps})
    return Rubric(_version(fields), MappingProxyType(criteria))
