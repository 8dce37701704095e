"""Ingest: the notes as they stand on disk, optionally with a tidied reading copy made by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from sekisho.agents.base import Agent
from sekisho.agents.fanout import fanout
from sekisho.agents.prompts import load_prompt
from sekisho.agents.subagent import SubAgent
from sekisho.decision import Decision, DecisionFile
from sekisho.events import EventLog
from sekisho.gates import every_file_was_read
from sekisho.records import Gap, Note
from sekisho.sources.decisions import load_decisions
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes


class IngestReply(BaseModel):
    """The document's text, tidied for reading; no gate ever looks at it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]


def make_tidier(agent: Agent, prompts: Path) -> SubAgent[IngestReply]:
    """The sub-agent that makes a reading copy of a document, with its prompt from disk."""
    return SubAgent(agent, load_prompt(prompts, "ingest"), IngestReply)


def ingest_notes(
    folder: DataFolder,
    events: EventLog,
    *,
    tidier: SubAgent[IngestReply] | None = None,
    workers: int = 5,
    read_before: Sequence[Note] = (),
) -> tuple[list[Note], list[Gap]]:
    """Every file below `notes/`, ordered by path, and a gap for each that cannot be read.

    With a `tidier`, a model's normalised copy is stored beside the original; where that fails the original is
    what later stages show, and the event says so. Notes that are as they were `read_before` keep what they got then.
    """
    events.begin("ingest")
    notes = load_notes(folder.below("notes"), encodings=folder.config.encodings, excluded=folder.excluded)
    if tidier is not None:
        notes = _tidied(notes, tidier, events, workers, {(note.path, note.sha256): note for note in read_before})
    for note in notes:
        events.emit("ingest", source=note.source, path=note.path, ok=note.status != "unreadable", status=note.status)
    gaps = [Gap(stage="notes", item=f.item, gate=f.gate, reason=f.message) for f in every_file_was_read(notes)]
    return notes, gaps


def ingest_decisions(folder: DataFolder, events: EventLog) -> tuple[list[Decision], list[DecisionFile]]:
    """Every record below `decisions/`, by id, and what is to be told of the files there, by path."""
    log = folder.below("decisions")
    decisions, files = load_decisions(log, encodings=folder.config.encodings, excluded=folder.excluded)
    for file in files:
        if file.is_fault:
            events.emit("decision_file", path=file.path, ok=False, kind=file.kind, reason=file.message)
    events.emit("decisions", read=len(decisions), told=len(files))
    return decisions, files


def _tidied(
    notes: list[Note],
    tidier: SubAgent[IngestReply],
    events: EventLog,
    workers: int,
    before: Mapping[tuple[str, str], Note],
) -> list[Note]:
    known = [before.get((note.path, note.sha256)) for note in notes]
    tidied = [
        note.model_copy(update={"normalised": old.normalised}) if old else note
        for note, old in zip(notes, known, strict=True)
    ]
    wanted = [index for index, note in enumerate(notes) if note.status == "read" and known[index] is None]

    def work(index: int) -> str:
        text = notes[index].text
        key = f"ingest:{notes[index].source}"
        return tidier.ask(key, {"text": text, "source": notes[index].source}, pass_through={"text": text}).value.text

    events.begin("normalise", [notes[index].source for index in wanted], workers=workers)
    for position, outcome in fanout(wanted, work, workers=workers):
        index = wanted[position]
        events.tell("done", stage="normalise", source=notes[index].source)
        if isinstance(outcome, Exception):
            events.emit("ingest_normalise_failed", source=notes[index].source, reason=str(outcome))
        elif outcome != notes[index].text:
            tidied[index] = notes[index].model_copy(update={"normalised": outcome})
    return tidied
