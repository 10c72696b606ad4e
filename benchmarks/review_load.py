"""Twenty experts take "next" at once, over HTTP, against a real server with a database of its own.

    python benchmarks/review_load.py [--requests 10000] [--clients 20] [--workers 2] [--json FILE]

Each expert has two tabs (threads with a session each). A request is "next" or "submit and next"; one in ten submits is sent twice,
one in fifty is thrown away before it is answered (a lost connection), and drafts are saved between. At the end the database is
asked: no answer above its overlap, no grading missing that the server had confirmed, none doubled, no 5xx.
Set DATABASE_URL to measure PostgreSQL instead of SQLite.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode, urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]
from review_installation import PASSWORD  # noqa: E402

TABS = 2
AXES = "SMOP"
STEPS = (0, 2, 4, 6, 8, 10)
P95_TO_REACH = 0.150


class Client:
    """One tab: a connection and its cookies."""

    def __init__(self, port: int, name: str) -> None:
        self.port, self.name = port, name
        self.cookies: dict[str, str] = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.get("/accounts/login/")
        self.post("/accounts/login/", {"username": name, "password": PASSWORD})

    def send(self, method: str, path: str, body: str = "", kind: str = "application/x-www-form-urlencoded") -> tuple[int, str, str]:
        headers = {"Cookie": "; ".join(f"{key}={value}" for key, value in self.cookies.items()), "Content-Type": kind}
        headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        try:
            self.connection.request(method, path, body.encode(), headers)
            reply = self.connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            # The server closed an idle connection: what browsers do then is ask again.
            self.connection.close()
            self.connection.request(method, path, body.encode(), headers)
            reply = self.connection.getresponse()
        text = reply.read().decode("utf-8", "replace")
        for line in reply.headers.get_all("Set-Cookie") or []:
            key, _, value = line.partition(";")[0].partition("=")
            self.cookies[key] = value
        return reply.status, text, reply.headers.get("Location", "")

    def get(self, path: str) -> tuple[int, str, str]:
        return self.send("GET", path)

    def post(self, path: str, values: dict[str, object]) -> tuple[int, str, str]:
        return self.send("POST", path, urlencode(values))

    def cut(self, path: str, values: dict[str, object]) -> None:
        """Sends and hangs up without waiting for the answer."""
        headers = {"Cookie": "; ".join(f"{key}={value}" for key, value in self.cookies.items())}
        headers |= {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": self.cookies["csrftoken"]}
        self.connection.request("POST", path, urlencode(values).encode(), headers)
        self.connection.close()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)


class Tally:
    """What all tabs saw."""

    def __init__(self, requests: int) -> None:
        self.left = requests
        self.lock = threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.confirmed: set[tuple[str, str]] = set()
        self.seconds: list[float] = []
        self.faults: list[str] = []

    def take(self) -> bool:
        with self.lock:
            self.left -= 1
            return self.left >= 0

    def saw(self, status: int, seconds: float | None = None) -> None:
        with self.lock:
            self.statuses[status] += 1
            if seconds is not None:
                self.seconds.append(seconds)


def work(client: Client, slug: str, tally: Tally, seed: int) -> None:
    """Takes, drafts, submits, until the requests are spent or nothing is left."""
    chance = random.Random(seed)
    place = f"/review/rounds/{slug}/next/"
    try:
        status, _, location = client.post(place, {})
        tally.saw(status)
        while tally.take() and "/work/" in location:
            location = _one(client, slug, urlsplit(location).path, tally, chance)
    except Exception as error:
        tally.faults.append(f"{client.name}: {error!r}")


def _one(client: Client, slug: str, path: str, tally: Tally, chance: random.Random) -> str:
    """One answer: the page, a draft now and then, the submission and the next page. Returns where that leads."""
    status, text, location = client.get(path)
    tally.saw(status)
    if status == 200 and 'id="sheet"' in text:
        if chance.random() < 0.2:
            data = {"version": 0, "data": {"grades": {"S": 10}, "comments": {}, "lines": {}}}
            tally.saw(client.send("POST", path + "draft/", json.dumps(data), "application/json")[0])
        values = {f"grade_{axis}": chance.choice(STEPS) for axis in AXES}
        if chance.random() < 0.02:
            client.cut(path + "submit/", values)
        started = time.perf_counter()
        status, _, location = client.post(path + "submit/", values)
        landed = urlsplit(location).path
        if "/work/" in landed:
            tally.saw(client.get(landed)[0])
            tally.saw(status, time.perf_counter() - started)
        else:
            tally.saw(status)
        if status == 302 and "/work/" in landed:
            with tally.lock:
                tally.confirmed.add((client.name, path))
        if chance.random() < 0.1:
            tally.saw(client.post(path + "submit/", values)[0])
        if "/work/" in landed:
            return landed
    status, _, location = client.post(f"/review/rounds/{slug}/next/", {})
    tally.saw(status)
    return location


def free_port() -> int:
    """Below what usual kernels give to outgoing connections: until it is used nobody takes it by chance."""
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def serve(port: int, workers: int, env: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "gunicorn", "prism_site.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", str(workers)]
    process = subprocess.Popen([*command, "--threads", "8", "--log-level", "error", "--preload"], cwd=ROOT, env=env)
    for _ in range(1500):
        if process.poll() is not None:
            break
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return process
        except OSError:
            time.sleep(0.2)
    process.terminate()
    raise SystemExit("the server did not start")


CHECK = """
from collections import Counter; from review.models import *; import json
done = Submission.objects.values_list("slot__item", "slot__expert__username", "slot__key")
items = Counter(item for item, _, _ in done); pairs = Counter((item, who) for item, who, _ in done)
print("=>" + json.dumps({"done": len(done), "over": sum(n > Item.objects.get(pk=item).graders for item, n in items.items()),
 "doubled": sum(n > 1 for n in pairs.values()), "incomplete": sum(s.grades.count() != 4 for s in Submission.objects.prefetch_related("grades")),
 "keys": [[who, key] for _, who, key in done]}))
