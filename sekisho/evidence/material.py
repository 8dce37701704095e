"""What the evidence report is made of, read from a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sekisho.bill import Bill, read_bill
from sekisho.errors import SekishoError
from sekisho.mapping.mapped import Mapped
from sekisho.overview import published_since
from sekisho.recall.records import Recall
from sekisho.records import Gap
from sekisho.scorecards.baseline import readable_baseline
from sekisho.scorecards.mapping import score_mappings, shown_rates
from sekisho.scorecards.measure import scored
from sekisho.scorecards.measure_answers import measure_answers
from sekisho.scorecards.plots import plot_answers, plot_mapping, plot_recall
from sekisho.scorecards.values import figure_rows
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Published, Warehouse

NONE = "–"  # where there is no figure
_Rows = tuple[list[dict[str, str]], bytes]
_Measure = Callable[[Settings, Warehouse], _Rows]


@dataclass(frozen=True, slots=True)
class GateSaid:
    """What a check on an asset said last, and in which run; `looked_at` is None where it does not count that."""

    asset: str
    gate: str
    passed: bool
    severity: str
    told: str
    run: str
    looked_at: int | None = None

    @property
    def warns(self) -> bool:
        """Whether it said no, and yet stops nothing."""
        return not self.passed and self.severity == "WARN"

    @property
    def verdict(self) -> str:
        """What it said, in a word; the terminal has the same."""
        return "passed" if self.passed else "warned" if self.warns else "failed"

    @property
    def idle(self) -> bool:
        """Whether it passed since there was nothing to look at."""
        return self.passed and self.looked_at == 0


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A golden evaluation: rows with the same columns, its picture as PNG or empty, and why it was not measured."""

    title: str
    rows: tuple[dict[str, str], ...] = ()
    png: bytes = b""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """All that a page shows; `since` is when the generation was published, ISO 8601 in UTC, or empty.

    `questions` are the texts of the questions by their ids, of those that have no published answer too. `run` is the
    one that gates spoke in last; `units` are those of the fields by their names, as the schema of now has them.
    """

    published: Published
    since: str
    gaps: tuple[Gap, ...]
    questions: dict[str, str]
    recalls: tuple[Recall, ...]
    mappings: tuple[Mapped, ...]
    gates: tuple[GateSaid, ...]
    run: str
    scorecards: tuple[Scorecard, ...]
    bill: Bill
    units: Mapping[str, str] = field(default_factory=dict)


def read_material(settings: Settings, warehouse: Warehouse, gates: Sequence[GateSaid], run: str) -> Material:
    """What a state holds now; nothing is asked, and nothing written. What gates said is for the caller to know."""
    published = warehouse.published()
    return Material(
        published=published,
        since=published_since(settings.log_path, published.base.generation),
        gaps=tuple(warehouse.gaps()),
        questions={draft.id: draft.question for draft in warehouse.drafts()},
        recalls=tuple(warehouse.recalls()),
        mappings=tuple(warehouse.mappings()),
        gates=tuple(gates),
        run=run,
        scorecards=tuple(_measured(settings, warehouse)),
        bill=read_bill(settings.spend_path),
        units=_units(settings),
    )


def _units(settings: Settings) -> dict[str, str]:
    """The units that the schema gives; none where it cannot be read, which costs no section of the page."""
    try:
        return {name: spec.unit for name, spec in DataFolder(settings.data).notes_schema.fields.items() if spec.unit}
    except SekishoError:
        return {}


def _measured(settings: Settings, warehouse: Warehouse) -> list[Scorecard]:
    return [_scorecard(title, measure, settings, warehouse) for title, measure in _SCORECARDS.items()]


def _scorecard(title: str, measure: _Measure, settings: Settings, warehouse: Warehouse) -> Scorecard:
    """One evaluation; a golden set that cannot be used costs no other section of the page."""
    try:
        rows, png = measure(settings, warehouse)
    except SekishoError as error:
        where = ": ".join(part for part in (Path(error.file or "").name, error.item) if part)
        return Scorecard(title, problem=f"{where}: {error.message}" if where else error.message)
    return Scorecard(title, tuple(rows), png)


def _answers(settings: Settings, warehouse: Warehouse) -> _Rows:
    figures = measure_answers(settings, warehouse).figures
    return figure_rows(figures), plot_answers(figures, readable_baseline(settings.answers_baseline_path))


def _recall(settings: Settings, warehouse: Warehouse) -> _Rows:
    figures = scored(settings, warehouse.recalls()).figures
    return figure_rows(figures), plot_recall({"production": figures}, readable_baseline(settings.recall_baseline_path))


def _mapping(settings: Settings, warehouse: Warehouse) -> _Rows:
    score = score_mappings(warehouse.mappings(), warehouse.mapping_calls(), confidence=settings.map_confidence)
    rows = [
        {"group": name, **{title: figure or NONE for title, figure in shown_rates(one).items()}}
        for name, one in score.groups.items()
    ]
    return rows, plot_mapping(score)


_SCORECARDS: dict[str, _Measure] = {"Answers": _answers, "Recall": _recall, "Mapping": _mapping}
