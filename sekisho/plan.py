"""The plan of a run: which model calls it would make, found by going through it with the stored replies alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sekisho.agents.base import Call
from sekisho.agents.rehearsal import Rehearsal, rehearse
from sekisho.draft import draft_answers, make_answerer
from sekisho.errors import GateRefused
from sekisho.events import EventLog
from sekisho.extract import Extraction, extract_facts, make_extractor
from sekisho.ingest import ingest_decisions, ingest_notes, make_tidier
from sekisho.knowledge import compile_knowledge
from sekisho.mapping.choice import PROMPT
from sekisho.mapping.nightly import plan_file
from sekisho.recall.candidates import DecisionFinder
from sekisho.recall.drafts import recall_drafts
from sekisho.recall.prompt import NAME as RECALL
from sekisho.recall.published import make_node, read_drafts
from sekisho.records import Fact, KnowledgeBase, Note, Provenance, SourceText
from sekisho.retrieval.embeddings import documents_in
from sekisho.retrieval.encoder import encoder_of
from sekisho.retrieval.searcher import Searcher, make_ranker
from sekisho.retrieval.select import Ranker
from sekisho.retrieval.store import EmbeddingStore
from sekisho.schema import NotesSchema
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.warehouse import Warehouse

_NOBODY = Provenance(agent="dry run", prompt_sha256="", reply_sha256="")


@dataclass
class Plan:
    """The calls that a run comes to, in order, each with whether its reply is stored.

    `more` has, by key, the input tokens that may come on top of what a call shows now, at the most. `estimated` says,
    by prompt, why its calls are not exactly those of the run, `remarks` what else is to be known.
    """

    calls: list[tuple[Call, bool]]
    more: dict[str, int] = field(default_factory=dict)
    estimated: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def plan_run(settings: Settings) -> Plan:
    """Go through a run without asking or writing anything; `InputError` where the run would end with one."""
    folder = DataFolder(settings.data).check()
    rehearsal = rehearse(settings)
    plan = Plan(rehearsal.calls)
    trouble: list[str] = []
    events = EventLog(Path(os.devnull), run="dry run", listener=lambda event: trouble.append(str(event["event"])))
    with closing(events):
        notes = _ingest(settings, folder, rehearsal, events, plan)
        if notes is not None:
            made = _extract(settings, folder, notes, rehearsal, events)
            _answer(settings, folder, notes, made, rehearsal, events, plan)
        if settings.map_use_ai:
            _map(settings, rehearsal, events, plan)
        _recall(settings, folder, rehearsal, events, plan)
    if "retrieval_failed" in trouble:
        plan.estimated["query"] = "which sources fit into a prompt is decided when it is asked"
    return plan


def _ingest(
    settings: Settings, folder: DataFolder, rehearsal: Rehearsal, events: EventLog, plan: Plan
) -> list[Note] | None:
    """The notes; None where the run would stop at them. What is not tidied yet leaves open what is extracted from."""
    tidier = make_tidier(rehearsal, settings.prompts) if settings.normalise else None
    notes, unread = ingest_notes(folder, events, tidier=tidier, workers=1)
    if unread:
        plan.remarks.append(f"every_file_was_read would stop the run: {unread[0].reason} (files: {len(unread)})")
        return None
    if rehearsal.free is None and rehearsal.wanted:
        for call in rehearsal.wanted:
            key = call.key.replace("ingest:", "extract:", 1)
            rehearsal.open.add(key)
            plan.more[key] = 2 * _longest(call.prompt.params)
        plan.estimated["extract"] = f"documents not tidied yet: {len(rehearsal.wanted)}"
    return notes


def _extract(
    settings: Settings, folder: DataFolder, notes: Sequence[Note], rehearsal: Rehearsal, events: EventLog
) -> Extraction:
    extractor = make_extractor(rehearsal, settings.prompts, folder.notes_schema)
    return extract_facts(notes, extractor, events, workers=1)


def _answer(
    settings: Settings,
    folder: DataFolder,
    notes: Sequence[Note],
    made: Extraction,
    rehearsal: Rehearsal,
    events: EventLog,
    plan: Plan,
) -> None:
    """Draft the answers: from the knowledge base where every fact is known, else from one with the known facts."""
    unknown = [] if rehearsal.free else [call for call in rehearsal.wanted if call.key.startswith("extract:")]
    ranker: Ranker | None = None
    try:
        if unknown:
            base = _provisional(notes, made.facts, folder.notes_schema)
            rehearsal.open |= {f"query:{question.id}" for question in folder.questions}
            plan.estimated["query"] = f"facts not known yet: {len(unknown)}"
        else:
            base = compile_knowledge(notes, made.facts, made.gaps, folder.notes_schema)
            ranker = _ranker(settings, base, events, plan)
    except GateRefused as refused:
        plan.remarks.append(f"no question would be asked: {refused.message}")
        return
    answerer = make_answerer(rehearsal, settings.prompts)
    draft_answers(folder.questions, base, answerer, events, budget=settings.prompt_budget, workers=1, ranker=ranker)
    added = 2 * sum(_longest(call.prompt.params) for call in unknown)
    for call in rehearsal.wanted:
        if unknown and call.key.startswith("query:"):
            room = _room(call.variables["sources"], settings.prompt_budget, len(base.facts), folder.notes_schema)
            plan.more[call.key] = min(added, room)


def _map(settings: Settings, rehearsal: Rehearsal, events: EventLog, plan: Plan) -> None:
    plan_file(settings, rehearsal, events)
    if rehearsal.free is None and any(call.prompt.name == PROMPT for call in rehearsal.wanted):
        plan.estimated[PROMPT] = "a reply that leaves queries out is asked for them once more"


def _recall(settings: Settings, folder: DataFolder, rehearsal: Rehearsal, events: EventLog, plan: Plan) -> None:
    """Recall for the drafts, from the decisions as they lie there; a draft that has not changed is not asked again."""
    decisions, _ = ingest_decisions(folder, events)
    drafts, _ = read_drafts(folder)
    store = EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait)
    dense = settings.recall_candidates == "dense"
    finder = DecisionFinder(decisions, store, encoder_of(settings), settings.index_path, dense_only=dense)
    before = Warehouse(settings.warehouse_path, wait=settings.lock_wait).recalls()
    recall_drafts(drafts, make_node(settings, finder, rehearsal, events), before, workers=1)
    asked = any(call.key.startswith("recall:") for call, _ in rehearsal.calls)
    if asked and len(finder.indexed) < len(decisions):
        plan.estimated[RECALL] = "which decisions are shown is decided when all of them are indexed"


def _ranker(settings: Settings, base: KnowledgeBase, events: EventLog, plan: Plan) -> Ranker:
    """The ranker of the run, from the index as it lies there; where that does not know every source, words decide."""
    store = EmbeddingStore(settings.warehouse_path, wait=settings.lock_wait)
    searcher = Searcher(documents_in(base), store, encoder_of(settings), settings.index_path)
    by_meaning = make_ranker(searcher, events)

    def ranked(question: str) -> Sequence[str]:
        found = by_meaning(question) if settings.warehouse_path.exists() else []
        if set(found) != base.known:
            plan.estimated["query"] = "which sources fit into a prompt is decided when all texts are indexed"
        return found

    return ranked


def _provisional(notes: Sequence[Note], facts: Sequence[Fact], schema: NotesSchema) -> KnowledgeBase:
    """A base over all readable notes, in source order; what is not known of one has the schema's fields, empty."""
    known = {fact.path: fact for fact in facts}
    read = sorted((note for note in notes if note.status == "read"), key=lambda note: note.source)
    nothing: Mapping[str, Any] = dict.fromkeys(schema.fields)
    made = [
        known.get(note.path)
        or Fact(
            path=note.path,
            source=note.source,
            fields=dict(nothing),
            evidence={},
            note_sha256=note.sha256,
            provenance=_NOBODY,
        )
        for note in read
    ]
    texts = [SourceText(source=note.source, path=note.path, text=note.text, sha256=note.sha256) for note in read]
    return KnowledgeBase(generation="dry run", facts=tuple(made), sources=tuple(texts))


def _longest(params: Mapping[str, Any]) -> int:
    longest = params.get("max_tokens")
    return longest if isinstance(longest, int) else 1_000_000


def _room(shown: Sequence[Mapping[str, Any]], budget: int, facts: int, schema: NotesSchema) -> int:
    """The bytes by which facts and passages can grow until they fill the prompt's budget of characters.

    A character takes six bytes at the most, as an escape; a source and each of its fields bring some JSON around them.
    """
    most = 6 * budget + facts * (200 + 30 * len(schema.fields))
    return max(0, most - len(json.dumps(shown, ensure_ascii=False, indent=2).encode("utf-8")))
