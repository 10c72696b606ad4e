"""What is stored: tasks and their immutable bundles, networks and their answers, scores beside older scores, work to do.

A score belongs to an answer, a stack (instruments + versions + protocol) and a bundle; re-scoring with any of them changed
adds a row and leaves the old one readable. Values are floats of at most two decimals, so that they survive every trip.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Category(models.TextChoices):
    ALGORITHMS = "A", _("Алгоритмика")
    PLATFORM = "B", _("Платформенные задачи")


class Difficulty(models.TextChoices):
    EASY = "easy", _("лёгкая")
    MEDIUM = "medium", _("средняя")
    HARD = "hard", _("сложная")


class TaskStatus(models.TextChoices):
    DRAFT = "draft", _("черновик")
    PUBLISHED = "published", _("опубликована")
    QUARANTINED = "quarantined", _("на карантине")
    RETIRED = "retired", _("снята")


class TaskUse(models.TextChoices):
    """Tasks that tuned the protocol never validate it."""

    FREE = "free", _("без ограничений")
    CALIBRATION = "calibration", _("калибровка")
    VALIDATION = "validation", _("проверка")


class Task(models.Model):
    """A task as it is now. `key` is the id of its `task.yaml`; what a bundle says is copied here for queries."""

    key = models.CharField(max_length=80, unique=True)
    category = models.CharField(max_length=1, choices=Category.choices)
    name = models.CharField(max_length=200)
    difficulty = models.CharField(max_length=10, choices=Difficulty.choices, default=Difficulty.MEDIUM)
    prompt = models.TextField()
    signature = models.TextField(blank=True)
    skills = models.JSONField(default=list)
    platform_tags = models.JSONField(default=list)
    status = models.CharField(max_length=12, choices=TaskStatus.choices, default=TaskStatus.PUBLISHED)
    status_reason = models.TextField(blank=True)
    use = models.CharField(max_length=12, choices=TaskUse.choices, default=TaskUse.FREE)
    is_private = models.BooleanField(default=False)
    written_on = models.DateField(null=True, blank=True)
    bundle = models.ForeignKey("TaskBundle", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["category", "key"]
        constraints = [
            models.CheckConstraint(condition=Q(category__in=Category.values), name="task_category_known"),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.name}"


class ImmutableRowError(RuntimeError):
    """A row that must stay as it was written was about to be changed."""


class TaskBundle(models.Model):
    """One version of a task's files: `files` maps path → text, `digest` is the hash of the content."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="bundles")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    files = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["task", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="bundle_number_once"),
            models.UniqueConstraint(fields=["task", "digest"], name="bundle_content_once"),
        ]

    def __str__(self) -> str:
        return f"{self.task.key} v{self.number} ({self.digest[:8]})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Writes a new version; raises ImmutableRowError for one that is stored already."""
        if not self._state.adding:
            raise ImmutableRowError(f"bundle {self} is immutable: store a new version")
        super().save(*args, **kwargs)


class ControlKind(models.TextChoices):
    """Answers whose verdict is known; each kind stands on the board as a control of its own."""

    REFERENCE = "reference", _("эталон")
    ACCEPTED = "accepted", _("верный ответ")
    TOO_SLOW = "too_slow", _("медленный ответ")
    WRONG_ANSWER = "wrong_answer", _("неверный ответ")
    RUN_TIME_ERROR = "run_time_error", _("ошибка исполнения")
    PLATFORM_ERROR = "platform_error", _("выдуманные метаданные")
    DOES_NOT_COMPILE = "does_not_compile", _("не компилируется")


