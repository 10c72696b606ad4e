"""Everything that would reach outside the program: files, processes, network, environment, other code.

The names exist, so that a program that mentions them compiles as it does with the genuine engine. Using one is an error that
the program may catch (kind ``forbidden``); there is nothing behind it to reach.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import BOTH, ONEC, ONESCRIPT, builtin, constructor

_FUNCTIONS_BOTH = """
КопироватьФайл FileCopy|ПереместитьФайл MoveFile|УдалитьФайлы DeleteFiles|НайтиФайлы FindFiles
СоздатьКаталог CreateDirectory|ПолучитьИмяВременногоФайла GetTempFileName|КаталогВременныхФайлов TempFilesDir
ЗапуститьПриложение RunApp
"""
_FUNCTIONS_ONESCRIPT = """
ТекущийКаталог CurrentDirectory|УстановитьТекущийКаталог SetCurrentDirectory|КаталогПрограммы ProgramDirectory
КомандаСистемы System
ПолучитьПеременнуюСреды GetEnvironmentVariable|УстановитьПеременнуюСреды SetEnvironmentVariable
ПеременныеСреды EnvironmentVariables|СоздатьПроцесс CreateProcess|НайтиПроцессПоИдентификатору FindProcessById
НайтиПроцессыПоИмени FindProcessesByName|ПодключитьСценарий AttachScript|ЗагрузитьСценарий LoadScript
ЗагрузитьСценарийИзСтроки LoadScriptFromString|ПодключитьВнешнююКомпоненту AttachAddIn
ВвестиСтроку InputString|ЗавершитьРаботу Exit
"""
_FUNCTIONS_ONEC = """
ЗапуститьСистему RunSystem|КомандаСистемы System|ПодключитьВнешнююКомпоненту AttachAddIn
УстановитьВнешнююКомпоненту InstallAddIn|ПолучитьCOMОбъект GetCOMObject|ПолучитьФайл GetFile
ПоместитьФайл PutFile|КаталогПрограммы BinDir|РазделитьФайл SplitFile|ОбъединитьФайлы MergeFiles
ЗавершитьРаботуСистемы Exit
"""
_TYPES_BOTH = """
Файл File|ЗаписьТекста TextWriter|ЧтениеТекста TextReader|ФайловыйПоток FileStream|HTTPСоединение HTTPConnection
HTTPЗапрос HTTPRequest|ЧтениеZipФайла ZipFileReader|ЗаписьZipФайла ZipFileWriter|COMОбъект COMObject
ИнтернетПрокси InternetProxy|ИнтернетПочта InternetMail|ИнтернетПочтовоеСообщение InternetMailMessage
ИнтернетПочтовыйПрофиль InternetMailProfile|FTPСоединение FTPConnection|WSОпределения WSDefinitions
WSПрокси WSProxy|СистемнаяИнформация SystemInfo
"""
_TYPES_ONESCRIPT = """
TCPСоединение TCPConnection|TCPСервер TCPServer|Процесс Process
"""


def _refuse(what: str) -> Callable[..., NoReturn]:
    def refuse(rt: Any, *arguments: Any) -> NoReturn:
        raise BslRuntimeError("forbidden", what=what)

    return refuse


def _pairs(table: str) -> list[tuple[str, str]]:
    return [(first, second) for first, second in (p.split() for p in table.replace("\n", "|").split("|") if p.strip())]


for _table, _dialects in (
    (_FUNCTIONS_BOTH, BOTH),
    (_FUNCTIONS_ONESCRIPT, (ONESCRIPT,)),
    (_FUNCTIONS_ONEC, (ONEC,)),
):
    for _name, _english in _pairs(_table):
        builtin(_name, _english, dialects=_dialects)(_refuse(_name))

for _table, _dialects in ((_TYPES_BOTH, BOTH), (_TYPES_ONESCRIPT, (ONESCRIPT,))):
    for _name, _english in _pairs(_table):
        constructor(_name, _english, dialects=_dialects)(_refuse(_name))
