"""What maintainers type."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy as _

from accounts.models import Role
from review.models import Purpose, Round
from scoring.models import AXES, Edition, Task
from scoring.plain import whole_number
from scoring.services import stacks

LARGEST = 5000


class ShareField(forms.FloatField):
    """A share from 0 to 1, written in per cent."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=100, **kwargs)

    def clean(self, value: Any) -> float:
        return float(super().clean(value) or 0) / 100


class PeopleField(forms.ModelMultipleChoiceField):
    """Numbers too large for the database's column are no choices either."""

    def clean(self, value: Any) -> Any:
        odd = [entry for entry in value or () if str(entry).isdigit() and whole_number(str(entry)) is None]
        if odd:
            raise forms.ValidationError(self.error_messages["invalid_choice"], code="invalid_choice", params={"value": odd[0][:40]})
        return super().clean(value)


class RoundForm(forms.ModelForm):
    """A new round. Lists left empty mean everything."""

    axes = forms.MultipleChoiceField(label=_("Оси"), choices=[(axis, axis) for axis in AXES], widget=forms.CheckboxSelectMultiple, initial=list(AXES))
    editions = forms.MultipleChoiceField(label=_("Издания"), required=False, widget=forms.CheckboxSelectMultiple)
    tasks = forms.CharField(label=_("Задачи"), required=False, help_text=_("Ключи через пробел; пусто — все задачи категории."))
    overlap = ShareField(label=_("Доля ответов с несколькими экспертами, %"), initial=100)
    repeats = ShareField(label=_("Доля скрытых повторов, %"), initial=5)
    seed = forms.IntegerField(label=_("Зерно"), required=False, min_value=0, max_value=2**53, help_text=_("Пусто — случайное; по зерну выборка повторяется."))
    experts = PeopleField(label=_("Эксперты"), queryset=get_user_model().objects.none(), widget=forms.CheckboxSelectMultiple)

    class Meta:
        model = Round
        fields = ["title", "purpose", "category", "axes", "editions", "tasks", "size", "graders", "overlap", "repeats", "gold", "seed", "experts"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["editions"].choices = [(edition.slug, edition.title) for edition in Edition.objects.all()]
        users = get_user_model().objects.filter(is_active=True, groups__name__in=[Role.EXPERT, Role.MAINTAINER])
        self.fields["experts"].queryset = users.distinct().order_by("username")
        self.fields["size"].initial = 300

    def clean_size(self) -> int:
        size: int = self.cleaned_data["size"]
        if not 1 <= size <= LARGEST:
            raise forms.ValidationError(_("От 1 до %(most)s.") % {"most": LARGEST})
        return size

    def clean_tasks(self) -> list[str]:
        keys = self.cleaned_data["tasks"].replace(",", " ").split()
        unknown = set(keys) - set(Task.objects.filter(key__in=keys).values_list("key", flat=True))
        if unknown:
            raise forms.ValidationError(_("Нет таких задач: %(keys)s.") % {"keys": ", ".join(sorted(unknown))})
        return keys

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        category, axes = data.get("category"), data.get("axes") or []
        if category:
            applied = stacks.protocol().constitution.categories[category].axes
            data["axes"] = [axis for axis in AXES if axis in axes and axis in applied]
            if not data["axes"]:
                self.add_error("axes", _("Ни одна из осей не относится к этой категории."))
        if data.get("graders") and data.get("experts") is not None and len(data["experts"]) < data["graders"]:
            self.add_error("experts", _("Экспертов меньше, чем нужно на один ответ."))
        if data.get("purpose") == Purpose.TRIAL:
            data["gold"] = 0
        return data
