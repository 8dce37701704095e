"""Query: a model drafts an answer to each question from the compiled facts alone; none of it is verified yet."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from sekisho.agents.base import Agent
from sekisho.agents.fanout import fanout
from sekisho.agents.prompts import load_prompt
from sekisho.agents.subagent import SubAgent
from sekisho.errors import SekishoError
from sekisho.events import EventLog
from sekisho.hashing import sha256_text
from sekisho.records import Draft, KnowledgeBase, Question, Quote
from sekisho.retrieval.select import Ranker, select_sources
from sekisho.rounds import Plan, after

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
            outcome = failed_draft(question, base, problem, *after(outcome, plan.told(question.id)))
        drafts[question.id] = outcome
        ok = outcome.status != "failed"
        told = {"citations": outcome.citations} if ok else {"reason": outcome.problem}
        events.emit("query", id=question.id, ok=ok, status=outcome.status, **told)
    return [drafts[question.id] for question in questions]


def failed_draft(
    question: Question, base: KnowledgeBase, problem: str, again: bool = True, feedback: tuple[str, ...] = ()
) -> Draft:
    """The draft of a question that has no answer, and why; `again` and `feedback` are those of its gap."""
    return Draft(
        id=question.id,
        question=question.question,
        status="failed",
        generation=base.generation,
        problem=problem,
        again=again,
        feedback=feedback,
    )


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
