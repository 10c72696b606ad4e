"""Addresses: health and language here, pages in the apps."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from prism_site import engines, health

urlpatterns = [
    path("healthz", health.live, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("engines/", engines.page, name="engines"),
    path("engines/live/", engines.live, name="engines_live"),
    path("engines/cross-checks/", engines.run, name="engines_run"),
    path("engines/cross-checks/<int:pk>/", engines.report, name="engines_report"),
    path("i18n/", include("django.conf.urls.i18n")),
    # One door for everybody: the second factor and the throttle stand there.
    path("admin/login/", RedirectView.as_view(pattern_name="accounts:login", query_string=True)),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("review/", include("review.urls")),
    path("authoring/", include("authoring.urls")),
    path("runs/", include("runs.urls")),
    path("", include("leaderboard.urls")),
]
