"""Commands: what a person sees, and the exit code a script sees."""

from __future__ import annotations

import io
import json
from contextlib import nullcontext

import pytest
from django.core.management import BaseCommand, CommandError, ManagementUtility, call_command, get_commands, load_command_class

from scoring.management.commands.cross_check import engines
from scoring.management.progress import Progress
from scoring.models import Answer, FidelityReport, Score
from scoring.pipeline import Pipeline
from scoring.services import bank, measuring

pytestmark = pytest.mark.django_db
OWN_APPS = ("scoring", "accounts", "authoring", "prism_site")

REFERENCE = "Функция Сложить(А, Б) Экспорт\n\tВозврат А + Б;\nКонецФункции\n"


def run(*arguments: str, **options: object) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=out, **options)
    return out.getvalue()


def failing(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    return caught.value


def experiment(path, **runs):
    cells = [
        {"task_id": "SUM", "model_id": name, "model_name": name, "runs": [{"run_index": 0, "response": text, "success": True}]}
        for name, text in runs.items()
    ]
    data = {"experiment_name": "probe", "category": "A", "models_used": [], "task_results": cells}
    path.write_text(json.dumps(data), "utf-8")
    return path


# -- bank and answers ------------------------------------------------------------------------------------------------------


def test_import_tasks_says_what_it_stored(write_bundle):
    assert "1 tasks: 1 new versions" in run("import_tasks", str(write_bundle()))


def test_import_tasks_lists_every_fault_with_its_place(write_bundle):
    folder = write_bundle(**{"tests.yaml": "tests:\n  - {args: [1], expected: 1, expectd: 2}\n", "perf.yaml": "p_opt: x\n"})
    told = str(failing("import_tasks", str(folder)))
    assert "nothing was stored" in told and "SUM/tests.yaml:2" in told and "SUM/perf.yaml" in told


@pytest.mark.parametrize("command", [("import_tasks", "nowhere"), ("import_answers", "nowhere.json")])
def test_paths_that_are_not_there_are_told(command):
    assert "nowhere" in str(failing(*command))


@pytest.mark.parametrize("arguments", [("import_tasks", "nowhere"), ("import_answers", "nowhere"), ("check_tasks", "nowhere"), ("validate_bundle", "nowhere"),
    ("cross_check", "--answers", "nowhere"), ("fidelity", "--tasks", "nowhere", "--answers", "nowhere", "--verdicts", "nowhere"), ("generate", "--replay", "nowhere"), ("run_demo", "--port", "nowhere")])  # fmt: skip
def test_wrong_arguments_are_told_in_a_line_on_the_command_line(arguments, capsys):
    """There, unlike in `call_command`, what is raised while arguments are read would be shown as a failure of ours."""
    with pytest.raises(SystemExit) as ended:
        ManagementUtility(["manage.py", *arguments]).execute()
    told = capsys.readouterr().err
    assert ended.value.code in (1, 2) and "nowhere" in told.splitlines()[-1] and "Traceback" not in told


def test_answers_scores_board_and_export_hang_together(write_bundle, tmp_path, pretend, monkeypatch):
    monkeypatch.setattr("scoring.services.work.wake_workers", lambda *a, **k: 0)
    monkeypatch.setattr("scoring.queue.ensure", lambda: False)
    bank.import_folder(write_bundle())
    path = experiment(tmp_path / "a.json", Right=REFERENCE, Wrong=REFERENCE.replace("+", "-"))
    assert "2 answers stored" in run("import_answers", str(path))
    assert "2 cells, 2 with an answer, 2 to score" in run("score", "--no-wait", "--only", "Right", "--only", "SUM:Wrong")
    measuring.drain()

    board = run("leaderboard", "--category", "A", "--no-controls").splitlines()
    assert board[2].split()[:6] == ["Right", "10.00", "10.00", "N/A", "N/A", "10.00"]
    assert board[3].startswith("Wrong") and " 5.00 " in board[3]
    assert "Контроль" not in "".join(board)

    run("export", str(tmp_path / "out"), "--category", "A")
    told = json.loads((tmp_path / "out" / "auto" / "experiment_A_auto_l1.json").read_text("utf-8"))
    assert {cell["model_name"]: cell["runs"][0]["scores"]["M"] for cell in told["tasks"]} == {"Right": 10.0, "Wrong": 5.0}
    again = run("import_answers", str(tmp_path / "out" / "experiment_A.json"), scores=tmp_path / "out/auto/experiment_A_auto_l1.json")
    assert "2 known already" in again and "2 recorded scores" in again


def test_a_board_of_an_edition_that_nobody_has_says_so(write_bundle, tmp_path):
    assert "nothing scored yet" in run("leaderboard")
    bank.import_folder(write_bundle())
    run("import_answers", str(experiment(tmp_path / "a.json", Right=REFERENCE)), edition="blind")
    told = str(failing("leaderboard", "--edition", "blnd"))
    assert "'blnd'" in told and "blind" in told.partition("here:")[2]


def test_a_comparison_names_each_engine_once():
    assert engines({"syntax": "ls 1", "tests": "builtin x", "work": "builtin x"}) == "syntax by ls 1; tests, work by builtin x"


def test_faulty_scores_take_the_answers_of_the_same_call_back(write_bundle, tmp_path):
    bank.import_folder(write_bundle())
    bad = tmp_path / "bad.json"
    bad.write_text('{"tasks": [{"task_id": "SUM", "model_id": "R", "model_name": "R", "runs": [{"scores": {"S": "10"}}]}]}')
    with pytest.raises(CommandError, match=r"bad.json.*scores.S"):
        run("import_answers", str(experiment(tmp_path / "a.json", R=REFERENCE)), scores=bad)
    assert not Answer.objects.filter(network__is_control=False).exists()


def test_score_with_nothing_to_score_is_told(db):
    assert "import answers first" in str(failing("score"))


def test_only_refuses_a_name_that_nothing_bears(write_bundle):
    bank.import_folder(write_bundle())
    assert "SUN" in str(failing("score", "--only", "SUN"))


# -- check_tasks: the engine for real -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine():
    """One warmed pipeline for the tests of this module."""
    with Pipeline.builtin() as pipeline:
        yield pipeline


@pytest.fixture
def check(engine, monkeypatch):
    """Runs check_tasks on a folder: what it says, and whether it is content."""
    monkeypatch.setattr("scoring.management.commands.check_tasks.Pipeline.builtin", lambda rules: nullcontext(engine))
    monkeypatch.setattr("scoring.management.commands.check_tasks.require_instrument", lambda: None)

    def check_one(folder) -> tuple[str, bool]:
        out = io.StringIO()
        try:
            call_command("check_tasks", str(folder), "--workers", "1", stdout=out, stderr=out)
        except CommandError:
            return out.getvalue(), False
        return out.getvalue(), True

    return check_one


FIVE = "tests:\n" + "".join(f"  - {{args: [{a}, {b}], expected: {a + b}}}\n" for a, b in ((1, 2), (0, 0), (-5, 5), (2, 2), (7, 1)))
TWO_WRONG = {"submissions/wrong_answer/more.bsl": REFERENCE.replace("А + Б", "А + Б + 1"), "tests.yaml": FIVE}


def test_a_sound_task_passes(write_bundle, check):
    told, content = check(write_bundle(**TWO_WRONG))
    assert content and "everything is what it declares" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"canonical.bsl": REFERENCE.replace("+", "-")}, "canonical.bsl: M is"),
        ({"canonical.bsl": REFERENCE.replace(";", "")[:30]}, "canonical.bsl: S is"),
        ({"perf_baseline.bsl": REFERENCE}, "perf_baseline.bsl: O is 10"),
        ({"submissions/wrong_answer/minus.bsl": REFERENCE}, "a test is missing"),
        ({"submissions/wrong_answer/minus.bsl": "Функция Сложить(А, Б)\n\tВозврат А.Нет;\nКонецФункции"}, "no test fails by value"),
        ({"submissions/run_time_error/r.bsl": REFERENCE}, "no test raises"),
        ({"submissions/does_not_compile/c.bsl": REFERENCE}, "it compiles"),
        ({"submissions/too_slow/s.bsl": REFERENCE}, "submissions/too_slow/s.bsl: O is 10"),
        ({"submissions/accepted/a.bsl": REFERENCE.replace("+", "*")}, "declared accepted"),
        ({"tests.yaml": FIVE.rpartition("  -")[0]}, "4 tests, publishing needs 5"),
        ({"submissions/wrong_answer/more.bsl": None}, "1 wrong controls"),
        ({"canonical.bsl": None}, "canonical.bsl: missing"),
    ],
)
def test_what_is_not_as_declared_is_named_with_its_file(write_bundle, check, change, told):
    said, content = check(write_bundle(**{**TWO_WRONG, **change}))
    assert told in said and not content


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        ("run_time_error", "Функция Сложить(А, Б)\n\tВозврат А.Нет;\nКонецФункции"),
        ("does_not_compile", "Функция Сложить(А, Б)\n\tВозврат А +;\nКонецФункции"),
        ("does_not_compile", "Функция Сложить(А, Б)\n\tВозврат НетТакого(А);\nКонецФункции"),
        ("accepted", "Функция Сложить(А, Б)\n\tВозврат Б + А;\nКонецФункции"),
    ],
)
def test_controls_that_are_what_they_declare_pass(write_bundle, check, verdict, code):
    assert check(write_bundle(**{**TWO_WRONG, f"submissions/{verdict}/x.bsl": code}))[1]


