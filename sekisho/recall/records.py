"""What recall says of one draft, as a row of the table `recall_citations`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sekisho.decision import DecisionStatus
from sekisho.recall.citations import Relevance, Standing, Why
from sekisho.records import Provenance, Record

RecallStatus = Literal["recalled", "skipped", "no_candidates", "embedding_failed", "llm_failed"]
UNJUDGED = (
    "local ranks and does not judge: unrelated decisions fill the list, and texts in another language than the draft "
    "rank low (docs/recall.md)"
)


class RecallCitation(Record):
    """One verified citation; `stands_in` is where its reason was found, the other names are the decision's own."""

    adr_id: str
    relevance: Relevance
    relevance_reason: str
    stands_in: Standing
    original_id: str = ""
    title: str = ""
    status: DecisionStatus = "unstated"


class DroppedCitation(Record):
    """What a model returned and a rule took out; without its words where there were many: `times` says how many."""

    adr_id: str
    relevance_reason: str
    why: Why
    times: int = 1


class Recall(Record):
    """What came of one draft, whatever happened: `citations` is empty where recall could not look.

    `reason` says in a word why a draft was skipped or what failed, `problem` the whole story, or
    that the draft was not used whole. `candidates` are the ids
    that were shown, best first. `inputs` is the digest of all that decides the reply, so that the same is not asked
    again; it is empty where no model was asked. `prompt_problem` says why the built-in prompt stood in.
    """

    draft: str
    path: str
    title: str
    status: RecallStatus
    reason: str = ""
    problem: str = ""
    citations: tuple[RecallCitation, ...] = ()
    dropped: tuple[DroppedCitation, ...] = ()
    candidates: tuple[str, ...] = ()
    prompt_problem: str = ""
    inputs: str = ""
    provenance: Provenance | None = None

    @property
    def failed(self) -> bool:
        """Whether it could not look: the list is empty for no reason of its own."""
        return self.status in ("embedding_failed", "llm_failed")

    @property
    def unjudged(self) -> bool:
        """Whether its citations are a mere ranking: the local agent names the best candidates, related or not."""
        return bool(self.citations) and self.provenance is not None and self.provenance.agent == "local"

    @property
    def returned(self) -> int:
        """How many citations the model named."""
        return len(self.citations) + sum(one.times for one in self.dropped)

    @property
    def misattributed(self) -> int:
        """How many citations rest on words of another candidate."""
        return sum(citation.stands_in == "other_summary" for citation in self.citations)


def as_state(citations: Sequence[RecallCitation]) -> dict[str, Any]:
    """The JSON value for the next node, written over whatever stood in its state before."""
    names = {"adr_id", "relevance", "relevance_reason"}
    return {"recallCitations": [citation.model_dump(mode="json", include=names) for citation in citations]}
