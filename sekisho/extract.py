"""Extract: one typed fact per document, each by its own worker; a document that fails is a gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from sekisho.agents.base import Agent
from sekisho.agents.fanout import fanout
from sekisho.agents.prompts import load_prompt
from sekisho.agents.subagent import SubAgent
from sekisho.errors import InvalidReply
from sekisho.events import EventLog
from sekisho.gates import Finding, check_facts, facts_fit_the_schema, sources_are_unique
from sekisho.records import Fact, Gap, Note
from sekisho.rounds import Plan, after
from sekisho.schema import FactReply, NotesSchema

_FIRST: Plan[Fact] = Plan()


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
    plan: Plan[Fact] = _FIRST,
) -> Extraction:
    """Ask for one fact per readable note; events come in the order of completion, facts in the order of the notes.

    Empty and unreadable notes are not asked about, nor are those whose fact the plan takes over. Source ids come from
    the notes, never from the reply.
    """
    facts = {note.path: plan.standing[note.path] for note in notes if note.path in plan.standing}
    documents = [note for note in notes if note.status == "read" and note.path not in facts]
    gaps: dict[str, Gap] = {}
    events.begin("extract", [note.source for note in documents], workers=workers)
    for index, outcome in fanout(
        documents, lambda note: _extract(note, extractor, plan), workers=workers, executor=executor
    ):
        note = documents[index]
        if isinstance(outcome, Exception):
            gaps[note.path] = _gap(note, outcome, plan)
            events.emit("extract", source=note.source, path=note.path, ok=False, reason=gaps[note.path].reason)
        else:
            facts[note.path] = outcome
            made_by = outcome.provenance.model_dump()
            events.emit("extract", source=note.source, path=note.path, ok=True, note=note.sha256, **made_by)
    order = [note.path for note in notes]
    return Extraction([facts[path] for path in order if path in facts], [gaps[path] for path in order if path in gaps])


def held_against(
    made: Extraction, notes: Sequence[Note], earlier: Iterable[Gap], schema: NotesSchema, *, round: int = 1
) -> list[Gap]:
    """What the gates hold against publishing an extraction; of the `earlier` gaps, those of the notes still count."""
    findings = check_facts(notes, made.facts, made.gaps, schema)
    told = [*(gap for gap in earlier if gap.stage == "notes"), *made.gaps]
    return refusals(findings, told, made.facts, notes, round=round)


def refusals(
    findings: Sequence[Finding], gaps: Sequence[Gap], facts: Sequence[Fact], notes: Sequence[Note], *, round: int = 1
) -> list[Gap]:
    """What the gates hold against the knowledge base, leaving out items that already have a gap of their own."""
    told = {gap.item for gap in gaps if gap.stage in ("notes", "facts")}
    made = {fact.path: fact for fact in facts}
    documents = {note.path for note in notes}
    return [
        _refusal(found, made.get(found.item), found.item in documents, round)
        for found in findings
        if found.item not in told
    ]


def _refusal(found: Finding, fact: Fact | None, is_document: bool, round: int) -> Gap:
    """One refusal: the model is told what is held against its fact; what is about no one document it cannot mend."""
    gap = Gap(stage="knowledge_base", item=found.item, gate=found.gate, reason=found.message, round=round, again=False)
    if found.gate == sources_are_unique.__name__:  # its item is a source id, which may be spelt like a path
        return gap
    if fact is None:
        return gap.model_copy(update={"again": is_document})
    mend = {"again": True, "feedback": (found.message,), "about": fact.note_sha256}
    return gap.model_copy(update={"round": fact.provenance.round, **mend})


def _extract(note: Note, extractor: SubAgent[FactReply], plan: Plan[Fact]) -> Fact:
    variables = {"source": note.source, "text": note.shown}
    told = plan.told(note.path)
    proposal = extractor.ask(f"extract:{note.source}", variables, round=plan.round, feedback=told)
    return Fact(
        path=note.path,
        source=note.source,
        fields=proposal.value.fields.model_dump(mode="json", by_alias=True),
        evidence=proposal.value.evidence.model_dump(mode="json", by_alias=True, exclude_none=True),
        note_sha256=note.sha256,
        provenance=proposal.provenance,
        reply=proposal.reply,
    )


def _gap(note: Note, error: Exception, plan: Plan[Fact]) -> Gap:
    again, feedback = after(error, plan.told(note.path))
    return Gap(
        stage="facts",
        item=note.path,
        gate=facts_fit_the_schema.__name__ if isinstance(error, InvalidReply) else "extract",
        reason=str(error) or type(error).__name__,
        round=plan.round,
        again=again,
        feedback=feedback,
        about=note.sha256,
    )
