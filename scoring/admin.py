"""Administration: looking things up and a few switches; scores, bundles and jobs are written by their services only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from scoring.models import Answer, Edition, FidelityReport, Network, Score, ScoreJob, ShownStack, Stack, Task, TaskBundle
from scoring.services.versions import data_changed


class ReadOnly(admin.ModelAdmin):
    """For rows that must stay as their service wrote them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Shown(admin.ModelAdmin):
    """For rows that the public sees: a change throws cached pages away."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        data_changed()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Task)
class TaskAdmin(Shown):
    list_display = ["key", "name", "category", "difficulty", "status", "is_private"]
    list_filter = ["category", "status", "difficulty", "is_private", "use"]
    search_fields = ["key", "name"]
    readonly_fields = ["key", "category", "name", "difficulty", "prompt", "signature", "skills", "platform_tags", "bundle"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Network)
class NetworkAdmin(Shown):
    list_display = ["name", "vendor", "open_weights", "released_on", "is_control"]
    list_filter = ["is_control", "open_weights", "vendor"]
    search_fields = ["name", "vendor"]
    readonly_fields = ["name", "is_control"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(ShownStack)
class ShownStackAdmin(Shown):
    list_display = ["category", "stack"]


@admin.register(Edition)
class EditionAdmin(Shown):
    list_display = ["slug", "name", "created_at"]


@admin.register(TaskBundle)
class TaskBundleAdmin(ReadOnly):
    list_display = ["task", "number", "digest", "created_at"]
    search_fields = ["task__key", "digest"]
    exclude = ["files"]


@admin.register(Answer)
class AnswerAdmin(ReadOnly):
    list_display = ["task", "network", "edition", "run_index", "revision", "is_current", "status"]
    list_filter = ["status", "is_current", "edition", "network__is_control"]
    list_select_related = ["task", "network", "edition"]
    search_fields = ["task__key", "network__name"]


@admin.register(Score)
class ScoreAdmin(ReadOnly):
    list_display = ["answer", "stack", "s_value", "m_value", "o_value", "p_value", "q_value", "stage", "cause"]
    list_filter = ["stage", "cause", "stack"]
    search_fields = ["answer__task__key", "answer__network__name"]


@admin.register(ScoreJob)
class ScoreJobAdmin(ReadOnly):
    list_display = ["answer", "stack", "state", "attempts", "lease_until", "finished_at"]
    list_filter = ["state", "stack"]


@admin.register(Stack)
class StackAdmin(ReadOnly):
    list_display = ["name", "kind", "protocol_version", "created_at"]


@admin.register(FidelityReport)
class FidelityReportAdmin(ReadOnly):
    list_display = ["category", "against", "stack", "created_at"]
