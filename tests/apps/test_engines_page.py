"""The maintainers' page of engines: who may see it, and what it tells."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import Role
from scoring.services import crosscheck

pytestmark = pytest.mark.django_db


def test_strangers_are_sent_to_the_door(client: Client):
    assert client.get("/engines/").status_code == 302


def test_a_maintainer_reads_stacks_engines_and_the_last_comparison(client: Client, django_user_model, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    row = {"n": 3, "equal": 2, "share": 0.666667, "not_measured": 0, "kinds": {}}
    entry = {"task": "A101", "model": "Сеть", "question": "syntax", "kind": "root causes 1 / 2", "ours": "<b>наше</b>", "theirs": "их"}
    report = {"category": "A", "made_at": "2026-01-01T00:00:00", "theirs": {"syntax": "bsl_ls 0.29"}, "questions": {"syntax": row}}
    crosscheck.keep(report | {"disagreements": [entry]})
    vera = django_user_model.objects.create_user("vera", password="a long enough password")
    vera.groups.add(Group.objects.get_or_create(name=Role.MAINTAINER)[0])
    client.force_login(vera)
    text = client.get("/engines/").content.decode()
    assert "bsl_ls" in text and "onescript" in text and "root causes 1 / 2" in text and "2 / 3" in text
    assert "&lt;b&gt;наше" in text
