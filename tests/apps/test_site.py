"""Wiring: what production refuses, what every response carries, and that health tells the truth."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, get_commands
from django.urls import reverse

from prism_site import environment
from prism_site.management.commands import run_demo
from prism_site.translations import compile_stale
from scoring.management.supervisor import Supervisor

ROOT = Path(__file__).resolve().parents[2]
SAFE = {"PRISM_SECRET_KEY": "k3J_9sQ-" * 6 + "xyzw", "PRISM_ALLOWED_HOSTS": "prism.example.org"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"PRISM_SECRET_KEY": ""}, "PRISM_SECRET_KEY"),
        ({"PRISM_SECRET_KEY": "a" * 60}, "PRISM_SECRET_KEY"),
        ({"PRISM_SECRET_KEY": "short-But.Mixed9"}, "PRISM_SECRET_KEY"),
        ({"PRISM_SECRET_KEY": "django-insecure-" + SAFE["PRISM_SECRET_KEY"]}, "PRISM_SECRET_KEY"),
        ({"PRISM_DEBUG": "1"}, "PRISM_DEBUG"),
        ({"PRISM_ALLOWED_HOSTS": ""}, "PRISM_ALLOWED_HOSTS"),
        ({"PRISM_ALLOWED_HOSTS": "a.org, *"}, "PRISM_ALLOWED_HOSTS"),
        ({"PRISM_ALLOWED_HOSTS": " , "}, "PRISM_ALLOWED_HOSTS"),
    ],
)
def test_production_refuses(change, told):
    with pytest.raises(ImproperlyConfigured, match=told):
        environment.refuse_unsafe({**SAFE, **change})


def test_production_accepts_a_sound_environment():
    environment.refuse_unsafe(SAFE)


def test_all_faults_of_a_deployment_are_told_at_once():
    assert len(environment.production_faults({"PRISM_DEBUG": "yes"})) == 3


def test_production_really_does_not_start(tmp_path):
    env = {**os.environ, "PRISM_ENV": "production", "PRISM_VAR": str(tmp_path)}
    ended = subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert ended.returncode != 0 and "refuses to start in production" in ended.stderr


@pytest.mark.parametrize("name", ["PRISM_ENGINE_A", "PRISM_SANDBOX", "PRISM_CROSS_CHECK", "PRISM_TIME_ZONE", "PRISM_WORKERS", "PRISM_ENV"])
def test_a_wrong_setting_ends_a_command_with_its_message(name, tmp_path):
    env = {**os.environ, "PRISM_VAR": str(tmp_path), name: "no such word"}
    ended = subprocess.run([sys.executable, "manage.py", "doctor"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert ended.returncode == 1 and name in ended.stderr and "expected" in ended.stderr and "Traceback" not in ended.stderr
    with_frames = subprocess.run([sys.executable, "manage.py", "doctor", "--traceback"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert with_frames.returncode == 1 and "Traceback" in with_frames.stderr


def test_secrets_of_a_deployment_reach_neither_the_repository_nor_an_image():
    for name in (".gitignore", ".dockerignore", "Dockerfile.dockerignore"):
        assert ".env" in (ROOT / name).read_text("utf-8").split(), name


def test_settings_of_a_deployment_reach_site_and_workers():
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    assert all(compose["services"][name]["env_file"] == [".env"] for name in ("prepare", "site", "worker"))


@pytest.mark.parametrize("text", ["maybe", "2", "ja"])
def test_odd_flags_are_refused(text):
    with pytest.raises(ImproperlyConfigured, match="PRISM_DEBUG"):
        environment.flag({"PRISM_DEBUG": text}, "PRISM_DEBUG")


@pytest.mark.parametrize("text", ["many", "0", "-3", "1.5"])
def test_odd_numbers_are_refused(text):
    with pytest.raises(ImproperlyConfigured, match="PRISM_WORKERS"):
        environment.whole_number({"PRISM_WORKERS": text}, "PRISM_WORKERS", 2)


def test_odd_modes_are_refused():
    with pytest.raises(ImproperlyConfigured, match="PRISM_ENV"):
        environment.mode({"PRISM_ENV": "prod"})


def test_every_machine_has_a_secret_of_its_own_and_keeps_it(tmp_path):
    one = environment.local_secret(tmp_path / "a")
    assert environment.local_secret(tmp_path / "a") == one != environment.local_secret(tmp_path / "b")
    assert (tmp_path / "a" / "secret_key").stat().st_mode & 0o077 == 0
    assert not environment.production_faults({**SAFE, "PRISM_SECRET_KEY": one})


@pytest.mark.parametrize("fault", ["below a file", "a file", "no permission"])
def test_a_data_folder_that_takes_nothing_is_told_with_its_cure(tmp_path, monkeypatch, fault):
    (tmp_path / "file").touch()
    place = {"below a file": tmp_path / "file" / "var", "a file": tmp_path / "file", "no permission": tmp_path / "closed"}[fault]
    if fault == "no permission":

        def refuse(**where: object) -> None:
            raise PermissionError(13, "Permission denied")

        # Root writes everywhere.
        monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(ImproperlyConfigured, match="can't be written .*PRISM_VAR"):
        environment.data_folder({"PRISM_VAR": str(place)}, tmp_path)
    if fault == "no permission":
        servers = {"DATABASE_URL": "x", "REDIS_URL": "x", "PRISM_SECRET_KEY": "x"}
        assert environment.data_folder({"PRISM_VAR": str(place), **servers}, tmp_path) == place, "with servers nothing is kept there"


def test_an_empty_name_of_the_data_folder_is_none(tmp_path):
    assert environment.data_folder({"PRISM_VAR": ""}, tmp_path / "var") == tmp_path / "var"


@pytest.mark.parametrize("text", ["0", "-1", "65536", "9" * 5000, "80x", "", "²"])
def test_an_odd_port_is_refused(text):
    with pytest.raises(CommandError, match="no port"):
        call_command("run_demo", "--port", text)


@pytest.mark.django_db
@pytest.mark.parametrize("hosts", [["localhost"], [".example.org"], ["*"]])
def test_the_started_site_is_asked_by_a_name_that_it_answers_to(live_server, settings, hosts):
    """Whatever address it listens at: 0.0.0.0 is no name of a site."""
    settings.ALLOWED_HOSTS = hosts
    address = live_server.url.replace("localhost", "127.0.0.1")
    run_demo.wait_for_site(f"{address}/healthz", Supervisor())


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/healthz", "/", "/admin/login/", "/static/vendor/plotly.min.js", "/nothing-here"])
def test_every_response_carries_the_policies(client, address):
    response = client.get(address)
    policy = response.headers.get("Content-Security-Policy", "")
    if not address.startswith("/static/"):
        assert "script-src 'self'" in policy and "unsafe-eval" not in policy
        assert "unsafe-inline" not in re.search(r"script-src[^;]*", policy).group()
        assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_live_needs_neither_database_nor_queue(client):
    assert client.get("/healthz").content == b"ok\n"


@pytest.mark.django_db
def test_ready_tells_which_part_is_missing(client, monkeypatch):
    monkeypatch.setattr("scoring.queue.is_reachable", lambda: False)
    response = client.get("/readyz")
    assert response.status_code == 503 and response.json() == {"database": "ok", "queue": "unreachable"}
    monkeypatch.setattr("scoring.queue.is_reachable", lambda: True)
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_administration_is_closed_to_strangers(client):
    response = client.get("/admin/", follow=False)
    assert response.status_code == 302 and "login" in response.headers["Location"]


@pytest.mark.django_db
def test_the_language_switch_keeps_the_choice(client):
    assert client.get("/").headers["Content-Language"] == "ru"
    client.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert client.get("/").headers["Content-Language"] == "en"


def test_the_only_file_served_out_of_plotly_is_its_script(client):
    assert client.get("/static/vendor/plotly.min.js").status_code == 200
    assert client.get("/static/vendor/widgetbundle.js").status_code == 404


@pytest.mark.django_db
def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_system_checks_are_silent():
    call_command("check", fail_level="WARNING", verbosity=0)


def test_translations_are_compiled_when_their_source_is_newer(tmp_path):
    source = tmp_path / "en" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "да"\nmsgstr "yes"\n', "utf-8")
    assert [path.name for path in compile_stale([tmp_path])] == ["django.mo"]
    assert compile_stale([tmp_path]) == []
    os.utime(source, (source.stat().st_mtime + 10,) * 2)
    assert len(compile_stale([tmp_path])) == 1


def test_russian_is_shown_until_english_is_chosen(client, db):
    english_browser = {"HTTP_ACCEPT_LANGUAGE": "en-US,en;q=0.9"}
    assert '<html lang="ru"' in client.get("/", **english_browser).content.decode()
    assert '<html lang="en"' in client.get("/?lang=en", **english_browser).content.decode()
    assert '<html lang="en"' in client.get("/", **english_browser).content.decode()


# -- documents ---------------------------------------------------------------------------------------------------------


DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_of_a_document_lead_somewhere(name):
    text = (ROOT / name).read_text("utf-8")
    linked = {target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target} - {""}
    assert sorted(target for target in linked if not ((ROOT / name).parent / target).exists()) == []
    # Folders that a reader makes are known to git as ignored ones.
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    named = set(re.findall(r"`((?:docs|scripts|benchmarks|metrics|docker|tests)/[\w./-]+)`", text))
    assert sorted(target for target in named.difference(ignored) if not (ROOT / target).exists()) == []


@pytest.mark.parametrize("name", ["README.md", "README.ru.md"])
def test_the_readmes_name_commands_that_are_there(name):
    told = set(re.findall(r"(?:manage\.py |\| `)([a-z_]+)", (ROOT / name).read_text("utf-8")))
    assert told - set(get_commands()) - {"make"} == set()


def test_both_readmes_name_the_same_settings():
    english, russian = (set(re.findall(r"PRISM_\w+", (ROOT / name).read_text("utf-8"))) for name in ("README.md", "README.ru.md"))
    assert english == russian