class Network(models.Model):
    """Who answers. `name` is the key (results call it model_name); controls are no networks and say so."""

    CONTROL_PREFIX = "control/"

    name = models.CharField(max_length=120, unique=True)
    slug = models.SlugField(max_length=120, unique=True, allow_unicode=True)
    vendor = models.CharField(max_length=80, blank=True)
    open_weights = models.BooleanField(null=True, blank=True)
    released_on = models.DateField(null=True, blank=True)
    is_control = models.BooleanField(default=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """What people read: a network's own name, or what kind of control it is, in the reader's language."""
        if not self.is_control:
            return self.name
        kind = self.name.removeprefix(self.CONTROL_PREFIX)
        label = dict(ControlKind.choices).get(kind, kind)
        return _("Контроль: %(kind)s") % {"kind": label}


class Edition(models.Model):
    """Conditions of a run: which prompt, tools or not, single answer or agent. `conditions` is shown, not interpreted."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    conditions = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "slug"]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """The name in the reader's language, where the catalogue gives one."""
        names = self.conditions.get("names") if isinstance(self.conditions, dict) else None
        language = (get_language() or "ru").split("-")[0]
        return str(names.get(language) or self.name) if isinstance(names, dict) else self.name


class AnswerStatus(models.TextChoices):
    """Only `answered` is scored; every other state is N/A on each axis and is shown, never left out."""

    PLANNED = "planned", _("ожидается")
    ANSWERED = "answered", _("получен")
    EMPTY = "empty", _("пустой")
    TRUNCATED = "truncated", _("оборван")
    REFUSED = "refused", _("отказ")
    TOOL_LOOP = "tool_loop", _("зациклился на инструментах")
    FAILED = "failed", _("сбой провайдера")
    CANCELLED = "cancelled", _("отменён")


class Answer(models.Model):
    """One cell of the plan: task × network × run. A changed text is a new revision; the old one stays."""

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="answers")
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="answers")
    network = models.ForeignKey(Network, on_delete=models.CASCADE, related_name="answers")
    run_index = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    status = models.CharField(max_length=12, choices=AnswerStatus.choices, default=AnswerStatus.PLANNED)
    response = models.TextField(blank=True)
    code = models.TextField(blank=True)
    digest = models.CharField(max_length=64, blank=True)
    recorded_hash = models.CharField(max_length=128, blank=True)
    model_id = models.CharField(max_length=200, blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    error = models.TextField(blank=True)
    tokens_input = models.PositiveIntegerField(default=0)
    tokens_output = models.PositiveIntegerField(default=0)
    elapsed_seconds = models.FloatField(default=0.0)
    cost = models.FloatField(default=0.0)
    source = models.CharField(max_length=120, blank=True)
    control_verdict = models.CharField(max_length=24, blank=True)
    control_file = models.CharField(max_length=160, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["task", "network", "run_index", "-revision"]
        constraints = [
            models.UniqueConstraint(
                fields=["edition", "task", "network", "run_index", "revision"], name="answer_cell_once"
            ),
            models.UniqueConstraint(
                fields=["edition", "task", "network", "run_index"],
                condition=Q(is_current=True),
                name="answer_current_once",
            ),
        ]
        indexes = [models.Index(fields=["is_current", "status"], name="answer_current_status")]

    def __str__(self) -> str:
        return f"{self.task_id}:{self.network_id}:{self.run_index}.{self.revision}"


class StackKind(models.TextChoices):
    MEASURED = "measured", _("измерено здесь")
    RECORDED = "recorded", _("записано другими")


class Stack(models.Model):
    """What gave a score: instruments by axis with their versions, and the protocol by version and hash."""

    key = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=StackKind.choices, default=StackKind.MEASURED)
    name = models.CharField(max_length=160)
    instruments = models.JSONField(default=dict)
    protocol_version = models.CharField(max_length=20)
    protocol_hash = models.CharField(max_length=64, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


class ShownStack(models.Model):
    """Which stack the board of a category shows; one row per category."""

    category = models.CharField(max_length=1, choices=Category.choices, unique=True)
    stack = models.ForeignKey(Stack, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.category}: {self.stack}"


class AxisState(models.TextChoices):
    SCORED = "scored", _("оценено")
    NOT_MEASURED = "not_measured", _("не измерено")
    NOT_APPLICABLE = "not_applicable", _("не применимо")


AXES = ("S", "M", "O", "P")


def _value() -> models.FloatField[Any, Any]:
    return models.FloatField(null=True, blank=True)


def _step() -> models.PositiveSmallIntegerField[Any, Any]:
    return models.PositiveSmallIntegerField(null=True, blank=True)


def _state() -> models.CharField[Any, Any]:
    return models.CharField(max_length=14, choices=AxisState.choices)


def _reason() -> models.CharField[Any, Any]:
    return models.CharField(max_length=60, blank=True)


def _axis_is_consistent(axis: str) -> models.CheckConstraint:
    """A value (0–10, never NaN) exactly where the axis is scored."""
    letter = axis.lower()
    # "Not null" is said aloud: a comparison with NULL is unknown, and a check lets the unknown pass.
    scored = Q(
        **{
            f"{letter}_state": AxisState.SCORED,
            f"{letter}_value__isnull": False,
            f"{letter}_value__gte": 0,
            f"{letter}_value__lte": 10,
        }
    )
    absent = Q(**{f"{letter}_value__isnull": True}) & ~Q(**{f"{letter}_state": AxisState.SCORED})
    return models.CheckConstraint(condition=scored | absent, name=f"score_{letter}_consistent")


class Score(models.Model):
    """The scorecard of an answer by a stack, with the evidence it came from.

    Per axis: value (None unless scored), step, state, reason (a key of `metrics/smop.yaml` `absent`). `card` and
    `evidence` are `scorecard.card_to_data` and `evidence.to_data`. `stage`/`cause`: the failure funnel's keys.
    """

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="scores")
    stack = models.ForeignKey(Stack, on_delete=models.PROTECT, related_name="scores")
    bundle = models.ForeignKey(TaskBundle, on_delete=models.CASCADE, related_name="scores")
    s_value, s_step, s_state, s_reason = _value(), _step(), _state(), _reason()
    m_value, m_step, m_state, m_reason = _value(), _step(), _state(), _reason()
    o_value, o_step, o_state, o_reason = _value(), _step(), _state(), _reason()
    p_value, p_step, p_state, p_reason = _value(), _step(), _state(), _reason()
    q_value = models.FloatField(null=True, blank=True)
    passed = models.PositiveIntegerField(null=True, blank=True)
    total = models.PositiveIntegerField(null=True, blank=True)
    solved = models.BooleanField(default=False)
    stage = models.CharField(max_length=20, blank=True)
    cause = models.CharField(max_length=40, blank=True)
    card = models.JSONField(default=dict)
    evidence = models.JSONField(null=True, blank=True)
    elapsed_ms = models.FloatField(default=0.0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "stack", "bundle"], name="score_once"),
            *[_axis_is_consistent(axis) for axis in AXES],
            models.CheckConstraint(
                condition=Q(q_value__isnull=True) | Q(q_value__gte=0, q_value__lte=10), name="score_q_in_range"
            ),
        ]
        indexes = [models.Index(fields=["stack", "answer"], name="score_stack_answer")]

    def __str__(self) -> str:
        return f"{self.answer_id} by {self.stack_id}"

    def axis(self, letter: str) -> tuple[float | None, int | None, str, str]:
        """(value, step, state, reason) of an axis by its letter."""
        low = letter.lower()
        return tuple(getattr(self, f"{low}_{part}") for part in ("value", "step", "state", "reason"))  # type: ignore[return-value]


