"""What people type."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import authenticate, get_user_model
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import throttling
from accounts.invitations import LONGEST_DAYS, USUAL_DAYS
from accounts.models import Profile, Role


class LoginForm(forms.Form):
    """Name and password; `user` after success. A wrong name and a wrong password read alike."""

    username = forms.CharField(label=_("Имя пользователя"), widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True}))
    password = forms.CharField(label=_("Пароль"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}))

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.user: Any = None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        name, password = data.get("username"), data.get("password")
        if not name or not password:
            return data
        if throttling.is_blocked(name, self.request):
            raise forms.ValidationError(_("Слишком много неудачных попыток. Попробуйте через 15 минут."))
        self.user = authenticate(self.request, username=name, password=password)
        if self.user is None:
            raise forms.ValidationError(_("Имя или пароль не подходят."))
        return data


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Код из приложения или запасной код"), max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True}),
    )  # fmt: skip


class AcceptForm(forms.Form):
    """A new account's name and password, the latter by the rules of the site."""

    username = forms.CharField(label=_("Имя пользователя"), min_length=3, max_length=60, widget=forms.TextInput(attrs={"autocomplete": "username"}))
    password = forms.CharField(
        label=_("Пароль"), help_text=_("Не короче 12 знаков, не только цифры, не из списка частых."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )  # fmt: skip
    again = forms.CharField(label=_("Пароль ещё раз"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))

    def clean_username(self) -> str:
        users = get_user_model()
        name = str(users.normalize_username(self.cleaned_data["username"]))
        users.username_validator(name)  # type: ignore[attr-defined]
        if users.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(_("Это имя занято."))
        return name

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        password = data.get("password")
        if password and password != data.get("again"):
            self.add_error("again", _("Пароли различаются."))
        if password:
            try:
                validate_password(password, get_user_model()(username=data.get("username", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
        return data


class ProfileForm(forms.ModelForm):
    class Meta:
        model = Profile
        fields = ["public_name", "years_with_1c", "areas", "is_public"]
        help_texts = {
            "areas": _("Например: торговля, зарплата, производство."),
            "is_public": _("Имя и стаж появятся в отчётах раундов, в которых вы участвовали. Можно отозвать."),
        }

    def clean_years_with_1c(self) -> int | None:
        years: int | None = self.cleaned_data["years_with_1c"]
        if years is not None and years > 40:
            raise forms.ValidationError(_("1С моложе."))
        return years


class InviteForm(forms.Form):
    role = forms.ChoiceField(label=_("Роль"), choices=Role.choices)
    note = forms.CharField(label=_("Для кого"), max_length=120, required=False)
    days = forms.IntegerField(label=_("Дней действует"), min_value=1, max_value=LONGEST_DAYS, initial=USUAL_DAYS)
