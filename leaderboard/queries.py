"""From the database to frozen rows. How many queries a page needs does not depend on how many answers are stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import F, Q

from leaderboard.cache import built
from leaderboard.ranking import Array, Standing, means, standings, task_weights
from leaderboard.rules import board_rules
from scoring.models import (
    AXES,
    Answer,
    AnswerStatus,
    AxisState,
    Edition,
    JobState,
    Network,
    Score,
    Stack,
    Task,
    TaskStatus,
    Validation,
)
from scoring.natural import natural
from scoring.services import reviewing, stacks
from scoring.services.answers import DEFAULT_EDITION
from scoring.services.reviewing import Marks
from scoring.services.versions import data_version

# Q and the share of solved tasks are means like the axes; `solved` is kept as 0 or 1.
COLUMNS = (*AXES, "Q", "solved")
# Derived tables (places by column, figures by set of tasks) that a board keeps beside itself.
MOST_KEPT = 160
STATES = ("measured", "unmeasured", "truncated", "pending")


@dataclass(frozen=True, slots=True)
class StackRow:
    """What gave the scores: instruments by role, protocol by version and hash."""

    pk: int
    name: str
    kind: str
    instruments: Mapping[str, str]
    protocol_version: str
    protocol_hash: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TaskRow:
    """`strength`: share of mutants that the hidden tests kill, `band`: strong, fair or weak; unknown where nobody validated."""

    pk: int
    key: str
    name: str
    category: str
    difficulty: str
    skills: tuple[str, ...]
    platform_tags: tuple[str, ...]
    is_private: bool
    written_on: date | None = None
    strength: float | None = None
    band: str = ""

    @property
    def tags(self) -> tuple[str, ...]:
        return self.skills + self.platform_tags


@dataclass(frozen=True, slots=True)
class NetworkRow:
    """A network, or a kind of control answers."""

    pk: int
    name: str
    slug: str
    vendor: str
    open_weights: bool | None
    released_on: date | None
    is_control: bool

    @property
    def title(self) -> str:
        """What people read, in the reader's language."""
        return str(Network(name=self.name, is_control=True).title) if self.is_control else self.name


@dataclass(frozen=True, slots=True)
class Cell:
    """One answer with its score by the shown stack. `values`, `states`, `reasons` by axis letter; `state` sums up the cell.

    `withheld`: experts grade the answer blindly just now, so its own figures are shown to nobody; aggregates have them.
    """

    answer: int
    task: int
    network: int
    run: int
    status: str
    scored: bool
    values: Mapping[str, float | None]
    states: Mapping[str, str]
    reasons: Mapping[str, str]
    passed: int | None
    total: int | None
    solved: bool
    stage: str
    cause: str
    control_verdict: str
    control_file: str
    withheld: bool = False

    def masked(self) -> Cell:
        """The cell as the public sees it while it is withheld."""
        return replace(
            self, scored=False, values={}, states={}, reasons={}, passed=None, total=None, solved=False, stage="", cause=""
        )

    @property
    def state(self) -> str:
        """`measured`, `truncated`, `unmeasured` (an answer or its absence that has no M), `pending`, or `withheld`."""
        if self.withheld and not self.scored:
            return "withheld"
        if self.status == AnswerStatus.TRUNCATED:
            return "truncated"
        if self.status == AnswerStatus.PLANNED or (not self.scored and self.status == AnswerStatus.ANSWERED):
            return "pending"
        return "measured" if self.states.get("M") == AxisState.SCORED else "unmeasured"


