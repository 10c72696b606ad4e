"""The API's description (OpenAPI 3.1). Tests hold every answer against it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoring.models import AXES, AnswerStatus, AxisState, Category, Difficulty

Schema = dict[str, Any]
COLUMN_SORTS = (*AXES, "Q", "solved", "name", "vendor", "tasks")


def text(**extra: Any) -> Schema:
    return {"type": "string", **extra}


def number(**extra: Any) -> Schema:
    return {"type": "number", **extra}


def whole(**extra: Any) -> Schema:
    return {"type": "integer", "minimum": 0, **extra}


def flag() -> Schema:
    return {"type": "boolean"}


def maybe(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]} if "type" in schema else {"oneOf": [schema, {"type": "null"}]}


def listed(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def mapped(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def record(**fields: Schema) -> Schema:
    """Every field is there in every answer; what is unknown is null."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def score() -> Schema:
    return maybe(number(minimum=0, maximum=10))


def share() -> Schema:
    return maybe(number(minimum=0, maximum=1))


def schemas() -> dict[str, Schema]:
    """The records that the API speaks in."""
    return {**board_schemas(), **network_schemas(), **task_schemas(), **answer_schemas(), "Error": record(error=text(), detail=text())}


def board_schemas() -> dict[str, Schema]:
    return {
        "Stack": record(
            id=whole(), name=text(), kind=text(enum=["measured", "recorded"]), instruments=mapped(text()),
            protocol_version=text(), protocol_hash=text(),
        ),
        "Network": record(
            name=text(), slug=text(), vendor=maybe(text()), open_weights=maybe(flag()), released_on=maybe(text(format="date")),
            is_control=flag(),
        ),
        "Figure": record(value=maybe(number()), low=maybe(number()), high=maybe(number()), tasks=whole()),
        "Standing": record(rank=whole(minimum=1), best=whole(minimum=1), worst=whole(minimum=1), groups=listed(text())),
        "Coverage": record(tasks=whole(), measured_tasks=whole(), measured=whole(), unmeasured=whole(), truncated=whole(), pending=whole()),
        "Row": record(network=ref("Network"), standing=maybe(ref("Standing")), figures=mapped(ref("Figure")), coverage=ref("Coverage")),
        "Board": record(
            category=text(enum=list(Category.values)), edition=text(), data_version=whole(), stack=maybe(ref("Stack")), sort=text(),
            ranked_by=text(), tasks=whole(), columns=listed(text()), rows=listed(ref("Row")),
            filters=record(vendor=maybe(text()), open=maybe(text()), tag=maybe(text()), difficulty=maybe(text()), controls=flag(), verified=flag(), strength=maybe(text())),
        ),
        "SummaryRow": record(network=ref("Network"), categories=mapped(ref("Row"))),
        "Summary": record(stacks=mapped(maybe(ref("Stack"))), rows=listed(ref("SummaryRow"))),
    }  # fmt: skip


def network_schemas() -> dict[str, Schema]:
    scores = record(**dict.fromkeys((*AXES, "Q"), score()))
    return {
        "Cell": record(
            answer=whole(), task=text(), network=text(), run=whole(), status=text(enum=list(AnswerStatus.values)),
            state=text(enum=["measured", "unmeasured", "truncated", "pending", "withheld"]), scores=scores, reasons=mapped(text()),
            passed=maybe(whole()), total=maybe(whole()), solved=flag(), stage=text(), cause=text(),
        ),
        "Skill": record(tag=text(), tasks=whole(), figures=mapped(ref("Figure"))),
        "Stage": record(stage=text(), attempts=whole(), reached=whole(), causes=mapped(whole())),
        "Profile": record(
            stack=maybe(ref("Stack")), figures=mapped(ref("Figure")), standings=mapped(maybe(ref("Standing"))), coverage=ref("Coverage"),
            gap=maybe(ref("Gap")), repeats=maybe(ref("Repeats")), skills=listed(ref("Skill")), funnel=listed(ref("Stage")), not_measured=whole(), answers=listed(ref("Cell")),
        ),
        "NetworkProfile": record(network=ref("Network"), categories=mapped(ref("Profile"))),
    }  # fmt: skip


