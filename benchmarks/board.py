"""How fast the board is under load: ``python -m benchmarks.board [--json FILE]``.

Makes a throwaway installation with synthetic data (50 networks × 60 tasks of A, as many networks × 20 of B; seeded), serves it as
``run_demo`` does (gunicorn, in a temporary folder), and asks for pages with 20 clients at once: pages seen before, and boards with
filters that nobody asked for before, each address once. Prints median and 95th percentile in milliseconds, and how many queries a
page takes at two sizes of the database.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
NETWORKS, TASKS, PLATFORM_TASKS = 50, 60, 20
CLIENTS = 20
SEEN_PAGES = ("/", "/board/A/", "/board/A/?sort=-Q", "/board/A/?open=yes", "/board/B/", "/tasks/", "/models/network-7/")
SEEN_REQUESTS, UNSEEN_REQUESTS = 2000, 400
VENDORS = [f"Vendor {letter}" for letter in "ABCDEFG"]
SKILLS = ["строки", "числа", "даты", "коллекции", "таблицы", "деревья", "рекурсия", "поиск"]
DIFFICULTIES = ["easy", "medium", "hard"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="prism-board-") as folder:
        figures = measure(Path(folder))
    for name, value in figures.items():
        print(f"{name:<52} {value:.1f}" if isinstance(value, float) else f"{name:<52} {value}")
    if options.json:
        options.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", "utf-8")


def measure(folder: Path) -> dict[str, float | int]:
    """Everything, in an installation below `folder`."""
    prepare(folder)
    figures: dict[str, float | int] = {}
    fill(5, 12, 4)
    small = queries_of_pages()
    fill(NETWORKS, TASKS, PLATFORM_TASKS)
    for address, count in queries_of_pages().items():
        figures[f"queries {address}, small database"] = small[address]
        figures[f"queries {address}, full database"] = count
    with Site() as site:
        for address in SEEN_PAGES:
            site.ask(address)
        chance = random.Random(1)
        seen = [chance.choice(SEEN_PAGES) for _ in range(SEEN_REQUESTS)]
        figures |= under_load("page once seen", site, seen)
        figures |= under_load("filter never asked before", site, unseen_filters()[:UNSEEN_REQUESTS])
    return figures


# -- data --------------------------------------------------------------------------------------------------------------


def prepare(folder: Path) -> None:
    """Django over an empty database of its own."""
    for name in ("DATABASE_URL", "REDIS_URL", "PRISM_ENV", "PRISM_DEBUG"):
        os.environ.pop(name, None)
    os.environ.update(PRISM_VAR=str(folder), DJANGO_SETTINGS_MODULE="prism_site.settings", PRISM_ALLOWED_HOSTS="127.0.0.1,testserver")
    sys.path.insert(0, str(ROOT))
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def fill(networks: int, tasks: int, platform_tasks: int) -> None:
    """Replaces whatever is stored by synthetic networks, tasks, answers and scores."""
    from django.db import transaction

    from scoring.models import Answer, Edition, Network, Score, ShownStack, Task, TaskBundle
    from scoring.protocol import load_protocol
    from scoring.services import stacks
    from scoring.services.versions import data_changed

    chance = random.Random(20260101)
    with transaction.atomic():
        for model in (Score, ShownStack, Answer, Network):
            model.objects.all().delete()
        Task.objects.update(bundle=None)
        TaskBundle.objects.all().delete()
        Task.objects.all().delete()
        edition, _ = Edition.objects.get_or_create(slug="core", defaults={"name": "core"})
        stack = stacks.measured_stack({"tests": "synthetic 1"}, load_protocol())
        people = Network.objects.bulk_create(network(number, chance) for number in range(networks))
        for category, count in (("A", tasks), ("B", platform_tasks)):
            fill_category(category, count, people, edition, stack, chance)
            stacks.show_stack(category, stack)
        data_changed()


def network(number: int, chance: random.Random) -> object:
    from scoring.models import Network

    return Network(
        name=f"Network {number}", slug=f"network-{number}", vendor=chance.choice(VENDORS), open_weights=chance.random() < 0.5
    )


def fill_category(category: str, count: int, people: Iterable[object], edition: object, stack: object, chance: random.Random) -> None:
    from scoring.models import Answer, Score, Task, TaskBundle

    tasks = []
    for number in range(count):
        skills = chance.sample(SKILLS, 2)
        task = Task.objects.create(
            key=f"{category}{number}", category=category, name=f"Задача {number}", prompt="…", skills=skills,
            difficulty=chance.choice(DIFFICULTIES),
        )  # fmt: skip
        task.bundle = TaskBundle.objects.create(task=task, number=1, digest=str(number), files={})
        task.save()
        tasks.append(task)
    answers = Answer.objects.bulk_create(
        Answer(edition=edition, task=task, network=who, status="answered") for who in people for task in tasks
    )
    Score.objects.bulk_create(score(answer, stack, category, chance) for answer in answers)


def score(answer: object, stack: object, category: str, chance: random.Random) -> object:
    """A row with a plausible vector: better networks have smaller numbers."""
    from scoring.models import AxisState, Score

    skill = 1 - answer.network.pk % NETWORKS / NETWORKS  # type: ignore[attr-defined]
    meaning = round(10 * min(1.0, max(0.0, chance.gauss(skill, 0.3))), 1)
    values = {"s": chance.choice([10, 10, 8]), "m": meaning, "o": chance.choice([10, 8, 4]) if meaning >= 5 else None}
    values["p"] = chance.choice([10, 6, 0]) if category == "B" else None
    known = [value for value in values.values() if value is not None]
    fields: dict[str, object] = {}
    for axis, value in values.items():
        absent = AxisState.NOT_APPLICABLE if axis == "p" and category == "A" else AxisState.NOT_MEASURED
        fields |= {f"{axis}_value": value, f"{axis}_state": absent if value is None else AxisState.SCORED}
        fields[f"{axis}_reason"] = "" if value is not None else "category" if axis == "p" else "gated_by_meaning"
    stage, cause = ("solved", "none") if meaning == 10 else ("result", "wrong_value")
    return Score(
        answer=answer, stack=stack, bundle=answer.task.bundle, q_value=round(sum(known) / len(known), 2),  # type: ignore[attr-defined]
        solved=meaning == 10, passed=int(meaning), total=10, stage=stage, cause=cause, **fields,
    )  # fmt: skip


def queries_of_pages() -> dict[str, int]:
    """Address → queries of a page that nobody asked for before."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from leaderboard.cache import forget

    found = {}
    for address in ("/", "/board/A/", "/board/A/?sort=-O&open=yes", "/models/network-1/", "/tasks/"):
        forget()
        with CaptureQueriesContext(connection, ) as queries:
            assert Client().get(address).status_code == 200
        found[address] = len(queries)
    forget()
    return found