@dataclass(frozen=True)
class BoardData:
    """A category's board as it is stored: every task, network and cell of an edition, by one stack."""

    category: str
    edition: str
    editions: tuple[Edition, ...]
    stack: StackRow | None
    tasks: tuple[TaskRow, ...]
    networks: tuple[NetworkRow, ...]
    cells: tuple[Cell, ...]
    version: int
    marks: Marks
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def matrices(self) -> Mapping[str, Array]:
        """Column → (networks, tasks): the mean over an answer's runs, NaN where nothing was measured."""
        return {column: self._matrix(column) for column in COLUMNS}

    @cached_property
    def states(self) -> Mapping[str, Array]:
        """Cell state → (networks, tasks): how many cells are in it."""
        found = {state: np.zeros((len(self.networks), len(self.tasks))) for state in STATES}
        rows, columns = self.network_index, self.task_index
        for cell in self.cells:
            found[cell.state][rows[cell.network], columns[cell.task]] += 1
        return found

    def _matrix(self, column: str) -> Array:
        sums = np.zeros((len(self.networks), len(self.tasks)))
        counts = np.zeros_like(sums)
        rows, columns = self.network_index, self.task_index
        for cell in self.cells:
            value = cell_value(cell, column)
            if value is not None:
                place = rows[cell.network], columns[cell.task]
                sums[place] += value
                counts[place] += 1
        return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)

    @cached_property
    def network_index(self) -> Mapping[int, int]:
        return {row.pk: place for place, row in enumerate(self.networks)}

    @cached_property
    def task_index(self) -> Mapping[int, int]:
        return {row.pk: place for place, row in enumerate(self.tasks)}

    @cached_property
    def measured_cells(self) -> Mapping[int, tuple[Cell, ...]]:
        """Network → its cells as measured, for aggregates only."""
        return _grouped(self.cells, lambda cell: cell.network)

    @cached_property
    def shown_cells(self) -> tuple[Cell, ...]:
        """Every cell as the public may see it."""
        return tuple(cell.masked() if cell.withheld else cell for cell in self.cells)

    @cached_property
    def by_network(self) -> Mapping[int, tuple[Cell, ...]]:
        return _grouped(self.shown_cells, lambda cell: cell.network)

    @cached_property
    def by_task(self) -> Mapping[int, tuple[Cell, ...]]:
        return _grouped(self.shown_cells, lambda cell: cell.task)

    @cached_property
    def withheld_places(self) -> frozenset[tuple[int, int]]:
        """(network, task) of cells whose single figures are withheld."""
        return frozenset((cell.network, cell.task) for cell in self.cells if cell.withheld)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The axes of this category, then Q."""
        constitution = stacks.protocol().constitution
        return (*constitution.categories[self.category].axes, "Q")

    def standing(self, column: str) -> Mapping[int, Standing]:
        """Places of the networks (never of controls) by a column over all tasks: network id → place.

        Networks with too little measured have none. Filters don't touch this: a place never depends on what is shown.
        """
        found: Mapping[int, Standing] = self.keep(("standing", column), lambda: self._standing(column))
        return found

    def keep(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was derived from this board once; the oldest of too many is let go."""
        found = self.kept.get(key)
        if found is None:
            found = make()
            if len(self.kept) >= MOST_KEPT:
                self.kept.pop(next(iter(self.kept)), None)
            self.kept[key] = found
        return found

    def _standing(self, column: str) -> Mapping[int, Standing]:
        rules = board_rules()
        taking_part = [row for row in self.networks if not row.is_control and self.coverage(row.pk) >= rules.coverage]
        if not taking_part:
            return {}
        values = self.matrices[column][[self.network_index[row.pk] for row in taking_part]]
        weights = task_weights(len(self.tasks), rules.draws, rules.seed)
        found = zip(taking_part, standings(values, weights, rules.level), strict=True)
        return {row.pk: place for row, place in found if place is not None}

    def coverage(self, network: int) -> float:
        """The share of tasks on which the network's M was measured."""
        row = self.matrices["M"][self.network_index[network]]
        return float((~np.isnan(row)).sum()) / len(self.tasks) if len(self.tasks) else 0.0

    def mean(self, column: str, network: int) -> float | None:
        return means(self.matrices[column][[self.network_index[network]]])[0]

    def row(self, column: str, network: int) -> list[float | None]:
        """The network's values by task."""
        return [None if value != value else float(value) for value in self.matrices[column][self.network_index[network]]]


def cell_value(cell: Cell, column: str) -> float | None:
    """A cell's number in a column; whether a task is solved is known only where M was measured."""
    if column == "solved":
        return None if cell.values.get("M") is None else float(cell.solved)
    return cell.values.get(column)


def _grouped(cells: Iterable[Cell], key: Any) -> Mapping[int, tuple[Cell, ...]]:
    found: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        found[key(cell)].append(cell)
    return {name: tuple(rows) for name, rows in found.items()}


# -- loading -----------------------------------------------------------------------------------------------------------


def board(category: str, edition: str = "", version: int | None = None) -> BoardData:
    """The board of a category and edition (the usual one where none is named), from memory while nothing changes."""
    present = data_version() if version is None else version
    wanted = edition or DEFAULT_EDITION
    return built(("board", category, wanted, present), lambda: load_board(category, wanted, present))


def load_board(category: str, edition: str, version: int) -> BoardData:
    """Reads a board anew."""
    stack = stacks.shown_stack(category)
    tasks = tuple(_tasks(category))
    withheld = built(("withheld", version), reviewing.withheld_answers)
    cells = tuple(_cells(category, edition, stack, {task.pk for task in tasks}, withheld))
    taking_part = {cell.network for cell in cells}
    return BoardData(
        category=category,
        edition=edition,
        editions=tuple(Edition.objects.filter(answers__task__category=category).distinct()),
        stack=stack_row(stack) if stack else None,
        tasks=tasks,
        networks=tuple(network_row(network) for network in Network.objects.all() if network.pk in taking_part),
        cells=cells,
        version=version,
        marks=built(("marks", version), reviewing.marks),
    )


