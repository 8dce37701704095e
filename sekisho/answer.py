"""Query: a model answers from the compiled facts alone; only what every gate lets through is published."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from sekisho.agents.base import Agent
from sekisho.agents.fanout import fanout
from sekisho.agents.prompts import load_prompt
from sekisho.agents.subagent import SubAgent
from sekisho.errors import SekishoError
from sekisho.events import EventLog
from sekisho.gates import Finding, Sources, as_draft, check_draft
from sekisho.hashing import sha256_text
from sekisho.records import Answer, Draft, Gap, KnowledgeBase, PublishedQuote, Question, Quote
from sekisho.retrieval.select import Ranker, select_sources
from sekisho.rounds import Plan, after, digest_of
from sekisho.seals import sealed

_FIRST: Plan[Draft] = Plan()


class QuoteReply(BaseModel):
    """Words copied from a source that was shown."""

    model_config = ConfigDict(extra="forbid", strict=True)

    source: str = Field(description="the id of the source, exactly as shown")
    text: str = Field(description="the words, copied without any change")


class AnswerReply(BaseModel):
    """An answer with an explicit status, the sources it rests on and their words."""

    # The schema shown is strict; parsing is not: whatever comes as citations is kept as it came, so that the
    # citation gate, not the parser, has the word on it.
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"required": ["status", "answer", "citations", "quotes"]},
    )

    status: Literal["answered", "unanswerable"]
    answer: str | None = Field(default=None, description="null when the status is unanswerable")
    citations: Annotated[Any, WithJsonSchema({"type": "array", "items": {"type": "string"}})] = Field(
        default=None, description="the ids of all sources that the answer rests on"
    )
    quotes: list[QuoteReply] = Field(default_factory=list, description="at least one for each citation")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be published, and why the rest may not."""

    answers: list[Answer]
    gaps: list[Gap]


def make_answerer(agent: Agent, prompts: Path) -> SubAgent[AnswerReply]:
    """The sub-agent that answers questions, with its prompt from disk."""
    return SubAgent(agent, load_prompt(prompts, "query"), AnswerReply)


def draft_answers(
    questions: Sequence[Question],
    base: KnowledgeBase,
    answerer: SubAgent[AnswerReply],
    events: EventLog,
    *,
    budget: int = 60_000,
    workers: int = 5,
    ranker: Ranker | None = None,
    plan: Plan[Draft] = _FIRST,
) -> list[Draft]:
    """One unverified answer per question, in question order; a failed call is a draft that says so.

    Questions whose draft the plan takes over are not asked.

    `budget` is how many characters of facts and passages one prompt may hold: where they do not all fit, the most
    relevant sources are shown, by `ranker` where one is given and by their words alone where not, and only those may be
    cited.
    """
    drafts = dict(plan.standing)
    asked = [question for question in questions if question.id not in drafts]
    events.begin("query", [question.id for question in asked], workers=workers)
    for index, outcome in fanout(
        asked, lambda question: _draft(question, base, answerer, budget, ranker, plan), workers=workers
    ):
        question = asked[index]
        if isinstance(outcome, Exception):
            problem = str(outcome) or type(outcome).__name__
            outcome = _failed(question, base, problem, *after(outcome, plan.told(question.id)))
        drafts[question.id] = outcome
        ok = outcome.status != "failed"
        told = {"citations": outcome.citations} if ok else {"reason": outcome.problem}
        events.emit("query", id=question.id, ok=ok, status=outcome.status, **told)
    return [drafts[question.id] for question in questions]


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
    return _failed(question, base, problem)


def _failed(
    question: Question, base: KnowledgeBase, problem: str, again: bool = True, feedback: tuple[str, ...] = ()
) -> Draft:
    return Draft(
        id=question.id,
        question=question.question,
        status="failed",
        generation=base.generation,
        problem=problem,
        again=again,
        feedback=feedback,
    )


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


def identify(text: str, questions: Sequence[Question]) -> Question:
    """The known question of this text, else a new one called `ask-<8 hex digits>` after it."""
    wanted = " ".join(unicodedata.normalize("NFC", text).split())
    for question in questions:
        if " ".join(unicodedata.normalize("NFC", question.question).split()) == wanted:
            return question
    return Question(id=f"ask-{sha256_text(wanted)[:8]}", question=text.strip())


def _draft(
    question: Question,
    base: KnowledgeBase,
    answerer: SubAgent[AnswerReply],
    budget: int,
    ranker: Ranker | None,
    plan: Plan[Draft],
) -> Draft:
    shown = select_sources(question.question, base, budget, ranker)
    if base.facts and not shown:
        raise SekishoError("no source fits the prompt's budget", remedy="raise SEKISHO_PROMPT_BUDGET")
    variables = {"question": question.question, "sources": shown}
    told = plan.told(question.id)
    proposal = answerer.ask(f"query:{question.id}", variables, round=plan.round, feedback=told)
    reply = proposal.value
    return Draft(
        id=question.id,
        question=question.question,
        status=reply.status,
        answer=reply.answer or "",
        citations=reply.citations,
        quotes=tuple(Quote(source=quote.source, text=quote.text) for quote in reply.quotes),
        shown=tuple(block["source"] for block in shown),
        generation=base.generation,
        provenance=proposal.provenance,
        reply=proposal.reply,
    )


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
