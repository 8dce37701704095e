"""`sekisho ask`: one question, the same way through the same gates."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from dagster_project.cli.console import safe, stdout
from dagster_project.cli.show import show_answer
from sekisho.agents.backends import check_backend, make_agent
from sekisho.answer import verify_drafts
from sekisho.draft import draft_answers, identify, make_answerer
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.records import Answer, Question
from sekisho.settings import load_settings
from sekisho.sources.folder import DataFolder
from sekisho.text import is_blank
from sekisho.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verified answer to a question, or the reasons why there is none."""

    question: Question
    answer: Answer | None
    reasons: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The outcome as plain JSON values."""
        answer = self.answer.model_dump(mode="json", exclude={"reply"}) if self.answer else None
        return {
            "id": self.question.id,
            "question": self.question.question,
            "answer": answer,
            "reasons": self.reasons,
        }


def answer_question(text: str) -> Outcome:
    """Draft and verify an answer from the published knowledge base; `InputError` where nothing is published."""
    settings = load_settings()
    text = text.encode("utf-8", "replace").decode("utf-8")  # an argument need not be UTF-8
    if is_blank(text):
        raise InputError("the question is empty", remedy='ask like this: sekisho ask "Which plant ...?"')
    question = identify(text, DataFolder(settings.data).check().questions)
    check_backend(settings)
    run = f"ask:{question.id}"
    agent = make_agent(settings, run=run, root=f"{run}:{uuid4().hex[:8]}")  # a budget of its own each time
    answerer = make_answerer(agent, settings.prompts)
    path = settings.warehouse_path
    warehouse = Warehouse(path, wait=settings.lock_wait)
    base = warehouse.knowledge() if path.exists() else None
    if base is None or not base.generation:
        raise InputError("nothing is published yet", file=path, remedy="run `sekisho run` first")
    if not base.sources:
        others = "; past decisions: sekisho search, sekisho recall" if warehouse.decisions() else ""
        remedy = f"put some there, then sekisho run{others}"
        raise InputError("there are no notes here", file=DataFolder(settings.data).root / "notes", remedy=remedy)
    with closing(EventLog(settings.log_path, run=run)) as events:
        drafts = draft_answers([question], base, answerer, events, budget=settings.prompt_budget)
        verdict = verify_drafts(drafts, [question], base, (), events)
    reasons = tuple(gap.reason for gap in verdict.gaps)
    return Outcome(question, verdict.answers[0] if verdict.answers else None, reasons)


def show_outcome(outcome: Outcome) -> None:
    """Print the answer, or why it was withheld."""
    if outcome.answer is not None:
        show_answer(outcome.answer)
        return
    stdout.print("Q", safe(outcome.question.question, "bold"))
    stdout.print("withheld:", style="bold red")
    for reason in outcome.reasons:
        stdout.print("  ✗", safe(reason))
