"""Addresses of the maintainers' pages about runs of generation."""

from django.urls import path

from runs import views

app_name = "runs"
urlpatterns = [
    path("", views.home, name="home"),
    path("new/", views.new, name="new"),
    path("estimate/", views.estimate, name="estimate"),
    path("<int:pk>/", views.run, name="run"),
    path("<int:pk>/live/", views.live, name="live"),
    path("<int:pk>/cancel/", views.cancel, name="cancel"),
    path("<int:pk>/resume/", views.resume, name="resume"),
]
