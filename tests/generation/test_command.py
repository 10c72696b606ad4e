"""`generate` as a person uses it: estimate, run, signals, kill and resume, rehearsal to the board."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Answer, GenerationRun
from tests.generation.kit import CODE, KEY, write_catalogue
from tests.generation.provider import Outcome, Provider, completion

ROOT = Path(__file__).resolve().parents[2]
# Far beyond any load: only what hangs is ended by it.
PATIENCE = 300.0


# -- in this process ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_dry_run_tells_the_cost_and_stores_nothing(cards, make_task, provider, capsys):
    make_task("A1")
    make_task("B1", "B")
    call_command("generate", "--dry-run", "--answers", "2")
    out = capsys.readouterr().out
    assert "Alpha" in out and "assumed" in out and "0.7" in out
    assert "Beta supports no tools" in out and "no price is known for Beta" in out
    assert provider.count == 0 and not GenerationRun.objects.exists() and not Answer.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "arguments, word",
    [
        (["--network", "Alfa"], "Alpha"),
        (["--task", "A9"], "A1"),
        (["--edition", "cor"], "core"),
        (["--cap", "-5"], "cap"),
        (["--answers", "0"], "answers"),
        (["--replay", "nowhere.json"], "nowhere.json"),
        (["--resume", "77"], "77"),
    ],
)
def test_wrong_options_are_told(cards, make_task, provider, arguments, word):
    make_task("A1")
    with pytest.raises(CommandError, match=word):
        call_command("generate", "--no-score", *arguments)
    assert provider.count == 0 and not Answer.objects.exists()


@pytest.mark.django_db
def test_a_file_that_is_no_recording_is_told(cards, make_task, tmp_path):
    path = tmp_path / "rec.json"
    path.write_text('{"task_results": [{"runs": [{}]}]}')
    with pytest.raises(CommandError, match="rec.json is no recording"):
        call_command("generate", "--no-score", "--replay", str(path))


# -- whole installations --------------------------------------------------------------------------------------------------

TASK = """\
id: STEPS{n}
name: Число шагов
category: A
difficulty: easy
entry_point: Сложить
signature: "Функция Сложить(А, Б) Экспорт"
prompt: Верните сумму номер {n}.
"""
QUICK = "Функция Сложить(А, Б) Экспорт\n\tВозврат А + Б;\nКонецФункции\n"
SLOW = QUICK.replace("\tВозврат", "\tДля Сч = 1 По А Цикл\n\tКонецЦикла;\n\tВозврат")
PERF = "p_opt: 0.0\nsizes: [10, 20, 40]\ngen: |\n  Х = {n};\ncall: |\n  {entry}(Х, Х);\n"
TESTS = "tests:\n" + "".join(f"  - {{args: [{n}, 1], expected: {n + 1}}}\n" for n in range(5))


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A database with the bank in it, made once and copied for every house."""
    folder = tmp_path_factory.mktemp("built")
    for number in range(12):
        files = {"task.yaml": TASK.format(n=number), "tests.yaml": TESTS, "perf.yaml": PERF, "canonical.bsl": QUICK, "perf_baseline.bsl": SLOW}
        place = folder / "bank" / f"STEPS{number}"
        place.mkdir(parents=True)
        for name, text in files.items():
            (place / name).write_text(text, "utf-8")
    house = House(folder, None)
    house.manage("migrate", "-v0")
    house.manage("import_tasks")
    return folder


@pytest.fixture
def build(built, tmp_path):
    """An installation of its own, over a local provider or over none."""

    def make(provider: Provider | None, width: int = 4) -> House:
        shutil.copytree(built, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("redis*", "*.sock", "*.pid"))
        return House(tmp_path, provider, width)

    return make


class House:
    """An installation of its own."""

    def __init__(self, folder: Path, provider: Provider | None, width: int = 4) -> None:
        self.folder = folder
        write_catalogue(folder / "catalogue", provider.url if provider else "http://127.0.0.1:9/v1", width)
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PRISM_", "DATABASE_", "REDIS_", "TEST_"))}
        self.env = {**inherited, "PRISM_VAR": str(folder / "var"), "PRISM_TASKS": str(folder / "bank"), "PRISM_CATALOGUE": str(folder / "catalogue")}
        if provider:
            self.env["TEST_PROVIDER_KEY"] = KEY

    def manage(self, *arguments: str) -> str:
        ended = subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=PATIENCE)
        assert ended.returncode == 0, f"{arguments}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
        return ended.stdout + ended.stderr

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=self.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def rows(self, query: str) -> list[tuple]:
        with sqlite3.connect(f"file:{self.folder}/var/prism.sqlite3?mode=ro", uri=True, timeout=10) as base:
            return base.execute(query).fetchall()

    def states(self) -> Counter[str]:
        query = "SELECT a.status FROM scoring_answer a JOIN scoring_network n ON n.id = a.network_id WHERE n.is_control = 0 AND a.is_current = 1"
        return Counter(status for (status,) in self.rows(query))