class JobState(models.TextChoices):
    QUEUED = "queued", _("в очереди")
    CLAIMED = "claimed", _("выполняется")
    DONE = "done", _("готово")
    FAILED = "failed", _("не удалось")
    CANCELLED = "cancelled", _("отменено")


OPEN_STATES = (JobState.QUEUED, JobState.CLAIMED)


class ScoreJob(models.Model):
    """Work to do: one answer by one stack against one bundle.

    A worker claims a row by a conditional update that writes its own `token` and `lease_until`; only the holder of the
    token may finish it. A lease that ran out puts the row back.
    """

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="jobs")
    stack = models.ForeignKey(Stack, on_delete=models.CASCADE, related_name="jobs")
    bundle = models.ForeignKey(TaskBundle, on_delete=models.CASCADE, related_name="jobs")
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    token = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["answer", "stack", "bundle"], name="job_once")]
        indexes = [models.Index(fields=["state", "lease_until"], name="job_state_lease")]

    def __str__(self) -> str:
        return f"job {self.pk}: {self.state}"


class FidelityReport(models.Model):
    """The last comparisons with recorded verdicts: counts, kinds and ids only, never a text of what was compared."""

    category = models.CharField(max_length=1, choices=Category.choices)
    stack = models.ForeignKey(Stack, null=True, on_delete=models.SET_NULL, related_name="+")
    against = models.CharField(max_length=160)
    report = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"fidelity {self.category} {self.created_at:%Y-%m-%d}"


