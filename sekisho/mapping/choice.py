"""The second stage of mapping: a model chooses one of each query's candidates, several queries in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sekisho.agents.base import Agent
from sekisho.agents.fanout import fanout
from sekisho.agents.prompts import load_prompt
from sekisho.agents.subagent import Proposal, SubAgent
from sekisho.catalogue import Catalogue, MapQuery, Term
from sekisho.errors import AgentError, InvalidReply
from sekisho.events import EventLog
from sekisho.mapping.mapped import ChoiceCall, Mapped, Said
from sekisho.mapping.match import Candidate, Matches
from sekisho.mapping.policy import Policy, settle
from sekisho.mapping.reply import RerankReply, as_confidence, as_id, as_relation
from sekisho.records import Provenance
from sekisho.text import printable, shortened

PROMPT = "rerank"
BATCH = 8  # queries in one call
MOST_CANDIDATES = 10  # of one query
_SYNONYMS_SHOWN = 12
_LONGEST_QUERY = 300  # characters
_LONGEST_CONTEXT = 2_000

Asked = tuple[MapQuery, Matches]


def make_reranker(agent: Agent, prompts: Path) -> SubAgent[RerankReply]:
    """The sub-agent that chooses among candidates, with its prompt from disk."""
    return SubAgent(agent, load_prompt(prompts, PROMPT), RerankReply)


@dataclass
class _Heard:
    """What came of one batch: by number what was said, from which reply, or what is wrong with it."""

    said: dict[int, Said] = field(default_factory=dict)
    made_by: dict[int, Provenance] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    calls: list[ChoiceCall] = field(default_factory=list)

    @property
    def settled(self) -> set[int]:
        """The numbers that are not to be asked about again."""
        return self.said.keys() | self.problems.keys()


class Chooser:
    """Asks a model about batches of queries; whatever it does, each query keeps its candidates and gets a choice.

    Batches are numbered from 1 over all calls of `choose`, and so are the keys of the model calls: `rerank:1`. `calls`
    are those made so far, by key.
    """

    def __init__(
        self,
        reranker: SubAgent[RerankReply],
        catalogue: Catalogue,
        events: EventLog | None = None,
        *,
        policy: Policy | None = None,
        workers: int = 5,
    ) -> None:
        self.workers = workers
        self.calls: list[ChoiceCall] = []
        self._reranker = reranker
        self._terms = catalogue.by_id
        self._events = events
        self._policy = policy or Policy()
        self._batches = 0

    def choose(self, queries: Sequence[Asked], *, top_k: int = MOST_CANDIDATES) -> list[Mapped]:
        """Each query with its choice, in order; those without candidates are not asked about.

        Up to eight are asked about in one call, and once more, in one further call, about those that the reply left
        out.
        """
        wanted = [at for at, (_, matches) in enumerate(queries) if matches.candidates]
        batches = [wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH)]
        first = self._batches + 1
        self._batches += len(batches)
        heard: dict[int, tuple[_Heard, int]] = {}
        numbered = [(number, [queries[at] for at in batch]) for number, batch in enumerate(batches, start=first)]
        results: dict[int, _Heard] = {}
        for index, outcome in fanout(numbered, lambda one: self._hear(*one), workers=self.workers):
            results[index] = outcome if isinstance(outcome, _Heard) else _failed(outcome, len(batches[index]))
        for index in range(len(batches)):
            self.calls += results[index].calls
            heard |= {at: (results[index], place) for place, at in enumerate(batches[index], start=1)}
        return [self._mapped(query, top_k, heard.get(at)) for at, query in enumerate(queries)]

    def _hear(self, number: int, batch: Sequence[Asked]) -> _Heard:
        """One batch: a call, and another one for what its reply left out."""
        key, heard = f"{PROMPT}:{number}", _Heard()
        numbers = list(range(1, len(batch) + 1))
        shown = {place: self._shown(place, *batch[place - 1]) for place in numbers}
        feedback: list[str] = []
        for round in (1, 2):
            missing = [place for place in numbers if place not in heard.settled]
            if missing:
                blocks = [shown[place] for place in missing]
                feedback = self._ask(key, round, blocks, feedback, heard)
        for place in numbers:
            if place not in heard.settled:
                heard.problems[place] = f"the model said nothing of it: {_reason(place, feedback)}"
        self._tell(number, heard, len(batch))
        return heard

    def _ask(
        self, key: str, round: int, blocks: Sequence[Mapping[str, Any]], feedback: Sequence[str], heard: _Heard
    ) -> list[str]:
        """One call; what is to be told to the model when it is asked about the rest."""
        numbers = [int(block["query"]) for block in blocks]
        call = ChoiceCall(key=key, round=round, queries=len(blocks))
        try:
            proposal = self._reranker.ask(key, {"queries": list(blocks)}, round=round, feedback=feedback)
        except InvalidReply as error:
            heard.calls.append(call.model_copy(update=_cost(error.usage) | {"problem": str(error)}))
            return list(error.reasons)
        except AgentError as error:
            if error.usage.get("attempts") != 0:  # else nothing was sent
                heard.calls.append(call.model_copy(update=_cost(error.usage) | {"problem": str(error)}))
            heard.problems |= dict.fromkeys(numbers, str(error))
            return []
        cost = {"model": proposal.provenance.model, **_cost(proposal.usage)}
        heard.calls.append(call.model_copy(update=cost))
        _read(proposal, numbers, heard)
        return [f"query {number}: no entry in the reply" for number in numbers if number not in heard.settled]

    def _shown(self, place: int, asked: MapQuery, matches: Matches) -> dict[str, Any]:
        """What the model reads of one query: all of it data, on one line each."""
        block: dict[str, Any] = {"query": place, "text": shortened(asked.query, _LONGEST_QUERY)}
        if asked.context:
            block["context"] = shortened(asked.context, _LONGEST_CONTEXT)
        if matches.removed:
            block["left_out_of_the_search"] = [printable(text) for text, _ in matches.removed]
        if matches.hints:
            block["notes"] = [printable(hint) for hint in matches.hints]
        block["candidates"] = [self._candidate(candidate) for candidate in matches.candidates[:MOST_CANDIDATES]]
        return block

    def _candidate(self, candidate: Candidate) -> dict[str, Any]:
        term = self._terms.get(candidate.id) or Term(id=candidate.id, name=candidate.name)
        parent = self._terms.get(term.parent_id)
        about = {
            "acronym": printable(term.acronym),
            "synonyms": [printable(synonym) for synonym in term.synonyms[:_SYNONYMS_SHOWN]],
            "part_or_kind_of": printable(parent.name) if parent else "",
        }
        known = {name: value for name, value in about.items() if value}
        return {"id": candidate.id, "name": printable(term.name), **known, "score": round(candidate.score, 3)}

    def _mapped(self, query: Asked, top_k: int, heard: tuple[_Heard, int] | None) -> Mapped:
        asked, matches = query
        batch, place = heard or (_Heard(), 0)
        said, problem = batch.said.get(place), batch.problems.get(place, "")
        shown = matches.candidates[:MOST_CANDIDATES]
        mapped = as_mapped(asked, matches, top_k)
        choice = settle(shown, said, problem, self._policy)
        return mapped.model_copy(update={"ai": choice, "said": said, "provenance": batch.made_by.get(place)})

    def _tell(self, number: int, heard: _Heard, asked: int) -> None:
        if self._events is not None:
            problems = sorted(set(heard.problems.values()))
            told = {"calls": len(heard.calls), "asked": asked, "answered": len(heard.said), "problems": problems}
            self._events.emit("mapping_choice", batch=number, **told)


def as_mapped(asked: MapQuery, matches: Matches, top_k: int) -> Mapped:
    """A query with its candidates and no choice."""
    return Mapped(
        asked=asked,
        top_k=top_k,
        candidates=matches.candidates,
        removed=matches.removed,
        ambiguous=matches.ambiguous,
    )


def _read(proposal: Proposal[RerankReply], numbers: Sequence[int], heard: _Heard) -> None:
    for number, entries in proposal.value.entries(numbers).items():
        if len(entries) > 1:
            heard.problems[number] = f"the model gave {len(entries)} entries for it"
            continue
        (entry,) = entries
        reason = entry.get("reason")
        heard.made_by[number] = proposal.provenance
        heard.said[number] = Said(
            id=as_id(entry.get("best_id")),
            relation=as_relation(entry.get("relation")),
            confidence=as_confidence(entry.get("confidence")),
            reason=reason if isinstance(reason, str) else "",
        )


def _reason(place: int, feedback: Sequence[str]) -> str:
    """Why there is nothing of one query, of what was told of all that were asked about."""
    about = [reason for reason in feedback if reason.startswith((f"query {place}:", "reply")) or ":" not in reason]
    return next((reason.removeprefix(f"query {place}: ") for reason in about), feedback[0] if feedback else "no entry")


def _failed(error: Exception, size: int) -> _Heard:
    reason = str(error) or type(error).__name__
    return _Heard(problems=dict.fromkeys(range(1, size + 1), reason))


def _cost(usage: Mapping[str, float | None]) -> dict[str, float | None]:
    return {
        "input_tokens": usage.get("input_tokens"),
        "output_tokens": usage.get("output_tokens"),
        "usd": usage.get("cost_usd"),
    }