def until(met, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < deadline and process.poll() is None, (process.communicate()[0] if process.poll() is not None else "too late")
        time.sleep(0.02)


class Gate:
    """Answers so many requests at once; the others are in flight until the gate is opened, however slow this machine is."""

    def __init__(self, served: int) -> None:
        self.served = served
        self.opened = threading.Event()

    def __call__(self, body, number) -> Outcome:
        if number >= self.served:
            assert self.opened.wait(PATIENCE)
        return completion(CODE)


def heard(process: subprocess.Popen[str], word: str) -> str:
    """What the process says up to a word."""
    assert process.stdout is not None
    said = ""
    while word not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    return said


def asked(provider: Provider) -> Counter[str]:
    return Counter(request.condition for request in provider.requests)


@pytest.mark.slow
def test_killed_at_any_moment_no_answer_is_lost_and_none_paid_for_twice_beyond_those_in_flight(build):
    """Two kills at different moments; what was stored before a kill is never asked for again."""
    width, answers, served = 4, 3, 6
    total = 12 * answers
    with Provider() as provider:
        house = build(provider, width)
        arguments = ["generate", "--network", "Alpha", "--answers", str(answers), "--no-score"]
        lost = 0
        # Killed while answers come in, and when everything that was answered is stored.
        for least in (1, served):
            before, asked_before = house.states()["answered"], provider.count
            provider.answer = gate = Gate(asked_before + served)
            process = house.start(*arguments)
            until(lambda wanted=before + least: house.states()["answered"] >= wanted, process)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            gate.opened.set()
            kept = house.states()
            assert kept["answered"] >= before + least and sum(kept.values()) == total
            missing = provider.count - asked_before - (kept["answered"] - before)
            assert missing <= served - least + width, "more was asked than stored and in flight"
            lost += missing
            arguments = ["generate", "--resume", "1", "--no-score"]
        stored = {row[0] for row in house.rows("SELECT digest FROM scoring_exchange")}
        house.manage(*arguments)
        assert house.states() == {"answered": total}
        assert provider.count == total + lost, f"{provider.count} requests for {total} answers"
        # One row, one exchange per answer; those of before the kills are still there.
        assert house.rows("SELECT count(*), count(DISTINCT answer_id) FROM scoring_exchange") == [(total, total)]
        assert stored <= {row[0] for row in house.rows("SELECT digest FROM scoring_exchange")}
        # 36 × (100 × 10 + 50 × 100) / 10^6
        assert float(house.rows("SELECT spent FROM scoring_generationrun")[0][0]) == pytest.approx(0.216)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_gracefully_and_everything_asked_is_stored(build, number):
    gate = Gate(2)
    with Provider(gate) as provider:
        house = build(provider, 2)
        process = house.start("generate", "--network", "Alpha", "--answers", "3", "--no-score")
        until(lambda: house.states()["answered"] >= 2, process)
        process.send_signal(number)
        # What is in flight comes in once the process has heard the signal.
        out = heard(process, "stopping: ")
        gate.opened.set()
        out += process.communicate(timeout=PATIENCE)[0]
        found = house.states()
        assert process.returncode == 0 and "stopped" in out and "--resume 1" in out, out
        assert found["answered"] == provider.count < 36 and found["planned"] == 36 - provider.count
        assert KEY not in out


@pytest.mark.slow
def test_a_rehearsal_needs_no_network_and_no_key_and_goes_all_the_way_to_the_board(build, tmp_path):
    house = build(None)
    runs = [{"run_index": n, "response": CODE if n == 0 else CODE.replace("+", "-"), "tokens_input": 10, "tokens_output": 20, "elapsed_time": 2.5, "cost_total": 0.25, "success": True} for n in range(2)]
    cells = [{"task_id": f"STEPS{n}", "model_id": "rec", "model_name": "Recorded", "runs": runs} for n in range(2)]
    cells.append({"task_id": "STEPS2", "model_id": "rec", "model_name": "Recorded", "runs": [runs[0], {**runs[1], "response": "", "success": False, "finish_reason": "length"}]})
    recording = tmp_path / "recording.json"
    recording.write_text(json.dumps({"experiment_name": "x", "category": "A", "task_results": cells}, ensure_ascii=False), "utf-8")
    # Without a route to anywhere: whatever tried to connect would fail.
    house.env |= {"HTTPS_PROXY": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"}
    out = house.manage("generate", "--replay", str(recording))
    assert "rehearsal" in out and "5 scored, 0 not measured" in out
    assert house.states() == {"answered": 5, "truncated": 1}
    scored = "SELECT count(*), sum(s.solved), min(s.m_value), max(s.m_value) FROM scoring_score s JOIN scoring_exchange e ON e.answer_id = s.answer_id"
    # Three right answers, two wrong ones, and the N/A of the cut one.
    assert house.rows(scored) == [(6, 3, 0.0, 10.0)]
    assert house.rows("SELECT DISTINCT elapsed_seconds, cost FROM scoring_answer WHERE model_id = 'rec'") == [(2.5, 0.25)]
    page = "from django.test import Client; print(Client(HTTP_HOST='localhost').get('/board/A/?edition=rehearsal').content.decode())"
    shown = house.manage("shell", "-v", "0", "-c", page)
    assert "Recorded" in shown and "Recorded" not in house.manage("shell", "-v", "0", "-c", page.replace("?edition=rehearsal", ""))
