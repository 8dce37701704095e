"""How good mapping is on queries whose records are known: the first stage, the choice, and what that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sekisho.gates.finding import Finding
from sekisho.mapping.mapped import ChoiceCall, Mapped
from sekisho.mapping.policy import Policy, PolicyName, settle
from sekisho.mapping.reply import RELATIONS_JA
from sekisho.scorecards.baseline import Baseline, regressions

FELL_BACK = "fell back"
TOLERANCE = 0.01  # one query of sixty is 0.017
_JUDGED = ("hit_at_1", "hit_at_10", "mrr", "hit_after_choice")


@dataclass(frozen=True, slots=True)
class Rates:
    """Of `count` queries whose record is known: how often it came first, was among the ten, and stood at the end.

    `mrr` is the mean reciprocal rank, 0 where it is not among the ten. `hit_after_choice` is None without a choice.
    """

    count: int
    hit_at_1: float
    hit_at_10: float
    mrr: float
    hit_after_choice: float | None


def shown_rates(rates: Rates) -> dict[str, str]:
    """Rates for a reader, by the names that they have on a terminal and on a page; empty what there is not."""
    chosen = rates.hit_after_choice
    return {
        "queries": str(rates.count),
        "first": f"{rates.hit_at_1:.1%}",
        "among ten": f"{rates.hit_at_10:.1%}",
        "MRR": f"{rates.mrr:.3f}",
        "chosen": "" if chosen is None else f"{chosen:.1%}",
    }


@dataclass(frozen=True, slots=True)
class Case:
    """One query where the choice was not the first candidate, or where the record is not among the ten at all."""

    query: str
    kind: str
    expected: str
    first: str
    chosen: str
    relation: str
    verdict: Literal["improved", "worsened", "changed", "out of reach"]


@dataclass(frozen=True, slots=True)
class Spending:
    """Model calls, tokens and US dollars, as they cost when they were made; None where one is not known."""

    calls: int
    input_tokens: float | None
    output_tokens: float | None
    usd: float | None


@dataclass(frozen=True, slots=True)
class MappingScore:
    """An evaluation. Queries without a known record count in `queries` and `relations` alone.

    `policies` has the hit rate after the choice under each policy, from the same replies; `same_relation` is how often
    the relation that stands was the known one, of the queries with a known one; one that fell back has none.
    """

    queries: int
    rates: Rates | None
    by_kind: dict[str, Rates]
    by_difficulty: dict[str, Rates]
    relations: dict[str, int]
    same_relation: float | None
    policies: dict[str, float]
    cases: tuple[Case, ...]
    spending: Spending

    def count(self, verdict: str) -> int:
        """How many cases are of a verdict; `changed` counts all where the choice was not the first candidate."""
        if verdict == "changed":
            return sum(case.verdict != "out of reach" for case in self.cases)
        return sum(case.verdict == verdict for case in self.cases)

    @property
    def groups(self) -> dict[str, Rates]:
        """The rates of all queries, by difficulty and by kind; empty where no record is known."""
        return {"all": self.rates, **self.by_difficulty, **self.by_kind} if self.rates is not None else {}

    @property
    def figures(self) -> dict[str, float]:
        """What a baseline is about: the rates over all queries whose record is known."""
        found = asdict(self.rates) if self.rates is not None else {}
        return {name: round(found[name], 6) for name in _JUDGED if found.get(name) is not None}

    def as_dict(self) -> dict[str, Any]:
        """The evaluation as plain JSON values."""
        counts = {verdict: self.count(verdict) for verdict in ("changed", "improved", "worsened", "out of reach")}
        return {**asdict(self), "counts": counts}


def score_mappings(mapped: Sequence[Mapped], calls: Iterable[ChoiceCall], *, confidence: float = 0.9) -> MappingScore:
    """Hold what mapping made of queries against the records that are known; `confidence` is that of the policies."""
    known = [one for one in mapped if one.asked.expected_id]
    chosen = [one for one in known if one.ai is not None]
    names: tuple[PolicyName, ...] = ("trust", "guarded")
    told = Counter(one.relation or FELL_BACK for one in mapped if one.ai is not None)
    both = [one.relation == one.asked.relation for one in mapped if one.ai and one.asked.relation in RELATIONS_JA]
    return MappingScore(
        queries=len(mapped),
        rates=_rates(known) if known else None,
        by_kind=_by(known, lambda one: one.asked.kind),
        by_difficulty=_by(known, lambda one: one.asked.difficulty),
        relations={name: told[name] for name in ("match", "larger", "smaller", "different", FELL_BACK) if told},
        same_relation=sum(both) / len(both) if both else None,
        policies={name: _under(chosen, Policy(name, confidence)) for name in names} if chosen else {},
        cases=tuple(case for case in map(_case, known) if case is not None),
        spending=_spending(list(calls)),
    )


def worse_than(score: MappingScore, baseline: Baseline) -> list[Finding]:
    """A finding for each rate that is below the baseline's; without a choice, that after the choice is not judged."""
    left_out = set() if score.relations or score.rates is None else {"hit_after_choice"}
    figures = {name: value for name, value in baseline.figures.items() if name not in left_out}
    held = Baseline(baseline.inputs, figures)
    return regressions(score.figures, held, higher_is_better=_JUDGED, tolerance=TOLERANCE)


def _rates(known: Sequence[Mapped]) -> Rates:
    ranks = [_rank(one) for one in known]
    chosen = [one.best_id == one.asked.expected_id for one in known if one.ai is not None]
    count = len(known)
    return Rates(
        count=count,
        hit_at_1=sum(rank == 1 for rank in ranks) / count,
        hit_at_10=sum(0 < rank <= 10 for rank in ranks) / count,
        mrr=sum(1 / rank for rank in ranks if rank) / count,
        hit_after_choice=sum(chosen) / len(chosen) if chosen else None,
    )


def _rank(one: Mapped) -> int:
    """The place of the known record among the candidates, from 1; 0 where it is none of them."""
    ids = [candidate.id for candidate in one.candidates]
    return ids.index(one.asked.expected_id) + 1 if one.asked.expected_id in ids else 0


def _by(known: Sequence[Mapped], name: Callable[[Mapped], str]) -> dict[str, Rates]:
    groups: dict[str, list[Mapped]] = {}
    for one in known:
        groups.setdefault(name(one) or "other", []).append(one)
    return {key: _rates(groups[key]) for key in sorted(groups)}


def _under(chosen: Sequence[Mapped], policy: Policy) -> float:
    hits = [settle(one.candidates, one.said, "", policy).best_id == one.asked.expected_id for one in chosen]
    return sum(hits) / len(hits)


def _case(one: Mapped) -> Case | None:
    first = one.candidates[0].id if one.candidates else ""
    chosen, expected = one.best_id or "", one.asked.expected_id
    verdict: Literal["improved", "worsened", "changed", "out of reach"]
    if chosen != first:
        verdict = "improved" if chosen == expected else "worsened" if first == expected else "changed"
    elif not _rank(one):
        verdict = "out of reach"
    else:
        return None
    return Case(one.asked.query, one.asked.kind, expected, first, chosen, one.relation, verdict)


def _spending(calls: Sequence[ChoiceCall]) -> Spending:
    def total(parts: list[float | None]) -> float | None:
        known = [part for part in parts if part is not None]
        return round(sum(known), 9) if len(known) == len(parts) else None

    return Spending(
        calls=len(calls),
        input_tokens=total([call.input_tokens for call in calls]),
        output_tokens=total([call.output_tokens for call in calls]),
        usd=total([call.usd for call in calls]),
    )
