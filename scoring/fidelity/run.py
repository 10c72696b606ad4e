"""Score a file of answers beside a file of recorded verdicts, on several sandboxes at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.bundles import TaskBundle, load_tree
from scoring.fidelity.compare import Cell, CellKey, compare, measured, recorded
from scoring.findings import FaultyData, Finding
from scoring.instruments.builtin import engine_version
from scoring.pipeline import Pipeline
from scoring.protocol import Protocol, load_protocol
from scoring.results import AnswerRun, Experiment, ScoredRun, Verdicts, read_experiment, read_verdicts
from scoring.strict_yaml import Fields, parse

Progress = Callable[[int, int], None]
MakePipeline = Callable[[Protocol], Pipeline]


@dataclass(frozen=True, slots=True)
class Work:
    """One answer to score: every text as it stands, whatever its run says about success."""

    key: CellKey
    model_name: str
    answer: AnswerRun
    verdict: ScoredRun
    bundle: TaskBundle


def audit(
    tasks: Path,
    answers: Path,
    verdicts: Path,
    quirks: Path | None = None,
    *,
    workers: int = 2,
    details: bool = False,
    only: str = "",
    progress: Progress | None = None,
    make_pipeline: MakePipeline = Pipeline.builtin,
) -> dict[str, Any]:
    """Score and compare. Raises :class:`FaultyData` where a file is wrong or tasks are missing."""
    protocol = load_protocol()
    left_out = read_quirks(quirks) if quirks else {}
    experiment = read_experiment(answers)
    work = [entry for entry in pair(experiment, read_verdicts(verdicts), load_tree(tasks)) if _chosen(entry, only)]
    started = time.perf_counter()
    cells = _score(work, left_out, protocol, workers, progress, make_pipeline)
    report = compare(cells, wall=time.perf_counter() - started, details=details)
    facts = {"engine": engine_version(), "protocol": protocol.version, "protocol_hash": protocol.hash}
    return {"category": experiment.category, **facts, **report}


def _chosen(work: Work, only: str) -> bool:
    """``TASK`` or ``TASK:MODEL``, several separated by commas; empty = all."""
    names = {work.key[0], f"{work.key[0]}:{work.key[1]}"}
    return not only or bool(names & set(only.split(",")))


def pair(experiment: Experiment, verdicts: Verdicts, loaded: dict[str, Any]) -> Iterator[Work]:
    """Answers with their recorded verdicts, in the order of the answers."""
    bundles = {entry.bundle.id: entry.bundle for entry in loaded.values() if entry.bundle}
    known = {(cell.task_id, cell.model_id, run.index): run for cell in verdicts.cells for run in cell.runs}
    wanted = {cell.task_id for cell in experiment.cells}
    missing = sorted(wanted - bundles.keys())
    if missing:
        faults = [finding for entry in loaded.values() for finding in entry.findings]
        raise FaultyData([Finding("tasks", f"no usable bundle for task {task}") for task in missing] + faults)
    for cell in experiment.cells:
        for run in cell.runs:
            key = (cell.task_id, cell.model_id, run.index)
            if key in known:
                yield Work(key, cell.model_name, run, known[key], bundles[cell.task_id])


def _score(
    work: Sequence[Work],
    left_out: dict[tuple[str, str], frozenset[str]],
    protocol: Protocol,
    workers: int,
    progress: Progress | None,
    make_pipeline: MakePipeline,
) -> list[Cell]:
    local = threading.local()
    done = iter(range(1, len(work) + 1))
    with ExitStack() as stack, ThreadPoolExecutor(workers) as pool:

        def score(entry: Work) -> Cell:
            if not hasattr(local, "pipeline"):
                local.pipeline = stack.enter_context(make_pipeline(protocol))
            result = local.pipeline.score(entry.answer.response, entry.bundle)
            if progress:
                progress(next(done), len(work))
            ours, theirs = measured(result, protocol.funnel), recorded(entry.verdict, protocol.funnel)
            absent = left_out.get(entry.key[:2], frozenset())
            return Cell(entry.key[0], entry.key[1], entry.model_name, entry.key[2], ours, theirs, absent, result.elapsed)

        return list(pool.map(score, work))


def read_quirks(path: Path) -> dict[tuple[str, str], frozenset[str]]:
    """``[{task, model, axes, why}]``: cells whose recorded verdict is the harness's, not an engine's."""
    document = parse(path.read_text("utf-8-sig"), path.name)
    findings: list[Finding] = []
    found: dict[tuple[str, str], frozenset[str]] = {}
    for index, entry in enumerate(document.root if isinstance(document.root, list) else [None]):
        fields = Fields(document, findings, (index,), entry)
        fields.only(("task", "model", "axes", "why"))
        key = (fields.text("task", required=True), fields.text("model", required=True))
        found[key] = found.get(key, frozenset()) | frozenset(fields.texts("axes", required=True))
    if findings:
        raise FaultyData(findings)
    return found
