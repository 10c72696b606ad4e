"""Pages as readers get them: languages, addresses, caching, queries, empty and faulty states, and what stays private."""

from __future__ import annotations

import gzip
import re

import pytest
from django.utils.translation import override

from leaderboard.cache import forget
from leaderboard.metadata import tree
from scoring.evidence import Evidence, InstrumentFailed
from scoring.models import Answer, AnswerStatus, Edition, Exchange, FidelityReport, Network, Score, Task, TaskStatus
from scoring.services.versions import data_changed

pytestmark = pytest.mark.django_db
CYRILLIC = re.compile("[А-Яа-яЁё]+")


def body(client, address: str, status: int = 200, **headers: str) -> str:
    response = client.get(address, headers=headers or None)
    assert response.status_code == status, (address, response.status_code)
    return response.content.decode()


def addresses() -> list[str]:
    """Every kind of public page, on the small board."""
    answers = [f"/answers/{pk}/" for pk in Answer.objects.values_list("pk", flat=True)]
    fixed = ["/", "/board/A/", "/board/B/", "/tasks/", "/costs/", "/compare/", "/compare/?a=strong&b=weak", "/method/", "/limits/", "/trust/", "/api/"]
    return [*fixed, "/models/strong/", "/models/control-reference/", "/tasks/A0/", "/tasks/B1/", *answers]


def test_every_page_answers_and_is_sound_html(small, client):
    for address in addresses():
        text = body(client, address)
        assert text.count("<h1") == 1 and "</html>" in text, address
        assert 'lang="ru"' in text and "{{" not in text and "{%" not in text, address
        ids = re.findall(r'\sid="([^"]+)"', text)
        assert len(ids) == len(set(ids)), address


def test_every_table_has_a_caption_and_scopes(small, client):
    for address in addresses():
        text = body(client, address)
        for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
            assert 'scope="' in table, address
            assert "<caption" in table or 'class="bands"' in table or "<thead><tr><th" in table, address


def test_headings_go_down_one_level_at_a_time(small, client):
    for address in addresses():
        found = [int(level) for level in re.findall(r"<h([1-6])[ >]", body(client, address))]
        assert found[0] == 1 and all(below <= above + 1 for above, below in zip(found, found[1:], strict=False)), (address, found)


def test_tasks_stand_in_the_order_people_count(small, client):
    for key in ("A11", "A9", "A101"):
        small.task(key)
    data_changed()
    keys = re.findall(r'href="/tasks/(A\d+)/"', body(client, "/tasks/"))
    assert keys == sorted(keys, key=lambda key: int(key[1:])) and keys[-3:] == ["A9", "A11", "A101"]


def test_a_date_is_in_the_readers_language(small, client):
    Network.objects.filter(slug="strong").update(released_on="2026-02-03")
    data_changed()
    assert "03.02.2026" in body(client, "/models/strong/?lang=ru")
    assert "3 Feb 2026" in body(client, "/models/strong/?lang=en")


def test_an_empty_answer_says_so_and_shows_no_code(small, client):
    answer = answer_of("strong", "A0")
    for status in (AnswerStatus.ANSWERED, AnswerStatus.EMPTY):
        Answer.objects.filter(pk=answer.pk).update(code=" \n", response="", status=status)
        data_changed()
        text = body(client, f"/answers/{answer.pk}/")
        assert "Ответ пуст." in text and 'id="L1"' not in text, status


def test_kinds_of_registers_are_told_as_the_configurator_tells_them():
    node = tree({"accumulation_registers": {"Продажи": {"register_type": "Turnovers"}, "Остатки": {"register_type": "Balance"}}})[0]
    assert [child.detail for child in node.children] == ["вид: обороты", "вид: остатки"]


