"""`run_demo` (what `make run` calls): everything a fresh machine needs, then the site and its workers until Ctrl+C."""

from __future__ import annotations

import signal
import socket
import sys
import time
import urllib.request
from argparse import ArgumentParser, ArgumentTypeError
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from prism_site.translations import compile_stale
from scoring import queue
from scoring.management.base import PrismCommand, require_instrument
from scoring.management.supervisor import ChildKeepsDying, Supervisor
from scoring.management.watching import watch_jobs
from scoring.models import Answer
from scoring.services import bank, measuring, work

SITE_SECONDS = 120.0
TEND_SECONDS = 1.0
SWEEP_EVERY = 10
# Addresses to listen at that are no addresses to call.
EVERYWHERE = ("0.0.0.0", "")


class Stopped(Exception):
    """Somebody asked to stop."""


class Command(PrismCommand):
    help = "Migrates, imports the bank, scores the control answers, and serves the site with its workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
        parser.add_argument("--port", type=port_number, default=8000, help="default: %(default)s")
        parser.add_argument("--workers", type=int, default=settings.PRISM_WORKERS, help="scoring workers (default: %(default)s)")
        parser.add_argument("--once", action="store_true", help="leave when everything is scored and the site has answered")

    def run(self, *, host: str, port: int, workers: int, once: bool, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stop)
        refuse_taken(host, port)
        compile_stale(settings.LOCALE_PATHS)
        call_command("migrate", verbosity=0)
        self.say(f"bank: {bank.import_folder(settings.PRISM_TASKS_DIR)}")
        queue.ensure()
        try:
            with Supervisor() as children:
                self._serve(children, host, port, workers, once)
        except ChildKeepsDying as error:
            raise CommandError(str(error)) from None
        except Stopped:
            self.say("\nstopped")

    def _serve(self, children: Supervisor, host: str, port: int, workers: int, once: bool) -> None:
        controls = Answer.objects.filter(is_current=True, network__is_control=True)
        jobs = measuring.request_scores(controls.select_related("task__bundle"))
        if jobs:
            require_instrument()
        children.start_manage("scoring_worker", count=workers)
        if jobs:
            watch_jobs("scoring the control answers", jobs, children.tend)
        self.say("starting the site")
        self.stdout.flush()
        children.start(site_command(host, port))
        url = f"http://{'localhost' if host in ('127.0.0.1', *EVERYWHERE) else host}:{port}/"
        wait_for_site(f"http://{'127.0.0.1' if host in EVERYWHERE else host}:{port}/healthz", children)
        self.say(f"PRISM runs at {url} (Ctrl+C stops it)")
        self.stdout.flush()
        if not once:
            tend_for_ever(children)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Stopped


def port_number(text: str) -> int:
    """A port that can be told to a browser beforehand."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:6]) < 1 << 16:
        raise ArgumentTypeError(f"{text!r} is no port: expected 1 to 65535")
    return int(text)


def refuse_taken(host: str, port: int) -> None:
    """Raises CommandError when something listens there already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(f"port {port} of {host} can't be used ({error.strerror}): choose another with --port") from None


def site_command(host: str, port: int) -> list[str]:
    """Gunicorn with threads: pages mostly come from the cache."""
    gunicorn = [sys.executable, "-m", "gunicorn", "prism_site.wsgi", "--chdir", str(settings.BASE_DIR)]
    return [*gunicorn, "--bind", f"{host}:{port}", "--workers", "1", "--threads", "8", "--log-level", "warning", "--preload"]


def wait_for_site(url: str, children: Supervisor) -> None:
    """Returns once the site answers. Raises CommandError after SITE_SECONDS."""
    # By a name that the site answers to: an address to listen at need not be one.
    names = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if "*" not in host]
    asked = urllib.request.Request(url, headers={"Host": names[0] if names else "localhost"})
    deadline = time.monotonic() + SITE_SECONDS
    while time.monotonic() < deadline:
        children.tend()
        try:
            with urllib.request.urlopen(asked, timeout=2) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise CommandError(f"the site did not answer within {SITE_SECONDS:.0f} s")


def tend_for_ever(children: Supervisor) -> None:
    """Restarts what dies and hands out what was lost, until a signal comes."""
    beats = 0
    while True:
        time.sleep(TEND_SECONDS)
        beats += 1
        if children.tend() or beats % SWEEP_EVERY == 0:
            work.wake_workers()
