"""Standard attributes of every kind, under both names, in the order in which tables store them."""

from __future__ import annotations

from scoring.engine.metadata.kinds import Names
from scoring.engine.metadata.objects import STANDARD, Field, MetadataObject
from scoring.engine.metadata.types import (
    BOOLEAN_TYPE,
    DATE_TYPE,
    TypeDescription,
    number_type,
    string_type,
)

ACCUMULATION_RECORD_TYPE: Names = ("ВидДвиженияНакопления", "AccumulationRecordType")
ACCOUNTING_RECORD_TYPE: Names = ("ВидДвиженияБухгалтерии", "AccountingRecordType")
ACCOUNT_TYPE: Names = ("ВидСчета", "AccountType")
TYPE_DESCRIPTION: Names = ("ОписаниеТипов", "TypeDescription")

DOCUMENT_NUMBER_LENGTH = 9
LINE_NUMBER_TYPE = number_type(5)
RECORD_NUMBER_TYPE = number_type(9)


def standard(name: str, english: str, types: TypeDescription) -> Field:
    return Field(name, english, types, STANDARD)


def of_types(*names: Names) -> TypeDescription:
    return TypeDescription(tuple(names))


def _reference(obj: MetadataObject) -> list[Field]:
    return [
        standard("Ссылка", "Ref", of_types(obj.ref_names)),
        standard("ПометкаУдаления", "DeletionMark", BOOLEAN_TYPE),
    ]


def _code_and_description(obj: MetadataObject) -> list[Field]:
    code = number_type(obj.code_length) if obj.code_is_number else string_type(obj.code_length)
    return [
        standard("Код", "Code", code),
        standard("Наименование", "Description", string_type(obj.description_length)),
    ]


def _hierarchy(obj: MetadataObject) -> list[Field]:
    fields = []
    if obj.hierarchical:
        fields.append(standard("Родитель", "Parent", of_types(obj.ref_names)))
        if obj.folders:
            fields.append(standard("ЭтоГруппа", "IsFolder", BOOLEAN_TYPE))
    return fields


def _predefined() -> list[Field]:
    return [
        standard("Предопределенный", "Predefined", BOOLEAN_TYPE),
        standard("ИмяПредопределенныхДанных", "PredefinedDataName", string_type(256)),
    ]


def _version() -> list[Field]:
    return [standard("ВерсияДанных", "DataVersion", string_type(12))]


def catalog_fields(obj: MetadataObject) -> list[Field]:
    owner = [standard("Владелец", "Owner", TypeDescription(obj.owners))] if obj.owners else []
    return _reference(obj) + owner + _hierarchy(obj) + _code_and_description(obj) + _predefined() + _version()


def document_fields(obj: MetadataObject) -> list[Field]:
    return [
        *_reference(obj),
        standard("Дата", "Date", DATE_TYPE),
        standard("Номер", "Number", string_type(DOCUMENT_NUMBER_LENGTH)),
        standard("Проведен", "Posted", BOOLEAN_TYPE),
        *_version(),
    ]


def enum_fields(obj: MetadataObject) -> list[Field]:
    return [
        standard("Ссылка", "Ref", of_types(obj.ref_names)),
        standard("Порядок", "Order", number_type(9)),
    ]


def characteristics_fields(obj: MetadataObject) -> list[Field]:
    value_type = standard("ТипЗначения", "ValueType", of_types(TYPE_DESCRIPTION))
    return [
        *_reference(obj),
        *_hierarchy(obj),
        *_code_and_description(obj),
        value_type,
        *_predefined(),
        *_version(),
    ]


def accounts_fields(obj: MetadataObject) -> list[Field]:
    return [
        *_reference(obj),
        standard("Родитель", "Parent", of_types(obj.ref_names)),
        *_code_and_description(obj),
        standard("Порядок", "Order", string_type(max(obj.code_length, 20))),
        standard("Вид", "Type", of_types(ACCOUNT_TYPE)),
        standard("Забалансовый", "OffBalance", BOOLEAN_TYPE),
        *_predefined(),
        *_version(),
    ]


def section_fields(owner: Names) -> list[Field]:
    """The first two fields of every tabular section's table."""
    return [
        standard("Ссылка", "Ref", of_types(owner)),
        standard("НомерСтроки", "LineNumber", LINE_NUMBER_TYPE),
    ]


def ext_dimension_fields(kinds: Names) -> list[Field]:
    """The fields of ``ВидыСубконто`` of a chart of accounts."""
    return [
        standard("ВидСубконто", "ExtDimensionType", of_types(kinds)),
        standard("Предопределенное", "Predefined", BOOLEAN_TYPE),
        standard("ТолькоОбороты", "TurnoversOnly", BOOLEAN_TYPE),
    ]


PERIOD = standard("Период", "Period", DATE_TYPE)
LINE_NUMBER = standard("НомерСтроки", "LineNumber", RECORD_NUMBER_TYPE)
ACTIVE = standard("Активность", "Active", BOOLEAN_TYPE)


def recorder(obj: MetadataObject) -> Field:
    return standard("Регистратор", "Recorder", TypeDescription(obj.recorders))


def recorded_fields(obj: MetadataObject) -> list[Field]:
    """Period, recorder, line and activity, which every record written by a document begins with."""
    return [PERIOD, recorder(obj), LINE_NUMBER, ACTIVE]


def accumulation_fields(obj: MetadataObject) -> list[Field]:
    kind = [standard("ВидДвижения", "RecordType", of_types(ACCUMULATION_RECORD_TYPE))] if obj.is_balance else []
    return recorded_fields(obj) + kind


def information_fields(obj: MetadataObject) -> list[Field]:
    if obj.subordinate:
        fields = recorded_fields(obj)
        return fields if obj.periodicity else fields[1:]
    return [PERIOD] if obj.periodicity else []


def accounting_fields(obj: MetadataObject, accounts: Names) -> list[Field]:
    account = of_types(accounts)
    if obj.correspondence:
        return [
            *recorded_fields(obj),
            standard("СчетДт", "AccountDr", account),
            standard("СчетКт", "AccountCr", account),
        ]
    return [
        *recorded_fields(obj),
        standard("ВидДвижения", "RecordType", of_types(ACCOUNTING_RECORD_TYPE)),
        standard("Счет", "Account", account),
    ]
