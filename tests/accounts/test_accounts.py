"""People: the only way in is an invitation, and what is theirs they can take or have removed."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import invitations, people, throttling, totp
from accounts.models import AppendOnlyError, AuditEvent, Invitation, LoginFailure, Profile

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough secret 17"


@pytest.fixture(autouse=True)
def quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def person(name: str, *roles: str) -> Any:
    user = get_user_model().objects.create_user(name, password=PASSWORD)
    user.groups.add(*Group.objects.filter(name__in=roles))
    return user


def visitor(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def log_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post(reverse("accounts:login"), {"username": name, "password": password})


# -- invitations -------------------------------------------------------------------------------------------------------


def accept(token: str, name: str = "gleb", password: str = PASSWORD) -> Any:
    form = {"username": name, "password": password, "again": password}
    return Client().post(reverse("accounts:accept", args=[token]), form)


def test_there_is_no_account_before_the_first_invitation():
    assert not get_user_model().objects.exists()


def test_an_invitation_makes_one_account_with_its_role():
    made, token = invitations.invite(None, "expert")
    assert accept(token).status_code == 302
    user = get_user_model().objects.get()
    assert people.roles_of(user) == {"expert"} and not user.is_staff and not user.is_superuser
    assert accept(token, "second").status_code == 410 and get_user_model().objects.count() == 1
    assert token not in str(Invitation.objects.values_list("digest", flat=True))


def test_expired_and_revoked_links_are_closed():
    expired, first = invitations.invite(None, "expert")
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    revoked, second = invitations.invite(None, "expert")
    assert invitations.revoke(None, revoked.pk)
    for token in (first, second, "nonsense"):
        assert Client().get(reverse("accounts:accept", args=[token])).status_code == 410
        assert accept(token).status_code == 410
    assert not get_user_model().objects.exists()


@pytest.mark.parametrize("password", ["short", "123456789012345", "password1234567890"[:8], "qwertyuiop12"[:10], "", "maria maria"])
def test_weak_passwords_are_refused(password):
    _, token = invitations.invite(None, "expert")
    assert accept(token, "maria", password).status_code == 400
    assert not get_user_model().objects.exists()


@pytest.mark.parametrize("days", [0, -1, 61])
def test_odd_terms_are_refused(days):
    with pytest.raises(ValueError):
        invitations.invite(None, "expert", days=days)
    with pytest.raises(ValueError):
        invitations.invite(None, "king")


def test_a_name_is_taken_whatever_its_case():
    person("Gleb")
    _, token = invitations.invite(None, "expert")
    assert accept(token, "gLEB").status_code == 400


def test_the_command_prints_a_link_that_works(capsys):
    call_command("invite", "maintainer", site="https://prism.example.org")
    link = capsys.readouterr().out.strip()
    assert link.startswith("https://prism.example.org/accounts/invitation/")
    assert accept(link.rstrip("/").rpartition("/")[2]).status_code == 302


# -- log-in ------------------------------------------------------------------------------------------------------------


def test_five_failures_close_the_name_for_a_while_even_for_the_right_password():
    person("gleb")
    for _ in range(throttling.FAILURES_PER_NAME):
        assert log_in(Client(), "gleb", "wrong").status_code == 400
    assert log_in(Client(), "GLEB").status_code == 400
    LoginFailure.objects.update(at=timezone.now() - throttling.WINDOW - timedelta(seconds=1))
    assert log_in(Client(), "gleb").status_code == 302


def test_a_success_wipes_the_failures():
    person("gleb")
    for _ in range(3):
        log_in(Client(), "gleb", "wrong")
        log_in(Client(), "gleb", "wrong")
        assert log_in(Client(), "gleb").status_code == 302


def test_the_administration_has_no_door_of_its_own(client):
    person("gleb")
    assert client.get("/admin/login/?next=/admin/").headers["Location"].startswith("/accounts/login/")
    assert client.post("/admin/login/", {"username": "gleb", "password": PASSWORD}).status_code in (302, 405)
    assert "_auth_user_id" not in client.session


def test_an_unknown_name_and_a_wrong_password_read_alike():
    person("gleb")
    texts = [re.sub(r'value="[^"]*"|nonce="[^"]*"', "", log_in(Client(), name, "wrong").content.decode()) for name in ("gleb", "nobody")]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("address", ["https://evil.example.org/", "//evil.example.org", "javascript:alert(1)"])
def test_log_in_leads_to_this_site_only(address, client):
    person("gleb")
    reply = client.post(reverse("accounts:login"), {"username": "gleb", "password": PASSWORD, "next": address})
    assert reply.headers["Location"] == reverse("review:home")


# -- second factor -----------------------------------------------------------------------------------------------------


def test_codes_are_those_of_the_standard():
    """RFC 6238, appendix B, SHA-1, cut to six digits."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    for seconds, code in ((59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (2000000000, "279037")):
        assert totp.code_at(secret, seconds // totp.PERIOD_SECONDS) == code
        assert totp.matching_step(secret, code, now=seconds) == seconds // 30


def switched_on(user: Any) -> tuple[str, list[str]]:
    secret = people.begin_second_factor(user).totp_secret
    codes = people.confirm_second_factor(user, totp.code_at(secret, totp.matching_step_now()))
    return secret, codes


@pytest.fixture(autouse=True)
def clock(monkeypatch: Any) -> list[float]:
    """A clock that tests move."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(totp.time, "time", lambda: now[0])
    monkeypatch.setattr(totp, "matching_step_now", lambda: int(now[0] // totp.PERIOD_SECONDS), raising=False)
    return now


def test_a_password_alone_is_no_longer_enough(client, clock):
    user = person("gleb", "expert")
    secret, _ = switched_on(user)
    clock[0] += 60
    assert log_in(client, "gleb").headers["Location"].startswith(reverse("accounts:code"))
    assert client.get(reverse("accounts:profile")).status_code == 302
    assert client.post(reverse("accounts:code"), {"code": "000000"}).status_code == 400
    code = totp.code_at(secret, totp.matching_step_now())
    assert client.post(reverse("accounts:code"), {"code": code}).status_code == 302
    assert client.get(reverse("accounts:profile")).status_code == 200
    other = Client()
    log_in(other, "gleb")
    assert other.post(reverse("accounts:code"), {"code": code}).status_code == 400


@pytest.mark.parametrize("name", ["gleb", "Глеб <&> с очень длинным именем, какое поле ещё принимает"])
def test_the_key_is_shown_as_text_and_as_picture_until_the_factor_is_on(clock, name):
    user = person(name)
    page = visitor(user).get(reverse("accounts:second_factor")).content.decode()
    secret = people.profile_of(user).totp_secret
    assert totp.picture(totp.address(secret, name), "QR-код второго фактора") in page and secret[:4] + " " + secret[4:8] in page
    switched_on(user)
    page = visitor(user).get(reverse("accounts:second_factor")).content.decode()
    assert 'class="qr"' not in page and secret[:4] + " " + secret[4:8] not in page


def test_a_recovery_code_works_once(clock):
    user = person("gleb")
    _, codes = switched_on(user)
    assert people.check_second_factor(user, codes[0]) and not people.check_second_factor(user, codes[0])
    assert people.check_second_factor(user, codes[1].upper())
    assert codes[2] not in str(Profile.objects.get(user=user).recovery_hashes)


@pytest.mark.parametrize("code", ["", "ё", "٣٣٣٣٣٣", "\x00", "123456\u2028", "9" * 5000])
def test_codes_of_any_letters_are_wrong_and_nothing_more(clock, client, code):
    user = person("gleb")
    visitor(user).get(reverse("accounts:second_factor"))
    assert visitor(user).post(reverse("accounts:second_factor"), {"code": code}).status_code in (200, 400)
    switched_on(user)
    log_in(client, "gleb")
    assert client.post(reverse("accounts:code"), {"code": code}).status_code == 400
    assert not people.check_second_factor(user, code)


def test_guessing_codes_is_throttled(clock):
    user = person("gleb")
    switched_on(user)
    client = Client()
    log_in(client, "gleb")
    for _ in range(throttling.FAILURES_PER_NAME):
        client.post(reverse("accounts:code"), {"code": "000000"})
    secret = Profile.objects.get(user=user).totp_secret
    clock[0] += 60
    assert client.post(reverse("accounts:code"), {"code": totp.code_at(secret, totp.matching_step_now())}).status_code == 400


def test_switching_off_needs_the_password(clock):
    user = person("gleb")
    switched_on(user)
    visitor(user).post(reverse("accounts:second_factor_off"), {"password": "wrong"})
    assert Profile.objects.get(user=user).has_second_factor
    visitor(user).post(reverse("accounts:second_factor_off"), {"password": PASSWORD})
    assert not Profile.objects.get(user=user).has_second_factor


# -- roles -------------------------------------------------------------------------------------------------------------

MAINTAINERS_PAGES = ["accounts:people", "accounts:log", "review:rounds", "review:round_new", "review:what_if"]


@pytest.mark.parametrize("name", MAINTAINERS_PAGES)
def test_maintainers_pages_are_for_maintainers(name):
    for user in (person("expert", "expert"), person("author", "author"), person("nobody")):
        assert visitor(user).get(reverse(name)).status_code == 403
    assert Client().get(reverse(name)).status_code == 302
    assert visitor(person("boss", "maintainer")).get(reverse(name)).status_code == 200


def test_roles_are_set_by_maintainers_and_written_down():
    boss, gleb = person("boss", "maintainer"), person("gleb")
    visitor(boss).post(reverse("accounts:change_person", args=[gleb.pk]), {"roles": ["expert", "author"]})
    assert set(gleb.groups.values_list("name", flat=True)) == {"expert", "author"}
    assert AuditEvent.objects.filter(action="roles.set", actor=boss.pk, target=str(gleb.pk)).count() == 1
    visitor(boss).post(reverse("accounts:change_person", args=[boss.pk]), {"roles": []})
    assert people.has_role(get_user_model().objects.get(pk=boss.pk), "maintainer")


def test_a_locked_account_is_out_at_once():
    boss, gleb = person("boss", "maintainer"), person("gleb", "expert")
    client = visitor(gleb)
    people.set_active(boss, gleb, False)
    assert client.get(reverse("accounts:profile")).status_code == 302
    assert log_in(Client(), "gleb").status_code == 400


# -- own data ----------------------------------------------------------------------------------------------------------


def test_everything_can_be_taken_and_no_secret_is_in_it(clock):
    user = person("gleb", "expert")
    secret, codes = switched_on(user)
    people.set_profile(user, {"public_name": "Глеб", "years_with_1c": 9, "areas": "учёт", "is_public": True})
    reply = visitor(user).get(reverse("accounts:export"))
    data = reply.json()
    assert data["profile"]["years_with_1c"] == 9 and data["account"]["roles"] == ["expert"] and data["grades"] == []
    assert secret not in reply.content.decode() and user.password not in reply.content.decode()


def test_erasing_leaves_no_name_and_no_way_in():
    user = person("gleb-the-first", "expert")
    people.set_profile(user, {"public_name": "Глеб", "years_with_1c": 9, "areas": "учёт", "is_public": True})
    client = visitor(user)
    client.post(reverse("accounts:erase"), {"password": "wrong"})
    assert get_user_model().objects.filter(username="gleb-the-first").exists()
    assert client.post(reverse("accounts:erase"), {"password": PASSWORD}).status_code == 200
    left = get_user_model().objects.get()
    assert left.username.startswith("erased-") and not left.is_active and not left.has_usable_password() and not left.groups.exists()
    assert not Profile.objects.exists()
    assert "gleb" not in str(list(AuditEvent.objects.values())) and "Глеб" not in str(list(AuditEvent.objects.values()))
    assert log_in(Client(), "gleb-the-first").status_code == 400


def test_consent_is_dated_and_withdrawn():
    user = person("gleb")
    values = {"public_name": "Глеб", "years_with_1c": None, "areas": ""}
    assert people.set_profile(user, {**values, "is_public": True}).consented_at
    assert people.set_profile(user, {**values, "is_public": False}).consented_at is None


def test_the_audit_log_only_grows():
    person("gleb")
    log_in(Client(), "gleb")
    event = AuditEvent.objects.get(action="login")
    for deed in (event.save, event.delete, AuditEvent.objects.all().delete, lambda: AuditEvent.objects.update(action="x")):
        with pytest.raises(AppendOnlyError):
            deed()


# -- finding one's way -------------------------------------------------------------------------------------------------


def test_the_way_to_the_first_account_is_told_only_where_there_is_none(client):
    assert "invite maintainer" in client.get(reverse("accounts:login")).content.decode()
    person("gleb")
    assert "invite maintainer" not in client.get(reverse("accounts:login")).content.decode()


@pytest.mark.parametrize(("role", "shown"), [("maintainer", True), ("author", True), ("expert", False)])
def test_who_writes_tasks_finds_them_from_the_own_profile(role, shown):
    page = visitor(person("gleb", role)).get(reverse("accounts:profile")).content.decode()
    bar = page[page.index('<nav class="subnav"') : page.index("</nav>", page.index('<nav class="subnav"'))]
    assert (reverse("authoring:home") in bar) is shown
