"""A round's agreement from its grades: rows in, plain JSON values out. Pure; services fetch the rows and pages draw the values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from review import coefficients
from review.agreement import (
    KAPPAS,
    NO_DATA,
    NO_VARIATION,
    Agreement,
    Bootstrap,
    Figure,
    agreement,
    alpha_figure,
    interval_figure,
    kappa_figure,
    leniency,
)
from review.tables import Grading, Pair, cluster_tables, expert_pairs


@dataclass(frozen=True, slots=True)
class GradeRow:
    """One blind grade on one axis. `machine` is None where the machine gave no value; `gold` is set on gold items only."""

    answer: int
    task: int
    expert: int
    axis: str
    grade: int
    machine: int | None
    probability: float = 1.0
    is_repeat: bool = False
    gold: int | None = None


@dataclass(frozen=True, slots=True)
class AxisReport:
    """Everything about one axis. `raw` keeps the typed agreement for the rule of Verified."""

    axis: str
    raw: Agreement
    pairs: tuple[Pair, ...]
    experts: int
    expert_kappa: dict[str, Figure]
    intra_kappa: Figure
    intra_pairs: int
    alpha: Figure
    leniency: dict[int, float]
    gold: dict[int, tuple[int, float]]
    adjudicated: Agreement | None


def pairs_of(rows: Iterable[GradeRow]) -> list[Pair]:
    """(expert, machine) pairs of one axis: blind first grades with a machine step, weight 1/k for k experts of the answer."""
    counted = [row for row in rows if not row.is_repeat and row.gold is None and row.machine is not None]
    experts: dict[int, int] = defaultdict(int)
    for row in counted:
        experts[row.answer] += 1
    return [
        Pair(row.answer, row.task, row.expert, row.grade, row.machine, 1 / experts[row.answer], row.probability)
        for row in counted
        if row.machine is not None
    ]


def gradings_of(rows: Iterable[GradeRow]) -> list[Grading]:
    """Grades without the machine, for agreement among experts; also of answers that the machine could not measure."""
    return [Grading(row.answer, row.task, row.expert, row.grade) for row in rows if not row.is_repeat and row.gold is None]


def repeat_pairs(rows: Iterable[GradeRow]) -> list[Pair]:
    """(first, second) grade of the same expert on the same answer."""
    first: dict[tuple[int, int], GradeRow] = {}
    second: list[GradeRow] = []
    for row in rows:
        if row.is_repeat:
            second.append(row)
        else:
            first[(row.answer, row.expert)] = row
    return [
        Pair(row.answer, row.task, row.expert, first[(row.answer, row.expert)].grade, row.grade)
        for row in second
        if (row.answer, row.expert) in first
    ]


def axis_report(
    axis: str, rows: Sequence[GradeRow], reachable: Sequence[int], bootstrap: Bootstrap, verdicts: Iterable[GradeRow] = ()
) -> AxisReport:
    """`rows`: this axis's grades; `verdicts`: adjudicated grades as rows of one expert, reported beside."""
    pairs = pairs_of(rows)
    gradings = gradings_of(rows)
    among = expert_pairs(gradings)
    repeats = repeat_pairs(rows)
    return AxisReport(
        axis=axis,
        raw=agreement(pairs, reachable, bootstrap),
        pairs=tuple(pairs),
        experts=len({row.expert for row in rows}),
        expert_kappa={kind: kappa_figure(among, kind, bootstrap) for kind in KAPPAS},
        intra_kappa=kappa_figure(repeats, "quadratic", bootstrap),
        intra_pairs=len(repeats),
        alpha=alpha_figure(gradings, bootstrap),
        leniency=leniency(gradings),
        gold=gold_hits(rows),
        adjudicated=with_verdicts(rows, verdicts, reachable, bootstrap),
    )


