"""The plan of a round: what is asked again, with what feedback, and whether another round could repair anything."""

from __future__ import annotations

from typing import Any

import pytest

from assets._versions import data_version
from sekisho.agents.fixtures import FixtureAgent
from sekisho.errors import (
    AccessDenied,
    AgentAbstained,
    AgentFailed,
    AgentTimeout,
    AgentUnavailable,
    InvalidReply,
    RateLimited,
    ReplyCut,
    SekishoError,
)
from sekisho.hashing import sha256_text
from sekisho.records import Draft, Fact, Gap, KnowledgeBase, Note, Provenance, Question, Quote, SourceText
from sekisho.report import render_gaps
from sekisho.rounds import Round, after, digest_of, items_of, last_round, plan_notes, plan_questions, repairable
from sekisho.schema import FieldSpec, NotesSchema

SCHEMA = NotesSchema(fields={"name": FieldSpec(type="str")})
PROMPT = "p" * 64
MADE_BY = Provenance(agent="mock", prompt_sha256=PROMPT, reply_sha256="r")
SECOND = Round(2, 3)


def note(name: str, text: str = "Ferns are green.") -> Note:
    return Note(path=f"{name}.md", source=name, status="read", text=text, sha256=sha256_text(text))


def fact(of: Note, **changes: Any) -> Fact:
    made = Fact(
        path=of.path,
        source=of.source,
        fields={"name": "Fern"},
        evidence={"name": "Ferns are green"},
        note_sha256=of.sha256,
        provenance=MADE_BY,
    )
    return made.model_copy(update=changes)


A, B = note("a"), note("b")
BASE = KnowledgeBase(
    generation="g1",
    facts=(fact(A),),
    sources=(SourceText(source="a", path="a.md", text=A.text, sha256=A.sha256),),
)
QUESTION = Question(id="q", question="What is green?")


def draft(**changes: Any) -> Draft:
    made = Draft(
        id="q",
        question=QUESTION.question,
        status="answered",
        answer="Ferns.",
        citations=["a"],
        quotes=(Quote(source="a", text="Ferns are green"),),
        shown=("a",),
        generation="g1",
        provenance=MADE_BY,
    )
    return made.model_copy(update=changes)


def gap(item: str, stage: Any = "facts", **changes: Any) -> Gap:
    return Gap(stage=stage, item=item, gate="gate", reason="reason").model_copy(update=changes)


def test_the_first_round_takes_nothing_over() -> None:
    assert plan_notes(Round(), [A], [fact(A)], [], SCHEMA, PROMPT).standing == {}
    assert plan_questions(Round(), [QUESTION], [draft()], [], BASE, PROMPT).standing == {}


@pytest.mark.parametrize(
    "changes",
    [
        {"note_sha256": "0" * 64},
        {"provenance": MADE_BY.model_copy(update={"prompt_sha256": "other"})},
        {"fields": {"name": 5}},
        {"fields": {}},
        {"evidence": {"name": "Ferns are blue"}},
        {"source": "z"},
    ],
    ids=["another text", "another prompt", "wrong type", "missing field", "not verbatim", "another source"],
)
def test_a_fact_that_does_not_hold_is_asked_again_and_its_neighbour_is_not(changes: dict[str, Any]) -> None:
    plan = plan_notes(SECOND, [A, B], [fact(A, **changes), fact(B)], [], SCHEMA, PROMPT)
    assert plan.standing == {"b.md": fact(B)}


def test_a_note_without_a_fact_and_one_that_is_gone_are_not_taken_over() -> None:
    assert plan_notes(SECOND, [A], [fact(B)], [], SCHEMA, PROMPT).standing == {}


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "What was green?"},
        {"generation": "g0"},
        {"provenance": MADE_BY.model_copy(update={"prompt_sha256": "other"})},
        {"citations": ["ghost"]},
        {"quotes": ()},
        {"status": "failed", "provenance": None},
    ],
    ids=["another wording", "another generation", "another prompt", "ghost", "no quote", "failed"],
)
def test_a_draft_that_does_not_hold_is_asked_again(changes: dict[str, Any]) -> None:
    assert plan_questions(SECOND, [QUESTION], [draft(**changes)], [], BASE, PROMPT).standing == {}
    assert plan_questions(SECOND, [QUESTION], [draft()], [], BASE, PROMPT).standing == {"q": draft()}


