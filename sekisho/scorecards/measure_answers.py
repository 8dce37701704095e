"""Measuring the published answers over their golden set: no model is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sekisho.agents.prompts import load_prompt
from sekisho.errors import InputError
from sekisho.hashing import sha256_file, sha256_json
from sekisho.records import Answer, Draft, Provenance
from sekisho.scorecards.answers import AnswerScore, GoldenAnswer, load_golden_answers, score_answers
from sekisho.scorecards.baseline import Baseline
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder
from sekisho.sources.notes import source_ids
from sekisho.warehouse import Warehouse

PROMPT = "query"


@dataclass(frozen=True, slots=True)
class MeasuredAnswers:
    """The evaluation of what is published, and the digests or names of all that decides it.

    `elsewhere` says what the published answers were made with that is not so any more; empty where nothing is.
    """

    score: AnswerScore
    inputs: dict[str, str]
    elsewhere: str = ""

    @property
    def figures(self) -> dict[str, float]:
        """The figures of the evaluation."""
        return self.score.figures

    @property
    def as_baseline(self) -> Baseline:
        """The same as a baseline to be committed."""
        return Baseline(inputs=self.inputs, figures=self.figures)


def read_golden_answers(settings: Settings) -> list[GoldenAnswer]:
    """The golden set of the data folder, none without one; `InputError` names an entry that cannot be used."""
    folder = DataFolder(settings.data).present()
    asked = [question.id for question in folder.questions]
    sources = source_ids(folder.root / "notes", folder.excluded)
    return load_golden_answers(settings.golden_answers_path, asked, sources)


def measure_answers(settings: Settings, warehouse: Warehouse) -> MeasuredAnswers:
    """What is published, held against the golden set; no figures without one. `InputError` where it has mistakes."""
    golden, questions = read_golden_answers(settings), DataFolder(settings.data).questions
    ids = {case.question for case in golden}
    answers = [answer for answer in warehouse.answers() if answer.id in ids]
    drafts = [draft for draft in warehouse.drafts() if draft.id in ids]
    made_by = _made_by(answers, drafts)
    inputs = inputs_of(settings, golden, made_by)
    now = load_prompt(settings.prompts, PROMPT).sha256
    elsewhere = "another prompt" if inputs["prompt"] != now else ""
    return MeasuredAnswers(score_answers(golden, questions, answers, warehouse.gaps()), inputs, elsewhere)


def inputs_of(settings: Settings, golden: Sequence[GoldenAnswer], made_by: Mapping[str, Provenance]) -> dict[str, str]:
    """Digests and names of all that decides the figures; what made the answers as they have it on record.

    `made_by` is by question. Where the agent is `mock`, its fixtures stand for a model: `replies`, in place of `model`.
    """
    prompt, path = load_prompt(settings.prompts, PROMPT), settings.golden_answers_path
    asked = DataFolder(settings.data).questions
    ids = {case.question for case in golden}
    agent = _named({one.agent for one in made_by.values()}) or settings.agent
    replies = {id: one.reply_sha256 for id, one in made_by.items()}
    model = _named({one.model for one in made_by.values()})
    return {
        "agent": agent,
        "golden": sha256_file(path) if path.is_file() else "",
        "prompt": _named({one.prompt_sha256 for one in made_by.values()}) or prompt.sha256,
        "questions": sha256_json({one.id: one.question for one in asked if one.id in ids}),
        "schema": sha256_json(dict(prompt.schema)),
        **({"replies": sha256_json(replies)} if agent == "mock" else {"model": model}),
    }


def check_published(settings: Settings) -> None:
    """`InputError` where nothing was ever published that could be measured, or no golden set says with what."""
    if not read_golden_answers(settings):
        remedy = "list questions with the sources that their answers should cite (docs/evaluation.md)"
        raise InputError("no golden set", file=settings.golden_answers_path, remedy=remedy)
    if not settings.warehouse_path.exists():
        raise InputError("no answer is published yet", file=settings.warehouse_path, remedy="run `sekisho run` first")


def _made_by(answers: Sequence[Answer], drafts: Sequence[Draft]) -> dict[str, Provenance]:
    """What made that which is published, and that which was turned back, by question."""
    drafted = {draft.id: draft.provenance for draft in drafts if draft.provenance is not None}
    return drafted | {answer.id: answer.provenance for answer in answers}


def _named(names: set[str]) -> str:
    """The only one of some names, all of them where they differ; empty without any."""
    return ", ".join(sorted(names))