class CrossCheckReason(models.TextChoices):
    NIGHTLY = "nightly", _("ночная")
    REQUEST = "request", _("по кнопке")
    COMMAND = "command", _("командой")


class CrossCheck(models.Model):
    """The built-in engine beside the genuine ones over stored answers: work to do like a `ScoreJob`, then its report.

    `night` is the local date whose check this is: one row per category and night, whichever worker plans it. `subjects` are ids of
    the answers drawn; the first `done` of them are in `report`, so that whoever takes the row over goes on from there. `report`
    holds both sides' words, those about private tasks too: public pages get `services.crosscheck.public_figures` of it.
    """

    category = models.CharField(max_length=1, choices=Category.choices)
    reason = models.CharField(max_length=10, choices=CrossCheckReason.choices)
    night = models.DateField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    token = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    subjects = models.JSONField(default=list)
    done = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    report = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["category", "night"], condition=Q(night__isnull=False), name="cross_check_once_a_night"),
            models.UniqueConstraint(fields=["category"], condition=Q(state__in=OPEN_STATES), name="cross_check_open_once"),
        ]

    def __str__(self) -> str:
        return f"cross-check {self.pk} of {self.category} ({self.state})"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES


class DataVersion(models.Model):
    """A counter that rises with every change of what public pages show; cached pages carry it in their key."""

    number = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.number)


from scoring.generation_models import CostBasis as CostBasis  # noqa: E402
from scoring.generation_models import Exchange as Exchange  # noqa: E402
from scoring.generation_models import GenerationRun as GenerationRun  # noqa: E402
from scoring.generation_models import RunState as RunState  # noqa: E402


class ValidationReason(models.TextChoices):
    UPLOAD = "upload", _("правка автора")
    NIGHTLY = "nightly", _("ночная перепроверка")
    REQUEST = "request", _("по запросу")


class Validation(models.Model):
    """A validation of a bundle's files: work to do like a `ScoreJob`, then its report.

    Claimed and finished as `ScoreJob` rows are: by conditional updates under a token and a lease. `found` holds remarks while
    it runs, `report` is `validation.report.to_data`. `bundle` is set where a stored version was validated.
    """

    files = models.JSONField()
    digest = models.CharField(max_length=64, db_index=True)
    bundle = models.ForeignKey(TaskBundle, null=True, blank=True, on_delete=models.CASCADE, related_name="validations")
    reason = models.CharField(max_length=10, choices=ValidationReason.choices, default=ValidationReason.REQUEST)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    token = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    stage = models.CharField(max_length=20, blank=True)
    share = models.FloatField(default=0.0)
    found = models.JSONField(default=list)
    report = models.JSONField(null=True, blank=True)
    publishable = models.BooleanField(default=False)
    strength = models.FloatField(null=True, blank=True)
    band = models.CharField(max_length=8, blank=True)
    engine = models.CharField(max_length=80, blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "lease_until"], name="validation_state_lease")]

    def __str__(self) -> str:
        return f"validation {self.pk} of {self.digest[:8]} ({self.state})"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES
