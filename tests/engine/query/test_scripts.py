"""Programs that ask queries and walk their results: ``scripts.yaml`` holds bodies of functions and what they give.

``error``: the description of the error that the program raises.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from world import World

from scoring.engine.errors import BslRuntimeError, NotSupported
from scoring.engine.session import Session
from scoring.engine.source import Source

SCRIPTS = yaml.safe_load((Path(__file__).parent / "scripts.yaml").read_text("utf-8"))


def run(world: World, body: str) -> Any:
    session = Session("onec", database=world.database)
    text = f"Функция Проба() Экспорт\n{body}\nКонецФункции\n"
    module = session.load(Source(text, "ОбщийМодуль.Проба.Модуль"), run_body=False)
    return session.call(module, "Проба", [])


@pytest.mark.parametrize("script", SCRIPTS, ids=[script["name"] for script in SCRIPTS])
def test_script_gives_what_it_says(world: World, script: dict[str, Any]) -> None:
    if "error" in script:
        with pytest.raises(BslRuntimeError) as raised:
            run(world, script["code"])
        assert world.runtime.dialect.render(raised.value) == script["error"]
        return
    assert run(world, script["code"]) == script["gives"]


@pytest.mark.parametrize("name", ["СхемаЗапроса", "ПостроительЗапроса", "СхемаКомпоновкиДанных"])
def test_what_the_engine_lacks_is_not_supported_by_name(world: World, name: str) -> None:
    with pytest.raises(NotSupported, match=name):
        run(world, f"А = Новый {name};")