# -- bsl -----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def module(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "m.bsl"
        path.write_text(text, "utf-8")
        return str(path)

    return write


def test_bsl_run_prints_what_the_program_says(module):
    out = run("bsl", "run", module('Сообщить("раз");\nСообщить(2 + 2);'), "--counters")
    assert out.splitlines()[:2] == ["раз", "4"] and "operations: 2" in out


def test_bsl_run_evaluates_with_the_module_and_hands_arguments_over(module):
    text = "Функция Два(Х) Экспорт\nВозврат Х * 2;\nКонецФункции\nСообщить(АргументыКоманднойСтроки[1]);"
    out = run("bsl", "run", module(text), "раз", "два", "--eval", "Два(21)")
    assert out.split() == ["два", "42"]


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("А = 1;\nА.Нет();", 1, "m.bsl:2"),
        ('ВызватьИсключение "беда";', 1, "беда"),
        ("А = ;", 2, "m.bsl:1"),
        ("Пока Истина Цикл\nКонецЦикла", 3, "--limit"),
    ],
)
def test_bsl_run_tells_each_kind_of_end_by_its_exit_code(module, text, code, told):
    with pytest.raises(CommandError) as caught:
        run("bsl", "run", module(text), "--limit", "1000")
    assert caught.value.returncode == code and told in str(caught.value)


