"""A stand-in for the program ``oscript``: answers its command lines by running our engine. Test material, no instrument.

    oscript -version · oscript -check FILE · oscript [-codestat=FILE] FILE

Files, loading of scripts and exit are real, so that processes, time-outs and channels are exercised for real. ``Напасть(Текст)`` is
no function of OneScript: it plays an answer that got hold of the process.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(next(folder for folder in Path(__file__).resolve().parents if (folder / "scoring").is_dir())))

from scoring.engine.errors import BslRuntimeError, CompileFailed
from scoring.engine.runtime.context import Limits
from scoring.engine.session import Session, Source
from scoring.engine.values import members
from scoring.engine.values.members import MethodEntry, member
from scoring.engine.values.model import MISSING, BslObject

PROFILE: list[Any] = []
# The genuine engine's heap is bounded by its runtime's settings.
MEMORY = 1 << 30


class TextWriter(BslObject):
    type_name = ("ЗаписьТекста", "TextWriter")

    def __init__(self, path: str, append: bool) -> None:
        self.file = open(path, "ab" if append else "wb")

    @member("ЗаписатьСтроку", "WriteLine", procedure=True)
    def write_line(self, rt: Any, text: Any) -> None:
        self.file.write((rt.text(text) + "\n").encode("utf-8", "replace"))

    @member("Закрыть", "Close", procedure=True)
    def close(self, rt: Any) -> None:
        self.file.close()


def load_script(rt: Any, path: Any, names: Any = MISSING) -> Any:
    extra = {} if names is MISSING else {pair.get_property(rt, "Ключ"): pair.get_property(rt, "Значение") for pair in names.iterate(rt)}
    try:
        text = Path(path).read_text("utf-8")
        return rt.session.load(Source(text, path), counted=False, profile=bool(PROFILE), extra_names=extra)
    except CompileFailed as failure:
        raise BslRuntimeError("dynamic_compile", compile_message(path, failure), message=compile_message(path, failure)) from None


def compile_message(path: str, failure: CompileFailed) -> str:
    first = failure.diagnostics[0]
    return f"{{Модуль {path} / Error in line {first.line},{first.column} / {first.message}}}"


def delete(rt: Any, path: Any, mask: Any = MISSING) -> None:
    os.unlink(path)


def attack(rt: Any, text: Any) -> None:
    """What a hostile answer could do with OneScript's files and processes (or by a hole in it), in this process, as Python."""
    exec(text, {"__name__": "attack"})


def leave(rt: Any, code: Any = 0) -> None:
    sys.stdout.flush()
    raise SystemExit(int(code))


def replace_function(name: str, function: Any, minimum: int, maximum: int, is_function: bool = True) -> None:
    members.GLOBAL_FUNCTIONS[name.lower()] = [MethodEntry(name, name, function, minimum, maximum, is_function=is_function)]


def install() -> None:
    replace_function("ЗагрузитьСценарий", load_script, 1, 2)
    replace_function("УдалитьФайлы", delete, 1, 2, False)
    replace_function("ЗавершитьРаботу", leave, 0, 1, False)
    replace_function("Напасть", attack, 1, 1, False)
    entry = members.ConstructorEntry(
        "ЗаписьТекста", "TextWriter", lambda rt, path, encoding="", end="", append=False: TextWriter(path, append is True), 1, 4
    )
    members.CONSTRUCTORS["записьтекста"] = [entry]


def check(path: str) -> int:
    found = Session("onescript").check(Source(Path(path).read_text("utf-8"), path))
    if found:
        print(compile_message(path, CompileFailed(found)))
        return 1
    print("No errors.")
    return 0


def run(path: str, codestat: str) -> int:
    if codestat:
        PROFILE.append(True)
    session = Session("onescript", limits=Limits(operations=10**12))
    code = 0
    try:
        session.load(Source(Path(path).read_text("utf-8"), path), counted=False)
    except CompileFailed as failure:
        print(compile_message(path, failure))
        code = 1
    except BslRuntimeError as error:
        report = session.report(error)
        print(f"{{Модуль {report.module} / Error in line: {report.line} / {report.message}}}\n{report.source_line}")
        code = 1
    except SystemExit as left:
        code = int(left.code or 0)
    for line in session.runtime.output:
        print(line)
    if codestat:
        write_counts(session, Path(path).parent / "candidate.os", codestat)
    return code


def write_counts(session: Session, module: Path, target: str) -> None:
    routines = {
        routine: {str(line): {"count": count, "time": 0} for line, count in lines.items()}
        for routine, lines in session.line_counts().items()
    }
    report = {str(module): {"#path": str(module), **routines}}
    Path(target).write_text(json.dumps(report, ensure_ascii=False, indent=2), "utf-8-sig")


def main(arguments: list[str]) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    install()
    if not arguments:
        print("1Script Execution Engine. Version 2.0.1\n\nUsage:")
        return 0
    if arguments[0] in ("-version", "-v"):
        print("2.0.1+stand-in")
        return 0
    if arguments[0] == "-check":
        return check(arguments[1])
    codestat = ""
    if arguments[0].startswith("-codestat="):
        codestat = arguments.pop(0).partition("=")[2]
    return run(arguments[0], codestat)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
