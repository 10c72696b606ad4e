"""Addresses of the public pages, their exports and the API."""

from django.conf import settings
from django.urls import path
from django.views.generic import RedirectView

from leaderboard import api, views

app_name = "leaderboard"
urlpatterns = [
    path("", views.home, name="home"),
    path("favicon.ico", RedirectView.as_view(url=f"{settings.STATIC_URL}prism/icon.svg")),
    path("summary.<str:form>", views.summary_export, name="summary_export"),
    path("board/<str:category>/", views.board, name="board"),
    path("board/<str:category>/export.<str:form>", views.board_export, name="board_export"),
    path("models/<str:slug>/", views.network, name="network"),
    path("answers/<int:pk>/", views.answer, name="answer"),
    path("tasks/", views.tasks, name="tasks"),
    path("tasks/<str:key>/", views.task, name="task"),
    path("costs/", views.costs, name="costs"),
    path("compare/", views.compare, name="compare"),
    path("method/", views.method, name="method"),
    path("limits/", views.limits, name="limits"),
    path("trust/", views.trust, name="trust"),
    path("api/", views.api_page, name="api"),
    path("api/openapi.json", api.description, name="openapi"),
    path("api/v1/summary", api.summary, name="api_summary"),
    path("api/v1/boards/<str:category>", api.board, name="api_board"),
    path("api/v1/networks/<str:slug>", api.network, name="api_network"),
    path("api/v1/tasks", api.tasks, name="api_tasks"),
    path("api/v1/tasks/<str:key>", api.task, name="api_task"),
    path("api/v1/answers/<int:pk>", api.answer, name="api_answer"),
    path("api/v1/compare", api.compare, name="api_compare"),
    path("api/v1/costs", api.costs, name="api_costs"),
    path("api/v1/fidelity", api.fidelity, name="api_fidelity"),
]