def task_schemas() -> dict[str, Schema]:
    head = {
        "key": text(),
        "name": text(),
        "category": text(enum=list(Category.values)),
        "difficulty": text(enum=list(Difficulty.values)),
        "skills": listed(text()),
        "platform": listed(text()),
        "is_private": flag(),
        "solve_rate": share(),
        "mean_m": score(),
        "networks": whole(),
        "discrimination": maybe(number(minimum=-1, maximum=1)),
        "strength": share(),
        "band": maybe(text()),
        "written_on": maybe(text(format="date")),
        "places_moved": whole(),
    }
    return {
        "Task": record(**head),
        "Tasks": record(tasks=listed(ref("Task"))),
        "TaskDetail": record(**head, prompt=maybe(text()), answers=listed(ref("Cell"))),
    }  # fmt: skip


def answer_schemas() -> dict[str, Schema]:
    return {
        "Axis": record(
            axis=text(enum=list(AXES)), value=score(), step=maybe(whole()), state=text(enum=list(AxisState.values)), reason=maybe(text())
        ),
        "TestError": record(kind=text(), message=text(), line=maybe(whole())),
        "Test": record(
            index=whole(), name=text(), verdict=text(enum=["passed", "wrong", "raised", "not_run"]), operations=whole(),
            error=maybe(ref("TestError")),
        ),
        "Growth": record(
            unit=text(enum=["operations", "accesses"]), optimum=text(), exponent=maybe(text()), stopped=maybe(text()),
            points=listed(record(size=whole(), count=maybe(whole()))),
        ),
        "Answer": record(
            id=whole(), task=text(), network=text(), edition=text(), run=whole(), revision=whole(), is_current=flag(),
            status=text(enum=list(AnswerStatus.values)), stack=maybe(text()), axes=listed(ref("Axis")), quality=score(), solved=flag(),
            details_public=flag(), withheld=flag(), verified_axes=listed(text()), code=maybe(text()), tests=listed(ref("Test")), growth=maybe(ref("Growth")),
            invented=listed(record(kind=text(), name=text())),
        ),
        "Paired": record(
            difference=maybe(number()), low=maybe(number()), high=maybe(number()), tasks=whole(), wins=whole(), ties=whole(), losses=whole()
        ),
        "Gap": record(public=score(), private=score(), difference=number(), low=maybe(number()), high=maybe(number())),
        "Repeats": record(pass_at=mapped(ref("Figure")), spread=number(minimum=0), tasks=whole()),
        "Expense": record(
            network=text(), answers=whole(), cost=maybe(number()), tokens_input=maybe(number()), tokens_output=maybe(number()),
            seconds=maybe(number()), lookups=maybe(number()), invented=share(), mean_m=score(), solved=share(), on_frontier=flag(),
            dominated_by=maybe(text()),
        ),
        "Costs": record(categories=mapped(listed(ref("Expense")))),
        "Comparison": record(a=ref("Network"), b=ref("Network"), categories=mapped(mapped(ref("Paired")))),
        "Agreement": record(
            category=text(), axes=mapped(record(share=share(), equal=maybe(whole()), n=maybe(whole()))), kendall_q=maybe(number()),
            answers=maybe(whole()), measured_at=maybe(text()), stack=maybe(text()), engine=maybe(text()), disagreements=whole(),
        ),
        "Question": record(
            ours=text(), theirs=text(), n=whole(), equal=whole(), not_measured=whole(), share=share(), kinds=mapped(whole())
        ),
        "CrossCheck": record(
            category=text(), made_at=text(), protocol=text(), answers=whole(), questions=mapped(ref("Question")),
        ),
        "Fidelity": record(
            agreements=listed(ref("Agreement")), cross_checks=listed(ref("CrossCheck")), conformance=listed(record(file=text(), equal=share(), message=share(), line=share()))
        ),
    }  # fmt: skip


