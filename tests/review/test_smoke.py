"""Every page answers for the people it is for."""

from __future__ import annotations

import pytest
from django.urls import reverse

from review.models import Report, Slot

pytestmark = pytest.mark.django_db


def test_a_round_from_planning_to_its_report(make_round, anna, boris, vera, tools):
    boss = tools.visitor(anna)
    round_ = make_round(opened=False)
    assert boss.get(reverse("review:round", args=[round_.slug])).status_code == 200
    assert boss.get(reverse("review:round_new")).status_code == 200
    assert boss.post(reverse("review:act", args=[round_.slug]), {"action": "open"}).status_code == 302
    for expert in (boris, vera):
        client = tools.visitor(expert)
        place = client.post(reverse("review:next", args=[round_.slug])).headers["Location"]
        while "/work/" in place:
            page = client.get(place)
            assert page.status_code == 200
            slot = Slot.objects.get(key=place.split("/")[3])
            grades = {f"grade_{axis}": slot.item.steps.get(axis, 4) for axis in "SMO"}
            place = client.post(place + "submit/", grades).headers["Location"]
        assert client.get(reverse("review:home")).status_code == 200
    assert boss.get(reverse("review:agreement", args=[round_.slug])).status_code == 200
    assert boss.get(reverse("review:disagreements", args=[round_.slug])).status_code == 200
    assert boss.get(reverse("review:adjudication", args=[round_.slug])).status_code == 200
    boss.post(reverse("review:act", args=[round_.slug]), {"action": "close"})
    place = boss.post(reverse("review:act", args=[round_.slug]), {"action": "publish"}).headers["Location"]
    anybody = tools.Client()
    report = Report.objects.get()
    assert place == reverse("review:report", args=[report.key])
    for name in ("csv", "json"):
        assert anybody.get(reverse("review:report_file", args=[report.key, name])).status_code == 200
    for address in (place, reverse("review:verified"), reverse("review:reports"), reverse("review:home"), reverse("review:guidelines")):
        assert anybody.get(address).status_code == 200
    for event in report.round.events.all():
        assert anybody.get(reverse("review:certificate", args=[event.key])).status_code == 200
        assert anybody.get(reverse("review:badge", args=[event.key])).headers["Content-Type"] == "image/svg+xml"


@pytest.mark.parametrize("name", ["accounts:profile", "accounts:password", "accounts:second_factor", "accounts:export", "accounts:people", "accounts:log", "review:rounds", "review:round_new", "review:tickets", "review:what_if"])
def test_pages_of_a_maintainer_answer(name, anna, tools):
    assert tools.visitor(anna).get(reverse(name)).status_code == 200
