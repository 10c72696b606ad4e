"""The catalogue: networks, channels, prices, editions, prompts. Data in YAML, read strictly, frozen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from scoring.findings import FaultyData, Finding, near_miss
from scoring.generation.schema import KIND_NAMES, SchemaObject, objects_of
from scoring.strict_yaml import Document, Fields, parse

DATA = Path(__file__).with_name("data")
KINDS = ("openai", "gigachat", "replay")
CATEGORIES = ("A", "B")
# Whatever of a request the runner decides itself; `n` would pay for answers that nobody reads.
OWN_PARAMETERS = frozenset({"model", "messages", "tools", "tool_choice", "functions", "stream", "n"})


@dataclass(frozen=True, slots=True)
class Channel:
    """How to reach networks. The key itself is never stored: ``key_env`` names the environment variable that holds it."""

    id: str
    kind: str
    base_url: str = ""
    base_url_env: str = ""
    key_env: str = ""
    proxy_env: str = ""
    model_prefix_env: str = ""
    concurrency: int = 1

    @property
    def address(self) -> str:
        return os.environ.get(self.base_url_env, "") or self.base_url

    @property
    def proxy(self) -> str:
        return os.environ.get(self.proxy_env, "") if self.proxy_env else ""

    def key(self) -> str:
        """The secret from the environment; empty where the channel needs none or it is not set."""
        return os.environ.get(self.key_env, "") if self.key_env else ""

    def missing(self) -> str:
        """What keeps the channel from being used, as a sentence with its cure; empty when nothing does."""
        if self.key_env and not self.key():
            return f"the environment variable {self.key_env} is not set"
        return ""


@dataclass(frozen=True, slots=True)
class NetworkCard:
    """A network as the catalogue describes it. ``tools``: does it support function calling?"""

    name: str
    id: str
    vendor: str
    channel: str
    open_weights: bool | None = None
    released_on: date | None = None
    context: int | None = None
    tools: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Price:
    """Per million tokens, in the catalogue's currency."""

    since: date
    input: Decimal
    output: Decimal
    note: str = ""


@dataclass(frozen=True, slots=True)
class Assumed:
    """Tokens of an answer where nothing was measured yet."""

    input: int
    output: int


@dataclass(frozen=True, slots=True)
class EditionCard:
    id: str
    names: Mapping[str, str]
    schema_tools: bool
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """Bounds of one research: rounds of calls, objects read in full, characters given out, equal calls before it is a loop."""

    rounds: int
    objects: int
    characters: int
    same_call: int
    distractors: int


@dataclass(frozen=True, slots=True)
class RetryRules:
    """``attempts`` in all; delays and ``timeout`` in seconds."""

    attempts: int
    first_delay: float
    longest_delay: float
    timeout: float


@dataclass(frozen=True, slots=True)
class Catalogue:
    networks: Mapping[str, NetworkCard]
    channels: Mapping[str, Channel]
    prices: Mapping[str, tuple[Price, ...]]
    currency: str
    editions: Mapping[str, EditionCard]
    tools: ToolLimits
    retries: RetryRules
    prompts: Mapping[str, str]
    assumed: Mapping[str, Assumed]
    distractors: tuple[SchemaObject, ...]

    def price(self, network: str, day: date) -> Price | None:
        """The price in force on ``day``; None where the catalogue has none."""
        current = [price for price in self.prices.get(network, ()) if price.since <= day]
        return max(current, key=lambda price: price.since) if current else None


def load_catalogue(folder: Path = DATA) -> Catalogue:
    """Read the whole catalogue. Raises :class:`FaultyData` with every fault of every file, each with file, line and key."""
    reader = _Reader(folder)
    catalogue = reader.catalogue()
    if reader.findings:
        raise FaultyData(reader.findings)
    return catalogue


