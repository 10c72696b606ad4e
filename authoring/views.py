"""Pages of authors and maintainers: access, parse, one service call, respond."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import Role
from accounts.people import has_role, require_role
from authoring import comparing, drafts, pages, publishing
from authoring.models import Draft
from authoring.skeletons import CATEGORIES, skeleton
from scoring.bundles.archive import MAX_ARCHIVE_BYTES, read_archive, write_archive
from scoring.findings import FaultyData
from scoring.models import Task
from scoring.services import trying, validating

View = Callable[..., HttpResponse]
authors = require_role(Role.AUTHOR, Role.MAINTAINER)
MOST_FILE_CHARACTERS = 4_000_000


def opened(request: HttpRequest, key: str) -> Draft:
    """The draft, for those who may see it; anybody else finds nothing there."""
    return get_object_or_404(drafts.visible_to(request.user), key=key)


def page(request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """A page that nobody keeps: what authors see may be private."""
    response = render(request, template, {"is_maintainer": has_role(request.user, Role.MAINTAINER), **context}, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


# -- beginnings ------------------------------------------------------------------------------------------------------------


@authors
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    return page(request, "authoring/home.html", pages.home(request.user))


@authors
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """The wizard: a working skeleton, or a zip."""
    if request.method != "POST":
        return page(request, "authoring/new.html", {"categories": CATEGORIES, "given": {"category": "A"}})
    try:
        files = _new_files(request)
        made = drafts.create(request.user, files, is_private="private" in request.POST)
    except FaultyData as error:
        found = pages.told_findings(error.findings)
        return page(request, "authoring/new.html", {"categories": CATEGORIES, "given": request.POST, "findings": found}, 400)
    drafts.ask_validation(request.user, made)
    return redirect("authoring:draft", made.key)


def _new_files(request: HttpRequest) -> dict[str, str]:
    if "archive" in request.FILES:
        return uploaded(request)
    category = request.POST.get("category", "")
    key = request.POST.get("id", "").strip()
    name = request.POST.get("name", "").strip()
    faults = pages.head_faults(category, key, name)
    if faults:
        raise FaultyData(faults)
    return skeleton(category, key, name)


def uploaded(request: HttpRequest) -> dict[str, str]:
    """The files of the uploaded zip. Raises FaultyData."""
    upload = request.FILES["archive"]
    return drafts.decoded(read_archive(upload.read(MAX_ARCHIVE_BYTES + 1), pages.shown_name(upload.name)))


# -- one draft --------------------------------------------------------------------------------------------------------------


@authors
@never_cache
def draft(request: HttpRequest, key: str) -> HttpResponse:
    return page(request, "authoring/draft.html", pages.draft(opened(request, key)))


@authors
@never_cache
def edit(request: HttpRequest, key: str) -> HttpResponse:
    return page(request, "authoring/edit.html", pages.editor(opened(request, key), request.GET.get("file", "")))


@authors
@require_POST
def save(request: HttpRequest, key: str) -> HttpResponse:
    """One file of the draft: its text, a new name, or its end. Says 409 when somebody saved meanwhile."""
    found = opened(request, key)
    name = request.POST.get("file", "")
    try:
        files = pages.changed_files(found, request.POST)
        saved = drafts.save(request.user, found, pages.whole(request.POST.get("revision")), files, is_private=_privacy(request))
    except FaultyData as error:
        return _refused(request, pages.told_findings(error.findings), 400, found, name)
    except drafts.SavedByOther as other:
        return _refused(request, [pages.saved_by_other(other.draft)], 409, other.draft, name)
    if _wants_json(request):
        return JsonResponse({"revision": saved.revision, "digest": saved.digest[:12], "file": name})
    messages.success(request, _("Сохранено, версия %(number)s.") % {"number": saved.revision})
    return redirect(pages.edit_address(saved, name))


def _privacy(request: HttpRequest) -> bool | None:
    return request.POST["private"] == "1" if "private" in request.POST else None


def _wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def _refused(request: HttpRequest, found: list[pages.ToldFinding], status: int, now: Draft, name: str) -> HttpResponse:
    if _wants_json(request):
        data = {"errors": [asdict(finding) for finding in found], "revision": now.revision, "theirs": now.files.get(name, "")}
        return JsonResponse(data, status=status)
    for finding in found:
        messages.error(request, str(finding))
    return page(request, "authoring/edit.html", pages.editor(now, name, mine=request.POST.get("text", "")), status)


@authors
@require_POST
def check(request: HttpRequest, key: str) -> HttpResponse:
    """Errors of one file as it stands in the editor."""
    found = opened(request, key)
    name, text = request.POST.get("file", ""), request.POST.get("text", "")
    if name not in found.files or len(text) > MOST_FILE_CHARACTERS:
        raise Http404
    findings = trying.file_findings({**found.files, name: text.replace("\r\n", "\n")}, name)
    return JsonResponse({"findings": [asdict(finding) for finding in pages.told_findings(findings)]})


@authors
@require_POST
def upload(request: HttpRequest, key: str) -> HttpResponse:
    """Another zip takes the place of all files."""
    found = opened(request, key)
    try:
        if "archive" not in request.FILES:
            raise FaultyData([pages.no_archive()])
        saved = drafts.save(request.user, found, pages.whole(request.POST.get("revision")), uploaded(request))
    except FaultyData as error:
        return page(request, "authoring/draft.html", {**pages.draft(found), "findings": pages.told_findings(error.findings)}, 400)
    except drafts.SavedByOther as other:
        told = [pages.saved_by_other(other.draft)]
        return page(request, "authoring/draft.html", {**pages.draft(other.draft), "findings": told}, 409)
    drafts.ask_validation(request.user, saved)
    return redirect("authoring:draft", key)


@authors
@never_cache
def download(request: HttpRequest, key: str) -> HttpResponse:
    found = opened(request, key)
    body = write_archive(found.files, pages.safe_name(found))
    response = HttpResponse(body, content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{pages.safe_name(found)}.zip"'
    response.headers["Cache-Control"] = "no-store"
    return response


@authors
@require_POST
def share(request: HttpRequest, key: str) -> HttpResponse:
    found = opened(request, key)
    user = get_user_model().objects.filter(username=request.POST.get("name", "").strip(), is_active=True).first()
    if user is None or not has_role(user, Role.AUTHOR, Role.MAINTAINER):
        messages.error(request, _("Автора с таким именем нет."))
    else:
        drafts.share(request.user, found, user)
        messages.success(request, _("%(name)s тоже может править черновик.") % {"name": user.username})
    return redirect("authoring:draft", key)


@authors
@require_POST
def remove(request: HttpRequest, key: str) -> HttpResponse:
    found = opened(request, key)
    if found.owner_id != request.user.pk and not has_role(request.user, Role.MAINTAINER):
        raise PermissionDenied
    drafts.remove(request.user, found)
    messages.success(request, _("Черновик удалён."))
    return redirect("authoring:home")


# -- validation and trying ---------------------------------------------------------------------------------------------------


@authors
@require_POST
def validate(request: HttpRequest, key: str) -> HttpResponse:
    drafts.ask_validation(request.user, opened(request, key))
    return redirect("authoring:draft", key)


@authors
@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    found = opened(request, key)
    if found.validation:
        validating.cancel(found.validation)
    return redirect("authoring:draft", key)


@authors
@never_cache
def status(request: HttpRequest, key: str) -> HttpResponse:
    """Where the validation stands, for the page that waits for it."""
    validating.release_lost()
    return JsonResponse(pages.status(opened(request, key)))


@authors
@require_POST
def attempt(request: HttpRequest, key: str) -> HttpResponse:
    found = opened(request, key)
    try:
        seen = trying.attempt(found.files, request.POST.get("code", ""))
    except FaultyData as error:
        return JsonResponse({"errors": [asdict(finding) for finding in pages.told_findings(error.findings)]}, status=400)
    return JsonResponse(pages.attempt(seen))


# -- versions and publishing --------------------------------------------------------------------------------------------------


@authors
@never_cache
def changes(request: HttpRequest, key: str) -> HttpResponse:
    return page(request, "authoring/changes.html", pages.changes(opened(request, key)))


@authors
@require_POST
def compare(request: HttpRequest, key: str) -> HttpResponse:
    found = opened(request, key)
    if found.task:
        comparing.ask(found)
    return redirect("authoring:changes", key)


@authors
@require_POST
def submit(request: HttpRequest, key: str) -> HttpResponse:
    try:
        publishing.submit(request.user, opened(request, key))
        messages.success(request, _("Черновик отдан куратору."))
    except publishing.Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("authoring:draft", key)


@require_role(Role.MAINTAINER)
@require_POST
def decide(request: HttpRequest, key: str) -> HttpResponse:
    """A maintainer's decision on a submitted draft."""
    found = opened(request, key)
    try:
        if request.POST.get("decision") == "publish":
            task = publishing.publish(request.user, found)
            messages.success(request, _("Задача %(key)s опубликована.") % {"key": task.key})
        else:
            publishing.give_back(request.user, found, request.POST.get("note", "").strip())
    except publishing.Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("authoring:draft", key)