# -- load --------------------------------------------------------------------------------------------------------------


class Site:
    """The served installation; `ask` returns the milliseconds until the last byte."""

    def __enter__(self) -> Site:
        from prism_site.management.commands.run_demo import site_command

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.process = subprocess.Popen(site_command("127.0.0.1", self.port), cwd=ROOT)
        self.local = threading.local()
        until = time.monotonic() + 60
        while True:
            try:
                self.ask("/healthz")
                return self
            except OSError:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise
                time.sleep(0.2)

    def __exit__(self, *error: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)

    def processor_ms(self) -> float:
        """Processor time of the server and its workers so far (Linux)."""
        own = str(self.process.pid)
        ticks = 0
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
                if own in (folder.name, stat[1]):
                    ticks += int(stat[11]) + int(stat[12])
        return 1000 * ticks / os.sysconf("SC_CLK_TCK")

    def ask(self, address: str) -> float:
        """One request on a connection of its own, as a reader's browser would make it. Raises OSError."""
        started = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", address, headers={"Accept-Encoding": "gzip", "Accept-Language": "ru"})
            response = connection.getresponse()
            body = response.read()
            if response.status != 200 or not body:
                raise RuntimeError(f"{address}: status {response.status}")
        finally:
            connection.close()
        return (time.perf_counter() - started) * 1000


def load(site: Site, addresses: list[str]) -> list[float]:
    """All addresses, by CLIENTS clients at once, each asking again as soon as it was answered."""
    waiting = iter(addresses)
    guard = threading.Lock()
    times: list[float] = []

    def client() -> None:
        while True:
            with guard:
                address = next(waiting, None)
            if address is None:
                return
            times.append(site.ask(address))

    run_all([client] * CLIENTS)
    if len(times) != len(addresses):
        raise RuntimeError(f"{len(addresses) - len(times)} requests failed")
    return times


def run_all(jobs: Iterable[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def unseen_filters() -> list[str]:
    """Canonical addresses of boards, all different, shuffled with a seed."""
    found = []
    sorts = ("", "-S", "-O", "-Q", "solved", "name")
    for sort, vendor, weights, tag, difficulty in itertools.product(sorts, ["", *VENDORS], ["", "no"], ["", *SKILLS], ["", *DIFFICULTIES]):
        pairs = [("sort", sort), ("vendor", vendor), ("open", weights), ("tag", tag), ("difficulty", difficulty)]
        query = urlencode([(key, value) for key, value in pairs if value])
        # Boards without a vendor show most rows: the dearest ones.
        if not vendor and tag and query not in ("", "sort=-Q"):
            found.append(f"/board/A/?{query}")
    random.Random(2).shuffle(found)
    return found


def under_load(what: str, site: Site, addresses: list[str]) -> dict[str, float | int]:
    """Times as clients see them, and the site's own processor time, which other work on the machine does not change."""
    before = site.processor_ms()
    figures = described(what, load(site, addresses))
    return {**figures, f"{what}: processor ms a request": (site.processor_ms() - before) / len(addresses)}


def described(what: str, times: list[float]) -> dict[str, float | int]:
    return {
        f"{what}: requests": len(times),
        f"{what}: median, ms": float(median(times)),
        f"{what}: p95, ms": float(quantiles(times, n=20)[-1]),
    }


if __name__ == "__main__":
    main()
