"""Extract: one typed fact per document, each by its own worker; a document that fails is a gap."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from sekisho.agents.base import Agent
from sekisho.agents.fanout import fanout
from sekisho.agents.prompts import load_prompt
from sekisho.agents.subagent import SubAgent
from sekisho.errors import InvalidReply
from sekisho.events import EventLog
from sekisho.gates import Finding, facts_fit_the_schema
from sekisho.records import Fact, Gap, Note
from sekisho.schema import FactReply, NotesSchema


@dataclass(frozen=True, slots=True)
class Extraction:
    """The facts in source order, and a gap for each document that gave none."""

    facts: list[Fact]
    gaps: list[Gap]


def make_extractor(agent: Agent, prompts: Path, schema: NotesSchema) -> SubAgent[FactReply]:
    """The sub-agent that reads one document into the user's fact type, with its prompt from disk."""
    fields = {name: spec.model_dump(exclude_defaults=True) for name, spec in schema.fields.items()}
    return SubAgent(agent, load_prompt(prompts, "extract"), schema.reply_type(), {"fields": fields})


def extract_facts(
    notes: Sequence[Note],
    extractor: SubAgent[FactReply],
    events: EventLog,
    *,
    workers: int = 5,
    executor: Executor | None = None,
) -> Extraction:
    """Ask for one fact per readable note; events come in the order of completion, facts in the order of the notes.

    Empty and unreadable notes are not asked about. Source ids come from the notes, never from the reply.
    """
    documents = [note for note in notes if note.status == "read"]
    facts: dict[int, Fact] = {}
    gaps: dict[int, Gap] = {}
    for index, outcome in fanout(documents, lambda note: _extract(note, extractor), workers=workers, executor=executor):
        note = documents[index]
        if isinstance(outcome, Exception):
            gaps[index] = _gap(note, outcome)
            events.emit("extract", source=note.source, path=note.path, ok=False, reason=gaps[index].reason)
        else:
            facts[index] = outcome
            made_by = outcome.provenance.model_dump()
            events.emit("extract", source=note.source, path=note.path, ok=True, note=note.sha256, **made_by)
    return Extraction([facts[index] for index in sorted(facts)], [gaps[index] for index in sorted(gaps)])


def refusals(findings: Sequence[Finding], gaps: Sequence[Gap]) -> list[Gap]:
    """What the gates hold against the knowledge base, leaving out items that already have a gap of their own."""
    told = {gap.item for gap in gaps if gap.stage in ("notes", "facts")}
    return [
        Gap(stage="knowledge_base", item=found.item, gate=found.gate, reason=found.message)
        for found in findings
        if found.item not in told
    ]


def _extract(note: Note, extractor: SubAgent[FactReply]) -> Fact:
    proposal = extractor.ask(f"extract:{note.source}", {"source": note.source, "text": note.shown})
    return Fact(
        path=note.path,
        source=note.source,
        fields=proposal.value.fields.model_dump(mode="json", by_alias=True),
        evidence=proposal.value.evidence.model_dump(mode="json", by_alias=True, exclude_none=True),
        note_sha256=note.sha256,
        provenance=proposal.provenance,
    )


def _gap(note: Note, error: Exception) -> Gap:
    gate = facts_fit_the_schema.__name__ if isinstance(error, InvalidReply) else "extract"
    reason = str(error) or type(error).__name__
    return Gap(stage="facts", item=note.path, gate=gate, reason=reason)
