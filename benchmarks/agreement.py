"""How long the agreement report takes: 5,000 grades in a database of its own, 2,000 bootstrap draws over 25 tasks.

    python benchmarks/agreement.py [--answers 625] [--json FILE]

625 answers × 2 experts × 4 axes = 5,000 grades. Printed: the first report, the same again (cached), and after one more grade. Also
the largest difference of κ by scikit-learn from κ by tables.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]
TO_REACH = 3.0


def timed(label: str, call) -> float:  # type: ignore[no-untyped-def]
    started = time.perf_counter()
    call()
    seconds = time.perf_counter() - started
    print(f"{label:<40} {seconds:8.3f} s")
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=625)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(PRISM_VAR=folder, DJANGO_SETTINGS_MODULE="prism_site.settings")
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        from review_installation import prepare

        slug = prepare(options.answers, 2, 3, "B", True)
        from review import coefficients
        from review.agreement import KAPPAS, kappa_point
        from review.models import Grade, Round
        from review.reporting import pairs_of
        from review.services import agreement
        from review.tables import cross_table

        round_ = Round.objects.get(slug=slug)
        print(f"{Grade.objects.count()} grades, {len(round_.axes)} axes")
        first = timed("report", lambda: agreement.live_report(round_))
        cached = timed("again, cached", lambda: agreement.live_report(round_))
        Grade.objects.order_by("pk")[0].submission.slot.submissions.create(revision=2, reason="one more")
        timed("after one more grade", lambda: agreement.live_report(round_))
        gaps = [
            abs((kappa_point(pairs, kind) or 0) - float(coefficients.kappa(cross_table(pairs), kind)))
            for pairs in (pairs_of(rows) for rows in agreement.grades(round_).rows.values())
            for kind in KAPPAS
        ]
        print(f"largest difference from scikit-learn     {max(gaps):.2e}")
        print(f"to reach: {TO_REACH} s: {'reached' if first <= TO_REACH else 'MISSED'}")
    if options.json:
        found = {"report_s": first, "cached_s": cached, "largest_difference_of_kappa": max(gaps)}
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0 if first <= TO_REACH else 1


if __name__ == "__main__":
    sys.exit(main())
