"""What authors store: drafts of tasks, and a log of what became of them."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import AppendOnly
from scoring.models import Task, Validation

KEY_BYTES = 12


def new_key() -> str:
    """An address that tells nothing of other drafts."""
    return secrets.token_urlsafe(KEY_BYTES)


class DraftState(models.TextChoices):
    EDITING = "editing", _("в работе")
    SUBMITTED = "submitted", _("ждёт куратора")
    RETURNED = "returned", _("возвращён")
    PUBLISHED = "published", _("опубликован")


class Draft(models.Model):
    """A task in the making: `files` maps path → text. `revision` rises with each save; a save names the one it started from.

    `validation` is the newest one asked for; it speaks for the draft only while its digest is that of the files.
    `comparison` is what a new version would change of stored answers' scores (see `authoring.comparing`).
    """

    key = models.CharField(max_length=40, unique=True, default=new_key, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    editors = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    task = models.ForeignKey(Task, null=True, blank=True, on_delete=models.SET_NULL, related_name="drafts")
    title = models.CharField(max_length=200, blank=True)
    category = models.CharField(max_length=1, blank=True)
    files = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    revision = models.PositiveIntegerField(default=1)
    is_private = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=DraftState.choices, default=DraftState.EDITING)
    note = models.TextField(blank=True)
    validation = models.ForeignKey(Validation, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    comparison = models.JSONField(default=dict, blank=True)
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-saved_at"]

    def __str__(self) -> str:
        return f"draft {self.key} {self.title}"


class DraftEvent(AppendOnly):
    """Who did what to a draft or a task, and when. `actor` is a number, so that an erased person leaves no name here."""

    at = models.DateTimeField(default=timezone.now, editable=False)
    actor = models.PositiveBigIntegerField(null=True)
    draft = models.CharField(max_length=40, blank=True, db_index=True)
    task = models.CharField(max_length=80, blank=True, db_index=True)
    action = models.CharField(max_length=30)
    digest = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.action}"
