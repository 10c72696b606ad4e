"""1C in Docker: the dump, fixtures as code, logs and journal, the kill logic; and whole answers through a stand-in in containers."""

from __future__ import annotations

import dataclasses
import importlib.util
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring.bundles import TaskBundle, load_folder
from scoring.engine.platform import build_database
from scoring.engine.session import Session, Source
from scoring.evidence import InstrumentFailed, Observed
from scoring.extract import module_of
from scoring.instruments.builtin import BuiltinEngine
from scoring.instruments.onec_docker import OnecDocker, modules, steps
from scoring.instruments.onec_docker.dump import assemble, write_dump
from scoring.instruments.onec_docker.engine import OnecExamination, PlatformFailed
from scoring.instruments.onec_docker.engine import Session as Run
from scoring.instruments.onec_docker.fixtures import fixtures_module
from scoring.instruments.onec_docker.reading import Accesses, error_fact, read_findings, read_journal
from scoring.instruments.settings import EngineSettings
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import load_protocol
from scoring.sandbox.containers import Bounds, Containers, DockerMissing, Finished, Mount

HERE = Path(__file__).resolve().parent
BANK = HERE.parents[2] / "tasks" / "b"
TASKS = sorted(path.name for path in BANK.iterdir())
SPEC = importlib.util.spec_from_file_location("genuine_dumpreader", HERE / "onec" / "dumpreader.py")
assert SPEC and SPEC.loader
reader = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(reader)


def task(name: str) -> TaskBundle:
    return load_folder(BANK / name).required()


# -- the dump --------------------------------------------------------------------------------------------------------------


def dumped(bundle: TaskBundle, folder: Path) -> dict[str, str]:
    texts = {"КодКандидата": (False, bundle.canonical), "Тесты": (True, "Процедура НачатьСеанс(Режим) Экспорт\nКонецПроцедуры\n")}
    files = assemble(bundle.configuration, texts, modules.START)
    write_dump(files, folder)
    return files


@pytest.mark.parametrize("name", TASKS)
def test_another_reader_finds_the_same_metadata_and_the_code_writes_the_same_data(name: str, tmp_path: Path):
    bundle = task(name)
    dumped(bundle, tmp_path)
    specification, texts, start = reader.read_dump(tmp_path)
    assert texts["КодКандидата"] == bundle.canonical and start == modules.START
    theirs, ours = build_database(specification, {}), build_database(bundle.configuration, bundle.fixtures)
    session = Session("onec", database=theirs)
    made = session.load(Source(fixtures_module(bundle.configuration, bundle.fixtures), "ОбщийМодуль.Фикстуры.Модуль"), counted=False)
    session.call(made, "СоздатьФикстуры", [])
    assert contents(theirs, bundle.configuration) == contents(ours, bundle.configuration)


KINDS = {
    "catalogs": "Справочник", "documents": "Документ", "accumulation_registers": "РегистрНакопления",
    "information_registers": "РегистрСведений", "accounting_registers": "РегистрБухгалтерии", "charts_of_accounts": "ПланСчетов",
    "chart_of_characteristic_types": "ПланВидовХарактеристик",
}  # fmt: skip
LISTING = """Функция Всё(Имя) Экспорт
    Строки = Новый СписокЗначений;
    Таблица = Новый Запрос("ВЫБРАТЬ " + Имя);
    Итог = Таблица.Выполнить().Выгрузить();
    Для Каждого Строчка Из Итог Цикл
        Текст = "";
        Для Каждого Колонка Из Итог.Колонки Цикл
            Если ТипЗнч(Строчка[Колонка.Имя]) <> Тип("РезультатЗапроса") И Колонка.Имя <> "ВерсияДанных" Тогда
                Текст = Текст + Колонка.Имя + "=" + Строка(Строчка[Колонка.Имя]) + ";";
            КонецЕсли;
        КонецЦикла;
        Строки.Добавить(Текст);
    КонецЦикла;
    Строки.СортироватьПоЗначению();
    Возврат СтрСоединить(Строки.ВыгрузитьЗначения(), Символы.ПС);
КонецФункции
"""


