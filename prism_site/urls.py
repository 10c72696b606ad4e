"""Addresses: health and language here, pages in the apps."""

from django.contrib import admin
from django.urls import include, path

from prism_site import health

urlpatterns = [
    path("healthz", health.live, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("review/", include("review.urls")),
    path("", include("leaderboard.urls")),
]