def gold_hits(rows: Iterable[GradeRow]) -> dict[int, tuple[int, float]]:
    """Expert → (gold grades given, mean distance from gold in points)."""
    found: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        if row.gold is not None:
            found[row.expert].append(abs(row.grade - row.gold))
    return {expert: (len(gaps), sum(gaps) / len(gaps)) for expert, gaps in sorted(found.items())}


def with_verdicts(
    rows: Sequence[GradeRow], verdicts: Iterable[GradeRow], reachable: Sequence[int], bootstrap: Bootstrap
) -> Agreement | None:
    """The agreement with each adjudicated answer's grades replaced by the verdict; None where nothing was adjudicated."""
    decided = {row.answer: row for row in verdicts}
    if not decided:
        return None
    kept = [row for row in rows if row.answer not in decided]
    return agreement(pairs_of([*kept, *decided.values()]), reachable, bootstrap)


def pooled(reports: Sequence[AxisReport], bootstrap: Bootstrap) -> dict[str, Figure]:
    """Over the round: all axes' pairs in one table, an answer's axes staying in its task's cluster."""
    pairs = [pair for report in reports for pair in report.pairs]
    if not pairs:
        return {name: Figure.undefined(NO_DATA) for name in (*KAPPAS, "ac2", "exact", "within_one")}
    tables = cluster_tables(pairs)
    draw = partial(interval_figure, tables, bootstrap=bootstrap)
    return {
        **{kind: kappa_figure(pairs, kind, bootstrap) for kind in KAPPAS},
        "ac2": draw(coefficients.gwet_ac2),
        "exact": draw(partial(coefficients.shares_within, steps=0)),
        "within_one": draw(partial(coefficients.shares_within, steps=1)),
    }


# -- as plain values ---------------------------------------------------------------------------------------------------


def figure_value(figure: Figure) -> dict[str, Any]:
    """`{"value", "low", "high", "reason"}`; a figure that does not exist has a reason and no number."""
    return {
        "value": _rounded(figure.value), "low": _rounded(figure.low), "high": _rounded(figure.high), "reason": figure.reason,
    }  # fmt: skip


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def figures_value(figures: dict[str, Figure]) -> dict[str, Any]:
    return {name: figure_value(figure) for name, figure in figures.items()}


def agreement_value(found: Agreement) -> dict[str, Any]:
    """The whole agreement; `table` has the expert's steps as rows and the machine's as columns."""
    table = [[round(cell, 4) for cell in row] for row in found.table]
    return {
        "grades": found.grades, "answers": found.answers, "tasks": found.tasks, "table": table,
        "expert_marginal": [round(sum(row), 4) for row in table],
        "machine_marginal": [round(sum(column), 4) for column in zip(*table, strict=True)],
        "kappa": figures_value(found.kappa),
        "ac2": figure_value(found.ac2), "exact": figure_value(found.exact), "within_one": figure_value(found.within_one),
        "difference": figure_value(found.difference),
        "population": figures_value(found.population),
        "by_step": [asdict(entry) for entry in found.by_step],
        "ceiling": figures_value(found.ceiling),
        "distinct_grades": found.distinct_grades, "distinct_steps": found.distinct_steps,
    }  # fmt: skip


def axis_value(report: AxisReport) -> dict[str, Any]:
    return {
        "axis": report.axis,
        "experts": report.experts,
        **agreement_value(report.raw),
        "expert_kappa": figures_value(report.expert_kappa),
        "intra_kappa": figure_value(report.intra_kappa),
        "intra_pairs": report.intra_pairs,
        "alpha": figure_value(report.alpha),
        "leniency": {f"E{expert}": round(value, 4) for expert, value in report.leniency.items()},
        "gold": {f"E{expert}": [count, round(gap, 4)] for expert, (count, gap) in report.gold.items()},
        "adjudicated": agreement_value(report.adjudicated) if report.adjudicated else None,
    }


__all__ = ["NO_DATA", "NO_VARIATION", "AxisReport", "GradeRow", "axis_report", "axis_value", "pairs_of", "pooled"]
