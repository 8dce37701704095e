"""The gates before the knowledge base: count, duplicates, shape and evidence of the extracted facts.

Each is a pure predicate: values in, findings out, an empty list where all is well.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from sekisho.compiled import render_compiled
from sekisho.gates.finding import Finding, validation_reasons
from sekisho.gates.numbers import evidence_holds_the_value
from sekisho.gates.quotes import Sources, told
from sekisho.records import Fact, Gap, KnowledgeBase, Note
from sekisho.schema import NotesSchema
from sekisho.text import printable, shortened


def every_file_was_read(notes: Iterable[Note]) -> list[Finding]:
    """A finding for each file that could not be read; empty files are no finding."""
    gate = "every_file_was_read"
    return [
        Finding(gate, printable(note.path), f"unreadable file: {note.path}: {note.problem}")
        for note in notes
        if note.status == "unreadable"
    ]


def fact_count_matches(notes: Sequence[Note], facts: Sequence[Fact], gaps: Sequence[Gap]) -> list[Finding]:
    """One finding `fact count 4 != 5` where facts and documents differ in number, then one per missing fact."""
    gate = "fact_count_matches"
    documents = [note for note in notes if note.is_document]
    if len(facts) == len(documents):
        return []
    reasons = {gap.item: gap.reason for gap in gaps if gap.stage == "facts"}
    have = {fact.path for fact in facts}
    missing = [
        Finding(
            gate,
            note.path,
            f"no fact from {note.path}: {reasons.get(note.path, note.problem or 'none made')}",
        )
        for note in documents
        if note.path not in have
    ]
    return [Finding(gate, "facts", f"fact count {len(facts)} != {len(documents)}"), *missing]


def sources_are_unique(facts: Iterable[Fact]) -> list[Finding]:
    """A finding `duplicate source: X` for each source that more than one fact claims."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for fact in facts:
        paths[fact.source].append(fact.path)
    findings = []
    for source, found in sorted(paths.items()):
        if len(found) > 1:
            told = ", ".join(printable(path) for path in found)
            findings.append(Finding("sources_are_unique", source, f"duplicate source: {printable(source)}"))
            findings.append(Finding("sources_are_unique", source, f"rename one of these: {told}"))
    return findings


def facts_fit_the_schema(facts: Iterable[Fact], gaps: Iterable[Gap], schema: NotesSchema) -> list[Finding]:
    """A finding for each reply that did not fit, and each stored fact that no longer does."""
    gate = "facts_fit_the_schema"
    findings = [Finding(gate, gap.item, gap.reason) for gap in gaps if gap.gate == gate]
    reply_type = schema.reply_type()
    for fact in facts:
        try:
            reply_type.model_validate_json(json.dumps({"fields": fact.fields, "evidence": fact.evidence}))
        except ValidationError as error:
            findings += [Finding(gate, fact.path, reason) for reason in validation_reasons(error)]
    return findings


def evidence_is_verbatim(facts: Iterable[Fact], notes: Iterable[Note]) -> list[Finding]:
    """A finding for each evidence quote that does not stand in the original text of its own note."""
    gate = "evidence_is_verbatim"
    texts = {note.path: note for note in notes}
    findings = []
    for fact in facts:
        note = texts.get(fact.path)
        if note is not None and note.source != fact.source:
            findings.append(Finding(gate, fact.path, f"its source is {note.source}, not {shortened(fact.source)}"))
            continue
        if note is None or note.sha256 != fact.note_sha256:
            findings.append(Finding(gate, fact.path, "the note has changed since this fact was extracted"))
            continue
        text = Sources({fact.path: note.text})
        findings += [
            Finding(gate, fact.path, told("evidence", verdict, fact.path, f"{name}: {quote}"))
            for name, quote in fact.evidence.items()
            if not (verdict := text.check(fact.path, quote)).accepted
        ]
    return findings


def check_facts(
    notes: Sequence[Note], facts: Sequence[Fact], gaps: Sequence[Gap], schema: NotesSchema
) -> list[Finding]:
    """Every gate that stands before the knowledge base, in the order a reader wants to hear of them."""
    return [
        *every_file_was_read(notes),
        *fact_count_matches(notes, facts, gaps),
        *sources_are_unique(facts),
        *facts_fit_the_schema(facts, gaps, schema),
        *evidence_is_verbatim(facts, notes),
        *evidence_holds_the_value(facts, schema),
    ]


def knowledge_base_is_complete(notes: Sequence[Note], base: KnowledgeBase, compiled: str) -> list[Finding]:
    """Findings where the published base lacks, exceeds or is behind the notes, or `compiled` is not its rendering."""
    gate = "knowledge_base_is_complete"
    wanted = {note.source: note.sha256 for note in notes if note.is_document}
    have = {source.source: source.sha256 for source in base.sources}
    facts = [fact.source for fact in base.facts]
    findings = [Finding(gate, name, f"not published: {name}") for name in sorted(wanted.keys() - have.keys())]
    findings += [
        Finding(gate, name, f"published, but no longer there: {name}") for name in sorted(have - wanted.keys())
    ]
    findings += [
        Finding(gate, name, f"published from an older text: {name}")
        for name in sorted(wanted.keys() & have.keys())
        if wanted[name] != have[name]
    ]
    if sorted(facts) != sorted(have):
        findings.append(Finding(gate, "facts", f"fact count {len(facts)} != {len(have)}"))
    if compiled != render_compiled(base):
        findings.append(Finding(gate, "compiled.json", "compiled.json is not what was published"))
    return findings