def test_conditions_of_a_run_are_named_in_the_readers_language(small, client):
    names = {"ru": "Без схемы", "en": "Without a schema"}
    blind = Edition.objects.create(slug="blind", name=names["ru"], conditions={"names": names})
    first = Answer.objects.filter(task__category="A", network__is_control=False).first()
    Answer.objects.create(task=first.task, network=first.network, edition=blind, code="А = 1;", response="А = 1;", status=AnswerStatus.ANSWERED)
    data_changed()
    for language in ("ru", "en"):
        text = body(client, f"/board/A/?lang={language}")
        assert re.findall('<option value="blind">([^<]*)</option>', text) == [names[language]]


def test_english_pages_have_no_russian_of_ours(small, client):
    """What is left in Cyrillic on an English page is data: names of tasks, networks, tags, code and messages."""
    data = {"Русский", "Сильная", "Задача", "строки", "даты", "Условие", "Альфа", "тест", "RU"}
    for address in addresses():
        text = body(client, f"{address}{'&' if '?' in address else '?'}lang=en")
        assert 'lang="en"' in text
        text = re.sub(r"<(script|code|pre)[^>]*>.*?</\1>|<div class=\"(code|mark)[^>]*>.*?</div>", "", text, flags=re.DOTALL)
        text = re.sub(r'title="[^"]*Русский"', "", text)
        if address.startswith(("/answers/", "/tasks/B", "/method/")):
            continue  # names of metadata, messages of engines and keywords are Russian by nature
        assert set(CYRILLIC.findall(text)) <= data, (address, set(CYRILLIC.findall(text)) - data)


def test_the_language_of_an_address_is_kept_for_the_next_page(client, world):
    assert 'lang="en"' in body(client, "/?lang=en")
    assert 'lang="en"' in body(client, "/method/")
    assert 'lang="ru"' in body(client, "/method/?lang=ru")
    assert 'lang="ru"' in body(client, "/method/?lang=xx")


def test_odd_addresses_are_led_to_their_canonical_form(small, client):
    response = client.get("/board/A/?utm_source=x&sort=-M&open=yes&vendor=")
    assert (response.status_code, response.headers["Location"]) == (302, "/board/A/?open=yes")
    assert client.get("/?sort=-O").headers["Location"] == "/"
    assert client.get("/board/A/?lang=en&controls=no").headers["Location"] == "/board/A/?controls=no&lang=en"
    assert client.get("/board/A/?controls=no&lang=en").status_code == 200


def test_filters_and_order_are_in_the_address_of_every_link(small, client):
    text = body(client, "/board/A/?sort=O&vendor=Beta")
    assert 'href="/board/A/?sort=-O&amp;vendor=Beta"' in text and 'href="/board/A/?sort=-Q&amp;vendor=Beta"' in text
    assert 'aria-sort="ascending"' in text and 'export.csv?sort=O&amp;vendor=Beta"' in text
    assert '<option value="Beta" selected>' in text


@pytest.mark.parametrize(
    "address",
    ["/board/C/", "/models/nobody/", "/tasks/nothing/", "/answers/999999/", "/board/A/export.xml", "/nowhere", "/api/v1/boards/C"],
)
def test_what_is_not_there_is_a_page_of_its_own(small, client, address):
    text = body(client, address, 404)
    assert "Traceback" not in text
    if not address.startswith("/api/"):
        assert "404" in text and 'href="/"' in text


def test_a_failure_of_ours_has_a_page_that_tells_nothing_of_it(small, client, monkeypatch):
    def broken(*args: object) -> None:
        raise RuntimeError("секрет внутри")

    monkeypatch.setattr("leaderboard.views.make_board", broken)
    client.raise_request_exception = False
    text = body(client, "/board/A/", 500)
    assert "Сбой на нашей стороне" in text and "on our side" in text and "секрет" not in text


def test_an_empty_installation_says_so(world, client, monkeypatch):
    monkeypatch.setattr("leaderboard.trust._json", lambda name: {})
    for address in ["/", "/board/A/", "/board/B/", "/tasks/", "/compare/", "/costs/", "/trust/"]:
        assert 'class="empty"' in body(client, address), address


