"""What expert review stores: rounds, the sample with its machine steps frozen, slots that experts claim, grades, events.

Grades are never changed: a correction is a further submission. Machine steps are copied into the sample when it is drawn, so that
a report can be recomputed whatever is scored later.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import AppendOnly
from review.tables import STEPS
from scoring.models import AXES, Answer, Category, Score, Stack, Task

KEY_BYTES = 12


def new_key() -> str:
    """An address that tells nothing: neither an order nor another row."""
    return secrets.token_urlsafe(KEY_BYTES)


class Purpose(models.TextChoices):
    """Only validation counts for Verified."""

    VALIDATION = "validation", _("проверка машины")
    CALIBRATION = "calibration", _("калибровка протокола")
    TRIAL = "trial", _("пробный: контрольные ответы")


class RoundState(models.TextChoices):
    DRAFT = "draft", _("готовится")
    OPEN = "open", _("идёт")
    CLOSED = "closed", _("закрыт")
    PUBLISHED = "published", _("опубликован")


class Round(models.Model):
    """One sample, graded by named experts. `editions` and `tasks` are keys; an empty list means all."""

    slug = models.SlugField(max_length=40, unique=True)
    title = models.CharField(_("название"), max_length=120)
    purpose = models.CharField(_("назначение"), max_length=12, choices=Purpose.choices, default=Purpose.VALIDATION)
    state = models.CharField(max_length=10, choices=RoundState.choices, default=RoundState.DRAFT)
    category = models.CharField(_("категория"), max_length=1, choices=Category.choices)
    axes = models.JSONField(_("оси"), default=list)
    editions = models.JSONField(_("издания"), default=list, blank=True)
    tasks = models.JSONField(_("задачи"), default=list, blank=True)
    size = models.PositiveIntegerField(_("ответов в выборке"))
    graders = models.PositiveSmallIntegerField(_("экспертов на ответ"), default=2)
    overlap = models.FloatField(_("доля ответов с несколькими экспертами"), default=1.0)
    repeats = models.FloatField(_("доля скрытых повторов"), default=0.05)
    gold = models.PositiveSmallIntegerField(_("эталонных ответов"), default=0)
    seed = models.PositiveBigIntegerField(_("зерно"))
    experts = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="review_rounds", blank=True)
    stack = models.ForeignKey(Stack, null=True, on_delete=models.PROTECT, related_name="+")
    protocol_version = models.CharField(max_length=20, blank=True)
    protocol_hash = models.CharField(max_length=64, blank=True)
    rubric_version = models.CharField(max_length=20, blank=True)
    population = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=0, overlap__lte=1), name="round_overlap_share"),
            models.CheckConstraint(condition=Q(repeats__gte=0, repeats__lte=1), name="round_repeats_share"),
            models.CheckConstraint(condition=Q(graders__gte=1, graders__lte=9), name="round_graders"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_trial(self) -> bool:
        return self.purpose == Purpose.TRIAL

    @property
    def is_open(self) -> bool:
        return self.state == RoundState.OPEN

    @property
    def is_closed(self) -> bool:
        return self.state in (RoundState.CLOSED, RoundState.PUBLISHED)


class Item(models.Model):
    """An answer of the sample. `steps`: axis → the machine's step, for the axes that were measured.

    `gold`: axis → an adjudicated grade of an earlier round; gold items check the graders and stay out of the agreement.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="items")
    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="review_items")
    score = models.ForeignKey(Score, null=True, on_delete=models.SET_NULL, related_name="+")
    bundle_digest = models.CharField(max_length=64)
    stratum = models.CharField(max_length=40)
    probability = models.FloatField()
    graders = models.PositiveSmallIntegerField()
    has_repeat = models.BooleanField(default=False)
    steps = models.JSONField(default=dict)
    missing = models.JSONField(default=dict)
    gold = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "answer"], name="item_once"),
            models.CheckConstraint(condition=Q(probability__gt=0, probability__lte=1), name="item_probability"),
        ]

    def __str__(self) -> str:
        return f"item {self.pk} of {self.round_id}"


class SlotState(models.TextChoices):
    FREE = "free", _("свободно")
    RESERVED = "reserved", _("отложено")
    HELD = "held", _("в работе")
    SUBMITTED = "submitted", _("оценено")
    SKIPPED = "skipped", _("пропущено")


