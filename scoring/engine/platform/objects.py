"""Objects: what ``ПолучитьОбъект`` and ``Создать…`` give; filled in memory, written as a whole."""

from __future__ import annotations

from typing import Any, ClassVar

from scoring.engine.collections import new_structure
from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.system_enums import POSTING, POSTING_MODES, UNDO_POSTING, WRITE
from scoring.engine.platform import known_members
from scoring.engine.platform.faults import context_error, read_only, wrong_argument
from scoring.engine.platform.known_members import refuse_known
from scoring.engine.platform.named import NamedFields
from scoring.engine.platform.sections import TabularSection
from scoring.engine.storage.moments import PointInTime
from scoring.engine.storage.presentations import presentation_of
from scoring.engine.storage.references import Reference, ReferenceTable, folded
from scoring.engine.values.members import member, prop
from scoring.engine.values.model import EMPTY_DATE, MISSING, NULL, BslObject

UNIMPLEMENTED = known_members.names(known_members.STORED_OBJECT)
MARKED = "Помеченный на удаление документ не может быть проведен!"
READ_ONLY = frozenset({"ссылка", "этогруппа", "предопределенный", "версияданных"})


class DataExchange(BslObject):
    """``ОбменДанными``: flags that only matter to event handlers, which no specification has."""

    type_name = ("ПараметрыОбменаДанными", "DataExchangeParameters")

    def __init__(self) -> None:
        self.load = False

    def _set_load(self, rt: Any, value: Any) -> None:
        self.load = rt.boolean(value)

    @prop("Загрузка", "Load", writable=_set_load)
    def get_load(self, rt: Any) -> bool:
        return self.load


