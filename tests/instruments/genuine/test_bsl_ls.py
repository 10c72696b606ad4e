"""BSL Language Server: reports in all their oddities, batches, what is installed, and the genuine server where there is one."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from scoring.bundles import load_files
from scoring.evidence import InstrumentFailed, Observed
from scoring.extract import module_of
from scoring.instruments.bsl_ls import BslLanguageServer, Diagnostic, ReportBroken, find_installed, java_version, read_report
from scoring.instruments.settings import EngineSettings, read_settings
from scoring.protocol import load_protocol


def entry(code: object, line: int, character: int = 0, message: str = "Ошибка разбора исходного кода") -> dict[str, object]:
    place = {"line": line, "character": character}
    return {"code": code, "message": message, "range": {"start": place, "end": place}, "severity": "Error", "source": "bsl-language-server"}


def report(*files: tuple[str, list[dict[str, object]]]) -> dict[str, object]:
    return {"date": "2026-01-01 10:00:00", "sourceDir": "/x", "fileinfos": [{"path": path, "diagnostics": found} for path, found in files]}


PLAIN = report(("file:///tmp/src/00000.bsl", [entry("ParseError", 6, 4)]), ("file:///tmp/src/00001.bsl", []))
READ = {"00000.bsl": (Diagnostic("ParseError", "Ошибка разбора исходного кода", 7, 5),), "00001.bsl": ()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16"])
def test_a_report_is_read_in_whatever_encoding_it_comes(encoding: str):
    assert read_report(json.dumps(PLAIN, ensure_ascii=False).encode(encoding)) == READ


@pytest.mark.parametrize("path", ["file:///C:/Users/a%20b/00000.bsl", "C:\\src\\00000.bsl", "./00000.bsl", "00000.bsl"])
def test_a_file_is_known_by_its_name_alone(path: str):
    assert set(read_report(json.dumps(report((path, []))).encode())) == {"00000.bsl"}


@pytest.mark.parametrize("code", ["ParseError", {"left": "ParseError", "right": None}, {"left": None, "right": "ParseError"}])
def test_codes_of_older_and_newer_reports(code: object):
    assert read_report(json.dumps(report(("a.bsl", [entry(code, 0)]))).encode())["a.bsl"][0].code == "ParseError"


WHOLE = json.dumps(PLAIN, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "empty"),
        (b"  \r\n", "empty"),
        (b"\x00" * 512, "empty"),
        (WHOLE[:-3], "cut"),
        (WHOLE[: len(WHOLE) // 2], "cut"),
        (b"Exception in thread main", "no JSON"),
        (b"[]", "another form"),
        (b'{"fileinfos": [{"path": "a"}]}', "another form"),
        (b'{"fileinfos": [{"path": "a", "diagnostics": [{"code": "X", "message": "", "range": {}}]}]}', "another form"),
    ],
)
def test_what_is_no_report_is_refused_with_its_reason(data: bytes, told: str):
    with pytest.raises(ReportBroken, match=told):
        read_report(data)


# -- what is installed ---------------------------------------------------------------------------------------------------


def fake_java(folder: Path, version: str, body: str = "") -> Path:
    home = folder / f"jdk-{version}"
    (home / "bin").mkdir(parents=True)
    (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
    program = home / "bin" / "java"
    program.write_text(f"#!{sys.executable}\n{body}")
    os.chmod(program, 0o755)
    return program


@pytest.mark.parametrize(
    ("jar", "java", "missing"),
    [
        ("bsl-language-server-0.29.0-rc.1.jar", "21.0.2", ""),
        ("bsl-language-server-1.0.0-exec.jar", "25", ""),
        ("bsl-language-server-0.28.5.jar", "21", "older than 0.29"),
        ("other-1.0.jar", "21", "make bsl_ls"),
        ("bsl-language-server-0.29.0.jar", "17.0.9", "Java"),
        ("bsl-language-server-0.29.0.jar", "1.8.0_292", "Java"),
    ],
)
def test_what_is_missing_is_said_with_its_cure(tmp_path: Path, jar: str, java: str, missing: str):
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / jar).touch()
    found = find_installed(EngineSettings(bsl_ls=tmp_path / "jars", java=str(fake_java(tmp_path, java))))
    assert (missing in found.missing) if missing else (found.missing == "" and found.version in jar)


def test_an_absent_folder_and_an_absent_java_are_no_accident(tmp_path: Path):
    assert "PRISM_BSL_LS" in find_installed(EngineSettings(bsl_ls=tmp_path / "nothing")).missing
    assert java_version(str(tmp_path / "no" / "java")) == 0


# -- batches -------------------------------------------------------------------------------------------------------------

# What the launcher does, in few lines: one diagnostic per line that holds "ОШИБКА"; a text that says so breaks the whole start.
LAUNCHER = r"""
import json, sys, time
from pathlib import Path
arguments = sys.argv
sources, out = Path(arguments[arguments.index("-s") + 1]), Path(arguments[arguments.index("-o") + 1])
starts = Path(__file__).with_name("starts")
starts.write_text(starts.read_text() + "x" if starts.exists() else "x")
infos = []
for path in sorted(sources.glob("*.bsl")):
    text = path.read_text("utf-8")
    if "УРОНИТЬ" in text: sys.exit("java.lang.StackOverflowError")
    if "ОБОРВАТЬ" in text: (out / "bsl-json.json").write_text('{"fileinfos": ['); sys.exit(0)
    if "ЗАВИСНУТЬ" in text: time.sleep(60)
    if "ЗАБЫТЬ" in text: continue
    found = [{"code": "ParseError", "message": "Ошибка", "range": {"start": {"line": n, "character": 0}}}
             for n, line in enumerate(text.split("\n")) if "ОШИБКА" in line]
    infos.append({"path": "file://" + str(path), "diagnostics": found})