def filter_parameters(summary: bool = False) -> list[Schema]:
    """What narrows and sorts a board, as in the pages' addresses."""
    sorts = [*Category.values, "name"] if summary else list(COLUMN_SORTS)
    return [
        query("sort", text(enum=[*sorts, *(f"-{name}" for name in sorts)]), _("столбец; минус — по убыванию, N/A всегда в конце")),
        query("vendor", text(), _("разработчик; «-» — неизвестен")),
        query("open", text(enum=["yes", "no"]), _("открытые веса")),
        query("tag", text(), _("метка задачи; места от неё не меняются")),
        query("difficulty", text(enum=list(Difficulty.values)), _("сложность задач")),
        query("edition", text(), _("условия прогона")),
        query("controls", text(enum=["no"]), _("скрыть контрольные ответы")),
        query("strength", text(enum=["strong", "fair", "weak"]), _("сила скрытых тестов задачи")),
        query("verified", text(enum=["yes"]), _("только задачи со знаком «проверено»")),
    ]


def query(name: str, schema: Schema, words: str, required: bool = False) -> Schema:
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": words}


def in_path(name: str, schema: Schema, words: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": words}


def paths() -> dict[str, Schema]:
    """Address → operation."""
    category = in_path("category", text(enum=list(Category.values)), _("категория"))
    edition = query("edition", text(), _("условия прогона"))
    stack = query("stack", whole(), _("номер стека; по умолчанию тот, что на доске"))
    two = [query(name, text(), _("сеть (slug)"), required=True) for name in ("a", "b")]
    return {
        "/api/v1/summary": operation("summary", _("Обе категории рядом"), "Summary", filter_parameters(summary=True)),
        "/api/v1/boards/{category}": operation("board", _("Доска категории"), "Board", [category, *filter_parameters()]),
        "/api/v1/networks/{slug}": operation(
            "network", _("Сеть: вектор, навыки, воронка, ответы"), "NetworkProfile", [in_path("slug", text(), _("сеть (slug)")), edition]
        ),
        "/api/v1/tasks": operation("tasks", _("Банк задач"), "Tasks", []),
        "/api/v1/tasks/{key}": operation("task", _("Задача и ответы на неё"), "TaskDetail", [in_path("key", text(), _("номер задачи"))]),
        "/api/v1/answers/{id}": operation(
            "answer", _("Ответ: код, тесты, рост работы"), "Answer", [in_path("id", whole(), _("номер ответа")), stack]
        ),
        "/api/v1/compare": operation("compare", _("Две сети на общих задачах"), "Comparison", two),
        "/api/v1/costs": operation("costs", _("Цена, токены и время ответа"), "Costs", [edition]),
        "/api/v1/fidelity": operation("fidelity", _("Согласие с подлинными движками"), "Fidelity", []),
    }


def operation(name: str, words: str, schema: str, parameters: list[Schema]) -> Schema:
    def answer(what: str, kind: str) -> Schema:
        return {"description": what, "content": {"application/json": {"schema": ref(kind)}}}

    return {
        "get": {
            "operationId": name,
            "summary": words,
            "parameters": parameters,
            "responses": {"200": answer(words, schema), "404": answer(_("не найдено"), "Error")},
        }
    }


def document() -> Schema:
    """The whole description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "PRISM",
            "version": "1",
            "description": _("Оценки качества кода 1С. Нет значения — null, причина рядом; null никогда не означает ноль."),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths(),
        "components": {"schemas": schemas()},
    }


def operations() -> list[Schema]:
    """For the page about the API: address, words, parameters, schema and an example address."""
    found = []
    for address, entry in paths().items():
        get = entry["get"]
        found.append({"address": address, "summary": get["summary"], "parameters": get["parameters"], "schema": schema_name(get)})
    return found


def schema_name(get: Schema) -> str:
    return str(get["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]).rpartition("/")[2]
