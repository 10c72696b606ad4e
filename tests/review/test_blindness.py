"""Before submitting, an expert can reach nothing that tells whose answer it is or what anybody made of it.

Everything reachable by links from the expert's pages, and every address of the site with the keys that an expert could know or
guess, is fetched as the expert; canaries in networks' names, evidence, values and others' comments must not come back.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from review.models import Grade, Item, Slot, SlotState, Submission
from review.services import grading, rounds
from review.services.grading import Sheet
from scoring.models import Network, Score

pytestmark = pytest.mark.django_db

LINK = re.compile(r"""(?:href|src|action|data-draft)=["']([^"'#]+)""")
MOST_PAGES = 1500
# What tells the network's name, the machine's evidence, its Q, or another's grade.
SECRETS = (b"canary-network", b"canary-test", b"canary-actual", b"canary-expected", b"canary-comment", b"7.77")


def everything(response) -> bytes:
    """Headers and body, static files' included."""
    head = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return head.encode() + b"\n" + body


def crawl(client, starts):
    """Address → response of everything that links lead to, GET only, on this site."""
    found, waiting = {}, list(starts)
    while waiting and len(found) < MOST_PAGES:
        address = waiting.pop()
        if address in found or address.startswith(("/accounts/logout", "/i18n/")):
            continue
        response = client.get(address)
        found[address] = (response, everything(response))
        text = found[address][1].decode("utf-8", "ignore") if "html" in response.headers.get("Content-Type", "") else ""
        for target in [*LINK.findall(text), response.headers.get("Location", "")]:
            path = urlsplit(urldefrag(urljoin(address, unescape(target)))[0])
            if target and not path.netloc and not path.scheme and not re.search(r"[?&](sort|lang|tag|vendor|left|right|a|b)=", "?" + path.query):
                waiting.append(path.path + (f"?{path.query}" if path.query else ""))
    return found


@pytest.fixture
def open_round(make_round, boris, vera):
    """Vera has graded everything with telling comments; Boris has the first answer before him."""
    round_ = make_round(size=60)
    while slot := grading.take_next(round_, vera):
        grading.submit(slot, vera, Sheet(dict.fromkeys("SMO", 4), dict.fromkeys("SMO", f"canary-comment-{slot.pk}")))
    return round_, grading.take_next(round_, boris)


def test_the_screen_tells_nothing_of_its_answer(open_round, boris, tools):
    _, slot = open_round
    answer = slot.item.answer
    response = tools.visitor(boris).get(reverse("review:work", args=[slot.key]))
    page = everything(response)
    assert f"canary-code-{answer.pk}".encode() in page
    for secret in (*SECRETS, f"/answers/{answer.pk}".encode(), slot.item.stratum.encode()):
        assert secret not in page
    assert response.headers["Cache-Control"].startswith("max-age=0") and "no-store" in response.headers["Cache-Control"]


def test_nothing_that_links_lead_to_joins_a_withheld_answer_with_its_network(open_round, boris, tools):
    """The board's aggregates name networks, and the screen shows code: never both, and no single score at all."""
    round_, slot = open_round
    withheld = set(Item.objects.filter(round=round_).values_list("answer_id", flat=True))
    starts = ["/", "/review/", "/tasks/", "/api/", "/compare/", reverse("review:work", args=[slot.key])]
    starts += [f"/answers/{pk}/" for pk in withheld] + [f"/api/v1/answers/{pk}" for pk in withheld]
    starts += [f"/models/{network.slug}/" for network in Network.objects.all()]
    found = crawl(tools.visitor(boris), starts)
    assert len(found) > 150
    for address, (response, page) in found.items():
        assert response.status_code < 500, address
        codes = {int(number) for number in re.findall(rb"canary-code-(\d+)", page)}
        assert b"canary-comment" not in page, address
        if address.startswith("/review/work/"):
            assert codes <= {slot.item.answer_id} and not any(secret in page for secret in SECRETS), address
        else:
            assert not codes & withheld, address
    for pk in withheld:
        for address in (f"/answers/{pk}/", f"/api/v1/answers/{pk}"):
            page = found[address][1]
            assert not any(secret in page for secret in (b"canary-code", b"canary-test", b"canary-actual", b"7.77", b"7.8")), address


def test_the_api_gives_no_single_score_of_a_withheld_answer(open_round, boris, tools):
    round_, _ = open_round
    withheld = set(Item.objects.filter(round=round_).values_list("answer_id", flat=True))
    client = tools.visitor(boris)
    seen = 0

    def walk(value):
        nonlocal seen
        if isinstance(value, dict):
            if value.get("answer") in withheld and "scores" in value:
                seen += 1
                assert not any(value["scores"].values()) and value.get("passed") is None
            for entry in value.values():
                walk(entry)
        elif isinstance(value, list):
            for entry in value:
                walk(entry)

    for number in range(16):
        walk(client.get(f"/api/v1/tasks/AT{number}").json())
    for network in Network.objects.all():
        walk(client.get(f"/api/v1/networks/{network.slug}").json())
    assert seen >= 60


def patterns(resolver=None, prefix=""):
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            yield from patterns(entry, prefix + str(entry.pattern))
        elif isinstance(entry, URLPattern):
            yield prefix + str(entry.pattern)


def test_every_address_of_the_site_with_every_key_that_an_expert_could_try(open_round, boris, tools):
    """Keys of others' slots, ids of answers, items and submissions, the round's slug: in every place where they might fit."""
    round_, slot = open_round
    others = Slot.objects.filter(item__round=round_).exclude(expert=boris).values_list("key", flat=True)[:3]
    values = [slot.key, *others, round_.slug, str(slot.item.answer_id), str(slot.item_id), str(slot.pk), "A", "S", "json", "csv", "1"]
    client = tools.visitor(boris)
    withheld = set(Item.objects.filter(round=round_).values_list("answer_id", flat=True))
    tried = 0
    for pattern in sorted(set(patterns())):
        holes = re.findall(r"<[^>]+>", pattern)
        if len(holes) > 2 or "(?P" in pattern or pattern.startswith("admin/") or "logout" in pattern:
            continue
        for value in values if holes else [""]:
            address = "/" + re.sub(r"<[^>]+>", value, pattern.replace("^", "").replace("$", ""), count=1)
            address = re.sub(r"<[^>]+>", "json", address)
            response = client.get(address)
            page = everything(response)
            tried += 1
            assert b"canary-comment" not in page and b"canary-test" not in page and b"canary-actual" not in page, address
            codes = {int(number) for number in re.findall(rb"canary-code-(\d+)", page)}
            assert not codes & withheld or (codes == {slot.item.answer_id} and b"canary-network" not in page), address
    assert tried > 300


def test_the_round_s_figures_are_closed_to_who_grades_in_it(make_round, anna, boris, tools):
    round_ = make_round(experts=[anna, boris])
    client = tools.visitor(anna)
    for name in ("agreement", "disagreements"):
        assert client.get(reverse(f"review:{name}", args=[round_.slug])).status_code == 403
        assert tools.visitor(boris).get(reverse(f"review:{name}", args=[round_.slug])).status_code == 403
    rounds.close_round(anna, round_)
    assert client.get(reverse("review:agreement", args=[round_.slug])).status_code == 200


def test_the_reveal_comes_after_the_submission_only(open_round, boris, tools):
    _, slot = open_round
    client = tools.visitor(boris)
    address = reverse("review:reveal", args=[slot.key])
    assert client.get(address).status_code == client.post(address).status_code == 404
    client.post(reverse("review:submit", args=[slot.key]), {"grade_S": 10, "grade_M": 10, "grade_O": 10, "then": "stay"})
    assert client.get(address).status_code == 302
    page = everything(client.post(address, follow=True))
    assert b"canary-network" in page and b"canary-comment" in page and b"canary-test" in page


def test_a_hidden_repeat_does_not_show_the_first_grade(make_round, boris, tools):
    round_ = make_round(repeats=1.0, size=60)
    client = tools.visitor(boris)
    while True:
        slot = grading.take_next(round_, boris)
        if slot.is_repeat:
            break
        grading.submit(slot, boris, Sheet(dict.fromkeys("SMO", 4), dict.fromkeys("SMO", "canary-comment-own")))
    page = everything(client.get(reverse("review:work", args=[slot.key])))
    assert b"canary-comment" not in page and b"checked" not in page


def test_keys_and_places_tell_nothing(make_round):
    """Slots stand in an order of their own: neither answers, nor strata, nor networks run along it."""
    slots = list(Slot.objects.filter(item__round=make_round()).select_related("item__answer").order_by("place"))
    answers = [slot.item.answer_id for slot in slots]
    assert answers != sorted(answers) and answers != sorted(answers, reverse=True)
    runs = sum(1 for one, two in zip(slots, slots[1:], strict=False) if one.item.answer.network_id == two.item.answer.network_id)
    assert runs < len(slots) * 0.35
    assert all(len(slot.key) >= 16 and not slot.key.isdigit() for slot in slots)


def test_canaries_are_there_to_be_found(open_round):
    """The tests above would pass on an empty site."""
    assert Score.objects.filter(q_value=7.77).count() == 96
    assert Submission.objects.count() == 60 and Grade.objects.filter(comment__startswith="canary-comment").count() == 180
    assert Slot.objects.filter(state=SlotState.HELD).count() == 1