def test_bsl_check_lists_errors_or_says_that_there_are_none(module):
    assert "compiles" in run("bsl", "check", module("А = 1;"))
    out = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("bsl", "check", module("А = НетТакой(1);"), stdout=out)
    assert caught.value.returncode == 2 and "m.bsl:1" in out.getvalue()


def test_bsl_speaks_both_dialects(module):
    text = module("Функция Ф() Экспорт\n\tВозврат Запрос;\nКонецФункции\nСообщить(1);")
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("bsl", "check", text, "--dialect", "onec", stdout=out)
    assert "Переменная не определена" in out.getvalue() or "Обнаружено логическое завершение" in out.getvalue()


# -- doctor and fidelity ------------------------------------------------------------------------------------------------------


def test_doctor_finds_a_sound_installation_sound():
    told = run("doctor")
    assert "ok   database" in told and "builtin" in told and "BAD" not in told


def test_doctor_tells_what_is_broken_and_what_to_do(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr("scoring.queue.is_reachable", lambda: False)
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 thing broken"):
        call_command("doctor", stdout=out)
    assert "BAD  queue" in out.getvalue() and "REDIS_URL" in out.getvalue()


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (("read by BSL Language Server 9: 3 objects equal", True), "ok   1C dump     read by BSL Language Server 9: 3 objects equal"),
        (("did not read it", None), "note 1C dump     did not read it"),
        (("", None), ""),
    ],
)
def test_doctor_tells_what_reads_the_dump_of_1c(monkeypatch, found, told):
    monkeypatch.setattr("scoring.services.engines.dump_read", lambda: found)
    assert (told in run("doctor")) if told else ("1C dump" not in run("doctor"))


