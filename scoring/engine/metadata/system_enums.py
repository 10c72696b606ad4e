"""System enumerations that metadata, registers and queries need: ``ВидДвиженияНакопления``, ``ВидСчета`` …

Values are those of ``values.enums``; queries reach them by ``ЗНАЧЕНИЕ(ВидДвиженияНакопления.Приход)``.
"""

from __future__ import annotations

from scoring.engine.metadata.kinds import Names
from scoring.engine.values.enums import EnumType, EnumValue, define_enum
from scoring.engine.values.members import ONEC

# name pair → value pairs, in the platform's order (comparison and ordering in queries go by it)
SYSTEM_ENUMS: dict[Names, tuple[Names, ...]] = {
    ("ВидДвиженияНакопления", "AccumulationRecordType"): (("Приход", "Receipt"), ("Расход", "Expense")),
    ("ВидДвиженияБухгалтерии", "AccountingRecordType"): (("Дебет", "Debit"), ("Кредит", "Credit")),
    ("ВидСчета", "AccountType"): (
        ("Активный", "Active"),
        ("Пассивный", "Passive"),
        ("АктивноПассивный", "ActivePassive"),
    ),
    ("РежимЗаписиДокумента", "DocumentWriteMode"): (
        ("Запись", "Write"),
        ("Проведение", "Posting"),
        ("ОтменаПроведения", "UndoPosting"),
    ),
    ("РежимПроведенияДокумента", "DocumentPostingMode"): (
        ("Неоперативный", "Regular"),
        ("Оперативный", "RealTime"),
    ),
    ("ВидГраницы", "BoundaryType"): (("Включая", "Including"), ("Исключая", "Excluding")),
    ("РежимУправленияБлокировкойДанных", "DataLockControlMode"): (
        ("Автоматический", "Automatic"),
        ("Управляемый", "Managed"),
        ("АвтоматическийИУправляемый", "AutomaticAndManaged"),
    ),
    ("РежимБлокировкиДанных", "DataLockMode"): (("Разделяемый", "Shared"), ("Исключительный", "Exclusive")),
    ("ИспользованиеГруппИЭлементов", "FoldersAndItemsUse"): (
        ("Группы", "Folders"),
        ("ГруппыИЭлементы", "FoldersAndItems"),
        ("Элементы", "Items"),
    ),
}


SYSTEM_ENUM: dict[str, EnumType] = {}
for _names, _values in SYSTEM_ENUMS.items():
    SYSTEM_ENUM[_names[0].lower()] = SYSTEM_ENUM[_names[1].lower()] = define_enum(*_names, list(_values), dialects=(ONEC,))

RECEIPT, EXPENSE = SYSTEM_ENUM["виддвижениянакопления"].values
DEBIT, CREDIT = SYSTEM_ENUM["виддвижениябухгалтерии"].values
ACTIVE, PASSIVE, ACTIVE_PASSIVE = SYSTEM_ENUM["видсчета"].values
WRITE, POSTING, UNDO_POSTING = SYSTEM_ENUM["режимзаписидокумента"].values
POSTING_MODES = tuple(SYSTEM_ENUM["режимпроведениядокумента"].values)
INCLUDING, EXCLUDING = SYSTEM_ENUM["видграницы"].values


def system_enum_value(path: str) -> EnumValue | None:
    """The value named by ``ВидСчета.Активный`` (either language, any case), or None."""
    enum_name, _, value_name = path.partition(".")
    enum = EnumType.all.get(enum_name.strip().lower())
    return enum.by_name.get(value_name.strip().lower()) if enum else None
