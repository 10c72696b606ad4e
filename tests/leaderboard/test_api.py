"""Every answer of the API is what its OpenAPI description says, field by field."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scoring.models import Answer, Network, Task
from scoring.services import crosscheck
from scoring.services.versions import data_changed

pytestmark = pytest.mark.django_db
TYPES = {"string": str, "number": (int, float), "integer": int, "boolean": bool, "array": list, "object": dict, "null": type(None)}


class Checker:
    """As much of JSON Schema as the description uses; an unknown keyword is an error of the test."""

    known = {"type", "properties", "required", "additionalProperties", "items", "enum", "minimum", "maximum", "oneOf", "$ref", "format", "description"}

    def __init__(self, document: dict[str, Any]) -> None:
        self.schemas = document["components"]["schemas"]
        self.used: set[str] = set()

    def check(self, value: Any, schema: dict[str, Any], place: str) -> None:
        assert set(schema) <= self.known, f"{place}: {set(schema) - self.known}"
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            self.used.add(name)
            return self.check(value, self.schemas[name], place)
        if "oneOf" in schema:
            branch = schema["oneOf"][1 if value is None else 0]
            return self.check(value, branch, place)
        self.check_type(value, schema, place)
        if isinstance(value, dict):
            self.check_fields(value, schema, place)
        if isinstance(value, list):
            for number, entry in enumerate(value):
                self.check(entry, schema["items"], f"{place}[{number}]")
        return None

    def check_type(self, value: Any, schema: dict[str, Any], place: str) -> None:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        fits = [isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name in ("number", "integer")) for name in names]
        assert any(fits), f"{place}: {value!r} is no {names}"
        if value is not None:
            assert value in schema.get("enum", [value]), f"{place}: {value!r}"
            assert "minimum" not in schema or value >= schema["minimum"], f"{place}: {value}"
            assert "maximum" not in schema or value <= schema["maximum"], f"{place}: {value}"

    def check_fields(self, value: dict[str, Any], schema: dict[str, Any], place: str) -> None:
        fields = schema.get("properties", {})
        assert set(schema.get("required", ())) <= set(value), f"{place}: {set(schema['required']) - set(value)} missing"
        for key, entry in value.items():
            rest = schema.get("additionalProperties", True)
            if key in fields:
                self.check(entry, fields[key], f"{place}.{key}")
            else:
                assert isinstance(rest, dict), f"{place}: {key} is not described"
                self.check(entry, rest, f"{place}.{key}")


def document(client) -> dict[str, Any]:
    return client.get("/api/openapi.json").json()


def calls() -> list[tuple[str, str]]:
    """(path of the description, address)."""
    answers = [("/api/v1/answers/{id}", f"/api/v1/answers/{pk}") for pk in Answer.objects.values_list("pk", flat=True)]
    networks = [("/api/v1/networks/{slug}", f"/api/v1/networks/{slug}") for slug in ("strong", "weak", "control-reference")]
    boards = [
        ("/api/v1/boards/{category}", f"/api/v1/boards/{category}{query}")
        for category in "AB"
        for query in ("", "?sort=O", "?controls=no&vendor=Beta", "?vendor=Nobody&controls=no", "?tag=строки")
    ]
    return [
        ("/api/v1/summary", "/api/v1/summary"),
        ("/api/v1/summary", "/api/v1/summary?sort=B&controls=no"),
        *boards, *networks, *answers,
        ("/api/v1/tasks", "/api/v1/tasks"),
        ("/api/v1/tasks/{key}", "/api/v1/tasks/A0"),
        ("/api/v1/tasks/{key}", "/api/v1/tasks/B2"),
        ("/api/v1/compare", "/api/v1/compare?a=strong&b=weak"),
        ("/api/v1/costs", "/api/v1/costs"),
        ("/api/v1/fidelity", "/api/v1/fidelity"),
    ]  # fmt: skip


def add_odd_cases(world) -> None:
    """A private task, a second run and a cross-check, so that what only some networks have is described, too."""
    strong = Network.objects.get(slug="strong")
    world.scored(world.task("AP", is_private=True), strong, cost=0.01)
    world.scored(Task.objects.get(key="A0"), strong, world.passing(1), run_index=1)
    counts = {"n": 0, "equal": 0, "share": None, "not_measured": 1, "kinds": {}}
    questions = {"syntax": counts, "tests": {**counts, "n": 2, "equal": 1, "share": 0.5, "kinds": {"passed / wrong": 1}}}
    stack = {"syntax": "x 1", "tests": "x 1"}
    crosscheck.keep(
        {"category": "A", "protocol": "1", "answers": 3, "questions": questions, "ours": stack, "theirs": stack, "disagreements": []}
    )
    data_changed()


def test_every_answer_is_as_described_and_every_schema_is_used(small, client):
    add_odd_cases(small)
    described = document(client)
    checker = Checker(described)
    called = set()
    for path, address in calls():
        response = client.get(address)
        assert response.status_code == 200 and response.headers["Content-Type"] == "application/json", address
        schema = described["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        checker.check(response.json(), schema, address)
        called.add(path)
    assert called == set(described["paths"])
    assert checker.used == set(described["components"]["schemas"]) - {"Error"}


def test_what_is_missing_is_told_in_json(small, client):
    described = document(client)
    for address in ["/api/v1/boards/X", "/api/v1/networks/none", "/api/v1/tasks/none", "/api/v1/answers/0", "/api/v1/compare?a=strong"]:
        response = client.get(address)
        assert response.status_code == 404
        Checker(described).check(response.json(), described["components"]["schemas"]["Error"], address)


def test_the_description_is_sound(world, client):
    described = document(client)
    assert described["openapi"].startswith("3.1")
    text = str(described)
    for name in re.findall(r"#/components/schemas/(\w+)", text):
        assert name in described["components"]["schemas"]
    for path, entry in described["paths"].items():
        declared = {parameter["name"] for parameter in entry["get"]["parameters"] if parameter["in"] == "path"}
        assert declared == set(re.findall(r"{(\w+)}", path))
    identifiers = [entry["get"]["operationId"] for entry in described["paths"].values()]
    assert len(identifiers) == len(set(identifiers))


def test_api_and_page_show_the_same_order(small, client):
    value = client.get("/api/v1/boards/A?sort=-Q").json()
    page = client.get("/board/A/?sort=-Q").content.decode()
    slugs = [row["network"]["slug"] for row in value["rows"]]
    assert sorted(slugs, key=lambda slug: page.index(f'/models/{slug}/"')) == slugs


def test_any_site_may_read_and_nobody_may_write(small, client):
    assert client.get("/api/v1/summary").headers["Access-Control-Allow-Origin"] == "*"
    assert client.post("/api/v1/summary").status_code == 405
    assert client.post("/board/A/").status_code == 405


@pytest.mark.parametrize("form", ["csv", "json"])
def test_files_are_offered_for_download(small, client, form):
    for address in (f"/board/A/export.{form}?sort=O", f"/summary.{form}"):
        response = client.get(address)
        assert response.status_code == 200 and 'filename="prism-' in response.headers["Content-Disposition"]
    if form == "json":
        assert client.get("/board/A/export.json?sort=O").json() == client.get("/api/v1/boards/A?sort=O").json()
