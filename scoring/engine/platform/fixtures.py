"""Loading ``fixtures.yaml`` (already parsed) into a database. Strict: every finding at once, with paths.

Everything is written straight to storage: a fresh database costs what its rows cost, and no access is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from scoring.engine.metadata.configuration import SpecificationError
from scoring.engine.metadata.objects import Field, MetadataObject
from scoring.engine.platform.extdimensions import ext_in_order
from scoring.engine.platform.recordsets import cut_period
from scoring.engine.platform.typevalues import description_value
from scoring.engine.registers.layout import Layout
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Reference, ReferenceTable
from scoring.engine.storage.registertables import IndependentTable, RecordedTable
from scoring.engine.values.model import EMPTY_DATE, NULL
from scoring.engine.values.text import units
from scoring.engine.values.types import STRING

RECORDER = "$регистратор"
ELEMENT_KEYS = frozenset({"ref", "isFolder", "parent", "owner"})
SECTIONS = frozenset(
    {
        "catalogs",
        "characteristics",
        "accounts",
        "documents",
        "register_records",
        "info_records",
        "info_register_records",
        "accounting_records",
        "constants",
        "expected",
    }
)
EXT_SIDES: dict[str, int] = {"субконтодт": 0, "субконтокт": 1, "субконто": 0}


def parse_moment(text: str) -> datetime | None:
    """An ISO date with or without a time, or None."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


