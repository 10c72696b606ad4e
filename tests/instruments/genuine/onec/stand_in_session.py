"""The stand-in's ENTERPRISE: runs the dump's modules on our engine and writes a technological journal. Test material."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from dumpreader import DumpBroken, read_dump

from scoring.engine.errors import BslRuntimeError
from scoring.engine.platform import build_database
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session, Source
from scoring.engine.syntax.check_modules import check_module
from scoring.engine.values import members
from scoring.engine.values.members import ConstructorEntry, MethodEntry, member
from scoring.engine.values.model import BslObject

CANDIDATE = "КодКандидата"
SAFE: list[bool] = []
JOURNAL_SETTINGS = ".1cv8t/1C/1cv8t/conf/logcfg.xml"


class TextWriter(BslObject):
    type_name = ("ЗаписьТекста", "TextWriter")

    def __init__(self, path: str) -> None:
        if SAFE:
            raise BslRuntimeError("forbidden", what="ЗаписьТекста")
        fresh = not os.path.exists(path)
        self.file = open(path, "ab")
        if fresh:
            self.file.write(b"\xef\xbb\xbf")

    @member("ЗаписатьСтроку", "WriteLine", procedure=True)
    def write_line(self, rt: Any, text: Any) -> None:
        self.file.write((rt.text(text) + "\r\n").encode("utf-8", "replace"))

    @member("Закрыть", "Close", procedure=True)
    def close(self, rt: Any) -> None:
        self.file.close()


def safe_mode(rt: Any, on: Any) -> None:
    if on:
        SAFE.append(True)
    elif SAFE:
        SAFE.pop()


def install() -> None:
    members.GLOBAL_FUNCTIONS["установитьбезопасныйрежим"] = [
        MethodEntry("УстановитьБезопасныйРежим", "SetSafeMode", safe_mode, 1, 1, is_function=False)
    ]
    writer = ConstructorEntry("ЗаписьТекста", "TextWriter", lambda rt, path, *rest: TextWriter(path), 1, 4)
    members.CONSTRUCTORS["записьтекста"] = [writer]


class Watched(BslObject):
    """The candidate's module: accesses made inside its calls go to the journal."""

    type_name = ("ОбщийМодуль", "CommonModule")

    def __init__(self, module: Any, database: Any) -> None:
        self.module, self.database = module, database
        self.accesses = {"sdbl": 0, "register": 0}

    def find_method(self, rt: Any, name: str) -> MethodEntry:
        wanted = self.module.routine(name, exported=True)
        outputs = frozenset(index for index, parameter in enumerate(wanted.parameters) if parameter.out)

        def call(self: Watched, rt: Any, *arguments: Any) -> Any:
            before = {kind: getattr(self.database.counters, kind) for kind in self.accesses}
            try:
                return self.module.invoke(rt, wanted, list(arguments))
            finally:
                for kind, count in before.items():
                    self.accesses[kind] += getattr(self.database.counters, kind) - count

        return MethodEntry(name, name, call, wanted.required, len(wanted.parameters), outputs, None, wanted.is_function)


class Later(BslObject):
    """A common module as another one sees it that was loaded before."""

    type_name = ("ОбщийМодуль", "CommonModule")

    def __init__(self, names: dict[str, Any], name: str) -> None:
        self.names, self.name = names, name

    def find_method(self, rt: Any, name: str) -> MethodEntry:
        module = self.names[self.name]
        wanted = module.routine(name, exported=True)

        def call(self: Later, rt: Any, *arguments: Any) -> Any:
            return module.invoke(rt, wanted, list(arguments))

        return MethodEntry(name, name, call, wanted.required, len(wanted.parameters), frozenset(), None, wanted.is_function)


def run(base: Path, mode: str) -> int:
    """Start the application's module in the way the platform does: the tests' session of a ``mode``."""
    spec, modules, start = read_dump(base / "config")
    if "Тесты.НачатьСеанс(ПараметрЗапуска)" not in start:
        raise DumpBroken("the start handler does not call the tests")
    install()
    database = build_database(spec, {})
    session = Session("onec", limits=Limits(operations=10**11), database=database)
    if mode == "fixtures":
        shutil.copy(base / "config" / "CommonModules" / "Фикстуры" / "Ext" / "Module.bsl", base / "fixtures.bsl")
    else:
        kept = load(session, "Фикстуры", (base / "fixtures.bsl").read_text("utf-8-sig"), {})
        session.call(kept, "СоздатьФикстуры", [])
    names: dict[str, Any] = {}
    others = {name: Later(names, name) for name in modules if name != CANDIDATE}
    if not check_module(modules[CANDIDATE], others):
        names[CANDIDATE] = Watched(load(session, CANDIDATE, modules[CANDIDATE], others), database)
    for name in ("Фикстуры", "ТестыАвтора"):
        if name in modules:
            names[name] = load(session, name, modules[name], names)
    tests = names["Тесты"] = load(session, "Тесты", modules["Тесты"], names)
    session.call(tests, "НачатьСеанс", [mode])
    if (Path(os.environ["HOME"]) / JOURNAL_SETTINGS).is_file():
        write_journal(names[CANDIDATE].accesses)
    return 0


def load(session: Session, name: str, text: str, names: dict[str, Any]) -> Any:
    return session.load(Source(text, f"ОбщийМодуль.{name}.Модуль"), counted=False, extra_names=names)


def write_journal(accesses: dict[str, int]) -> None:
    folder = Path("/work/journal/1cv8t_17")
    folder.mkdir(parents=True, exist_ok=True)
    context = f"ОбщийМодуль.Тесты.Модуль : 40 : Нагрузка__();\n\tОбщийМодуль.{CANDIDATE}.Модуль : 5 : Выборка = Запрос.Выполнить();"
    lines = ["00:00.000001-0,SDBL,1,process=1cv8t,Sdbl='SELECT Version FROM Config'"]
    lines += [
        "00:00.100000-5,DBV8DBEng,3,process=1cv8t,Sql=\"SELECT T1._IDRRef FROM _Reference7 T1\",Context='ОбщийМодуль.Тесты.Модуль : 40 : Нагрузка__();'",
        "00:00.100001-5,EXCP,3,process=1cv8t,Descr='it''s none of ours',Context='ОбщийМодуль.КодКандидата.Модуль : 1 : А'",
    ]
    for number in range(accesses["sdbl"]):
        table = "AccumRgT12" if number < accesses["register"] else "Reference7"
        lines.append(f"00:01.{number:06}-17,SDBL,3,process=1cv8t,Usr=DefUser,Sdbl='SELECT Fld1\nFROM {table} WHERE Fld2 = ''x''',Rows=1,Context='{context}'")
    (folder / "26113005.log").write_bytes("\r\n".join(lines).encode("utf-8-sig"))