class Slot(models.Model):
    """A place for one expert's grading of one item; there are as many as the item wants graders, so overlap can't be exceeded.

    FREE → HELD by a conditional update that names the expert and a lease; a lease that ran out frees it. RESERVED: a hidden
    repeat, waiting for its expert until `after` further answers are done.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="slots")
    key = models.CharField(max_length=24, unique=True, default=new_key)
    place = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=SlotState.choices, default=SlotState.FREE)
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="review_slots")
    is_repeat = models.BooleanField(default=False)
    after = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    revealed_at = models.DateTimeField(null=True, blank=True)
    skip_reason = models.CharField(max_length=20, blank=True)
    skip_comment = models.TextField(blank=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "expert", "is_repeat"], condition=Q(expert__isnull=False), name="slot_expert_once"
            ),
            models.CheckConstraint(
                condition=Q(state="free", expert__isnull=True) | (~Q(state="free") & Q(expert__isnull=False)),
                name="slot_free_or_somebodys",
            ),
        ]
        indexes = [models.Index(fields=["state", "lease_until"], name="slot_state_lease")]

    def __str__(self) -> str:
        return f"slot {self.key}: {self.state}"


class Draft(models.Model):
    """What an expert has typed so far. Kept by item and not by slot: a lost lease loses no draft."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="drafts")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    is_repeat = models.BooleanField(default=False)
    data = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "expert", "is_repeat"], name="draft_once")]

    def __str__(self) -> str:
        return f"draft of {self.item_id} by {self.expert_id}"


class Submission(models.Model):
    """A locked grading; a correction is a further revision with a reason.

    Agreement is computed from the last revision made blindly, that is before its expert asked to see the machine's side.
    """

    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="submissions")
    revision = models.PositiveSmallIntegerField(default=1)
    is_blind = models.BooleanField(default=True)
    reason = models.TextField(blank=True)
    line_comments = models.JSONField(default=dict)
    seconds = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["slot", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["slot", "revision"], name="submission_once"),
            models.CheckConstraint(condition=Q(revision=1) | ~Q(reason=""), name="revision_has_reason"),
        ]

    def __str__(self) -> str:
        return f"submission {self.slot_id}.{self.revision}"


def _is_step(field: str) -> Q:
    return Q(**{f"{field}__in": STEPS})


class Grade(models.Model):
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="grades")
    axis = models.CharField(max_length=1)
    value = models.PositiveSmallIntegerField()
    comment = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "axis"], name="grade_axis_once"),
            models.CheckConstraint(condition=_is_step("value"), name="grade_is_step"),
            models.CheckConstraint(condition=Q(axis__in=AXES), name="grade_axis_known"),
        ]

    def __str__(self) -> str:
        return f"{self.axis}={self.value}"


class Adjudication(models.Model):
    """A third opinion where experts differ by more than one step; reported beside, never in place of the grades."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="adjudications")
    axis = models.CharField(max_length=1)
    value = models.PositiveSmallIntegerField()
    comment = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "axis"], name="adjudication_once"),
            models.CheckConstraint(condition=_is_step("value"), name="adjudication_is_step"),
            models.CheckConstraint(condition=Q(axis__in=AXES), name="adjudication_axis_known"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.axis}={self.value}"


class TicketKind(models.TextChoices):
    CONDITION = "condition", _("условие неясно")
    TEST = "test", _("тест выглядит неверным")
    ORACLE = "oracle", _("машина измеряет неверно")
    OTHER = "other", _("другое")


class Ticket(models.Model):
    """A doubt about a task, for its author; while it is open, scores that depend on the task are marked."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="tickets")
    item = models.ForeignKey(Item, null=True, on_delete=models.SET_NULL, related_name="tickets")
    axis = models.CharField(max_length=1, blank=True)
    kind = models.CharField(max_length=12, choices=TicketKind.choices)
    text = models.TextField(blank=True)
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)
    resolution = models.TextField(blank=True)

    class Meta:
        ordering = ["-opened_at"]

    def __str__(self) -> str:
        return f"ticket {self.pk} on {self.task_id}"


class Report(models.Model):
    """The frozen public report of a round: its numbers and the anonymised grades they came from."""

    round = models.OneToOneField(Round, on_delete=models.PROTECT, related_name="report")
    key = models.CharField(max_length=24, unique=True, default=new_key)
    data = models.JSONField()
    grades = models.JSONField()
    frozen_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"report of {self.round_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise RuntimeError("a report is frozen")
        super().save(*args, **kwargs)


class VerdictKind(models.TextChoices):
    VERIFIED = "verified", _("проверено")
    PROVISIONAL = "provisional", _("предварительно")
    REFUSED = "refused", _("не присвоено")
    REVOKED = "revoked", _("отозвано")


class VerifiedEvent(AppendOnly):
    """The log of the mark. The newest event of a subject is its state.

    `subject`: `A:S` (category and axis) or `task:KEY`. `digest` covers this row and the one before it, so that a changed or
    missing row shows.
    """

    key = models.CharField(max_length=24, unique=True, default=new_key)
    at = models.DateTimeField(default=timezone.now, editable=False)
    kind = models.CharField(max_length=12, choices=VerdictKind.choices)
    subject = models.CharField(max_length=100)
    round = models.ForeignKey(Round, null=True, on_delete=models.PROTECT, related_name="events")
    certificate = models.JSONField(default=dict)
    reason = models.CharField(max_length=60, blank=True)
    diff = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["subject", "id"], name="verified_event_subject")]

    def __str__(self) -> str:
        return f"{self.subject} {self.kind} {self.at:%Y-%m-%d}"