class Loader:
    """One loading. ``names`` maps the file's ``ref`` names to references."""

    def __init__(self, database: Database, now: datetime) -> None:
        self.database = database
        self.now = now
        self.names: dict[str, Reference] = {}
        self.problems: list[str] = []

    def problem(self, path: str, what: str) -> None:
        self.problems.append(f"fixtures.{path}: {what}")

    # -- values --------------------------------------------------------------------------------------------------------------

    def value(self, item: Field, raw: Any, path: str, recorder: Reference | None = None) -> Any:
        """What stands in the file, as the field keeps it."""
        value = self.plain(item, raw, path, recorder)
        return self.database.fit(item.types, value)

    def plain(self, item: Field, raw: Any, path: str, recorder: Reference | None) -> Any:
        if raw is None or isinstance(raw, bool | int | Decimal):
            return raw
        if isinstance(raw, float):
            return Decimal(repr(raw))
        if isinstance(raw, datetime):
            return raw.replace(tzinfo=None)
        if isinstance(raw, date):
            return datetime(raw.year, raw.month, raw.day)
        if isinstance(raw, str):
            return self.text(item, raw, path, recorder)
        self.problem(path, f"a {type(raw).__name__} can't be a value")
        return None

    def text(self, item: Field, raw: str, path: str, recorder: Reference | None) -> Any:
        if raw == RECORDER:
            if recorder is None:
                self.problem(path, f"{RECORDER} outside a recorded register")
            return recorder
        known = self.names.get(raw)
        if known is not None and (known.type_name in item.types.names or not item.types.allows(STRING)):
            return known
        primitive = {names[0] for names in item.types.names} & {"Строка", "Дата", "Число", "Булево"}
        if "." in raw and (found := self.named(raw)) is not None:
            return found
        if "Дата" in primitive and (moment := parse_moment(raw)) is not None:
            return moment
        if not primitive and raw:
            self.problem(path, f"unknown reference {raw!r}")
        return units(raw)

    def named(self, raw: str) -> Any:
        """``Перечисления.X.Y``, ``Справочники.X.Предопределённый``, ``ВидСчета.Активный``."""
        kinds = self.database.configuration
        parts = raw.split(".")
        for kind, objects in kinds.objects.items():
            meta = objects.get(parts[1].lower()) if len(parts) == 3 else None
            if meta is not None and parts[0].lower() in (
                *[name.lower() for name in meta.kind.collection],
                *[name.lower() for name in meta.kind.names],
            ):
                table = self.database.references.get(meta.path)
                return table.predefined.get(parts[2].lower()) if table and kind else None
        try:
            return self.database.predefined_value(raw)
        except KeyError:
            return None

    def reference(self, raw: Any, path: str) -> Reference | None:
        found = self.names.get(raw) if isinstance(raw, str) else None
        if found is None and isinstance(raw, str):
            named = self.named(raw)
            found = named if isinstance(named, Reference) else None
        if found is None:
            self.problem(path, f"unknown reference {raw!r}")
        return found

    # -- elements --------------------------------------------------------------------------------------------------------------

    def elements(self, kind: str, section: Any, path: str) -> None:
        for name, items in self.mapping(section, path).items():
            meta = self.database.configuration.find(kind, str(name))
            if meta is None:
                self.problem(f"{path}.{name}", "not in the configuration")
                continue
            table = self.database.references[meta.path]
            for number, data in enumerate(items or ()):
                where = f"{path}.{name}[{number}]"
                if isinstance(data, Mapping):
                    self.element(table, data, where)
                else:
                    self.problem(where, "must be a mapping")

    def element(self, table: ReferenceTable, data: Mapping[str, Any], path: str) -> Reference:
        meta = table.meta
        ref = self.identity(table, data, path)
        folder = bool(data.get("isFolder"))
        row: list[Any] = self.database.blank(meta)
        row[0] = ref
        if ref.row is not None:
            row = list(ref.row)
        if "этогруппа" in meta.positions:
            row[meta.positions["этогруппа"]] = folder
        for key, name in (("parent", "Родитель"), ("owner", "Владелец")):
            if data.get(key) is not None:
                self.assign(row, meta, name, self.reference(data[key], f"{path}.{key}"), f"{path}.{key}")
        sections: list[tuple[Any, ...]] = [()] * len(meta.sections)
        for key, raw in data.items():
            if key not in ELEMENT_KEYS:
                self.part(meta, ref, row, sections, str(key), raw, f"{path}.{key}")
        self.finish(table, ref, row, folder)
        table.store(ref, tuple(row), tuple(sections))
        return ref

    def identity(self, table: ReferenceTable, data: Mapping[str, Any], path: str) -> Reference:
        """A new reference, or a predefined item named by ``ref``; known by ``ref`` from here on."""
        name = data.get("ref")
        known = table.predefined.get(str(name).lower()) if name is not None else None
        ref = known or table.new_reference()
        if name is not None:
            if name in self.names:
                self.problem(f"{path}.ref", f"{name!r} is taken")
            self.names[str(name)] = ref
        return ref

    def assign(self, row: list[Any], meta: MetadataObject, name: str, value: Any, path: str) -> None:
        place = meta.positions.get(name.lower())
        if place is None:
            self.problem(path, f"{meta.path} has no {name}")
        elif value is not None:
            row[place] = value

    def part(
        self,
        meta: MetadataObject,
        ref: Reference,
        row: list[Any],
        sections: list[tuple[Any, ...]],
        key: str,
        raw: Any,
        path: str,
    ) -> None:
        """One key of an element: an attribute, a tabular section, or one of the kind's own words."""
        if key == "subconto":
            self.ext_dimension_kinds(meta, ref, sections, raw, path)
            return
        section = meta.section(key)
        if section is not None:
            sections[meta.sections.index(section)] = self.rows(ref, section.fields[2:], raw, path)
            return
        place = meta.positions.get(key.lower())
        if place is None or place == 0:
            self.problem(path, f"{meta.path} has no such attribute")
            return
        row[place] = self.attribute(meta.fields[place], raw, path)

    def attribute(self, item: Field, raw: Any, path: str) -> Any:
        name = item.types.names[0][0] if item.types.names else ""
        if name == "ОписаниеТипов":
            return self.type_value(raw, path)
        if name == "ВидСчета" and isinstance(raw, str):
            raw = f"ВидСчета.{raw}"
        return self.value(item, raw, path)

    def type_value(self, raw: Any, path: str) -> Any:
        from scoring.engine.metadata.types import TypeDescription

        result = TypeDescription()
        for text in [raw] if isinstance(raw, str) else raw or ():
            found = self.database.configuration.expand_type(str(text))
            if found is None:
                self.problem(path, f"unknown type {text!r}")
            else:
                result = result.united(found) if result.names else found
        return description_value(result)

    def rows(self, ref: Reference, fields: Any, raw: Any, path: str) -> tuple[Any, ...]:
        result = []
        by_name = {spelled.lower(): item for item in fields for spelled in (item.name, item.english)}
        for number, data in enumerate(raw or (), 1):
            where = f"{path}[{number - 1}]"
            values = {item.name: self.database.default(item.types) for item in fields}
            for key, cell in self.mapping(data, where).items():
                item = by_name.get(str(key).lower())
                if item is None:
                    self.problem(f"{where}.{key}", "no such attribute")
                else:
                    values[item.name] = self.value(item, cell, f"{where}.{key}")
            result.append((ref, number, *values.values()))
        return tuple(result)

    def ext_dimension_kinds(
        self, meta: MetadataObject, ref: Reference, sections: list[tuple[Any, ...]], raw: Any, path: str
    ) -> None:
        section = meta.section("ВидыСубконто")
        if section is None:
            self.problem(path, f"{meta.path} has no ext. dimensions")
            return
        kinds = [self.reference(name, path) for name in raw or ()]
        if len(kinds) > meta.max_ext_dimensions:
            self.problem(path, f"more than {meta.max_ext_dimensions} ext. dimensions")
        rows = tuple((ref, number, kind, False, False) for number, kind in enumerate(kinds, 1))
        sections[meta.sections.index(section)] = rows

    def finish(self, table: ReferenceTable, ref: Reference, row: list[Any], folder: bool) -> None:
        """Automatic codes, numbers and dates; attributes of items are NULL in folders."""
        meta = table.meta
        place = meta.positions.get("код", meta.positions.get("номер"))
        if place is not None:
            if row[place] in (0, ""):
                row[place] = self.database.next_code(table)
            else:
                self.database.note_code(table, row[place])
        moment = meta.positions.get("дата") if meta.kind.key == "document" else None
        if moment is not None and row[moment] == EMPTY_DATE:
            row[moment] = self.now
        order = meta.positions.get("порядок")
        if order is not None and not row[order]:
            row[order] = row[place or 0]
        if folder:
            for item in meta.attributes:
                row[meta.positions[item.name.lower()]] = NULL

    # -- records -----------------------------------------------------------------------------------------------------------------

    def mapping(self, value: Any, path: str) -> Mapping[str, Any]:
        if value is None:
            return {}
        if isinstance(value, Mapping):
            return value
        self.problem(path, "must be a mapping")
        return {}

    def recorded(self, kind: str, section: Any, path: str) -> None:
        for name, data in self.mapping(section, path).items():
            meta = self.database.configuration.find(kind, str(name))
            where = f"{path}.{name}"
            if meta is None:
                self.problem(where, "not in the configuration")
                continue
            options = self.mapping(data, where)
            for key in options:
                if key not in ("registrar", "records"):
                    self.problem(f"{where}.{key}", "unknown key")
            recorder = self.registrar(meta, options.get("registrar"), where)
            if recorder is None:
                continue
            table: RecordedTable = self.database.registers[meta.path]  # type: ignore[assignment]
            for number, record in enumerate(options.get("records") or ()):
                self.record(table, recorder, self.mapping(record, where), f"{where}[{number}]")

    def registrar(self, meta: MetadataObject, name: Any, path: str) -> ReferenceTable | None:
        document = self.database.configuration.find("document", str(name).rpartition(".")[2])
        if document is None or document.ref_names not in meta.recorders:
            self.problem(f"{path}.registrar", f"{name!r} does not write this register")
            return None
        return self.database.references[document.path]

    def record(self, table: RecordedTable, documents: ReferenceTable, data: Mapping[str, Any], path: str) -> None:
        """One record with a document of its own, whose date is the record's period."""
        meta = table.meta
        period = self.period(data, path)
        ref = self.document(documents, period)
        values: list[Any] = self.database.blank(meta)
        ext: list[dict[Any, Any]] = [{}, {}]
        for key, raw in data.items():
            where = f"{path}.{key}"
            if meta.kind.key == "accounting" and str(key).lower() in EXT_SIDES:
                ext[EXT_SIDES[str(key).lower()]] = self.ext_values(meta, raw, where)
            else:
                self.cell(meta, values, str(key), raw, where, ref)
        if table.period >= 0:
            values[table.period] = cut_period(meta, period)
        values[table.recorder], values[table.line], values[table.active] = ref, 1, True
        if meta.kind.key == "accounting":
            layout = Layout(meta)
            sides = layout.sides if meta.correspondence else layout.sides[:1]
            values += [ext_in_order(values[side.account], ext[number]) for number, side in enumerate(sides)]
        table.replace(ref, (tuple(values),))

    def period(self, data: Mapping[str, Any], path: str) -> datetime:
        raw = data.get("Период", data.get("Period"))
        if raw is None:
            return self.now
        if isinstance(raw, datetime):
            return raw.replace(tzinfo=None)
        if isinstance(raw, date):
            return datetime(raw.year, raw.month, raw.day)
        moment = parse_moment(str(raw))
        if moment is None:
            self.problem(f"{path}.Период", f"{raw!r} is not a date")
        return moment or self.now

    def document(self, table: ReferenceTable, moment: datetime) -> Reference:
        """A recorder as ``Записать()`` leaves it: numbered, dated, not posted (the genuine harness writes its records by
        record sets, not by posting)."""
        meta = table.meta
        ref = table.new_reference()
        row = self.database.blank(meta)
        row[0] = ref
        row[meta.positions["дата"]] = moment
        row[meta.positions["номер"]] = self.database.next_code(table)
        table.store(ref, tuple(row), tuple(() for _ in meta.sections))
        return ref

    def cell(self, meta: MetadataObject, values: list[Any], key: str, raw: Any, path: str, recorder: Reference | None) -> None:
        place = meta.positions.get(key.lower())
        if place is None:
            self.problem(path, f"{meta.path} has no such field")
            return
        item = meta.fields[place]
        if item.name == "Период":
            return
        if item.name == "ВидДвижения" and isinstance(raw, str) and "." not in raw:
            raw = f"{item.types.names[0][0]}.{raw}"
        values[place] = self.value(item, raw, path, recorder)

    def ext_values(self, meta: MetadataObject, raw: Any, path: str) -> dict[Any, Any]:
        chart = self.database.configuration.find("accounts", meta.chart)
        kinds = self.database.configuration.find("characteristics", chart.ext_dimension_types) if chart else None
        if kinds is None or kinds.value_type is None:
            self.problem(path, "the chart of accounts has no ext. dimensions")
            return {}
        field = Field("Субконто", "ExtDimension", kinds.value_type)
        return {
            self.reference(kind, f"{path}.{kind}"): self.value(field, value, f"{path}.{kind}")
            for kind, value in self.mapping(raw, path).items()
        }

    def independent(self, section: Any, path: str) -> None:
        for name, records in self.mapping(section, path).items():
            meta = self.database.configuration.find("information", str(name))
            where = f"{path}.{name}"
            if meta is None or meta.subordinate:
                self.problem(where, "no such independent register in the configuration")
                continue
            table: IndependentTable = self.database.registers[meta.path]  # type: ignore[assignment]
            for number, record in enumerate(records or ()):
                data = self.mapping(record, f"{where}[{number}]")
                values: list[Any] = self.database.blank(meta)
                for key, raw in data.items():
                    self.cell(meta, values, str(key), raw, f"{where}[{number}].{key}", None)
                if table.period >= 0:
                    values[table.period] = cut_period(meta, self.period(data, f"{where}[{number}]"))
                table.put(tuple(values))

    def constants(self, section: Any, path: str) -> None:
        for name, raw in self.mapping(section, path).items():
            meta = self.database.configuration.find("constant", str(name))
            if meta is None or meta.value_type is None:
                self.problem(f"{path}.{name}", "not in the configuration")
                continue
            item = Field(meta.name, meta.name, meta.value_type)
            self.database.constants[meta.name] = self.value(item, raw, f"{path}.{name}")


