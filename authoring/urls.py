"""Addresses of the authors' pages."""

from django.urls import path

from authoring import views

app_name = "authoring"
urlpatterns = [
    path("", views.home, name="home"),
    path("new/", views.new, name="new"),
    path("drafts/<str:key>/", views.draft, name="draft"),
    path("drafts/<str:key>/edit/", views.edit, name="edit"),
    path("drafts/<str:key>/save/", views.save, name="save"),
    path("drafts/<str:key>/check/", views.check, name="check"),
    path("drafts/<str:key>/upload/", views.upload, name="upload"),
    path("drafts/<str:key>/bundle.zip", views.download, name="download"),
    path("drafts/<str:key>/validate/", views.validate, name="validate"),
    path("drafts/<str:key>/cancel/", views.cancel, name="cancel"),
    path("drafts/<str:key>/status.json", views.status, name="status"),
    path("drafts/<str:key>/try/", views.attempt, name="try"),
    path("drafts/<str:key>/changes/", views.changes, name="changes"),
    path("drafts/<str:key>/compare/", views.compare, name="compare"),
    path("drafts/<str:key>/share/", views.share, name="share"),
    path("drafts/<str:key>/remove/", views.remove, name="remove"),
    path("drafts/<str:key>/submit/", views.submit, name="submit"),
    path("drafts/<str:key>/decide/", views.decide, name="decide"),
    path("tasks/<str:key>/", views.versions, name="versions"),
    path("tasks/<str:key>/draft/", views.draft_of, name="draft_of"),
    path("tasks/<str:key>/quarantine/", views.quarantine, name="quarantine"),
]
