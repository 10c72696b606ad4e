"""What a board shows, as its address says it: read, checked and written back in one canonical form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from leaderboard.queries import COLUMNS, BoardData, NetworkRow, TaskRow
from leaderboard.rules import board_rules
from scoring.models import Difficulty, Edition
from scoring.services.answers import DEFAULT_EDITION
from scoring.services.reviewing import Marks

# Besides the columns of figures a board sorts by these; `A` and `B` are the summary's.
OTHER_SORTS = ("name", "vendor", "tasks", "A", "B")
NO_VENDOR = "-"
NO_MARKS = Marks()
BANDS = ("strong", "fair", "weak")


@dataclass(frozen=True, slots=True)
class Filters:
    """`open_weights`: "", "yes" or "no"; `vendor`: "" or a name (`-`: unknown); `sort` is a column, `descending` its direction."""

    sort: str = ""
    descending: bool = True
    vendor: str = ""
    open_weights: str = ""
    tag: str = ""
    difficulty: str = ""
    edition: str = ""
    controls: bool = True
    verified: bool = False
    strength: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str], usual: str = "") -> Filters:
        """Whatever makes no sense is left out; `usual` is the column to sort by otherwise."""
        usual = usual or board_rules().sort
        sort = query.get("sort", "")
        name = sort.removeprefix("-")
        known = name in COLUMNS or name in OTHER_SORTS
        edition = query.get("edition", "").strip()[:60]
        return cls(
            sort=name if known else usual,
            descending=sort.startswith("-") if known else True,
            vendor=query.get("vendor", "").strip()[:80],
            open_weights=query.get("open", "") if query.get("open") in ("yes", "no") else "",
            tag=query.get("tag", "").strip()[:80],
            difficulty=query.get("difficulty", "") if query.get("difficulty") in Difficulty.values else "",
            edition="" if edition == DEFAULT_EDITION else edition,
            controls=query.get("controls") != "no",
            verified=query.get("verified") == "yes",
            strength=query.get("strength", "") if query.get("strength") in BANDS else "",
        )

    def query(self, usual: str = "") -> str:
        """The canonical query string: only what differs from the usual, in a fixed order, without the question mark."""
        usual = usual or board_rules().sort
        sort = ("-" if self.descending else "") + self.sort
        pairs = [
            ("sort", "" if sort == f"-{usual}" else sort),
            ("vendor", self.vendor),
            ("open", self.open_weights),
            ("tag", self.tag),
            ("difficulty", self.difficulty),
            ("edition", self.edition),
            ("controls", "" if self.controls else "no"),
            ("verified", "yes" if self.verified else ""),
            ("strength", self.strength),
        ]
        return urlencode([(key, value) for key, value in pairs if value])

    def sorted_by(self, column: str) -> Filters:
        """The same view by another column; by the present one in the other direction. Names start with A, figures with the best."""
        if column == self.sort:
            return replace(self, descending=not self.descending)
        return replace(self, sort=column, descending=column not in ("name", "vendor"))

    @property
    def narrows_tasks(self) -> bool:
        return bool(self.tag or self.difficulty or self.verified or self.strength)

    @property
    def narrows(self) -> bool:
        return bool(self.narrows_tasks or self.vendor or self.open_weights or self.edition or not self.controls)

    def cleared(self) -> Filters:
        """Nothing filtered, order kept."""
        return Filters(sort=self.sort, descending=self.descending)

    def takes_task(self, task: TaskRow, marks: Marks = NO_MARKS) -> bool:
        fits = (not self.tag or self.tag in task.tags) and (not self.difficulty or task.difficulty == self.difficulty)
        fits = fits and (not self.strength or task.band == self.strength)
        return fits and (not self.verified or task.pk in marks.tasks)

    def takes_network(self, network: NetworkRow) -> bool:
        """Controls have neither vendor nor weights: they are shown or hidden as a whole."""
        if network.is_control:
            return self.controls
        vendor = network.vendor or NO_VENDOR
        weights = {True: "yes", False: "no", None: ""}[network.open_weights]
        return (not self.vendor or vendor == self.vendor) and (not self.open_weights or weights == self.open_weights)


@dataclass(frozen=True, slots=True)
class Choices:
    """What each filter can be set to on this board."""

    vendors: tuple[str, ...]
    tags: tuple[str, ...]
    difficulties: tuple[str, ...]
    editions: tuple[Edition, ...]
    has_weights: bool
    has_controls: bool
    has_verified: bool
    bands: tuple[str, ...]


def choices(*boards: BoardData) -> Choices:
    """The union over the boards."""
    networks = [row for data in boards for row in data.networks]
    tasks = [task for data in boards for task in data.tasks]
    vendors = {row.vendor or NO_VENDOR for row in networks if not row.is_control}
    return Choices(
        vendors=tuple(sorted(vendors, key=lambda name: (name == NO_VENDOR, name.casefold()))),
        tags=tuple(sorted({tag for task in tasks for tag in task.tags}, key=str.casefold)),
        difficulties=tuple(value for value in Difficulty.values if any(task.difficulty == value for task in tasks)),
        editions=tuple(dict.fromkeys(edition for data in boards for edition in data.editions)),
        has_weights=any(row.open_weights is not None for row in networks),
        has_controls=any(row.is_control for row in networks),
        bands=tuple(band for band in BANDS if any(task.band == band for task in tasks)),
        has_verified=any(data.marks.tasks for data in boards),
    )
