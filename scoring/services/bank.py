"""The bank: folders of bundles become tasks, immutable versions of their files, and control answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.db import transaction

from scoring import bundles
from scoring.bundles import Loaded
from scoring.findings import FaultyData, Finding
from scoring.models import Answer, AnswerStatus, ControlKind, Edition, Network, Task, TaskBundle, TaskStatus
from scoring.services.answers import DEFAULT_EDITION, digest_of, get_network
from scoring.services.versions import data_changed

MISSING_FILES = "missing for publishing: "


@dataclass(frozen=True, slots=True)
class BankCounts:
    """What an import of tasks did; `versions` counts new bundles of new and known tasks alike."""

    tasks: int = 0
    versions: int = 0
    unchanged: int = 0
    controls: int = 0
    drafts: int = 0

    def __str__(self) -> str:
        return (
            f"{self.tasks} tasks: {self.versions} new versions, {self.unchanged} unchanged, "
            f"{self.controls} control answers, {self.drafts} drafts"
        )


@dataclass(frozen=True, slots=True)
class Control:
    """A control answer of a bundle; `index` tells several of a kind apart."""

    kind: ControlKind
    index: int
    file: str
    code: str


def import_folder(folder: Path, *, publish: bool = False, private: bool = False) -> BankCounts:
    """Stores every bundle below `folder`, or nothing: FaultyData lists the findings of all of them.

    A task whose bundle lacks files that publishing needs becomes a draft, unless `publish`.
    """
    found = bundles.load_tree(folder)
    if not found:
        raise FaultyData([Finding(str(folder), "no bundle here", cure="a bundle is a folder with a task.yaml")])
    return store(found.values(), publish=publish, private=private)


@transaction.atomic
def store(found: Iterable[Loaded], *, publish: bool = False, private: bool = False) -> BankCounts:
    """Writes loaded bundles, all or nothing. Raises FaultyData."""
    loaded = list(found)
    faults = [finding for entry in loaded for finding in entry.findings if entry.bundle is None]
    if faults:
        raise FaultyData(faults)
    edition, _ = Edition.objects.get_or_create(slug=DEFAULT_EDITION, defaults={"name": DEFAULT_EDITION})
    versions = controls = drafts = 0
    for entry in loaded:
        bundle = entry.required()
        task, is_new = store_bundle(bundle, missing=() if publish else entry.missing, private=private)
        versions += is_new
        drafts += task.status == TaskStatus.DRAFT
        controls += store_controls(task, bundle, edition)
    if versions or controls:
        data_changed()
    return BankCounts(len(loaded), versions, len(loaded) - versions, controls, drafts)


def store_bundle(bundle: bundles.TaskBundle, *, missing: Iterable[str] = (), private: bool = False) -> tuple[Task, bool]:
    """The bundle's task and whether this content is a new version. Raises FaultyData when the category changed."""
    absent = list(missing)
    task = Task.objects.filter(key=bundle.id).first() or Task(key=bundle.id, category=bundle.category)
    if task.category != bundle.category:
        message = f"task {bundle.id} is of category {task.category}, the bundle of category {bundle.category}"
        raise FaultyData([Finding("task.yaml", message, key="category", cure="give the new task an id of its own")])
    known = task.bundles.filter(digest=bundle.hash).first() if task.pk else None
    if known and task.bundle_id == known.pk:
        return task, False
    _copy_head(task, bundle)
    if task.status != TaskStatus.QUARANTINED:
        task.status = TaskStatus.DRAFT if absent else TaskStatus.PUBLISHED
        task.status_reason = MISSING_FILES + ", ".join(absent) if absent else ""
    task.is_private = task.is_private or private
    task.save()
    task.bundle = known or _new_version(task, bundle)
    task.save(update_fields=["bundle", "updated_at"])
    return task, known is None


def _copy_head(task: Task, bundle: bundles.TaskBundle) -> None:
    task.name = bundle.name
    task.difficulty = bundle.difficulty
    task.prompt = bundle.prompt
    task.signature = bundle.signature
    task.skills = list(bundle.tags.get("skill", ()))
    task.platform_tags = list(bundle.tags.get("platform", ()))


def _new_version(task: Task, bundle: bundles.TaskBundle) -> TaskBundle:
    last = task.bundles.order_by("-number").values_list("number", flat=True).first() or 0
    return TaskBundle.objects.create(task=task, number=last + 1, digest=bundle.hash, files=dict(bundle.files))


def controls_of(bundle: bundles.TaskBundle) -> Iterator[Control]:
    """The reference, the slow baseline and the submissions, numbered within each kind."""
    counts: dict[ControlKind, int] = {}

    def numbered(kind: ControlKind, file: str, code: str) -> Control:
        counts[kind] = counts.get(kind, -1) + 1
        return Control(kind, counts[kind], file, code)

    if bundle.canonical:
        yield numbered(ControlKind.REFERENCE, "canonical.bsl", bundle.canonical)
    if bundle.baseline:
        yield numbered(ControlKind.TOO_SLOW, "perf_baseline.bsl", bundle.baseline)
    for control in bundle.controls:
        file = f"submissions/{control.verdict}/{control.name}.bsl"
        yield numbered(ControlKind(control.verdict), file, control.code)


def store_controls(task: Task, bundle: bundles.TaskBundle, edition: Edition) -> int:
    """Control answers as rows; a changed text is a new revision, a vanished one is no longer current."""
    networks = control_networks()
    current = {
        (answer.network_id, answer.run_index): answer
        for answer in Answer.objects.filter(task=task, edition=edition, is_current=True, network__is_control=True)
    }
    written = 0
    for control in controls_of(bundle):
        network = networks[control.kind]
        old = current.pop((network.pk, control.index), None)
        written += _store_control(task, edition, network, control, old)
    Answer.objects.filter(pk__in=[answer.pk for answer in current.values()]).update(is_current=False)
    return written


def _store_control(task: Task, edition: Edition, network: Network, control: Control, old: Answer | None) -> bool:
    digest = digest_of(control.code)
    if old and old.digest == digest and old.control_file == control.file:
        return False
    if old:
        old.is_current = False
        old.save(update_fields=["is_current"])
    last = Answer.objects.filter(task=task, edition=edition, network=network, run_index=control.index)
    Answer.objects.create(
        edition=edition,
        task=task,
        network=network,
        run_index=control.index,
        revision=(last.order_by("-revision").values_list("revision", flat=True).first() or 0) + 1,
        status=AnswerStatus.ANSWERED,
        response=control.code,
        code=control.code,
        digest=digest,
        source="bundle",
        control_verdict=control.kind,
        control_file=control.file,
    )
    return True


def control_networks() -> Mapping[ControlKind, Network]:
    """The rows that stand for the kinds of control, made when they are missing."""
    return {kind: get_network(Network.CONTROL_PREFIX + kind.value, is_control=True) for kind in ControlKind}


@lru_cache(maxsize=256)
def _parsed(digest: str, pk: int) -> bundles.TaskBundle:
    stored = TaskBundle.objects.get(pk=pk)
    files = {name: text.encode() for name, text in stored.files.items()}
    return bundles.load_files(files, stored.task.key).required()


def read_bundle(stored: TaskBundle) -> bundles.TaskBundle:
    """The parsed bundle of a stored version (kept in memory; versions never change). Raises FaultyData."""
    return _parsed(stored.digest, stored.pk)
