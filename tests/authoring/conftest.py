"""Named people, and a queue that nobody serves: validations are run by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from authoring import drafts
from authoring.models import Draft
from authoring.skeletons import skeleton
from scoring import queue
from scoring.protocol import Protocol, load_protocol
from scoring.services import validating
from scoring.validation.bench import Bench


class Silent:
    """A queue that takes calls and keeps them."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def enqueue(self, *call: Any, **options: Any) -> None:
        self.calls.append(call)


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was called for; nothing runs by itself."""
    silent = Silent()
    monkeypatch.setattr(queue, "queue", lambda name="": silent)
    monkeypatch.setattr("scoring.services.work.wake_workers", lambda at_least=0: 0)
    return silent.calls


@pytest.fixture(scope="session")
def shared_bench() -> Iterator[Bench]:
    with Bench(load_protocol(), 1) as bench:
        yield bench


@pytest.fixture(autouse=True)
def one_bench(shared_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Validations of all tests take turns on one bench: starting an engine takes longer than most of them."""

    @contextmanager
    def lent(protocol: Protocol, lanes: int, stop: Callable[[], bool]) -> Iterator[Bench]:
        shared_bench.stop = stop
        yield shared_bench

    monkeypatch.setattr(validating, "Bench", lent)


def person(name: str, role: str) -> Any:
    user = get_user_model().objects.create_user(name, password="a long enough word")
    # The migrations' roles are gone where a test emptied the database before.
    user.groups.add(Group.objects.get_or_create(name=role)[0])
    return user


@pytest.fixture
def anna(db: Any) -> Any:
    return person("anna", "author")


@pytest.fixture
def boris(db: Any) -> Any:
    return person("boris", "author")


@pytest.fixture
def mira(db: Any) -> Any:
    return person("mira", "maintainer")


@pytest.fixture
def logged_in() -> Callable[[Any], Client]:
    def login(user: Any) -> Client:
        client = Client(headers={"accept-language": "ru"})
        client.force_login(user)
        return client

    return login


@pytest.fixture
def draft(anna: Any) -> Draft:
    return drafts.create(anna, skeleton("A", "GAP", "Промежутки"))


def validated(draft: Draft, user: Any) -> Draft:
    """The draft with a finished validation, measured by the engine."""
    drafts.ask_validation(user, draft)
    assert validating.drain() == 1
    return Draft.objects.select_related("validation", "task").get(pk=draft.pk)
