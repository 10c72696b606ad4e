"""Which virtual tables each kind of register has, under both names."""

from __future__ import annotations

from scoring.engine.metadata.kinds import Names
from scoring.engine.registers.accounting import (
    AccountBalances,
    AccountBalancesAndTurnovers,
    AccountTurnovers,
)
from scoring.engine.registers.accumulation import Balances, BalancesAndTurnovers, Turnovers
from scoring.engine.registers.computed import ComputedTable
from scoring.engine.registers.entries import (
    DebitCreditTurnovers,
    RecordsWithExtDimensions,
    ext_dimension_relation,
)
from scoring.engine.registers.information import FirstSlice, LastSlice
from scoring.engine.storage.database import Database, StoredRelation
from scoring.engine.storage.registertables import RegisterTable

ENGLISH: dict[str, str] = {
    "Остатки": "Balance",
    "Обороты": "Turnovers",
    "ОстаткиИОбороты": "BalanceAndTurnovers",
    "СрезПоследних": "SliceLast",
    "СрезПервых": "SliceFirst",
    "ОборотыДтКт": "DrCrTurnovers",
    "ДвиженияССубконто": "RecordsWithExtDimensions",
}
EXT_DIMENSIONS: Names = ("субконто", "extdimensions")

BALANCE_REGISTER: tuple[type[ComputedTable], ...] = (Balances, Turnovers, BalancesAndTurnovers)
TURNOVER_REGISTER: tuple[type[ComputedTable], ...] = (Turnovers,)
PERIODIC_REGISTER: tuple[type[ComputedTable], ...] = (LastSlice, FirstSlice)
ACCOUNTING_REGISTER: tuple[type[ComputedTable], ...] = (
    AccountBalances,
    AccountTurnovers,
    AccountBalancesAndTurnovers,
    RecordsWithExtDimensions,
)


def classes_of(table: RegisterTable) -> tuple[type[ComputedTable], ...]:
    """The virtual tables that this register has."""
    meta = table.meta
    if meta.kind.key == "accumulation":
        return BALANCE_REGISTER if meta.is_balance else TURNOVER_REGISTER
    if meta.kind.key == "information":
        return PERIODIC_REGISTER if meta.periodicity else ()
    return (*ACCOUNTING_REGISTER, DebitCreditTurnovers) if meta.correspondence else ACCOUNTING_REGISTER


def virtual_table(database: Database, table: RegisterTable, name: str) -> ComputedTable | StoredRelation | None:
    """The virtual table ``name`` (either language, any case) of a register; None if it has none such."""
    wanted = name.lower()
    for cls in classes_of(table):
        if wanted in (cls.suffix.lower(), ENGLISH[cls.suffix].lower()):
            return cls(table)
    if table.meta.kind.key == "accounting" and wanted in EXT_DIMENSIONS:
        return ext_dimension_relation(database, table)
    return None