def test_a_board_of_controls_says_that_they_are_no_networks(world, client):
    world.scored(world.task("A1"), world.network("control/reference", slug="control-reference", is_control=True))
    world.shown()
    for address in ["/", "/board/A/"]:
        assert "одни контрольные ответы" in body(client, address)
    assert "не нейросеть" in body(client, "/models/control-reference/")


def test_filters_that_hide_every_network_are_not_taken_for_an_empty_installation(small, client):
    reference = small.network("control/whole", slug="control-whole", is_control=True)
    small.scored(Task.objects.get(key="A0"), reference)
    data_changed()
    for address in ["/?vendor=Nobody", "/board/A/?vendor=Nobody"]:
        text = body(client, address)
        assert "не подходит ни одна сеть" in text and "Сбросить фильтры" in text and "import_answers" not in text, address
    assert "не подходит ни одна сеть" not in body(client, "/board/A/")


def test_nothing_left_by_filters_offers_to_reset_them(small, client):
    text = body(client, "/board/A/?vendor=Nobody&controls=no")
    assert "не подходит ни одна строка" in text and "Сбросить фильтры" in text


def test_names_are_escaped_everywhere(small, client):
    network = small.network("<script>alert(1)</script>", slug="evil", vendor='"><img src=x>')
    task = small.task("AX", name="</title><b>задача</b>", prompt="<i>условие</i>")
    score = small.scored(task, network, code='// </script><script>alert(2)</script>\nА = "<b>";')
    data_changed()
    for address in ["/", "/board/A/", "/models/evil/", f"/answers/{score.answer_id}/", "/tasks/AX/", "/tasks/", "/compare/?a=evil&b=weak"]:
        text = body(client, address)
        for raw in ("<script>alert", "<img src=x>", "<b>задача", "<i>условие", "</script><script>"):
            assert raw not in text, (address, raw)


def test_long_and_cyrillic_names_fit(small, client):
    network = small.network("Очень длинное имя нейросети " * 4, slug="длинное-имя")
    small.scored(Task.objects.get(key="A0"), network)
    data_changed()
    assert "Очень длинное имя" in body(client, "/models/длинное-имя/")


# -- answers -----------------------------------------------------------------------------------------------------------


def answer_of(slug: str, key: str) -> Answer:
    return Answer.objects.get(network__slug=slug, task__key=key)


def test_an_answers_page_shows_code_tests_growth_and_stack(small, client):
    text = body(client, f"/answers/{answer_of('strong', 'A0').pk}/")
    assert '<span class="k-keyword">Функция</span>' in text and "&lt;b&gt;жирно&lt;/b&gt;" in text
    assert text.count("пройден</span>") == 4 and "тестов пройдено: 4 из 4" in text
    assert 'data-chart="growth-chart-data"' in text and "p = 1.00" in text and "pretend 1" in text


def test_an_invented_field_is_named_and_marked_in_its_query(small, client):
    text = body(client, f"/answers/{answer_of('strong', 'B1').pk}/")
    assert "поле: Т.Цвет" in text and "Запросы, которые не исполнились" in text
    assert '<span class="k-here">&lt;&lt;?&gt;&gt;</span>' in text and "тестов: 2" in text
    assert 'class="line run" id="L6"' in text and "<b>×2</b>" in text
    assert "Справочники" in text and "Число(10, 3)" in text and "Состав" in text


def test_every_na_has_its_reason(small, client):
    weak = body(client, f"/answers/{answer_of('weak', 'A0').pk}/")
    assert "задача не решена, оптимальность не оценивается" in weak and "ось не относится к этой категории" in weak
    cut = body(client, f"/answers/{answer_of('strong', 'B2').pk}/")
    assert "оборван" in cut and "ответ оборван на стороне сети" in cut


