"""The database: all tables of one configuration, undo journal, counters of accesses.

database = Database(configuration)
database.savepoint(); …; database.rollback()     # cheap: only what changed is put back
database.relation("Справочник.Номенклатура")      # Relation | VirtualTable | None
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.configuration import Configuration
from scoring.engine.metadata.kinds import KIND_BY_NAME, Names
from scoring.engine.metadata.objects import DIMENSION, Field, MetadataObject, Predefined
from scoring.engine.metadata.system_enums import system_enum_value
from scoring.engine.metadata.types import TypeDescription, string_type
from scoring.engine.storage.access import AccessCounters
from scoring.engine.storage.fitting import Fitter
from scoring.engine.storage.moments import PointInTime
from scoring.engine.storage.presentations import presentation_of
from scoring.engine.storage.references import Reference, ReferenceTable, Row, SectionTable
from scoring.engine.storage.registertables import IndependentTable, RecordedTable, RegisterTable
from scoring.engine.storage.relations import FieldInfo, VirtualTable
from scoring.engine.values.model import NULL
from scoring.engine.values.types import TypeValue

JournalEntry = tuple[Callable[..., None], tuple[Any, ...]]
POINT_TYPE = TypeDescription((("МоментВремени", "PointInTime"),))
EMPTY_REFERENCE = frozenset({"пустаяссылка", "emptyref"})


@dataclass(frozen=True)
class StoredRelation:
    """A stored table as the query executor sees it (``Relation``). ``source`` is the table behind it."""

    path: str
    fields: Sequence[FieldInfo]
    source: Any
    read: Callable[[], Iterable[Row]]

    def rows(self) -> Iterable[Row]:
        return self.read()


@dataclass(slots=True)
class Transactions:
    """Marks of the journal where open transactions began; ``broken`` after a database error inside one."""

    marks: list[int] = field(default_factory=list)
    broken: bool = False

    def fail(self) -> None:
        """Note a database error: an open transaction can only be rolled back from now on."""
        self.broken = self.broken or bool(self.marks)


class Database:
    """Tables by canonical Russian path. ``reference_factory`` gives the class of references of a table's kind."""

    def __init__(
        self,
        configuration: Configuration,
        reference_factory: Callable[[MetadataObject], Callable[..., Reference]] = lambda meta: Reference,
    ) -> None:
        self.configuration = configuration
        self.journal: list[JournalEntry] = []
        self.savepoints: list[int] = []
        self.transactions = Transactions()
        self.counters = AccessCounters()
        self.read_objects: set[Reference] = set()
        self.constants: dict[str, Any] = {}
        self.last_codes: dict[str, int] = {}
        self.managers: dict[str, Any] = {}  # objects of the platform that stand for this database's metadata
        self.fixture_names: dict[str, Reference] = {}
        self.references: dict[str, ReferenceTable] = {}
        self.by_type: dict[Names, ReferenceTable] = {}
        self.registers: dict[str, RegisterTable] = {}
        self._blanks: dict[str, list[Any]] = {}
        self._relations: dict[str, StoredRelation | VirtualTable | None] = {}
        self.fitter = Fitter(self.empty_reference)
        self._create_tables(reference_factory)
        self._create_predefined()

    # -- building --------------------------------------------------------------------------------------------------------

    def _create_tables(self, factory: Callable[[MetadataObject], Callable[..., Reference]]) -> None:
        number = 0
        for meta in self.configuration.all():
            if meta.kind.has_references:
                number += 1
                table = ReferenceTable(self, meta, number, factory(meta))
                self.references[meta.path] = self.by_type[meta.ref_names] = table
            elif meta.kind.key == "information" and not meta.subordinate:
                self.registers[meta.path] = IndependentTable(self, meta)
            elif meta.kind.key != "constant":
                self.registers[meta.path] = RecordedTable(self, meta)
        for meta in self.configuration.of_kind("constant"):
            assert meta.value_type is not None
            self.constants[meta.name] = self.fitter.default(meta.value_type)

    def _create_predefined(self) -> None:
        for table in self.references.values():
            for order, name in enumerate(table.meta.values):
                ref = table.predefined[name.lower()] = table.new_reference()
                table.store(ref, (ref, order))
            for item in table.meta.predefined:
                self._create_predefined_item(table, item)
        self.journal.clear()

    def _create_predefined_item(self, table: ReferenceTable, item: Predefined) -> None:
        ref = table.predefined[item.name.lower()] = table.new_reference()
        given: dict[str, Any] = {
            "наименование": item.description,
            "предопределенный": True,
            "имяпредопределенныхданных": item.name,
            "этогруппа": item.is_folder,
            "код": self.next_code(table) if item.code is None else item.code,
        }
        if item.parent:
            given["родитель"] = table.predefined.get(item.parent.lower(), table.empty)
        given |= {name.lower(): value for name, value in item.values}
        row = [ref]
        for info in table.meta.fields[1:]:
            value = given.get(info.name.lower())
            row.append(self.fitter.default(info.types) if value is None else self.fit(info.types, value))
        table.store(ref, tuple(row), tuple(() for _ in table.meta.sections))

    # -- values ----------------------------------------------------------------------------------------------------------

    def empty_reference(self, names: Names) -> Reference | None:
        """The empty reference of the type ``names``; None for a type that is no reference of this configuration."""
        table = self.by_type.get(names)
        return table.empty if table else None

    def find_type(self, text: str) -> TypeValue | None:
        """``Тип(text)`` for types that the configuration brings along."""
        names = self.configuration.type_names(text)
        return TypeValue.of(names) if names else None

    def empty_value(self, wanted: TypeValue) -> Any:
        """The empty value of a type that is not primitive: a reference, Неопределено for the rest."""
        return self.empty_reference(wanted.names)

    def value_from_xml(self, wanted: TypeValue, text: str) -> Any:
        """``XMLЗначение`` for types of the configuration: a reference by its identifier, an enumeration's value by its name;
        raises ``argument_value`` for anything else."""
        table = self.by_type.get(wanted.names)
        if table is None:
            raise BslRuntimeError("argument_value", number=1)
        if table.meta.kind.key == "enum":
            return table.predefined.get(text.lower(), table.empty)
        try:
            return table.by_uuid(uuid.UUID(text))
        except ValueError:
            raise BslRuntimeError("argument_value", number=2) from None

    def fit(self, types: TypeDescription, value: Any, rt: Any = None) -> Any:
        """``value`` as a field of these types keeps it."""
        return self.fitter.fit(types, value, rt)

    def default(self, types: TypeDescription) -> Any:
        return self.fitter.default(types)

    def blank(self, meta: MetadataObject) -> list[Any]:
        """A new row of default values of the object's main table."""
        row = self._blanks.get(meta.path)
        if row is None:
            row = self._blanks[meta.path] = [self.fitter.default(item.types) for item in meta.fields]
        return row[:]

    def predefined_value(self, path: str) -> Any:
        """What ``ЗНАЧЕНИЕ(path)`` and ``ПредопределенноеЗначение(path)`` stand for: an enumeration's value, a predefined
        item, an empty reference, a value of a system enumeration. Raises :class:`KeyError` if there is none."""
        parts = [part.strip() for part in path.split(".")]
        if len(parts) == 2:
            value = system_enum_value(path)
            if value is None:
                raise KeyError(path)
            return value
        if len(parts) != 3:
            raise KeyError(path)
        meta = self.configuration.find_path(f"{parts[0]}.{parts[1]}")
        if meta is None or not meta.kind.has_references:
            raise KeyError(path)
        table = self.references[meta.path]
        name = parts[2].lower()
        return table.empty if name in EMPTY_REFERENCE else table.predefined[name]

    def next_code(self, table: ReferenceTable) -> Any:
        """The next automatic code or number of a table, in the form its metadata asks for."""
        number = self.last_codes.get(table.path, 0) + 1
        self.note_code(table, number)
        if table.meta.code_is_number:
            return number
        return str(number).zfill(table.meta.code_length)

    def note_code(self, table: ReferenceTable, code: Any) -> None:
        """Remember a code in use, so that automatic ones go on after it."""
        if type(code) is str:
            code = int(code) if code.strip().isdecimal() else 0
        previous = self.last_codes.get(table.path, 0)
        if isinstance(code, int) and code > previous:
            self.journal.append((self.last_codes.__setitem__, (table.path, previous)))
            self.last_codes[table.path] = code

    def set_constant(self, name: str, value: Any) -> None:
        self.journal.append((self.constants.__setitem__, (name, self.constants[name])))
        self.constants[name] = value

    # -- undo --------------------------------------------------------------------------------------------------------------

    def savepoint(self) -> int:
        """Begin a state to come back to; gives its mark."""
        self.savepoints.append(len(self.journal))
        self.read_objects.clear()
        return len(self.savepoints)

    def rollback(self) -> None:
        """Put back everything since the last savepoint, which stays (call again for the next test)."""
        self.undo_to(self.savepoints[-1] if self.savepoints else 0)
        self.transactions = Transactions()
        self.read_objects.clear()

    def release(self) -> None:
        """Forget the last savepoint after rolling back to it."""
        self.rollback()
        self.savepoints.pop()

    def undo_to(self, mark: int) -> None:
        journal = self.journal
        while len(journal) > mark:
            undo, arguments = journal.pop()
            undo(*arguments)

    def check_transaction(self) -> None:
        """Before any work with data: raises where an error has already happened in the open transaction."""
        if self.transactions.broken:
            raise BslRuntimeError("database", "В данной транзакции уже происходили ошибки!")

    def begin_transaction(self) -> None:
        self.transactions.marks.append(len(self.journal))

    def commit_transaction(self) -> None:
        """Raises :class:`IndexError` outside a transaction."""
        if self.transactions.broken:
            self.check_transaction()
        self.transactions.marks.pop()

    def cancel_transaction(self) -> None:
        """Undo the innermost transaction; raises :class:`IndexError` outside one."""
        self.undo_to(self.transactions.marks.pop())
        if not self.transactions.marks:
            self.transactions.broken = False
        self.read_objects.clear()

    # -- accesses ----------------------------------------------------------------------------------------------------------

    def count_access(self, operation: str, table: str = "") -> None:
        """Count one operation (a key of ``access.OPERATION_COST``) on the table with this canonical path."""
        self.counters.count(operation, table)

    def touch(self, ref: Reference) -> None:
        """Reading ``ref`` as an object: one access, unless it is in the object cache."""
        if ref.id and ref not in self.read_objects:
            self.read_objects.add(ref)
            self.counters.count("object")

    def reset_counters(self) -> None:
        """Start a measurement: counts at zero, object cache empty."""
        self.counters.reset()
        self.read_objects.clear()

    # -- relations for queries -----------------------------------------------------------------------------------------------

    def relation(self, path: str) -> StoredRelation | VirtualTable | None:
        """The table named ``Справочник.X``, ``Document.X.Section``, ``РегистрНакопления.X.Остатки`` … (any case, either
        language); None if there is no such table. The same name gives the same object."""
        key = path.lower()
        if key not in self._relations:
            self._relations[key] = self._find_relation(path)
        return self._relations[key]

    def _find_relation(self, path: str) -> StoredRelation | VirtualTable | None:
        parts = [part.strip() for part in path.split(".")]
        if len(parts) == 1:
            return self._constants_relation() if parts[0].lower() in ("константы", "constants") else None
        kind = KIND_BY_NAME.get(parts[0].lower())
        meta = self.configuration.find(kind.key, parts[1]) if kind else None
        if meta is None or len(parts) > 3:
            return None
        if len(parts) == 3:
            return self._inner_relation(meta, parts[2])
        if meta.path in self.references:
            return self._reference_relation(self.references[meta.path])
        if meta.path in self.registers:
            return self._register_relation(self.registers[meta.path])
        return self._constant_relation(meta)

    def _inner_relation(self, meta: MetadataObject, name: str) -> StoredRelation | VirtualTable | None:
        if meta.path in self.registers:
            from scoring.engine.registers.tables import virtual_table

            return virtual_table(self, self.registers[meta.path], name)
        if meta.path not in self.references:
            return None
        section = meta.section(name)
        if section is None:
            return None
        table = SectionTable(self.references[meta.path], section, meta.sections.index(section))
        return StoredRelation(table.path, field_infos(section.fields), table, table.rows)

    def _reference_relation(self, table: ReferenceTable) -> StoredRelation:
        meta = table.meta
        fields = field_infos(meta.fields)
        for number, section in enumerate(meta.sections):
            fields.append(
                FieldInfo(
                    section.name,
                    section.english,
                    None,
                    nested=f"{meta.path}.{section.name}",
                    compute=_section_reader(number),
                )
            )
        if meta.kind.key == "document":
            place = meta.positions["дата"]
            fields.append(
                FieldInfo("МоментВремени", "PointInTime", POINT_TYPE, compute=lambda row: PointInTime(row[place], row[0]))
            )
        fields.append(FieldInfo("Представление", "Presentation", string_type(0), compute=lambda row: presentation_of(row[0])))
        return StoredRelation(meta.path, fields, table, table.rows)

    def _register_relation(self, table: RegisterTable) -> StoredRelation:
        fields = field_infos(table.meta.fields)
        if table.recorder >= 0 and table.period >= 0:
            period, recorder = table.period, table.recorder
            fields.append(
                FieldInfo(
                    "МоментВремени",
                    "PointInTime",
                    POINT_TYPE,
                    compute=lambda row: PointInTime(row[period], row[recorder]),
                )
            )
        return StoredRelation(table.path, fields, table, table.rows)

    def _constant_relation(self, meta: MetadataObject) -> StoredRelation:
        return StoredRelation(meta.path, field_infos(meta.fields), None, lambda: [(self.constants[meta.name],)])

    def _constants_relation(self) -> StoredRelation:
        metas = self.configuration.of_kind("constant")
        fields = [FieldInfo(meta.name, meta.name, meta.value_type) for meta in metas]
        return StoredRelation("Константы", fields, None, lambda: [tuple(self.constants[meta.name] for meta in metas)])


def field_infos(fields: Iterable[Field]) -> list[FieldInfo]:
    return [FieldInfo(item.name, item.english, item.types, is_dimension=item.role == DIMENSION) for item in fields]


def _section_reader(number: int) -> Callable[[Sequence[Any]], Sequence[Row]]:
    def read(row: Sequence[Any]) -> Sequence[Row]:
        ref = row[0]
        return ref.sections[number] if ref.sections else ()

    return read


def read_attribute(ref: Reference, place: int, default: Any) -> Any:
    """An attribute as the object model shows it: the default where the row is missing or holds NULL."""
    value = ref.value(place)
    return default if value is NULL else value
