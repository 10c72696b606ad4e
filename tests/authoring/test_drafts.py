"""Drafts: who may see and save them, uploads through the browser, the editor's errors, trying a text."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from authoring import drafts
from authoring.models import Draft, DraftEvent
from authoring.skeletons import skeleton
from scoring.bundles.archive import read_archive, write_archive
from scoring.models import Validation
from scoring.services import measuring
from tests.bundles.hostile import hostile, sound

pytestmark = pytest.mark.django_db
SOME_HOSTILE = [(name, body) for number, (name, body) in enumerate(hostile()) if number % 9 == 0 and len(body) < 1_000_000]


def address(name, draft):
    return reverse(f"authoring:{name}", args=[draft.key])


def test_visitors_and_experts_are_kept_out(client, draft, logged_in):
    from tests.authoring.conftest import person

    assert client.get(reverse("authoring:home")).status_code == 302
    expert = logged_in(person("egor", "expert"))
    assert expert.get(reverse("authoring:home")).status_code == 403
    assert expert.get(address("draft", draft)).status_code == 403


def test_an_author_sees_nothing_of_another_ones_draft(draft, boris, logged_in):
    client = logged_in(boris)
    for name in ("draft", "edit", "download", "status", "changes"):
        assert client.get(address(name, draft)).status_code == 404
    for name in ("save", "check", "upload", "validate", "cancel", "try", "compare", "share", "remove", "submit"):
        assert client.post(address(name, draft)).status_code == 404
    assert draft.title not in client.get(reverse("authoring:home")).content.decode()


def test_a_shared_draft_is_open_to_both(draft, anna, boris, logged_in):
    logged_in(anna).post(address("share", draft), {"name": "boris"})
    assert logged_in(boris).get(address("draft", draft)).status_code == 200


def test_the_wizard_begins_with_a_skeleton_and_validates_it(anna, logged_in, calls, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        reply = logged_in(anna).post(reverse("authoring:new"), {"category": "B", "id": "NEW1", "name": 'Вес "груза"'})
    draft = Draft.objects.get()
    assert reply.url == address("draft", draft)
    assert draft.category == "B" and draft.title == 'Вес "груза"'
    assert draft.validation.state == "queued"
    assert ("scoring.jobs.validate",) in calls


@pytest.mark.parametrize("data", [{"category": "C", "id": "X", "name": "X"}, {"category": "A", "id": "a b", "name": "X"}, {"category": "A", "id": "X"}])
def test_the_wizard_says_what_is_wrong(anna, logged_in, data):
    reply = logged_in(anna).post(reverse("authoring:new"), data)
    assert reply.status_code == 400 and "task.yaml" in reply.content.decode()
    assert not Draft.objects.exists()


def test_an_upload_becomes_a_draft(anna, logged_in):
    upload = SimpleUploadedFile("task.zip", sound(), "application/zip")
    reply = logged_in(anna).post(reverse("authoring:new"), {"archive": upload})
    assert reply.status_code == 302
    assert set(Draft.objects.get().files) == {"task.yaml", "tests.yaml"}


@pytest.mark.parametrize("name, body", SOME_HOSTILE, ids=[name for name, _ in SOME_HOSTILE])
def test_a_hostile_upload_gets_its_reason_and_no_job_without_end(anna, logged_in, name, body):
    reply = logged_in(anna).post(reverse("authoring:new"), {"archive": SimpleUploadedFile("x.zip", body)})
    assert reply.status_code in (302, 400)
    if reply.status_code == 302:
        # A readable archive with files that are no bundle: a draft whose validation says so.
        from scoring.services import validating

        validating.drain()
        assert Validation.objects.get().state == "done" and not Validation.objects.get().publishable
    else:
        assert not Draft.objects.exists() and "→" in reply.content.decode() or "Не принято" in reply.content.decode()


def test_an_enormous_upload_is_turned_away(anna, logged_in):
    class Enormous(io.BytesIO):
        name = "x.zip"

    reply = logged_in(anna).post(reverse("authoring:new"), {"archive": Enormous(b"\0" * 20_200_000)})
    assert reply.status_code in (400, 413)
    assert not Draft.objects.exists()


def test_two_authors_save_at_once_and_one_is_told(draft, anna, boris, logged_in):
    drafts.share(anna, draft, boris)
    data = {"file": "canonical.bsl", "revision": draft.revision}
    first = logged_in(anna).post(address("save", draft), {**data, "text": "// Анна"}, headers={"accept": "application/json"})
    second = logged_in(boris).post(address("save", draft), {**data, "text": "// Борис"}, headers={"accept": "application/json"})
    assert first.status_code == 200 and first.json()["revision"] == 2
    assert second.status_code == 409
    assert second.json()["theirs"] == "// Анна" and "anna" in second.json()["errors"][0]["message"]
    assert Draft.objects.get().files["canonical.bsl"] == "// Анна"
    again = logged_in(boris).post(
        address("save", draft), {**data, "revision": 2, "text": "// Борис"}, headers={"accept": "application/json"}
    )
    assert again.status_code == 200


def test_without_scripts_the_loser_keeps_the_own_text(draft, anna, logged_in):
    client = logged_in(anna)
    client.post(address("save", draft), {"file": "canonical.bsl", "revision": 1, "text": "// первый"})
    reply = client.post(address("save", draft), {"file": "canonical.bsl", "revision": 1, "text": "// второй"})
    assert reply.status_code == 409
    assert "// второй" in reply.content.decode() and "// первый" in reply.content.decode()


@pytest.mark.parametrize("name", ["../x.bsl", "/etc/passwd", "a/b/c/d/e.bsl", "run.sh", "submissions/..\\x.bsl", "", "x\0.bsl"])
def test_no_file_gets_an_odd_name(draft, anna, logged_in, name):
    reply = logged_in(anna).post(address("save", draft), {"file": name, "revision": 1, "text": "x", "action": "add"})
    assert reply.status_code == 400
    assert set(Draft.objects.get().files) == set(draft.files)


def test_the_editor_shows_errors_of_both_languages(draft, anna, logged_in):
    client = logged_in(anna)
    broken = draft.files["tests.yaml"].replace("expected: 8", "expcted: 8")
    found = client.post(address("check", draft), {"file": "tests.yaml", "text": broken}).json()["findings"]
    assert found[0]["line"] == 3 and "expected" in found[0]["cure"]
    bsl = "Функция Ф()\n\tЕсли Тогда\nКонецФункции"
    found = client.post(address("check", draft), {"file": "canonical.bsl", "text": bsl}).json()["findings"]
    assert found and found[0]["line"] >= 2
    measuring.close_pipeline()


def test_any_text_can_be_tried(draft, anna, logged_in):
    client = logged_in(anna)
    seen = client.post(address("try", draft), {"code": draft.files["canonical.bsl"]}).json()
    assert seen["values"]["M"] == "10.0" and {outcome["verdict"] for outcome in seen["outcomes"]} == {"passed"}
    wrong = client.post(address("try", draft), {"code": "Функция Ф(А) Возврат 8; КонецФункции"}).json()
    assert [outcome["verdict"] for outcome in wrong["outcomes"]].count("passed") == 1
    assert wrong["values"]["O"] == "N/A (задача не решена, оптимальность не оценивается)"
    english = client.post(address("try", draft) + "?lang=en", {"code": "Функция Ф(А) Возврат 8; КонецФункции"}).json()
    assert english["values"]["O"] == "N/A (the task is not solved, so its optimality is not judged)"
    measuring.close_pipeline()


def test_what_is_downloaded_is_what_was_saved(draft, anna, logged_in):
    reply = logged_in(anna).get(address("download", draft))
    assert {name: body.decode() for name, body in read_archive(reply.content).items()} == draft.files


def test_another_zip_takes_the_place_of_all_files(draft, anna, logged_in):
    body = write_archive(skeleton("A", "GAP2", "Другая"), "GAP2")
    logged_in(anna).post(address("upload", draft), {"revision": 1, "archive": SimpleUploadedFile("x.zip", body)})
    assert Draft.objects.get().title == "Другая" and Draft.objects.get().revision == 2


def test_every_page_opens_for_its_author(draft, anna, mira, logged_in):
    for user in (anna, mira):
        client = logged_in(user)
        for name in ("home", "new"):
            assert client.get(reverse(f"authoring:{name}")).status_code == 200
        for name in ("draft", "edit", "changes"):
            reply = client.get(address(name, draft))
            assert reply.status_code == 200
            assert "no-store" in reply.headers["Cache-Control"]


def test_the_log_says_who_did_what(draft, anna, logged_in):
    logged_in(anna).post(address("save", draft), {"file": "canonical.bsl", "revision": 1, "text": "// x"})
    assert list(DraftEvent.objects.values_list("actor", "action")) == [(anna.pk, "saved"), (anna.pk, "created")]


def test_a_draft_keeps_its_name_while_its_tests_are_broken(draft, anna):
    saved = drafts.save(anna, draft, 1, {**draft.files, "tests.yaml": "tests: ["})
    assert saved.title == "Промежутки" and saved.category == "A"
    saved = drafts.save(anna, saved, 2, {**draft.files, "task.yaml": "name: ["})
    assert saved.title == "Промежутки"


def test_sections_that_were_not_looked_at_are_not_called_clean(draft, anna, logged_in):
    from scoring.services import validating

    drafts.ask_validation(anna, drafts.save(anna, draft, 1, {**draft.files, "tests.yaml": "tests: ["}))
    validating.drain()
    page = logged_in(anna).get(address("draft", draft)).content.decode()
    assert "Проверка остановилась на формате" in page
    assert "Пустышки" not in page and "Сила тестов" not in page


@pytest.mark.parametrize("name", ["home", "new"])
def test_english_pages_are_english(anna, logged_in, name):
    page = logged_in(anna).get(reverse(f"authoring:{name}"), {"lang": "en"}).content.decode()
    body = page.split("<main", 1)[1].split("</main>")[0]
    assert not [word for word in body.split() if any("а" <= char.lower() <= "я" for char in word)]


def test_every_remark_has_words_in_both_languages():
    from django.utils.translation import override

    from scoring.services.remarks import WORDS

    for code, (message, cure) in WORDS.items():
        with override("en"):
            for text in (str(message), str(cure)):
                assert not any("а" <= char.lower() <= "я" for char in text), code