class _Reader:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings: list[Finding] = []

    def catalogue(self) -> Catalogue:
        channels = self._channels()
        networks = self._networks(channels)
        currency, prices, assumed = self._prices(networks)
        document = self._document("editions.yaml")
        editions, tools, retries = self._editions(document)
        prompts = {category: self._prompt(category) for category in CATEGORIES}
        return Catalogue(
            networks, channels, prices, currency, editions, tools, retries, prompts, assumed, self._distractors(tools.distractors)
        )

    def _document(self, name: str) -> Document:
        path = self.folder / name
        try:
            return parse(path.read_text("utf-8-sig"), name)
        except FaultyData as faulty:
            self.findings.extend(faulty.findings)
        except (OSError, UnicodeDecodeError) as error:
            self.findings.append(Finding(name, f"the file cannot be read: {error}", cure=f"put it into {self.folder.name}/"))
        return Document(name, {}, {})

    def _prompt(self, category: str) -> str:
        name = f"prompts/{category}.md"
        try:
            text = (self.folder / name).read_text("utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            self.findings.append(Finding(name, f"the prompt cannot be read: {error}"))
            return ""
        if not text:
            self.findings.append(Finding(name, "the prompt is empty", cure="write what a network is told before the condition"))
        return text

    def _channels(self) -> dict[str, Channel]:
        fields = Fields(self._document("channels.yaml"), self.findings)
        fields.only(("channels",))
        found = {}
        for name, entry in fields.subs("channels"):
            entry.only(("kind", "base_url", "base_url_env", "key_env", "proxy_env", "model_prefix_env", "concurrency"))
            kind = entry.text("kind", required=True)
            if kind and kind not in KINDS:
                entry.fault(("kind",), f"no kind of channel is called {kind!r}", near_miss(kind, KINDS))
            if kind == "openai" and not entry.text("base_url"):
                entry.fault((), "'base_url' is missing", "add base_url: the address of the endpoint, ending in /v1")
            concurrency = entry.whole("concurrency", default=1)
            if concurrency < 1:
                entry.fault(("concurrency",), "at least one request must be allowed at a time")
            texts = {key: entry.text(key) for key in ("base_url", "base_url_env", "key_env", "proxy_env", "model_prefix_env")}
            found[name] = Channel(name, kind, concurrency=max(concurrency, 1), **texts)
        return found

    def _networks(self, channels: Mapping[str, Channel]) -> dict[str, NetworkCard]:
        document = self._document("networks.yaml")
        fields = Fields(document, self.findings)
        fields.only(("networks",))
        found: dict[str, NetworkCard] = {}
        for place, raw in enumerate(fields.items("networks", required=True)):
            entry = Fields(document, self.findings, ("networks", place), raw)
            card = self._network(entry, channels)
            if card.name in found:
                entry.fault(("name",), f"the network {card.name!r} stands twice", "keep one of them")
            found[card.name] = card
        return found

    def _network(self, entry: Fields, channels: Mapping[str, Channel]) -> NetworkCard:
        entry.only(("name", "id", "vendor", "channel", "open_weights", "released_on", "context", "tools", "parameters"))
        channel = entry.text("channel", required=True)
        if channel and channel not in channels:
            entry.fault(("channel",), f"no channel is called {channel!r}", near_miss(channel, channels))
        return NetworkCard(
            entry.text("name", required=True),
            entry.text("id", required=True),
            entry.text("vendor"),
            channel,
            entry.take("open_weights", bool, "true or false"),
            entry.take("released_on", date, "a date"),
            entry.take("context", int, "a number of tokens"),
            entry.flag("tools"),
            self._parameters(entry),
        )

    @staticmethod
    def _parameters(entry: Fields) -> dict[str, Any]:
        """What a request carries besides the conversation; null takes a parameter of the edition away."""
        fields = entry.sub("parameters")
        for key in OWN_PARAMETERS & fields.data.keys():
            fields.fault((key,), f"{key!r} is no parameter: the runner sets it", "leave it out")
        return {key: float(value) if isinstance(value, Decimal) else value for key, value in fields.data.items()}

    def _distractors(self, wanted: int) -> tuple[SchemaObject, ...]:
        document = self._document("distractors.yaml")
        Fields(document, self.findings).only(KIND_NAMES)
        try:
            found = tuple(objects_of(document.root or {}))
        except (AttributeError, TypeError):
            self.findings.append(document.finding((), "this is no description of metadata", "write it as a config_spec.yaml"))
            return ()
        if len(found) < wanted:
            self.findings.append(document.finding((), f"{wanted} objects are wanted, {len(found)} are here", "add some"))
        return found

    def _prices(self, networks: Mapping[str, NetworkCard]) -> tuple[str, dict[str, tuple[Price, ...]], dict[str, Assumed]]:
        document = self._document("prices.yaml")
        fields = Fields(document, self.findings)
        fields.only(("currency", "assumed", "prices"))
        found = {}
        inner = fields.sub("prices")
        for name, entries in inner.data.items():
            if name not in networks:
                inner.fault((name,), f"no network is called {name!r}", near_miss(str(name), networks))
            if not isinstance(entries, list):
                inner.fault((name,), "a list of dated prices is expected here")
                continue
            found[str(name)] = tuple(
                self._price(Fields(document, self.findings, ("prices", name, place), raw)) for place, raw in enumerate(entries)
            )
        return fields.text("currency", required=True), found, self._assumed(fields.sub("assumed", required=True))

    @staticmethod
    def _assumed(fields: Fields) -> dict[str, Assumed]:
        fields.only(CATEGORIES)
        found = {}
        for category in CATEGORIES:
            entry = fields.sub(category, required=True)
            entry.only(("input", "output"))
            found[category] = Assumed(entry.whole("input", required=True), entry.whole("output", required=True))
        return found

    def _price(self, entry: Fields) -> Price:
        entry.only(("since", "input", "output", "note"))
        since = entry.take("since", date, "a date", required=True, default=date.min)
        amounts = [entry.number(key, required=True) for key in ("input", "output")]
        for key, amount in zip(("input", "output"), amounts, strict=True):
            if amount < 0:
                entry.fault((key,), "a price is not negative")
        return Price(since, amounts[0], amounts[1], entry.text("note"))

    def _editions(self, document: Document) -> tuple[dict[str, EditionCard], ToolLimits, RetryRules]:
        fields = Fields(document, self.findings)
        fields.only(("editions", "tools", "retries"))
        editions = {}
        for name, entry in fields.subs("editions"):
            entry.only(("name", "schema_tools", "parameters"))
            names = entry.sub("name", required=True)
            names.only(("ru", "en"))
            labels = {language: names.text(language, required=True) for language in ("ru", "en")}
            editions[name] = EditionCard(name, labels, entry.flag("schema_tools"), self._parameters(entry))
        return editions, self._limits(fields.sub("tools", required=True)), self._retries(fields.sub("retries", required=True))

    @staticmethod
    def _limits(fields: Fields) -> ToolLimits:
        keys = ("rounds", "objects", "characters", "same_call", "distractors")
        fields.only(keys)
        found = {key: fields.whole(key, required=True) for key in keys}
        for key, least in (("rounds", 1), ("objects", 1), ("characters", 1), ("same_call", 2), ("distractors", 0)):
            if found[key] < least and key in fields.data:
                fields.fault((key,), f"{key!r} must be at least {least}")
        return ToolLimits(**found)

    @staticmethod
    def _retries(fields: Fields) -> RetryRules:
        fields.only(("attempts", "first_delay", "longest_delay", "timeout"))
        attempts = fields.whole("attempts", required=True)
        if attempts < 1 and "attempts" in fields.data:
            fields.fault(("attempts",), "at least one attempt is needed")
        delays = {key: float(fields.number(key, required=True)) for key in ("first_delay", "longest_delay", "timeout")}
        for key, seconds in delays.items():
            if seconds <= 0 and key in fields.data:
                fields.fault((key,), f"{key!r} must be more than 0 seconds")
        return RetryRules(attempts, *delays.values())