def contents(database: Any, specification: Any) -> dict[str, str]:
    """Every table's rows as text."""
    session = Session("onec", database=database)
    module = session.load(Source(LISTING, "Список"), counted=False)
    names = [f"{kind}.{name}" for section, kind in KINDS.items() for name in specification.get(section) or {}]
    accounting = "Период, СчетДт, СубконтоДт1, СубконтоДт2, СчетКт, СубконтоКт1, СубконтоКт2, Сумма ИЗ {}.ДвиженияССубконто()"
    sources = {name: accounting.format(name) if "Бухгалтерии" in name else f"* ИЗ {name}" for name in names}
    return {name: session.call(module, "Всё", [source]) for name, source in sources.items()}


def test_the_same_configuration_gives_the_same_files_with_identifiers_of_their_own(tmp_path: Path):
    bundle = task(TASKS[0])
    first, second = (dumped(bundle, tmp_path) for _ in range(2))
    assert first == second
    found = [node.get("uuid") for text in first.values() if text.startswith("\ufeff<?xml") for node in ET.fromstring(text[1:].encode()).iter()]
    known = [one for one in found if one]
    assert len(known) == len(set(known)) > 5


def test_the_candidates_module_serves_the_server_alone(tmp_path: Path):
    files = dumped(task(TASKS[0]), tmp_path)
    assert "<ServerCall>false</ServerCall>" in files["CommonModules/КодКандидата.xml"]
    assert "<ServerCall>true</ServerCall>" in files["CommonModules/Тесты.xml"]
    assert files["CommonModules/КодКандидата/Ext/Module.bsl"].startswith("\ufeff")


@pytest.mark.parametrize("kind", ["СправочникСылка.Товары", "Товары", "НеизвестнаяСсылка.Х"])
def test_a_type_that_no_platform_has_is_refused(kind: str):
    with pytest.raises(ValueError, match="unknown type"):
        assemble({"catalogs": {"Товары": {"attributes": {"А": {"type": kind}}}}}, {}, "")


# -- logs ------------------------------------------------------------------------------------------------------------------

