"""Compile: the facts that passed every gate become the published knowledge base, or nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sekisho.answer import still_holding
from sekisho.compiled import render_if_behind
from sekisho.errors import GateRefused
from sekisho.events import EventLog
from sekisho.extract import refusals
from sekisho.gates import Finding, check_facts
from sekisho.gates.quotes import Sources
from sekisho.records import Fact, Gap, KnowledgeBase, Note, Place, SourceText
from sekisho.schema import NotesSchema
from sekisho.seals import generation_of, sealed
from sekisho.warehouse import Warehouse

_NAMED = 20  # findings in the words of a refusal; all of them are its findings


def compile_knowledge(
    notes: Sequence[Note], facts: Sequence[Fact], gaps: Sequence[Gap], schema: NotesSchema
) -> KnowledgeBase:
    """The facts and the texts they rest on, in source order; `GateRefused` with every finding where a gate says no.

    Evidence is published in the letters of its note, whatever harmless variant the model wrote.
    The generation is a digest of the content: the same facts over the same texts are the same generation.
    """
    findings = check_facts(notes, facts, gaps, schema)
    if findings:
        raise GateRefused(_told(findings), findings)
    by_path = {note.path: note for note in notes}
    ordered = [_published(fact, by_path[fact.path]) for fact in sorted(facts, key=lambda fact: fact.source)]
    sources = [
        SourceText(
            source=fact.source,
            path=fact.path,
            text=by_path[fact.path].text,
            sha256=fact.note_sha256,
            reader=by_path[fact.path].reader,
        )
        for fact in ordered
    ]
    return KnowledgeBase(generation=generation_of(ordered), facts=tuple(ordered), sources=tuple(sources))


def _published(fact: Fact, note: Note) -> Fact:
    """The fact with its evidence in the letters of the note, the places of it, and its seal."""
    text = Sources({fact.source: note.text})
    verdicts = {name: text.check(fact.source, quote) for name, quote in fact.evidence.items()}
    places = {name: Place(reason=found.reason, start=found.start, end=found.end) for name, found in verdicts.items()}
    evidence = {name: note.text[place.start : place.end] for name, place in places.items()}
    return sealed(fact.model_copy(update={"evidence": evidence, "places": places}))


def publish_knowledge(
    warehouse: Warehouse, schema: NotesSchema, compiled: Path, events: EventLog, *, round: int = 1
) -> KnowledgeBase:
    """Verify the candidate facts again and publish them: one DuckDB transaction, then `compiled.json`.

    Published answers that do not hold against the new base are withdrawn in the same transaction.
    Where a gate says no, the last published state stays as it was, what was held against it is recorded, and
    `GateRefused` is raised.
    """
    events.begin("compile")
    notes, facts, gaps = warehouse.notes(), warehouse.facts(), warehouse.gaps()
    standing = warehouse.knowledge()
    try:
        base = compile_knowledge(notes, facts, gaps, schema)
        _refuse_to_empty(base, standing)
    except GateRefused as refused:
        warehouse.replace_gaps("knowledge_base", refusals(refused.findings, gaps, facts, notes, round=round))
        events.emit("compile", ok=False, reasons=list(refused.reasons), standing=standing.generation)
        stands = f"the last published generation {standing.generation} stands"
        told = stands if standing.generation else "nothing was published before"
        raise GateRefused(f"{refused.message}; {told}", refused.findings) from None
    warehouse.publish_knowledge(base, still_holding(warehouse.answers(), base))
    render_if_behind(base, compiled)
    events.emit("compile", ok=True, generation=base.generation, facts=len(base.facts))
    return base


def _refuse_to_empty(base: KnowledgeBase, standing: KnowledgeBase) -> None:
    """No documents at all, where there were some, is a folder that went missing rather than knowledge."""
    if standing.facts and not base.facts:
        message = f"no documents, where {len(standing.facts)} are published: restore the notes, or remove the state"
        findings = [Finding("knowledge_base", "notes", message)]
        raise GateRefused(_told(findings), findings)


def _told(findings: Sequence[Finding]) -> str:
    more = f"; and {len(findings) - _NAMED:,} more" if len(findings) > _NAMED else ""
    return f"the knowledge base was not published: {'; '.join(found.message for found in findings[:_NAMED])}{more}"