class StoredObject(NamedFields):
    """An object in memory. ``values`` stand in the order of the metadata's fields; ``ref`` is None until it is known."""

    code_name: ClassVar[str] = "код"

    def __init__(self, rt: Any, table: ReferenceTable, ref: Reference | None = None, folder: bool = False) -> None:
        self.table = table
        self.meta = table.meta
        self.database = table.database
        self.ref = ref
        self.is_new = ref is None or ref.row is None
        self.modified = self.is_new
        self.extra = new_structure()
        self.exchange = DataExchange()
        self.values: list[Any] = self.database.blank(self.meta)
        self.sections = [TabularSection(rt, self.database, self.meta, section) for section in self.meta.sections]
        place = self.meta.positions.get("этогруппа")
        if place is not None:
            self.values[place] = folder
        if not self.is_new:
            self.read(rt)

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return self.meta.kind.type_names("Object", self.meta.name)

    def presentation(self, rt: Any) -> str:
        return presentation_of(self.ref) if self.ref is not None and self.ref.row is not None else ""

    def is_filled(self, rt: Any) -> bool:
        return True

    # -- fields ------------------------------------------------------------------------------------------------------------

    def get(self, name: str) -> Any:
        """The value of a field by its Russian name."""
        return self.values[self.meta.positions[name.lower()]]

    def put(self, name: str, value: Any) -> None:
        self.values[self.meta.positions[name.lower()]] = value

    def get_property(self, rt: Any, name: str) -> Any:
        place = self.meta.positions.get(name.lower())
        if place is not None:
            return self.values[place] if place else (self.ref if not self.is_new else self.table.empty)
        section = self.meta.section(name)
        if section is not None:
            return self.sections[self.meta.sections.index(section)]
        return super().get_property(rt, name)

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        place = self.meta.positions.get(name.lower())
        if place is None:
            if self.meta.section(name) is not None:
                raise read_only(self, name)
            super().set_property(rt, name, value)
            return
        item = self.meta.fields[place]
        if item.name.lower() in READ_ONLY:
            raise read_only(self, name)
        self.values[place] = self.database.fit(item.types, value, rt)
        self.modified = True

    def property_names(self, rt: Any) -> list[str]:
        return [item.name for item in self.meta.fields] + [item.name for item in self.meta.sections]

    @prop("ДополнительныеСвойства", "AdditionalProperties")
    def get_extra(self, rt: Any) -> Any:
        return self.extra

    @prop("ОбменДанными", "DataExchange")
    def get_exchange(self, rt: Any) -> Any:
        return self.exchange

    def find_method(self, rt: Any, name: str) -> Any:
        if name.lower() not in self.bsl_methods:
            refuse_known(UNIMPLEMENTED, name, self.type_name[0])
        return super().find_method(rt, name)

    # -- reading and writing -------------------------------------------------------------------------------------------------

    @member("Прочитать", "Read", procedure=True)
    def read(self, rt: Any) -> None:
        if self.ref is None or self.ref.row is None:
            raise context_error("Прочитать", "Объект не найден")
        blank = self.database.blank(self.meta)
        self.values = [empty if value is NULL else value for value, empty in zip(self.ref.row, blank, strict=True)]
        for section, rows in zip(self.sections, self.ref.sections, strict=True):
            section.read_from(rows)
        self.modified = False

    def write_now(self, rt: Any, method: str = "Записать") -> Reference:
        """Write the object; gives its reference. Raises where a code or a number is taken."""
        database = self.database
        database.check_transaction()
        ref = self.ref or self.table.new_reference()
        self.fill_code(ref, method)
        self.values[0] = ref
        sections = tuple(section.stored_rows(ref) for section in self.sections)
        self.table.store(ref, tuple(self.stored_values()), sections)
        database.counters.count("write")
        self.ref, self.is_new, self.modified = ref, False, False
        return ref

    def stored_values(self) -> list[Any]:
        """The row as stored: attributes of items are NULL in folders."""
        place = self.meta.positions.get("этогруппа")
        if place is None or not self.values[place]:
            return self.values
        own = {self.meta.positions[item.name.lower()] for item in self.meta.attributes}
        return [NULL if number in own else value for number, value in enumerate(self.values)]

    def fill_code(self, ref: Reference, method: str) -> None:
        """Give an empty code its number in turn; refuse one that something else has."""
        place = self.meta.positions[self.code_name]
        code = self.values[place]
        if code in (0, "") or (type(code) is str and not code.strip()):
            if self.is_new:
                self.values[place] = self.database.next_code(self.table)
            return
        taken = self.table.index(place).get(folded(code), ())
        if any(other is not ref for other in taken):
            name = self.meta.fields[place].name
            self.database.transactions.fail()
            raise context_error(method, f'Значение поля "{name}" не уникально')
        self.database.note_code(self.table, code)

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any) -> None:
        self.write_now(rt)

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Any) -> None:
        if self.ref is None or self.is_new:
            raise context_error("Удалить", "Объект не записан")
        self.database.check_transaction()
        self.remove_dependents()
        self.table.delete(self.ref)
        self.is_new = True

    def remove_dependents(self) -> None:
        """What goes with the object when it is deleted."""

    @member("УстановитьПометкуУдаления", "SetDeletionMark", procedure=True)
    def set_deletion_mark(self, rt: Any, mark: Any = MISSING, subordinate: Any = MISSING) -> None:
        marked = mark is MISSING or rt.boolean(mark)
        self.put("ПометкаУдаления", marked)
        self.write_now(rt, "УстановитьПометкуУдаления")
        self.after_mark(rt, marked, subordinate is MISSING or rt.boolean(subordinate))

    def after_mark(self, rt: Any, marked: bool, below: bool) -> None:
        """What a mark of deletion brings about besides itself."""

    @member("ЭтоНовый", "IsNew")
    def check_new(self, rt: Any) -> bool:
        return self.is_new

    @member("Модифицированность", "Modified")
    def check_modified(self, rt: Any) -> bool:
        return self.modified or any(section.modified for section in self.sections)

    @member("Метаданные", "Metadata")
    def metadata(self, rt: Any) -> Any:
        from scoring.engine.platform.metadatatree import metadata_of

        return metadata_of(self.database, self.meta)

    @member("Скопировать", "Copy")
    def copy(self, rt: Any) -> StoredObject:
        result = type(self)(rt, self.table)
        result.values = list(self.values)
        result.put(self.code_name, self.database.default(self.meta.fields[self.meta.positions[self.code_name]].types))
        for target, source in zip(result.sections, self.sections, strict=True):
            target.load_rows([list(row.cells) for row in source.items])
        return result

    @member("ПолучитьСсылкуНового", "GetNewObjectRef")
    def new_object_ref(self, rt: Any) -> Any:
        return self.ref if self.is_new and self.ref is not None else self.table.empty

    @member("УстановитьСсылкуНового", "SetNewObjectRef", procedure=True)
    def set_new_object_ref(self, rt: Any, ref: Any) -> None:
        if not isinstance(ref, Reference) or ref.table is not self.table:
            raise wrong_argument(1)
        self.ref = ref

    @member("Заблокировать", "Lock", procedure=True)
    def lock(self, rt: Any) -> None:
        return None

    @member("Разблокировать", "Unlock", procedure=True)
    def unlock(self, rt: Any) -> None:
        return None

    @member("Заблокирован", "IsLocked")
    def is_locked(self, rt: Any) -> bool:
        return False

    @member("ПроверитьЗаполнение", "CheckFilling")
    def check_filling(self, rt: Any) -> bool:
        return True

    @member("Заполнить", "Fill", procedure=True)
    def fill(self, rt: Any, source: Any = MISSING) -> None:
        if source is MISSING or source is None:
            return
        pairs = getattr(source, "pairs", None)
        if pairs is None:
            return
        for name, value in pairs():
            if name.lower() in self.meta.positions:
                self.set_property(rt, name, value)