"""


def check(env: dict[str, str], tally: Tally, target: Path | None) -> int:
    """Asks the database; prints the verdict, and writes it to `target`."""
    out = subprocess.run([sys.executable, "manage.py", "shell", "-v", "0", "-c", CHECK], cwd=ROOT, env=env, capture_output=True, text=True)
    found = json.loads(out.stdout.rpartition("=>")[2])
    stored = {(who, f"/review/work/{key}/") for who, key in found["keys"]}
    lost = len(tally.confirmed - stored)
    failures = sum(count for status, count in tally.statuses.items() if status >= 500)
    seconds = sorted(tally.seconds)
    p95 = seconds[int(0.95 * len(seconds))] if seconds else 0.0
    print(f"requests {sum(tally.statuses.values())}, statuses {dict(sorted(tally.statuses.items()))}, broken connections {len(tally.faults)}")
    print(f"gradings stored {found['done']}, confirmed {len(tally.confirmed)}")
    print(f"answers over their overlap {found['over']}, lost {lost}, doubled {found['doubled']}, incomplete {found['incomplete']}, 5xx {failures}")
    print(f"submit and next, {len(seconds)} times with all clients at once: median {1000 * seconds[len(seconds) // 2]:.0f} ms, p95 {1000 * p95:.0f} ms")
    for fault in tally.faults[:5]:
        print("  " + fault)
    if target:
        figures = {name: found[name] for name in ("over", "doubled", "incomplete")} | {"lost": lost, "5xx": failures, "broken": len(tally.faults)}
        figures |= {"requests": sum(tally.statuses.values()), "submit_and_next_p95_ms": 1000 * p95}
        target.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    bad = found["over"] + lost + found["doubled"] + found["incomplete"] + failures + len(tally.faults)
    print("to reach: none over, lost, doubled or failed: " + ("MISSED" if bad else "reached"))
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--answers", type=int, default=500)
    parser.add_argument("--graders", type=int, default=5)
    parser.add_argument("--tabs", type=int, default=TABS)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PRISM_VAR": folder}
        setup = [sys.executable, "benchmarks/review_installation.py", "--answers", str(options.answers)]
        setup += ["--graders", str(options.graders), "--experts", str(options.clients)]
        slug = re.findall(r"[0-9a-f]{10}", subprocess.run(setup, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout)[-1]
        port = free_port()
        server = serve(port, options.workers, env)
        try:
            clients = [Client(port, f"expert{n}") for n in range(options.clients) for _ in range(options.tabs)]
            # Each answer takes three requests or so: the page, the submission, the next page.
            tally = Tally(options.requests)
            threads = [threading.Thread(target=work, args=(client, slug, tally, n)) for n, client in enumerate(clients)]
            started = time.perf_counter()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print(f"{time.perf_counter() - started:.1f} s")
            return check(env, tally, options.json)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
