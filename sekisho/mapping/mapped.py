"""What mapping hands on: a query with its candidates and, where a model was asked, the choice among them."""

from __future__ import annotations

from typing import Any, Literal

from sekisho.catalogue import MapQuery
from sekisho.mapping.match import LEAST, Candidate
from sekisho.mapping.reply import Relation
from sekisho.records import Provenance, Record

_LIKELY = 0.5


class Said(Record):
    """What a model said of one query, not verified: `id` as it wrote it, `relation` None where it is none of the four.

    `confidence` is from 0 to 1, or None.
    """

    id: str
    relation: Relation | None = None
    confidence: float | None = None
    reason: str = ""


class Choice(Record):
    """The record that stands for a query: the model's, or the first candidate with `error` saying why.

    On such a fall-back relation and confidence are None; without candidates `best_id` is None, too.
    """

    enabled: bool = True
    best_id: str | None = None
    best_name: str | None = None
    relation: Relation | None = None
    relation_ja: str | None = None
    confidence: float | None = None
    reason: str = ""
    error: str | None = None


class Mapped(Record):
    """One query with its candidates, best first; `ai` is there where a model was to choose, `said` what it said.

    `candidates` are what is chosen from, `listed` the first `top_k` of them. `removed` is what was taken out of the
    query, with the reasons; `ambiguous` why no candidate can be told apart.
    """

    asked: MapQuery
    top_k: int
    candidates: tuple[Candidate, ...]
    removed: tuple[tuple[str, str], ...] = ()
    ambiguous: str = ""
    ai: Choice | None = None
    said: Said | None = None
    provenance: Provenance | None = None

    @property
    def listed(self) -> tuple[Candidate, ...]:
        """The candidates that were asked for."""
        return self.candidates[: self.top_k]

    @property
    def fitting(self) -> tuple[Candidate, ...]:
        """Those of them that fit, with the one that is chosen; all of them where none does."""
        if not self.fits:
            return self.listed
        return tuple(one for one in self.listed if one.score >= LEAST or one.id == self.best_id)

    @property
    def best_id(self) -> str | None:
        """The id that stands for the query: the choice where there was one, else the first candidate."""
        if self.ai is not None:
            return self.ai.best_id
        return self.candidates[0].id if self.candidates else None

    @property
    def best(self) -> Candidate | None:
        """The candidate that stands for the query, None without one."""
        return next((candidate for candidate in self.candidates if candidate.id == self.best_id), None)

    @property
    def fits(self) -> bool:
        """Whether there is a record to name: chosen by a model, or with a score that is not 0 in what is written."""
        return self.best is not None and (bool(self.relation) or self.best.score >= LEAST)

    @property
    def sure(self) -> bool:
        """Whether the record is likelier right than wrong.

        By the model's word that stands, or as the first candidate with a score of 0.5 that no other one fits as well.
        """
        if self.relation:
            return self.relation != "different"
        return self.best is not None and not self.ambiguous and self.best.score >= _LIKELY

    @property
    def best_name(self) -> str:
        """The name of that record; empty without candidates."""
        return self.best.name if self.best is not None else ""

    @property
    def relation(self) -> Relation | Literal[""]:
        """What the record is, seen from the query, in the model's word that stands; empty without one."""
        return (self.ai.relation or "") if self.ai is not None else ""

    @property
    def error(self) -> str:
        """Why the model's word does not stand; empty where it does, or where no model was asked."""
        return (self.ai.error or "") if self.ai is not None else ""

    @property
    def left_out(self) -> str:
        """What was taken out of the query, in words: `left (side), of the rat (modifier)`; empty without any."""
        return ", ".join(f"{text} ({why})" for text, why in self.removed)

    def as_reply(self) -> dict[str, Any]:
        """The reply as plain JSON values; `ai`, `removed` and `ambiguous` are keys only where there is such a thing."""
        reply: dict[str, Any] = {
            "query": self.asked.query,
            "top_k": self.top_k,
            "candidates": [
                {"id": one.id, "name": one.name, "score": one.score, "signals": dict(one.signals)}
                for one in self.listed
            ],
        }
        if self.removed:
            reply["removed"] = [{"text": text, "why": why} for text, why in self.removed]
        if self.ambiguous:
            reply["ambiguous"] = self.ambiguous
        if self.ai is not None:
            reply["ai"] = self.ai.model_dump(mode="json")
        return reply


class ChoiceCall(Record):
    """One model call for a batch of queries: its key, who answered, what it cost when it was made, why it failed.

    `usd` and the tokens are None where they are not known.
    """

    key: str
    round: int
    queries: int
    model: str = ""
    input_tokens: float | None = None
    output_tokens: float | None = None
    usd: float | None = None
    problem: str = ""
