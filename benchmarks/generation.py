"""What generation itself costs: 2,000 answers at 32 parallel requests against a local provider in a process of its own.

Prints our CPU time per answer (user + system, everything between order and stored answer: client, dialogue, hashing, database)
and the memory in use along the way. The provider takes 50 ms to think, so that 32 requests are really in flight.

    .venv/bin/python benchmarks/generation.py [--answers 2000] [--parallel 32] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
TASKS = 50
THINKING = 0.05
CATALOGUE = {
    "channels.yaml": 'channels:\n  bench: {{kind: openai, base_url: "{url}", concurrency: {parallel}}}\n  replay: {{kind: replay}}\n',
    "networks.yaml": "networks:\n  - {{name: Bench, id: bench, channel: bench, tools: true}}\n",
    "prices.yaml": "currency: USD\nassumed: {{A: {{input: 1, output: 1}}, B: {{input: 1, output: 1}}}}\nprices:\n  Bench: [{{since: 2026-01-01, input: 1, output: 2}}]\n",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_catalogue(folder: Path, url: str, parallel: int) -> None:
    """The shipped catalogue with one network and one channel instead of its own."""
    from shutil import copytree

    copytree(ROOT / "scoring" / "generation" / "data", folder)
    for name, text in CATALOGUE.items():
        (folder / name).write_text(text.format(url=url, parallel=parallel), "utf-8")


def memory_mb() -> float:
    """Resident memory now (Linux), else the highest so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def make_bank() -> None:
    from scoring.models import Task, TaskBundle

    for number in range(TASKS):
        task = Task.objects.create(key=f"T{number:03}", category="A", name=f"T{number}", prompt=f"Условие {number}. " * 20)
        task.bundle = TaskBundle.objects.create(task=task, number=1, digest=str(number), files={"task.yaml": ""})
        task.save()


def measure(answers: int) -> dict[str, float]:
    """Carries the run out; scoring is queued as ever, but by nobody taken up, for it is not what is measured here."""
    from scoring.generation.runner import Stop
    from scoring.models import Answer
    from scoring.services import generating, generation, measuring, work

    work.wake_workers = lambda *args, **options: 0  # type: ignore[assignment]
    make_bank()
    measuring.current_stack()
    run = generation.place_order(generation.Order(answers_per_task=answers // TASKS))
    memory: list[float] = []
    done = 0

    def told(attempt: object, cost: float | None) -> None:
        nonlocal done
        done += 1
        if done % (answers // 10) == 0:
            memory.append(memory_mb())

    started, cpu = time.monotonic(), cpu_seconds()
    generating.carry_out(run, Stop(), told=told)
    wall, cpu = time.monotonic() - started, cpu_seconds() - cpu
    stored = Answer.objects.filter(status="answered", exchange__isnull=False).count()
    assert stored == answers, f"{stored} of {answers} answers were stored"
    return {
        "answers": answers, "cpu_ms_per_answer": 1000 * cpu / answers, "wall_s": wall, "answers_per_s": answers / wall,
        "memory_mb_at_10_percent": memory[0], "memory_mb_at_50_percent": memory[4], "memory_mb_at_100_percent": memory[-1],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=2000)
    parser.add_argument("--parallel", type=int, default=32)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "generation" / "provider.py"), str(port), str(THINKING)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder:
            write_catalogue(Path(folder) / "catalogue", url, options.parallel)
            os.environ |= {"PRISM_VAR": folder, "PRISM_CATALOGUE": str(Path(folder) / "catalogue"), "DJANGO_SETTINGS_MODULE": "prism_site.settings"}
            for name in ("DATABASE_URL", "REDIS_URL"):
                os.environ.pop(name, None)
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            found = measure(options.answers - options.answers % TASKS)
    finally:
        server.terminate()
        server.wait()
    print(f"{found['answers']} answers, {options.parallel} requests at a time, {THINKING * 1000:.0f} ms of thought each")
    print(f"CPU of ours         {found['cpu_ms_per_answer']:.2f} ms an answer (to reach: 5)")
    print(f"wall                {found['wall_s']:.1f} s, {found['answers_per_s']:.0f} answers/s")
    print(
        f"memory              {found['memory_mb_at_10_percent']:.0f} MB after 10 %, {found['memory_mb_at_50_percent']:.0f} after 50 %,"
        f" {found['memory_mb_at_100_percent']:.0f} at the end"
    )
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