@authors
@never_cache
def versions(request: HttpRequest, key: str) -> HttpResponse:
    return page(request, "authoring/versions.html", pages.versions(_task(request, key), request.GET))


def _task(request: HttpRequest, key: str) -> Task:
    """A task whose files this person may see: maintainers see all, authors their own."""
    task = get_object_or_404(Task.objects.select_related("bundle"), key=key)
    if not has_role(request.user, Role.MAINTAINER) and not drafts.visible_to(request.user).filter(task=task).exists():
        raise Http404
    return task


@authors
@require_POST
def draft_of(request: HttpRequest, key: str) -> HttpResponse:
    """A draft that begins with the published version."""
    task = _task(request, key)
    if task.bundle is None:
        raise Http404
    made = drafts.create(request.user, task.bundle.files, is_private=task.is_private, task=task)
    return redirect("authoring:draft", made.key)


@require_role(Role.MAINTAINER)
@require_POST
def quarantine(request: HttpRequest, key: str) -> HttpResponse:
    task = _task(request, key)
    try:
        if request.POST.get("decision") == "restore":
            publishing.restore(request.user, task)
        else:
            publishing.quarantine(request.user, task, request.POST.get("reason", "").strip() or _("решение куратора"))
    except publishing.Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("authoring:versions", key)
