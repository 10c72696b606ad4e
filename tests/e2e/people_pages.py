"""Pages behind the door, filled: a graded round, tickets, drafts, a run that waits and a comparison of engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import Role
from authoring import drafts
from authoring.skeletons import skeleton
from review.models import Item, Round
from review.services import disputes, grading, rounds
from review.services.grading import Sheet
from scoring.services import crosscheck

LONG = "мария-константиновна-долгополова"
ROUND = {"category": "A", "axes": ["S", "M", "O"], "graders": 2, "overlap": 1.0, "repeats": 0.0, "seed": 7, "purpose": "trial", "size": 5}
ROW = {"n": 30, "equal": 20, "share": 0.666667, "not_measured": 4, "kinds": {"root causes 1 / 2": 10}}
LINE = {"task": "A0", "model": "Сеть", "question": "syntax", "kind": "root causes 1 / 2", "ours": "наше", "theirs": "ю" * 300, "answer": 1}
REPORT = {
    "category": "A", "protocol": "1.2.0", "protocol_hash": "abc", "answers": 30, "questions": {"syntax": ROW}, "disagreements": [LINE],
    "ours": {"syntax": "builtin 1"}, "theirs": {"syntax": "bsl_ls 0.29"},
}  # fmt: skip


def person(name: str, role: str) -> tuple[Any, str]:
    """Somebody with that role and the key of a session of theirs."""
    user, _made = get_user_model().objects.get_or_create(username=name)
    user.groups.add(Group.objects.get_or_create(name=role)[0])
    client = Client()
    client.force_login(user)
    return user, client.cookies["sessionid"].value


def graded_round(boss: Any, experts: list[Any]) -> Round:
    """Open, with one grading of every expert and a ticket."""
    made = rounds.create(boss, {"title": "Согласие с экспертами-преподавателями: алгоритмические задачи", **ROUND}, experts)
    opened = rounds.open_round(boss, made)
    for expert in experts:
        slot = grading.take_next(opened, expert)
        assert slot is not None
        grading.submit(slot, expert, Sheet(dict.fromkeys(opened.axes, 2), {"M": "Не учтён пустой список."}))
    item = Item.objects.filter(round=opened).first()
    disputes.open_oracle_ticket(boss, item, "M", "Условие не говорит, что делать с пустой таблицей.")
    return opened


def people_and_round() -> Iterator[tuple[str, list[str]]]:
    """Session key and addresses of a maintainer, an expert and an author; the last of each is one of a long list of pages."""
    boss, boss_key = person(LONG, Role.MAINTAINER)
    boris, boris_key = person("boris", Role.EXPERT)
    vera, _key = person("vera", Role.EXPERT)
    anna, anna_key = person("anna", Role.AUTHOR)
    opened = graded_round(boss, [boris, vera])
    place = f"/review/rounds/{opened.slug}/"
    check = crosscheck.keep(REPORT)
    yield boss_key, [
        *(place + page for page in ("", "agreement/", "disagreements/", "adjudication/")), "/review/rounds/", "/review/rounds/new/",
        "/review/tickets/", "/review/what-if/", "/review/verified/", "/accounts/people/", "/accounts/profile/", "/accounts/profile/second-factor/",
        "/runs/", "/runs/new/", "/engines/", f"/engines/cross-checks/{check.pk}/", "/authoring/", "/accounts/log/",
    ]  # fmt: skip
    slot = grading.take_next(opened, boris)
    assert slot is not None
    yield boris_key, [f"/review/work/{slot.key}/", "/review/guidelines/", "/review/"]
    draft = drafts.create(anna, skeleton("B", "SHELF", "Остатки на полках"))
    yield anna_key, ["/authoring/new/", *(f"/authoring/drafts/{draft.key}/{page}" for page in ("", "changes/")), "/review/"]
