"""People: roles are groups, accounts come by invitation, and what people do is written down once and never changed."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """Names of groups; the migration makes them."""

    EXPERT = "expert", _("эксперт")
    MAINTAINER = "maintainer", _("куратор")
    AUTHOR = "author", _("автор задач")


class Profile(models.Model):
    """What a person tells of themselves, and their second factor. Nothing of it is public unless `is_public`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="profile")
    public_name = models.CharField(_("имя для отчётов"), max_length=120, blank=True)
    years_with_1c = models.PositiveSmallIntegerField(_("лет с 1С"), null=True, blank=True)
    areas = models.CharField(_("области"), max_length=300, blank=True)
    is_public = models.BooleanField(_("показывать в отчётах"), default=False)
    consented_at = models.DateTimeField(null=True, blank=True)
    totp_secret = models.CharField(max_length=64, blank=True)
    totp_confirmed_at = models.DateTimeField(null=True, blank=True)
    # The last time step whose code was taken: a code works once.
    totp_last_step = models.BigIntegerField(default=0)
    recovery_hashes = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"profile of {self.user_id}"

    @property
    def has_second_factor(self) -> bool:
        return self.totp_confirmed_at is not None


class Invitation(models.Model):
    """A link to an account. Only the hash of its token is stored: who reads the database can't use it."""

    digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, choices=Role.choices)
    note = models.CharField(max_length=120, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"invitation {self.pk} ({self.role})"

    @property
    def is_open(self) -> bool:
        return not self.used_at and not self.revoked_at and self.expires_at > timezone.now()


class AppendOnlyError(RuntimeError):
    """A row of a log was about to be changed or removed."""


class AppendOnlyRows(models.QuerySet):  # type: ignore[type-arg]
    """Rows that can be added and read."""

    def update(self, **kwargs: Any) -> int:
        raise AppendOnlyError(f"{self.model.__name__} is append-only")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError(f"{self.model.__name__} is append-only")


class AppendOnly(models.Model):
    """A log: what is written stays as it is."""

    objects = AppendOnlyRows.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError(f"{type(self).__name__} is append-only")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError(f"{type(self).__name__} is append-only")


class AuditEvent(AppendOnly):
    """Who did what. `actor` is a number and not a key of a person's name, so that an erased person leaves no name here."""

    at = models.DateTimeField(default=timezone.now, editable=False)
    actor = models.PositiveBigIntegerField(null=True)
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=160, blank=True)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["action", "at"], name="audit_action_at")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.action} {self.target}"


class LoginFailure(models.Model):
    """A failed log-in, by hashed name or address; old ones are swept away."""

    subject = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["subject", "at"], name="login_failure_subject_at")]

    def __str__(self) -> str:
        return f"{self.subject[:8]} {self.at:%H:%M}"