@pytest.mark.parametrize(("kind", "words"), [("does_not_compile", "Не компилируется"), ("no_entry_point", "Нет ни одной функции"), ("limit_depth", "Исчерпаны память")])
def test_a_failure_of_the_whole_run_is_told_in_words(small, client, kind, words):
    from scoring.evidence import CandidateFailed, Observed, SyntaxFacts

    evidence = Evidence(Observed(SyntaxFacts()), CandidateFailed(kind, "подробность движка"))
    score = small.scored(small.task("AZ"), small.network("Clumsy", slug="clumsy"), evidence)
    data_changed()
    text = body(client, f"/answers/{score.answer_id}/")
    assert words in text and kind not in text and "0 из 0" not in text
    assert not kind.startswith("limit_") or text.count("подробность движка") <= 1


def test_a_fault_of_the_instrument_is_not_the_answers(small, client):
    failed = InstrumentFailed("not_supported", "СхемаЗапроса")
    score = small.scored(small.task("AZ"), small.network("Unlucky", slug="unlucky"), Evidence(failed, failed))
    data_changed()
    text = body(client, f"/answers/{score.answer_id}/")
    assert "инструмент этого не умеет" in text and "СхемаЗапроса" in text and 'class="big">N/A' in text


def test_evidence_of_another_version_breaks_no_page(small, client):
    score = Score.objects.filter(answer=answer_of("strong", "A0")).get()
    Score.objects.filter(pk=score.pk).update(evidence={"is": "FutureEvidence"})
    data_changed()
    assert "записаны в другом формате" in body(client, f"/answers/{score.answer_id}/")


def test_scores_of_another_stack_are_one_link_away(small, client):
    from scoring.services import stacks

    answer = answer_of("strong", "A0")
    other = stacks.measured_stack({"tests": "other 2"}, small.rules)
    first = Score.objects.get(answer=answer)
    values = {field.attname: getattr(first, field.attname) for field in Score._meta.fields if not field.primary_key}
    Score.objects.create(**{**values, "stack_id": other.pk, "m_value": 5.0})
    data_changed()
    assert f"?stack={other.pk}" in body(client, f"/answers/{answer.pk}/")
    text = body(client, f"/answers/{answer.pk}/?stack={other.pk}")
    assert "other 2" in text and f"?stack={small.stack.pk}" in text


@pytest.mark.parametrize("stack", ["", "abc", "-1", "99999999999999999999", "0", "²"])
def test_a_strange_stack_is_no_error(small, client, stack):
    body(client, f"/answers/{answer_of('strong', 'A0').pk}/?stack={stack}")


def test_answers_of_withdrawn_tasks_are_gone(small, client):
    answer = answer_of("strong", "A0")
    Task.objects.filter(key="A0").update(status=TaskStatus.QUARANTINED)
    data_changed()
    body(client, f"/answers/{answer.pk}/", 404)
    body(client, "/tasks/A0/", 404)


def test_what_a_network_asked_about_the_schema_is_shown(small, client):
    answer = answer_of("strong", "B1")
    trace = [
        {"round": 1, "name": "search_objects", "arguments": {"query": "цвет"}, "result": "Справочник.Товары", "ok": True, "object": ""},
        {"round": 2, "name": "get_object_structure", "arguments": "не JSON", "result": {"error": "<b>"}, "ok": False, "object": ""},
    ]
    Exchange.objects.create(answer=answer, messages=[], trace=trace, digest="d")
    data_changed()
    text = body(client, f"/answers/{answer.pk}/")
    assert "search_objects" in text and "цвет" in text and "отказано" in text and "&lt;b&gt;" in text


def test_the_strength_of_tests_is_shown_and_filters(small, client):
    from scoring.models import JobState, Validation

    for key, strength, band in (("A0", 0.91, "strong"), ("A1", 0.42, "weak")):
        task = Task.objects.get(key=key)
        for value, name in ((0.1, "weak"), (strength, band)):
            Validation.objects.create(files={}, digest="x", bundle=task.bundle, state=JobState.DONE, strength=value, band=name)
    data_changed()
    assert "0.91" in body(client, "/tasks/A0/") and "0.42" in body(client, "/tasks/")
    assert client.get("/api/v1/boards/A?strength=strong").json()["tasks"] == 1
    assert "Сила тестов" in body(client, "/board/A/?strength=weak")