class CatalogObject(StoredObject):
    """An element or a folder of a catalogue or a chart of characteristic types, an account."""

    def write_now(self, rt: Any, method: str = "Записать") -> Reference:
        place = self.meta.positions.get("родитель")
        if place is not None and self.ref is not None and self.values[place].id:
            if self.values[place] in self.table.subtree(self.ref):
                raise context_error(method, "Элемент не может быть подчинен самому себе")
        return super().write_now(rt, method)

    def after_mark(self, rt: Any, marked: bool, below: bool) -> None:
        """What lies in a folder gets the folder's mark."""
        assert self.ref is not None
        inside = self.table.subtree(self.ref) - {self.ref} if below else set()
        for ref in sorted(inside, key=lambda ref: ref.id):
            found = open_object(rt, ref)
            found.put("ПометкаУдаления", marked)
            found.write_now(rt, "УстановитьПометкуУдаления")

    @member("УстановитьНовыйКод", "SetNewCode", procedure=True)
    def set_new_code(self, rt: Any, prefix: Any = MISSING) -> None:
        code = self.database.next_code(self.table)
        if prefix is not MISSING and type(code) is str:
            text = rt.text(prefix)
            code = text + code[len(text) :]
        self.put("Код", code)

    @member("Уровень", "Level")
    def level(self, rt: Any) -> int:
        return self._as_reference().level(rt)

    @member("ПолноеНаименование", "FullDescr")
    def full_description(self, rt: Any) -> str:
        return self._as_reference().full_description(rt)

    @member("ПолныйКод", "FullCode")
    def full_code(self, rt: Any) -> str:
        return self._as_reference().full_code(rt)

    @member("ПринадлежитЭлементу", "BelongsToItem")
    def belongs(self, rt: Any, other: Any) -> bool:
        return self._as_reference().belongs(rt, other)

    def _as_reference(self) -> Any:
        return self.ref or self.table.empty


class DocumentObject(StoredObject):
    """A document; ``Движения`` are its record sets."""

    code_name = "номер"

    def __init__(self, rt: Any, table: ReferenceTable, ref: Reference | None = None, folder: bool = False) -> None:
        super().__init__(rt, table, ref, folder)
        self._movements: Any = None

    @prop("Движения", "RegisterRecords")
    def movements(self, rt: Any) -> Any:
        if self._movements is None:
            from scoring.engine.platform.movements import Movements

            self._movements = Movements(rt, self)
        return self._movements

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any, mode: Any = MISSING, posting_mode: Any = MISSING) -> None:
        chosen = WRITE if mode is MISSING or mode is None else mode
        if chosen not in (WRITE, POSTING, UNDO_POSTING):
            raise wrong_argument(1)
        if posting_mode is not MISSING and posting_mode is not None and posting_mode not in POSTING_MODES:
            raise wrong_argument(2)
        if chosen is POSTING and self.get("ПометкаУдаления"):
            raise context_error("Записать", MARKED)
        if chosen is not WRITE:
            self.put("Проведен", chosen is POSTING)
        ref = self.write_now(rt)
        if chosen is UNDO_POSTING:
            self.remove_dependents()
        elif self._movements is not None:
            self._movements.write_pending(rt, ref, posting=chosen is POSTING)

    def after_mark(self, rt: Any, marked: bool, below: bool) -> None:
        """A marked document is posted no longer."""
        if marked and self.get("Проведен"):
            self.write(rt, UNDO_POSTING)

    def write_now(self, rt: Any, method: str = "Записать") -> Reference:
        if self.get("Дата") == EMPTY_DATE:
            self.put("Дата", rt.clock.current())
        return super().write_now(rt, method)

    def remove_dependents(self) -> None:
        for register in self.meta.registers:
            table: Any = self.database.registers[register.path]
            if self.ref is not None and table.of_recorder(self.ref):
                table.replace(self.ref, ())

    @member("УстановитьНовыйНомер", "SetNewNumber", procedure=True)
    def set_new_number(self, rt: Any, prefix: Any = MISSING) -> None:
        number = self.database.next_code(self.table)
        if prefix is not MISSING:
            text = rt.text(prefix)
            number = text + number[len(text) :]
        self.put("Номер", number)

    @member("УстановитьВремя", "SetTime", procedure=True)
    def set_time(self, rt: Any, mode: Any = MISSING) -> None:
        return None

    @member("МоментВремени", "PointInTime")
    def point_in_time(self, rt: Any) -> PointInTime:
        return PointInTime(self.get("Дата"), self.ref)


OBJECT_CLASSES: dict[str, type[StoredObject]] = {
    "catalog": CatalogObject,
    "characteristics": CatalogObject,
    "accounts": CatalogObject,
    "document": DocumentObject,
}


def open_object(rt: Any, ref: Reference) -> StoredObject:
    """The object behind a stored reference."""
    return OBJECT_CLASSES[ref.table.meta.kind.key](rt, ref.table, ref)


def create_object(rt: Any, table: ReferenceTable, folder: bool = False) -> StoredObject:
    """A new object, not written yet."""
    return OBJECT_CLASSES[table.meta.kind.key](rt, table, None, folder)
