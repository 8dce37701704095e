"""Query: what every gate lets through of the drafts is published; the rest is withheld, answer by answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sekisho.draft import failed_draft
from sekisho.events import EventLog
from sekisho.gates import Finding, Sources, as_draft, check_draft
from sekisho.records import Answer, Draft, Gap, KnowledgeBase, PublishedQuote, Question
from sekisho.rounds import digest_of
from sekisho.seals import sealed


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be published, and why the rest may not."""

    answers: list[Answer]
    gaps: list[Gap]


def verify_drafts(
    drafts: Sequence[Draft],
    questions: Sequence[Question],
    base: KnowledgeBase,
    previous: Sequence[Answer],
    events: EventLog,
    *,
    round: int = 1,
) -> Verdict:
    """Judge the draft of every question against the published knowledge base, answer by answer.

    A question whose model call failed, or whose draft is of another generation, keeps its previously published
    answer while that still holds, marked `kept`; a draft that a gate turned back is withheld. Both are gaps.
    """
    texts = source_texts(base)
    made = {(draft.id, draft.question): draft for draft in drafts}
    kept = {(answer.id, answer.question): answer for answer in still_holding(previous, base)}
    answers: list[Answer] = []
    gaps: list[Gap] = []
    events.begin("verify", [question.id for question in questions])
    for question in questions:
        key = (question.id, question.question)
        draft = _current(made.get(key), question, base)
        findings = check_draft(draft, base.known, texts)
        if not findings:
            answers.append(publishable(draft, texts, base))
        elif draft.status == "failed" and key in kept:
            answers.append(kept[key])
        gaps += _gaps(draft, findings, digest_of(question, base), round)
        events.emit("verify", id=draft.id, ok=not findings, reasons=[found.message for found in findings])
    return Verdict(answers, gaps)


def still_holding(answers: Sequence[Answer], base: KnowledgeBase) -> list[Answer]:
    """The answers that every gate lets through against a base, re-derived from it and marked `kept`.

    That nothing answers a question was true of the old base only: such an answer holds against that one alone.
    """
    texts = source_texts(base)
    holding = []
    for answer in answers:
        draft = as_draft(answer, base)
        may_hold = answer.status == "answered" or answer.generation == base.generation
        if may_hold and not check_draft(draft, base.known, texts):
            holding.append(publishable(draft, texts, base, kept=True))
    return holding


def _current(draft: Draft | None, question: Question, base: KnowledgeBase) -> Draft:
    """The draft where it is of this base, else a failed one that says why it cannot be used."""
    if draft is not None and draft.generation == base.generation and base.generation:
        return draft
    problem = "nothing is published to answer from" if not base.generation else "this question was not asked yet"
    if draft is not None and base.generation:
        problem = f"drafted from generation {draft.generation or 'none'}, {base.generation} is published: ask again"
    return failed_draft(question, base, problem)


def publishable(draft: Draft, texts: Sources, base: KnowledgeBase, *, kept: bool = False) -> Answer:
    """A draft that passed every gate, sealed; its quotes in the letters of the original texts, with their places."""
    assert draft.provenance is not None and draft.status != "failed"
    sources = {source.source: source for source in base.sources}
    quotes = []
    for quote in draft.quotes:
        verdict = texts.check(quote.source, quote.text)
        quotes.append(
            PublishedQuote(
                source=quote.source,
                text=sources[quote.source].text[verdict.start : verdict.end],
                start=verdict.start,
                end=verdict.end,
                reason=verdict.reason,
                source_sha256=sources[quote.source].sha256,
                reader=sources[quote.source].reader,
            )
        )
    citations = draft.citations if isinstance(draft.citations, list) else []
    answer = Answer(
        id=draft.id,
        question=draft.question,
        status=draft.status,
        answer=draft.answer,
        citations=tuple(dict.fromkeys(citations)),
        quotes=tuple(quotes),
        generation=base.generation,
        kept=kept,
        provenance=draft.provenance,
        reply=draft.reply,
    )
    return sealed(answer)


def source_texts(base: KnowledgeBase) -> Sources:
    """The original texts of a knowledge base, ready to be searched for quotes."""
    return Sources({source.source: source.text for source in base.sources})


def _gaps(draft: Draft, findings: Sequence[Finding], about: str, round: int) -> list[Gap]:
    failed = draft.status == "failed"
    return [
        Gap(
            stage="answers",
            item=draft.id,
            gate=found.gate,
            reason=found.message,
            round=draft.provenance.round if draft.provenance else round,
            again=draft.again,
            feedback=draft.feedback if failed else (found.message,),
            about=about,
        )
        for found in findings
    ]
