"""Pages of people: access, parse, one service call, respond."""

from __future__ import annotations

import time
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts import audit, invitations, people, throttling, totp
from accounts.forms import AcceptForm, CodeForm, InviteForm, LoginForm, ProfileForm
from accounts.models import AuditEvent, Invitation, Role

PENDING = "second_factor_pending"
PENDING_SECONDS = 300
BACKEND = "accounts.backends.ThrottledBackend"
EVENTS_PER_PAGE = 100


def _next(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if safe else reverse("review:home")


@never_cache
@sensitive_post_parameters("password")
def log_in(request: HttpRequest) -> HttpResponse:
    form = LoginForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        if people.profile_of(form.user).has_second_factor:
            request.session[PENDING] = {"user": form.user.pk, "until": time.time() + PENDING_SECONDS}
            return redirect(f"{reverse('accounts:code')}?next={_next(request)}")
        login(request, form.user, backend=BACKEND)
        return redirect(_next(request))
    status = 200 if request.method == "GET" else 400
    values = {"form": form, "next": _next(request), "nobody": not get_user_model().objects.exists()}
    return render(request, "accounts/login.html", values, status=status)


@never_cache
def second_step(request: HttpRequest) -> HttpResponse:
    """The code after the password; failures count for the throttle like wrong passwords."""
    pending = request.session.get(PENDING) or {}
    user = get_user_model().objects.filter(pk=pending.get("user"), is_active=True).first()
    if user is None or pending.get("until", 0) < time.time():
        request.session.pop(PENDING, None)
        return redirect("accounts:login")
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name = user.get_username()
        if throttling.is_blocked(name, request):
            form.add_error("code", _("Слишком много неудачных попыток. Попробуйте через 15 минут."))
        elif people.check_second_factor(user, form.cleaned_data["code"]):
            del request.session[PENDING]
            login(request, user, backend=BACKEND)
            return redirect(_next(request))
        else:
            throttling.note_failure(name, request)
            form.add_error("code", _("Код не подходит."))
    status = 200 if request.method == "GET" else 400
    return render(request, "accounts/code.html", {"form": form, "next": _next(request)}, status=status)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("review:home")


@never_cache
@sensitive_post_parameters("password", "again")
def accept(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invitation = invitations.find(token)
    except invitations.InvitationError:
        return render(request, "accounts/invitation_closed.html", status=410)
    form = AcceptForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = invitations.accept(token, form.cleaned_data["username"], form.cleaned_data["password"])
        except invitations.InvitationError:
            return render(request, "accounts/invitation_closed.html", status=410)
        login(request, user, backend=BACKEND)
        return redirect("accounts:profile")
    status = 200 if request.method == "GET" else 400
    return render(request, "accounts/accept.html", {"form": form, "invitation": invitation}, status=status)


# -- one's own ---------------------------------------------------------------------------------------------------------


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    own = people.profile_of(request.user)
    form = ProfileForm(request.POST or None, instance=own)
    if request.method == "POST" and form.is_valid():
        people.set_profile(request.user, form.cleaned_data)
        messages.success(request, _("Сохранено."))
        return redirect("accounts:profile")
    values = {"form": form, "profile": own, "roles": [Role(role).label for role in sorted(people.roles_of(request.user))]}
    return render(request, "accounts/profile.html", values)


@login_required
@sensitive_post_parameters()
def password(request: HttpRequest) -> HttpResponse:
    form: Any = PasswordChangeForm(request.user, request.POST or None)  # type: ignore[arg-type]
    if request.method == "POST" and form.is_valid():
        user = form.save()
        update_session_auth_hash(request, user)
        audit.record(user, "password.changed", user.pk)
        messages.success(request, _("Пароль изменён."))
        return redirect("accounts:profile")
    return render(request, "accounts/password.html", {"form": form})


@login_required
@never_cache
def second_factor(request: HttpRequest) -> HttpResponse:
    """Switching it on: the secret, a code to prove it works, then recovery codes shown once."""
    own = people.begin_second_factor(request.user)
    form = CodeForm(request.POST or None)
    values: dict[str, Any] = {"profile": own, "form": form}
    if request.method == "POST" and not own.has_second_factor and form.is_valid():
        try:
            values["codes"] = people.confirm_second_factor(request.user, form.cleaned_data["code"])
            values["profile"] = people.profile_of(request.user)
        except ValueError:
            form.add_error("code", _("Код не подходит."))
    if not values["profile"].has_second_factor:
        values["secret"] = " ".join(own.totp_secret[place : place + 4] for place in range(0, len(own.totp_secret), 4))
        values["address"] = totp.address(own.totp_secret, request.user.get_username())
        values["picture"] = mark_safe(totp.picture(values["address"], _("QR-код второго фактора")))
    return render(request, "accounts/second_factor.html", values)


@login_required
@require_POST
def second_factor_off(request: HttpRequest) -> HttpResponse:
    if request.user.check_password(request.POST.get("password", "")):
        people.drop_second_factor(request.user)
        messages.success(request, _("Второй фактор отключён."))
    else:
        messages.error(request, _("Пароль не подходит."))
    return redirect("accounts:second_factor")


@login_required
def export(request: HttpRequest) -> HttpResponse:
    response = JsonResponse(people.own_data(request.user), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response.headers["Content-Disposition"] = 'attachment; filename="prism-own-data.json"'
    return response


@login_required
@require_POST
def erase(request: HttpRequest) -> HttpResponse:
    if not request.user.check_password(request.POST.get("password", "")):
        messages.error(request, _("Пароль не подходит."))
        return redirect("accounts:profile")
    user = request.user
    logout(request)
    people.erase(user)
    return render(request, "accounts/erased.html")


# -- for maintainers ---------------------------------------------------------------------------------------------------


@people.require_role(Role.MAINTAINER)
def everybody(request: HttpRequest) -> HttpResponse:
    """Accounts and invitations; a new link is shown once."""
    form = InviteForm(request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        _made, token = invitations.invite(request.user, data["role"], data["note"], data["days"])
        link = request.build_absolute_uri(reverse("accounts:accept", args=[token]))
        form = InviteForm()
    found = [(user, {group.name for group in user.groups.all()}) for user in people.people()]
    values = {"form": form, "link": link, "people": found, "roles": Role.choices, "invitations": Invitation.objects.all()[:50]}
    return render(request, "accounts/people.html", values)


@people.require_role(Role.MAINTAINER)
@require_POST
def change_person(request: HttpRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(get_user_model(), pk=pk)
    try:
        if "active" in request.POST:
            people.set_active(request.user, user, request.POST["active"] == "1")
        else:
            people.set_roles(request.user, user, set(request.POST.getlist("roles")))
    except ValueError as error:
        messages.error(request, str(error))
    return redirect("accounts:people")


@people.require_role(Role.MAINTAINER)
@require_POST
def revoke_invitation(request: HttpRequest, pk: int) -> HttpResponse:
    invitations.revoke(request.user, pk)
    return redirect("accounts:people")


@people.require_role(Role.MAINTAINER)
def log(request: HttpRequest) -> HttpResponse:
    events = AuditEvent.objects.all()
    action = request.GET.get("action", "")
    if action:
        events = events.filter(action__startswith=action)
    page = Paginator(events, EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    names = dict(get_user_model().objects.filter(pk__in={event.actor for event in page}).values_list("pk", "username"))
    return render(request, "accounts/log.html", {"page": page, "names": names, "action": action})
