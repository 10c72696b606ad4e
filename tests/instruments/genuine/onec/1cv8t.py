"""A stand-in for the platform ``1cv8t``: answers its command lines by running our engine over the assembled dump. Test material.

Each command imports what it needs: the whole engine is half a second, and an answer starts this program six times.

    1cv8t CREATEINFOBASE File="PATH"
    1cv8t DESIGNER /F BASE (/LoadConfigFromFiles DUMP | /UpdateDBCfg | /CheckModules -Server)
    1cv8t ENTERPRISE /F BASE /C MODE        each with /Out LOG
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, os.environ.get("STAND_IN_SOURCE", "/opt/stand-in"))

from dumpreader import read_dump

CANDIDATE = "КодКандидата"


def option(arguments: list[str], name: str) -> str:
    return arguments[arguments.index(name) + 1] if name in arguments else ""


def create(arguments: list[str], log: list[str]) -> int:
    base = Path(arguments[0].partition("=")[2].strip('"'))
    base.mkdir(parents=True)
    (base / "1Cv8.1CD").write_bytes(b"stand-in")
    log.append(f'Создание информационной базы ("File="{base}";") успешно завершено')
    return 0


def designer(arguments: list[str], log: list[str]) -> int:
    base = Path(option(arguments, "/F"))
    if not (base / "1Cv8.1CD").is_file():
        log.append("Информационная база не обнаружена!")
        return 1
    if "/LoadConfigFromFiles" in arguments:
        dump = Path(option(arguments, "/LoadConfigFromFiles"))
        read_dump(dump)
        shutil.rmtree(base / "config", ignore_errors=True)
        shutil.copytree(dump, base / "config")
        return 0
    if "/UpdateDBCfg" in arguments:
        restructure(base)
        log.append("Обновление конфигурации успешно завершено")
        return 0
    return check(base, log)


def restructure(base: Path) -> None:
    """Build the tables, unless they are those of the last time."""
    specification = read_dump(base / "config")[0]
    told, built = json.dumps(specification, ensure_ascii=False, sort_keys=True), base / "built.json"
    if built.is_file() and built.read_text("utf-8") == told:
        return
    from scoring.engine.platform import build_database

    build_database(specification, {})
    built.write_text(told, "utf-8")


def check(base: Path, log: list[str]) -> int:
    from scoring.engine.syntax.check_modules import check_module

    _, modules, _ = read_dump(base / "config")
    found = [(name, finding) for name, text in modules.items() if name == CANDIDATE for finding in check_module(text, modules.keys() - {name})]
    for name, finding in found:
        line = modules[name].split("\n")[finding.line - 1] if finding.line <= modules[name].count("\n") + 1 else ""
        place = f"{finding.line},{finding.column}" if finding.column else f"{finding.line}"
        log.append(f"{{ОбщийМодуль.{name}.Модуль({place})}}: {finding.message}")
        log.append(f"\t<<?>>{line.strip()} (Проверка: Сервер)")
    if not found:
        log.append("Ошибок не обнаружено")
    return 1 if found else 0


def enterprise(arguments: list[str], log: list[str]) -> int:
    import stand_in_session

    return stand_in_session.run(Path(option(arguments, "/F")), option(arguments, "/C"))


def main(arguments: list[str]) -> int:
    if "--hang" in os.environ.get("STAND_IN", ""):
        import time

        time.sleep(3600)
    out = option(arguments, "/Out")
    log: list[str] = []
    try:
        modes = {"CREATEINFOBASE": create, "DESIGNER": designer, "ENTERPRISE": enterprise}
        code = modes[arguments[0]](arguments[1:], log)
    except Exception as error:
        log.append(f"{type(error).__name__}: {error}")
        code = 1
    if out:
        Path(out).write_bytes(("\r\n".join(log) + "\r\n").encode("utf-8-sig"))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
