"""A dump by the word of BSL Language Server itself: does it know every table, and what may be called from where?

The candidate's module becomes a probe: one query for every table of the specification, which the server must know, and beside
each kind one for a table that is not there, which it must report; the same with methods of common modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring.instruments.bsl_ls import BslLanguageServer
from scoring.instruments.onec_docker import modules
from scoring.instruments.onec_docker.dump import assemble, write_dump

MISSING_TABLE, MISSING_METHOD, CALLED_FROM_CLIENT = "QueryToMissingMetadata", "MissingCommonModuleMethod", "CommonModuleNameServerCall"
# No object of a task is called so.
_ABSENT = "ТакогоОбъектаНет"
_TABLES = {
    "constants": "Константа", "catalogs": "Справочник", "documents": "Документ", "enums": "Перечисление",
    "chart_of_characteristic_types": "ПланВидовХарактеристик", "charts_of_accounts": "ПланСчетов",
    "information_registers": "РегистрСведений", "accumulation_registers": "РегистрНакопления",
    "accounting_registers": "РегистрБухгалтерии",
}  # fmt: skip
TESTS_STUB = "Процедура НачатьСеанс(Режим) Экспорт\nКонецПроцедуры\n"


def probe_module(specification: Mapping[str, Any]) -> tuple[str, set[tuple[str, int]]]:
    """The probe, and what must be said of it: (diagnostic, line)."""
    lines, expected = ["Процедура Проба() Экспорт", "\tЗапрос = Новый Запрос;"], set()
    for section, word in _TABLES.items():
        for name in (*(specification.get(section) or {}), _ABSENT):
            lines.append(f'\tЗапрос.Текст = "ВЫБРАТЬ Т.* ИЗ {word}.{name} КАК Т";')
            if name == _ABSENT:
                expected.add((MISSING_TABLE, len(lines)))
    lines.append(f'\t{modules.TESTS}.НачатьСеанс("");')
    lines.append(f"\t{modules.TESTS}.{_ABSENT}();")
    expected.add((MISSING_METHOD, len(lines)))
    return "\n".join([*lines, "КонецПроцедуры", ""]), expected


def probe(server: BslLanguageServer, specification: Mapping[str, Any], folder: Path) -> list[str]:
    """What the server does not see as it should, in a dump written to ``folder``. Raises ``ReportBroken``."""
    text, expected = probe_module(specification)
    write_dump(assemble(specification, {modules.CANDIDATE: (False, text), modules.TESTS: (True, TESTS_STUB)}, modules.START), folder)
    found = server.in_configuration(folder, (MISSING_TABLE, MISSING_METHOD, CALLED_FROM_CLIENT))
    said = {(entry.code, entry.line) for entry in found.get(f"CommonModule.{modules.CANDIDATE}", ())}
    lines = text.split("\n")
    faults = [f"{code} not reported: {lines[line - 1].strip()}" for code, line in sorted(expected - said)]
    faults += [f"{code} reported: {lines[line - 1].strip()}" for code, line in sorted(said - expected)]
    called = {entry.code for entry in found.get(f"CommonModule.{modules.TESTS}", ())}
    if CALLED_FROM_CLIENT not in called:
        faults.append(f"{modules.TESTS} is not seen as callable from the client")
    return faults
