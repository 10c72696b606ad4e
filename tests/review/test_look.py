"""How pages of review read: levels of headings, languages, words in place of codes, buttons that can work."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from review import charts
from review.metadata import _nodes
from review.models import Item, Slot
from review.services import disputes, grading
from review.services.grading import Sheet
from review.templatetags.review import condition_value

pytestmark = pytest.mark.django_db
CODES = ("root_causes", "operations", "does_not_compile", "clusters", "blockers", "passed:", ">passed<", ">wrong<")


def levels(text: str) -> list[int]:
    shown = re.sub(r"<dialog.*?</dialog>", "", text, flags=re.DOTALL)
    return [int(level) for level in re.findall(r"<h([1-6])[ >]", shown)]


def graded(round_: Any, *experts: Any) -> None:
    """Every expert puts 0 everywhere once: far from most of the machine's steps."""
    for expert in experts:
        slot = grading.take_next(round_, expert)
        assert slot is not None
        grading.submit(slot, expert, Sheet(dict.fromkeys(round_.axes, 0)))


@pytest.fixture
def pages(make_round: Any, anna: Any, boris: Any, vera: Any) -> list[str]:
    """Addresses of an open round with gradings and a ticket."""
    round_ = make_round()
    graded(round_, boris, vera)
    disputes.open_oracle_ticket(anna, Item.objects.first(), "M", "Почему так?")
    names = ("round", "agreement", "disagreements", "adjudication")
    return [reverse("review:" + name, args=[round_.slug]) for name in names] + [
        reverse("review:" + name) for name in ("home", "rounds", "round_new", "tickets", "what_if", "reports", "verified", "guidelines")
    ]


def test_headings_go_down_one_level_at_a_time(pages, anna, tools):
    client = tools.visitor(anna)
    for address in pages:
        found = levels(client.get(address).content.decode())
        assert found[0] == 1 and found.count(1) == 1, address
        assert all(below <= above + 1 for above, below in zip(found, found[1:], strict=False)), (address, found)


def test_pages_of_a_round_belong_to_rounds(pages, anna, tools):
    client = tools.visitor(anna)
    for address in pages[:4]:
        current = re.findall(r'<a href="([^"]+)" aria-current="page"', client.get(address).content.decode().split("subnav")[1])
        assert current == [reverse("review:rounds")], address


def test_grounds_and_outcomes_are_told_in_words(make_round, anna, boris, vera, tools):
    round_ = make_round()
    graded(round_, boris, vera)
    card = {"axes": {"S": {"grounds": {"root_causes": 3, "clusters": [[1, 2]], "blockers": 0}}, "M": {"grounds": {"passed": 1, "total": 2, "operations": 7}}}}
    for item in Item.objects.filter(round=round_).select_related("score"):
        type(item.score).objects.filter(pk=item.score.pk).update(card=card)
    text = tools.visitor(anna).get(reverse("review:disagreements", args=[round_.slug])).content.decode()
    assert "тестов пройдено: 1 из 2" in text or "корневых причин ошибок: 3" in text
    assert not [code for code in CODES if code in text]
    slot = Slot.objects.get(expert=boris, item__round=round_, state="submitted")
    grading.reveal(slot, boris)
    shown = tools.visitor(boris).get(reverse("review:reveal", args=[slot.key])).content.decode()
    assert "пройден" in shown and "неверно" in shown and not [code for code in CODES if code in shown]


@pytest.mark.parametrize(("language", "words"), [("ru", "подходящих ответов нет"), ("en", "no answer fits")])
def test_a_round_that_cannot_be_drawn_says_so_and_offers_no_opening(make_round, anna, tools, language, words):
    round_ = make_round(opened=False, tasks=["NOWHERE"])
    text = tools.visitor(anna).get(reverse("review:round", args=[round_.slug]) + f"?lang={language}").content.decode()
    assert words in text and 'value="open"' not in text and 'value="discard"' in text
    fit = make_round(opened=False)
    assert 'value="open"' in tools.visitor(anna).get(reverse("review:round", args=[fit.slug])).content.decode()


def test_what_is_counted_has_no_places_after_the_point():
    assert condition_value(300.0, "answers") == "300" and condition_value(2, "experts") == "2"
    assert condition_value(0.8, "kappa_quadratic") == "0.80"


def test_no_chart_is_drawn_of_nothing():
    nothing = {"value": None, "low": None, "high": None}
    some = {"value": 0.7, "low": 0.5, "high": 0.9}
    kinds = [kind for kind, _name in charts.KINDS]
    assert charts.intervals([{"axis": "S", "kappa": dict.fromkeys(kinds, nothing)}], [0.8]) is None
    assert charts.intervals([{"axis": "S", "kappa": dict.fromkeys(kinds, some)}], [0.8]) is not None


def test_a_grader_reads_properties_of_metadata_in_words():
    register = _nodes({"accumulation_registers": {"Продажи": {"register_type": "Turnovers", "registers": ["Продажи"]}}})[0].children[0]
    assert [(child.name, child.detail) for child in register.children] == [("вид", "обороты"), ("движения", "Продажи")]
