"""What a maintainer's form says, read into an order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.generation.catalogue import Catalogue
from scoring.models import Task, TaskStatus
from scoring.natural import natural
from scoring.services import generation
from scoring.services.answers import DEFAULT_EDITION


def label(names: Any) -> str:
    """The catalogue's own names, in the reader's language."""
    return str(names.get((get_language() or "ru").split("-")[0]) or names.get("ru") or "")


class OrderForm(forms.Form):
    """Networks, tasks and edition are the catalogue's and the bank's; recordings are for the command alone."""

    edition = forms.ChoiceField(label=_("Условия прогона"), widget=forms.RadioSelect)
    networks = forms.MultipleChoiceField(label=_("Сети"), error_messages={"required": _("Выберите хотя бы одну сеть.")})
    tasks = forms.MultipleChoiceField(label=_("Задачи"), error_messages={"required": _("Выберите хотя бы одну задачу.")})
    answers = forms.IntegerField(label=_("Ответов на задачу"), min_value=1, max_value=generation.MOST_ANSWERS_PER_TASK, initial=1)
    cap = forms.DecimalField(label=_("Потолок расходов"), required=False, min_value=Decimal(0), max_digits=12, decimal_places=4)
    seed = forms.IntegerField(label=_("Зерно"), min_value=0, max_value=2**31 - 1, initial=0)

    def __init__(self, cards: Catalogue, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        editions = [(card.id, label(card.names)) for card in cards.editions.values() if card.id != generation.REHEARSAL]
        bank = Task.objects.filter(status=TaskStatus.PUBLISHED, bundle__isnull=False)
        known = bank.only("key", "name", "category", "difficulty", "is_private")
        self.bank = sorted(known, key=lambda task: (task.category, natural(task.key)))
        fields: Any = self.fields
        fields["edition"].choices = editions
        fields["edition"].initial = DEFAULT_EDITION
        fields["networks"].choices = [(name, name) for name in cards.networks]
        fields["tasks"].choices = [(task.key, task.name) for task in self.bank]

    def order(self) -> generation.Order:
        """Only after `is_valid`."""
        data = self.cleaned_data
        return generation.Order(data["edition"], data["networks"], data["tasks"], data["answers"], data["cap"], data["seed"])
