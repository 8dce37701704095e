"""What stands on the page of the evidence report, section by section, in words; how it looks is the template's."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from sekisho.bill import Bill
from sekisho.evidence.gate import MOST
from sekisho.evidence.items import AnswerView, FactView, answer_view, fact_view
from sekisho.evidence.marked import Marked, Places
from sekisho.evidence.material import NONE, GateSaid, Material, Scorecard
from sekisho.mapping.mapped import Mapped
from sekisho.recall.citations import Standing
from sekisho.recall.records import Recall, RecallCitation
from sekisho.records import Gap
from sekisho.report import TITLES

R = TypeVar("R")
STANDINGS: dict[Standing, str] = {
    "draft": "stands in the draft",
    "own_summary": "stands in this decision's summary",
    "other_summary": "stands in another candidate's summary alone",
}
_SECTIONS = {
    "answers": "Answers",
    "withheld": "Turned back",
    "facts": "Facts",
    "recall": "Past decisions",
    "mappings": "Mappings",
    "gates": "Gates",
    "scorecards": "Scorecards",
    "spend": "Spend",
}
_RECALL_STATUS = {
    "recalled": "looked for",
    "skipped": "skipped",
    "no_candidates": "no candidates",
    "embedding_failed": "could not look",
    "llm_failed": "could not look",
}


@dataclass(frozen=True, slots=True)
class Withheld:
    """An item that gates turned back, and each reason with its gate; `question` is its text where it is one."""

    title: str
    item: str
    question: str
    round: int
    reasons: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CitedDecision:
    """A past decision that was recalled for a draft, and where the reason stands."""

    citation: RecallCitation
    standing: str


@dataclass(frozen=True, slots=True)
class RecallView:
    """What recall said of one draft; `dropped` are the rules that took citations out, with how many each."""

    recall: Recall
    status: str
    citations: tuple[CitedDecision, ...]
    dropped: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A scorecard with the columns of its rows that hold a figure, and its picture as base64."""

    card: Scorecard
    columns: tuple[str, ...]
    png: str


@dataclass(frozen=True, slots=True)
class Page:
    """All sections. `counts` says how many there are of each, shown or not; `run` is the one that gates spoke in last.

    `unanswerable` of the answers say that the sources do not. `mappings` begin with the doubtful ones.
    `unreadable` are rows of the warehouse that are no records, each with the reason.
    """

    generation: str
    since: str
    run: str
    answers: tuple[AnswerView, ...]
    withheld: tuple[Withheld, ...]
    facts: tuple[FactView, ...]
    recalls: tuple[RecallView, ...]
    mappings: tuple[Mapped, ...]
    gates: tuple[GateSaid, ...]
    scorecards: tuple[Picture, ...]
    bill: Bill
    places: tuple[Marked, ...]
    counts: dict[str, int]
    unanswerable: int
    unreadable: tuple[str, ...]

    @property
    def failed_gates(self) -> int:
        """How many gates say no; those that only warn are not among them."""
        return sum(not gate.passed and not gate.warns for gate in self.gates)

    @property
    def warning_gates(self) -> int:
        """How many gates say no and stop nothing."""
        return sum(gate.warns for gate in self.gates)

    @property
    def sections(self) -> dict[str, str]:
        """The titles of the sections by their ids; of those that not every folder has an empty one is left out."""
        there = {
            "recall": self.recalls,
            "mappings": self.mappings,
            "scorecards": self.scorecards,
            "spend": self.bill.rows or self.bill.problem,
        }
        return {id: title for id, title in _SECTIONS.items() if there.get(id, True)}


def build_page(material: Material) -> Page:
    """The page of what a state holds; the time is linear, and so is the size (see `marked` for its limits)."""
    published, base = material.published, material.published.base
    sources = {source.source: source for source in base.sources}
    places = Places(sources)
    withheld = tuple(_withheld(material.gaps, material.questions))
    sections = {
        "answers": published.answers,
        "withheld": withheld,
        "facts": base.facts,
        "recall": material.recalls,
        "mappings": material.mappings,
    }
    return Page(
        generation=base.generation,
        since=material.since,
        run=material.run,
        answers=tuple(answer_view(one, number, sources, places) for number, one in _numbered(published.answers)),
        withheld=withheld[:MOST],
        facts=tuple(fact_view(one, number, places, material.units) for number, one in _numbered(base.facts)),
        recalls=tuple(_recall(recall) for recall in material.recalls[:MOST]),
        mappings=tuple(sorted(material.mappings, key=lambda one: one.sure))[:MOST],
        gates=material.gates,
        scorecards=tuple(_picture(card) for card in material.scorecards if card.rows or card.problem),
        bill=material.bill,
        places=places.marked(),
        unanswerable=sum(one.status == "unanswerable" for one in published.answers),
        counts={name: len(rows) for name, rows in sections.items()},
        unreadable=tuple(f"{row.table}: {row.id}: {row.reason}" for row in published.unreadable),
    )


def _numbered(rows: Sequence[R]) -> Iterable[tuple[int, R]]:
    return enumerate(rows[:MOST], start=1)


def _withheld(gaps: Sequence[Gap], questions: dict[str, str]) -> Iterable[Withheld]:
    for stage, title in TITLES.items():
        of_stage = [gap for gap in gaps if gap.stage == stage]
        for item, grouped in groupby(of_stage, key=lambda gap: gap.item):
            found = list(grouped)
            yield Withheld(
                title=title,
                item=item,
                question=questions.get(item, "") if stage == "answers" else "",
                round=max(gap.round for gap in found),
                reasons=tuple((gap.reason, gap.gate) for gap in found),
            )


def _recall(recall: Recall) -> RecallView:
    whys: Counter[str] = Counter()
    for one in recall.dropped:
        whys[one.why.replace("_", " ")] += one.times
    return RecallView(
        recall=recall,
        status=_RECALL_STATUS[recall.status],
        citations=tuple(CitedDecision(one, STANDINGS[one.stands_in]) for one in recall.citations),
        dropped=tuple(sorted(whys.items())),
    )


def _picture(card: Scorecard) -> Picture:
    columns = tuple(name for name in (card.rows[0] if card.rows else ()) if any(row[name] != NONE for row in card.rows))
    return Picture(card, columns, base64.b64encode(card.png).decode("ascii"))
