"""Addresses of the expert review. Keys of slots, reports and certificates are random."""

from django.urls import path

from review.views import grading, public, rounds

app_name = "review"
urlpatterns = [
    path("", public.home, name="home"),
    path("guidelines/", public.guidelines, name="guidelines"),
    path("reports/", public.reports, name="reports"),
    path("reports/<str:key>/", public.report, name="report"),
    path("reports/<str:key>/grades.<str:form>", public.report_file, name="report_file"),
    path("verified/", public.verified, name="verified"),
    path("verified/<str:key>/", public.certificate, name="certificate"),
    path("verified/<str:key>/certificate.json", public.certificate_json, name="certificate_json"),
    path("verified/<str:key>/badge.svg", public.badge, name="badge"),
    path("rounds/", rounds.listing, name="rounds"),
    path("rounds/new/", rounds.create, name="round_new"),
    path("rounds/<slug:slug>/", rounds.detail, name="round"),
    path("rounds/<slug:slug>/act/", rounds.act, name="act"),
    path("rounds/<slug:slug>/next/", grading.take_next, name="next"),
    path("rounds/<slug:slug>/agreement/", rounds.live, name="agreement"),
    path("rounds/<slug:slug>/disagreements/", rounds.disagreements, name="disagreements"),
    path("rounds/<slug:slug>/disagreements/ticket/", rounds.oracle_ticket, name="oracle_ticket"),
    path("rounds/<slug:slug>/adjudication/", rounds.adjudication, name="adjudication"),
    path("rounds/<slug:slug>/adjudication/decide/", rounds.adjudicate, name="adjudicate"),
    path("work/<str:key>/", grading.work, name="work"),
    path("work/<str:key>/draft/", grading.save_draft, name="draft"),
    path("work/<str:key>/submit/", grading.submit, name="submit"),
    path("work/<str:key>/skip/", grading.skip, name="skip"),
    path("work/<str:key>/flag/", grading.flag, name="flag"),
    path("work/<str:key>/revise/", grading.revise, name="revise"),
    path("work/<str:key>/reveal/", grading.reveal, name="reveal"),
    path("tickets/", rounds.tickets, name="tickets"),
    path("tickets/<int:pk>/close/", rounds.close_ticket, name="close_ticket"),
    path("what-if/", rounds.what_if, name="what_if"),
]
