"""Recall for one draft: look for candidates, ask a model once, keep what the rules let through.

It never judges a draft and never rejects one. Whatever fails gives an empty list and an event that says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from sekisho.agents.base import Agent
from sekisho.agents.subagent import Proposal, SubAgent
from sekisho.decision import Decision, DraftDecision
from sekisho.events import EventLog
from sekisho.hashing import sha256_file, sha256_json
from sekisho.recall import citations, text
from sekisho.recall.candidates import Candidate
from sekisho.recall.citations import filter_valid_citations
from sekisho.recall.failures import failure_reason
from sekisho.recall.limits import LOOKED_WITH, SENT, cut_draft, told_cut
from sekisho.recall.own import is_own, spellings
from sekisho.recall.prompt import LoadedPrompt, load_recall_prompt, variables_of
from sekisho.recall.records import DroppedCitation, Recall, RecallCitation
from sekisho.recall.reply import RecallReply
from sekisho.recall.text import build_recall_query_text
from sekisho.text import is_blank

_NAMESAKES = 2  # decisions that may go by one number


class Finder(Protocol):
    """Where candidates come from; whatever it raises is a failure to look."""

    def find(self, query: str, *, k: int = 20, without: Collection[str] = ()) -> list[Candidate]:
        """The k decisions most related to a text, best first."""
        ...


class RecallNode:
    """Recalls for one draft after another; safe to call from several threads, and never raises.

    `top_n` is how many candidates the model is shown, `stage` the folder of the prompt.
    """

    def __init__(
        self,
        finder: Finder,
        agent: Agent,
        prompts: Path,
        events: EventLog,
        *,
        enabled: bool = True,
        top_n: int = 20,
        stage: str = "production",
    ) -> None:
        self._finder = finder
        self._agent = agent
        self._prompts = prompts
        self._events = events
        self._enabled = enabled
        self._top_n = top_n
        self._stage = stage

    def recall(self, draft: DraftDecision, before: Recall | None = None) -> Recall:
        """What came of a draft; the same as `before`, unasked, where nothing that decides it has changed since."""
        if not self._enabled:
            return self._skipped(draft, "disabled")
        looked = cut_draft(draft, LOOKED_WITH)
        query = build_recall_query_text(looked.title, looked.context, looked.options)
        if is_blank(query):
            return self._skipped(draft, "empty")
        if cut := told_cut(draft):
            self._events.emit("recall_pre_gate_draft_cut", draft=draft.id, problem=cut)
        try:
            found = self._candidates(draft, query)
        except Exception as error:  # the model, the store, the index: whatever it was, nothing was looked at
            return self._failed(draft, "embedding_failed", error, ())
        if not found:
            self._events.emit("recall_pre_gate_no_candidates", draft=draft.id)
            return _recall(draft, status="no_candidates")
        shown = variables_of(cut_draft(draft, SENT), found)
        loaded = load_recall_prompt(self._prompts, stage=self._stage, variables=shown)
        inputs = self._digest(draft, shown, loaded)
        told = {"problem": cut, "prompt_problem": loaded.problem}
        if before is not None and before.status == "recalled" and before.inputs == inputs:
            return before.model_copy(update={"draft": draft.id, "path": draft.path, **told})
        made = self._ask(draft, found, shown, loaded)
        return made if made.failed else made.model_copy(update={"inputs": inputs, **told})

    def _candidates(self, draft: DraftDecision, query: str) -> list[Decision]:
        """The decisions that the model is shown: not the draft's own record, by whichever of its ids it is named."""
        own = spellings(draft.adr_id)
        found = self._finder.find(query, k=self._top_n + len(own) * _NAMESAKES, without=own)
        others = [one.decision for one in found if not own or not is_own(one.decision, draft.adr_id)]
        return others[: self._top_n]

    def _ask(
        self, draft: DraftDecision, found: Sequence[Decision], variables: Mapping[str, Any], loaded: LoadedPrompt
    ) -> Recall:
        why = {"problem": loaded.problem} if loaded.problem else {}
        self._events.emit("prompt_loaded", draft=draft.id, origin=loaded.origin, **why)
        shown = tuple(decision.id for decision in found)
        try:
            proposal = self._propose(draft, variables, loaded)
            made = _judged(draft, found, proposal)
        except Exception as error:  # one call, and whatever comes of it
            return self._failed(draft, "llm_failed", error, shown, loaded.problem)
        counts = {
            "returned": made.returned,
            "kept": len(made.citations),
            "dropped": made.returned - len(made.citations),
        }
        told = {"draft": draft.id, **counts, "misattributed": made.misattributed}
        self._events.emit("recall_pre_gate_citations_filtered", **told)
        return made

    def _propose(
        self, draft: DraftDecision, variables: Mapping[str, Any], loaded: LoadedPrompt
    ) -> Proposal[RecallReply]:
        asker = SubAgent(self._agent, loaded.prompt, RecallReply, schema=loaded.prompt.schema)
        return asker.ask(f"recall:{draft.id}", variables)

    def _digest(self, draft: DraftDecision, asked: Mapping[str, Any], loaded: LoadedPrompt) -> str:
        """What decides the reply and what becomes of it: another digest, another call."""
        prompt = loaded.prompt
        agent = [self._agent.name, self._agent.fingerprint]
        return sha256_json([f"recall:{draft.id}", asked, prompt.sha256, dict(prompt.params), agent, rules_sha256()])

    def _skipped(self, draft: DraftDecision, reason: str) -> Recall:
        self._events.emit("recall_pre_gate_skipped", draft=draft.id, reason=reason)
        return _recall(draft, status="skipped", reason=reason)

    def _failed(
        self, draft: DraftDecision, status: str, error: Exception, shown: tuple[str, ...], prompt_problem: str = ""
    ) -> Recall:
        reason, problem = failure_reason(error), str(error) or type(error).__name__
        self._events.emit(f"recall_pre_gate_{status}", draft=draft.id, reason=reason, problem=problem)
        told = {"reason": reason, "problem": problem, "prompt_problem": prompt_problem}
        return _recall(draft, status=status, candidates=shown, **told)


@cache
def rules_sha256() -> str:
    """The digest of the code that decides which citations hold."""
    return sha256_json([sha256_file(Path(str(module.__file__))) for module in (citations, text)])


def _judged(draft: DraftDecision, found: Sequence[Decision], proposal: Proposal[RecallReply]) -> Recall:
    """The model's reply after the rules."""
    known = {decision.id: decision for decision in found}
    summaries = {id: decision.summary for id, decision in known.items()}
    kept, dropped = filter_valid_citations(
        proposal.value.citations, summaries, (draft.title, draft.context, draft.options)
    )
    return _recall(
        draft,
        status="recalled",
        candidates=tuple(known),
        citations=tuple(
            RecallCitation(
                adr_id=one.adr_id,
                relevance=one.relevance,
                relevance_reason=one.relevance_reason,
                stands_in=one.stands_in,
                original_id=known[one.adr_id].original_id,
                title=known[one.adr_id].title,
                status=known[one.adr_id].status,
            )
            for one in kept
        ),
        dropped=tuple(
            DroppedCitation(adr_id=one.adr_id, relevance_reason=one.relevance_reason, why=one.why, times=one.times)
            for one in dropped
        ),
        provenance=proposal.provenance,
    )


def _recall(draft: DraftDecision, **fields: Any) -> Recall:
    return Recall(draft=draft.id, path=draft.path, title=draft.title, **fields)
