"""Runs of generation and the record of every attempt. Part of ``scoring.models``; apart for its subject."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class RunState(models.TextChoices):
    PLANNED = "planned", _("запланирован")
    RUNNING = "running", _("идёт")
    DONE = "done", _("завершён")
    STOPPED = "stopped", _("остановлен")
    FAILED = "failed", _("прерван")


class CostBasis(models.TextChoices):
    """Where an answer's cost comes from; `unknown` is stored as 0 and never shown as one."""

    PROVIDER = "provider", _("сообщил провайдер")
    PRICE = "price", _("токены × цена")
    UNKNOWN = "unknown", _("неизвестна")


class GenerationRun(models.Model):
    """One order: which networks, which tasks, how many answers each, under which edition, for how much.

    The cells themselves are `Answer` rows; what is `planned` or `failed` among them is what a resumed run still asks for.
    A runner holds the row by `token` and `lease_until`, renewed while it works; a lease that ran out may be taken over.
    `by_queue`: workers carry the run out, and go on with it when one of them dies. `spent` is all that was paid for it,
    failed attempts included.
    """

    edition = models.ForeignKey("scoring.Edition", on_delete=models.PROTECT, related_name="generation_runs")
    networks = models.JSONField()
    tasks = models.JSONField()
    answers_per_task = models.PositiveSmallIntegerField(default=1)
    seed = models.PositiveIntegerField(default=0)
    cap = models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)
    spent = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    currency = models.CharField(max_length=3, default="USD")
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.PLANNED)
    stop_asked = models.BooleanField(default=False)
    by_queue = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    token = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    recording = models.CharField(max_length=255, blank=True)
    catalogue_digest = models.CharField(max_length=64, blank=True)
    ordered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"run {self.pk}: {self.state}"


class Exchange(models.Model):
    """What was said for one answer: every message, the look-ups in the schema, the parameters; hashed as `digest`."""

    answer = models.OneToOneField("scoring.Answer", on_delete=models.CASCADE, related_name="exchange")
    run = models.ForeignKey(GenerationRun, null=True, on_delete=models.SET_NULL, related_name="exchanges")
    messages = models.JSONField()
    trace = models.JSONField(default=list)
    parameters = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    lookups = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    cost_basis = models.CharField(max_length=10, choices=CostBasis.choices, default=CostBasis.UNKNOWN)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"exchange of answer {self.answer_id}"