def load_fixtures(database: Database, fixtures: Mapping[str, Any] | None, now: datetime) -> dict[str, Reference]:
    """Put the fixtures into the database; gives references by their ``ref`` names.

    ``now`` stands in for a missing ``Период``. Raises :class:`SpecificationError` with every finding at once.
    """
    loader = Loader(database, now)
    data = loader.mapping(fixtures, "")
    for key in data:
        if key not in SECTIONS:
            loader.problem(str(key), "unknown section")
    steps: tuple[tuple[str, Callable[[Any, str], None]], ...] = (
        ("catalogs", lambda section, path: loader.elements("catalog", section, path)),
        ("characteristics", lambda section, path: loader.elements("characteristics", section, path)),
        ("accounts", lambda section, path: loader.elements("accounts", section, path)),
        ("documents", lambda section, path: loader.elements("document", section, path)),
        ("register_records", lambda section, path: loader.recorded("accumulation", section, path)),
        ("info_records", loader.independent),
        ("info_register_records", lambda section, path: loader.recorded("information", section, path)),
        ("accounting_records", lambda section, path: loader.recorded("accounting", section, path)),
        ("constants", loader.constants),
    )
    for key, load in steps:
        load(data.get(key), key)
    if loader.problems:
        raise SpecificationError(loader.problems)
    return loader.names
