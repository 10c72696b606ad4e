"""What OneScript has and this engine does not: using it is *not supported*, which is never the program's fault.

For 1C the same is done from the list of its names, see ``platform.lacking``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from scoring.engine.errors import NotSupported
from scoring.engine.values.members import ONESCRIPT, constructor, global_property

_TYPES = """
ПотокВПамяти MemoryStream|ЧтениеДанных DataReader|ЗаписьДанных DataWriter
ПостроительDOM DOMBuilder|ЗаписьDOM DOMWriter|ПреобразованиеXSL XSLTransform|ПараметрыЧтенияXML XMLReaderSettings
ПараметрыЗаписиXML XMLWriterSettings|ПространствоИменXML XMLNamespaceContext|ФабрикаXDTO XDTOFactory
СхемаXML XMLSchema|НаборСхемXML XMLSchemaSet|ПостроительСхемXML XMLSchemaBuilder
Действие Action|Делегат Delegate|БлокировкаРесурса ResourceLock|Рефлектор Reflector
"""
_PROPERTIES = """
ФоновыеЗадания BackgroundJobs|ФайловыеПотоки FileStreams
"""


def _refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(rt: Any, *arguments: Any) -> NoReturn:
        raise NotSupported(name)

    return refuse


def _pairs(table: str) -> list[list[str]]:
    return [pair.split() for pair in table.replace("\n", "|").split("|") if pair.strip()]


for _name, _english in _pairs(_TYPES):
    constructor(_name, _english, dialects=(ONESCRIPT,))(_refusal(f"Новый {_name}"))
for _name, _english in _pairs(_PROPERTIES):
    global_property(_name, _english, dialects=(ONESCRIPT,))(_refusal(_name))