CHECKED = """{ОбщийМодуль.КодКандидата.Модуль(5,9)}: Переменная не определена (Остаток)
\tВозврат <<?>>Остаток; (Проверка: Сервер)
{ОбщийМодуль.КодКандидата.Модуль(5,9)}: Переменная не определена (Остаток)
\tВозврат <<?>>Остаток; (Проверка: Внешнее соединение)
{ОбщийМодуль.КодКандидата.Модуль(12)}: Ожидается символ ';'
{ОбщийМодуль.Тесты.Модуль(3,1)}: Процедура или функция с указанным именем не определена (Ы) (Проверка: Сервер)
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_findings_of_the_compiler(encoding: str, end: str):
    found = read_findings(CHECKED.replace("\n", end).encode(encoding))
    assert [(f.message, f.at.line, f.at.column) for f in found["КодКандидата"]] == [
        ("Переменная не определена (Остаток)", 5, 9), ("Ожидается символ ';'", 12, 0),
    ]  # fmt: skip
    assert [f.message for f in found["Тесты"]] == ["Процедура или функция с указанным именем не определена (Ы)"]


@pytest.mark.parametrize("log", ["", "Ошибок не обнаружено", "{ОбщийМодуль.КодКандидата.Модуль(5", "Лицензия не обнаружена"])
def test_a_log_without_findings(log: str):
    assert read_findings(log.encode()) == {}


@pytest.mark.parametrize(
    ("said", "message", "line"),
    [
        ("{ОбщийМодуль.КодКандидата.Модуль(3)}: Поле объекта не обнаружено (Х)", "Поле объекта не обнаружено (Х)", 3),
        ("{ОбщийМодуль.КодКандидата.Модуль(2)}: Ошибка при вызове метода контекста (Выполнить): {(1, 9)}: Поле не найдено \"А\"\nА<<?>>",
         "Ошибка при вызове метода контекста (Выполнить): {(1, 9)}: Поле не найдено \"А\"\nА<<?>>", 2),
        ("Деление на 0", "Деление на 0", 0),
        ("", "", 0),
    ],
)  # fmt: skip
def test_runtime_errors_lose_their_place_and_keep_their_text(said: str, message: str, line: int):
    found = error_fact(said, "А\nБ\nВ")
    assert (found.message, found.at.line if found.at else 0) == (message, line)


OURS = "ОбщийМодуль.Тесты.Модуль : 9 : Нагрузка__();\n\tОбщийМодуль.КодКандидата.Модуль : 4 : Запрос.Выполнить()"
EVENTS = {
    "a query of the candidate": (f"00:01.000001-5,SDBL,3,process=1cv8t,Sdbl='SELECT 1\nFROM Reference7',Context='{OURS}'", 1, 0),
    "a read of a register": (f"00:01.000002-5,DBV8DBEng,3,Sql=\"SELECT T1._Fld FROM _AccumRgT12 T1\",Context='{OURS}'", 1, 1),
    "an information register": (f"00:01.000002-5,SDBL,3,Sdbl='SELECT X FROM InfoRg9',Rows=1,Context='{OURS}'", 1, 1),
    "a register named in the code only": (f"00:01.000003-5,SDBL,3,Sdbl='SELECT 1',Context='{OURS} AccumRg1'", 1, 0),
    "the tests' own": ("00:01.000004-5,SDBL,3,Sdbl='SELECT 1',Context='ОбщийМодуль.Тесты.Модуль : 9 : А'", 0, 0),
    "without a context": ("00:01.000005-5,SDBL,3,Sdbl='SELECT 1 FROM AccumRg1'", 0, 0),
    "another event": (f"00:01.000006-5,EXCP,3,Descr='x',Context='{OURS}'", 0, 0),
    "a plain context": ("00:01.000007-5,SDBL,3,Sdbl='SELECT 1',Context=ОбщийМодуль.КодКандидата.Модуль : 4 : А", 1, 0),
    "quotes inside": (f"00:01.000008-5,SDBL,3,Sdbl='WHERE A = ''x'' AND B',Context='{OURS} ''я'' '", 1, 0),
}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS.keys())
def test_an_event_of_the_journal(event: tuple[str, int, int]):
    text, sdbl, register = event
    for encoding in ("utf-8", "utf-8-sig", "cp1251"):
        assert read_journal(text.encode(encoding)) == Accesses(sdbl, register)


def test_a_whole_journal_and_one_cut_in_the_middle():
    text = "\r\n".join(entry[0] for entry in EVENTS.values())
    assert read_journal(text.encode("utf-8-sig")) == Accesses(6, 2)
    assert read_journal(b"") == Accesses() and read_journal(b"\x00\x00") == Accesses()
    assert read_journal(text.encode()[:60]) == Accesses()


# -- one run's record ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "log", "finished", "told"),
    [
        ("1", "Лицензия не обнаружена. Не обнаружен ключ защиты программы.", Finished(3, ""), "Лицензия не обнаружена"),
        ("124", "", Finished(0, ""), "took too long"),
        (None, "", Finished(0, "sh: not found"), "never reached"),
        (None, "", Finished(-1, "", timed_out=True), "killed"),
        (None, "", Finished(137, "", memory_spent=True), "memory"),
        ("", "", Finished(0, ""), "never reached"),
    ],
)
def test_a_step_that_failed_is_told_by_the_platforms_last_words(tmp_path: Path, code: str | None, log: str, finished: Finished, told: str):
    (tmp_path / "out").mkdir()
    if code is not None:
        (tmp_path / "out" / "load.code").write_text(code)
    (tmp_path / "out" / "load.log").write_bytes(log.encode("cp1251"))
    with pytest.raises(PlatformFailed, match=told):
        Run(tmp_path, finished).require("load")


def test_the_script_of_a_run_stops_where_nothing_more_can_be_measured():
    planned = [steps.create(), steps.check("check"), steps.enterprise("run", "tests")]
    text = steps.script(planned, stop_after=["create"])
    assert text.index("create.code)\" = 0 ] || exit 3") < text.index("step check") < text.index("step run")
    assert "CREATEINFOBASE 'File=\"/work/base\"'" in text and "/CheckModules -Server" in text and "/C tests" in text
    assert steps.seconds_of(planned) > sum(step.seconds for step in planned)


HOSTILE = load_folder(HERE.parents[1] / "hostile" / "task_b").required()


def examination(tmp_path: Path) -> OnecExamination:
    module = module_of(HOSTILE.canonical, HOSTILE.patterns, procedures=True)
    return OnecExamination(engine(PretendedDocker(), tmp_path), module, HOSTILE, tmp_path)


def test_what_is_expected_is_known_before_the_candidate_is_called(tmp_path: Path):
    asked = examination(tmp_path)
    text = modules.tests_module(HOSTILE, asked.module, asked.channel)
    test = text[text.index("Процедура Тест1__()") : text.index("Процедура Тест2__()")]
    assert test.index("Ожидаемое1__()") < test.index("УстановитьБезопасныйРежим(Истина)") < test.index("КодКандидата.ОстатокТовара")


def test_data_changed_for_good_fail_their_test_and_end_the_run(tmp_path: Path):
    asked = examination(tmp_path)
    records = {"t0": '{"r":["n","15"]}', "t1": '{"r":["n","7.5"],"expected":["n","7.5"]}', modules.BROKEN: '{"after":1}', "done": "{}"}
    lines = [f"{asked.channel.word(tag)} {text}" for tag, text in records.items()]
    (tmp_path / "results.txt").write_text("\r\n".join(lines) + "\r\n", "utf-8-sig")
    found = asked._outcomes(Run(tmp_path, Finished(0, "")))
    assert isinstance(found, Observed)
    assert [outcome.verdict for outcome in found.facts.outcomes] == ["passed", "raised", "not_run", "not_run", "not_run"]
    assert "вне своей транзакции" in found.facts.outcomes[1].error.message


def test_the_note_of_a_check_that_fails_names_no_place_in_the_tests(tmp_path: Path):
    asked = examination(tmp_path)
    record = {"r": None, "check": False, "note": "{ОбщийМодуль.Тесты.Модуль(421)}: Индекс находится за границами массива"}
    assert asked._raw(HOSTILE.tests.cases[2], record).note == "Индекс находится за границами массива"


# -- the daemon, pretended -----------------------------------------------------------------------------------------------------


class ReadTimeout(Exception):
    pass


class PretendedDocker:
    """Answers as the SDK does; ``hang``: the container never ends."""

    def __init__(self, hang: bool = False, labels: dict[str, str] | None = None) -> None:
        self.hang, self.labels, self.killed, self.removed = hang, labels or {}, [], []
        self.options: dict[str, Any] = {}
        self.api = SimpleNamespace(kill=self.killed.append, remove_container=lambda name, **options: self.removed.append(name))
        self.containers = SimpleNamespace(create=self.create)
        self.images = SimpleNamespace(get=lambda image: SimpleNamespace(id="sha256:1", labels=self.labels))

    def ping(self) -> bool:
        return True

    def create(self, image: str, **options: Any) -> Any:
        self.options = options
        state = {"State": {"ExitCode": 0, "OOMKilled": False}}
        return SimpleNamespace(
            name=options["name"], start=lambda: None, wait=self.wait, logs=lambda **which: b"x" * 100_000, reload=lambda: None, attrs=state
        )

    def wait(self, timeout: float) -> None:
        if self.hang:
            raise ReadTimeout("Read timed out.")


def test_every_wall_stands_around_a_container(tmp_path: Path):
    client = PretendedDocker()
    ended = Containers(client).run("image", ["true"], Bounds(5, memory=1 << 20, processes=7), mounts=[Mount(tmp_path, "/in")])
    options = client.options
    assert options["network_mode"] == "none" and options["cap_drop"] == ["ALL"] and options["security_opt"] == ["no-new-privileges"]
    assert options["read_only"] and options["mem_limit"] == options["memswap_limit"] == 1 << 20 and options["pids_limit"] == 7
    assert options["volumes"] == {str(tmp_path): {"bind": "/in", "mode": "ro"}}
    assert len(ended.output) == 64 * 1024 and client.removed == [options["name"]] and client.killed == []


def test_a_container_that_outlives_its_time_is_killed_by_name_and_removed():
    client = PretendedDocker(hang=True)
    ended = Containers(client).run("image", ["sleep"], Bounds(0.1))
    assert ended.timed_out and ended.code == -1
    assert client.killed == client.removed == [client.options["name"]]


def engine(client: Any, tmp_path: Path, image: str = "some", **options: Any) -> OnecDocker:
    return OnecDocker(load_protocol(), EngineSettings(onec_image=image, cache=tmp_path), Containers(client), **options)


def test_the_stand_in_is_no_instrument(tmp_path: Path):
    labels = {"prism.stand-in": "1", "prism.onec.version": "8.3.27"}
    refused = engine(PretendedDocker(labels=labels), tmp_path)
    assert not refused.availability().ready and "test material" in refused.availability().reason
    assert engine(PretendedDocker(labels=labels), tmp_path, stand_in=True).availability().ready
    assert engine(PretendedDocker(labels={"prism.onec.version": "8.3.27"}), tmp_path).version() == "8.3.27"


def test_without_an_image_or_a_daemon_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert "docker/onec.Dockerfile" in engine(PretendedDocker(), tmp_path, image="").availability().reason
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    lost = engine(None, tmp_path)
    assert not lost.availability().ready and "/nowhere" in lost.availability().reason and lost.version() == "?"


def test_a_platform_that_fails_measures_nothing(tmp_path: Path):
    bundle = task("B101_below_minimum")
    failing = engine(PretendedDocker(), tmp_path)
    result = Pipeline(Stack.of(failing), failing.protocol).score(bundle.canonical, bundle)
    assert [result.card.value(axis) for axis in "SMOP"] == [None] * 4
    assert isinstance(result.evidence.tests, InstrumentFailed) and "never reached" in result.evidence.tests.detail
    assert not list((tmp_path / "onec").glob("*.part"))


# -- containers for real -----------------------------------------------------------------------------------------------------

SH = "/bin/sh"


@pytest.mark.parametrize(
    ("command", "bounds", "kept"),
    [
        ("echo привет; exit 3", Bounds(120), lambda end: end.code == 3 and "привет" in end.output),
        ("sleep 60", Bounds(1), lambda end: end.timed_out and end.code == -1),
        ("touch /etc/x || exit 7", Bounds(120), lambda end: end.code == 7),
        ("yes ааааааааааааааа | dd bs=1000 count=900 2>/dev/null", Bounds(120), lambda end: len(end.output.encode()) <= 64 * 1024),
        ("wget -T 2 -q http://192.0.2.1/ || exit 9", Bounds(120), lambda end: end.code == 9),
        ("python3 -c 'b = bytearray(200 << 20)' || exit 5", Bounds(120, memory=64 << 20), lambda end: end.code in (5, 137)),
        ("python3 -c 'import os; [os.fork() and None for _ in range(40)]' 2>/dev/null || exit 6", Bounds(120, processes=12), lambda end: end.code != 0),
    ],
)  # fmt: skip
def test_the_walls_hold(daemon: Any, box: str, command: str, bounds: Bounds, kept: Any):
    containers = Containers(daemon)
    ended = containers.run(box, [SH, "-c", command], bounds, user="65534:65534")
    assert kept(ended), ended
    assert not daemon.containers.list(all=True, filters={"label": "prism=1", "ancestor": box})


def test_an_image_that_is_not_there_is_never_pulled(daemon: Any):
    containers = Containers(daemon)
    assert containers.image_id("prism-no-such-image") == ""
    with pytest.raises(DockerMissing):
        containers.run("prism-no-such-image", ["true"], Bounds(5))


@pytest.fixture(scope="module")
def pipelines(daemon: Any, stand_in: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Pipeline, Pipeline]]:
    protocol = load_protocol()
    settings = EngineSettings(onec_image=stand_in, cache=tmp_path_factory.mktemp("cache"))
    onec, builtin = OnecDocker(protocol, settings, Containers(daemon), stand_in=True), BuiltinEngine(protocol)
    yield Pipeline(Stack.of(builtin), protocol), Pipeline(Stack(onec, onec, onec, builtin), protocol)
    builtin.close()


def told(result: Any) -> Any:
    """Everything that both paths can say: scores, findings, outcomes with messages and lines, counts."""
    syntax, tests, growth = result.evidence.syntax, result.evidence.tests, result.evidence.growth
    outcomes: Any = (tests.kind, tests.message, tests.at and tests.at.line) if not isinstance(tests, Observed) else [
        (o.verdict, o.actual, o.expected, o.error and (o.error.message, o.error.at and (o.error.at.line, o.error.at.module, o.error.at.source_line)))
        for o in tests.facts.outcomes
    ]  # fmt: skip
    return {
        "scores": [result.card.value(axis) for axis in "SMOP"],
        "syntax": [(found.message, found.at.line, found.at.column) for found in syntax.facts.errors],
        "tests": outcomes,
        "growth": growth.facts if isinstance(growth, Observed) else growth,
    }


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["reference", "too_slow", "platform_error", "does_not_compile"])
def test_all_evidence_is_equal_to_the_direct_path(pipelines: tuple[Pipeline, Pipeline], answer: str):
    bundle = task("B101_below_minimum")
    codes = {"reference": bundle.canonical} | {control.verdict: control.code for control in bundle.controls}
    ours, theirs = (pipeline.score(codes[answer], bundle) for pipeline in pipelines)
    assert told(theirs) == told(ours)


# A task for each kind of metadata and of what a test does with it. Their load ladders would double the time: B101 stands for those.
KINDS_OF_TASKS = {
    "B104_staff_of_department": "records of a recorder, enumerations", "B105_revenue_by_month": "turnovers; checks that fail on what came back",
    "B106_order_totals": "tabular sections", "B108_full_paths": "a tree of a catalog", "B111_default_warehouse": "a constant",
    "B112_account_turnovers": "accounting, charts of accounts and of characteristic types", "B117_create_document": "documents written",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS_OF_TASKS)
def test_evidence_is_equal_for_every_kind_of_metadata(pipelines: tuple[Pipeline, Pipeline], name: str):
    bundle = dataclasses.replace(task(name), load=None)
    for code in (bundle.canonical, next(control.code for control in bundle.controls if control.verdict == "wrong_answer")):
        ours, theirs = (pipeline.score(code, bundle) for pipeline in pipelines)
        assert told(theirs) == told(ours)


def test_every_kind_of_metadata_of_the_bank_is_among_them():
    chosen = {section for name in ("B101_below_minimum", *KINDS_OF_TASKS) for section, content in task(name).configuration.items() if content}
    assert chosen == {section for name in TASKS for section, content in task(name).configuration.items() if content}


@pytest.mark.slow
def test_a_candidate_writes_no_file_there(pipelines: tuple[Pipeline, Pipeline]):
    bundle = task("B101_below_minimum")
    entry = bundle.entry_point or "Ответ"
    code = f'Функция {entry}(А = 1, Б = 2) Экспорт\nФ = Новый ЗаписьТекста("/work/results.txt", "utf-8", , Истина);\nВозврат 1;\nКонецФункции\n'
    result = pipelines[1].score(code, bundle)
    assert result.card.value("M") == 0 and isinstance(result.evidence.tests, Observed)
    assert {outcome.verdict for outcome in result.evidence.tests.facts.outcomes} == {"raised"}
