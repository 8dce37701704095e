"""The loop: what one round turned back is the input of the next, and what passed is neither asked nor paid for again.

A round is one run of the graph. The first asks about everything; each later one asks about what does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

from sekisho.gates import (
    by_item,
    check_draft,
    evidence_holds_the_value,
    evidence_is_verbatim,
    fact_count_matches,
    facts_fit_the_schema,
)
from sekisho.gates.quotes import Sources
from sekisho.hashing import sha256_json
from sekisho.records import Draft, Fact, Gap, KnowledgeBase, Note, Question, Record, Stage
from sekisho.schema import NotesSchema
from sekisho.text import shortened

R = TypeVar("R", bound=Record)

# What a prompt repeats of the reasons: a reply of a thousand wrong citations must not make a prompt of its length.
_REASONS, _LONGEST = 20, 400


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its `number`, counted from 1, and how many there will be at most, None without a limit."""

    number: int = 1
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Plan(Generic[R]):
    """What a round does with its items, by their names: those in `standing` are taken over and not asked about.

    `feedback` holds, for items asked about again, why the last reply was turned back; `round` is the round's number.
    """

    round: int = 1
    standing: Mapping[str, R] = field(default_factory=dict)
    feedback: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def told(self, item: str) -> tuple[str, ...]:
        """What the model is told about its last reply to an item; nothing where it gave none."""
        return self.feedback.get(item, ())


def plan_notes(
    this: Round,
    notes: Sequence[Note],
    facts: Sequence[Fact],
    gaps: Iterable[Gap],
    schema: NotesSchema,
    prompt_sha256: str,
) -> Plan[Fact]:
    """Which notes to ask about, by path: in the first round all, later those whose stored fact does not hold.

    A fact holds where it is of this very text and prompt, fits the schema, quotes its note verbatim, and these quotes
    hold its numbers and dates.
    """
    if this.number == 1:
        return Plan()
    judged = facts_fit_the_schema(facts, (), schema), evidence_is_verbatim(facts, notes)
    broken = by_item([*chain(*judged, evidence_holds_the_value(facts, schema))])
    standing = {
        fact.path: fact for fact in facts if fact.path not in broken and fact.provenance.prompt_sha256 == prompt_sha256
    }
    about = {note.path: note.sha256 for note in notes}
    return Plan(this.number, standing, _feedback(gaps, ("facts", "knowledge_base"), about))


def plan_questions(
    this: Round,
    questions: Sequence[Question],
    drafts: Iterable[Draft],
    gaps: Iterable[Gap],
    base: KnowledgeBase,
    prompt_sha256: str,
) -> Plan[Draft]:
    """Which questions to ask, by id: in the first round all, later those whose draft a gate turns back.

    A draft of another wording of its question, another generation or another prompt is asked for anew.
    """
    if this.number == 1:
        return Plan()
    asked = {question.id: question.question for question in questions}
    texts = Sources({source.source: source.text for source in base.sources})
    standing = {
        draft.id: draft
        for draft in drafts
        if asked.get(draft.id) == draft.question
        and draft.generation == base.generation
        and draft.provenance is not None
        and draft.provenance.prompt_sha256 == prompt_sha256
        and not check_draft(draft, base.known, texts)
    }
    about = {question.id: digest_of(question, base) for question in questions}
    return Plan(this.number, standing, _feedback(gaps, ("answers",), about))


def digest_of(question: Question, base: KnowledgeBase) -> str:
    """What the verdict on an answer holds for: this wording of the question over this generation."""
    return sha256_json([question.question, base.generation])


def after(error: Exception, told: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    """Whether asking again could help after a failed call, and what to tell the model then.

    A failure that was not the model's own, a time-out say, adds nothing to what it was `told` already.
    """
    return getattr(error, "again", True), tuple(getattr(error, "feedback", ())) or told


def repairable(gaps: Sequence[Gap]) -> list[Gap]:
    """The gaps that another round could repair; none where something else has to be done first.

    A run ends at a file that cannot be read, and no question is asked while a fact is missing.
    """
    if any(gap.stage == "notes" for gap in gaps):
        return []
    before = [gap for gap in gaps if gap.stage in ("facts", "knowledge_base")]
    return [gap for gap in before or gaps if gap.again]


def items_of(gaps: Iterable[Gap]) -> list[str]:
    """What was turned back, each once; the number of all facts is no item."""
    return list(dict.fromkeys(gap.item for gap in gaps if gap.gate != fact_count_matches.__name__ or gap.again))


def last_round(gaps: Sequence[Gap]) -> int:
    """The round that the recorded gaps are of; 1 where there is none."""
    return max((gap.round for gap in repairable(gaps)), default=1)


def _feedback(gaps: Iterable[Gap], stages: tuple[Stage, ...], about: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The reasons by item, where they are about what will be asked now."""
    reasons: dict[str, dict[str, None]] = {}
    for gap in gaps:
        if gap.stage in stages and gap.about and about.get(gap.item) == gap.about:
            reasons.setdefault(gap.item, {}).update(dict.fromkeys(shortened(text, _LONGEST) for text in gap.feedback))
    return {item: _bounded(list(found)) for item, found in reasons.items() if found}


def _bounded(reasons: Sequence[str]) -> tuple[str, ...]:
    more = len(reasons) - _REASONS
    return (*reasons[:_REASONS], *([f"and {more} more"] if more > 0 else []))
