"""`make run` from nothing: bank, scores, site, URL; and nothing is left behind when it stops."""

from __future__ import annotations

import signal
import urllib.request

import pytest

pytestmark = pytest.mark.slow


def test_from_nothing_to_a_site_and_a_quick_second_start(installation, tools):
    port = tools.free_port()
    first = installation.start("run_demo", "--port", str(port))
    seen: list[str] = []
    while not any("PRISM runs at" in line for line in seen):
        line = first.stdout.readline()
        assert line, "".join(seen)
        seen.append(line)
    assert any("scoring the control answers" in line for line in seen)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=120) as page:
        assert page.status == 200 and "PRISM" in page.read().decode()
    below = tools.descendants(first.pid)
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=tools.PATIENCE)
    assert first.returncode == 0
    tools.wait_until(lambda: not [pid for pid in below if tools.lives(pid)])

    again = installation.manage("run_demo", "--once", "--port", str(port))
    assert "0 new versions" in again and "scoring the control answers" not in again


def test_a_taken_port_is_told_before_anything_happens(installation, tools):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        demo = installation.start("run_demo", "--port", str(taken.getsockname()[1]))
        output, _ = demo.communicate(timeout=tools.PATIENCE)
    assert demo.returncode == 1 and "--port" in output
