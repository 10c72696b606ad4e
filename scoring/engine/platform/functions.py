"""Functions of the global context that work with the database, and values that go with them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from scoring.engine.errors import NotSupported
from scoring.engine.platform.collections import database_of
from scoring.engine.platform.faults import context_error
from scoring.engine.storage.presentations import presentation_of
from scoring.engine.storage.references import Reference
from scoring.engine.values.members import ONEC, builtin, constructor, member
from scoring.engine.values.model import MISSING, NULL, BslObject
from scoring.engine.values.numbers import onec_normal, plain_text

NO_TRANSACTION = "Транзакция не начата"


@builtin("НачатьТранзакцию", "BeginTransaction", procedure=True, dialects=(ONEC,))
def begin_transaction(rt: Any, mode: Any = MISSING) -> None:
    database_of(rt, "НачатьТранзакцию").begin_transaction()


@builtin("ЗафиксироватьТранзакцию", "CommitTransaction", procedure=True, dialects=(ONEC,))
def commit_transaction(rt: Any) -> None:
    try:
        database_of(rt, "ЗафиксироватьТранзакцию").commit_transaction()
    except IndexError:
        raise context_error("ЗафиксироватьТранзакцию", NO_TRANSACTION) from None


@builtin("ОтменитьТранзакцию", "RollbackTransaction", procedure=True, dialects=(ONEC,))
def cancel_transaction(rt: Any) -> None:
    try:
        database_of(rt, "ОтменитьТранзакцию").cancel_transaction()
    except IndexError:
        raise context_error("ОтменитьТранзакцию", NO_TRANSACTION) from None


@builtin("ТранзакцияАктивна", "TransactionActive", dialects=(ONEC,))
def transaction_active(rt: Any) -> bool:
    return bool(database_of(rt, "ТранзакцияАктивна").transactions.marks)


@builtin("ПредопределенноеЗначение", "PredefinedValue", dialects=(ONEC,))
def predefined_value(rt: Any, path: Any) -> Any:
    text = rt.text(path)
    try:
        return database_of(rt, "ПредопределенноеЗначение").predefined_value(text)
    except KeyError:
        raise context_error("ПредопределенноеЗначение", f"Неверное имя предопределенного значения: {text}") from None


@builtin("ПолучитьПолноеИмяПредопределенногоЗначения", "GetPredefinedValueFullName", dialects=(ONEC,))
def predefined_value_name(rt: Any, value: Any) -> str:
    """What ``ПредопределенноеЗначение`` would take for the value; empty for what is not predefined."""
    if not isinstance(value, Reference):
        raise context_error("ПолучитьПолноеИмяПредопределенногоЗначения", "Несоответствие типов (параметр номер '1')")
    meta = value.table.meta
    if value.is_empty():
        return f"{meta.path}.ПустаяСсылка"
    if meta.kind.key == "enum":
        return f"{meta.path}.{presentation_of(value)}"
    place = meta.positions.get("имяпредопределенныхданных")
    name = rt.text(value.value(place)) if place is not None else ""
    return f"{meta.path}.{name}" if name else ""


@builtin("УстановитьПривилегированныйРежим", "SetPrivilegedMode", procedure=True, dialects=(ONEC,))
def set_privileged_mode(rt: Any, use: Any) -> None:
    return None


@builtin("ПривилегированныйРежим", "PrivilegedMode", dialects=(ONEC,))
def privileged_mode(rt: Any) -> bool:
    return False


@builtin("РольДоступна", "IsInRole", dialects=(ONEC,))
def is_in_role(rt: Any, role: Any) -> bool:
    return True


@builtin("ПравоДоступа", "AccessRight", dialects=(ONEC,))
def access_right(rt: Any, right: Any, metadata: Any, *narrowed: Any) -> bool:
    return True


@builtin("ЗаписьЖурналаРегистрации", "WriteLogEvent", procedure=True, dialects=(ONEC,))
def write_log_event(rt: Any, *arguments: Any) -> None:
    return None


@builtin("ИмяПользователя", "UserName", dialects=(ONEC,))
def user_name(rt: Any) -> str:
    return ""


@builtin("ПолноеИмяПользователя", "UserFullName", dialects=(ONEC,))
def user_full_name(rt: Any) -> str:
    return ""


@builtin("ТекущийКодЛокализации", "CurrentLocaleCode", dialects=(ONEC,))
def current_locale(rt: Any) -> str:
    return "ru"


@builtin("ЗначениеВСтрокуВнутр", "ValueToStringInternal", dialects=(ONEC,))
def value_to_internal_string(rt: Any, value: Any) -> str:
    """The inner form of simple values and references: programs make keys of it. Identifiers of types are this engine's own, as
    those of a database are; collections raise NotSupported."""
    kind = type(value)
    if value is None:
        return '{"U"}'
    if value is NULL:
        return '{"L"}'
    if kind is bool:
        return f'{{"B",{int(value)}}}'
    if kind is int or kind is Decimal:
        return f'{{"N",{plain_text(onec_normal(value))}}}'
    if kind is str:
        return '{"S","' + value.replace('"', '""') + '"}'
    if kind is datetime:
        return f'{{"D",{value:%Y%m%d%H%M%S}}}'.replace('"D",', '"D",' + "0" * (4 - len(f"{value:%Y}")))
    if isinstance(value, Reference):
        owner = uuid5(NAMESPACE_OID, value.table.meta.path)
        return f'{{"#",{owner},{value.uuid.hex if value.id else "0" * 32}}}'
    raise NotSupported("ЗначениеВСтрокуВнутр of a collection")


class ValueStorage(BslObject):
    """``ХранилищеЗначения``: any value, given back as it was."""

    type_name = ("ХранилищеЗначения", "ValueStorage")

    def __init__(self, value: Any) -> None:
        self.value = value

    @member("Получить", "Get")
    def get(self, rt: Any) -> Any:
        return self.value


@constructor("ХранилищеЗначения", "ValueStorage", dialects=(ONEC,))
def new_value_storage(rt: Any, value: Any = None, compression: Any = MISSING) -> ValueStorage:
    return ValueStorage(None if value is MISSING else value)