(out / "bsl-json.json").write_text(json.dumps({"fileinfos": infos}), "utf-8")
"""


@pytest.fixture
def server(tmp_path: Path) -> BslLanguageServer:
    (tmp_path / "bsl-language-server-0.29.0.jar").touch()
    java = fake_java(tmp_path, "21", LAUNCHER)
    return BslLanguageServer(load_protocol(), EngineSettings(bsl_ls=tmp_path, java=str(java)))


def starts(tmp_path: Path) -> int:
    return len((tmp_path / "jdk-21" / "bin" / "starts").read_text())


def test_many_texts_cost_one_start_and_are_remembered(server: BslLanguageServer, tmp_path: Path):
    texts = [f"А = {number};\n" + "ОШИБКА\n" * (number % 3) for number in range(60)]
    server.prepare(texts)
    assert [len(server.diagnostics(text)) for text in texts] == [number % 3 for number in range(60)]
    assert starts(tmp_path) == 1


@pytest.mark.parametrize(("word", "told"), [("УРОНИТЬ", "StackOverflowError"), ("ОБОРВАТЬ", "cut"), ("ЗАБЫТЬ", "does not name")])
def test_a_text_that_breaks_the_server_costs_the_others_nothing(server: BslLanguageServer, word: str, told: str):
    texts = ["ОШИБКА", word, "А = 1;", "\nОШИБКА"]
    server.prepare(texts)
    found = [server.diagnostics(text) for text in texts]
    assert isinstance(found[1], InstrumentFailed) and told in found[1].detail
    assert [len(found[number]) for number in (0, 2, 3)] == [1, 0, 1]


def test_a_server_that_hangs_is_killed_and_measures_nothing(server: BslLanguageServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("scoring.instruments.bsl_ls.START_SECONDS", 0.5)
    monkeypatch.setattr("scoring.instruments.bsl_ls.SECONDS_PER_TEXT", 0)
    found = server.diagnostics("ЗАВИСНУТЬ")
    assert isinstance(found, InstrumentFailed) and "no report within" in found.detail


TASK = load_files({
    "task.yaml": b"id: T1\nname: x\ncategory: A\ndifficulty: easy\nprompt: x\nentry_point: F\n",
    "tests.yaml": b"tests:\n  - {args: [], expected: 1}\n",
}).required()  # fmt: skip


def test_it_answers_s_and_static_o_and_nothing_else(server: BslLanguageServer):
    module = module_of("Функция F()\nОШИБКА\nКонецФункции", ["F"], procedures=False)
    with server.examine(module, TASK) as examination:
        syntax, tests, work = examination.check(), examination.run_tests(), examination.count_work()
    assert isinstance(syntax, Observed) and [found.at.line for found in syntax.facts.errors] == [2]
    assert syntax.facts.balance and not syntax.facts.blockers
    assert isinstance(tests, InstrumentFailed) and tests.reason == "not_supported"
    assert isinstance(work, InstrumentFailed) and work.reason == "no_profile"


# -- the genuine server ----------------------------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_the_genuine_server_counts_root_causes_as_the_built_in_engine_does():
    from scoring.engine.antipatterns import find_antipatterns
    from scoring.engine.syntax.bsl_parser import analyse

    server = BslLanguageServer(load_protocol(), read_settings(os.environ, ROOT / "var"))
    if not server.availability().ready:
        pytest.skip(server.availability().reason)
    assert server.self_test() == ""
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "tasks").rglob("*.bsl"))] + BROKEN
    server.prepare(texts)
    weights = server.protocol.optimization.static_weights
    for text in texts:
        found = server.diagnostics(text)
        assert not isinstance(found, InstrumentFailed), found
        parse = [entry.line for entry in found if entry.code in ("ParseError", "ProcedureReturnsValue")]
        assert sorted(set(parse)) == sorted({message.line for message in analyse(text).messages}), text
        codes = {entry.code for entry in found if entry.code in weights}
        if not parse:
            assert codes == {pattern.code for pattern in find_antipatterns(text)}, text


BROKEN = [
    "Функция Ф(А)\n\tА += 1;\n\tВозврат А;\nКонецФункции\n",
    "Функция Ф()\n\tДля И = 0 По 5 Цикл\n\t\tСообщить(И);\n\tКонецЦикла;\nКонецФункции\n",
    "Функция Ф()\n\tА := 1;\n\n\n\n\n\tБ = [1, 2];\nКонецФункции\n",
    "Процедура П()\n\tВозврат 5;\nКонецПроцедуры\n",
    "Функция Ф(А Как Число)\nКонецФункции\n",
    "",
    "```\nФункция Ф()\nКонецФункции\n```\n",
]
