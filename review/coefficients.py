"""Coefficients of agreement, computed from cross-tables of any leading shape: one table, or a stack of bootstrap draws.

Every function takes ``tables`` of shape (…, q, q) and gives an array of shape (…); undefined values are NaN inside this
module and never leave the package as numbers (see ``agreement.Figure``).

Sources: κ and weighted κ: J. Cohen, Educational and Psychological Measurement 20 (1960) 37–46 and Psychological Bulletin
70 (1968) 213–220. AC2: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008) 29–48 and
Handbook of Inter-Rater Reliability, 4th ed. (2014), ch. 3–4, ordinal weights of § 3.5. α: K. Krippendorff, Computing
Krippendorff's Alpha-Reliability (2011), ordinal metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

import numpy as np

from review.tables import COUNT, STEP_INDEX, STEPS, Array, Grading

EPSILON = 1e-12


def disagreement_weights(kind: str, count: int = COUNT) -> Array:
    """q × q weights of disagreement for κ: ``plain`` (0/1), ``linear`` |i-j| or ``quadratic`` (i-j)²."""
    distance = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(float)
    if kind == "plain":
        return (distance > 0).astype(float)
    if kind == "linear":
        return distance
    if kind == "quadratic":
        return distance**2
    raise ValueError(f"κ is plain, linear or quadratic, not {kind!r}")


def kappa(tables: Array, kind: str) -> Array:
    """Cohen's κ: 1 - observed / expected weighted disagreement; NaN where none is expected (no variation)."""
    weights = disagreement_weights(kind, tables.shape[-1])
    total = tables.sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    observed = (tables * weights).sum(axis=(-2, -1)) * total
    expected = np.einsum("...i,...j,ij->...", rows, columns, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > EPSILON, 1 - observed / expected, np.nan)


def ordinal_weights(count: int = COUNT) -> Array:
    """Gwet's ordinal weights of agreement: 1 - C(|i-j|+1, 2) / C(q, 2)."""
    return np.array(
        [[1 - comb(abs(i - j) + 1, 2) / comb(count, 2) if i != j else 1.0 for j in range(count)] for i in range(count)]
    )


def gwet_ac2(tables: Array) -> Array:
    """Gwet's AC2 of two raters with ordinal weights over all steps; NaN for an empty table."""
    count = tables.shape[-1]
    weights = ordinal_weights(count)
    total = tables.sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = tables / total[..., None, None]
        observed = (shares * weights).sum(axis=(-2, -1))
        prevalence = (shares.sum(axis=-1) + shares.sum(axis=-2)) / 2
        chance = weights.sum() / (count * (count - 1)) * (prevalence * (1 - prevalence)).sum(axis=-1)
        return np.where(total > EPSILON, (observed - chance) / (1 - chance), np.nan)


def shares_within(tables: Array, steps: int) -> Array:
    """Share of pairs at most ``steps`` steps apart (0 = exact)."""
    count = tables.shape[-1]
    near = np.abs(np.subtract.outer(np.arange(count), np.arange(count))) <= steps
    with np.errstate(divide="ignore", invalid="ignore"):
        return (tables * near).sum(axis=(-2, -1)) / tables.sum(axis=(-2, -1))


def mean_signed_difference(tables: Array) -> Array:
    """Mean of machine minus expert, in points of the scale: positive where the machine flatters."""
    values = np.array(STEPS, dtype=float)
    difference = values[None, :] - values[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        return (tables * difference).sum(axis=(-2, -1)) / tables.sum(axis=(-2, -1))


# -- Krippendorff ------------------------------------------------------------------------------------------------------


def coincidences(gradings: Iterable[Grading]) -> tuple[list[int], Array]:
    """(tasks, coincidence matrices of shape (tasks, q, q)): per answer every ordered pair of grades at 1/(m-1)."""
    units: dict[tuple[int, int], list[int]] = {}
    for grading in gradings:
        units.setdefault((grading.task, grading.answer), []).append(STEP_INDEX[grading.grade])
    tasks = sorted({task for task, _ in units})
    place = {task: index for index, task in enumerate(tasks)}
    matrices = np.zeros((len(tasks), COUNT, COUNT))
    for (task, _), values in units.items():
        if len(values) > 1:
            matrices[place[task]] += _unit(values)
    return tasks, matrices


def _unit(values: Sequence[int]) -> Array:
    counts = np.bincount(values, minlength=COUNT).astype(float)
    matrix = np.outer(counts, counts) - np.diag(counts)
    return matrix / (len(values) - 1)


def alpha(matrices: Array) -> Array:
    """Krippendorff's α with the ordinal metric, from coincidence matrices (…, q, q); NaN without variation."""
    margins = matrices.sum(axis=-1)
    total = margins.sum(axis=-1)
    metric = _ordinal_metric(margins)
    observed = (matrices * metric).sum(axis=(-2, -1))
    expected = np.einsum("...i,...j,...ij->...", margins, margins, metric)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > EPSILON, 1 - (total - 1) * observed / expected, np.nan)


def _ordinal_metric(margins: Array) -> Array:
    """δ² of ranks: (sum of the margins from c to k, less half of both ends)²."""
    count = margins.shape[-1]
    cumulative = np.concatenate([np.zeros((*margins.shape[:-1], 1)), np.cumsum(margins, axis=-1)], axis=-1)
    low, high = np.minimum.outer(np.arange(count), np.arange(count)), np.maximum.outer(np.arange(count), np.arange(count))
    between = cumulative[..., high + 1] - cumulative[..., low]
    ends = (margins[..., low] + margins[..., high]) / 2
    return np.where(low == high, 0.0, between - ends) ** 2