def test_doctor_ends_badly_where_the_dump_is_read_otherwise(monkeypatch):
    monkeypatch.setattr("scoring.services.engines.dump_read", lambda: ("Catalog.Т: not read", False))
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 thing broken"):
        call_command("doctor", stdout=out)
    assert "BAD  1C dump     Catalog.Т: not read" in out.getvalue()


def test_a_quick_doctor_starts_no_reader(monkeypatch):
    monkeypatch.setattr("scoring.services.engines.dump_read", lambda: pytest.fail("started"))
    assert "1C dump" not in run("doctor", quick=True)


def test_fidelity_compares_and_keeps_counts_for_the_site(write_bundle, tmp_path):
    folder = write_bundle(**TWO_WRONG)
    answers = experiment(tmp_path / "a.json", Right=REFERENCE, Wrong=REFERENCE.replace("+", "-"))
    cells = [
        {"task_id": "SUM", "model_id": name, "model_name": name, "runs": [{"scores": scores, "detail": {"M": {"passed": n, "total": 5}}}]}
        for name, scores, n in (
            ("Right", {"S": 10, "M": 10.0, "O": 10, "P": None, "Q": 10.0}, 5),
            ("Wrong", {"S": 10, "M": 6.0, "O": 10, "P": None, "Q": 8.67}, 3),
        )
    ]
    verdicts = tmp_path / "v.json"
    verdicts.write_text(json.dumps({"experiment_id": "x", "runner": "docker", "tasks": cells}), "utf-8")
    target = tmp_path / "report.json"
    options = {"tasks": folder, "answers": answers, "verdicts": verdicts, "json": target}
    run("fidelity", **options)

    report = json.loads(target.read_text("utf-8"))
    assert report["S"]["share"] == 1.0 and report["M"]["n"] == 2 and report["M"]["equal"] == 1
    assert [entry["model"] for entry in report["disagreements"] if entry["axis"] == "M"] == ["Wrong"]
    saved = FidelityReport.objects.get()
    assert saved.category == "A" and saved.against == "docker" and "Возврат" not in json.dumps(saved.report, ensure_ascii=False)
    assert not Score.objects.exists()


# -- what the commands say of themselves -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(name for name, app in get_commands().items() if app in OWN_APPS))
def test_every_option_of_every_command_is_explained(name):
    bare = {action.dest for action in BaseCommand().create_parser("manage.py", "none")._actions}
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    assert parser.description
    assert [action.dest for action in parser._actions if action.dest not in bare and not action.help and not action.choices] == []


def test_a_bar_beside_a_terminal_is_never_silent_for_long(monkeypatch):
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr("scoring.management.progress.time.monotonic", lambda: float(next(clock)))
    out = io.StringIO()
    with Progress("scoring", 1000, out) as bar:
        for done in range(1, 10):
            bar.show(done)
    assert 3 <= len(out.getvalue().splitlines()) <= 9
