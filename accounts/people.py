"""Roles, own data, leaving. Other apps add their part of a person's data by `register_export`."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import audit, totp
from accounts.models import AuditEvent, Invitation, Profile, Role

View = Callable[..., HttpResponse]
_exports: dict[str, Callable[[Any], Any]] = {}


def register_export(name: str, export: Callable[[Any], Any]) -> None:
    """`export(user)` gives plain JSON values, which the person's download holds under `name`."""
    _exports[name] = export


# -- roles -------------------------------------------------------------------------------------------------------------


def roles_of(user: Any) -> frozenset[str]:
    """The person's roles, asked once per request and user object."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    if not hasattr(user, "_prism_roles"):
        names = set(user.groups.values_list("name", flat=True))
        user._prism_roles = frozenset(names | ({Role.MAINTAINER.value} if user.is_superuser else set()))
    return user._prism_roles  # type: ignore[no-any-return]


def has_role(user: Any, *roles: str) -> bool:
    return bool(roles_of(user) & set(roles))


def require_role(*roles: str) -> Callable[[View], View]:
    """A view for people with one of these roles: others get 403, visitors the log-in."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not has_role(request.user, *roles):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return wrapped

    return decorate


@transaction.atomic
def set_roles(actor: Any, user: Any, roles: set[str]) -> None:
    """Gives exactly these roles. Raises ValueError for an unknown one, or when the actor would drop the own maintainership."""
    unknown = roles - set(Role.values)
    if unknown:
        raise ValueError(f"no role {sorted(unknown)}")
    if actor.pk == user.pk and Role.MAINTAINER not in roles and has_role(actor, Role.MAINTAINER):
        raise ValueError("somebody else has to take this role from you")
    user.groups.set(Group.objects.filter(name__in=roles))
    audit.record(actor, "roles.set", user.pk, roles=sorted(roles))


@transaction.atomic
def set_active(actor: Any, user: Any, active: bool) -> None:
    """Locks an account out, or lets it in again. Raises ValueError for one's own."""
    if actor.pk == user.pk:
        raise ValueError("nobody locks themselves out")
    user.is_active = active
    user.save(update_fields=["is_active"])
    audit.record(actor, "account.activated" if active else "account.locked", user.pk)


# -- own data ----------------------------------------------------------------------------------------------------------


def profile_of(user: Any) -> Profile:
    profile, _ = Profile.objects.get_or_create(user=user)
    return profile


def own_data(user: Any) -> dict[str, Any]:
    """Everything stored about a person, as plain JSON values; secrets are left out."""
    profile = profile_of(user)
    events = AuditEvent.objects.filter(actor=user.pk).order_by("pk")
    return {
        "account": {
            "username": user.get_username(),
            "email": user.email,
            "joined": user.date_joined.isoformat(),
            "last_login": user.last_login.isoformat() if user.last_login else None,
            "roles": sorted(roles_of(user)),
            "second_factor": profile.has_second_factor,
        },
        "profile": {
            "public_name": profile.public_name,
            "years_with_1c": profile.years_with_1c,
            "areas": profile.areas,
            "is_public": profile.is_public,
            "consented_at": profile.consented_at.isoformat() if profile.consented_at else None,
        },
        "log": [
            {"at": event.at.isoformat(), "action": event.action, "target": event.target, "detail": event.detail}
            for event in events
        ],
        **{name: export(user) for name, export in sorted(_exports.items())},
    }


@transaction.atomic
def erase(user: Any) -> None:
    """Removes the person and keeps the work: the account becomes a nameless one that nobody can enter."""
    Profile.objects.filter(user=user).delete()
    Invitation.objects.filter(used_by=user).update(note="")
    user.groups.clear()
    user.username = f"erased-{user.pk}-{secrets.token_hex(4)}"
    user.first_name = user.last_name = user.email = ""
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.save()
    audit.record(user, "account.erased", user.pk)


def set_profile(user: Any, values: dict[str, Any]) -> Profile:
    """Stores the profile; consent to be shown is dated, and withdrawn by the same form."""
    profile = profile_of(user)
    for name in ("public_name", "years_with_1c", "areas", "is_public"):
        setattr(profile, name, values[name])
    profile.consented_at = (profile.consented_at or timezone.now()) if profile.is_public else None
    profile.save()
    audit.record(user, "profile.changed", user.pk, is_public=profile.is_public)
    return profile


# -- second factor -----------------------------------------------------------------------------------------------------


def begin_second_factor(user: Any) -> Profile:
    """A secret to be confirmed; an unconfirmed one is replaced."""
    profile = profile_of(user)
    if not profile.has_second_factor and not profile.totp_secret:
        profile.totp_secret = totp.new_secret()
        profile.save(update_fields=["totp_secret"])
    return profile


@transaction.atomic
def confirm_second_factor(user: Any, code: str) -> list[str]:
    """Switches it on and gives recovery codes, shown this once. Raises ValueError for a wrong code."""
    profile = profile_of(user)
    step = totp.matching_step(profile.totp_secret, code) if profile.totp_secret else None
    if step is None:
        raise ValueError("wrong code")
    codes = totp.new_recovery_codes()
    profile.totp_confirmed_at, profile.totp_last_step = timezone.now(), step
    profile.recovery_hashes = [totp.hashed(entry) for entry in codes]
    profile.save()
    audit.record(user, "second_factor.on", user.pk)
    return codes


@transaction.atomic
def drop_second_factor(user: Any) -> None:
    Profile.objects.filter(user=user).update(totp_secret="", totp_confirmed_at=None, recovery_hashes=[], totp_last_step=0)
    audit.record(user, "second_factor.off", user.pk)


def check_second_factor(user: Any, code: str) -> bool:
    """Takes a code of the app or a recovery code; each works once, also when two requests bring it at the same time."""
    profile = profile_of(user)
    step = totp.matching_step(profile.totp_secret, code, after=profile.totp_last_step)
    if step is not None:
        return Profile.objects.filter(pk=profile.pk, totp_last_step__lt=step).update(totp_last_step=step) == 1
    return _take_recovery_code(profile, code)


@transaction.atomic
def _take_recovery_code(profile: Profile, code: str) -> bool:
    row = Profile.objects.select_for_update().get(pk=profile.pk)
    digest = totp.hashed(code)
    if digest not in row.recovery_hashes:
        return False
    row.recovery_hashes = [entry for entry in row.recovery_hashes if entry != digest]
    row.save(update_fields=["recovery_hashes"])
    audit.record(row.user, "second_factor.recovery_code", row.user_id)
    return True


def people() -> Any:
    """Accounts with their roles, for the maintainers' list."""
    return get_user_model().objects.prefetch_related("groups").select_related("profile").order_by("-is_active", "username")
