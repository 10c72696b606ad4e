"""A catalogue of its own, a local provider, and a small bank: nothing here leaves the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.generation.catalogue import Catalogue, load_catalogue
from scoring.models import Task, TaskBundle
from scoring.services import generation
from tests.generation.kit import HIDDEN, KEY, SPEC, write_catalogue
from tests.generation.provider import Provider


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("TEST_PROVIDER_KEY", KEY)
    with Provider() as served:
        yield served


@pytest.fixture
def make_catalogue(tmp_path: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Catalogue]]:
    """Writes the catalogue over the local provider and makes it that of the services."""

    def make(width: int = 4, **files: str) -> Catalogue:
        folder = write_catalogue(tmp_path / "catalogue", provider.url, width, **files)
        monkeypatch.setenv("PRISM_CATALOGUE", str(folder))
        generation.catalogue.cache_clear()
        return load_catalogue(folder)

    yield make
    generation.catalogue.cache_clear()


@pytest.fixture
def cards(make_catalogue: Callable[..., Catalogue]) -> Catalogue:
    return make_catalogue()


@pytest.fixture
def make_task(db: None) -> Callable[..., Task]:
    """A published task written straight into the database."""

    def make(key: str, category: str = "A", **fields: Any) -> Task:
        given: dict[str, Any] = {"name": f"Задача {key}", "prompt": f"Условие {key}", "signature": "Функция Ф() Экспорт", **fields}
        task = Task.objects.create(key=key, category=category, **given)
        files = {"task.yaml": f"id: {key}\n", **HIDDEN}
        if category == "B":
            files["config_spec.yaml"] = SPEC
        task.bundle = TaskBundle.objects.create(task=task, number=1, digest=f"digest-{key}", files=files)
        task.save()
        return task

    return make
