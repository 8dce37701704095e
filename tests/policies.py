"""Every prompt with its policy, at the smallest function that has both: what came of some items, asked of an agent."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sekisho.agents.base import Agent
from sekisho.agents.fixtures import FixtureAgent
from sekisho.answer import verify_drafts
from sekisho.draft import draft_answers, make_answerer
from sekisho.errors import GateRefused
from sekisho.events import EventLog
from sekisho.extract import extract_facts, make_extractor
from sekisho.ingest import ingest_notes, make_tidier
from sekisho.knowledge import compile_knowledge
from sekisho.mapping.policy import Policy
from sekisho.recall.drafts import recall_drafts
from sekisho.recall.node import RecallNode
from sekisho.records import KnowledgeBase, Note
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import load_notes
from sekisho.yamlio import load_yaml
from tests.conftest import ROOT
from tests.rerank import MATCHER, NAMES, mapped_by
from tests.test_recall_rules import DECISIONS, DRAFT, Listed, own

_PROMPTS = ROOT / "prompts"
_FOLDER = DataFolder(ROOT / "data")
_replies = load_yaml(_FOLDER.root / "fixtures" / "plants.yaml")


@dataclass(frozen=True)
class Came:
    """How many items got what the model said, why the others did not, and the events of it all."""

    good: int
    reasons: tuple[str, ...]
    events: tuple[Mapping[str, Any], ...] = ()


class Log(EventLog):
    """An event log that is also a list."""

    def __init__(self, state: Path) -> None:
        self.lines: list[Mapping[str, Any]] = []
        super().__init__(state / "log.jsonl", run="r", listener=self.lines.append)

    def told(self, event: str) -> tuple[Mapping[str, Any], ...]:
        return tuple(line for line in self.lines if line["event"] == event)


@cache
def pothos() -> Note:
    return load_notes(_FOLDER.root / "notes")[0]


def notes_like_it(count: int) -> list[Note]:
    """So many notes of the same text, each its own source; no two are the same call."""
    names = [f"{number:03d}-pothos" for number in range(count)]
    return [pothos().model_copy(update={"path": f"{name}.md", "source": name}) for name in names]


@cache
def _base() -> KnowledgeBase:
    notes = load_notes(_FOLDER.root / "notes")
    extractor = make_extractor(FixtureAgent(_replies), _PROMPTS, _FOLDER.notes_schema)
    made = extract_facts(notes, extractor, EventLog(Path(os.devnull), run="r"))
    return compile_knowledge(notes, made.facts, made.gaps, _FOLDER.notes_schema)


def tidy(agent: Agent, state: Path, count: int = 1) -> Came:
    """Tidied copies; where there is none the original is what later stages show."""
    notes, log = notes_like_it(count), Log(state)
    folder = state / "notes-of-ingest"
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    for note in notes:
        (folder / "notes" / note.path).write_text(note.text, encoding="utf-8")
    read, gaps = ingest_notes(DataFolder(folder), log, tidier=make_tidier(agent, _PROMPTS))
    assert not gaps and [note.text for note in read] == [note.text for note in notes]
    assert all(note.shown == note.text for note in read if not note.normalised), "the original passes through"
    failed = log.told("ingest_normalise_failed")
    return Came(sum(bool(note.normalised) for note in read), tuple(str(line["reason"]) for line in failed), failed)


def extract(agent: Agent, state: Path, count: int = 1) -> Came:
    """Facts; a document without one is a gap, and nothing at all is published."""
    notes, log = notes_like_it(count), Log(state)
    made = extract_facts(notes, make_extractor(agent, _PROMPTS, _FOLDER.notes_schema), log)
    assert len(made.facts) + len(made.gaps) == count and all(gap.stage == "facts" for gap in made.gaps)
    if made.gaps:
        with pytest.raises(GateRefused):
            compile_knowledge(notes, made.facts, made.gaps, _FOLDER.notes_schema)
    failed = tuple(line for line in log.told("extract") if not line["ok"])
    return Came(len(made.facts), tuple(gap.reason for gap in made.gaps), failed)


def query(agent: Agent, state: Path, count: int = 1) -> Came:
    """Published answers; a question without one is a gap."""
    log = Log(state)
    known = _FOLDER.questions[0]
    questions = [known.model_copy(update={"id": f"{n}", "question": f"{known.question} ({n})"}) for n in range(count)]
    drafts = draft_answers(questions, _base(), make_answerer(agent, _PROMPTS), log)
    verdict = verify_drafts(drafts, questions, _base(), [], log)
    assert len(verdict.answers) + len({gap.item for gap in verdict.gaps}) == count
    failed = tuple(line for line in log.told("query") if not line["ok"])
    return Came(len(verdict.answers), tuple(gap.reason.removeprefix("no draft: ") for gap in verdict.gaps), failed)


def recall(agent: Agent, state: Path, count: int = 1) -> Came:
    """Lists of citations; where the model failed the list is empty, and nothing is rejected."""
    log = Log(state)
    node = RecallNode(Listed(DECISIONS), agent, _PROMPTS, log)
    names = [f"draft-{number}" for number in range(count)]
    drafts = [DRAFT.model_copy(update={"id": name, "path": f"{name}.md", "title": name}) for name in names]
    made = recall_drafts(drafts, node)
    failed = [one for one in made if one.failed]
    assert all(one.status == "llm_failed" and one.citations == () for one in failed)
    events = log.told("recall_pre_gate_llm_failed")
    return Came(sum(bool(one.citations) for one in made), tuple(one.problem for one in failed), events)


def choose(agent: Agent, state: Path, count: int = 1) -> Came:
    """Choices; where there is none the first candidate stays, and `error` says why."""
    mapped, chooser = mapped_by(agent, [NAMES[at % len(NAMES)] for at in range(count)], policy=Policy("trust"))
    choices = [one.ai for one in mapped if one.ai is not None]
    assert len(choices) == count
    for one, ai in zip(mapped, choices, strict=True):
        assert ai.error is None or (ai.best_id, ai.relation) == (one.candidates[0].id, None)
    failed = tuple({"event": "call", "problem": call.problem} for call in chooser.calls if call.problem)
    return Came(sum(ai.error is None for ai in choices), tuple(ai.error for ai in choices if ai.error), failed)


def _chosen() -> dict[str, Any]:
    second = MATCHER.match(NAMES[0]).candidates[1].id
    return {"choices": [{"query": 1, "best_id": second, "relation": "match", "confidence": 0.99, "reason": "it is"}]}


@dataclass(frozen=True)
class Prompt:
    """A prompt in its stage, a good reply of its own type, and replies that are nearly one.

    `attempts` is how often an invalid reply is asked for in all, `sent` how often one that is turned away. A `loose`
    one takes extra keys, and `wrong` may cost only what is in it.
    """

    run: Callable[..., Came]
    good: Any
    wrong: Any
    attempts: int = 2
    sent: int = 5
    loose: bool = False


_FACT = _replies["extract:01-pothos"]
_ANSWER = _replies[f"query:{_FOLDER.questions[0].id}"]
PROMPTS: dict[str, Prompt] = {
    "ingest": Prompt(tidy, {"text": "Pothos, tidied."}, {"text": 5}),
    "extract": Prompt(extract, _FACT, {**_FACT, "fields": {**_FACT["fields"], "watering_interval": "ten"}}),
    "query": Prompt(query, _ANSWER, {**_ANSWER, "quotes": "none"}),
    "recall-pre-gate": Prompt(
        recall, {"recallCitations": [own(1)]}, {"recallCitations": "none"}, attempts=1, sent=1, loose=True
    ),
    "rerank": Prompt(choose, _chosen(), {"choices": "none"}, loose=True),
}
