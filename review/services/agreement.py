"""A round's figures: the rows behind them, the live report (cached until a grade is added) and the frozen one."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from review.certificate import plain
from review.models import Adjudication, Item, Report, Round, RoundState, Slot, SlotState, Submission
from review.planner import answers_to_settle
from review.reporting import AxisReport, GradeRow, axis_report, axis_value, figures_value, pooled
from review.services.rounds import RoundError
from review.verified import bootstrap_of, decide, decision_value
from scoring.plain import spreadsheet_cell
from scoring.protocol import Protocol
from scoring.services import stacks

CACHE_SECONDS = 24 * 3600
COLUMNS = ("answer", "task", "expert", "axis", "grade", "machine", "probability", "stratum", "repeat", "gold", "revisions")


@dataclass(frozen=True)
class RoundGrades:
    """A round's blind grades as rows by axis, with names that tell nothing: E1, E2, … in the order of the round's seed."""

    rows: dict[str, list[GradeRow]]
    verdicts: dict[str, list[GradeRow]]
    experts: dict[int, int]
    tasks: dict[int, str]
    comments: dict[tuple[int, str], list[tuple[int, int, str]]]


def reachable_steps(protocol: Protocol, axis: str) -> tuple[int, ...]:
    """The steps that the machine can give on an axis, by the protocol."""
    if axis == "S":
        found = {band.score for band in protocol.syntax.bands} | {protocol.syntax.balance_score}
    elif axis == "O":
        found = {band.score for band in (*protocol.optimization.bands, *protocol.optimization.static_bands)}
    else:
        found = {entry.step for entry in (protocol.meaning if axis == "M" else protocol.platform).steps}
    return tuple(sorted(found))


def blind_submissions(round_: Round) -> list[Submission]:
    """The last blind revision of every submitted slot, in the order of submission."""
    found: dict[int, Submission] = {}
    rows = Submission.objects.filter(slot__item__round=round_, is_blind=True, slot__state=SlotState.SUBMITTED)
    for submission in rows.select_related("slot__item__answer__task").prefetch_related("grades").order_by("revision", "pk"):
        found[submission.slot_id] = submission
    return sorted(found.values(), key=lambda entry: entry.slot_id)


def grades(round_: Round) -> RoundGrades:
    """Reads all of a round in four queries."""
    submissions = blind_submissions(round_)
    experts = {pk: number for number, pk in enumerate(sorted({entry.slot.expert_id for entry in submissions}), start=1)}
    rows: dict[str, list[GradeRow]] = {axis: [] for axis in round_.axes}
    tasks: dict[int, str] = {}
    comments: dict[tuple[int, str], list[tuple[int, int, str]]] = defaultdict(list)
    for submission in submissions:
        slot, item = submission.slot, submission.slot.item
        tasks[item.answer.task_id] = item.answer.task.key
        expert = experts[slot.expert_id]
        for grade in submission.grades.all():
            row = _row(item, expert, grade.axis, grade.value, slot.is_repeat)
            rows.setdefault(grade.axis, []).append(row)
            if not slot.is_repeat:
                comments[(item.pk, grade.axis)].append((expert, grade.value, grade.comment))
    return RoundGrades(rows, _verdicts(round_), experts, tasks, comments)


def _row(item: Item, expert: int, axis: str, value: int, repeat: bool) -> GradeRow:
    return GradeRow(
        item.pk, item.answer.task_id, expert, axis, value, item.steps.get(axis), item.probability, repeat, item.gold.get(axis)
    )


def _verdicts(round_: Round) -> dict[str, list[GradeRow]]:
    found: dict[str, list[GradeRow]] = defaultdict(list)
    for verdict in Adjudication.objects.filter(item__round=round_).select_related("item__answer"):
        found[verdict.axis].append(_row(verdict.item, 0, verdict.axis, verdict.value, False))
    return found


def axis_reports(round_: Round, found: RoundGrades) -> list[AxisReport]:
    rules = stacks.protocol()
    bootstrap = bootstrap_of(rules.verified, round_.seed)
    return [
        axis_report(axis, found.rows[axis], reachable_steps(rules, axis), bootstrap, found.verdicts.get(axis, ()))
        for axis in round_.axes
    ]


def report_value(round_: Round) -> dict[str, Any]:
    """The whole report as plain JSON values."""
    found = grades(round_)
    rules = stacks.protocol()
    reports = axis_reports(round_, found)
    bounds = tuple(sorted({float(rules.verified["agreement"][key]) for key in ("kappa_quadratic", "kappa_quadratic_lower")}))
    axes = []
    for report in reports:
        kappa = report.raw.kappa["quadratic"]
        axes.append({
            **axis_value(report),
            "decision": decision_value(decide(report, rules.verified)),
            "missing": _missing(round_, report.axis),
            "more_answers": answers_to_settle(kappa.value, kappa.low, kappa.high, report.raw.answers, bounds),
        })  # fmt: skip
    return {
        "round": round_facts(round_),
        "coverage": coverage(round_),
        "axes": axes,
        "pooled": figures_value(pooled(reports, bootstrap_of(rules.verified, round_.seed))),
        "experts": len(found.experts),
        "interval": plain(rules.verified["interval"]),
        "rule_version": str(rules.verified["version"]),
    }


def round_facts(round_: Round) -> dict[str, Any]:
    """Method, seed and versions, for a report and a certificate."""
    stack = round_.stack
    return {
        "title": round_.title, "purpose": round_.purpose, "category": round_.category, "axes": list(round_.axes),
        "editions": list(round_.editions), "tasks": list(round_.tasks), "size": round_.size, "graders": round_.graders,
        "overlap": round_.overlap, "repeats": round_.repeats, "gold": round_.gold, "seed": round_.seed,
        "population": round_.population, "protocol_version": round_.protocol_version, "protocol_hash": round_.protocol_hash,
        "rubric_version": round_.rubric_version, "stack": stack.name if stack else "", "stack_key": stack.key if stack else "",
        "instruments": dict(stack.instruments) if stack else {},
        "opened_at": round_.opened_at.isoformat() if round_.opened_at else None,
        "closed_at": round_.closed_at.isoformat() if round_.closed_at else None,
    }  # fmt: skip


def coverage(round_: Round) -> dict[str, Any]:
    """How much of the sample is graded, and why the rest is not."""
    slots = Counter(Slot.objects.filter(item__round=round_).values_list("state", flat=True))
    skipped = Slot.objects.filter(item__round=round_, state=SlotState.SKIPPED).values_list("skip_reason", flat=True)
    graded = Slot.objects.filter(item__round=round_, state=SlotState.SUBMITTED).values("item").distinct().count()
    return {
        "items": Item.objects.filter(round=round_).count(),
        "graded": graded,
        "slots": {state: slots.get(state, 0) for state in SlotState.values},
        "skipped": dict(Counter(skipped)),
    }


def _missing(round_: Round, axis: str) -> dict[str, int]:
    """Reason → graded answers without a machine's value on the axis."""
    graded = Item.objects.filter(round=round_, slots__state=SlotState.SUBMITTED).distinct()
    return dict(Counter(item.missing[axis] for item in graded if axis in item.missing))


