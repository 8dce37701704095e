"""Measuring recall over its golden set, with the prompt of production or of a candidate for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sekisho.agents.base import Agent
from sekisho.decision import DraftDecision
from sekisho.errors import InputError
from sekisho.events import EventLog
from sekisho.hashing import sha256_file, sha256_json
from sekisho.recall.drafts import recall_drafts
from sekisho.recall.node import Finder, rules_sha256
from sekisho.recall.prompt import NAME, load_recall_prompt
from sekisho.recall.published import make_node, read_drafts
from sekisho.recall.records import Recall
from sekisho.scorecards.baseline import Baseline
from sekisho.scorecards.recall import GoldenCase, load_golden, score
from sekisho.settings import Settings
from sekisho.sources.folder import DataFolder


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one stage's prompt, what they were measured with, and what came of each draft."""

    stage: str
    figures: dict[str, float]
    inputs: dict[str, str]
    recalls: tuple[Recall, ...] = ()

    @property
    def as_baseline(self) -> Baseline:
        """The same as a baseline to be committed."""
        return Baseline(inputs=self.inputs, figures=self.figures)


def read_golden_drafts(settings: Settings) -> list[GoldenCase]:
    """The golden set of the data folder, none without one; `InputError` names an entry that cannot be used."""
    return load_golden(settings.golden_recall_path)


def measure(settings: Settings, finder: Finder, agent: Agent, events: EventLog, *, stage: str) -> Measured:
    """Recall every draft of the golden set anew with a stage's prompt, and score it; nothing is stored but replies.

    `InputError` where there is no golden set, a draft of it is missing, or a candidate's prompt is not there or broken.
    """
    golden = read_golden_drafts(settings)
    if not any(case.expected for case in golden):
        remedy = "list drafts with what they should find; docs/evaluation.md has its form"
        raise InputError("no golden set", file=settings.golden_recall_path, remedy=remedy)
    _check_stage(settings.prompts, stage)
    node = make_node(settings, finder, agent, events, stage=stage)
    made = recall_drafts(_drafts_of(settings, golden), node, workers=settings.workers)
    return Measured(stage, score(made, golden), inputs_of(settings, agent.name, stage=stage), tuple(made))


def scored(settings: Settings, recalls: list[Recall]) -> Measured:
    """What was recalled for the drafts of the golden set, if there is one, scored as production."""
    figures = score(recalls, read_golden_drafts(settings))
    return Measured("production", figures, inputs_of(settings, _agent_of(recalls) or settings.agent))


def inputs_of(settings: Settings, agent: str, *, stage: str = "production") -> dict[str, str]:
    """Digests and names of all that decides the figures."""
    prompt, golden = load_recall_prompt(settings.prompts, stage=stage).prompt, settings.golden_recall_path
    return {
        "prompt": prompt.sha256,
        "schema": sha256_json(dict(prompt.schema)),
        "filter": rules_sha256(),
        "golden": sha256_file(golden) if golden.is_file() else "",
        "candidates": f"{settings.recall_candidates} {settings.recall_top_n}",
        "agent": agent,
    }


def _check_stage(prompts: Path, stage: str) -> None:
    """A candidate is measured as it is: no built-in prompt stands in for it."""
    loaded = load_recall_prompt(prompts, stage=stage)
    if stage != "production" and loaded.origin != "file":
        remedy = f"put prompt.md, params.yaml and output_schema.json into {stage}/{NAME}"
        raise InputError(f"no such prompt: {loaded.problem}", file=prompts / stage / NAME, remedy=remedy)


def _drafts_of(settings: Settings, golden: list[GoldenCase]) -> list[DraftDecision]:
    drafts = {draft.id: draft for draft in read_drafts(DataFolder(settings.data).check())[0]}
    wanted = [case.draft for case in golden if case.expected]
    missing = sorted(set(wanted) - drafts.keys())
    if missing:
        remedy = "put it into the folder drafts, or take it out of this file"
        raise InputError("no such draft", file=settings.golden_recall_path, item=missing[0], remedy=remedy)
    return [drafts[name] for name in wanted]


def _agent_of(recalls: list[Recall]) -> str:
    return next((recall.provenance.agent for recall in recalls if recall.provenance), "")
