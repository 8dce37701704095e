"""Compile: the facts that passed every gate become the published knowledge base, or nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sekisho.errors import GateRefused
from sekisho.events import EventLog
from sekisho.extract import refusals
from sekisho.gates import check_facts
from sekisho.hashing import sha256_json
from sekisho.publish import render_compiled, rendered_generation, write_atomically
from sekisho.records import Fact, Gap, KnowledgeBase, Note, SourceText
from sekisho.schema import NotesSchema
from sekisho.warehouse import Warehouse


def compile_knowledge(
    notes: Sequence[Note], facts: Sequence[Fact], gaps: Sequence[Gap], schema: NotesSchema
) -> KnowledgeBase:
    """The facts and the texts they rest on, in source order; `GateRefused` with every finding where a gate says no.

    The generation is a digest of the content: the same facts over the same texts are the same generation.
    """
    findings = check_facts(notes, facts, gaps, schema)
    if findings:
        messages = [found.message for found in findings]
        raise GateRefused(f"the knowledge base was not published: {'; '.join(messages)}", messages)
    ordered = sorted(facts, key=lambda fact: fact.source)
    by_path = {note.path: note for note in notes}
    sources = [
        SourceText(source=fact.source, path=fact.path, text=by_path[fact.path].text, sha256=fact.note_sha256)
        for fact in ordered
    ]
    content = [[fact.source, fact.fields, fact.evidence, fact.note_sha256] for fact in ordered]
    return KnowledgeBase(generation=sha256_json(content)[:16], facts=tuple(ordered), sources=tuple(sources))


def publish_knowledge(warehouse: Warehouse, schema: NotesSchema, compiled: Path, events: EventLog) -> KnowledgeBase:
    """Verify the candidate facts again and publish them: one DuckDB transaction, then `compiled.json`.

    Where a gate says no, the last published state stays as it was, what was held against it is recorded, and
    `GateRefused` is raised.
    """
    notes, facts, gaps = warehouse.notes(), warehouse.facts(), warehouse.gaps()
    try:
        base = compile_knowledge(notes, facts, gaps, schema)
    except GateRefused as refused:
        warehouse.replace_gaps("knowledge_base", refusals(check_facts(notes, facts, gaps, schema), gaps))
        standing = warehouse.knowledge().generation
        events.emit("compile", ok=False, reasons=list(refused.reasons), standing=standing)
        stands = f"the last published generation {standing} stands" if standing else "nothing was published before"
        raise GateRefused(f"{refused.message}; {stands}", refused.reasons) from None
    warehouse.publish_knowledge(base)
    render_if_behind(base, compiled)
    events.emit("compile", ok=True, generation=base.generation, facts=len(base.facts))
    return base


def render_if_behind(base: KnowledgeBase, compiled: Path) -> None:
    """Write `compiled.json` where it is not of the published generation: the DuckDB commit is the truth."""
    if base.generation and rendered_generation(compiled) != base.generation:
        write_atomically(compiled, render_compiled(base))
