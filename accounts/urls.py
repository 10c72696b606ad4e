"""Addresses of accounts."""

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("login/", views.log_in, name="login"),
    path("code/", views.second_step, name="code"),
    path("logout/", views.log_out, name="logout"),
    path("invitation/<str:token>/", views.accept, name="accept"),
    path("profile/", views.profile, name="profile"),
    path("profile/password/", views.password, name="password"),
    path("profile/second-factor/", views.second_factor, name="second_factor"),
    path("profile/second-factor/off/", views.second_factor_off, name="second_factor_off"),
    path("profile/export.json", views.export, name="export"),
    path("profile/erase/", views.erase, name="erase"),
    path("people/", views.everybody, name="people"),
    path("people/<int:pk>/", views.change_person, name="change_person"),
    path("people/invitations/<int:pk>/revoke/", views.revoke_invitation, name="revoke_invitation"),
    path("log/", views.log, name="log"),
]