def stack_row(stack: Stack) -> StackRow:
    return StackRow(
        stack.pk, stack.name, stack.kind, dict(stack.instruments), stack.protocol_version, stack.protocol_hash, dict(stack.facts)
    )


def network_row(network: Network) -> NetworkRow:
    return NetworkRow(
        network.pk, network.name, network.slug, network.vendor, network.open_weights, network.released_on,
        network.is_control,
    )  # fmt: skip


def _tasks(category: str) -> Iterable[TaskRow]:
    rows = Task.objects.filter(category=category, status=TaskStatus.PUBLISHED).values_list(
        "pk", "bundle_id", "key", "name", "difficulty", "skills", "platform_tags", "is_private", "written_on"
    )
    strengths = _strengths(category)
    for pk, bundle, key, name, difficulty, skills, platform, private, written in sorted(rows, key=lambda row: natural(row[2])):
        tags = tuple(skills), tuple(platform)
        yield TaskRow(pk, key, name, category, difficulty, *tags, private, written, *strengths.get(bundle, (None, "")))


def _strengths(category: str) -> Mapping[int, tuple[float | None, str]]:
    """Bundle → (strength, band) by its last finished validation."""
    done = Validation.objects.filter(
        bundle__task__category=category, bundle=F("bundle__task__bundle"), state=JobState.DONE, strength__isnull=False
    )
    rows = done.order_by("pk").values_list("bundle_id", "strength", "band")
    return {bundle: (strength, band) for bundle, strength, band in rows}


_SCORE_FIELDS = (
    *(f"{axis.lower()}_{part}" for axis in AXES for part in ("value", "state", "reason")),
    "q_value", "passed", "total", "solved", "stage", "cause",
)  # fmt: skip


def _cells(category: str, edition: str, stack: Stack | None, tasks: set[int], withheld: frozenset[int]) -> Iterable[Cell]:
    where = Q(edition__slug=edition) | Q(edition__slug=DEFAULT_EDITION, network__is_control=True)
    answers = Answer.objects.filter(where, task__category=category, task__status=TaskStatus.PUBLISHED, is_current=True)
    scores = _scores(answers, stack)
    rows = answers.order_by("task_id", "network_id", "run_index").values_list(
        "pk", "task_id", "network_id", "run_index", "status", "control_verdict", "control_file"
    )
    for pk, task, network, run, status, verdict, file in rows:
        if task in tasks:
            yield _cell((pk, task, network, run, status), scores.get(pk), verdict, file, pk in withheld)


def _scores(answers: Any, stack: Stack | None) -> Mapping[int, Mapping[str, Any]]:
    """Scores by the stack against the tasks' present bundles; a score of a former bundle belongs to the past."""
    if stack is None:
        return {}
    found = Score.objects.filter(stack=stack, answer__in=answers, bundle=F("answer__task__bundle"))
    return {row["answer_id"]: row for row in found.values("answer_id", *_SCORE_FIELDS)}


def _cell(head: tuple[int, int, int, int, str], score: Mapping[str, Any] | None, verdict: str, file: str, withheld: bool) -> Cell:
    if score is None:
        return Cell(*head, False, {}, {}, {}, None, None, False, "", "", verdict, file, withheld)
    return Cell(
        *head,
        scored=True,
        values={**{axis: score[f"{axis.lower()}_value"] for axis in AXES}, "Q": score["q_value"]},
        states={axis: score[f"{axis.lower()}_state"] for axis in AXES},
        reasons={axis: score[f"{axis.lower()}_reason"] for axis in AXES},
        passed=score["passed"],
        total=score["total"],
        solved=score["solved"],
        stage=score["stage"],
        cause=score["cause"],
        control_verdict=verdict,
        control_file=file,
        withheld=withheld,
    )


def stored_answer(pk: int, stack: int | None) -> tuple[Answer, Score | None, list[Stack]] | None:
    """An answer with its score by a stack (the shown one where none is named) and the other stacks that scored it."""
    answer = Answer.objects.select_related("task__bundle", "network", "edition", "exchange").filter(pk=pk).first()
    if answer is None:
        return None
    scores = list(Score.objects.select_related("stack", "bundle").filter(answer=answer).order_by("-bundle__number", "-pk"))
    shown = stacks.shown_stack(answer.task.category)
    wanted = stack or (shown.pk if shown else None)
    score = next((score for score in scores if score.stack_id == wanted), None)
    return answer, score, list({score.stack_id: score.stack for score in scores}.values())
