"""Writes tasks, networks, answers and scores straight into the database, without measuring anything."""

from __future__ import annotations

from typing import Any

from scoring.evidence import (
    ErrorFact,
    Evidence,
    GrowthFacts,
    Invented,
    Observed,
    Place,
    SyntaxFacts,
    TestFacts,
    TestOutcome,
)
from scoring.funnel import classify
from scoring.models import Answer, AnswerStatus, Edition, Network, Score, Stack, Task, TaskBundle
from scoring.pipeline import judge
from scoring.protocol import load_protocol
from scoring.services import scores, stacks
from scoring.services.versions import data_changed

SECRET = "КАНАРЕЙКА-7f31"
CODE = "Функция Ответ(А) Экспорт\n\tВозврат А; // <b>жирно</b>\nКонецФункции\n"
QUERY_CODE = (
    'Функция Ответ() Экспорт\n\tЗапрос = Новый Запрос;\n\tЗапрос.Текст = "ВЫБРАТЬ\n\t|\tТ.Цвет\n\t|ИЗ Справочник.Товары КАК Т";\n'
    "\tВозврат Запрос.Выполнить().Выгрузить();\nКонецФункции\n"
)
SPEC = """\
catalogs:
  Товары:
    hierarchical: true
    attributes:
      Вес: {type: Число, length: 10, precision: 3}
    tabular_sections:
      Состав: {attributes: {Часть: {type: СправочникСсылка.Товары}}}
enums:
  Виды: [Первый, Второй]
"""


class World:
    """Builds tasks, networks and scored answers."""

    @staticmethod
    def passing(passed: int = 4, total: int = 4) -> Evidence:
        return passing(passed, total)

    def __init__(self) -> None:
        self.rules = load_protocol()
        self.stack = stacks.measured_stack({"tests": "pretend 1"}, self.rules)
        self.edition, _ = Edition.objects.get_or_create(slug="core", defaults={"name": "core"})

    def task(self, key: str, category: str = "A", **fields: Any) -> Task:
        given: dict[str, Any] = {"name": f"Задача {key}", "prompt": f"Условие {key}", "skills": ["строки"], **fields}
        task = Task.objects.create(key=key, category=category, **given)
        files = {"task.yaml": f"id: {key}\nname: {key}\ncategory: {category}\nprompt: |\n  Условие {key}\ndifficulty: easy\n"}
        files["tests.yaml"] = "tests:\n  - {args: [1], expected: 1}\n"
        if category == "B":
            files |= {"config_spec.yaml": SPEC, "fixtures.yaml": "catalogs: {}\n"}
        task.bundle = TaskBundle.objects.create(task=task, number=1, digest=f"digest-{key}", files=files)
        task.save()
        return task

    def network(self, name: str, **fields: Any) -> Network:
        slug = fields.pop("slug", name.lower().replace(" ", "-").replace("/", "-"))
        return Network.objects.create(name=name, slug=slug, **fields)

    def answer(self, task: Task, network: Network, **fields: Any) -> Answer:
        given: dict[str, Any] = {"status": AnswerStatus.ANSWERED, "code": CODE, "response": CODE, "edition": self.edition, **fields}
        return Answer.objects.create(task=task, network=network, **given)

    def scored(self, task: Task, network: Network, evidence: Evidence | None = None, **fields: Any) -> Score:
        """An answer with a score judged from `evidence` (all tests passed where none is given)."""
        stack: Stack = fields.pop("stack", self.stack)
        answer = self.answer(task, network, **fields)
        found = evidence or passing()
        card = judge(found, self.rules, task.category)
        assert task.bundle is not None
        score = scores.build_score(answer, stack, task.bundle, card, classify(found, self.rules.funnel), found, 1.0)
        score.save()
        return score

    def shown(self) -> None:
        """Puts the stack on both boards."""
        for category in "AB":
            stacks.show_stack(category, self.stack)
        data_changed()


def outcomes(passed: int, total: int) -> tuple[TestOutcome, ...]:
    return tuple(
        TestOutcome(index, f"тест {index}", "passed" if index < passed else "wrong", actual="1", expected="2") for index in range(total)
    )


def passing(passed: int = 4, total: int = 4, counts: tuple[int, ...] = (10, 20, 40)) -> Evidence:
    """So many tests passed, and linear growth where the optimum is linear."""
    growth = Observed(GrowthFacts("operations", "1.0", (10, 20, 40), counts)) if passed * 2 >= total else None
    return Evidence(Observed(SyntaxFacts()), Observed(TestFacts("Ответ", outcomes(passed, total), 100)), growth, "Ответ")


def inventing() -> Evidence:
    """A query with a field that does not exist, in both tests."""
    message = (
        'Ошибка при вызове метода контекста (Выполнить): {(2, 4)}: Поле не найдено "Т.Цвет"\n\t<<?>>Т.Цвет'
    )
    error = ErrorFact("query_no_field", message, Place(6, 1, "ОбщийМодуль.КодКандидата.Модуль"))
    failed = tuple(TestOutcome(index, f"тест {index}", "raised", error=error) for index in range(2))
    return Evidence(Observed(SyntaxFacts()), Observed(TestFacts("Ответ", failed)), None, "Ответ", (Invented("field", "Т.Цвет"),))


def fill_small(world: World) -> World:
    """Eight tasks of A and two of B; three networks, strong, middling and weak; a reference; one cell each of every odd kind."""
    tasks = [
        world.task(f"A{number}", difficulty="hard" if number % 2 else "easy", skills=["строки"] if number < 4 else ["даты"])
        for number in range(8)
    ]
    strong = world.network("Сильная", slug="strong", vendor="Альфа", open_weights=False)
    middling = world.network("Middling", slug="middling", vendor="Beta", open_weights=True)
    weak = world.network("Weak", slug="weak", vendor="Beta", open_weights=True)
    reference = world.network("control/reference", slug="control-reference", is_control=True)
    for number, task in enumerate(tasks):
        world.scored(task, strong)
        world.scored(task, middling, passing(2 + number % 3))
        world.scored(task, weak, passing(0))
        world.scored(task, reference)
    platform = world.task("B1", "B")
    world.scored(platform, strong, inventing(), code=QUERY_CODE)
    world.scored(platform, middling)
    world.answer(world.task("B2", "B"), strong, status=AnswerStatus.TRUNCATED)
    world.shown()
    return world