# -- privacy -----------------------------------------------------------------------------------------------------------


def test_a_private_task_shows_figures_and_nothing_else(small, client):
    canary = "КАНАРЕЙКА-7f31"
    task = small.task("AP", prompt=f"Условие с {canary}", signature=f"Функция {canary}()", is_private=True)
    task.bundle.__class__.objects.filter(pk=task.bundle_id).update(
        files={**task.bundle.files, "tests.yaml": f"tests:\n  - {{args: ['{canary}'], expected: 1}}\n"}
    )
    evidence = small.passing(2)
    first = evidence.tests.facts.outcomes[0].__class__(0, canary, "wrong", actual=canary, expected=canary)
    facts = evidence.tests.facts.__class__(canary, (first,), printed=canary)
    score = small.scored(
        task, small.network("Curious", slug="curious"),
        Evidence(evidence.syntax, evidence.tests.__class__(facts), None, canary),
        code=f"// {canary}", response=canary, error=canary,
    )  # fmt: skip
    say = [{"role": "user", "content": canary}]
    Exchange.objects.create(answer=score.answer, messages=say, trace=[{"round": 1, "name": canary, "result": canary}], digest="d")
    data_changed()
    seen = [*addresses(), "/models/curious/", "/tasks/AP/", f"/answers/{score.answer_id}/", "/compare/?a=curious&b=weak"]
    seen += ["/api/openapi.json", "/api/v1/summary", "/api/v1/boards/A", "/api/v1/networks/curious", "/api/v1/tasks", "/api/v1/tasks/AP"]
    seen += [f"/api/v1/answers/{score.answer_id}", "/board/A/export.csv", "/board/A/export.json", "/summary.json", "/summary.csv"]
    for address in seen:
        assert canary not in body(client, address), address
    assert "Задача закрытая" in body(client, f"/answers/{score.answer_id}/")
    assert "Curious" in body(client, "/board/A/")


# -- cost --------------------------------------------------------------------------------------------------------------


def queries_of(client, address: str, django_assert_max_num_queries) -> int:
    forget()
    with django_assert_max_num_queries(40) as queries:
        body(client, address)
    return len(queries)


@pytest.mark.parametrize(
    "address",
    ["/", "/board/A/", "/board/A/?sort=-O&tag=%D1%81%D1%82%D1%80%D0%BE%D0%BA%D0%B8", "/models/strong/", "/tasks/", "/tasks/A0/", "/compare/?a=strong&b=weak",
     "/api/v1/boards/A", "/api/v1/networks/strong", "/api/v1/tasks", "/costs/", "/board/A/export.csv", "ANSWER"],
)  # fmt: skip
def test_queries_do_not_depend_on_the_number_of_answers(small, client, django_assert_max_num_queries, address):
    if address == "ANSWER":
        address = f"/answers/{answer_of('strong', 'A0').pk}/"
    before = queries_of(client, address, django_assert_max_num_queries)
    more = [small.task(f"AM{number}") for number in range(6)]
    for index in range(6):
        network = small.network(f"More {index}")
        for task in more:
            small.scored(task, network)
    data_changed()
    assert queries_of(client, address, django_assert_max_num_queries) == before <= 30


def test_a_page_once_seen_costs_one_query(small, client, django_assert_num_queries):
    for address in ["/", "/board/A/?sort=O", "/models/strong/", "/method/"]:
        first = body(client, address)
        with django_assert_num_queries(1):
            assert body(client, address) == first


def test_new_data_is_shown_at_once(small, client):
    assert "Newcomer" not in body(client, "/board/A/")
    small.scored(Task.objects.get(key="A0"), small.network("Newcomer"))
    data_changed()
    assert "Newcomer" in body(client, "/board/A/")