def test_feedback_is_given_only_where_it_is_about_what_is_asked_now() -> None:
    told = [
        gap("a.md", feedback=("old text",), about="0" * 64),
        gap("a.md", "knowledge_base", feedback=("evidence", "evidence"), about=A.sha256),
        gap("b.md", feedback=(), about=B.sha256),
        gap("a.md", "answers", feedback=("an answer's",), about=A.sha256),
    ]
    plan = plan_notes(SECOND, [A, B], [], told, SCHEMA, PROMPT)
    assert (plan.told("a.md"), plan.told("b.md"), plan.told("c.md")) == (("evidence",), (), ())
    about = digest_of(QUESTION, BASE)
    told = [gap("q", "answers", feedback=("ghost",), about=about), gap("q", feedback=("a fact's",), about=about)]
    assert plan_questions(SECOND, [QUESTION], [], told, BASE, PROMPT).told("q") == ("ghost",)
    moved = BASE.model_copy(update={"generation": "g2"})
    assert plan_questions(SECOND, [QUESTION], [], told, moved, PROMPT).told("q") == ()
    reworded = Question(id="q", question="What is blue?")
    assert plan_questions(SECOND, [reworded], [], told, BASE, PROMPT).told("q") == ()


def test_feedback_is_bounded_and_on_one_line_each() -> None:
    reasons = tuple(f"{number}\n" + "x" * 10_000 for number in range(50))
    told = plan_notes(SECOND, [A], [], [gap("a.md", feedback=reasons, about=A.sha256)], SCHEMA, PROMPT).told("a.md")
    assert len(told) == 21 and told[-1] == "and 30 more"
    assert all(len(reason) < 500 and "\n" not in reason for reason in told)


@pytest.mark.parametrize(
    ("error", "again", "feedback"),
    [
        (InvalidReply(["a: missing", "b: wrong"]), True, ("a: missing", "b: wrong")),
        (ReplyCut("cut at 4096", item="k", remedy="raise it"), True, ("cut at 4096",)),
        (AgentTimeout("late"), True, ("before",)),
        (RateLimited("slow down"), True, ("before",)),
        (AgentFailed("HTTP 500"), True, ("before",)),
        (AgentUnavailable("no fixture"), True, ("before",)),
        (RuntimeError("odd"), True, ("before",)),
        (AccessDenied("HTTP 401"), False, ("before",)),
        (AgentAbstained("local"), False, ("before",)),
        (SekishoError("no source fits"), False, ("before",)),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_only_what_the_model_did_wrong_is_told_to_it(error: Exception, again: bool, feedback: tuple[str, ...]) -> None:
    assert after(error, ("before",)) == (again, feedback)


def test_what_another_round_could_repair() -> None:
    fact_gap, answer = gap("a.md"), gap("q", "answers")
    stuck, double = gap("b.md", again=False), gap("x", "knowledge_base", again=False)
    assert repairable([]) == []
    assert repairable([fact_gap, answer]) == [fact_gap], "no question is asked while a fact is missing"
    assert repairable([answer]) == [answer]
    assert repairable([stuck, answer]) == [] == repairable([double, answer]), "the questions are out of reach"
    assert repairable([fact_gap, double]) == [fact_gap]
    assert repairable([gap("f.md", "notes"), fact_gap, answer]) == [], "a run ends at a file that cannot be read"


def test_the_last_round_is_that_of_what_another_one_would_repair() -> None:
    assert last_round([]) == 1
    assert last_round([gap("q", "answers", round=2), gap("r", "answers", round=3)]) == 3
    assert last_round([gap("a.md", round=1), gap("q", "answers", round=3)]) == 1


def test_the_number_of_all_facts_is_no_item() -> None:
    count = gap("facts", "knowledge_base", gate="fact_count_matches", again=False)
    assert items_of([gap("a.md"), gap("a.md"), count, gap("q", "answers")]) == ["a.md", "q"]


def test_gap_md_says_in_which_round_an_item_was_turned_back_and_that_the_limit_was_reached() -> None:
    hopeless, early = gap("q", "answers", round=3), gap("r", "answers", round=2)
    assert "- **q**: turned back in round 3 of 3; the limit was reached, so it is not asked again\n" in render_gaps(
        [hopeless, early], 3
    )
    assert "- **r**: turned back in round 2 of 3\n" in render_gaps([hopeless, early], 3)
    assert "- **q**: turned back in round 3\n" in render_gaps([hopeless])
    assert "- **q**\n" in render_gaps([gap("q", "answers")]), "a run without a loop says nothing of rounds"
    stuck = gap("a.md", again=False, about="x")
    assert "- **a.md**: asking again cannot repair this\n" in render_gaps([stuck], 3)
    assert "- **q**: turned back in round 3\n" in render_gaps([stuck, hopeless], 3), "it is of an earlier run"


def test_the_same_reply_is_the_same_data_in_whichever_round_it_came() -> None:
    agent = FixtureAgent({})
    again = MADE_BY.model_copy(update={"round": 2})
    assert data_version(agent, [fact(A)]) == data_version(agent, [fact(A, provenance=again)])
    other = MADE_BY.model_copy(update={"reply_sha256": "other"})
    assert data_version(agent, [fact(A)]) != data_version(agent, [fact(A, provenance=other)])
