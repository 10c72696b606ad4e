"""The maintainers' page of engines: the doctor's word, and where engines differed the last time they were compared."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts import people
from accounts.models import Role
from scoring.services import crosscheck, health


@require_GET
@people.require_role(Role.MAINTAINER)
def page(request: HttpRequest) -> HttpResponse:
    """Without self-tests: they take seconds to minutes, and the command has them."""
    return render(request, "maintenance/engines.html", {"checks": list(health.check_all()), "reports": crosscheck.last_reports()})