def test_a_page_that_did_not_change_is_not_sent_again(small, client):
    tag = client.get("/board/A/").headers["ETag"]
    again = client.get("/board/A/", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    data_changed()
    assert client.get("/board/A/", headers={"If-None-Match": tag}).status_code in (200, 304)


def test_pages_are_sent_compressed_to_those_who_take_it(small, client):
    plain = client.get("/board/A/").content
    packed = client.get("/board/A/", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and gzip.decompress(packed.content) == plain
    assert len(packed.content) < len(plain) / 2


def test_a_language_has_a_cache_of_its_own(small, client):
    assert 'lang="ru"' in body(client, "/board/A/")
    assert 'lang="en"' in body(client, "/board/A/", **{"Accept-Language": "en"})
    assert 'lang="ru"' in body(client, "/board/A/")


def test_no_page_sets_a_session_or_a_token(small, client):
    for address in ["/", "/board/A/", f"/answers/{answer_of('strong', 'A0').pk}/"]:
        assert not client.get(address).cookies


# -- method and trust ----------------------------------------------------------------------------------------------------


def test_numbers_of_the_method_come_from_the_protocol(world, client, settings, tmp_path):
    import shutil

    folder = tmp_path / "metrics"
    shutil.copytree(settings.PRISM_METRICS_DIR, folder)
    text = (folder / "smop_l1_auto.yaml").read_text("utf-8")
    (folder / "smop_l1_auto.yaml").write_text(text.replace("cluster_gap: 3", "cluster_gap: 17").replace("operations: 60000000", "operations: 1234567"), "utf-8")
    settings.PRISM_METRICS_DIR = folder
    shown = body(client, "/method/")
    assert "не больше 17" in shown and "1\u202f234\u202f567" in shown


@pytest.mark.parametrize("language", ["ru", "en"])
def test_method_and_limits_name_what_a_reader_must_know(world, client, language):
    method, limits = body(client, f"/method/?lang={language}"), body(client, f"/limits/?lang={language}")
    for anchor in ("S", "M", "O", "P", "Q", "na", "ranks", "funnel"):
        assert f'id="{anchor}"' in method and f'href="#{anchor}"' in method
    for anchor in ("engine", "tests", "small", "o", "q", "ab", "p", "controls", "experts"):
        assert f'id="{anchor}"' in limits
    assert "2–3" in method and "≤ 0.2" in method and "5.0" in method


def test_the_last_audit_is_shown(small, client):
    report = {"S": {"n": 10, "equal": 9, "share": 0.9}, "M": {"n": 10, "equal": 10, "share": 1.0}, "kendall_q": 0.987, "answers": 10}
    report["disagreements"] = [{"task": "A1", "model": "net/one", "axis": "S", "ours": 8.0, "theirs": None, "our_kind": "compile/syntax", "their_kind": "x"}]
    FidelityReport.objects.create(category="A", stack=small.stack, against="recorded", report=report)
    data_changed()
    text = body(client, "/trust/")
    assert "90.00" in text and "0.987" in text and "pretend 1" in text and "Сверка этой установки" in text
    assert "net/one" in text and "compile/syntax" in text and ">N/A <code" in text


def test_without_an_own_audit_the_releases_one_is_shown_and_called_so(world, client):
    text = body(client, "/trust/")
    assert "Сверка, с которой выпущена эта версия" in text and "движок" in text and "Сверка этой установки" not in text


def test_statuses_of_answers_are_told_in_words(small, client):
    network = small.network("Refuser", slug="refuser")
    small.answer(Task.objects.get(key="A0"), network, status=AnswerStatus.REFUSED)
    small.answer(Task.objects.get(key="A1"), network, status=AnswerStatus.PLANNED)
    data_changed()
    text = body(client, "/models/refuser/")
    assert "отказ" in text and "ожидается" in text


def test_tags_are_shown_in_the_readers_language(world, client):
    from leaderboard.labels import tag_label

    with override("en"):
        assert tag_label("даты") == "dates"
        assert tag_label("совсем-новая") == "совсем новая"
    with override("ru"):
        assert tag_label("регистр-накопления") == "регистр накопления"
