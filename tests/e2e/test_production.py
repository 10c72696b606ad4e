"""Production settings, served for real: hashed static files, named hosts only, secure cookies."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def production(tree, tmp_path_factory, tools):
    """An installation in production mode with collected static files."""
    tmp_path = tmp_path_factory.mktemp("production")
    tools.write_bank(tmp_path / "bank", tasks=1, busy=0)
    made = tools.Installation(
        tree,
        tmp_path,
        PRISM_ENV="production",
        PRISM_SECRET_KEY=secrets.token_urlsafe(50),
        PRISM_ALLOWED_HOSTS="127.0.0.1",
        PRISM_SSL_REDIRECT="0",
        PRISM_STATIC=str(tmp_path / "static"),
    )
    made.manage("migrate", "-v0")
    made.manage("import_tasks")
    made.manage("collectstatic", "--no-input", "-v0")
    yield made
    made.close()


@pytest.fixture(scope="module")
def address(production, tools):
    port = tools.free_port()
    command = [sys.executable, "-m", "gunicorn", "prism_site.wsgi", "--bind", f"127.0.0.1:{port}", "--log-level", "warning"]
    server = subprocess.Popen(command, cwd=production.tree, env=production.env, start_new_session=True)
    production.started.append(server)
    root = f"http://127.0.0.1:{port}"
    tools.wait_until(lambda: server.poll() is not None or answers(f"{root}/healthz"))
    assert server.poll() is None, "the server did not start"
    return root


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return reply.status == 200
    except OSError:
        return False


def test_pages_name_hashed_files_that_are_there_and_may_be_kept_for_ever(address):
    with urllib.request.urlopen(f"{address}/", timeout=120) as page:
        text = page.read().decode()
        policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    named = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', text))
    for path in named:
        with urllib.request.urlopen(address + path, timeout=120) as file:
            assert "immutable" in file.headers["Cache-Control"], path
    assert not [path for path in named if not re.search(r"\.[0-9a-f]{12}\.", path)]


def test_a_host_that_was_not_named_is_refused(address):
    request = urllib.request.Request(f"{address}/", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=120)
    assert caught.value.code == 400


def test_an_error_page_tells_nothing_about_the_settings(address):
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{address}/no/such/page", timeout=120)
    body = caught.value.read().decode()
    assert caught.value.code == 404 and "urlpatterns" not in body and "DEBUG" not in body


def test_cookies_travel_over_https_only(address):
    with urllib.request.urlopen(f"{address}/admin/login/", timeout=120) as page:
        cookies = page.headers.get_all("Set-Cookie") or []
    assert cookies and all("Secure" in cookie for cookie in cookies)