# -- live --------------------------------------------------------------------------------------------------------------


def live_report(round_: Round) -> dict[str, Any]:
    """The report of what is graded so far; computed anew only when a grade, a verdict, a skip or the rule has changed."""
    key = f"review-report:{round_.pk}:{_state_of(round_)}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        found = report_value(round_)
        cache.set(key, found, CACHE_SECONDS)
    return found


def _state_of(round_: Round) -> str:
    last = Submission.objects.filter(slot__item__round=round_).aggregate(count=Count("pk"), last=Max("pk"))
    verdicts = Adjudication.objects.filter(item__round=round_).aggregate(count=Count("pk"), last=Max("pk"))
    slots = Slot.objects.filter(item__round=round_).values("state").annotate(n=Count("pk")).values_list("state", "n").order_by("state")
    return f"{last}{verdicts}{list(slots)}{stacks.protocol().verified['version']}{stacks.protocol().hash}{round_.state}".replace(" ", "")


# -- disagreements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Disagreement:
    """One answer and axis where machine and experts differ; `gap` in points, machine minus the experts' mean."""

    item: Item
    axis: str
    machine: int
    grades: tuple[tuple[int, int, str], ...]
    gap: float


def disagreements(round_: Round, axis: str = "", least: float = 0.0) -> list[Disagreement]:
    """Largest first."""
    found = grades(round_)
    items = {item.pk: item for item in Item.objects.filter(round=round_).select_related("answer__task", "answer__network")}
    rows = []
    for (pk, letter), given in found.comments.items():
        machine = items[pk].steps.get(letter)
        if machine is None or items[pk].gold or (axis and letter != axis):
            continue
        gap = machine - sum(value for _, value, _ in given) / len(given)
        if abs(gap) > least:
            rows.append(Disagreement(items[pk], letter, machine, tuple(given), gap))
    return sorted(rows, key=lambda row: (-abs(row.gap), row.item.pk, row.axis))


# -- frozen ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def publish(actor: Any, round_: Round) -> Report:
    """Freezes the report of a closed round. Raises RoundError."""
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if round_.state != RoundState.CLOSED:
        raise RoundError(_("Сначала закройте раунд."))
    if not Submission.objects.filter(slot__item__round=round_).exists():
        raise RoundError(_("В раунде нет ни одной оценки."))
    data = report_value(round_)
    data["people"] = consenting(round_)
    data["frozen_at"] = timezone.now().isoformat()
    report = Report.objects.create(round=round_, data=data, grades=public_rows(round_))
    round_.state = RoundState.PUBLISHED
    round_.save(update_fields=["state"])
    audit.record(actor, "report.published", report.key, round=round_.slug)
    return report


def consenting(round_: Round) -> list[dict[str, Any]]:
    """Experts who agreed to be named."""
    named = round_.experts.filter(profile__is_public=True, is_active=True).select_related("profile").order_by("profile__public_name")
    return [
        {"name": expert.profile.public_name or "", "years": expert.profile.years_with_1c, "areas": expert.profile.areas}
        for expert in named
        if expert.profile.public_name
    ]


def public_rows(round_: Round) -> list[list[Any]]:
    """The anonymised grades: one row per grade, in COLUMNS."""
    submissions = blind_submissions(round_)
    numbers = grades(round_).experts
    revisions = dict(Submission.objects.filter(slot__item__round=round_).values_list("slot").annotate(Count("pk")))
    rows = []
    for submission in submissions:
        slot, item = submission.slot, submission.slot.item
        for grade in sorted(submission.grades.all(), key=lambda entry: entry.axis):
            rows.append([
                item.answer_id, item.answer.task.key, f"E{numbers[slot.expert_id]}", grade.axis, grade.value, item.steps.get(grade.axis),
                item.probability, item.stratum, slot.is_repeat, item.gold.get(grade.axis), revisions[slot.pk],
            ])  # fmt: skip
    return rows


def csv_of(rows: Iterable[Iterable[Any]]) -> str:
    """Rows under COLUMNS; nothing in it is taken for a formula by a spreadsheet."""
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([spreadsheet_cell(value) for value in row])
    return "\ufeff" + target.getvalue()
