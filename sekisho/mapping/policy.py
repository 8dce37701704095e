"""From what a model said of a query to the record that stands for it; pure, and it never leaves the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sekisho.mapping.mapped import Choice, Said
from sekisho.mapping.match import Candidate
from sekisho.mapping.reply import RELATIONS_JA, Relation
from sekisho.text import shortened

PolicyName = Literal["trust", "guarded"]


_IN_PART = ("outside", "inside", "expanded")  # signals of what is not the query as it was written


@dataclass(frozen=True, slots=True)
class Policy:
    """What a model must bring to replace a first candidate that is the only exact hit.

    `trust`: nothing. `guarded`: the relation `match` and at least this confidence.
    """

    name: PolicyName = "guarded"
    confidence: float = 0.9

    def objection(self, candidates: Sequence[Candidate], said: Said) -> str:
        """Why the choice does not stand; empty where it does."""
        if self.name == "trust" or said.id == candidates[0].id or only_exact(candidates) != candidates[0].id:
            return ""
        if said.relation == "match" and said.confidence is not None and said.confidence >= self.confidence:
            return ""
        sure = "no confidence" if said.confidence is None else f"confidence {said.confidence:g}"
        brought = f"{shortened(said.id, 80)} ({said.relation}, {sure})"
        return f"the first candidate is the only exact hit, and {brought} is not enough to replace it"


def settle(candidates: Sequence[Candidate], said: Said | None, problem: str, policy: Policy) -> Choice:
    """The choice for one query: what the model said where it holds, else the first candidate and the reason."""
    if said is None or not candidates:
        return fall_back(candidates, problem or "there is no candidate")
    chosen = next((candidate for candidate in candidates if candidate.id == said.id), None)
    if chosen is None:
        return fall_back(candidates, f"not a candidate: {shortened(said.id, 80) or 'no id'}")
    if said.relation is None:
        return fall_back(candidates, "the relation is none of match, larger, smaller, different")
    objection = policy.objection(candidates, said)
    return fall_back(candidates, objection) if objection else _choice(chosen, said, said.relation)


def fall_back(candidates: Sequence[Candidate], why: str) -> Choice:
    """The first candidate, without relation and confidence, and why the model's word does not stand."""
    first = candidates[0] if candidates else None
    return Choice(best_id=first.id if first else None, best_name=first.name if first else None, error=why)


def only_exact(candidates: Sequence[Candidate]) -> str:
    """The id of the candidate that is the query letter for letter, or near enough; empty where none or several are."""
    exact = [candidate.id for candidate in candidates if is_exact(candidate)]
    return exact[0] if len(exact) == 1 else ""


def is_exact(candidate: Candidate) -> bool:
    """Whether the query, as a whole and in the case of an acronym, is a name, synonym or acronym of the record."""
    signals = candidate.signals
    as_a_whole = not any(signals.get(name) for name in _IN_PART)
    return as_a_whole and bool(signals.get("exact") or (signals.get("acronym") and signals.get("acronym_case")))


def _choice(chosen: Candidate, said: Said, relation: Relation) -> Choice:
    return Choice(
        best_id=chosen.id,
        best_name=chosen.name,
        relation=relation,
        relation_ja=RELATIONS_JA[relation],
        confidence=said.confidence,
        reason=said.reason,
    )
