"""An installation of its own for review's benchmarks and browser tests: tasks, answers and scores made on the spot, one open round.

    PRISM_VAR=/tmp/folder python benchmarks/review_installation.py --answers 500 --graders 20 --experts 20 [--grades]

Names and passwords of the experts are `expert0`, `expert1`, … and PASSWORD; the maintainer is `boss`. Nothing is measured: the
machine's steps are random. `--grades` has the experts grade everything at once, for reports.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "a long enough secret 17"
TASKS = 25
STEPS = {"S": [10, 10, 10, 8, 6, 0], "M": [10, 10, 8, 6, 2, 0], "O": [10, 10, 8, 4, 2], "P": [10, 10, 6, 0]}
CODE = """\
Функция Ответ(Данные) Экспорт
\tИтог = {n};
\tДля Каждого Строка Из Данные Цикл
\t\tЕсли Строка > 0 Тогда
\t\t\tИтог = Итог + Строка;
\t\tКонецЕсли;
\tКонецЦикла;
\tВозврат Итог;
КонецФункции
"""
BUNDLE = {
    "task.yaml": "id: {key}\nname: Задача\ncategory: {category}\ndifficulty: easy\nentry_point: Ответ\nsignature: Функция Ответ(Данные) Экспорт\nprompt: Условие\n",
    "tests.yaml": "tests:\n  - {args: [[1]], expected: 1}\n",
}


def prepare(answers: int, graders: int, experts: int, category: str, grades: bool, purpose: str = "validation") -> str:
    """Migrates, fills, opens a round over all answers; returns its slug."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    fill(answers, category)
    people = [person(f"expert{number}", "expert") for number in range(experts)]
    from review.services import rounds

    boss = person("boss", "maintainer")
    axes = list("SMOP" if category == "B" else "SMO")
    values = {"title": "Замер", "category": category, "axes": axes, "size": answers, "graders": graders, "overlap": 1.0}
    round_ = rounds.create(boss, values | {"repeats": 0.0, "seed": 1, "purpose": purpose}, people)
    rounds.open_round(boss, round_)
    if grades:
        grade_everything(round_.slug, people)
    return round_.slug


def person(name: str, role: str):  # type: ignore[no-untyped-def]
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group

    user = get_user_model().objects.create_user(name, password=PASSWORD)
    user.groups.add(Group.objects.get(name=role))
    return user


def fill(count: int, category: str) -> None:
    """Tasks, networks, answers and scores."""
    from scoring.models import Answer, Edition, Network, Score, Task, TaskBundle
    from scoring.services import stacks

    chance = random.Random(1)
    edition = Edition.objects.create(slug="core", name="core")
    stack = stacks.measured_stack({"tests": "made up"}, stacks.protocol())
    tasks = Task.objects.bulk_create(
        [Task(key=f"T{n}", category=category, name=f"Задача {n}", prompt="Верните сумму.\n" * 5) for n in range(TASKS)]
    )
    for task in tasks:
        files = BUNDLE | {"task.yaml": BUNDLE["task.yaml"].format(key=task.key, category=category)}
        task.bundle = TaskBundle(task=task, number=1, digest=f"digest-{task.key}", files=files)
    TaskBundle.objects.bulk_create([task.bundle for task in tasks if task.bundle])
    Task.objects.bulk_update(tasks, ["bundle"])
    networks = Network.objects.bulk_create([Network(name=f"network {n}", slug=f"network-{n}") for n in range(-(-count // TASKS))])
    places = [(task, network) for network in networks for task in tasks][:count]
    answers = Answer.objects.bulk_create(
        [
            Answer(task=task, network=network, edition=edition, status="answered", code=CODE.format(n=n), response=CODE.format(n=n))
            for n, (task, network) in enumerate(places)
        ]
    )
    Score.objects.bulk_create([score_of(answer, stack, category, chance) for answer in answers])
    stacks.show_stack(category, stack)


def score_of(answer, stack, category: str, chance: random.Random):  # type: ignore[no-untyped-def]
    from scoring.models import Score

    score = Score(answer=answer, stack=stack, bundle=answer.task.bundle)
    for axis, steps in STEPS.items():
        low, applies = axis.lower(), axis != "P" or category == "B"
        step = chance.choice(steps)
        setattr(score, f"{low}_state", "scored" if applies else "not_applicable")
        setattr(score, f"{low}_value", float(step) if applies else None)
        setattr(score, f"{low}_step", step if applies else None)
    return score


def grade_everything(slug: str, people: list) -> None:  # type: ignore[type-arg]
    """Every slot, exact in four of five and one step off else."""
    from review.models import Grade, Slot, Submission

    chance = random.Random(2)
    slots = list(Slot.objects.filter(item__round__slug=slug).select_related("item").order_by("item", "pk"))
    last, number = None, 0
    for slot in slots:
        number = number + 1 if slot.item_id == last else 0
        last = slot.item_id
        slot.state, slot.expert = "submitted", people[number % len(people)]
    Slot.objects.bulk_update(slots, ["state", "expert"], batch_size=400)
    submissions = Submission.objects.bulk_create([Submission(slot=slot, seconds=60) for slot in slots], batch_size=400)
    Grade.objects.bulk_create(
        [
            Grade(submission=submission, axis=axis, value=step if chance.random() < 0.8 else max(0, min(10, step + chance.choice([-2, 2]))))
            for submission in submissions
            for axis, step in submission.slot.item.steps.items()
        ],
        batch_size=400,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=500)
    parser.add_argument("--graders", type=int, default=20)
    parser.add_argument("--experts", type=int, default=20)
    parser.add_argument("--category", default="B")
    parser.add_argument("--grades", action="store_true")
    options = parser.parse_args()
    if "PRISM_VAR" not in os.environ:
        parser.error("name a folder of its own in PRISM_VAR: this fills a database with made-up answers")
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "prism_site.settings")
    import django

    django.setup()
    print(prepare(options.answers, options.graders, options.experts, options.category, options.grades))
    return 0


if __name__ == "__main__":
    sys.exit(main())
