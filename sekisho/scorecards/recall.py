"""The golden evaluation of recall: what should be found for each draft, and how much of it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import StringConstraints, model_validator

from sekisho.gates.finding import Finding
from sekisho.recall.citations import Relevance, Why
from sekisho.recall.records import Recall
from sekisho.records import Record
from sekisho.scorecards.baseline import Baseline, held_against
from sekisho.scorecards.golden import read_golden

CANDIDATE_FIGURES = frozenset({"candidate_recall@20", "candidate_recall@5", "candidate_mrr"})
HIGHER_IS_BETTER = CANDIDATE_FIGURES | {"citation_recall", "citation_precision"}
LOWER_IS_BETTER = frozenset({"failed_rate", "outside_candidates_rate", "dropped_rate", "misattributed_rate"})
TOLERANCE = 0.01
# What makes another measurement of it; the rest of the inputs is told beside the figures.
_DECISIVE = ("filter", "golden", "prompt", "schema")


class Expected(Record):
    """A past decision that a draft's author should be told of, and how it stands to the draft."""

    adr_id: Annotated[str, StringConstraints(pattern=r"\S")]
    relation: Literal["duplicate", "prerequisite", "contradiction", "complement"]


class GoldenCase(Record):
    """What recall should find for one draft; one that never reaches recall says why in `skipped`."""

    draft: str
    expected: tuple[Expected, ...] = ()
    skipped: str = ""

    @model_validator(mode="after")
    def _is_of_one_mind(self) -> Self:
        if self.skipped and self.expected:
            raise ValueError("what is skipped reaches no decision: write either `skipped` or `expected`")
        if twice := [id for id, count in Counter(one.adr_id for one in self.expected).items() if count > 1]:
            raise ValueError(f"{twice[0]!r} stands twice: a decision has one relation to a draft")
        return self

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the expected decisions."""
        return frozenset(one.adr_id for one in self.expected)


def load_golden(path: Path) -> list[GoldenCase]:
    """The cases in a golden file, none without the file; `InputError` where it is no list of them."""
    return read_golden(path, GoldenCase, "draft", Expected)


def score(recalls: Sequence[Recall], golden: Sequence[GoldenCase]) -> dict[str, float]:
    """The figures over the drafts for which something is expected, each mean over drafts or share from 0 to 1.

    `candidate_*` are of the ranking before a model is asked: recall among the first 20 and 5, and the mean of one over
    the rank of the first expected one. `citation_*` are of what was kept. A draft that was not looked at counts as one
    for which nothing was found. Empty where nothing is expected.
    """
    cases = [case for case in golden if case.expected]
    by_draft = {recall.draft: recall for recall in recalls}
    found = [by_draft.get(case.draft) or _missing(case) for case in cases]
    if not cases:
        return {}
    pairs = list(zip(cases, found, strict=True))
    cited = sum(len(recall.citations) for recall in found)
    returned = sum(recall.returned for recall in found)
    whys: Counter[str] = Counter()
    for one in (one for recall in found for one in recall.dropped):
        whys[one.why] += one.times
    relevances = Counter(one.relevance for recall in found for one in recall.citations)
    hits = sum(one.adr_id in case.ids for case, recall in pairs for one in recall.citations)
    return {
        "drafts": float(len(cases)),
        "candidate_recall@20": _mean(_recall(case, recall.candidates[:20]) for case, recall in pairs),
        "candidate_recall@5": _mean(_recall(case, recall.candidates[:5]) for case, recall in pairs),
        "candidate_mrr": _mean(_reciprocal_rank(case, recall.candidates) for case, recall in pairs),
        "citation_recall": _mean(_recall(case, [one.adr_id for one in recall.citations]) for case, recall in pairs),
        "citation_precision": _share(hits, cited),
        "citations_per_draft": _share(cited, len(cases)),
        "failed_rate": _share(sum(recall.failed for recall in found), len(cases)),
        "outside_candidates_rate": _share(whys["no_candidate"], returned),
        "dropped_rate": _share(whys.total(), returned),
        "misattributed_rate": _share(sum(recall.misattributed for recall in found), cited),
        **{f"dropped: {why}": _share(whys[why], returned) for why in sorted(get_args(Why))},
        **{f"relevance: {one}": _share(relevances[one], cited) for one in get_args(Relevance)},
    }


def compare(figures: Mapping[str, float], inputs: Mapping[str, str], baseline: Baseline | None) -> list[Finding]:
    """What is worse than in the baseline, or cannot be compared with it; nothing where nothing was measured.

    Where another agent answered than the baseline's, only the candidates are judged: they are the same for every agent.
    """
    same = baseline is None or inputs.get("agent") == baseline.inputs.get("agent")
    return held_against(
        figures,
        inputs,
        baseline,
        command="sekisho eval recall",
        decisive=_DECISIVE,
        higher_is_better=HIGHER_IS_BETTER if same else CANDIDATE_FIGURES,
        lower_is_better=LOWER_IS_BETTER if same else (),
        tolerance=TOLERANCE,
    )


def _missing(case: GoldenCase) -> Recall:
    return Recall(draft=case.draft, path="", title="", status="llm_failed", reason="not_asked")


def _recall(case: GoldenCase, ids: Sequence[str]) -> float:
    return len(case.ids & set(ids)) / len(case.ids)


def _reciprocal_rank(case: GoldenCase, ids: Sequence[str]) -> float:
    return next((1 / rank for rank, id in enumerate(ids, start=1) if id in case.ids), 0.0)


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return round(sum(numbers) / len(numbers), 6)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 6) if whole else 0.0
