"""`invite ROLE`: prints an invitation link; the way to the first account, since there is no default password anywhere."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.urls import reverse

from accounts.invitations import USUAL_DAYS, invite
from accounts.models import Role
from scoring.management.base import PrismCommand


class Command(PrismCommand):
    help = "Prints a link by which one person makes an account with this role."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("role", choices=Role.values, help="maintainers may do all of it and invite others")
        parser.add_argument("--note", default="", help="for whom it is")
        parser.add_argument("--days", type=int, default=USUAL_DAYS, help="how long it works (default: %(default)s)")
        parser.add_argument("--site", default="http://localhost:8000", help="address of the site (default: %(default)s)")

    def run(self, *, role: str, note: str, days: int, site: str, **options: Any) -> None:
        try:
            _made, token = invite(None, role, note, days)
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.say(site.rstrip("/") + reverse("accounts:accept", args=[token]))
